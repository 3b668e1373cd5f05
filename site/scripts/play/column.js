// What is drawn of one call in the timeline: one SVG with a few paths, so that a frame that brings
// sixty new columns stays short.

import { markPaths, svg } from "../dom.js";
import { iconPaths } from "./marks.js";

/** @typedef {import("../types.js").Verdict} Verdict */

/** Pixels: width of a column, which fingers want wider, and height of a lane (lanes.css says the same). */
export const COLUMN = matchMedia("(pointer: coarse)").matches ? 32 : 26, LANE = 24;

const SIZE = 16, X = (COLUMN - SIZE) / 2, Y = (LANE - SIZE) / 2, MIDDLE = COLUMN / 2;

/** A disc for each of the rows, as one path. @param {number[]} rows @param {number} radius */
const discs = (rows, radius) => rows.map((row) => `M${MIDDLE - radius} ${row * LANE + LANE / 2}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`).join("");

/** The mark of a lane that was not asked, for the legend. */
export const dot = () => svg("svg", { width: SIZE, height: SIZE, "aria-hidden": "true" }, svg("path", { class: "lane-dot", d: "M6 8a2 2 0 1 0 4 0a2 2 0 1 0-4 0Z" }));

/** The shape of the call in the first row, the verdict of each lane below, and a line as deep as it fell.
 * @param {import("./marks.js").Shape} shape @param {Verdict[]} verdicts @param {boolean} more calls like it were only counted */
export function picture(shape, verdicts, more) {
  const asked = verdicts.flatMap((verdict, lane) => (verdict === "none" ? [] : [lane + 1])), quiet = verdicts.flatMap((verdict, lane) => (verdict === "none" ? [lane + 1] : []));
  const deepest = verdicts.reduce((deep, verdict, lane) => (verdict === "hit" || verdict === "miss" ? lane + 1 : deep), 0);
  const place = (/** @type {number} */ row) => `translate(${X} ${row * LANE + Y})`;
  return svg("svg", { class: "lane-picture", width: COLUMN, height: (verdicts.length + 1) * LANE, "aria-hidden": "true" },
    ...(deepest ? [svg("path", { class: "lane-fall", d: `M${MIDDLE} ${LANE}v${deepest * LANE}` })] : []),
    svg("g", { class: "lane-shape", transform: `${place(0)} translate(1 1) scale(.875)` }, ...iconPaths(shape)),
    ...(more ? [svg("path", { class: "lane-dot", d: `M${COLUMN - 6} 11h1.5v1.5h-1.5Zm3 0h1.5v1.5h-1.5Z` })] : []),
    ...(quiet.length ? [svg("path", { class: "lane-dot", d: discs(quiet, 2) })] : []),
    ...(asked.length ? [svg("path", { class: "lane-ground", d: discs(asked, 8) })] : []),
    ...asked.flatMap((row) => markPaths(verdicts[row - 1]).map((path) => {
      path.setAttribute("transform", place(row));
      path.setAttribute("class", `v-${verdicts[row - 1]}`);
      return path;
    })));
}
