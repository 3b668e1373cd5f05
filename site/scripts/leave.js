// A page in a frame, and the way out: another page opens in a tab, and the page around the frame stays. A
// frame may refuse tabs without a word; then the address is given.

import { copyBox, openDialog } from "./dialog.js";
import { h } from "./dom.js";

/** A frame without an origin: no worker starts there, nothing is stored, and nothing is saved. */
export const closed = origin === "null";

const framed = parent !== window;

/** Once the page is in view: in a tab it is at once, in a frame when the page around has come to it. @param {() => void} act */
export function whenInView(act) {
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    watcher.disconnect();
    act();
  });
  watcher.observe(document.body);
}

/** @param {HTMLElement} host where a dialog goes @param {string} address */
export function openTab(host, address) {
  const tab = open(address, "_blank"); // with "noopener" it would not say whether it was refused
  if (tab) tab.opener = null;
  else openDialog(host, "In a tab of its own", [h("p", { class: "sheet-lede", text: "This frame may not open a tab. The address:" }), copyBox(address, "Address", 4)]);
}

/** A link to another page. @param {HTMLElement} host @param {string} href @param {...any} inside */
export function way(host, href, ...inside) {
  const link = /** @type {HTMLAnchorElement} */ (h("a", { href }, inside));
  if (!framed) return link;
  [link.target, link.rel] = ["_blank", "noopener"];
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser's own way to a tab
    event.preventDefault();
    openTab(host, link.href);
  });
  return link;
}
