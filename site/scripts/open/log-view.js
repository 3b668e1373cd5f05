// A log, read: by function, the dearest first; then what a log cannot show.

import { fill, h } from "../dom.js";
import { FIXES } from "../fixes.js";
import { money } from "../cost.js";

/** @typedef {import("./log.js").Log} Log */
/** @typedef {import("./log.js").Group} Group */

/** Lines of one function that are listed, and functions that are opened at first. */
const LINES = 200, OPEN = 3;
const count = (/** @type {number} */ n) => n.toLocaleString("en");
const SAID = /** @type {[string, string][]} */ ([["why", "explained misses"], ["traced", "traced"], ["lowered", "lowered"], ["compiled", "compiled or loaded"], ["disk-hit", "found on disk"], ["disk-miss", "not on disk"], ["disk-write", "written to disk"], ["disk-skip", "not written"], ["disk-error", "disk errors"]]);
const UNKNOWN = { title: "Not said", fix: "Record the run instead, or set JAX_EXPLAIN_CACHE_MISSES=1; then the reason is known.", at: "procedure/" };
const SURE = { explained: "", guessed: "By the types of the two compiles; the log does not say it itself." };

export class LogView {
  /** @param {string} root */
  constructor(root) {
    this.root = root;
    this.el = h("div", { class: "log-read" });
  }

  /** @param {Log} log @param {string[]} notes */
  render(log, notes) {
    const { groups, loose, total, known, prefix } = log, cost = (/** @type {Group} */ group) => Object.values(group.seconds).reduce((sum, s) => sum + s, 0);
    const sorted = [...groups].sort((a, b) => cost(b) - cost(a) || (b.counts.compiled ?? 0) - (a.counts.compiled ?? 0) || b.lines.length - a.lines.length);
    fill(this.el, h("div", { class: "run-head" }, h("h2", { text: "The log" }),
      h("p", { class: "run-sum" }, h("b", { text: count(known) }), ` of ${count(total)} ${total === 1 ? "line is" : "lines are"} JAX's${total > known ? "; the others are your program's own output" : ""}. They tell of `, h("b", { text: count(groups.length) }), ` ${groups.length === 1 ? "function" : "functions"}.`),
      prefix && h("p", { class: "run-facts" }, "What something else wrote before each line was left out, such as ", h("code", { text: prefix.trim() }), "."),
      notes.map((text) => h("p", { class: "run-facts", text }))),
    known === 0 && h("p", { class: "log-none", text: "No line here is one of JAX's about its caches. Run the program with JAX_EXPLAIN_CACHE_MISSES=1 JAX_LOG_COMPILES=1 and paste what it prints." }),
    h("ol", { class: "log-groups" }, sorted.slice(0, 400).map((group, i) => h("li", {}, this.#group(group, cost(group), i < OPEN)))),
    sorted.length > 400 && h("p", { text: `And ${count(sorted.length - 400)} more functions.` }),
    loose.length > 0 && h("details", { class: "log-loose" }, h("summary", { text: `${count(loose.length)} other ${loose.length === 1 ? "line" : "lines"} by JAX` }), lines(loose, "no function")),
    this.#limits(log));
  }

  /** @param {Group} group @param {number} seconds @param {boolean} open */
  #group(group, seconds, open) {
    const { counts, causes, fun, where } = group, tells = SAID.filter(([what]) => counts[what]).map(([what, said]) => `${said} ${count(counts[what])}×${group.seconds[what] ? ` in ${money(group.seconds[what] * 1e6)}` : ""}`);
    return h("details", { class: "log-group", open }, h("summary", {}, h("code", { text: fun === "<lambda>" ? "a lambda" : fun }), " ", seconds > 0 && h("b", { text: money(seconds * 1e6) }), " ", h("span", { class: "log-tells", text: tells.join(" · ") })),
      where && h("p", { class: "run-facts" }, h("code", { text: where })),
      h("ul", { class: "log-causes" }, merged(causes).map(({ cause, times }) => this.#cause(cause, times))), lines(group.lines, fun));
  }

  /** @param {import("./log.js").LogCause} cause @param {number} times */
  #cause({ kind, now, before, name, sure }, times) {
    const { title, fix, at } = /** @type {Record<string, {title: string, fix: string, at: string}>} */ (FIXES)[kind] ?? UNKNOWN;
    return h("li", { class: kind === "first" ? "is-once" : "is-again" }, h("b", { text: `${title}${times > 1 ? ` ×${count(times)}` : ""}` }), " ",
      (now || before) && h("span", { class: "log-field" }, name && h("code", { text: name }), name && ": ", "now ", h("code", { text: now || "nothing" }), ", before ", h("code", { text: before || "nothing" }), ". "),
      !sure && h("span", { text: `${SURE.guessed} ` }), fix && h("span", {}, h("b", { text: "Usually right: " }), fix, " "), at && h("a", { href: this.root + at, text: "Why" }, h("span", { class: "sr", text: `: ${title}` })));
  }

  /** @param {Log} log */
  #limits({ seen }) {
    const texts = ["Calls that a cache answered leave no line: hits of the fast path, and calls that Python answered from a cache, are not in a log.",
      "Which of the six caches was asked, with which key, is not in a log, except for the tracing cache.",
      !seen.has("why") && "Why the tracing cache missed: for that, set JAX_EXPLAIN_CACHE_MISSES=1.",
      !seen.has("compiled") && "How often XLA compiled, and how long it took: for that, set JAX_LOG_COMPILES=1.",
      ![...seen].some((what) => what.startsWith("disk")) && "Anything about the persistent cache: it is off, or JAX_LOG_COMPILES is."].filter(Boolean);
    return h("section", { class: "log-limits" }, h("h2", { text: "What this log cannot show" }), h("ul", {}, texts.map((text) => h("li", { text: String(text) }))),
      h("p", {}, "A recording shows all of it: ", h("a", { href: "#record", text: "how to make one" }), "."));
  }
}

/** Equal causes once, with their number. @param {import("./log.js").LogCause[]} causes */
function merged(causes) {
  /** @type {Map<string, {cause: import("./log.js").LogCause, times: number}>} */ const found = new Map();
  for (const cause of causes) {
    const key = [cause.kind, cause.name, cause.kind === "shape" ? "" : cause.now, cause.kind === "shape" ? "" : cause.before].join("\n"), known = found.get(key);
    if (known) known.times += 1;
    else found.set(key, { cause, times: 1 });
  }
  return [...found.values()].sort((a, b) => b.times - a.times).slice(0, 30);
}

/** @param {import("./log.js").Line[]} all @param {string} fun what they are about */
function lines(all, fun) {
  return h("div", { class: "log-lines", role: "region", tabindex: "0", "aria-label": `Lines about ${fun}` }, h("ol", {}, all.slice(0, LINES).map(({ at, text, what, say }) => h("li", { class: `log-${what}` },
    h("span", { class: "log-at", text: at }), h("code", { text: text.length > 400 ? `${text.slice(0, 400)}…` : text }), h("span", { class: "log-say", text: say })))),
  all.length > LINES && h("p", { class: "run-facts", text: `And ${count(all.length - LINES)} more lines.` }));
}
