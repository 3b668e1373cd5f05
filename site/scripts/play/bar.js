// The buttons over the editor.

import { h } from "../dom.js";

export class Bar {
  /**
   * @param {HTMLElement} el where they go
   * @param {{run: () => void, away: boolean, stop: () => void, examples: (near: HTMLElement) => void, share: (near: HTMLElement) => void,
   *   python: () => void, download: () => void, restore: () => void}} act away: it runs in a tab, and nothing can be saved
   */
  constructor(el, act) {
    const button = (/** @type {string} */ text, /** @type {(near: HTMLElement) => void} */ does, name = "") =>
      h("button", { type: "button", class: name, text, on: { click: (/** @type {Event} */ event) => does(/** @type {HTMLElement} */ (event.currentTarget)) } });
    const mac = /Mac|iPhone|iPad/.test(navigator.platform);
    this.run = button(act.away ? "Run in a tab" : "Run", () => act.run(), "go");
    this.run.append(h("kbd", { "aria-hidden": "true", text: mac ? "⌘↵" : "Ctrl ↵" }));
    this.run.setAttribute("aria-keyshortcuts", mac ? "Meta+Enter" : "Control+Enter");
    this.stop = button("Stop", () => act.stop());
    this.restore = button("Back to my text", () => act.restore());
    this.python = button("Copy as Python", () => act.python());
    this.download = button("Download", () => act.download());
    this.download.setAttribute("aria-label", "Download the recording");
    this.examples = button("Examples", act.examples);
    this.share = button("Share", act.share);
    for (const opens of [this.examples, this.share]) opens.setAttribute("aria-haspopup", "dialog");
    el.append(this.run, this.stop, this.examples, this.restore, h("span", { class: "play-gap" }), this.share, this.python, ...(act.away ? [] : [this.download]));
    el.removeAttribute("hidden");
    this.render({ running: false, recording: false, before: false });
  }

  /** @param {{running: boolean, recording: boolean, before: boolean}} state */
  render({ running, recording, before }) {
    this.run.toggleAttribute("hidden", running);
    this.stop.toggleAttribute("hidden", !running);
    this.restore.toggleAttribute("hidden", !before);
    for (const button of [this.python, this.download]) button.setAttribute("aria-disabled", String(!recording));
  }
}
