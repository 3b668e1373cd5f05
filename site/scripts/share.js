// What leaves the figure as text: a permalink (readable data, never Python), a program for real JAX,
// and an iframe.

import { sentence } from "./sentence.js";

/** Longest history that a link may ask for (the lab's own limit is the same). */
export const LONGEST = 200;

/** An action is a word, perhaps with a choice: `numpy`, `shape:4x2`, `static:2.0`. */
const ACTION = /^[a-z]\w*(:[\w.]+)?$/i;

/** A piece of an address, in a sentence. @param {string} text */
const short = (text, most = 40) => (text.length > most ? `${text.slice(0, most)}…` : text);

/** The figures of this page that an address can speak of, and what an address calls one. */
const addressed = () => [...document.querySelectorAll("jit-stack[permalink]")];
const nameOf = (/** @type {Element} */ host) => host.getAttribute("scenario");

/** @typedef {{actions: string[], at: number|null, problems: string[]}} Link */

/**
 * Read `?v=1&do=call,numpy,call&at=2`, or `?v=1&figure=minimal_hlo&at=2` where a page has several figures.
 * What cannot be read is left out and named. A figure that the address does not speak of reads nothing.
 * @param {HTMLElement} host the figure @param {import("./types.js").Kind[]} kinds the known actions; empty when not known
 * @returns {Link}
 */
export function readLink(host, kinds) {
  const query = new URLSearchParams(location.search), problems = /** @type {string[]} */ ([]), all = addressed(), name = query.get("figure");
  const named = all.find((one) => nameOf(one) === name), takes = host.hasAttribute("do");
  if (!["v", "figure", "do", "at"].some((part) => query.has(part)) || (named ?? all[0]) !== host) return { actions: [], at: null, problems };
  if (name !== null && !named) problems.push(`no figure here is "${short(name)}", and the first is meant`);
  const version = query.get("v");
  if (version !== "1") problems.push(version === null ? "it names no version and is read as version 1" : `it names version "${short(version, 12)}" and is read as version 1`);
  const choices = new Map(kinds.map((kind) => [kind.id, kind.choices.map(({ id }) => id)]));
  const known = (/** @type {string} */ action) => {
    const [name, choice] = action.split(":");
    return !kinds.length || (choices.has(name) && (choice === undefined || choices.get(name)?.includes(choice)));
  };
  const asked = query.getAll("do").join(",").split(",").map((part) => part.trim()).filter(Boolean);
  if (asked.length && !takes) problems.push('"do" was left out: the calls of this figure are fixed, and the lab takes others');
  let actions = asked.filter((action) => takes && ACTION.test(action) && known(action));
  const bad = !takes ? [] : [...new Set(asked.filter((action) => !actions.includes(action)))];
  if (bad.length) problems.push(`not known and left out: ${bad.slice(0, 4).map((action) => `"${short(action)}"`).join(", ")}${bad.length > 4 ? ` and ${bad.length - 4} more` : ""}`);
  if (actions.length > LONGEST) {
    problems.push(`of ${actions.length} actions the first ${LONGEST} were taken`);
    actions = actions.slice(0, LONGEST);
  }
  const at = query.get("at"), number = Number(at), fine = at !== null && /^\d{1,4}$/.test(at);
  if (at !== null && !fine) problems.push(`"at=${short(at, 12)}" is not a call`);
  return { actions, at: fine ? number : null, problems };
}

/** The address of a call of a figure whose calls are fixed. @param {HTMLElement} host @param {number} at */
export const pageLink = (host, at) => writeLink(location.href, [], at, addressed().length > 1 ? nameOf(host) : null);

/** @param {string} base @param {string[]} actions @param {number|null} at @param {string|null} [figure] its name, where a page has several */
export function writeLink(base, actions, at, figure = null) {
  const url = new URL(base, document.baseURI);
  url.search = "";
  url.hash = "";
  const parts = ["v=1"];
  if (figure !== null) parts.push(`figure=${encodeURIComponent(figure)}`);
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
  const own = recording.program.environment ?? {}; // what the program sets before it imports JAX: here JAX is imported first
  const quote = (/** @type {string} */ s) => JSON.stringify(s);
  return [
    `# ${name}, for JAX ${recording.jax}.`,
    ...(processes > 1 ? [`# Run it ${processes} times with the same CASE_TMP, and with CASE_PROCESS=0, 1, …`] : []),
    "import os",
    ...env.filter(([key]) => !Object.hasOwn(own, key)).map(([key, value]) => `os.environ.setdefault(${quote(key)}, ${quote(value)})`),
    ...Object.entries(own).map(([key, value]) => `os.environ[${quote(key)}] = ${quote(value)}`),
    ...(text.includes("CASE_TMP") ? ['os.environ.setdefault("CASE_TMP", os.path.expanduser("~/.cache/six-caches"))'] : []),
    "import jax",
  ];
}

/** @param {string} src @param {string} title @param {boolean} runs it starts the model: for its modules and its worker it has to keep its origin */
export function iframe(src, title, runs) {
  const safe = (/** @type {string} */ s) => s.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  return `<iframe src="${safe(src)}" title="${safe(title)}" width="100%" height="1000" sandbox="allow-scripts${runs ? " allow-same-origin" : ""}" loading="lazy"></iframe>`;
}
