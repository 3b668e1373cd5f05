// Which cache should have spared a call its dearest work, and which field of its key was in the way.
//
// The rule: the dearest work of the call's main fall has a cause; the cause is the first cache that
// should have spared it and did not; there, the field that differs from the closest earlier key.
// Where several fields differ, the one that entails the others is named (FIELDS, in that order).

import { changedParts, changeOf, partsOf, sayAval, sayTree } from "./arguments.js";
import { isCompiled } from "./compiled.js";

/** @typedef {import("./types.js").Call} Call */
/** @typedef {import("./types.js").Fall} Fall */
/** @typedef {import("./types.js").Field} Field */
/** @typedef {import("./types.js").Lookup} Lookup */
/** @typedef {import("./cause.js").Difference} Difference */
/** @typedef {{kind: string, field: Difference|null, what?: string}} Why `kind`: a name of fixes.js */
/** @typedef {{objects: Map<string, string>, names: string[], dead: string, gone: Map<string, number>, bodies: Map<string, string>}} Memory of
 *   one function: which object each cache was asked about last, the names of its arguments, why its entry never answers, how many
 *   evictions there had been, the parameters of operations with a body by `siteOf` */

/** Fields that entail others come first; the rest in the order of their key. */
const FIELDS = ["function", "PjitInfo", "primitive", "static args", "static names", "arg names", "names", "tree", "treedefs", "signature",
  "avals", "in_avals", "params", "donate_argnums", "donate_argnames", "donated", "devices", "in_shardings", "out_shardings", "shardings", "committed"];
/** Fields that only follow from others, or name what was made anew. */
const FOLLOWS = new Set(["jaxpr", "module", "name", "module_name", "debug info", "layouts", "out_avals", "file name", "num_devices",
  "allow_prop_to_inputs", "allow_prop_to_outputs", "device_assignment", "flags", "keep_unused", "inline"]);

/** @param {Call} call @param {string} state @param {boolean} eager @param {Memory|undefined} memory
 * @param {Map<string, number>} evictions how many there have been, by station @returns {Why} */
export function why(call, state, eager, memory, evictions) {
  if (state === "raised") return { kind: errorKind(call.exception ?? ""), field: null };
  if (state === "loaded") return { kind: "loaded", field: null };
  const fall = /** @type {Fall} */ (call.main), traced = fall.works.some(({ work }) => work === "trace");
  const mine = fall.lookups.filter(({ fun }) => fun === fall.fun), last = new Map([...fall.lookups, ...mine].map((lookup) => [lookup.station, lookup]));
  const missed = (/** @type {string[]} */ ...stations) => stations.map((station) => last.get(station)).filter((lookup) => lookup && lookup.outcome !== "hit");
  const first = { kind: call.newProcess ? "process" : eager ? "eager-first" : "first", field: null };
  const asked = traced ? missed("trace", "params", "fast_path") : state === "python" ? missed("params", "fast_path", "prim") : missed("prim", "lower", "hlo", "compile");
  const lookup = asked[0];
  if (lookup && !lookup.closest && isCompiled(fall)) return { kind: "entered", field: null };
  if (!lookup) return state === "python" ? { kind: "found", field: null } : memory ? { kind: "ahead", field: null } : first;
  if (traced && lookup.station !== "trace") return { kind: "poisoned", field: null };
  if (state === "python" && lookup.outcome === "fallback") return dead(fall, memory);
  if (lookup.station === "lower" && !memory?.objects.has("lower") && !decisive(lookup)) return eager ? first : { kind: "ahead", field: null };
  // JAX makes a function for every new kind of operation: that it is another one says nothing.
  const door = last.get("prim");
  if (door?.outcome === "miss") return bodyAgain(door, call, memory, evictions) ?? first;
  const remade = madeAgain(lookup, memory), name = decisive(lookup);
  if (remade && (!lookup.closest || (name === "function" && !sameSource(lookup, call)))) return { kind: "function", field: remade };
  const { station } = lookup, known = memory?.objects.has(station), gone = known && (evictions.get(station) ?? 0) > (memory?.gone.get(station) ?? 0);
  if (gone && (!lookup.closest || (name === "function" && !sameSource(lookup, call)))) return { kind: "cleared", field: null };
  if (!lookup.closest) return state === "python" ? { kind: "entered", field: null } : first;
  if (!lookup.closest.differs.length) return alike(/** @type {Lookup[]} */ (asked), memory);
  // Without memory of this function a lambda is another one: of another line, or beside it in the same call.
  const other = !memory && fall.fun === "<lambda>" && (!traced || lookup.closest.of === call.label);
  if (name === "function" && (other || !sameSource(lookup, call))) return state === "python" ? { kind: "entered", field: null } : first;
  if (!name) return first;
  return name === "primitive" ? { kind: "eager-first", field: null } : classify(lookup, name, memory);
}

/** The field that is named, or "" when only what follows from others differs. @param {Lookup} lookup */
function decisive(lookup) {
  const differs = (lookup.closest?.differs ?? []).filter((name) => {
    const { now, before } = difference(lookup, name);
    return now !== before || now !== "default";
  });
  return FIELDS.find((name) => differs.includes(name)) ?? differs.find((name) => !FOLLOWS.has(name)) ?? "";
}

/** @param {Lookup} lookup @param {string} name @returns {Difference} */
function difference({ station, key, closest }, name) {
  const value = (/** @type {Field[]|undefined} */ fields) => fields?.find(([field]) => field === name)?.[1] ?? "default";
  const plain = (/** @type {string} */ text) => (text === "-" || text.startsWith("AbstractMesh(()") || (text === "None" && name !== "shardings") ? "default" : text);
  return { station, name, now: plain(value(key)), before: plain(value(closest?.key)), of: closest?.of ?? "" };
}

/** The function object, where it is another one than the one of the same source that was asked about last.
 * @param {Lookup} lookup @param {Memory|undefined} memory @returns {Difference|null} */
function madeAgain(lookup, memory) {
  const field = difference(lookup, "function"), known = memory?.objects.get(lookup.station);
  return known && field.now !== "default" && field.now !== known ? { ...field, before: known, of: "" } : null;
}

/** Where an operation with a body stands, and its key but for the objects in it; "" for one without a body.
 * @param {Lookup} door its lookup at the side door @param {Call} call */
export function siteOf({ key }, { line, events, where = "" }) {
  const text = JSON.stringify(key), bare = (/** @type {string} */ one) => one.replace(/ #\d+/g, "");
  if (!text.includes("Jaxpr #")) return "";
  // The line where a body stands tells more than the one where the call is; not every recording has it.
  const bodies = events.flatMap((event) => (event.kind === "lookup" && event.station === "trace" ? event.key.filter(([name, info]) => name === "debug info" && /:\d/.test(info)) : []));
  return `${bodies.length ? JSON.stringify(bodies) : `${where} ${line}`} ${bare(text)}`;
}

/** A loop or a branch that was there before, with a body that was traced anew: a fresh lambda or def.
 * @param {Lookup} door @param {Call} call @param {Memory|undefined} memory @param {Map<string, number>} evictions @returns {Why|null} */
function bodyAgain(door, call, memory, evictions) {
  const params = memory?.bodies.get(siteOf(door, call));
  if (!params) return null;
  if ((evictions.get("prim") ?? 0) > (memory?.gone.get("prim") ?? 0)) return { kind: "cleared", field: null };
  const field = difference(door, "params"), objects = (/** @type {string} */ text) => text.match(/Jaxpr #\d+/g) ?? [];
  const before = objects(params), at = objects(field.now).findIndex((one, i) => one !== before[i]);
  return at < 0 ? null : { kind: "body", field: { ...field, now: objects(field.now)[at], before: before[at], of: "" } };
}

/** Two function objects of one source: a lambda or def that was run again. @param {Lookup} lookup @param {Call} call */
function sameSource(lookup, call) {
  const { now, before } = difference(lookup, "function"), bare = (/** @type {string} */ text) => text.replace(/ #\d+$/, "");
  if (bare(now) !== bare(before)) return false;
  const line = (/** @type {Field[]|undefined} */ key) => /:(\d+)/.exec(key?.find(([name]) => name === "debug info")?.[1] ?? "")?.[1];
  if (line(lookup.key) !== line(lookup.closest?.key)) return false;
  // A recording of real JAX does not say in the key where a lambda stands; its log does.
  const said = call.log.find((text) => text.includes("never seen function"));
  return bare(now) !== "<lambda>" || line(lookup.key) !== undefined || !said || said.includes("but seen another function");
}

/** The stored key reads the same: another cache may tell more; else a value that is not what it seems, or an entry that is gone.
 * @param {Lookup[]} asked @param {Memory|undefined} memory @returns {Why} */
function alike(asked, memory) {
  for (const lookup of asked) {
    const name = lookup.closest ? decisive(lookup) : "";
    if (!name || name === "function") continue;
    const found = classify(lookup, name, memory);
    return found.kind === "numpy" && asked[0].station === "trace" ? { ...found, kind: "placement" } : found;
  }
  const [lookup] = asked, statics = difference(lookup, "static args");
  if (/[^[\]()]/.test(statics.now.replace("default", ""))) return { kind: "alike", field: statics };
  const tree = ["tree", "treedefs", "signature"].map((name) => difference(lookup, name)).find(({ now }) => /CustomNode/.test(now));
  return tree ? { kind: "alike", field: tree } : { kind: "cleared", field: null };
}

/** @param {Lookup} lookup @param {string} name @param {Memory|undefined} memory @returns {Why} */
function classify(lookup, name, memory) {
  const field = difference(lookup, name), { now, before } = field;
  if (name === "function") return { kind: "function", field };
  if (name === "PjitInfo") return { kind: "wrapper", field };
  if (/^static/.test(name)) return statics(lookup, field);
  if (/^(arg )?names$/.test(name)) return { kind: "keywords", field };
  if (/^(tree|treedefs|signature)$/.test(name)) return tree(field);
  if (/avals$/.test(name)) return argument(field, memory);
  if (/^donat/.test(name)) return { kind: "donation", field };
  if (/options$/.test(name)) return { kind: "options", field };
  if (/^(in_|out_)?shardings$|^committed$|^devices$/.test(name)) return placed(field, memory);
  if (/mesh|device_context/.test(name)) return { kind: "mesh", field };
  if (/^jax_/.test(name)) return { kind: "setting", field };
  return { kind: name === "params" || now === before ? "other" : "context", field };
}

/** @param {Lookup} lookup @param {Difference} field @returns {Why} */
function statics(lookup, field) {
  if (field.now === field.before) return { kind: "alike", field };
  if (field.name === "static names") return { kind: "keywords", field };
  const changed = changedParts(field.now, field.before, "["); // a tuple may itself be a value
  const other = ["tree", "treedefs", "signature"].find((name) => lookup.closest?.differs.includes(name));
  if (!changed) return other ? tree(difference(lookup, other)) : { kind: "arity", field };
  return { kind: "static", field: changed.length ? { ...field, now: changed[0].now, before: changed[0].before } : field };
}

/** @param {Difference} field @returns {Why} */
function tree(field) {
  const now = sayTree(field.now), before = sayTree(field.before), shown = { ...field, now, before };
  const leaves = (/** @type {string} */ text) => text.replace(/[^*]/g, "").length;
  const words = (/** @type {string} */ text) => text.match(/\w+(?==)/g)?.join() ?? "";
  if (leaves(now) === leaves(before) && words(now) !== words(before)) return { kind: "keywords", field: shown };
  if (/None/.test(now) !== /None/.test(before)) return { kind: "none", field: shown };
  const node = (/** @type {string} */ text) => /CustomNode\((\w+)/.exec(text)?.[1];
  if (node(now) && node(now) === node(before) && leaves(now) === leaves(before)) return { kind: "metadata", field: shown };
  return { kind: leaves(now) === leaves(before) ? "tree" : "arity", field: shown };
}

/** The first argument whose type changed. @param {Difference} field @param {Memory|undefined} memory @returns {Why} */
function argument(field, memory) {
  const changed = changedParts(field.now, field.before);
  if (!changed?.length) return { kind: "arity", field };
  const order = /** @type {const} */ (["shape", "dtype", "weak", "placement", "other"]);
  const [part] = changed.map((one) => ({ ...one, change: changeOf(one.now, one.before) })).sort((a, b) => order.indexOf(a.change) - order.indexOf(b.change));
  return { kind: part.change, what: nameOf(field, memory, part.index, changed.length), field: { ...field, now: sayAval(part.now), before: sayAval(part.before) } };
}

/** @param {Difference} field @param {Memory|undefined} memory @returns {Why} */
function placed(field, memory) {
  const nowhere = (/** @type {string} */ text) => /^none$/i.test(text);
  const changed = changedParts(field.now, field.before), part = changed?.find((one) => !nowhere(one.now) && !nowhere(one.before)) ?? changed?.[0];
  const what = part ? nameOf(field, memory, part.index, changed?.length ?? 1) : "An argument";
  const one = part ? { ...field, now: part.now, before: part.before } : field;
  if (field.name === "shardings" && nowhere(one.now) !== nowhere(one.before)) return { kind: "numpy", field: one, what };
  const commits = field.name === "committed" || /unspecified/.test(one.now) !== /unspecified/.test(one.before);
  return { kind: commits ? "commit" : "placement", field: one, what };
}

/** "`x`", "argument 2" or "`x` (first of 3)". @param {Difference} field @param {Memory|undefined} memory @param {number} index @param {number} changed */
function nameOf(field, memory, index, changed) {
  const { length } = partsOf(field.now), names = memory?.names ?? [];
  const one = names.length === length ? `\`${names[index]}\`` : length === 1 ? "The argument" : `Argument ${index + 1}`;
  return changed > 1 ? `${one} (first of ${changed})` : one;
}

/** @param {Fall} fall @param {Memory|undefined} memory @returns {Why} */
function dead(fall, memory) {
  const reason = fall.stores.find(({ station }) => station === "fast_path")?.why ?? "", known = memory?.dead || reason;
  if (/tracer|no place/i.test(reason)) return { kind: "traced", field: null };
  if (/effect|\bref\b/i.test(known)) return { kind: "effects", field: null };
  return { kind: "dead", field: { station: "fast_path", name: "entry", now: /always falls back/.test(known) || !known ? "an earlier call of this kind left it" : known, before: "", of: "" } };
}

/** @param {string} text */
function errorKind(text) {
  if (/^(Tracer|Concretization|NonConcrete|UnexpectedTracer)/.test(text)) return "tracer";
  if (/non-hashable|unhashable|comparable using __eq__/i.test(text)) return "unhashable";
  return /deleted|donated/i.test(text) ? "deleted" : "raised";
}
