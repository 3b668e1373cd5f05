// The marks of calls: a shape for what a call did, and what a whole line did in all its calls.

import { svg } from "../dom.js";

/** @typedef {import("../cause.js").Cause} Cause */
/** @typedef {import("../types.js").Call} Call */
/** @typedef {{line: number, calls: number[], worst: number, word: string, shape: Shape, count: number, title: string}} LineMark
 *   `calls`: numbers of the calls of this line; `worst`: the one that tells most; `count`: how many did as that one did */
/** @typedef {"fast"|"python"|"once"|"again"|"loaded"|"raised"|"silent"} Shape */

const SHAPES = {
  fast: [["path", { d: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-1 10.2L3.9 8l1.3-1.3L7 8.5l3.9-3.9 1.3 1.3Z", fill: "currentColor", "fill-rule": "evenodd" }]],
  python: [["circle", { cx: 8, cy: 8, r: 6, fill: "none", stroke: "currentColor", "stroke-width": 2 }], ["path", { d: "M8 2a6 6 0 0 1 0 12Z", fill: "currentColor" }]],
  once: [["path", { d: "M8 1.6 14.4 8 8 14.4 1.6 8Z", fill: "none", stroke: "currentColor", "stroke-width": 2 }]],
  again: [["path", { d: "M8 .8 15.2 8 8 15.2.8 8Z", fill: "currentColor" }]],
  loaded: [["path", { d: "M8 2v8M4.5 7 8 10.5 11.5 7M3 14h10", fill: "none", stroke: "currentColor", "stroke-width": 2 }]],
  raised: [["path", { d: "M3 3l10 10M13 3 3 13", fill: "none", stroke: "currentColor", "stroke-width": 2.6 }]],
  silent: [["path", { d: "M4 8h8", fill: "none", stroke: "currentColor", "stroke-width": 2 }]],
};

/** @param {Cause} cause @returns {Shape} */
export function shapeOf({ state, again }) {
  if (state === "traced" || state === "lowered" || state === "compiled") return again ? "again" : "once";
  return state;
}

/** @param {Shape} shape */
export function icon(shape) {
  return svg("svg", { class: `shape shape-${shape}`, viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" }, ...iconPaths(shape));
}

/** The same without its frame of 16 by 16. @param {Shape} shape @returns {Element[]} */
export const iconPaths = (shape) => SHAPES[shape].map(([tag, props]) => svg(/** @type {string} */ (tag), /** @type {object} */ (props)));

/** What tells most about a line comes first; an operation outside jit tells less than a function of the program. */
const ORDER = ["raised", "again", "once", "loaded", "python", "fast", "silent"];
const weight = (/** @type {Cause} */ cause) => ORDER.indexOf(shapeOf(cause)) + (cause.eager ? ORDER.length : 0);

/** The marks of a program's lines, in order. @param {Call[]} calls @param {Cause[]} causes @returns {LineMark[]} */
export function lineMarks(calls, causes) {
  /** @type {Map<number, number[]>} */ const lines = new Map();
  for (const { line, number } of calls) {
    if (!line) continue;
    const known = lines.get(line);
    if (known) known.push(number);
    else lines.set(line, [number]);
  }
  return [...lines].sort(([a], [b]) => a - b).map(([line, numbers]) => {
    const worst = numbers.reduce((best, number) => (weight(causes[number - 1]) < weight(causes[best - 1]) ? number : best));
    const cause = causes[worst - 1], count = numbers.filter((number) => causes[number - 1].word === cause.word && causes[number - 1].eager === cause.eager).length;
    return { line, calls: numbers, worst, word: cause.word, shape: shapeOf(cause), count,
      title: `Line ${line}: ${numbers.length === 1 ? "1 call" : `${numbers.length} calls`}, ${times(cause.word, count)}` };
  });
}

/** @param {string} word @param {number} count */
export const times = (word, count) => (count > 1 ? `${word} ×${count}` : word);

/** "11 calls: 2 on the fast path, 5 recompiled, 4 compiled." @param {Cause[]} causes */
export function tally(causes) {
  /** @type {Map<string, number>} */ const counts = new Map();
  for (const { word } of causes) counts.set(word, (counts.get(word) ?? 0) + 1);
  const order = ["fast path", "Python path", "loaded", "traced", "retraced", "lowered", "relowered", "compiled", "recompiled", "raised", "no cache"];
  const said = { "fast path": "on the fast path", "Python path": "through Python only", loaded: "loaded from disk", "no cache": "without a cache" };
  const parts = [...counts].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)).map(([word, n]) => `${n} ${said[/** @type {"loaded"} */ (word)] ?? word}`);
  return `${causes.length} ${causes.length === 1 ? "call" : "calls"}: ${parts.join(", ")}.`;
}
