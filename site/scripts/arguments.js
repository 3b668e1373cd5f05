// Reading the texts of key fields: argument types one by one, and the names of the arguments.
//
// The model writes a weak type as `~f32[]` or `f32[] weak`, a recording of real JAX as `f32[]*`;
// lists stand with or without brackets.

/** @typedef {{text: string, dtype: string, shape: string, mesh: string, weak: boolean}} Aval */

/** The parts of a list, cut at its own commas. @param {string} text @param {string} [opens] what may enclose the list @returns {string[]} */
export function partsOf(text, opens = "[(") {
  const bare = text && opens.includes(text[0]) && closes(text) ? text.slice(1, -1) : text;
  const parts = [];
  let depth = 0, from = 0, quote = "";
  for (let i = 0; i < bare.length; i++) {
    const c = bare[i];
    if (quote) { if (c === quote) quote = ""; }
    else if (c === "'" || c === '"') quote = c;
    else if ("([{<".includes(c)) depth += 1;
    else if (")]}>".includes(c)) depth -= 1;
    else if (depth <= 0 && (c === "," || c === "|")) {
      parts.push(bare.slice(from, i).trim());
      from = i + 1;
    }
  }
  parts.push(bare.slice(from).trim());
  return parts.filter((part, i) => part !== "" || i < parts.length - 1);
}

/** Whether the bracket that a text begins with is closed by its last character. @param {string} text */
function closes(text) {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if ("([".includes(text[i])) depth += 1;
    else if (")]".includes(text[i]) && --depth === 0) return i === text.length - 1;
  }
  return false;
}

/** @param {string} text such as `f32[3,4]` @returns {Aval|null} */
export function avalOf(text) {
  const found = /^(~?)([a-z][\w<>]*)\[(.*?)\](\(.*\))?(\*| weak)?$/.exec(text);
  return found && { text: text.replace(/^~|\*$/g, "").replace(/ weak$/, ""), dtype: found[2], shape: found[3], mesh: found[4] ?? "", weak: Boolean(found[1] || found[5]) };
}

/** An argument type as it is shown: `f32[3]`, `weak f32[]`. @param {string} text */
export function sayAval(text) {
  const aval = avalOf(text);
  return aval ? `${aval.weak ? "weak " : ""}${aval.text}` : text;
}

/** In what two types differ. @param {string} now @param {string} before @returns {"shape"|"dtype"|"weak"|"placement"|"other"} */
export function changeOf(now, before) {
  const a = avalOf(now), b = avalOf(before);
  if (!a || !b) return "other";
  if (sizes(a.shape) !== sizes(b.shape)) return "shape";
  if (a.dtype !== b.dtype) return "dtype";
  if (a.shape !== b.shape || a.mesh !== b.mesh) return "placement";
  return a.weak === b.weak ? "other" : "weak";
}

/** A shape without the axes it is split over. @param {string} shape */
const sizes = (shape) => shape.replace(/@\([^)]*\)|@[^,\]]*/g, "").replace(/\{[^}]*\}/g, "");

/** Names of the leaves, read from a trace key's debug info. @param {string|undefined} info @returns {string[]} */
export function namesIn(info) {
  const list = /\((.*)\)\s*$/.exec(info ?? "")?.[1] ?? "";
  return [...list.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(([, one, two]) => one ?? two);
}

/** The places at which two lists differ; null when they are not equally long. @param {string} now @param {string} before @param {string} [opens] */
export function changedParts(now, before, opens) {
  const a = partsOf(now, opens), b = partsOf(before, opens);
  if (a.length !== b.length) return null;
  return a.map((text, index) => ({ index, now: text, before: b[index] })).filter(({ now: x, before: y }) => x !== y);
}

/** A tree as people write it: `PyTreeDef(((*, *), {'n': *}))` is `(*, *, n=*)`. @param {string} text */
export function sayTree(text) {
  const bare = text.replace(/PyTreeDef\((\*|None|\(|\[|\{|CustomNode)/g, "$1");
  const inner = bare === text ? text : partsOf(text).map((part) => part.replace(/^PyTreeDef\((.*)\)$/, "$1")).join(", ");
  const call = /^\((\(.*\)), (\{.*\})\)$/.exec(inner);
  if (!call) return inner;
  const args = call[1].slice(1, -1).replace(/,$/, ""), words = call[2].slice(1, -1).replace(/'(\w+)': /g, "$1=");
  return `(${[args, words].filter(Boolean).join(", ")})`;
}

/** A key field as a sentence shows it: of a hash its beginning; trees as people write them, one for each argument. site/key_text.py says the same. @param {string} field @param {string} text */
export function sayField(field, text) {
  if (field === "function" && text !== "absent" && !text.includes("#")) return `a program made of the jaxpr of ${text}`;
  if (/^(treedefs|signature)$/.test(field) && /^\[(PyTreeDef\(.*\))?\]$/.test(text)) {
    const trees = text.slice(1, -1).split(/[,|] (?=PyTreeDef\()/).filter(Boolean);
    return `(${trees.map((tree) => tree.slice("PyTreeDef(".length, -1)).join(", ")})`;
  }
  return field === "tree" ? sayTree(text) : text.replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b/g, "$1…");
}
