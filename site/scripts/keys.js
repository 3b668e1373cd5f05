// Key fields in four groups, the same on every floor, so that columns line up down the building.

import { unseen } from "./verdicts.js";

/** @typedef {import("./types.js").Field} Field */

const EXACT = new Map(Object.entries({
  function: 0, PjitInfo: 0, jaxpr: 0, module: 0, primitive: 0, name: 0, module_name: 0, "debug info": 0, "file name": 0,
  keep_unused: 0, inline: 0, donated: 0, donate_argnums: 0, donate_argnames: 0,
  device: 2, backend: 2, committed: 2, platform: 2, topology: 2,
  compiler_options: 3, compile_options: 3, jaxlib: 3, xla_flags: 3, compression: 3, custom_hook: 3,
  params: 1, signature: 1, tree: 1, avals: 1, names: 1,
}));

/** 0 function, 1 arguments, 2 placement, 3 configuration. @param {string} name */
export function groupOf(name) {
  const known = EXACT.get(name);
  if (known !== undefined) return known;
  if (/context|^jax_|^check_|^eager_|trace_state/.test(name)) return 3;
  if (/shard|layout|device|mesh|commit|platform/.test(name)) return 2;
  if (/tree|aval|arg|static|signature/.test(name)) return 1;
  return /option|flag|config/.test(name) ? 3 : 0;
}

/** The field that stands for its group when there is room for one, best first. */
const FIRST = [
  ["function", "primitive", "module_name", "jaxpr", "module"],
  ["avals", "in_avals", "params", "signature"],
  ["shardings", "in_shardings", "devices", "topology", "ctx mesh"],
  ["xla_flags", "compiler_options", "compile_options"],
];

/** Fields of a configuration group that are always there; the rest are states off their default. */
const PLAIN = new Set(["compiler_options", "compile_options", "jaxlib", "xla_flags", "compression", "custom_hook"]);

/**
 * One cell per group: what this key holds there and how it compares.
 * @param {import("./types.js").Lookup} lookup
 * @returns {{state: "absent"|"equal"|"differs"|"alone", text: string}[]} text: the chief value, or the name of the first field that differs
 */
export function cells(lookup) {
  const closest = unseen(lookup) ? null : lookup.closest;
  const differs = new Set(closest?.differs ?? []), before = new Map(closest?.key ?? []);
  // A field that only the stored key has still differs: show it in its group.
  const now = new Map(lookup.key);
  const all = [...lookup.key, ...[...before].filter(([name]) => !now.has(name))];
  const alone = lookup.outcome !== "hit" && !closest;
  return FIRST.map((first, group) => {
    const fields = /** @type {Field[]} */ (all.filter(([name]) => groupOf(name) === group));
    const off = fields.find(([name]) => differs.has(name));
    if (off) return { state: "differs", text: off[0] };
    const state = alone ? "alone" : "equal";
    if (group === 3 && lookup.station !== "disk") {
      const states = fields.filter(([name]) => !PLAIN.has(name));
      return { state, text: states.length ? states.map(([name, text]) => `${name} ${text}`).join(", ") : "defaults" };
    }
    if (!fields.length) return { state: "absent", text: "" };
    const chief = first.map((name) => fields.find(([field]) => field === name)).find(Boolean) ?? fields[0];
    return { state, text: chief[1] };
  });
}
