// The outcome of a call in one or two sentences. site/still.py says the same.

import { WORDS } from "./words.js";
import { say } from "./dom.js";
import { isCompiled } from "./compiled.js";
import { differences, unseen } from "./verdicts.js";
import { within } from "./recording.js";

/** As many other calls are told about; a longer list is no sentence. */
const OTHERS = 3;

/** "a, b and c" @param {string[]} parts */
export function listed(parts) {
  const { and, comma } = WORDS.sentence;
  return parts.length < 2 ? parts.join("") : parts.slice(0, -1).join(comma) + and + parts[parts.length - 1];
}

/** @param {import("./types.js").Call} call */
export function sentence(call) {
  const words = WORDS.sentence, name = `Call ${call.number}`, { floors, main } = call;
  const error = (call.exception ?? "").split(":")[0];
  const parts = [];
  if (!main) parts.push(say(words.nothing, { call: name }));
  else if (floors[0].verdict === "hit") parts.push(say(words.fast, { call: name }));
  else parts.push(path(call, name));
  const first = reason(call);
  if (first) parts.push("what" in first ? say(words.new, first) : say(words.because, first));
  if (error) parts.push(say(words.raised, { error }));
  const inside = main ? within(main) : [];
  if (inside.length) parts.push(say(words.within, { told: inside.map(([fun, works]) => say(words.other, { fun, things: listed(named(works)) })).join(words.then) }));
  if (call.falls.length > 1 && main) parts.push(say(words.inner, { n: call.falls.length, fun: main.fun }), others(call));
  return parts.join(" ").trim();
}

/** @param {string[]} works */
const named = (works) => [...new Set(works)].map((work) => WORDS.sentence.works[/** @type {"trace"} */ (work)]).filter(Boolean);

/** What became of the falls that are not shown; of a crowd nothing is said. @param {import("./types.js").Call} call */
function others({ falls, main }) {
  const words = WORDS.sentence, rest = falls.filter((fall) => fall !== main);
  if (rest.length > OTHERS) return "";
  return say(words.others, { told: rest.map((fall) => say(words.other, { fun: fall.fun, things: listed(became(fall)) })).join(words.then) });
}

/** @param {import("./types.js").Fall} fall */
function became({ lookups, works }) {
  const words = WORDS.sentence, things = lookups.filter(({ station }) => station === "prim")
    .map(({ outcome }) => words.aside[/** @type {"hit"} */ (outcome)]);
  const done = named(works.map(({ work }) => work));
  if (done.length) things.push(...done);
  else things.push(lookups.some(({ station, outcome }) => station === "fast_path" && outcome === "hit") ? words.by : words.known);
  return things;
}

/** The field that stopped the call first, or what the first floor that passed it on had never seen. */
function reason(/** @type {import("./types.js").Call} */ { floors, main }) {
  const places = /** @type {Record<string, string>} */ (WORDS.sentence.places);
  for (const [f, { verdict, deciding }] of floors.entries()) {
    if (verdict !== "miss" || !deciding) continue;
    const [first] = differences(deciding);
    if (first) return { ...first, ...who(first) };
    if (deciding.outcome !== "fallback") return (f || !main || !isCompiled(main)) && unseen(deciding) ? { what: unseen(deciding), place: places[WORDS.floors[f].id] } : null;
  }
  return null;
}

/** Objects are told apart by numbers, `f #2` from `f #1`: in words, what that says. Of two functions the names do without.
 * @param {{field: string, now: string, before: string}} difference */
function who({ field, now, before }) {
  const words = WORDS.sentence.who, made = field === "function" || field === "PjitInfo", number = made ? / #\d+$/ : / at #\d+(?=>)/g;
  const [a, b] = [now, before].map((text) => text.replace(number, ""));
  if (a === now || b === before) return { who: "" };
  if (a === b) return { who: made ? words[a.startsWith("<unnamed") ? "unnamed" : field] : words.alike };
  return field === "function" ? { now: a, before: b, who: words.other } : { who: "" };
}

/** @param {import("./types.js").Call} call @param {string} name */
function path({ floors, falls }, name) {
  const words = WORDS.sentence;
  const works = floors.flatMap((floor) => floor.works).filter((work) => work in words.works);
  // A poisoned entry counts as found, but the Python runs again all the same.
  const found = floors.filter(({ verdict }, f) => verdict === "hit" && !(f < 3 && works.includes("trace")))
    .map(({ deciding }) => words.things[/** @type {"params"} */ (deciding?.station)]).filter(Boolean);
  const disk = floors[5].verdict === "hit";
  if (!found.length && !disk && ["trace", "lower", "compile"].every((work) => works.includes(work))) return say(words.all, { call: name });
  const first = floors[0];
  const parts = [first.verdict === "skipped" ? words.round : first.deciding?.outcome === "fallback" ? words.fallback : words.fell];
  if (found.length) parts.push(say(words.found, { things: listed(found) }));
  if (works.length) parts.push(say(words.done, { works: listed([...new Set(works)].map((work) => words.works[/** @type {"trace"} */ (work)])) }));
  if (disk) parts.push(words.disk);
  const idle = !works.length && !disk && falls.every((fall) => !within(fall).length && !fall.works.some(({ work }) => work in words.works));
  return `${name} ${listed(parts)}${idle ? `: ${words.nowork}` : ""}.`;
}
