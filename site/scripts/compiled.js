// Calls of compiled objects: each object has a fast path of its own, apart from the list of all functions.

/** @typedef {import("./types.js").Fall} Fall */

/** The fields that say where an argument lies. */
const PLACED = ["shardings", "layouts", "committed"];

/**
 * Whether a compiled object is called: it asks its own fast path, and no cache of a function. Its
 * function has no number: it is no object that a key could hold.
 * @param {Fall} fall
 */
export function isCompiled({ lookups: [look, more] }) {
  return look?.station === "fast_path" && !more && !(new Map(look.key).get("function") ?? "#").includes("#");
}

/**
 * A compiled object has a fast path of its own: what lies in the other is no key to compare with. An
 * object takes one kind of arguments, so a call of it that ran and differs from an earlier one in
 * more than their place is of another object.
 * @param {Fall} fall @param {Set<string>} theirs @param {boolean} raised
 */
export function keepApart(fall, theirs, raised) {
  const [look] = fall.lookups;
  if (look?.station !== "fast_path" || look.outcome !== "miss") return;
  const { closest } = look, own = isCompiled(fall);
  if (own) theirs.add(JSON.stringify(look.key));
  if (!closest) return;
  const placed = raised || (closest.differs.length > 0 && closest.differs.every((name) => PLACED.includes(name)));
  if (theirs.has(JSON.stringify(closest.key)) === own && (!own || placed)) return;
  const alone = { ...look, closest: null };
  fall.lookups[0] = alone;
  fall.events[fall.events.indexOf(look)] = alone;
}
