// Reading a Recording: checking it, and cutting a call's events into falls.
//
// A *fall* is one way down the building: one call of a jitted function from the outside, one eager
// primitive, or one ahead-of-time step. Most calls are one fall. Where a call made several, the
// figure shows the *main* one: the one that went deepest, the user's own function first, the latest
// among equals. site/reading.py follows the same rules; a test holds the two together.

import { keepApart } from "./compiled.js";
import { judge, readFloors } from "./verdicts.js";

/** @typedef {import("./types.js").Recording} Recording */
/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").Fall} Fall */

const ORDER = ["prim", "fast_path", "params", "trace", "lower", "hlo", "memo", "compile", "disk"];
const DEPTH = ["python", "trace", "lower", "load", "compile"];

/** The data is no Recording; the message says what is wrong. */
export class RecordingError extends Error {}

/**
 * Check the parts of a Recording that the figure relies on.
 * @param {any} data @returns {Recording} @throws {RecordingError}
 */
export function check(data) {
  const need = (/** @type {boolean} */ ok, /** @type {string} */ message) => {
    if (!ok) throw new RecordingError(`This is not a recording: ${message}.`);
  };
  need(data !== null && typeof data === "object", "it is not an object");
  need(data.schema === 1, `schema ${JSON.stringify(data.schema)} is not the schema 1 this page reads`);
  need(typeof data.program?.text === "string", "program.text is missing");
  need(Array.isArray(data.calls), "calls is missing");
  data.calls.forEach((/** @type {any} */ call, /** @type {number} */ i) => {
    const where = `calls[${i}]`;
    need(typeof call?.label === "string", `${where}.label is missing`);
    if ("note" in call) return;
    need(Array.isArray(call.events), `${where}.events is missing`);
    for (const event of call.events) {
      need(typeof event?.kind === "string", `an event of ${where} has no kind`);
      if (event.kind === "lookup") {
        need(ORDER.includes(event.station), `${where} names an unknown station ${JSON.stringify(event.station)}`);
        need(Array.isArray(event.key), `a lookup of ${where} has no key`);
      }
    }
  });
  return data;
}

/**
 * The calls of a Recording, read; notes are attached to the call before them.
 * @param {Recording} recording @returns {import("./types.js").Call[]}
 */
export function readCalls(recording) {
  /** @type {import("./types.js").Call[]} */
  const calls = [];
  const own = ownNames(recording.program.text), theirs = new Set();
  recording.calls.forEach((item, index) => {
    if ("note" in item) calls.at(-1)?.notes.push(item);
    else calls.push(readCall(item, index, calls.length + 1, calls.at(-1)?.process, own, theirs));
  });
  return calls;
}

/**
 * One call of a Recording, read.
 * @param {import("./types.js").RawCall} item @param {number} index among calls and notes @param {number} number among calls, from 1
 * @param {number|undefined} process of the call before it @param {(fun: string) => boolean} own see `ownNames`
 * @param {Set<string>} theirs keys of compiled objects so far; those of this call are added
 * @param {boolean} [told] whether its floors say why they did what they did
 * @returns {import("./types.js").Call}
 */
export function readCall(item, index, number, process, own, theirs, told = true) {
  const found = falls(item.events);
  for (const fall of found) keepApart(fall, theirs, item.exception !== null);
  const main = mainFall(found, own);
  return { ...item, number, index, notes: [], falls: found, main, floors: told ? readFloors(item, main) : judge(main),
    newProcess: process !== undefined && process !== item.process };
}

/** Which functions a program defines, each looked for once. @param {string} text @returns {(fun: string) => boolean} */
export function ownNames(text) {
  /** @type {Map<string, boolean>} */ const known = new Map([["<lambda>", true]]);
  return (fun) => {
    if (!known.has(fun)) known.set(fun, text.includes(`def ${fun}(`) || text.includes(`class ${fun}`));
    return known.get(fun) ?? false;
  };
}

/** @param {Event[]} events @returns {Fall[]} */
export function falls(events) {
  /** @type {Fall[]} */
  const found = [];
  /** @type {Fall|null} */
  let fall = null;
  let last = -1, aside = false;
  const start = (/** @type {Event} */ event) => {
    fall = { events: [], level: 0, fun: "fun" in event ? event.fun : "", lookups: [], works: [], nested: [], stores: [] };
    found.push(fall);
    last = -1;
    return fall;
  };
  for (const event of events) {
    if (event.kind === "log" || event.kind === "evict") continue;
    const top = event.depth === 0;
    if (event.kind === "lookup") aside = isAside(fall, event);
    if (event.kind === "lookup" && top && !aside) {
      const order = ORDER.indexOf(event.station);
      // From C++ or the side door every call starts anew; ahead of time a step back up does.
      const fresh = event.station === "fast_path" || event.station === "prim" || !fall
        || (!throughCpp(fall) && order <= last) || (throughCpp(fall) && ended(fall));
      if (fresh) start(event);
      last = order;
    }
    const current = fall ?? start(event);
    current.events.push(event);
    // An eager primitive's own jitted function is one frame further in.
    if (event.kind === "lookup" && event.station === "prim" && top) current.level = 1;
    const own = event.depth === current.level || (event.kind === "lookup" && event.station === "prim" && top);
    if (!own || (aside && (event.kind === "lookup" || (event.kind === "work" && event.work === "trace")))) {
      if (!current.works.some(({ work }) => work === "lower")) current.nested.push(event);
    } else if (event.kind === "lookup") current.lookups.push(event);
    else if (event.kind === "work") current.works.push(event);
    else current.stores.push(event);
  }
  return found;
}

/**
 * Whether a trace is another's: of a body within this function, or of a program in lowering. A fall
 * that asked params has one trace of its own, under the same name and before lowering.
 * @param {Fall|null} fall @param {import("./types.js").Lookup} look
 */
function isAside(fall, look) {
  if (!fall || look.station !== "trace" || look.depth !== fall.level || ended(fall)) return false;
  const asked = new Map(fall.lookups.map(({ station, fun }) => [station, fun]));
  if (asked.has("memo") || asked.has("compile")) return false;
  if (asked.has("lower") || asked.has("hlo")) return true;
  return asked.has("params") && (asked.has("trace") || look.fun !== asked.get("params"));
}

/** @param {Fall} fall */
function throughCpp(fall) {
  return fall.lookups.some(({ station }) => station === "fast_path" || station === "prim");
}

/** @param {Fall} fall */
function ended(fall) {
  return fall.stores.some(({ station }) => station === "fast_path")
    || fall.lookups.some(({ station, outcome }) => station === "fast_path" && outcome === "hit");
}

/**
 * What else was lowered or compiled within it, before its own lowering: works by function.
 * @param {Fall} fall @returns {[string, string[]][]}
 */
export function within(fall) {
  /** @type {Map<string, string[]>} */ const found = new Map();
  for (const event of fall.nested) {
    if (event.kind === "work" && event.depth !== fall.level) found.set(event.fun, [...found.get(event.fun) ?? [], event.work]);
  }
  return [...found].filter(([, works]) => works.includes("lower") || works.includes("compile"));
}

/** @param {Fall} fall how deep it went: -1 for C++ alone, else the heaviest work it caused */
function weight(fall) {
  return Math.max(-1, ...fall.works.map(({ work }) => DEPTH.indexOf(work)));
}

/** @param {Fall[]} found @param {(fun: string) => boolean} isOwn @returns {Fall|null} */
export function mainFall(found, isOwn) {
  const own = found.filter(({ fun }) => isOwn(fun));
  const pool = own.length ? own : found;
  return pool.reduce((/** @type {Fall|null} */ best, fall) => (best && weight(best) > weight(fall) ? best : fall), null);
}
