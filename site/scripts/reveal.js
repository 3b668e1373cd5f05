// When, in beats, each part of the picture of a call appears. One table for floors, score and path.

/** @typedef {import("./types.js").Call} Call */
/** @typedef {import("./types.js").Beat} Beat */

/**
 * @param {Call} call @param {Beat[]} beats
 * @returns {{floors: number[], lookups: Map<object, number>, works: Map<string, number>, up: number[],
 *   down: number[], deepest: number, end: number}} beats counted from 1; floors from index 0
 */
export function revealOf(call, beats) {
  const end = beats.length;
  const first = (/** @type {(beat: Beat) => boolean} */ test) => {
    const index = beats.findIndex(test);
    return index < 0 ? end : index + 1;
  };
  const lookups = new Map(), works = new Map();
  beats.forEach((beat, i) => {
    if (beat.kind === "ask" && beat.event) lookups.set(beat.event, i + 1);
    if (beat.kind === "work" && beat.event && "work" in beat.event && !works.has(beat.event.work)) works.set(beat.event.work, i + 1);
  });
  const deepest = Math.max(0, ...beats.map(({ floor }) => floor));
  const floors = call.floors.map((floor, f) => {
    const asked = floor.lookups.map((lookup) => lookups.get(lookup) ?? end);
    if (asked.length) return Math.max(...asked);
    if (floor.verdict === "skipped" && f === 0) return 1;
    return first(({ kind, floor: at }) => (kind === "skip" && at === f + 1) || at > f + 1);
  });
  const up = call.floors.map((_, f) => first(({ floor }) => floor > f));
  const down = call.floors.map((_, f) => first(({ floor }) => floor > f + 1));
  return { floors, lookups, works, up, down, deepest, end };
}

/**
 * For every event of a call the beat at which it has happened: its own, or that of the last before it.
 * @param {Call} call @param {Beat[]} beats @returns {number[]} from 1
 */
export function momentsOf(call, beats) {
  const own = new Map(beats.map(({ event }, i) => [event, i + 1])), asides = call.falls.filter((fall) => fall !== call.main);
  const aside = beats.flatMap(({ kind }, i) => (kind === "aside" ? [i + 1] : []));
  asides.forEach(({ events }, i) => events.forEach((event) => own.set(event, aside[i])));
  let now = 1;
  return call.events.map((event) => (now = Math.max(now, own.get(event) ?? now)));
}

/**
 * How the line of the fall runs past a floor: solid where it stopped to ask, dotted where it went
 * by, nothing below the deepest floor.
 * @param {Call} call @param {number} f @param {number} deepest
 */
export function lineAt(call, f, deepest) {
  const style = call.floors[f].lookups.length || (f === 5 && deepest === 6) ? "solid" : "dotted";
  return { up: f < deepest ? style : "none", down: f < deepest - 1 ? style : "none" };
}
