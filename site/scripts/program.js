// The program with the current line, and beside it what JAX logs and every event in order.

import { fill, h } from "./dom.js";
import { momentsOf } from "./reveal.js";
import { WORDS } from "./words.js";

/** @typedef {import("./types.js").Call} Call */

/** Header comments that tell the end of the story, or only speak to the tools. */
const HIDDEN = /^#\s*(title|kind|about|decisive|expected|happens|source|log|env|processes|lab)\b/;

/**
 * One line as a reader would have written it: `y = call("label", lambda: g(x))` becomes `y = g(x)`.
 * Lines that are not of that one form stay as they are.
 * @param {string} line
 */
export function plain(line) {
  const found = /^(.*?)\bcall\((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'),\s*lambda:\s*/.exec(line);
  if (!found) return line;
  const rest = line.slice(found[0].length);
  let depth = 0;
  for (let i = 0; i < rest.length; i++) {
    if ("([{".includes(rest[i])) depth += 1;
    else if (")]}".includes(rest[i]) && --depth < 0) return found[1] + rest.slice(0, i) + rest.slice(i + 1);
  }
  return line;
}

export class Program {
  /** @param {string} heading of the figure: regions of one page need names of their own */
  constructor(heading) {
    this.code = h("pre", { class: "code", tabindex: "0", "aria-label": `Program: ${heading}`, role: "region" });
    this.changed = h("p", { class: "changed" });
    this.log = h("div", { class: "log", tabindex: "0", role: "region", "aria-label": `Log lines: ${heading}` });
    this.events = h("ol", { class: "events", tabindex: "0", "aria-label": "Events in order" });
    /** @type {any} */ this.drawn = null;
  }

  /**
   * @param {{recording: import("./types.js").Recording, calls: Call[], revealed: number, call: Call|null, whole: boolean, until: number}} view
   * whole: show the lines after the last issued call too; until: show lines up to here, if not 0
   */
  render({ recording, calls, revealed, call, whole, until }) {
    const text = recording.program.text, key = `${whole}:${revealed}:${until}`;
    if (this.drawn?.text !== text || this.drawn.key !== key) {
      const marks = new Map();
      for (const item of calls.slice(0, revealed)) if (item.line) marks.set(item.line, [...(marks.get(item.line) ?? []), item]);
      const lines = text.replace(/\s+$/, "").split("\n");
      const last = until || (whole ? lines.length : Math.max(firstCallLine(calls, revealed) - 1, 0) || lines.length);
      let header = true;
      fill(this.code, lines.slice(0, last).map((line, i) => {
        header = header && (line === "" || line.startsWith("#"));
        if (header && (line === "" || HIDDEN.test(line))) return null;
        const done = marks.get(i + 1);
        const node = h("span", { class: `code-line${done ? " issued" : ""}`, data: { line: i + 1 } },
          h("span", { class: "gutter", "aria-hidden": "true" }, (done ?? []).slice(-3).map((/** @type {Call} */ item) =>
            h("i", { class: "depth", data: { depth: depthOf(item) } }))), plain(line) || " ", "\n");
        node.style.setProperty("--indent", String(/^ */.exec(line)?.[0].length));
        return node;
      }));
      this.drawn = { text, key };
    }
    for (const line of this.code.children) {
      const now = call?.line !== null && line.dataset.line === String(call?.line);
      line.classList.toggle("now", now);
      if (now) line.setAttribute("aria-current", "step"); else line.removeAttribute("aria-current");
    }
  }

  /** Keep the current line in view without moving the page. @param {number} call */
  see(call) {
    const line = /** @type {HTMLElement|null} */ (this.code.querySelector(".now"));
    if (!call) this.code.scrollTop = 0;
    else if (line) centre(this.code, line);
  }

  /** What has happened up to a beat; while the call plays all of it, veiled. @param {Call|null} call @param {import("./types.js").Beat[]} beats @param {number} beat @param {boolean} playing */
  renderLog(call, beats, beat, playing) {
    const moments = call ? momentsOf(call, beats) : [], end = beats.length, over = playing || beat >= end, at = playing ? end : null;
    const known = (call?.events ?? []).map((event, i) => ({ event, at: playing ? moments[i] : null, known: playing || beat >= moments[i] })).filter((item) => item.known);
    const lines = known.filter(({ event }) => event.kind === "log");
    fill(this.log, lines.map(({ event, at }) => {
      const line = /** @type {import("./types.js").Log} */ (event).text;
      const [, where, text] = /^\w+:([\w.]+):\s*([^]*)$/.exec(line) ?? [null, "", line];
      return h("p", { class: "log-line", data: { at } }, h("span", { class: "log-where", text: where.replace("jax._src.", "") }), h("span", { text }));
    }), call && over && call.notes.map(({ label, note }) => h("p", { class: "log-line", data: { at } }, h("span", { class: "log-where", text: "note" }), `${label}: ${typeof note === "string" ? note : JSON.stringify(note)}`)),
    lines.length === 0 && h("p", { class: "log-none", data: { at }, text: !call ? "What JAX logs appears here." : over ? "JAX logs nothing about this call." : "JAX has logged nothing yet." }),
    call && over && call.exception && h("p", { class: "log-line raised", data: { at }, text: call.exception }),
    call && over && call.value && h("p", { class: "log-line value", data: { at } }, h("span", { class: "log-where", text: "value" }), call.value));
    fill(this.events, known.filter(({ event }) => event.kind !== "log").map(({ event, at }) => h("li", { text: eventText(event), data: { at, depth: "depth" in event ? event.depth : 0 } })));
  }

  /** @param {string} text what was changed before the call on show */
  renderChange(text) {
    fill(this.changed, text && h("span", { class: "changed-title", text: "You changed" }), text && " ", text);
  }
}

/** The line of the first call that is not issued yet. @param {Call[]} calls @param {number} revealed */
function firstCallLine(calls, revealed) {
  if (revealed === 0) return calls[0]?.line ?? Infinity;
  const done = calls[revealed - 1]?.line ?? 0;
  return revealed < calls.length ? done + 1 : Infinity;
}

/** How many floors a call fell. @param {Call} call */
function depthOf(call) {
  return call.floors.reduce((deepest, { lookups }, f) => (lookups.length ? f + 1 : deepest), 0);
}

/** @param {import("./types.js").Event} event */
function eventText(event) {
  if (event.kind === "lookup") return `${WORDS.stations[/** @type {"hlo"} */ (event.station)].variable} (${event.fun}): ${event.outcome}`;
  if (event.kind === "work") return `${event.work} ${event.fun}`;
  if (event.kind === "store") return `${event.station} ${event.outcome}${event.why ? `: ${event.why}` : ""}`;
  if (event.kind === "evict") return `${event.station}: ${event.count} gone${event.why ? `, ${event.why}` : ""}`;
  return event.text;
}

/** @param {HTMLElement} box @param {HTMLElement} line */
function centre(box, line) {
  const top = line.offsetTop - box.offsetTop;
  if (top < box.scrollTop || top + line.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
}
