// A figure of the text shows what it holds: when the page is at rest and it is the one most in view,
// its recorded calls fall once, one after the other, until a touch. "Issue call" then issues the
// first call, as if nothing had been shown. For readers who want less motion all calls have fallen.

import { calm } from "./motion.js";

/** @typedef {import("./jit-stack.js").JitStack} JitStack */

/** In ms: how long the page rests before, and a call after it was answered. */
const STILL = 1500, REST = 1800, PACE = 1.5;
/** What needs a call to come: where none is left, it goes on from the start. */
const NEEDS_A_CALL = ["issue", "step", "change", "bet"];

const stacks = /** @type {JitStack[]} */ ([...document.querySelectorAll("jit-stack")]);
const fresh = new Set(stacks.filter((stack) => stack.hasAttribute("shows")));
/** @type {JitStack|null} the figure that shows its calls now */ let showing = null;
let timer = 0;

/** How much of a figure is in view, as a share of what could be. @param {Element} stack */
function share(stack) {
  const { top, bottom, height } = stack.getBoundingClientRect();
  return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)) / (Math.min(height, innerHeight) || 1);
}

/** In px, with its fraction: lines of text have one. @param {HTMLElement} box */
const height = (box) => box.getBoundingClientRect().height;

/**
 * When a figure comes near it is made as high as its highest call: then nothing moves while
 * it plays. @param {import("./figure.js").Figure} figure
 */
function reserve(figure) {
  const boxes = /** @type {HTMLElement[]} */ ([...figure.el.querySelectorAll(".top, .told")]), heights = boxes.map(() => 0);
  if (figure.timeline.revealed) return;
  figure.rehearse(figure.timeline.calls.length, () => boxes.forEach((box, i) => { heights[i] = Math.max(heights[i], height(box)); }));
  boxes.forEach((box, i) => heights[i] > height(box) && box.style.setProperty("min-height", `${heights[i]}px`));
  addEventListener("resize", () => boxes.forEach((box) => box.style.removeProperty("min-height")), { once: true });
}

/** The page is at rest. */
function look() {
  const [{ stack, seen }] = stacks.map((one) => ({ stack: one, seen: share(one) })).sort((a, b) => b.seen - a.seen);
  if (showing && showing !== stack) finish();
  if (!fresh.has(stack) || seen < 0.6 || document.hidden) return;
  if (!stack.figure || stacks.some(({ figure }) => figure?.player.playing)) return wait();
  fresh.delete(stack);
  show(stack, stack.figure);
}

/** @param {JitStack} stack @param {import("./figure.js").Figure} figure */
function show(stack, figure) {
  const { timeline, player, status } = figure;
  if (timeline.revealed || !timeline.more) return;
  figure.shown = true;
  status.line.setAttribute("aria-live", "off"); // nobody asked to be told
  stack.toggleAttribute("showing", true);
  listen(stack, figure);
  showing = stack;
  if (calm()) return finish();
  [player.rest, player.pace] = [REST, PACE];
  player.next = () => timeline.issue() || still();
  figure.once(() => {
    timeline.issue();
    player.play();
  });
}

/** Whatever is done by hand ends it. @param {JitStack} stack @param {import("./figure.js").Figure} figure */
function listen(stack, figure) {
  const act = /** @type {Record<string, (...args: any[]) => any>} */ (figure.act), { timeline, player, status } = figure;
  for (const [name, does] of Object.entries(act)) {
    act[name] = (...args) => figure.once(() => {
      if (figure.shown) {
        const spent = showing !== stack && !timeline.more;
        if (showing === stack) still();
        figure.shown = false;
        stack.removeAttribute("showing");
        status.line.removeAttribute("aria-live");
        if (name === "issue" || (spent && NEEDS_A_CALL.includes(name))) {
          player.pause();
          timeline.reset();
        } else figure.show();
      }
      return does(...args);
    });
  }
}

/** No further call falls by itself. */
function still() {
  const player = showing?.figure?.player;
  if (player) [player.rest, player.pace, player.next] = [0, 1, () => false];
  showing = null;
  return false;
}

/** All calls have fallen. */
function finish() {
  const figure = showing?.figure;
  still();
  if (!figure) return;
  figure.player.pause();
  figure.timeline.branch.revealed = figure.timeline.calls.length;
  figure.timeline.goto(figure.timeline.calls.length);
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

function wait() {
  clearTimeout(timer);
  if (fresh.size || showing) timer = setTimeout(look, STILL);
}

if (fresh.size) {
  for (const type of ["click", "keydown", "focusin"]) addEventListener(type, touch);
  for (const type of ["scroll", "resize", "click", "keydown", "visibilitychange"]) addEventListener(type, wait, { passive: true });
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const stack = /** @type {JitStack} */ (target);
      if (!isIntersecting) continue;
      near.unobserve(stack);
      if (fresh.has(stack) && stack.figure) reserve(stack.figure);
    }
  }, { rootMargin: "60%" });
  addEventListener("load", () => setTimeout(() => fresh.forEach((stack) => near.observe(stack)), 500), { once: true });
  wait();
}
