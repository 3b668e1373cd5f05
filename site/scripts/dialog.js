// One kind of dialog for everything that opens: drawers, choices, help, share, embed.

import { h } from "./dom.js";

/**
 * Open a modal dialog; it leaves the page when closed, and focus goes back where it was.
 * @param {HTMLElement} host where it is put in the document
 * @param {string} title @param {Node[]} body
 * @param {{class?: string, near?: HTMLElement}} [how] near: an element to stand under, where there is room
 * @returns {HTMLDialogElement}
 */
export function openDialog(host, title, body, { class: name = "", near } = {}) {
  const back = /** @type {HTMLElement|null} */ (document.activeElement);
  const close = h("button", { type: "button", class: "close", "aria-label": "Close", text: "✕", on: { click: () => dialog.close() } });
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { class: `sheet ${name}`, "aria-label": title },
    h("div", { class: "sheet-head" }, h("h2", { text: title }), close), h("div", { class: "sheet-body" }, body)));
  dialog.addEventListener("close", () => {
    dialog.remove();
    back?.focus?.({ preventScroll: true });
  });
  dialog.addEventListener("click", (event) => {
    const box = dialog.getBoundingClientRect();
    const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (event.target === dialog && !inside) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  host.append(dialog);
  dialog.showModal();
  if (near && innerWidth > 720) {
    const spot = near.getBoundingClientRect(), stand = () => standUnder(dialog, spot);
    stand();
    new ResizeObserver(stand).observe(dialog); // what is opened inside makes it higher
  }
  return dialog;
}

/** @param {HTMLElement} dialog @param {DOMRect} spot */
function standUnder(dialog, spot) {
  const height = dialog.offsetHeight, width = dialog.offsetWidth;
  const top = Math.max(12, Math.min(spot.bottom + 8, innerHeight - height - 12));
  const left = Math.max(12, Math.min(spot.left, innerWidth - width - 12));
  dialog.style.setProperty("margin", "0");
  dialog.style.setProperty("top", `${top}px`);
  dialog.style.setProperty("left", `${left}px`);
}

/** A box with text to copy, selected, and a button that tries to. @param {string} text @param {string} label */
export function copyBox(text, label, rows = 3) {
  const area = h("textarea", { class: "copy-text", readonly: true, rows, "aria-label": label, spellcheck: "false" });
  area.value = text;
  const said = h("span", { class: "copy-said", role: "status" });
  const button = h("button", { type: "button", text: "Copy", on: { click: async () => {
    said.textContent = await copy(text, area) ? "Copied." : "Selected: copy it with your keyboard.";
  } } });
  return h("div", { class: "copy" }, area, h("div", { class: "copy-row" }, button, said));
}

/**
 * To the clipboard, where the page may; sandboxed frames may not, and asking there is reported as an error.
 * @param {string} text @param {HTMLTextAreaElement} [area] selected instead
 */
export async function copy(text, area) {
  if (mayCopy() && await navigator.clipboard.writeText(text).then(() => true, () => false)) return true;
  area?.focus();
  area?.select();
  return false;
}

/** Whether the frame may write to the clipboard; browsers that keep no list of what is allowed refuse frames without an origin. */
function mayCopy() {
  const { featurePolicy } = /** @type {any} */ (document);
  return Boolean(navigator.clipboard) && (featurePolicy?.allowsFeature("clipboard-write") ?? origin !== "null");
}
