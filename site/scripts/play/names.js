// Completion of the names that the model's own jax and numpy have: `jnp.`, `jax.lax.`, and whatever a
// program calls them. The list is made at build time from the model (site/make/playground.py).

/** @typedef {Record<string, [string, string, string][]>} Names by module: name, kind, signature */

/** What people call the modules, until the program says otherwise. */
const USUAL = { jax: "jax", jnp: "jax.numpy", lax: "jax.lax", np: "numpy", numpy: "numpy", random: "jax.random" };

/** @param {string} address of the list @returns {import("@codemirror/autocomplete").CompletionSource} */
export function jaxNames(address) {
  /** @type {Promise<Names>|null} */ let loaded = null;
  const load = () => (loaded ??= fetch(address).then((answer) => answer.json()).catch(() => { loaded = null; return {}; }));
  return async (context) => {
    const before = context.matchBefore(/[A-Za-z_][\w.]*\.\w*/);
    if (!before) return null;
    const names = await load(), path = before.text.split("."), typed = path.pop() ?? "";
    const aliases = aliasesOf(context.state.doc.toString()), [head, ...rest] = path;
    const module = [aliases[head] ?? "", ...rest].join(".");
    const listed = names[module];
    if (!listed) return null;
    return { from: before.to - typed.length, validFor: /^\w*$/, options: listed.map((/** @type {[string, string, string]} */ [label, type, detail]) => ({ label, type, detail })) };
  };
}

/** Module by the name that a program gives it. @param {string} text @returns {Record<string, string>} */
export function aliasesOf(text) {
  /** @type {Record<string, string>} */ const found = { ...USUAL };
  for (const [, list] of text.matchAll(/^\s*import\s+(.+)$/gm)) {
    for (const part of list.split(",")) {
      const [, module, as] = /^\s*([\w.]+)(?:\s+as\s+(\w+))?/.exec(part) ?? [];
      if (as) found[as] = module;
      else if (module) found[module.split(".")[0]] = module.split(".")[0];
    }
  }
  for (const [, from, list] of text.matchAll(/^\s*from\s+([\w.]+)\s+import\s+([\w ,]+)/gm)) {
    for (const part of list.split(",")) {
      const [, name, as] = /^\s*(\w+)(?:\s+as\s+(\w+))?/.exec(part) ?? [];
      if (name) found[as ?? name] = `${from}.${name}`;
    }
  }
  return found;
}
