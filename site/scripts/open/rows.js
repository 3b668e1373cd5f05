// Calls and causes as the timeline reads them, out of the columns of a table: nothing is built before
// it is looked at.

import { AGAIN, EAGER, ESTIMATED, NEW_PROCESS, STATES, STATIONS, VERDICTS } from "./summary.js";
import { FIXES } from "../fixes.js";
import { WORDS } from "../words.js";

/** @typedef {import("./summary.js").Table} Table */

const FLOORS = WORDS.floors.length;
const WORD = { fast: "fast path", python: "Python path", traced: "traced", lowered: "lowered", compiled: "compiled", loaded: "loaded", raised: "raised", silent: "no cache" };

/** A call as far as the timeline needs it (types.js has the whole one). */
export class Row {
  /** @param {Table} table @param {number} at from 0 */
  constructor(table, at) {
    this.table = table;
    this.at = at;
  }

  get number() { return this.at + 1; }
  get ordinal() { return this.table.numbers[this.at]; }
  get label() { return this.table.texts[this.table.label[this.at]]; }
  get where() { return this.table.texts[this.table.where[this.at]]; }
  get line() { return this.table.lines[this.at] || null; }
  get again() { return this.table.more[this.at]; }
  get seconds() { return this.table.seconds[this.at]; }
  get estimated() { return Boolean(this.table.flags[this.at] & ESTIMATED); }
  get newProcess() { return Boolean(this.table.flags[this.at] & NEW_PROCESS); }
  get floors() { return WORDS.floors.map((_, floor) => ({ verdict: VERDICTS[this.table.floors[this.at * FLOORS + floor]] })); }
  get main() {
    const lookups = STATIONS.map((station, i) => ({ station, code: this.table.stations[this.at * STATIONS.length + i] })).filter(({ code }) => code);
    return { lookups: lookups.map(({ station, code }) => ({ station, outcome: code === 1 ? "hit" : "miss" })) };
  }
}

/** A cause as far as the timeline needs it (cause.js has the whole one). */
export class CauseRow {
  /** @param {Table} table @param {number} at from 0 */
  constructor(table, at) {
    this.table = table;
    this.at = at;
  }

  get state() { return STATES[this.table.states[this.at]]; }
  get again() { return Boolean(this.table.flags[this.at] & AGAIN); }
  get eager() { return Boolean(this.table.flags[this.at] & EAGER); }
  get kind() { return this.table.texts[this.table.kind[this.at]]; }
  get fun() { return this.table.texts[this.table.fun[this.at]]; }
  get word() { return this.again ? `re${WORD[this.state]}` : WORD[this.state]; }
  get title() { return titleOf(this.kind); }
}

/** The name of a cause. @param {string} kind */
export const titleOf = (kind) => /** @type {Record<string, {title: string}>} */ (FIXES)[kind]?.title ?? kind;

/** What the reader asked to see. @typedef {{fun: string, kind: string, least: number}} Filter `least`: seconds */

/** @param {Table} table @param {Filter} filter @returns {number[]} places of the rows that pass */
export function filtered(table, { fun, kind, least }) {
  const wanted = { fun: table.texts.indexOf(fun), kind: table.texts.indexOf(kind) }, found = [];
  for (let i = 0; i < table.length; i++) {
    if ((fun === "" || table.fun[i] === wanted.fun) && (kind === "" || table.kind[i] === wanted.kind) && table.seconds[i] >= least) found.push(i);
  }
  return found;
}

/** @typedef {{fun: string, kind: string, times: number, seconds: number, worst: number, estimated: boolean}} Cost `worst`: place of the dearest row */

/** What the calls cost that the fast path did not answer, by function and cause, the dearest first. @param {Table} table @returns {Cost[]} */
export function costs(table) {
  /** @type {Map<string, Cost>} */ const found = new Map();
  for (let i = 0; i < table.length; i++) {
    const state = STATES[table.states[i]];
    if (state === "fast" || state === "silent") continue;
    const key = `${table.fun[i]} ${table.kind[i]}`, known = found.get(key);
    const cost = known ?? { fun: table.texts[table.fun[i]], kind: table.texts[table.kind[i]], times: 0, seconds: 0, worst: i, estimated: false };
    if (!known) found.set(key, cost);
    cost.times += 1 + table.more[i];
    cost.seconds += table.seconds[i] + table.moreSeconds[i];
    cost.estimated ||= Boolean(table.flags[i] & ESTIMATED);
    if (table.seconds[i] > table.seconds[cost.worst]) cost.worst = i;
  }
  return [...found.values()].sort((a, b) => b.seconds - a.seconds || b.times - a.times);
}

/** How many calls there were, and how many C++ answered. @param {Table} table */
export function totals(table) {
  let calls = 0, fast = 0, seconds = 0, missed = 0, estimated = false;
  for (let i = 0; i < table.length; i++) {
    const n = 1 + table.more[i], took = table.seconds[i] + table.moreSeconds[i], is = STATES[table.states[i]] === "fast";
    calls += n;
    seconds += took;
    if (is) fast += n;
    else missed += took;
    estimated ||= Boolean(table.flags[i] & ESTIMATED);
  }
  return { calls, fast, seconds, missed, estimated, kept: table.length };
}
