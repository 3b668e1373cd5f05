// "Change one thing": the choices. Recorded ones first, then everything the engine can run.

import { h } from "./dom.js";
import { openDialog } from "./dialog.js";

/** @typedef {import("./types.js").Kind} Kind */
/** @typedef {{title: string, text: string, choose: () => void}} Choice */

/**
 * @param {HTMLElement} host @param {HTMLElement} near
 * @param {{recorded: Choice[], kinds: Kind[], pick: (action: string) => void, more: Node|null, note: string}} offer
 */
export function openChoices(host, near, { recorded, kinds, pick, more, note }) {
  /** @type {Map<string, Kind[]>} */
  const groups = new Map();
  for (const kind of kinds) if (kind.id !== "call") groups.set(kind.heading, [...(groups.get(kind.heading) ?? []), kind]);
  const done = (/** @type {() => void} */ act) => () => { dialog.close(); act(); };
  const row = (/** @type {string} */ title, /** @type {string} */ text, /** @type {() => void} */ act) =>
    h("button", { type: "button", class: "choice", on: { click: done(act) } }, h("span", { class: "choice-title", text: title }), text && h("span", { class: "choice-text", text }));
  const several = (/** @type {Kind} */ kind) => h("div", { class: "choice several", role: "group", "aria-label": kind.label },
    h("span", { class: "choice-title", text: kind.label }), h("span", { class: "choice-text", text: kind.what }),
    h("span", { class: "options" }, kind.choices.map(({ id, label }) => h("button", { type: "button", class: "option", text: label,
      on: { click: done(() => pick(`${kind.id}:${id}`)) } }))));
  const section = (/** @type {string} */ title, /** @type {Node[]} */ rows) => h("section", { class: "choices" }, h("h3", { text: title }), rows);
  const dialog = openDialog(host, "Change one thing", [
    note && h("p", { class: "sheet-lede", text: note }),
    recorded.length && section("Next in this program", recorded.map(({ title, text, choose }) => row(title, text, choose))),
    ...[...groups].map(([heading, list]) => section(heading, list.map((kind) =>
      (kind.choices.length ? several(kind) : row(kind.label, kind.what, () => pick(kind.id)))))),
    more && h("p", { class: "choices-more" }, more),
  ].filter(Boolean), { class: "choices-sheet", near });
  /** @type {HTMLElement|null} */ (dialog.querySelector(".sheet-body button"))?.focus();
}
