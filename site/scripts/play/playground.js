// The playground: an editor, the engine, and what a run gave. This module decides; the others draw.
// Editor and engine are not fetched before the reader does something.

import { Bar } from "./bar.js";
import { LinkError, LONGEST_TEXT, readLink, writeLink } from "./link.js";
import { PlainEditor } from "./plain.js";
import { Results } from "./results.js";
import { check } from "../recording.js";
import { checkedPython } from "./python.js";
import { closed, openTab } from "../leave.js";
import { copy, copyBox, openDialog } from "../dialog.js";
import { guard, reported } from "./guard.js";
import { h } from "../dom.js";
import { isUnreached, unreached } from "../unreached.js";
import { keep, keepBefore, kept, keptBefore } from "./store.js";
import { openExamples } from "./examples.js";

const NAME = "program.py";
const TOUCHES = ["focusin", "click", "keydown"];
const UNFINISHED = "The model did not come to the end of this program";

/** @param {HTMLElement} el */
function start(el) {
  const address = (/** @type {string} */ path) => new URL(path, document.baseURI).href;
  const place = address(el.dataset.place ?? "");
  const engine = () => import(address(el.dataset.engine ?? ""));
  /** @type {AbortController|null} */ let running = null;
  const pick = (/** @type {number} */ line) => results.selectLine(line);
  const plain = new PlainEditor(/** @type {HTMLElement} */ (el.querySelector(".play-sheet")), { changed, pick }), opening = plain.area.defaultValue;
  /** @type {import("./plain.js").Editor} */ let editor = plain;
  let ran = "", mine = "", before = keptBefore(), ready = false;

  const side = /** @type {HTMLElement} */ (el.querySelector(".play-side"));
  const results = new Results(side, /** @type {HTMLElement} */ (el.querySelector(".play-below")), el.dataset.root ?? "", {
    mark: (marks) => editor.mark(marks),
    line: (line, scroll) => editor.show(line, scroll),
    guard: (number, near) => openDialog(el, "Guard for my tests", guardBody(number), { class: "code-sheet", near }),
    run: closed ? null : async (text) => check(await (await engine()).runProgram(text, { name: NAME })),
  });
  const bar = new Bar(/** @type {HTMLElement} */ (el.querySelector(".play-bar")), {
    run, away: closed, stop: () => running?.abort(), restore,
    examples: (near) => openExamples(el, `${place}examples.json`, near, (example) => { put(example.text); if (!closed) run(); }),
    share, python, download,
  });

  /** @param {number} number */
  function guardBody(number) {
    if (!reported(results.calls[number - 1], results.causes[number - 1])) return [h("p", { text: "JAX reports nothing about a trace within vmap or grad, so that no test can count it. Jit the outermost function, and guard the call of that one." })];
    if (unfinished()) return [h("p", { text: `${UNFINISHED}: what the rest of it does at this place is not known.` })];
    const { failure } = results;
    return [h("p", { class: "sheet-lede", text: "A test for pytest and real JAX. It fails when this call is traced or compiled again." }),
      copyBox(guard(must(), results.calls, results.causes, number, failure ? failure.message : ""), "Test", 18)];
  }

  /** Whether the run was given up before the program had ended. */
  const unfinished = () => results.failure !== null && results.failure.kind !== "program";
  const must = () => /** @type {import("../types.js").Recording} */ (results.recording);
  const show = () => bar.render({ running: running !== null, recording: results.calls.length > 0, before: before !== "" && before !== editor.text });

  /** The text was changed by hand. @param {string} text */
  function changed(text) {
    mine = text;
    if (!keep(text) && text.length > LONGEST_TEXT) results.say("The text is too long to be kept for the next visit.");
    results.stale(text !== ran);
    editor.problem(null);
    show();
  }

  /** Another text takes the place of the one in the editor; what the reader wrote is kept. @param {string} text */
  function put(text) {
    if (mine && mine !== text) {
      before = mine;
      keepBefore(before);
    }
    editor.text = text;
    mine = "";
    keep(text);
    show();
  }

  function restore() {
    const text = before;
    before = "";
    keepBefore("");
    put(text);
    mine = text;
    results.say("Your text is back.");
    editor.focus();
  }

  async function run() {
    const { text } = editor;
    if (closed) return openTab(el, await writeLink(location.href, text));
    running?.abort();
    editor.problem(null);
    results.begin();
    if (!text.trim()) {
      results.render(null, null);
      results.say("There is nothing to run: the text is empty.");
      return;
    }
    const mineNow = (running = new AbortController());
    ran = text;
    results.say("Asking the model …");
    el.setAttribute("aria-busy", "true");
    show();
    let recording = null, failure = null;
    try {
      const { runProgram } = await engine();
      recording = await runProgram(text, { name: NAME, signal: mineNow.signal, onProgress: (/** @type {{text: string}} */ { text: said }) => results.say(said === "Ready" ? "Asking the model …" : `${said} …`) });
    } catch (error) {
      const { kind = "unavailable", message, line = null, recording: partial = null } = /** @type {any} */ (error);
      if (running !== mineNow) return;
      recording = partial;
      failure = { kind, message: isUnreached(message) ? unreached() : message, line };
    }
    running = null;
    el.removeAttribute("aria-busy");
    shown(recording && check(recording), failure);
  }

  /** @param {import("../types.js").Recording|null} recording @param {import("./trouble.js").Failure|null} failure */
  function shown(recording, failure) {
    results.render(recording, failure);
    results.stale(editor.text !== ran);
    if (failure?.line) editor.problem({ line: failure.line, message: failure.message });
    show();
    writeLink(location.href, ran).then((link) => { results.link = link; }, () => {});
  }

  /** @param {HTMLElement} near */
  async function share(near) {
    try {
      const link = await writeLink(location.href, editor.text);
      openDialog(el, "Share", [h("p", { class: "sheet-lede", text: "The address holds the whole text, behind its #, where no server sees it. Whoever opens it sees the text; it runs only when they press Run." }), copyBox(link, "Address", 4)], { near });
    } catch (error) {
      results.say(error instanceof LinkError ? error.message : "This browser cannot pack the text.");
    }
  }

  async function python() {
    if (!results.calls.length) return results.say("Run the program first: the copy asserts what the run predicted.");
    if (unfinished()) return results.say(`${UNFINISHED}: there is no prediction of the whole to assert.`);
    const text = checkedPython(must(), results.calls);
    if (await copy(text)) results.say("Copied: a program for real JAX that asserts what the model predicted.");
    else openDialog(el, "Copy as Python", [copyBox(text, "Program", 18)], { class: "code-sheet" });
  }

  function download() {
    if (!results.calls.length) return results.say("Run the program first: there is no recording yet.");
    const link = h("a", { href: URL.createObjectURL(new Blob([JSON.stringify(must())], { type: "application/json" })), download: "recording.json" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    results.say("Saved as recording.json.");
  }

  el.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) {
      event.preventDefault();
      run();
    }
  });

  /** The text that the page opens with: a link's, else the one of the last visit, else the example's. */
  async function open() {
    let said = "";
    try {
      const text = await readLink(location);
      if (text !== null) {
        const own = kept();
        if (own && own !== text && own !== opening) {
          before = own;
          keepBefore(own);
        }
        editor.text = text;
        keep(text);
        said = "This is the text of the link. Nothing has been run.";
      }
    } catch (error) {
      said = error instanceof LinkError ? `${error.message} Here is another text instead.` : "The link could not be read.";
    }
    if (!said.startsWith("This is") && kept()) editor.text = mine = kept();
    if (!said && editor.text === opening) {
      ran = opening;
      const answer = await fetch(address(el.dataset.opening ?? "")).catch(() => null);
      if (answer?.ok && !running) shown(check(await answer.json()), null);
    } else results.say(said || "This is your text of the last visit.");
    show();
    ready = true;
  }

  if (editor.text !== opening) changed(editor.text);
  addEventListener("hashchange", () => { if (ready && location.hash.includes("=")) open(); });
  open();

  /** @type {Promise<void>|null} */ let coming = null;
  /** The editor proper. Where it cannot come the textarea stays. */
  const enhance = () => (coming ??= import("./editor.js").then(async ({ CodeEditor }) => {
    await plain.rest();
    editor = new CodeEditor(plain, { changed, run, pick, names: `${place}names.json` });
    el.setAttribute("data-editor", "");
    results.redraw();
  }).catch(() => {}));

  // A mouse over the program brings the editor; the first touch of anything brings the engine after
  // it, unless the reader saves data. A finger that only scrolls past brings nothing.
  plain.el.addEventListener("pointerover", ({ pointerType }) => { if (pointerType !== "touch") enhance(); });
  const touched = () => {
    for (const touch of TOUCHES) el.removeEventListener(touch, touched);
    const without = closed || /** @type {any} */ (navigator).connection?.saveData;
    enhance().then(() => (without ? null : engine().then(({ prepare }) => prepare()))).catch(() => {});
  };
  for (const touch of TOUCHES) el.addEventListener(touch, touched);
  el.setAttribute("data-live", "");
}

const el = /** @type {HTMLElement|null} */ (document.querySelector(".playground[data-engine]"));
if (el) start(el);
