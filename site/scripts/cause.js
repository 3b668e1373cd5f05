// Why a call was as dear as it was: what it did, the key field that made the difference, a sentence,
// and the fix that is usually right. Read from a Recording's events alone, whoever produced it.
//
//   const causes = causesOf(readCalls(recording), recording.program.text);   // one for each call
//   const next = causeReader(text); calls.map(next)                          // the same, call by call

import { FIXES } from "./fixes.js";
import { WORDS } from "./words.js";
import { namesIn } from "./arguments.js";
import { say } from "./dom.js";
import { isCompiled } from "./compiled.js";
import { siteOf, why } from "./why.js";

/** @typedef {import("./types.js").Call} Call */
/** @typedef {"fast"|"python"|"traced"|"lowered"|"compiled"|"loaded"|"raised"|"silent"} State */
/** @typedef {{station: string, name: string, now: string, before: string, of: string}} Difference
 *   `of`: label of the call that made the stored key; "" when no shown call did */
/** @typedef {{state: State, again: boolean, word: string, kind: string, title: string, fun: string, eager: boolean,
 *   field: Difference|null, sentence: string, fix: string, at: string, beside: number}} Cause
 *   `again`: the work had been done before for this function; `word`: what a mark says, such as "recompiled";
 *   `kind`: a name of fixes.js, for filters; `eager`: an operation outside jit; in `sentence`, code stands between
 *   backticks; `at`: the chapter's address from the site's root; `beside`: programs compiled in the same call for
 *   other functions than the one that is told of */

const WORD = { fast: "fast path", python: "Python path", traced: "traced", lowered: "lowered", compiled: "compiled", loaded: "loaded", raised: "raised", silent: "no cache" };
/** Kinds that happen once: work for them is not done *again*. */
const ONCE = new Set(["first", "eager-first", "ahead", "process", "loaded"]);
const WORKS = /** @type {[string, State][]} */ ([["compile", "compiled"], ["load", "loaded"], ["trace", "traced"], ["lower", "lowered"]]);

/** @param {Call[]} calls @param {string} text the program @returns {Cause[]} */
export const causesOf = (calls, text) => calls.map(causeReader(text));

/** Reads calls one by one, in order; remembers what it has seen. @param {string} text the program @returns {(call: Call) => Cause} */
export function causeReader(text) {
  /** @type {Map<string, import("./why.js").Memory>} */ const memories = new Map();
  /** @type {Map<string, boolean>} */ const owned = new Map();
  /** @type {Map<string, string>} */ const lines = new Map();
  /** @type {Map<string, number>} */ const evictions = new Map();
  // Lambdas have one name for all: the line where one stands tells them apart. Only a trace says it.
  const lineOf = (/** @type {Call} */ call) => {
    const object = `${call.process} ${call.main?.lookups.flatMap(({ key }) => key).find(([name]) => name === "function")?.[1]}`, line = lineOfSource(call);
    if (line) lines.set(object, line);
    return line || (lines.get(object) ?? "");
  };
  return (call) => {
    const { main } = call, state = stateOf(call), fun = main?.fun ?? "";
    if (!owned.has(fun)) owned.set(fun, isOwn(fun, text));
    const eager = !owned.get(fun) || Boolean(main?.lookups.some(({ station }) => station === "prim"));
    const key = `${call.process} ${fun} ${fun === "<lambda>" ? lineOf(call) : ""}`, memory = memories.get(key);
    for (const event of call.events) if (event.kind === "evict") evictions.set(event.station, (evictions.get(event.station) ?? 0) + 1);
    const cause = state === "fast" || state === "silent" ? { kind: state, field: null } : why(call, state, eager, withNames(memory, main), evictions);
    if (main && !isCompiled(main)) remember(call, main, memory ?? new_(memories, key), evictions);
    return told(call, state, eager, cause);
  };
}

/** Whether a function is the program's own. @param {string} fun @param {string} text */
export const isOwn = (fun, text) => fun === "" || fun === "<lambda>" || text.includes(`def ${fun}(`) || text.includes(`class ${fun}`);

/** @param {Call} call @returns {State} */
function stateOf({ main, exception }) {
  if (exception) return "raised";
  if (!main) return "silent";
  if (main.lookups.some(({ station, outcome }) => station === "fast_path" && outcome === "hit")) return "fast";
  const found = WORKS.find(([work]) => main.works.some((one) => one.work === work));
  return found?.[1] ?? (main.lookups.length || main.works.length ? "python" : "silent");
}

/** The line where the traced function stands, by its key or by the log; "" when neither says it. @param {Call} call */
function lineOfSource({ main, log }) {
  const info = main?.lookups.find(({ station, fun }) => station === "trace" && fun === main.fun)?.key.find(([name]) => name === "debug info")?.[1];
  const said = log.find((text) => text.includes("TRACING CACHE MISS"))?.match(/defined at [^\n]*?:(\d+)/);
  return /:(\d+)/.exec(info ?? "")?.[1] ?? said?.[1] ?? "";
}

/** @param {Map<string, import("./why.js").Memory>} memories @param {string} key */
function new_(memories, key) {
  const memory = { objects: new Map(), names: [], dead: "", gone: new Map(), bodies: new Map() };
  memories.set(key, memory);
  return memory;
}

/** @param {import("./types.js").Fall} fall */
const namesOf = (fall) => namesIn(fall.lookups.find(({ station, fun }) => station === "trace" && fun === fall.fun)?.key.find(([name]) => name === "debug info")?.[1]);

/** What is known of the function, with the names that its arguments have now.
 * @param {import("./why.js").Memory|undefined} memory @param {import("./types.js").Fall|null} main */
function withNames(memory, main) {
  const names = main ? namesOf(main) : [];
  return memory && names.length ? { ...memory, names } : memory;
}

/** @param {Call} call @param {import("./types.js").Fall} main @param {import("./why.js").Memory} memory @param {Map<string, number>} evictions */
function remember(call, main, memory, evictions) {
  for (const lookup of main.lookups) {
    const { station, key, fun } = lookup, site = station === "prim" && siteOf(lookup, call);
    if (site) {
      memory.bodies.set(site, key.find(([name]) => name === "params")?.[1] ?? "");
      memory.gone.set(station, evictions.get(station) ?? 0);
    }
    const object = key.find(([name]) => name === "function" || name === "jaxpr")?.[1];
    if (!object || fun !== main.fun) continue;
    memory.objects.set(station, object);
    memory.gone.set(station, evictions.get(station) ?? 0);
  }
  const names = namesOf(main), dead = main.stores.find(({ outcome }) => outcome === "dead");
  if (names.length) memory.names = names;
  if (dead) memory.dead = dead.why;
}

/** How many programs were compiled. @param {import("./types.js").Event[]} events */
const compiled = (events) => events.filter((event) => event.kind === "work" && event.work === "compile").length;

/** @param {Call} call @param {State} state @param {boolean} eager @param {import("./why.js").Why} cause @returns {Cause} */
function told(call, state, eager, { kind, field, what = "" }) {
  const words = /** @type {Record<string, {title: string, say: string, fix: string, at: string}>} */ (FIXES)[kind], fun = call.main?.fun ?? "";
  const again = !ONCE.has(kind) && ["traced", "lowered", "compiled"].includes(state);
  const values = { fun: fun === "<lambda>" ? "the lambda" : `\`${fun}\``, what, error: (call.exception ?? "").split(":")[0],
    name: field ? `\`${field.name}\`` : "", now: field && code(field.now), before: field && code(field.before) };
  const sentence = say(words.say, values);
  return { state, again, word: again ? `re${WORD[state]}` : WORD[state], kind, title: words.title, fun, eager, field,
    sentence: sentence.charAt(0).toUpperCase() + sentence.slice(1), fix: words.fix, at: words.at,
    beside: compiled(call.events) - compiled(call.main?.works ?? []) };
}

/** A value inside a sentence. @param {string} text */
function code(text) {
  if (!text) return "nothing";
  return /^[a-z ]+$/.test(text) && text.includes(" ") ? text : `\`${text.length > 90 ? `${text.slice(0, 88)}…` : text}\``;
}

/** The cache of a field, as the page names it. @param {Difference} field */
export function cacheOf({ station }) {
  return WORDS.floors.find(({ stations }) => stations.includes(station))?.name ?? "Primitive";
}
