// What the page needs of every call, in columns: so that a hundred thousand calls are a few typed
// arrays. Everything else stays where the recording was read, and is asked for call by call.

import { PRICES } from "../prices.js";
import { WORDS } from "../words.js";
import { causeReader } from "../cause.js";
import { ownNames, readCall } from "../recording.js";

/** @typedef {import("../types.js").Recording} Recording */
/** @typedef {import("../types.js").RawCall} RawCall */
/** @typedef {import("../cause.js").Cause} Cause */

export const VERDICTS = /** @type {const} */ (["none", "hit", "miss", "skipped"]);
export const STATES = /** @type {const} */ (["fast", "python", "traced", "lowered", "compiled", "loaded", "raised", "silent"]);
export const STATIONS = WORDS.floors.flatMap(({ stations }) => stations);
const FLOORS = WORDS.floors.length;
/** Bits of `flags`. */
export const NEW_PROCESS = 1, AGAIN = 2, EAGER = 4, ESTIMATED = 8;

/** @typedef {{length: number, floors: Uint8Array, stations: Uint8Array, states: Uint8Array, flags: Uint8Array, lines: Int32Array, numbers: Float64Array,
 *   more: Float64Array, moreSeconds: Float64Array, seconds: Float64Array, indices: Int32Array, label: Int32Array, kind: Int32Array, fun: Int32Array, where: Int32Array,
 *   texts: string[]}} Table a row for each call; `label`, `kind`, `fun`, `where`: places in `texts`; `more`: calls counted on this one */

/**
 * @param {Recording} recording @param {(done: number, all: number) => void} progress
 * @returns {{table: Table, causes: (Cause|null)[], theirs: Set<string>}} causes: null where C++ answered; theirs: as `readCall` takes it
 */
export function summarise(recording, progress) {
  const items = recording.calls, { text } = recording.program, all = items.length;
  const own = ownNames(text), theirs = new Set(), next = causeReader(text), intern = interner();
  const table = emptyTable(all, intern.texts);
  /** @type {(Cause|null)[]} */ const causes = [];
  /** Rows of calls that found everything, by what they asked: the next one like it is a copy. @type {Map<string, number>} */
  const alike = new Map();
  /** @type {Map<object, string>} */ const stories = new Map();
  /** @type {number|undefined} */ let process;
  items.forEach((item, index) => {
    if (index % 4096 === 0) progress(index, all);
    if ("note" in item) return;
    const row = causes.length, story = item.process === process ? found(item, stories) : "", known = story && alike.get(story);
    if (known !== "" && known !== undefined) copyRow(table, row, known);
    else {
      const call = readCall(item, index, row + 1, process, own, theirs, false), cause = next(call);
      fillRow(table, row, call, cause, intern);
      if (cause.state !== "fast") causes[row] = cause;
      // An entry that is gone changes what later calls are told.
      if (item.process !== process || item.events.some(({ kind }) => kind === "evict")) alike.clear();
      else if (story && cause.state === "fast") alike.set(story, row);
    }
    causes[row] ??= null;
    process = item.process;
    fillOwn(table, row, item, index, intern);
  });
  return { table: cut(table, causes.length), causes, theirs };
}

/** What a call asked, when it found all of it and C++ ran it; else "".
 * @param {RawCall} item @param {Map<object, string>} stories of lists of events: calls may share them */
function found({ events, exception, log }, stories) {
  if (exception || log.length) return "";
  const known = stories.get(events) ?? storyOf(events);
  stories.set(events, known);
  return known;
}

/** @param {RawCall["events"]} events */
function storyOf(events) {
  let story = "";
  for (const event of events) {
    if (event.kind === "lookup" && event.outcome === "hit") story += `${event.station} ${event.depth} ${event.fun} ${event.key[0]?.[1]}\n`;
    else if (event.kind === "work" && event.work === "execute") story += `execute ${event.depth} ${event.fun}\n`;
    else return "";
  }
  return story;
}

/** @param {number} n @param {string[]} texts @returns {Table} */
function emptyTable(n, texts) {
  const ints = () => new Int32Array(n), floats = () => new Float64Array(n);
  return { length: n, floors: new Uint8Array(n * FLOORS), stations: new Uint8Array(n * STATIONS.length), states: new Uint8Array(n), flags: new Uint8Array(n), lines: ints(),
    numbers: floats(), more: floats(), moreSeconds: floats(), seconds: floats(), indices: ints(), label: ints(), kind: ints(), fun: ints(), where: ints(), texts };
}

/** What a call and its cause tell. @param {Table} table @param {number} i @param {import("../types.js").Call} call @param {Cause} cause @param {ReturnType<typeof interner>} intern */
function fillRow(table, i, call, cause, intern) {
  for (let floor = 0; floor < FLOORS; floor++) table.floors[i * FLOORS + floor] = VERDICTS.indexOf(call.floors[floor].verdict);
  for (const { station, outcome } of call.main?.lookups ?? []) {
    const place = STATIONS.indexOf(station);
    if (place >= 0) table.stations[i * STATIONS.length + place] = outcome === "hit" ? 1 : 2;
  }
  table.states[i] = STATES.indexOf(cause.state);
  table.flags[i] = (call.newProcess ? NEW_PROCESS : 0) | (cause.again ? AGAIN : 0) | (cause.eager ? EAGER : 0);
  table.kind[i] = intern.of(cause.kind);
  table.fun[i] = intern.of(cause.fun);
}

/** @param {Table} table @param {number} to @param {number} from */
function copyRow(table, to, from) {
  table.floors.copyWithin(to * FLOORS, from * FLOORS, (from + 1) * FLOORS);
  table.stations.copyWithin(to * STATIONS.length, from * STATIONS.length, (from + 1) * STATIONS.length);
  table.states[to] = table.states[from];
  table.flags[to] = table.flags[from] & EAGER;
  table.kind[to] = table.kind[from];
  table.fun[to] = table.fun[from];
}

/** What is the call's own. @param {Table} table @param {number} i @param {RawCall} item @param {number} index @param {ReturnType<typeof interner>} intern */
function fillOwn(table, i, item, index, intern) {
  const { label, line, seconds, again = 0, again_seconds: more = 0, where = "", number = i + 1 } = item;
  if (seconds === undefined) table.flags[i] |= ESTIMATED;
  table.seconds[i] = seconds ?? estimate(item);
  table.lines[i] = line ?? 0;
  table.indices[i] = index;
  table.numbers[i] = number;
  table.more[i] = again;
  table.moreSeconds[i] = more;
  table.label[i] = intern.of(label.length > 300 ? label.slice(0, 300) : label);
  table.where[i] = intern.of(where);
}

/** Typical seconds of what a call did, for recordings without times. @param {RawCall} call */
function estimate({ events }) {
  let us = PRICES.hit;
  for (const event of events) if (event.kind === "work") us += /** @type {Record<string, number>} */ (PRICES)[event.work] ?? 0;
  return us / 1e6;
}

/** @param {Table} table @param {number} n rows that are filled @returns {Table} */
function cut(table, n) {
  if (n === table.length) return table;
  const { texts, length, ...columns } = table;
  const short = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.slice(0, n * (column.length / length))]));
  return /** @type {Table} */ ({ ...short, texts, length: n });
}

function interner() {
  /** @type {string[]} */ const texts = [];
  /** @type {Map<string, number>} */ const places = new Map();
  return { texts, of(/** @type {string} */ text) {
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, texts.length);
    return texts.push(text) - 1;
  } };
}
