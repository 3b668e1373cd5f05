// From what JAX's explanation says to one of the causes that fixes.js knows.

import { changeOf, partsOf } from "../arguments.js";

/** @typedef {{step: string, values: string[]}} Fact a line that begins with a star, and what stands in its blanks */
/** @typedef {{kind: string, now: string, before: string, name: string, sure: boolean}} Found */

const found = (/** @type {string} */ kind, now = "", before = "", name = "", sure = true) => ({ kind, now, before, name, sure });

/** @param {Set<string>} steps what the explanation named @param {Fact[]} facts @returns {Found} */
export function causeOf(steps, facts) {
  if (steps.has("again")) return found("function");
  if (steps.has("new")) return found("first");
  const [fact] = facts;
  if (!fact) return steps.has("unknown") ? found("unexplained") : found("other");
  const [a = "", b = "", c = "", d = ""] = fact.values;
  if (fact.step === "context") return found(/mesh/.test(a) ? "mesh" : /^jax_/.test(a) ? "setting" : "context", b, c, a);
  if (fact.step === "type") return found(typeKind(b, c), shown(b), shown(c), a);
  return found(treeKind(a, b, c, d), b, c, a);
}

/** `f32[4]({Auto: ('d',)})`, `i32[]{weak_type=True}`: what differs. @param {string} now @param {string} before */
function typeKind(now, before) {
  const weak = (/** @type {string} */ text) => /weak_type=True/.test(text);
  const kind = changeOf(bare(now), bare(before));
  if (kind !== "other") return kind;
  return weak(now) !== weak(before) ? "weak" : "other";
}

/** A type as people read it. @param {string} text */
const shown = (text) => `${/weak_type=True/.test(text) ? "weak " : ""}${bare(text)}`;

const bare = (/** @type {string} */ text) => text.replace(/\{weak_type=\w+\}/, "").replace(/https?:\S+$/, "").replace(/\(\{\}\)/, "").trim();

/** @param {string} path @param {string} now @param {string} before @param {string} why */
function treeKind(path, now, before, why) {
  if (/None/.test(now) !== /None/.test(before)) return "none";
  if (/metadata/.test(why)) return "metadata";
  if (/key sets|keys/.test(why) && path === "[1]") return "keywords";
  return path === "[0]" && /length/.test(why) ? "arity" : "tree";
}

/** Two compiles of one name without an explanation: their types are all that is known. @param {string} now @param {string} before @returns {Found} */
export function sameTypes(now, before) {
  if (now === before) return found("unexplained", "", "", "", false);
  const a = list(now), b = list(before);
  if (a.length !== b.length) return found("arity", `${a.length} arrays`, `${b.length} arrays`, "", false);
  const i = a.findIndex((text, k) => text !== b[k]), [x, y] = [short(a[i]), short(b[i])];
  const kind = changeOf(x, y);
  return found(kind === "other" ? "tree" : kind, x, y, `argument ${i + 1}`, false);
}

/** @param {string} text such as `(ShapedArray(float32[4]),)` */
const list = (text) => partsOf(text.trim().replace(/^\[|\]$/g, "")).filter(Boolean);

/** `ShapedArray(float32[4], weak_type=True)` is `float32[4]*`. @param {string} [text] */
function short(text = "") {
  const found = /^ShapedArray\(([^\]]*\])(.*)\)$/.exec(text);
  return found ? `${found[1]}${/weak_type=True/.test(found[2]) ? "*" : ""}` : text;
}
