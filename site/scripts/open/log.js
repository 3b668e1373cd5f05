// Reading a log: which lines are JAX's, what each says, which function it is about, and why work was
// done again. The formats come from JAX's own source (simulator/data), the words from log-words.js.

import { DETAILS, LINES } from "./log-words.js";
import { causeOf, sameTypes } from "./log-causes.js";
import { prefixOf } from "./log-prefix.js";

/** @typedef {{format: string, call: string, function: string, file: string}} Format */
/** @typedef {{kind: string, now: string, before: string, name: string, lines: number[], sure: boolean}} LogCause */
/** @typedef {{at: number, text: string, what: string, fun: string, say: string}} Line `at`: number in the log, from 1 */
/** @typedef {{fun: string, counts: Record<string, number>, seconds: Record<string, number>, causes: LogCause[], lines: Line[], types: string, where: string}} Group */
/** @typedef {{lines: Line[], fun: string, where: string, steps: Set<string>, facts: import("./log-causes.js").Fact[], begun: string, rest: number}} Block
 *   an explanation that is being read; `begun`: a line that goes on in the next one, `rest`: how many more it may take */
/** @typedef {{groups: Group[], loose: Line[], total: number, known: number, seen: Set<string>, prefix: string}} Log
 *   `loose`: JAX's lines about no function; `prefix`: what stands before the first of all lines, and was left out */

const BLANK = /%[-+ 0-9.]*[a-z]|\{[^{}]*\}/g;
/** No line of JAX's is longer than this where it matters; what follows is not looked at. */
const LONGEST = 20_000;
/** Lines that one value may take. */
const LONG = 300;
const PATH = /\* at input path /;
const escape = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The text of a format before its first blank. @param {string} format */
export const opening = (format) => format.slice(0, format.search(BLANK) < 0 ? undefined : format.search(BLANK));

/** A pattern for a format, up to the blank numbered `last`. @param {string} format @param {number} last @param {number} [time] */
function pattern(format, last, time) {
  let source = "", from = 0, blank = 0;
  for (const found of format.matchAll(BLANK)) {
    blank += 1;
    source += escape(format.slice(from, found.index));
    from = found.index + found[0].length;
    if (blank === time) source += "([\\d.e+-]+|<time>)";
    else {
      const next = escape(format.slice(from).split(BLANK)[0].slice(0, 12));
      source += `(.*?)${next ? "" : "$"}`;
      if (blank === last && next) source += `(?=${next})`;
    }
    if (blank >= last) return new RegExp(source);
  }
  return new RegExp(source + escape(format.slice(from)));
}

/** @param {Format[]} formats @returns {(text: string) => Log} */
export function logReader(formats) {
  const messages = LINES.flatMap(({ of, what, say, fun = 0, time = 0, types = 0, old = false }) => {
    const format = old ? `${of}{f} for pjit in {t} sec` : formats.find((one) => one.format.startsWith(of))?.format;
    return format ? [{ format, start: opening(format), find: pattern(format, Math.max(fun, time, types, 1), time), what, say, fun, time, types }] : [];
  }).sort((a, b) => b.start.length - a.start.length);
  const others = formats.filter(({ format, call }) => call !== "explain" && opening(format).length > 9 && !messages.some((one) => one.format === format));
  const start = new RegExp([...messages.map((one) => one.start), ...others.map(({ format }) => opening(format))].map(escape).join("|"));
  const parts = formats.filter(({ call }) => call === "explain").flatMap(({ format }) => format.split("\n").map((line) => line.trim())).filter(Boolean);
  const details = DETAILS.flatMap(({ of, step, say }) => parts.filter((part) => part.startsWith(of)).slice(0, 1).map((part) => ({ step, say, find: new RegExp(`(?:^|[\\s|])${pattern(part, 99).source}`) })));
  return (text) => new Reader(messages, others, start, details).read(text);
}

class Reader {
  /** @type {Map<string, Group>} */ groups = new Map();
  /** @type {Line[]} */ loose = [];
  /** @type {Block|null} */ block = null;
  /** Explanations that wait for the compile they lead to. @type {Map<string, LogCause>} */ waiting = new Map();
  /** @type {Set<string>} */ seen = new Set();

  /** @param {any[]} messages @param {Format[]} others @param {RegExp} start @param {any[]} details */
  constructor(messages, others, start, details) {
    this.messages = messages;
    this.others = others;
    this.start = start;
    this.details = details;
  }

  /** @param {string} text @returns {Log} */
  read(text) {
    const carried = prefixOf(linesOf(text));
    let total = 0, known = 0, prefix = "";
    for (const raw of linesOf(text)) {
      total += 1;
      const before = carried?.exec(raw)?.[0] ?? "", line = raw.slice(before.length, before.length + LONGEST);
      prefix ||= before;
      if (this.#message(line, total) || this.#detail(line, total)) known += 1;
    }
    this.#close();
    return { groups: [...this.groups.values()], loose: this.loose, total, known, seen: this.seen, prefix };
  }

  /** @param {string} fun */
  #group(fun) {
    const known = this.groups.get(fun);
    if (known) return known;
    /** @type {Group} */ const made = { fun, counts: {}, seconds: {}, causes: [], lines: [], types: "", where: "" };
    this.groups.set(fun, made);
    return made;
  }

  /** @param {string} text @param {number} at */
  #message(text, at) {
    const place = this.start.exec(text)?.index;
    if (place === undefined) return this.#elsewhere(text, at);
    const rest = text.slice(place).trimEnd();
    const message = this.messages.find((one) => rest.startsWith(one.start) && one.find.test(rest));
    if (!message) {
      const other = this.others.find(({ format }) => rest.startsWith(opening(format)));
      if (!other) return false;
      this.#close();
      this.loose.push({ at, text, what: "other", fun: "", say: `JAX says this in ${other.function} (${other.file}); it is not about what a call found.` });
      return true;
    }
    this.#close();
    this.seen.add(message.what);
    const found = /** @type {RegExpExecArray} */ (message.find.exec(rest)), fun = plain(message.fun ? found[message.fun] : "");
    const line = { at, text, what: message.what, fun, say: message.say };
    if (message.what === "why") {
      this.block = { lines: [line], fun: "", where: placeOf(rest), steps: new Set(), facts: [], begun: "", rest: 0 };
      return true;
    }
    if (!fun) this.loose.push(line);
    else this.#count(this.#group(fun), line, message.time ? Number(found[message.time]) : NaN, message.types ? found[message.types] : "");
    return true;
  }

  /** @param {Group} group @param {Line} line @param {number} seconds @param {string} types */
  #count(group, line, seconds, types) {
    const { what } = line;
    group.lines.push(line);
    group.counts[what] = (group.counts[what] ?? 0) + 1;
    if (Number.isFinite(seconds)) group.seconds[what] = (group.seconds[what] ?? 0) + seconds;
    if (what !== "compiling") return;
    const told = this.waiting.get(group.fun);
    this.waiting.delete(group.fun);
    if (!told && group.counts.compiling > 1) group.causes.push({ ...sameTypes(types, group.types), lines: [line.at] });
    else if (!told) group.causes.push({ kind: "first", now: "", before: "", name: "", lines: [line.at], sure: true });
    group.types = types;
  }

  /** A line under an explanation. @param {string} text @param {number} at */
  #detail(text, at) {
    const { block } = this;
    if (!block || !text.trim()) return false;
    if (block.begun) return this.#goesOn(block, text, at);
    for (const { step, say, find } of this.details) {
      const found = find.exec(text);
      if (!found || (step === "name" && block.fun) || (step === "type" && PATH.test(text))) continue;
      block.lines.push({ at, text, what: "detail", fun: "", say });
      if (step) block.steps.add(step);
      if (step === "name") {
        const [, name, where] = /^(?:for )?(.+?)(?: id=\S+)?(?: defined at (\S+))?$/.exec(text.trim()) ?? [];
        block.fun = plain(name ?? "?");
        block.where ||= where ?? "";
      } else if (["path", "type", "context"].includes(step)) block.facts.push({ step, values: found.slice(1) });
      return true;
    }
    if (!/^\s*\* (at )?\S/.test(text)) return false;
    block.begun = text;
    block.rest = LONG;
    block.lines.push({ at, text, what: "detail", fun: "", say: "What differs; the value is so long that it goes on below." });
    return true;
  }

  /** A line of a value that stands on several: they are read as one. @param {Block} block @param {string} text @param {number} at */
  #goesOn(block, text, at) {
    block.begun += ` ${text.trim()}`;
    block.rest -= 1;
    block.lines.push({ at, text, what: "detail", fun: "", say: "(The value above goes on.)" });
    const whole = this.details.find(({ step, find }) => (step === "path" || (["type", "context"].includes(step) && !PATH.test(block.begun))) && find.test(block.begun));
    if (whole) block.facts.push({ step: whole.step, values: /** @type {RegExpExecArray} */ (whole.find.exec(block.begun)).slice(1) });
    if (whole || !block.rest) block.begun = "";
    return true;
  }

  /** Python's warnings, and what else JAX's loggers say. @param {string} text @param {number} at */
  #elsewhere(text, at) {
    const warning = /(?:^|[\s:])[A-Z][A-Za-z]*Warning: /.test(text), logger = /\b(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):(?:[\d-]+ [\d:,]+:)?(jax[\w.]*)(?::\d+)?:/.exec(text);
    if (!warning && !logger) return false;
    this.#close();
    this.loose.push({ at, text, what: warning ? "warning" : "other", fun: "", say: warning ? "A warning, given through Python's warnings; no cache was asked for it."
      : `JAX says this in ${logger?.[1]}; it is not about what a call found.` });
    return true;
  }

  /** The explanation is over. */
  #close() {
    const { block } = this;
    this.block = null;
    if (!block) return;
    const fun = block.fun || "?", group = this.#group(fun), cause = { ...causeOf(block.steps, block.facts), lines: block.lines.map(({ at }) => at) };
    for (const line of block.lines) line.fun = fun;
    group.lines.push(...block.lines);
    group.counts.why = (group.counts.why ?? 0) + 1;
    group.where ||= block.where;
    group.causes.push(cause);
    this.waiting.set(fun, cause);
  }
}

/** The lines of a text, without colours of terminals. @param {string} text */
function* linesOf(text) {
  let from = 0;
  while (from <= text.length) {
    let to = text.indexOf("\n", from);
    if (to < 0) to = text.length;
    // eslint-disable-next-line no-control-regex
    const line = text.slice(from, to).replace(/\r$/, "").replace(/\u001b\[[\d;]*m/g, "");
    if (to < text.length || line) yield line;
    from = to + 1;
  }
}

/** `jit(f)`, `jit_f`, `jit_f-<key>` and `'jit_f'` are f. @param {string} name */
function plain(name) {
  const bare = name.trim().replace(/^['"]|['"]$/g, "").replace(/-(<key>|[0-9a-f]{64}).*$/, "");
  return /^jit\((.*)\)$/.exec(bare)?.[1] ?? bare.replace(/^jit__lambda_?$/, "<lambda>").replace(/^jit_/, "");
}

/** Where the call stands: `file.py:12`. @param {string} text */
const placeOf = (text) => /MISS at (\S+?):?(?: \(|:?$)/.exec(text)?.[1] ?? "";
