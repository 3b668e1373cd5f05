// What a run gave, at the side of the editor and below it: the sentence, trouble, the call on show,
// the lines, the timeline. It draws; playground.js decides.

import { Detail } from "./detail.js";
import { Lanes } from "./lanes.js";
import { compareWith } from "./compare.js";
import { causesOf } from "../cause.js";
import { fill, h } from "../dom.js";
import { icon, lineMarks, tally, times } from "./marks.js";
import { openFigure } from "./figures.js";
import { readCalls } from "../recording.js";
import { trouble } from "./trouble.js";

/** @typedef {import("../types.js").Recording} Recording */
/** @typedef {import("../types.js").Call} Call */

export class Results {
  /** @type {Recording|null} */ recording = null;
  /** @type {Call[]} */ calls = [];
  /** @type {import("../cause.js").Cause[]} */ causes = [];
  /** @type {import("./marks.js").LineMark[]} */ marks = [];
  /** @type {import("./trouble.js").Failure|null} */ failure = null;
  /** @type {import("./marks.js").LineMark|null} the line that stopped the run */ failed = null;
  selected = 0;
  link = "";

  /**
   * @param {HTMLElement} side @param {HTMLElement} below @param {string} root
   * @param {{mark: (marks: import("./marks.js").LineMark[]) => void, line: (line: number|null, scroll: boolean) => void,
   *   guard: (call: number, near: HTMLElement) => void, run: import("./compare.js").Run|null}} to run: null where nothing can be run
   */
  constructor(side, below, root, to) {
    this.to = to;
    this.root = root;
    this.side = side;
    this.status = h("p", { class: "play-status", role: "status" });
    this.trouble = h("div", {});
    this.lines = h("ol", { class: "play-lines" });
    this.linesBox = h("section", { class: "play-by-line", "aria-label": "Line by line", hidden: true }, h("h2", { text: "Line by line" }), this.lines);
    const act = { root, select: (/** @type {number} */ call) => this.select(call, true), open: (/** @type {number} */ call) => this.open(call),
      guard: to.guard, line: (/** @type {number} */ line) => to.line(line, true) };
    this.detail = new Detail(act);
    this.lanes = new Lanes(act);
    fill(side, this.status, this.trouble, this.detail.el, this.linesBox);
    below.append(this.lanes.el);
  }

  /** @param {string} text */
  say(text) { this.status.textContent = text; }

  /** Whether the results are of another text than the one in the editor. @param {boolean} stale */
  stale(stale) {
    for (const el of [this.detail.el, this.linesBox, this.lanes.el]) el.toggleAttribute("data-stale", stale);
  }

  /** A run begins: what went wrong in the one before is no longer so. */
  begin() {
    this.failure = this.failed = null;
    fill(this.trouble);
    this.redraw();
  }

  /** @param {Recording|null} recording @param {import("./trouble.js").Failure|null} failure */
  render(recording, failure) {
    this.recording = recording;
    this.failure = failure;
    this.calls = recording ? readCalls(recording) : [];
    this.causes = causesOf(this.calls, recording?.program.text ?? "");
    fill(this.trouble, failure && trouble(failure, this.calls.length, (line) => this.to.line(line, true), this.root));
    const marks = this.marks = lineMarks(this.calls, this.causes);
    this.failed = failure?.line ? failedMark(failure) : null;
    this.redraw();
    this.lanes.render(this.calls, this.causes);
    this.linesBox.toggleAttribute("hidden", !marks.length);
    fill(this.lines, marks.map((mark) => h("li", {}, h("button", { type: "button", on: { click: () => this.select(mark.worst, true) } },
      h("span", { class: "by-number", text: mark.line }), h("span", { class: `by-word is-${mark.shape}` }, icon(mark.shape), times(mark.word, mark.count)),
      h("code", { text: this.calls[mark.worst - 1].label })))));
    this.say(this.calls.length ? tally(this.causes) : failure ? "" : "The program ran and asked no cache: it calls nothing jitted and evaluates no operation.");
    const first = this.causes.findIndex(({ again, eager }) => again && !eager) + 1 || this.causes.findIndex(({ again }) => again) + 1 || this.calls.length;
    this.select(this.calls.length ? first : 0, false);
    this.stale(false);
  }

  /** Draw into an editor that took the place of another. */
  redraw() {
    const { failed } = this, marks = this.marks.filter(({ line }) => line !== failed?.line);
    this.to.mark(failed ? [...marks, failed].sort((a, b) => a.line - b.line) : marks);
    this.to.line(this.calls[this.selected - 1]?.line ?? null, false);
  }

  /** @param {number} number of a call, 0 for none @param {boolean} scroll show its line, too */
  select(number, scroll) {
    this.selected = number;
    this.lanes.select(number, true);
    this.detail.render(this.calls, this.causes, number, number && this.recording && this.to.run ? compareWith(this.calls, this.causes, number, this.recording.program.text, this.to.run) : null);
    this.to.line(this.calls[number - 1]?.line ?? null, scroll);
  }

  /** The call that a line is best told by. @param {number} line */
  selectLine(line) {
    const mark = this.marks.find((one) => one.line === line);
    if (mark) this.select(mark.worst, false);
  }

  /** @param {number} number */
  open(number) {
    if (this.recording && number) openFigure(this.side, this.recording, this.calls, number, this.link);
  }
}

/** @param {import("./trouble.js").Failure} failure @returns {import("./marks.js").LineMark} */
function failedMark({ kind, line }) {
  const word = kind === "refused" ? "outside the model" : "error";
  return { line: line ?? 1, calls: [], worst: 0, word, shape: "raised", count: 1, title: `Line ${line}: ${word}` };
}
