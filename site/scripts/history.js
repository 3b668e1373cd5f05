// Histories of lab actions as plain lists of words: "call", "numpy", "shape:8".

/** @typedef {import("./types.js").Kind} Kind */

/** Kinds that issue a call, for pages that could not load the vocabulary. */
const ISSUING = new Set(["call", "ahead", "eval_shape"]);

/** @param {string} action @param {Kind[]} kinds */
export function issues(action, kinds) {
  const id = action.split(":")[0];
  return kinds.find((kind) => kind.id === id)?.issues ?? ISSUING.has(id);
}

/** The actions up to and with the nth call. @param {string[]} actions @param {number} n @param {Kind[]} kinds */
export function upTo(actions, n, kinds) {
  if (n === 0) return [];
  let seen = 0;
  const end = actions.findIndex((action) => issues(action, kinds) && ++seen === n);
  return actions.slice(0, end < 0 ? actions.length : end + 1);
}

/** What was done between call n-1 and call n, the call itself left out. @param {string[]} actions @param {number} n @param {Kind[]} kinds */
export function changesBefore(actions, n, kinds) {
  return upTo(actions, n, kinds).slice(upTo(actions, n - 1, kinds).length, -1);
}

/** What was changed after the last call: it waits for the next. @param {string[]} actions @param {Kind[]} kinds */
export function changesAfter(actions, kinds) {
  return actions.slice(actions.findLastIndex((action) => issues(action, kinds)) + 1);
}

/** "a NumPy array", for a column with little room. @param {string} action @param {Kind[]} kinds */
export function shortly(action, kinds) {
  const [id, picked] = action.split(":"), kind = kinds.find((known) => known.id === id);
  return kind?.choices.find((known) => known.id === picked)?.label ?? kind?.label ?? action;
}

/** "what x is (a NumPy array)". @param {string} action @param {Kind[]} kinds */
export function sayAction(action, kinds) {
  const [id, picked] = action.split(":"), kind = kinds.find((known) => known.id === id);
  if (!kind) return action;
  const choice = kind.choices.find((known) => known.id === picked) ?? kind.choices[0];
  const label = /^.[A-Z]/.test(kind.label) ? kind.label : kind.label[0].toLowerCase() + kind.label.slice(1);
  return `${kind.slot} (${choice?.label ?? label})`;
}

/** Whether `actions` begin with `start`. @param {string[]} actions @param {string[]} start */
export function beginsWith(actions, start) {
  return start.every((action, i) => actions[i] === action);
}
