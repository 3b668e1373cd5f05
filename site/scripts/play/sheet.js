// The program as drawn lines, with numbers, marks and words as in the editor. The page comes with
// the lines of its own program coloured; a line that is changed is drawn plain.

import { fill, h } from "../dom.js";
import { icon, times } from "./marks.js";

/** @typedef {import("./marks.js").LineMark} LineMark */
/** @typedef {{text: string, el: HTMLElement, mark: LineMark|null}} Line */

export class Sheet {
  /** @param {HTMLElement} el @param {(line: number) => void} pick a mark was pressed */
  constructor(el, pick) {
    this.el = el;
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (el.querySelector(name));
    this.numbers = part(".sheet-numbers");
    this.shapes = part(".sheet-shapes");
    this.code = part("code");
    /** @type {Line[]} */
    this.lines = [...this.code.children].map((child) => {
      const line = /** @type {HTMLElement} */ (child), last = line.lastChild;
      if (last) last.textContent = (last.textContent ?? "").replace(/\n$/, ""); // there for readers without styles
      return { text: line.textContent ?? "", el: line, mark: null };
    });
    part("pre").setAttribute("aria-hidden", "true"); // the textarea over it says the same
    el.addEventListener("click", ({ target }) => {
      const { line } = /** @type {HTMLElement} */ (/** @type {Element} */ (target).closest("[data-line]"))?.dataset ?? {};
      if (line) pick(Number(line));
    });
  }

  /** Draws a text; lines that it shares with the one before, from either end, stay as they are. @param {string} text */
  draw(text) {
    const next = text.split("\n"), { lines } = this, shared = Math.min(next.length, lines.length);
    let head = 0, tail = 0;
    while (head < shared && lines[head].text === next[head]) head++;
    while (tail < shared - head && lines[lines.length - 1 - tail].text === next[next.length - 1 - tail]) tail++;
    const fresh = next.slice(head, next.length - tail).map((line) => ({ text: line, el: h("span", { class: "sheet-line", text: line }), mark: null }));
    const rest = lines.slice(lines.length - tail);
    for (const { el } of lines.slice(head, lines.length - tail)) el.remove();
    for (const { el } of fresh) this.code.insertBefore(el, rest[0]?.el ?? null);
    this.lines = [...lines.slice(0, head), ...fresh, ...rest];
    if (next.length !== lines.length) this.numbers.textContent = next.map((_, i) => i + 1).join("\n");
    this.#shape();
  }

  /** @param {LineMark[]} marks */
  mark(marks) {
    for (const line of this.lines) {
      if (line.mark) /** @type {Element} */ (line.el.lastElementChild).remove();
      line.mark = null;
    }
    for (const mark of marks) {
      const line = this.lines[mark.line - 1];
      if (!line) continue;
      line.mark = mark;
      line.el.append(h("span", { class: `sheet-word is-${mark.shape}`, title: `${mark.title}. Show it`, data: { line: mark.line }, text: times(mark.word, mark.count) }));
    }
    this.#shape();
  }

  /** The line of the call on show. @param {number|null} number @param {boolean} scroll */
  now(number, scroll) {
    for (const { el } of this.lines) el.classList.remove("is-now");
    const line = number ? this.lines[number - 1]?.el : null;
    line?.classList.add("is-now");
    if (scroll) line?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** The marks beside the numbers: a row for each line, up to the last one that has a mark. */
  #shape() {
    const last = this.lines.findLastIndex(({ mark }) => mark);
    fill(this.shapes, this.lines.slice(0, last + 1).map(({ mark }) => h("div", {},
      mark && h("span", { class: `sheet-shape is-${mark.shape}`, title: mark.title, data: { line: mark.line } }, icon(mark.shape)))));
  }
}
