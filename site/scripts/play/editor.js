// The editor proper, from CodeMirror's parts. It lives in a shadow root: there its styles are
// constructed sheets, which the page's policy allows, where it refuses inline ones.

import { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, gutter, GutterMarker, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers, WidgetType } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { colours, theme } from "./theme.js";
import { h } from "../dom.js";
import { icon, times } from "./marks.js";
import { jaxNames } from "./names.js";

/** @typedef {import("./marks.js").LineMark} LineMark */

/** @type {import("@codemirror/state").StateEffectType<LineMark[]>} */
const setMarks = StateEffect.define();
/** @type {import("@codemirror/state").StateEffectType<number|null>} */
const setNow = StateEffect.define();

class Shape extends GutterMarker {
  /** @param {LineMark} mark */
  constructor(mark) {
    super();
    this.mark = mark;
  }

  /** @param {Shape} other */
  eq(other) { return other.mark.title === this.mark.title; }
  toDOM() { return h("span", { class: `cm-shape cm-${this.mark.shape}`, title: this.mark.title }, icon(this.mark.shape)); }
}

class Word extends WidgetType {
  /** @param {LineMark} mark */
  constructor(mark) {
    super();
    this.mark = mark;
  }

  /** @param {Word} other */
  eq(other) { return other.mark.title === this.mark.title; }
  toDOM() { return h("span", { class: `cm-word cm-${this.mark.shape}`, title: `${this.mark.title}. Show it`, data: { line: this.mark.line }, text: times(this.mark.word, this.mark.count) }); }
  ignoreEvent() { return false; }
}

/** Marks and the words behind their lines; they move with the text. */
const marks = StateField.define({
  create: () => ({ shapes: RangeSet.empty, words: Decoration.none }),
  update(value, transaction) {
    let { shapes, words } = { shapes: value.shapes.map(transaction.changes), words: value.words.map(transaction.changes) };
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const { doc } = transaction.state, there = effect.value.filter(({ line }) => line <= doc.lines);
      shapes = RangeSet.of(there.map((mark) => new Shape(mark).range(doc.line(mark.line).from)));
      words = Decoration.set(there.map((mark) => Decoration.widget({ widget: new Word(mark), side: 1 }).range(doc.line(mark.line).to)));
    }
    return { shapes, words };
  },
  provide: (field) => EditorView.decorations.from(field, ({ words }) => words),
});

/** The line of the call on show. */
const now = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    value = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setNow)) continue;
      const { doc } = transaction.state, line = effect.value;
      value = line && line <= doc.lines ? Decoration.set([Decoration.line({ class: "cm-now" }).range(doc.line(line).from)]) : Decoration.none;
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Typing over a selection is done here: Chromium would keep the look of what it replaces in inline styles,
 * which the page's policy refuses. @param {InputEvent} event @param {EditorView} view */
function typeOver(event, view) {
  const { from, to, empty } = view.state.selection.main, text = event.data;
  if (event.inputType !== "insertText" || text === null || empty || view.composing) return false;
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  if (!view.state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, text, insert))) view.dispatch(insert());
  event.preventDefault();
  return true;
}

/** An editor as plain.js describes it. */
export class CodeEditor {
  /** @param {import("./plain.js").PlainEditor} plain the editor whose place, text and caret it takes
   * @param {{changed: (text: string) => void, run: () => void, pick: (line: number) => void, names: string}} to */
  constructor({ el, area, flaw }, { changed, run, pick, names }) {
    this.host = h("div", { class: "play-code" });
    const root = this.host.attachShadow({ mode: "open" });
    const { selectionStart: start, selectionEnd: end } = area, caret = area.selectionDirection === "backward" ? { anchor: end, head: start } : { anchor: start, head: end };
    const state = EditorState.create({ doc: area.value, selection: caret, extensions: [
      lineNumbers(), gutter({ class: "cm-shapes", markers: (view) => view.state.field(marks).shapes, initialSpacer: () => new Shape({ line: 0, calls: [], worst: 0, word: "", shape: "silent", count: 0, title: "" }),
        domEventHandlers: { click: (view, block) => { pick(view.state.doc.lineAt(block.from).number); return true; } } }),
      highlightSpecialChars(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
      autocompletion({ icons: false }), python(), pythonLanguage.data.of({ autocomplete: jaxNames(names) }), indentUnit.of("    "), EditorState.tabSize.of(4), syntaxHighlighting(colours), theme, marks, now,
      keymap.of([{ key: "Mod-Enter", run: () => { run(); return true; } }, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "Program", tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
      EditorView.updateListener.of((update) => { if (update.docChanged) changed(this.text); }),
      EditorView.domEventHandlers({ beforeinput: typeOver, click: (event) => {
        const { line } = /** @type {HTMLElement} */ (event.target).dataset;
        if (line) pick(Number(line));
      } }),
    ] });
    this.view = new EditorView({ state, root, parent: root });
    const focused = area.ownerDocument.activeElement === area, { scrollTop, scrollLeft } = el;
    el.replaceWith(this.host);
    this.view.coordsAtPos(0); // measures: before that it does not know how high it is
    this.view.scrollDOM.scrollTo(scrollLeft, scrollTop);
    if (focused) this.focus();
    this.problem(flaw);
  }

  get text() { return this.view.state.doc.toString(); }
  set text(text) { this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true }); }
  focus() { this.view.focus(); }

  /** @param {LineMark[]} marks */
  mark(marks) { this.view.dispatch({ effects: setMarks.of(marks) }); }

  /** @param {import("./plain.js").Problem|null} problem */
  problem(problem) {
    const { doc } = this.view.state, line = problem && doc.line(Math.min(Math.max(problem.line, 1), doc.lines));
    const from = line ? line.from + (/^\s*/.exec(line.text)?.[0].length ?? 0) : 0;
    this.view.dispatch(setDiagnostics(this.view.state, line && problem ? [{ from, to: Math.max(line.to, from), severity: "error", message: problem.message }] : []));
  }

  /** @param {number|null} line @param {boolean} scroll */
  show(line, scroll) {
    const { doc } = this.view.state, effects = /** @type {StateEffect<any>[]} */ ([setNow.of(line)]);
    if (line && scroll && line <= doc.lines) effects.push(EditorView.scrollIntoView(doc.line(line).from, { y: "nearest", yMargin: 40 }));
    this.view.dispatch({ effects });
  }
}
