// History as a box that can be rewound and forked (the shape of RaftScope's state.js).
//
// A branch is one line of history: its actions, the Recording they give, and how many of its calls
// have been issued. A position is (call, beat): call 0 is the start; beat counts from 1 inside a
// call; beat = number of beats means that the call is over. Acting after a rewind starts a branch,
// and the one that was left stays.

import { readCalls } from "./recording.js";
import { beatsOf } from "./beats.js";

/** @typedef {import("./types.js").Branch} Branch */

export class Timeline {
  /** @type {Branch[]} */ branches = [];
  current = 0;
  call = 0;
  beat = 0;
  /** @type {Set<() => void>} */ #watchers = new Set();
  /** @type {WeakMap<import("./types.js").Call, import("./types.js").Beat[]>} */ #beats = new WeakMap();
  #next = 0;

  /** @param {import("./types.js").Recording} recording @param {string[]} actions */
  constructor(recording, actions) {
    this.first = { recording, actions };
    this.reset(false);
  }

  /** Back to the empty building; every branch is forgotten. */
  reset(tell = true) {
    const { recording, actions } = this.first;
    this.branches = [this.#branch(recording, actions, null, 0, 0)];
    this.current = 0;
    this.call = this.beat = 0;
    if (tell) this.#changed();
  }

  #branch(/** @type {any} */ recording, /** @type {string[]} */ actions, /** @type {number|null} */ from, /** @type {number} */ at, /** @type {number} */ revealed) {
    return { id: this.#next++, actions, recording, calls: readCalls(recording), from, at, revealed };
  }

  get branch() { return this.branches[this.current]; }
  get calls() { return this.branch.calls; }
  get revealed() { return this.branch.revealed; }
  /** The call on show, or null at the start. */
  get now() { return this.call ? this.calls[this.call - 1] : null; }
  /** Whether the recorded program has another call to issue from here. */
  get more() { return this.call < this.calls.length; }

  /** @param {number} call from 1 */
  beats(call) {
    const item = this.calls[call - 1];
    if (!item) return [];
    const known = this.#beats.get(item) ?? beatsOf(item);
    this.#beats.set(item, known);
    return known;
  }

  /** Position as one number, for the slider. */
  get flat() { return this.call ? this.#before(this.call) + this.beat : 0; }
  get length() { return this.#before(this.revealed + 1); }
  get over() { return this.call === 0 || this.beat >= this.beats(this.call).length; }
  get rewound() { return this.flat < this.length; }

  #before(/** @type {number} */ call) {
    let sum = 0;
    for (let c = 1; c < call; c++) sum += this.beats(c).length;
    return sum;
  }

  /** @param {number} flat */
  seek(flat) {
    let rest = Math.max(0, Math.min(Math.round(flat), this.length)), call = 0;
    while (rest > (call ? this.beats(call).length : 0) && call < this.revealed) {
      rest -= call ? this.beats(call).length : 0;
      call += 1;
    }
    this.#move(call, rest);
  }

  /** @param {number} call @param {number} [beat] default: its end */
  goto(call, beat = this.beats(call).length) { this.#move(call, beat); }

  /** Issue the next recorded call and stand at its first beat. False when there is none. */
  issue() {
    if (!this.more) return false;
    const call = this.call + 1;
    this.branch.revealed = Math.max(this.revealed, call);
    this.#move(call, 1);
    return true;
  }

  /** @param {1|-1} by @returns {boolean} whether there was such a beat among the issued calls */
  step(by) {
    const to = this.flat + by;
    if (to < 0 || to > this.length) return false;
    this.seek(to);
    return true;
  }

  /**
   * A new branch that shares the calls up to here and goes on with another Recording. Where nothing
   * was issued beyond this point the branch is simply continued.
   * @param {import("./types.js").Recording} recording @param {string[]} actions
   */
  fork(recording, actions) {
    const left = this.branch, at = this.call, continues = left.revealed <= at;
    const branch = this.#branch(recording, actions, continues ? left.from : left.id, continues ? left.at : at, at);
    if (continues) this.branches[this.current] = { ...branch, id: left.id };
    else {
      this.branches.push(branch);
      this.current = this.branches.length - 1;
    }
    this.#move(at, this.beats(at).length);
  }

  /** Stand on another branch, at its end. @param {number} id */
  select(id) {
    const index = this.branches.findIndex((branch) => branch.id === id);
    if (index < 0) return;
    this.current = index;
    this.#move(this.revealed, this.beats(this.revealed).length);
  }

  #move(/** @type {number} */ call, /** @type {number} */ beat) {
    this.call = call;
    this.beat = call ? beat : 0;
    this.#changed();
  }

  /** @param {() => void} watcher */
  watch(watcher) { this.#watchers.add(watcher); }
  #changed() { for (const watcher of this.#watchers) watcher(); }
}
