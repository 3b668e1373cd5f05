// A call in full: the figure, in a dialog, standing at that call. Of a long recording the figure gets
// the calls around it.

import { h } from "../dom.js";
import { openDialog } from "../dialog.js";

/** Calls before and after the one that is shown. */
const BEFORE = 60, AFTER = 20;

/**
 * @param {HTMLElement} host @param {import("../types.js").Recording} recording @param {import("../types.js").Call[]} calls
 * @param {number} number @param {string} link the address that Share gives
 */
export function openFigure(host, recording, calls, number, link) {
  const first = Math.max(1, number - BEFORE), last = Math.min(calls.length, number + AFTER);
  const from = first === 1 ? 0 : calls[first - 1].index, to = last === calls.length ? recording.calls.length : calls[last].index;
  return showFigure(host, { ...recording, calls: recording.calls.slice(from, to) }, { number, first, last, all: calls.length, link });
}

/**
 * A figure of the calls from `first` to `last`, standing at one of them.
 * @param {HTMLElement} host @param {import("../types.js").Recording} part
 * @param {{number: number, first: number, last: number, all: number, link?: string}} where
 */
export function showFigure(host, part, { number, first, last, all, link }) {
  const data = h("script", { type: "application/json", "data-recording": true });
  data.textContent = JSON.stringify(part);
  const whole = first === 1 && last === all;
  const heading = whole ? "Your program" : `Your program, calls ${first} to ${last}`;
  const figure = h("jit-stack", { heading, at: number - first + 1, link }, data);
  return openDialog(host, whole ? `Call ${number}` : `Call ${number} of ${all} (the figure has ${first} to ${last})`, [figure], { class: "figure-sheet" });
}
