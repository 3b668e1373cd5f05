// The page for a reader's own run: a file dropped or chosen, a log pasted. Nothing leaves the browser.

import { closed } from "../leave.js";
import { fill, h } from "../dom.js";
import { LogView } from "./log-view.js";
import { RunView } from "./run-view.js";
import { Source } from "./source.js";

/** @param {HTMLElement} el */
function start(el) {
  const address = (/** @type {string} */ name) => new URL(el.dataset[name] ?? "", document.baseURI).href, root = el.dataset.root ?? "";
  const find = (/** @type {string} */ selector) => /** @type {any} */ (el.querySelector(selector));
  const drop = find(".open-drop"), said = find(".open-said"), bar = find("progress"), trouble = find(".open-trouble"), results = find(".open-results");
  const field = find("input[type=file]"), area = find("textarea"), paste = find(".open-paste");
  const source = new Source(address("worker"), (text, fraction) => {
    said.textContent = `${text} …`;
    bar.hidden = false;
    bar.value = fraction;
  });
  const run = new RunView(source, root), log = new LogView(root);
  let turn = 0;

  /** @param {Blob} file @param {string} name */
  async function open(file, name) {
    const mine = ++turn;
    fill(trouble);
    results.replaceChildren();
    said.textContent = "Reading …";
    el.setAttribute("aria-busy", "true");
    try {
      const found = await source.open(file);
      if (mine !== turn) return;
      el.setAttribute("data-open", "");
      if ("log" in found) {
        log.render(/** @type {any} */ (found.log), found.notes);
        results.append(log.el);
        said.textContent = `${name} was read as a log.`;
      } else {
        results.append(run.el);
        run.render(found);
        said.textContent = found.table.length ? `${name} is open${found.lost ? ", as far as it can be read" : ""}.`
          : found.lost ? `Nothing in ${name} can be read as a call: what the program called is not known.`
            : `${name} is open. It holds no call: the program called nothing jitted and evaluated no operation.`;
        tell([...found.notes, ...found.problems]);
      }
      results.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
    } catch (error) {
      if (mine !== turn) return;
      said.textContent = "";
      fill(trouble, h("div", { class: "open-problem", role: "alert" }, h("b", { text: `${name} cannot be opened.` }), h("p", { text: /** @type {Error} */ (error).message })));
    } finally {
      if (mine === turn) {
        bar.hidden = true;
        el.removeAttribute("aria-busy");
      }
    }
  }

  /** @param {string[]} texts */
  function tell(texts) {
    if (texts.length) fill(trouble, h("div", { class: "open-problem is-mild" }, h("b", { text: "Not all of the file is as it should be; what can be shown is shown." }), h("ul", {}, texts.map((text) => h("li", { text })))));
  }

  /** @param {string} path @param {string} name */
  async function sample(path, name) {
    try {
      const answer = await fetch(path);
      if (!answer.ok) throw new Error(`${answer.status}`);
      await open(await answer.blob(), name);
    } catch {
      fill(trouble, h("div", { class: "open-problem", role: "alert", text: "The sample could not be fetched." }));
    }
  }

  for (const kind of ["dragenter", "dragover"]) el.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add("is-over");
  });
  for (const kind of ["dragleave", "drop"]) el.addEventListener(kind, (event) => {
    event.preventDefault();
    if (kind === "drop" || !el.contains(/** @type {Node} */ (/** @type {DragEvent} */ (event).relatedTarget))) drop.classList.remove("is-over");
  });
  el.addEventListener("drop", (event) => {
    const { files, types } = /** @type {DataTransfer} */ (event.dataTransfer);
    if (files.length) open(files[0], files[0].name);
    else if (types.includes("text/plain")) readText(/** @type {DragEvent} */ (event).dataTransfer?.getData("text/plain") ?? "");
  });
  field.addEventListener("change", () => {
    if (field.files[0]) open(field.files[0], field.files[0].name);
    field.value = "";
  });
  /** @param {string} text */
  function readText(text) {
    if (text.trim()) open(new Blob([text]), "The text");
    else {
      fill(trouble, h("div", { class: "open-problem", role: "alert", text: "There is nothing to read: the field is empty." }));
      area.focus();
    }
  }
  find(".open-read").addEventListener("click", () => readText(area.value));
  find(".open-sample").addEventListener("click", () => sample(address("sample"), "The sample"));
  find(".open-sample-log").addEventListener("click", async () => {
    const answer = await fetch(address("log")).catch(() => null);
    area.value = answer?.ok ? await answer.text() : "";
    paste.open = true;
    readText(area.value);
  });
  for (const hidden of el.querySelectorAll("[data-scripts]")) hidden.removeAttribute("hidden");
  for (const still of el.querySelectorAll(".play-late, .play-still")) still.remove();
  el.setAttribute("ready", "");
}

// In a closed frame no file can be read: the still picture stays, and less.js says so.
for (const el of document.querySelectorAll(".open")) if (!closed) start(/** @type {HTMLElement} */ (el));
