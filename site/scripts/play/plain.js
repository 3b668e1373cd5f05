// The editor before CodeMirror is there, or without it: the textarea that stands in the page.

/** @typedef {import("./marks.js").LineMark} LineMark */
/** @typedef {{line: number, message: string}} Problem */
/** What the playground asks of an editor.
 * @typedef {{text: string, focus: () => void, mark: (marks: LineMark[]) => void, problem: (problem: Problem|null) => void,
 *   show: (line: number|null, scroll: boolean) => void}} Editor */

/** @implements {Editor} */
export class PlainEditor {
  /** @param {HTMLTextAreaElement} area @param {(text: string) => void} changed */
  constructor(area, changed) {
    this.area = area;
    area.addEventListener("input", () => changed(area.value));
  }

  get text() { return this.area.value; }
  set text(text) { this.area.value = text; }
  focus() { this.area.focus(); }
  mark() {}

  /** @param {Problem|null} problem */
  problem(problem) { this.area.setAttribute("aria-invalid", String(problem !== null)); }

  /** @param {number|null} line @param {boolean} scroll */
  show(line, scroll) {
    if (line === null || !scroll) return;
    const lines = this.area.value.split("\n"), start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    this.area.scrollTop = (line - 3) * (this.area.scrollHeight / lines.length);
  }
}
