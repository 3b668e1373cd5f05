// A figure of the text shows how it moves: when the page is at rest and it is the one most in view,
// its first calls fall by themselves, until a touch. The others are left to the reader: "Issue call"
// goes on from there. For readers who want less motion the same calls have fallen.

import { calm } from "./motion.js";

/** @typedef {import("./jit-stack.js").JitStack} JitStack */

/** How many calls are shown, if one is left then; of a figure with one call, that one. */
const SHOWN = 2;
/** In ms: how long the page rests before, at first and later, and a call after it was answered. */
const FIRST = 400, STILL = 1500, REST = 1800, PACE = 1.5;
/** What issues a call: where none is left, it goes on from the start and says so. */
const ISSUES = ["issue", "step"];

const stacks = /** @type {JitStack[]} */ ([...document.querySelectorAll("jit-stack")]);
const fresh = new Set(stacks.filter((stack) => stack.hasAttribute("shows")));
/** @type {JitStack|null} the figure that shows its calls now */ let showing = null;
/** Figures that are as high as they will be. */ const reserved = new WeakSet();
let timer = 0;

/** How much of a figure is in view, as a share of what could be. @param {Element} stack */
function share(stack) {
  const { top, bottom, height } = stack.getBoundingClientRect();
  return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)) / (Math.min(height, innerHeight) || 1);
}

/** In px, with its fraction: lines of text have one. @param {HTMLElement} box */
const height = (box) => box.getBoundingClientRect().height;

/** Beside its paragraphs, which move it. @param {Element} stack */
const beside = (stack) => stack.hasAttribute("compact");

/**
 * When a figure comes near it is made as high as its highest call: then nothing moves while
 * it plays. @param {import("./figure.js").Figure} figure
 */
function reserve(figure) {
  const boxes = /** @type {HTMLElement[]} */ ([...figure.el.querySelectorAll(".top, .told")]), heights = boxes.map(() => 0);
  if (figure.timeline.revealed || reserved.has(figure)) return;
  reserved.add(figure);
  figure.rehearse(figure.timeline.calls.length, () => boxes.forEach((box, i) => { heights[i] = Math.max(heights[i], height(box)); }));
  boxes.forEach((box, i) => heights[i] > height(box) && box.style.setProperty("min-height", `${heights[i]}px`));
  addEventListener("resize", () => boxes.forEach((box) => box.style.removeProperty("min-height")), { once: true });
}

/** The page is at rest. */
function look() {
  const [{ stack, seen }] = stacks.map((one) => ({ stack: one, seen: share(one) })).sort((a, b) => b.seen - a.seen);
  if (showing && showing !== stack) finish();
  if (!fresh.has(stack) || seen < 0.4 || document.hidden) return;
  if (!stack.figure || stacks.some(({ figure }) => figure?.player.playing)) return wait();
  fresh.delete(stack);
  show(stack, stack.figure);
}

/** The call with which a figure stops showing. @param {import("./figure.js").Figure} figure */
const lastShown = ({ timeline: { calls } }) => Math.min(SHOWN, Math.max(calls.length - 1, 1));

/** @param {JitStack} stack @param {import("./figure.js").Figure} figure */
function show(stack, figure) {
  const { timeline, player, status } = figure;
  if (timeline.revealed || !timeline.more) return;
  reserve(figure);
  status.line.setAttribute("aria-live", "off"); // nobody asked to be told
  stack.toggleAttribute("showing", true);
  listen(stack, figure);
  showing = stack;
  if (calm()) return finish();
  [player.rest, player.pace] = [REST, PACE];
  player.next = () => (timeline.call < lastShown(figure) && timeline.issue()) || still();
  figure.once(() => {
    timeline.issue();
    player.play();
  });
}

/** Whatever is done by hand ends it. @param {JitStack} stack @param {import("./figure.js").Figure} figure */
function listen(stack, figure) {
  const act = /** @type {Record<string, (...args: any[]) => any>} */ (figure.act), { status } = figure;
  for (const [name, does] of Object.entries(act)) {
    act[name] = (...args) => {
      const again = figure.again && ISSUES.includes(name);
      const done = figure.once(() => {
        if (stack.hasAttribute("showing")) leave(stack, figure);
        if (again) figure.timeline.reset();
        return does(...args);
      });
      if (again) figure.tell(`Started over. ${status.line.textContent}`);
      return done;
    };
  }
}

/** From now on it is the reader's. @param {JitStack} stack @param {import("./figure.js").Figure} figure */
function leave(stack, figure) {
  if (showing === stack) still();
  figure.again = false;
  stack.removeAttribute("showing");
  figure.status.line.removeAttribute("aria-live");
  figure.show();
}

/** No further call falls by itself. */
function still() {
  const figure = showing?.figure;
  if (figure) {
    [figure.player.rest, figure.player.pace, figure.player.next] = [0, 1, () => false];
    figure.again = !figure.canIssue;
  }
  showing = null;
  return false;
}

/** What it shows has fallen. */
function finish() {
  const figure = showing?.figure;
  if (!figure) return;
  const { timeline, player } = figure, last = lastShown(figure);
  timeline.branch.revealed = last;
  figure.once(() => {
    player.pause();
    timeline.goto(last);
    still();
  });
}

/** Any other touch holds the figure at its call. @param {Event} event */
function touch({ type, target }) {
  const stack = /** @type {JitStack|null} */ (/** @type {Element} */ (target).closest?.("jit-stack"));
  // A pointer moves the focus too, before the control under it is heard.
  if (!stack || (type === "focusin" && !/** @type {Element} */ (target).matches(":focus-visible"))) return;
  fresh.delete(stack);
  if (stack !== showing || !stack.figure) return;
  const { player, timeline } = stack.figure;
  still();
  player.pause();
  timeline.goto(timeline.call);
}

function wait(ms = STILL) {
  clearTimeout(timer);
  if (fresh.size || showing) timer = setTimeout(look, ms);
}

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    const stack = /** @type {JitStack} */ (target);
    if (!isIntersecting) continue;
    near.unobserve(stack);
    if ((fresh.has(stack) || beside(stack)) && stack.figure) reserve(stack.figure);
  }
}, { rootMargin: "60%" });
addEventListener("load", () => setTimeout(() => {
  for (const stack of stacks) if (fresh.has(stack) || beside(stack)) near.observe(stack);
}, 500), { once: true });

if (fresh.size) {
  for (const type of ["click", "keydown", "focusin"]) addEventListener(type, touch);
  for (const type of ["scroll", "resize", "click", "keydown", "visibilitychange"]) addEventListener(type, () => wait(), { passive: true });
  wait(FIRST);
  setTimeout(wait, FIRST + 1); // once more, when all of the page has come
}
