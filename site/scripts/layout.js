// How the parts of a figure stand: in which order, and with how much room.

/** @typedef {import("./figure.js").Figure} Figure */

/** From these widths three columns stand side by side, two, and the score below the floors (the styles say the same). */
const WIDE = 1120, TWO = 960;
export const PHONE = 640;
/** So many columns the score has at most before it scrolls, with that of the bets. */
const COLUMNS = 6;

/** The focus goes through the parts as they stand. @param {Figure} figure */
export function arrange({ el, stage, score, floors, tabs }) {
  const width = el.offsetWidth;
  tabs.fit(width >= WIDE);
  const order = (width >= TWO ? [tabs, floors, score] : width >= PHONE ? [floors, score, tabs] : [score, floors, tabs]).map((part) => part.el);
  if (order.every((part, i) => part === stage.children[i])) return;
  const held = document.activeElement;
  stage.append(...order);
  if (stage.contains(held)) /** @type {HTMLElement} */ (held).focus({ preventScroll: true });
}

/** Room on every floor for the longest of what is said there, and in the score for its first calls. @param {Figure} figure */
export function gauge(figure) {
  const { el, host, floors, timeline: { calls } } = figure, most = host.hasAttribute("do") ? Infinity : calls.length + 1;
  figure.gauged = calls;
  el.style.setProperty("--columns", String(Math.min(most, COLUMNS)));
  el.style.setProperty("--lines", String(floors.linesOf(calls)));
}
