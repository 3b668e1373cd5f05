// The editor before CodeMirror is there, or without it: the textarea that stands in the page. Its own
// letters are clear; the lines drawn under it are what is seen.

import { Sheet } from "./sheet.js";

/** @typedef {import("./marks.js").LineMark} LineMark */
/** @typedef {{line: number, message: string}} Problem */
/** What the playground asks of an editor.
 * @typedef {{text: string, focus: () => void, mark: (marks: LineMark[]) => void, problem: (problem: Problem|null) => void,
 *   show: (line: number|null, scroll: boolean) => void}} Editor */

/** @implements {Editor} */
export class PlainEditor {
  /** @type {Problem|null} */ flaw = null;
  /** @type {Set<string>} what the reader is in the middle of */ #amid = new Set();
  /** @type {() => void} */ #rested = () => {};

  /** @param {HTMLElement} el @param {{changed: (text: string) => void, pick: (line: number) => void}} to */
  constructor(el, { changed, pick }) {
    this.el = el;
    this.area = /** @type {HTMLTextAreaElement} */ (el.querySelector("textarea"));
    this.sheet = new Sheet(el, pick);
    this.sheet.draw(this.area.value); // it may have been written in before this script came
    this.area.addEventListener("input", () => {
      this.sheet.draw(this.area.value);
      changed(this.area.value);
    });
    this.#watch("press", "pointerdown", ["pointerup", "pointercancel"]);
    this.#watch("composition", "compositionstart", ["compositionend"]);
  }

  get text() { return this.area.value; }
  set text(text) {
    if (text === this.text) return;
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.sheet.draw(this.area.value);
  }

  focus() { this.area.focus(); }

  /** @param {LineMark[]} marks */
  mark(marks) { this.sheet.mark(marks); }

  /** @param {Problem|null} problem */
  problem(problem) {
    this.flaw = problem;
    this.area.setAttribute("aria-invalid", String(problem !== null));
  }

  /** @param {number|null} line @param {boolean} scroll */
  show(line, scroll) {
    this.sheet.now(line, scroll);
    if (line === null || !scroll) return;
    const lines = this.area.value.split("\n"), start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  }

  /** Resolves when another editor may take this one's place: when the reader neither drags over the
   * text nor is composing a character. @returns {Promise<void>} */
  rest() {
    return new Promise((resolve) => {
      this.#rested = () => setTimeout(() => (this.#amid.size ? null : resolve()));
      this.#rested();
    });
  }

  /** @param {string} what @param {string} begins @param {string[]} ends */
  #watch(what, begins, ends) {
    this.area.addEventListener(begins, () => this.#amid.add(what));
    for (const end of ends) addEventListener(end, () => {
      if (this.#amid.delete(what)) this.#rested();
    });
  }
}
