// What leaves the figure as text: a permalink (readable data, never Python), a program for real JAX,
// and an iframe.

import { sentence } from "./sentence.js";

/** Longest history that a link may ask for (the lab's own limit is the same). */
export const LONGEST = 200;

/** An action is a word, perhaps with a choice: `numpy`, `shape:4x2`, `static:2.0`. */
const ACTION = /^[a-z]\w*(:[\w.]+)?$/i;

/**
 * Read `?v=1&do=call,numpy,call&at=2`. What cannot be read is left out and named.
 * @param {string} search @param {import("./types.js").Kind[]} kinds the known actions; empty when not known
 * @returns {{actions: string[], at: number|null, problems: string[]}}
 */
export function readLink(search, kinds) {
  const query = new URLSearchParams(search), problems = /** @type {string[]} */ ([]);
  if (!query.has("do")) return { actions: [], at: null, problems };
  const version = query.get("v");
  if (version !== "1") problems.push(version === null ? "the link names no version and is read as version 1" : `the link has version "${version.slice(0, 12)}" and is read as version 1`);
  const choices = new Map(kinds.map((kind) => [kind.id, kind.choices.map(({ id }) => id)]));
  const known = (/** @type {string} */ action) => {
    const [name, choice] = action.split(":");
    return !kinds.length || (choices.has(name) && (choice === undefined || choices.get(name)?.includes(choice)));
  };
  const all = query.getAll("do").join(",").split(",").map((part) => part.trim()).filter(Boolean);
  let actions = all.filter((action) => ACTION.test(action) && known(action));
  const bad = [...new Set(all.filter((action) => !actions.includes(action)))];
  if (bad.length) problems.push(`not known and left out: ${bad.slice(0, 4).map((action) => `"${action.slice(0, 24)}"`).join(", ")}${bad.length > 4 ? ` and ${bad.length - 4} more` : ""}`);
  if (actions.length > LONGEST) {
    problems.push(`of ${actions.length} actions the first ${LONGEST} were taken`);
    actions = actions.slice(0, LONGEST);
  }
  const at = query.get("at"), number = Number(at), fine = at !== null && /^\d{1,4}$/.test(at);
  if (at !== null && !fine) problems.push(`"at=${at.slice(0, 12)}" is not a call`);
  return { actions, at: fine ? number : null, problems };
}

/** @param {string} base @param {string[]} actions @param {number|null} at */
export function writeLink(base, actions, at) {
  const url = new URL(base, document.baseURI);
  url.search = "";
  url.hash = "";
  const parts = ["v=1"];
  if (actions.length) parts.push(`do=${actions.map((action) => encodeURIComponent(action).replace(/%3A/g, ":")).join(",")}`);
  if (at !== null) parts.push(`at=${at}`);
  return `${url.href}?${parts.join("&")}`;
}

/**
 * The program as it runs on real JAX: environment first, the two marks as plain functions, and at
 * the end what to expect.
 * @param {import("./types.js").Recording} recording @param {import("./types.js").Call[]} calls @param {number} upto
 */
export function asPython(recording, calls, upto) {
  const text = recording.program.text.replace(/\s+$/, "");
  const tail = ["", "# What to expect:", ...calls.slice(0, upto).map((call) => `#   ${call.label}: ${sentence(call)}`), ""];
  return [...environment(recording), ...LOUD, "", ...MARKS, "", text, ...tail].join("\n");
}

/** JAX tells what it compiles, and why it traces. */
export const LOUD = ['jax.config.update("jax_log_compiles", True)', 'jax.config.update("jax_explain_cache_misses", True)'];

/** The two marks as plain functions. */
export const MARKS = [
  "def call(label, thunk):",
  '    print(f"== {label}")',
  "    try:",
  "        return thunk()",
  "    except Exception as error:",
  '        print(f"   raised {type(error).__name__}: {error}")',
  "",
  "def note(label, value):",
  '    print(f"-- {label}: {value!r}")',
];

/** The lines that give a program the environment it was recorded in, and import JAX. @param {import("./types.js").Recording} recording */
export function environment(recording) {
  const { text, processes, name } = recording.program;
  const env = [...text.matchAll(/^#\s*env:\s*(\w+)=(.*)$/gm)].map(([, key, value]) => [key, value.trim()]);
  if (recording.devices > 1 && !env.some(([key]) => key === "XLA_FLAGS")) env.push(["XLA_FLAGS", `--xla_force_host_platform_device_count=${recording.devices}`]);
  if (!env.some(([key]) => key === "JAX_PLATFORMS")) env.push(["JAX_PLATFORMS", "cpu"]);
  if (text.includes("CASE_PROCESS")) env.push(["CASE_PROCESS", "0"]);
  const quote = (/** @type {string} */ s) => JSON.stringify(s);
  return [
    `# ${name}, for JAX ${recording.jax}.`,
    ...(processes > 1 ? [`# Run it ${processes} times with the same CASE_TMP, and with CASE_PROCESS=0, 1, …`] : []),
    "import os",
    ...env.map(([key, value]) => `os.environ.setdefault(${quote(key)}, ${quote(value)})`),
    ...(text.includes("CASE_TMP") ? ['os.environ.setdefault("CASE_TMP", os.path.expanduser("~/.cache/six-caches"))'] : []),
    "import jax",
  ];
}

/** @param {string} src @param {string} title */
export function iframe(src, title) {
  const safe = (/** @type {string} */ s) => s.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  return `<iframe src="${safe(src)}" title="${safe(title)}" width="100%" height="1000" sandbox="allow-scripts" loading="lazy"></iframe>`;
}
