// Tabs over the program, the log and the events, by the ARIA pattern: arrows move, one is shown.

import { h } from "./dom.js";

let count = 0;

export class Tabs {
  wide = false;
  shown = 0;

  /** @param {[string, Node[]][]} panes */
  constructor(panes) {
    const id = `tabs-${count++}`;
    this.buttons = panes.map(([name], i) => h("button", { type: "button", role: "tab", id: `${id}-${i}`, "aria-controls": `${id}-pane-${i}`, text: name,
      on: { click: () => this.show(i), keydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, i) } }));
    this.panes = panes.map(([, body], i) => h("div", { role: "tabpanel", class: "pane", id: `${id}-pane-${i}`, "aria-labelledby": `${id}-${i}` }, body));
    this.list = h("div", { role: "tablist", class: "tablist", "aria-label": "Program, log and events" }, this.buttons);
    this.el = h("div", { class: "tabs-box" }, this.list, this.panes);
    this.show(0);
  }

  /** @param {number} shown */
  show(shown) {
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === shown));
      button.tabIndex = i === shown ? 0 : -1;
    });
    this.shown = shown;
    this.panes.forEach((pane, i) => pane.toggleAttribute("data-off", i !== shown && !(this.wide && i === 0)));
  }

  /** Where there is room the first pane stays and the others share the space below. @param {boolean} wide */
  fit(wide) {
    if (wide === this.wide) return;
    this.wide = wide;
    this.el.toggleAttribute("data-wide", wide);
    if (wide) this.el.prepend(this.panes[0]);
    else this.list.after(this.panes[0]);
    this.show(wide ? Math.max(this.shown, 1) : 0);
  }

  /** @param {KeyboardEvent} event @param {number} i */
  #key(event, i) {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by || event.shiftKey) return;
    const first = this.wide ? 1 : 0, room = this.buttons.length - first;
    const to = first + ((i - first + by + room) % room);
    this.show(to);
    this.buttons[to].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
