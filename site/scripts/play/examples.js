// The examples: programs of this site and the real-world cases, by kind, with a field to search in them.

import { fill, h } from "../dom.js";
import { openDialog } from "../dialog.js";

/** @typedef {{name: string, title: string, about: string, text: string, refused?: string}} Example */
/** @typedef {{title: string, items: Example[]}} Group */

/** @type {Promise<Group[]>|null} */
let loaded = null;

/** @param {string} address @returns {Promise<Group[]>} */
function load(address) {
  loaded ??= fetch(address).then((answer) => answer.json());
  loaded.catch(() => { loaded = null; });
  return loaded;
}

/** @param {HTMLElement} host @param {string} address @param {HTMLElement} near @param {(example: Example) => void} choose */
export async function openExamples(host, address, near, choose) {
  const field = h("input", { type: "search", id: "example-search", autocomplete: "off", on: { input: () => show() } });
  const said = h("output", { for: "example-search" }), list = h("div", { class: "example-groups" });
  const dialog = openDialog(host, "Examples", [h("p", { class: "example-search" }, h("label", { for: "example-search", text: "Find" }), " ", field, " ", said), list], { class: "example-sheet" });
  field.focus();
  /** @type {Group[]} */ let groups = [];
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = groups.map(({ title, items }) => ({ title, items: items.filter((item) => words.every((/** @type {string} */ word) => `${title} ${item.title} ${item.about} ${item.name} ${item.text}`.toLowerCase().includes(word))) })).filter(({ items }) => items.length);
    const n = found.reduce((sum, { items }) => sum + items.length, 0);
    said.textContent = `${n} ${n === 1 ? "program" : "programs"}`;
    fill(list, found.map(({ title, items }) => h("section", {}, h("h3", { text: title }), h("ul", {}, items.map((item) => h("li", {},
      h("button", { type: "button", on: { click: () => { dialog.close(); choose(item); } } }, h("b", { text: item.title }),
        item.refused && h("span", { class: "example-refused", text: "outside the model" }),
        h("span", { class: "example-about", text: item.about }))))))));
  };
  try {
    groups = await load(address);
    show();
  } catch {
    said.textContent = "The examples could not be read.";
  }
}
