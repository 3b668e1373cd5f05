// What lies in every drawer after a number of calls, told from the events alone.
//
// Simplified: only entries made during the shown calls are known; setup lines between them may have
// made more. An eviction says how many entries went, not which: the oldest known ones are taken.

/** @typedef {{key: import("./types.js").Field[], fun: string, call: number, dead: boolean}} Entry */
/** @typedef {{kept: Entry[], gone: {entry: Entry|null, count: number, why: string, call: number}[]}} Drawer */

const STATIONS = ["fast_path", "params", "trace", "lower", "hlo", "memo", "compile", "disk", "prim"];

/**
 * @param {import("./types.js").Call[]} calls
 * @param {number} upto how many of them have happened
 * @returns {Record<string, Drawer>} by station
 */
export function entriesAfter(calls, upto) {
  /** @type {Record<string, Drawer>} */
  const drawers = Object.fromEntries(STATIONS.map((station) => [station, { kept: [], gone: [] }]));
  for (const call of calls.slice(0, upto)) {
    if (call.newProcess) {
      for (const station of STATIONS) if (station !== "disk") remove(drawers[station], Infinity, "the process ended", call.number);
    }
    /** @type {import("./types.js").Field[]} */
    let diskKey = [];
    for (const event of call.events) {
      if (event.kind === "evict") remove(drawers[event.station], event.count, event.why, call.number);
      if (event.kind === "lookup") {
        const inserted = event.outcome === "miss" && event.station !== "disk";
        if (inserted) drawers[event.station].kept.push({ key: event.key, fun: event.fun, call: call.number, dead: false });
        if (event.station === "disk") diskKey = event.key;
      }
      if (event.kind === "store" && event.station === "disk" && event.outcome === "written") {
        drawers.disk.kept.push({ key: diskKey, fun: event.fun, call: call.number, dead: false });
      }
      if (event.kind === "store" && event.station === "fast_path" && event.outcome === "dead") {
        const entry = drawers.fast_path.kept.filter(({ fun }) => fun === event.fun).at(-1);
        if (entry) entry.dead = true;
      }
    }
  }
  return drawers;
}

/**
 * What lies there at a step: what a call leaves is there when it is over.
 * @param {import("./types.js").Call[]} calls @param {number} call the one on show @param {boolean} over
 * @returns {Record<string, Drawer>} by station
 */
export function entriesAt(calls, call, over) {
  const drawers = entriesAfter(calls, call);
  if (!over) for (const drawer of Object.values(drawers)) drawer.kept = drawer.kept.filter((entry) => entry.call !== call);
  return drawers;
}

/** @param {Drawer} drawer @param {number} count @param {string} why @param {number} call */
function remove(drawer, count, why, call) {
  const gone = drawer.kept.splice(0, Math.min(count, drawer.kept.length));
  for (const entry of gone) drawer.gone.push({ entry, count: 1, why, call });
  const unseen = Number.isFinite(count) ? count - gone.length : 0;
  if (unseen > 0) drawer.gone.push({ entry: null, count: unseen, why, call });
}
