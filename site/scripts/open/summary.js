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
 * @returns {{table: Table, causes: (Cause|null)[]}} causes: null where C++ answered
 */
export function summarise(recording, progress) {
  const items = recording.calls, { text } = recording.program, all = items.length;
  const own = ownNames(text), next = causeReader(text), intern = interner();
  const table = emptyTable(all, intern.texts);
  /** @type {(Cause|null)[]} */ const causes = [];
  /** @type {number|undefined} */ let process;
  items.forEach((item, index) => {
    if (index % 4096 === 0) progress(index, all);
    if ("note" in item) return;
    const call = readCall(item, index, causes.length + 1, process, own), cause = next(call);
    process = item.process;
    fillRow(table, causes.length, call, cause, intern);
    causes.push(cause.state === "fast" ? null : cause);
  });
  return { table: cut(table, causes.length), causes };
}

/** @param {number} n @param {string[]} texts @returns {Table} */
function emptyTable(n, texts) {
  const ints = () => new Int32Array(n), floats = () => new Float64Array(n);
  return { length: n, floors: new Uint8Array(n * FLOORS), stations: new Uint8Array(n * STATIONS.length), states: new Uint8Array(n), flags: new Uint8Array(n), lines: ints(),
    numbers: floats(), more: floats(), moreSeconds: floats(), seconds: floats(), indices: ints(), label: ints(), kind: ints(), fun: ints(), where: ints(), texts };
}

/** @param {Table} table @param {number} i @param {import("../types.js").Call} call @param {Cause} cause @param {ReturnType<typeof interner>} intern */
function fillRow(table, i, call, cause, intern) {
  for (let floor = 0; floor < FLOORS; floor++) table.floors[i * FLOORS + floor] = VERDICTS.indexOf(call.floors[floor].verdict);
  for (const { station, outcome } of call.main?.lookups ?? []) {
    const place = STATIONS.indexOf(station);
    if (place >= 0) table.stations[i * STATIONS.length + place] = outcome === "hit" ? 1 : 2;
  }
  table.states[i] = STATES.indexOf(cause.state);
  const raw = /** @type {RawCall} */ (call), measured = raw.seconds !== undefined;
  table.flags[i] = (call.newProcess ? NEW_PROCESS : 0) | (cause.again ? AGAIN : 0) | (cause.eager ? EAGER : 0) | (measured ? 0 : ESTIMATED);
  table.lines[i] = call.line ?? 0;
  table.indices[i] = call.index;
  table.more[i] = raw.again ?? 0;
  table.moreSeconds[i] = raw.again_seconds ?? 0;
  table.seconds[i] = raw.seconds ?? estimate(call);
  table.label[i] = intern.of(call.label.slice(0, 300));
  table.kind[i] = intern.of(cause.kind);
  table.fun[i] = intern.of(cause.fun);
  table.where[i] = intern.of(raw.where ?? "");
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

/** The raw numbers of the run's calls, where the recording has them. @param {Table} table @param {Recording} recording */
export function number(table, recording) {
  for (let i = 0; i < table.length; i++) table.numbers[i] = /** @type {RawCall} */ (recording.calls[table.indices[i]]).number ?? i + 1;
}
