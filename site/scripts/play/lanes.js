// The timeline: a column for each call, a lane for each cache. Only the columns in view exist, so that
// thousands of calls scroll like ten. For readers of text it is a list of calls; arrows walk through it.

import { fill, h, mark } from "../dom.js";
import { COLUMN, dot, LANE, picture } from "./column.js";
import { shapeOf } from "./marks.js";
import { WORDS } from "../words.js";

/** @typedef {import("../types.js").Call} Call */
/** @typedef {import("../cause.js").Cause} Cause */
/** @typedef {{name: string, verdict: (call: Call) => import("../types.js").Verdict}} Lane */

/** Columns drawn before and after those in view. */
const AROUND = 5;

/** Six caches. @type {Lane[]} */
const CACHES = WORDS.floors.map(({ name }, floor) => ({ name, verdict: (call) => call.floors[floor].verdict }));

/** Eight stations, by the names of their variables. @type {Lane[]} */
const STATIONS = WORDS.floors.flatMap(({ stations }) => stations).map((station) => ({
  name: WORDS.stations[/** @type {"hlo"} */ (station)].variable,
  verdict: (call) => {
    const asked = call.main?.lookups.filter((lookup) => lookup.station === station) ?? [];
    return !asked.length ? "none" : asked[asked.length - 1].outcome === "hit" ? "hit" : "miss";
  },
}));

let count = 0;

export class Lanes {
  /** @type {Call[]} */ calls = [];
  /** @type {Cause[]} */ causes = [];
  /** @type {Map<number, HTMLElement>} */ #shown = new Map();
  selected = 0;
  lanes = CACHES;
  #id = `lanes-${count++}`;
  /** @type {Map<string, SVGElement>} */ #pictures = new Map();

  /** @param {{select: (call: number) => void, open: (call: number) => void}} act */
  constructor(act) {
    this.act = act;
    this.names = h("div", { class: "lane-names", "aria-hidden": "true" });
    this.track = h("div", { class: "lane-track", role: "presentation" });
    this.box = h("div", { class: "lane-scroll", role: "listbox", tabindex: "0", "aria-label": "Calls", "aria-orientation": "horizontal",
      on: { keydown: (/** @type {KeyboardEvent} */ event) => this.#key(event), scroll: () => this.#later(), dblclick: () => this.act.open(this.selected) } }, this.track);
    this.eight = h("input", { type: "checkbox", id: `${this.#id}-eight`, on: { change: () => this.#lay(this.eight.checked ? STATIONS : CACHES) } });
    this.title = h("h2", { class: "lane-title", text: "Every call, every cache" });
    this.legend = h("p", { class: "lane-legend", "aria-hidden": "true" }, [["hit", "hit"], ["miss", "miss"], ["none", "not asked"], ["skipped", "skipped"]].map(([verdict, word]) =>
      h("span", { class: `v-${verdict}` }, verdict === "none" ? dot() : mark(/** @type {"hit"} */ (verdict)), word)));
    this.el = h("section", { class: "lanes", "aria-label": "Timeline", hidden: true },
      h("div", { class: "lane-head" }, this.title, this.legend, h("label", { class: "lane-eight", for: `${this.#id}-eight` }, this.eight, " all eight drawers")),
      h("div", { class: "lane-body" }, this.names, this.window = h("div", { class: "lane-window" }, this.box)));
    new ResizeObserver(() => this.#later()).observe(this.box);
  }

  /** @param {Call[]} calls @param {Cause[]} causes */
  render(calls, causes) {
    this.calls = calls;
    this.causes = causes;
    this.selected = 0;
    this.el.toggleAttribute("hidden", !calls.length);
    this.box.scrollLeft = 0;
    this.#lay(this.lanes);
  }

  /** @param {Lane[]} lanes */
  #lay(lanes) {
    this.lanes = lanes;
    fill(this.names, h("span", { class: "lane-line", text: "line" }), h("span", { class: "lane-shape", text: "call" }), lanes.map(({ name }) => h("span", { class: lanes === STATIONS ? "lane-code" : "", text: name })));
    this.track.style.setProperty("width", `${this.calls.length * COLUMN}px`);
    this.track.style.setProperty("height", `${(lanes.length + 2) * LANE}px`);
    this.track.replaceChildren();
    this.#shown.clear();
    this.#draw();
  }

  #waiting = false;
  #later() {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => { this.#waiting = false; this.#draw(); });
  }

  /** The columns in view, and a few around them. */
  #draw() {
    const { scrollLeft, clientWidth } = this.box, wide = this.calls.length * COLUMN;
    this.window.toggleAttribute("data-before", scrollLeft > 1);
    this.window.toggleAttribute("data-after", scrollLeft + clientWidth < wide - 1);
    const first = Math.max(0, Math.floor(scrollLeft / COLUMN) - AROUND);
    const last = Math.min(this.calls.length, Math.ceil((scrollLeft + clientWidth) / COLUMN) + AROUND);
    for (const [index, node] of this.#shown) {
      const active = index === this.selected - 1; // stays: the list points at it
      if ((index < first || index >= last) && !active) {
        node.remove();
        this.#shown.delete(index);
      }
    }
    const fresh = document.createDocumentFragment();
    for (let index = first; index < last; index++) if (!this.#shown.has(index)) fresh.append(this.#column(index));
    if (this.selected && !this.#shown.has(this.selected - 1)) fresh.append(this.#column(this.selected - 1));
    this.track.append(fresh);
  }

  /** @param {number} index */
  #column(index) {
    const call = this.calls[index], cause = this.causes[index], shape = shapeOf(cause);
    const node = h("div", { class: `lane-call is-${shape}${call.newProcess ? " new-process" : ""}${cause.eager ? " eager" : ""}`, role: "option", id: `${this.#id}-${index + 1}`,
      "aria-selected": String(index + 1 === this.selected), "aria-setsize": this.calls.length, "aria-posinset": index + 1, "aria-label": this.#name(call, cause), title: `${call.label}: ${cause.word}${more(call)}`,
      on: { click: () => this.act.select(index + 1) } },
    h("span", { class: "lane-line", text: call.line ?? "" }), this.#picture(shape, this.lanes.map(({ verdict }) => verdict(call)), Boolean(call.again)));
    node.style.setProperty("left", `${index * COLUMN}px`);
    this.#shown.set(index, node);
    return node;
  }

  /** Calls that did the same look the same: their picture is made once and copied.
   * @param {import("./marks.js").Shape} shape @param {import("../types.js").Verdict[]} verdicts @param {boolean} more */
  #picture(shape, verdicts, more) {
    const key = `${shape} ${verdicts.join()} ${more}`, known = this.#pictures.get(key) ?? picture(shape, verdicts, more);
    this.#pictures.set(key, known);
    return known.cloneNode(true);
  }

  /** @param {Call} call @param {Cause} cause */
  #name(call, cause) {
    return `Call ${call.ordinal ?? call.number}${call.line ? `, line ${call.line}` : ""}: ${call.label}. ${cause.word}${cause.state === "fast" ? "" : `, ${cause.title.toLowerCase()}`}${more(call)}`;
  }

  /** @param {number} number of the call that is shown elsewhere @param {boolean} scroll */
  select(number, scroll) {
    const before = this.#shown.get(this.selected - 1);
    before?.setAttribute("aria-selected", "false");
    this.selected = number;
    const left = (number - 1) * COLUMN, { scrollLeft, clientWidth } = this.box;
    if (scroll && (left < scrollLeft + COLUMN || left + 2 * COLUMN > scrollLeft + clientWidth)) this.box.scrollLeft = left - clientWidth / 2;
    this.#draw();
    this.#shown.get(number - 1)?.setAttribute("aria-selected", "true");
    if (number) this.box.setAttribute("aria-activedescendant", `${this.#id}-${number}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.box.clientWidth / COLUMN) - 1), last = this.calls.length;
    const to = { ArrowRight: this.selected + 1, ArrowLeft: this.selected - 1, Home: 1, End: last, PageDown: this.selected + page, PageUp: this.selected - page }[event.key];
    if (to !== undefined) this.act.select(Math.min(Math.max(to, 1), last));
    else if (event.key === "Enter" || event.key === " ") this.act.open(this.selected);
    else return;
    event.preventDefault();
  }
}

/** Calls like this one that are counted on it. @param {Call} call */
const more = ({ again }) => (again ? `, and ${again.toLocaleString("en")} more like it` : "");
