// The smallest change that gives one call the key of another: read from the two keys, field by field,
// and written as source text where the call is a statement of its own.

import { avalOf, changedParts, namesIn, partsOf, sayAval, sayTree } from "../arguments.js";
import { parametersOf, readCall, statementAt, writeCall } from "./source.js";

/** @typedef {import("../types.js").Call} Call */
/** @typedef {import("../types.js").Lookup} Lookup */
/** @typedef {{name: string, say: string}} Step a field, and what has to become of it; code between backticks */
/** @typedef {{steps: Step[], line: number, before: string, after: string|null, text: string|null, moved: number}} Change
 *   `text`: the whole program with the change, null where the change is known by its fields only; `moved`: lines put in before the call */

/** Values that a context of the same name sets; the name is the state's without `jax_`. */
const CONTEXTS = new Set(["jax_default_matmul_precision", "jax_enable_x64", "jax_numpy_dtype_promotion", "jax_numpy_rank_promotion", "jax_debug_nans", "jax_debug_infs", "jax_threefry_partitionable", "jax_default_prng_impl"]);
const WRITES = { f16: "float16", f32: "float32", f64: "float64", bf16: "bfloat16", i8: "int8", i16: "int16", i32: "int32", i64: "int64", u8: "uint8", u16: "uint16", u32: "uint32", u64: "uint64", bool: "bool_", c64: "complex64", c128: "complex128" };

/** The question a call asked of the fast path, if its key is whole. @param {Call|undefined} call @returns {Lookup|null} */
export function asked(call) {
  const lookup = call?.main?.lookups.find(({ station, fun }) => station === "fast_path" && fun === call.main?.fun);
  return lookup?.key.some(([name]) => name === "committed") ? lookup : null;
}

/** @param {Call} goal the call whose key is wanted @param {Call} call the one to change @param {string} text the program @returns {Change|null} null: the keys are equal */
export function shortestChange(goal, call, text) {
  const want = asked(goal), have = asked(call);
  if (!want || !have || !call.main) return null;
  const a = new Map(want.key), b = new Map(have.key), names = [...new Set([...a.keys(), ...b.keys()])].filter((name) => (a.get(name) ?? "default") !== (b.get(name) ?? "default"));
  const wrapper = Boolean(infoOf(goal) && infoOf(call)) && infoOf(goal) !== infoOf(call);
  if (!names.length && !wrapper) return null;
  const statement = statementAt(text, call.line ?? 0), source = readCall(statement.text), model = readCall(statementAt(text, goal.line ?? 0).text);
  const edit = { source, model: goal.line === call.line ? null : model, parameters: parametersOf(text, call.main.fun), leaves: leavesOf(call), failed: !source || !calls(source.callee, call.main.fun, text), context: "", hoist: false };
  /** @type {Step[]} */ const steps = [];
  const differs = (/** @type {string} */ name) => names.includes(name);
  const value = (/** @type {Map<string, string>} */ key, /** @type {string} */ name) => key.get(name) ?? "default";
  if (differs("function") || wrapper) {
    steps.push({ name: "function", say: `call the same function object: make ${call.main.fun === "<lambda>" ? "the lambda" : `\`${call.main.fun}\``} once, before, and keep what \`jax.jit\` returns` });
    edit.hoist = true;
  }
  const trees = differs("treedefs") || differs("arg names") || differs("static names");
  if (trees) steps.push(shapeOfCall(edit, value(a, "treedefs"), value(b, "treedefs"), differs("treedefs")));
  else {
    if (differs("static args")) steps.push(...statics(edit, value(a, "static args"), value(b, "static args")));
    steps.push(...leafSteps(edit, a, b));
  }
  for (const name of names) {
    if (/^(function|treedefs|arg names|static names|static args|avals|shardings|layouts|committed)$/.test(name)) continue;
    steps.push(setting(edit, name, value(a, name), value(b, name)));
  }
  return { steps, line: call.line ?? 0, ...written(edit, statement, text, call) };
}

/** In how many fields two calls differ on the fast path; each argument counts. @param {Call} goal @param {Call} call */
export function distance(goal, call) {
  const a = new Map(asked(goal)?.key), b = new Map(asked(call)?.key);
  return [...new Set([...a.keys(), ...b.keys()])].reduce((sum, name) => sum + (a.get(name) === b.get(name) ? 0 : changedParts(a.get(name) ?? "", b.get(name) ?? "")?.length ?? 9), 0);
}

/** Whether what stands before the arguments is the jitted function, and not a function that calls it.
 * @param {string} callee @param {string} fun @param {string} text */
const calls = (callee, fun, text) => callee === fun || /[(]/.test(callee) || !new RegExp(`def ${callee.split(".").at(-1)}\\(`).test(text) || callee.split(".").at(-1) === fun;

/** Which jit wrapper was called, where params was asked. @param {Call} call */
const infoOf = (call) => call.main?.lookups.find(({ station }) => station === "params")?.key.find(([name]) => name === "PjitInfo")?.[1] ?? "";

/** Names of the argument leaves; the trace of the function says them. @param {Call} call */
const leavesOf = (call) => namesIn(call.main?.lookups.find(({ station }) => station === "trace")?.key.find(([name]) => name === "debug info")?.[1]);

/** @typedef {{source: ReturnType<typeof readCall>, model: ReturnType<typeof readCall>, parameters: string[], leaves: string[], failed: boolean, context: string, hoist: boolean}} Edit */

/** Other arguments, or spelled otherwise: the call is written as the other one is. @param {Edit} edit @param {string} want @param {string} have @param {boolean} trees @returns {Step} */
function shapeOfCall(edit, want, have, trees) {
  const { source, model, parameters } = edit, shift = parameters[0] === "self" ? 1 : 0;
  const name = trees ? "treedefs" : "arg names";
  const say = trees ? `pass arguments of the structure \`${sayTree(want)}\` instead of \`${sayTree(have)}\`` : "pass the same arguments by name, and the same by position";
  if (!source || !model) {
    edit.failed = true;
    return { name, say };
  }
  const nameOf = (/** @type {number} */ i, /** @type {{name: string}} */ arg) => arg.name || parameters[i + shift] || `#${i}`;
  const mine = new Map(source.args.map((arg, i) => [nameOf(i, arg), arg.text]));
  source.args = model.args.map((arg, i) => ({ name: arg.name, text: mine.get(nameOf(i, arg)) ?? arg.text }));
  const other = trees && source.args.length === mine.size ? changedParts(want, have) ?? [] : [];
  for (const { index } of other) if (!source.args[index]?.name && model.args[index]) source.args[index] = { ...model.args[index] };
  const left = [...mine.keys()].filter((one) => !model.args.some((arg, i) => nameOf(i, arg) === one));
  return { name, say: `${say}${left.length ? `: leave out ${left.map((one) => `\`${one}\``).join(", ")}` : ""}` };
}

/** @param {Edit} edit @param {string} want @param {string} have @returns {Step[]} */
function statics(edit, want, have) {
  const { source, model } = edit, parts = changedParts(want, have, "[");
  const say = parts?.length ? parts.map(({ now, before }) => `pass the static value \`${now}\` instead of \`${before}\``).join(", ") : `pass the static values \`${want}\` instead of \`${have}\``;
  if (source && model && source.args.length === model.args.length) {
    // Which of the arguments are static the key does not say: those that are written otherwise and are no array.
    source.args = source.args.map((arg, i) => (model.args[i].name === arg.name && model.args[i].text !== arg.text && parts?.some(({ now }) => model.args[i].text.includes(now.replace(/ #\d+$/, "").split(/[ (]/)[0]) || /^[\w.]+$/.test(model.args[i].text)) ? model.args[i] : arg));
    if (model.callee !== source.callee && /^\w+$/.test(model.callee) && /^\w+$/.test(source.callee)) source.callee = model.callee; // a static self
  } else edit.failed = true;
  return [{ name: "static args", say }];
}

/** @param {Edit} edit @param {Map<string, string>} a @param {Map<string, string>} b @returns {Step[]} */
function leafSteps(edit, a, b) {
  const read = (/** @type {Map<string, string>} */ key) => ({ avals: partsOf(key.get("avals") ?? ""), at: partsOf(key.get("shardings") ?? ""), committed: partsOf((key.get("committed") ?? "").toLowerCase()) });
  const want = read(a), have = read(b);
  return want.avals.flatMap((aval, i) => {
    if (aval === have.avals[i] && want.at[i] === have.at[i] && want.committed[i] === have.committed[i]) return [];
    return [leafStep(edit, i, { aval, at: want.at[i], committed: want.committed[i] === "true" }, { aval: have.avals[i], at: have.at[i], committed: have.committed[i] === "true" })];
  });
}

/** @typedef {{aval: string, at: string, committed: boolean}} Leaf */

/** @param {Edit} edit @param {number} index @param {Leaf} want @param {Leaf} have @returns {Step} */
function leafStep(edit, index, want, have) {
  const name = edit.leaves[index] ?? edit.parameters[index] ?? "", arg = argumentOf(edit, name, index);
  const nowhere = (/** @type {Leaf} */ leaf) => /^none$/i.test(leaf.at);
  const parts = [];
  if (want.aval !== have.aval) parts.push(`as \`${sayAval(want.aval)}\` instead of \`${sayAval(have.aval)}\``);
  if (nowhere(want) !== nowhere(have)) parts.push(nowhere(want) ? "as a NumPy array or Python number instead of a jax.Array" : "as a jax.Array instead of a NumPy array or Python number");
  else if (want.at !== have.at) parts.push(`placed as \`${want.at}\` instead of \`${have.at}\``);
  if (want.committed !== have.committed) parts.push(want.committed ? "committed to its device" : "not committed to a device");
  const made = arg && makeLike(arg.text, want, have, nowhere);
  if (arg && made) arg.text = made;
  else edit.failed = true;
  return { name: want.aval !== have.aval ? "avals" : want.at !== have.at ? "shardings" : "committed", say: `pass ${name ? `\`${name}\`` : `argument ${index + 1}`} ${parts.join(", ")}` };
}

/** The argument that a leaf is, if it is a whole one. @param {Edit} edit @param {string} leaf @param {number} index */
function argumentOf({ source, parameters, leaves }, leaf, index) {
  if (!source || !/^\w*$/.test(leaf)) return undefined;
  const named = source.args.find(({ name }) => name && name === leaf), shift = parameters[0] === "self" ? 1 : 0;
  const place = parameters.indexOf(leaf) - shift, plain = source.args.filter(({ name }) => !name);
  if (named) return named;
  if (leaf && place >= 0) return plain[place];
  return leaves.length === source.args.length || source.args.length === 1 ? plain[index] : undefined;
}

/** Source text that turns a value into one of the wanted kind, or "". @param {string} text @param {Leaf} want @param {Leaf} have @param {(leaf: Leaf) => boolean} nowhere */
function makeLike(text, want, have, nowhere) {
  const a = avalOf(want.aval), b = avalOf(have.aval), dtype = a && WRITES[/** @type {"f32"} */ (a.dtype)];
  if (!a || !b || !dtype || (!nowhere(want) && !/^SingleDevice/.test(want.at))) return "";
  const lib = nowhere(want) ? "np" : "jnp", sized = resized(text, a.shape, b.shape, lib);
  if (!sized) return "";
  if (a.weak) {
    const scalar = { f: "float", i: "int", b: "bool", c: "complex" }[a.dtype[0]];
    return a.shape === "" && nowhere(want) && scalar ? `${scalar}(${sized})` : "";
  }
  const array = a.dtype === b.dtype && a.weak === b.weak && nowhere(want) === nowhere(have) && want.committed === have.committed ? sized : `${lib}.asarray(${sized}, ${lib}.${dtype})`;
  const device = /cpu:(\d+)/.exec(want.at)?.[1] ?? "0";
  if (want.committed) return `jax.device_put(${array}, jax.devices()[${device}])`;
  return have.committed ? `jnp.asarray(np.asarray(${sized}), jnp.${dtype})` : array;
}

/** Padded or cut to another shape of as many axes, or "". @param {string} text @param {string} want @param {string} have @param {string} lib */
function resized(text, want, have, lib) {
  if (want === have) return text;
  const a = want.split(",").map(Number), b = have.split(",").map(Number);
  if (a.length !== b.length || [...a, ...b].some(Number.isNaN) || want === "" || have === "") return "";
  const cut = a.some((n, i) => n < b[i]) ? `[${a.map((n, i) => (n < b[i] ? `:${n}` : ":")).join(", ")}]` : "";
  const grow = a.some((n, i) => n > b[i]) ? a.map((n, i) => `(0, ${Math.max(0, n - b[i])})`).join(", ") : "";
  const base = cut ? `${/^[\w.]+(\(.*\))?$/.test(text) ? text : `(${text})`}${cut}` : text;
  return grow ? `${lib}.pad(${base}, ${a.length > 1 ? `(${grow})` : grow})` : base;
}

/** @param {Edit} edit @param {string} name @param {string} want @param {string} have @returns {Step} */
function setting(edit, name, want, have) {
  if (/^(donat|in_sh|out_sh|compiler_o|device$|backend)/.test(name)) {
    edit.failed = true;
    return { name, say: `call the wrapper that was made with \`${name}\` = \`${want}\` instead of \`${have}\`` };
  }
  const state = name.replace(/^jax_/, "");
  if (!CONTEXTS.has(name) || edit.context) edit.failed = true;
  else edit.context = `with jax.${state}(${want === "default" ? defaultOf(have) : /^(True|False|None|-?[\d.]+)$/.test(want) ? want : JSON.stringify(want)}): `;
  return { name, say: want === "default" ? `make the call where \`${name}\` is not set (it is \`${have}\` here)` : `make the call under \`${name}\` = \`${want}\` instead of \`${have}\`` };
}

/** What a state off its default goes back to. @param {string} have */
const defaultOf = (have) => ({ True: "False", False: "True", strict: '"standard"', raise: '"allow"', warn: '"allow"' }[have] ?? "None");

/** @param {Edit} edit @param {{text: string, last: number}} statement @param {string} text @param {Call} call @returns {{before: string, after: string|null, text: string|null, moved: number}} */
function written(edit, { text: statement, last }, text, call) {
  const { source, context, hoist } = edit, nothing = { before: statement.trim(), after: null, text: null, moved: 0 };
  if (edit.failed || !source || !call.line) return nothing;
  const lines = text.split("\n"), indent = /^\s*/.exec(statement)?.[0] ?? "";
  let put = null;
  if (hoist) {
    if (!/\(/.test(source.callee)) return nothing;
    put = `made_once = ${source.callee}`;
    source.callee = "made_once";
  }
  const now = writeCall(source).slice(indent.length), changed = context && /^(?:return|call\()/.test(now) ? null : `${indent}${context}${now}`;
  if (changed === null || (changed === statement && !put)) return nothing;
  lines.splice(call.line - 1, last - call.line + 1, changed);
  if (put) {
    let top = call.line - 1;
    while (top > 0 && (/^\s/.test(lines[top]) || lines[top] === "")) top -= 1;
    while (top > 0 && lines[top - 1].startsWith("@")) top -= 1;
    lines.splice(top, 0, put);
  }
  return { before: statement.trim(), after: put ? `${put}\n${changed.trim()}` : changed.trim(), text: withImports(lines.join("\n"), text), moved: put ? put.split("\n").length : 0 };
}

/** Names that a change uses and the program has not. @param {string} changed @param {string} text */
function withImports(changed, text) {
  const need = [[/\bnp\./, /\bas np\b/, "import numpy as np"], [/\bjnp\./, /\bas jnp\b|\bimport jnp\b/, "import jax.numpy as jnp"], [/\bjax\./, /^\s*import jax\b/m, "import jax"]];
  const missing = need.filter(([uses, has]) => /** @type {RegExp} */ (uses).test(changed) && !/** @type {RegExp} */ (has).test(text)).map(([, , line]) => line);
  // On the first line of code, so that no line moves.
  return missing.length ? changed.replace(/^(?!#|\s*$|from __future__)/m, `${missing.join("; ")}; `) : changed;
}
