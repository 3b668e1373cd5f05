// The bar of controls and the keys. Every action has a button; every key is listed under "?".

import { h } from "./dom.js";

/** key, what it does in words, the action's name */
export const KEYS = /** @type {[string, string, string][]} */ ([
  ["c", "Issue call", "issue"], ["x", "Change one thing", "change"], ["Space or .", "Play or pause", "play"],
  ["→", "Step", "step"], ["←", "Back", "back"], ["Shift →", "Next call", "nextCall"], ["Shift ←", "Previous call", "previousCall"],
  ["r", "Reset", "reset"], ["b", "Bet on the next call", "bet"], ["1 … 6", "Look into a floor's drawers", "open"],
  ["p", "Copy as Python", "python"], ["s", "Share", "share"], ["e", "Embed", "embed"], ["?", "This list", "help"],
]);
const PLAIN = /** @type {Record<string, string>} */ ({ c: "issue", x: "change", " ": "play", ".": "play", ArrowRight: "step", ArrowLeft: "back",
  r: "reset", b: "bet", p: "python", s: "share", e: "embed", "?": "help" });

/** @typedef {Record<string, (...args: any[]) => void>} Actions */

export class Controls {
  /** @param {Actions} act */
  constructor(act) {
    const button = (/** @type {string} */ name, /** @type {string} */ action, props = {}) =>
      h("button", { type: "button", ...props, on: { click: () => act[action]() } }, name);
    this.issue = button("Issue call", "issue", { class: "go" });
    this.change = button("Change one thing", "change", { class: "change", "aria-haspopup": "dialog" });
    this.next = h("span", { class: "next" });
    this.back = button("Back", "back", { class: "icon" });
    this.play = button("Play", "play", { class: "icon play" });
    this.step = button("Step", "step", { class: "icon" });
    this.reset = button("Reset", "reset", { class: "quiet" });
    this.slider = h("input", { type: "range", min: "0", max: "0", value: "0", step: "1", "aria-label": "Timeline", class: "timeline",
      on: { input: () => act.seek(Number(this.slider.value)) } });
    this.speed = h("select", { "aria-label": "Speed", class: "speed", on: { change: () => act.speed(Number(this.speed.value)) } },
      [["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["4", "4×"]].map(([value, text]) => h("option", { value, text, selected: value === "1" })));
    this.el = h("div", { class: "bar" },
      h("div", { class: "acts" }, this.issue, this.change, this.next),
      h("div", { class: "transport" }, this.back, this.play, this.step, this.slider, this.speed, this.reset));
    this.python = button("Copy as Python", "python", { class: "quiet" });
    this.share = button("Share", "share", { class: "quiet" });
    this.embed = button("Embed", "embed", { class: "quiet" });
    this.help = button("?", "help", { class: "quiet help", "aria-label": "? Keys" });
    this.outs = h("div", { class: "outs" }, this.python, this.share, this.embed, this.help);
  }

  /** @param {{flat: number, length: number, playing: boolean, text: string, next: string, canIssue: boolean, canStep: boolean}} state */
  render({ flat, length, playing, text, next, canIssue, canStep }) {
    this.slider.max = String(length);
    this.slider.value = String(flat);
    this.slider.style.setProperty("--done", length ? `${(flat / length) * 100}%` : "0%");
    this.slider.setAttribute("aria-valuetext", text);
    this.play.textContent = playing ? "Pause" : "Play";
    this.next.textContent = next;
    // Spent controls stay usable: they say why nothing more happens.
    this.issue.toggleAttribute("data-spent", !canIssue);
    this.back.toggleAttribute("data-spent", flat === 0);
    this.step.toggleAttribute("data-spent", !canStep);
  }
}

/**
 * Keys work while focus is inside the figure, and leave fields and buttons their own.
 * @param {HTMLElement} host @param {Actions} act
 */
export function listen(host, act) {
  host.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("textarea, select, dialog")) return;
    const { key } = event, inSlider = target === host.querySelector(".timeline");
    if (inSlider && (key.startsWith("Arrow") || key === " ")) return;
    if (key === " " && target.closest("button, summary, a")) return;
    if (key.startsWith("Arrow") && target.closest(".score-scroll, .code, [role=tablist]") && !event.shiftKey) return;
    const action = event.shiftKey && key === "ArrowRight" ? "nextCall" : event.shiftKey && key === "ArrowLeft" ? "previousCall" : PLAIN[key];
    if (action) act[action]();
    else if (/^[1-6]$/.test(key)) act.open(Number(key) - 1);
    else return;
    event.preventDefault();
  });
}

/** The list behind "?". */
export function helpBody() {
  return [h("p", { class: "sheet-lede", text: "Keys work while focus is inside the figure." }),
    h("table", { class: "keys-table" }, h("tbody", {}, KEYS.map(([key, text]) => h("tr", {}, h("th", { scope: "row" }, key.split(" ").map((part) => (part === "or" || part === "…" ? ` ${part} ` : h("kbd", { text: part })))), h("td", { text })))))];
}
