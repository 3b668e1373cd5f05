// A figure beside its paragraphs: once it is in view, the last step above the middle of the window
// says which call is shown.

/** From this width the figure stands beside its steps (beside.css says the same). */
const WIDE = matchMedia("(min-width: 1000px) and (min-height: 700px)");

for (const box of document.querySelectorAll(".beside")) {
  const stack = /** @type {import("./jit-stack.js").JitStack|null} */ (box.querySelector("jit-stack"));
  const steps = /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".step")]);
  let shown = 0;
  /** How many steps the text has passed; the figure waits until all of it is in view. @param {HTMLElement} figure */
  const passedBy = (figure) => (figure.getBoundingClientRect().bottom > innerHeight ? 0
    : steps.filter((step) => step.getBoundingClientRect().top < innerHeight / 2).length);
  const tell = (/** @type {number} */ now) => steps.forEach((step, i) => step.toggleAttribute("data-now", i === now));
  const follow = () => {
    if (!stack?.figure || !WIDE.matches) return;
    const passed = passedBy(stack);
    if (passed === shown) return;
    shown = passed;
    tell(passed - 1);
    stack.figure.act.follow(passed ? Number(steps[passed - 1].dataset.call) : 0);
  };
  // An address named a call: its step comes into view, and the figure stays there until the reader goes on.
  stack?.addEventListener("linked", (event) => {
    const now = steps.findIndex(({ dataset }) => Number(dataset.call) === /** @type {CustomEvent} */ (event).detail);
    if (now < 0 || !WIDE.matches || scrollY || location.hash) return;
    event.preventDefault();
    steps[now].scrollIntoView({ block: "center", behavior: "instant" });
    shown = passedBy(stack);
    tell(now);
  });
  // Told when a step's beginning crosses the middle, and when all of the figure is in view: nothing
  // runs while the page scrolls in between.
  const watcher = new IntersectionObserver(follow, { rootMargin: "0px 0px -50% 0px" });
  for (const step of steps) watcher.observe(step);
  if (stack) new IntersectionObserver(follow, { threshold: 1 }).observe(stack);
}
