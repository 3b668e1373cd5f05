// The building: a roof with the call, six floors, the shaft with the cab.

import { fill, h, mark } from "./dom.js";
import { cells } from "./keys.js";
import { lineAt } from "./reveal.js";
import { wordOf } from "./verdicts.js";
import { WORDS } from "./words.js";

/** @typedef {import("./types.js").Call} Call */
/** @typedef {{call: Call|null, beat: number, playing: boolean, label: string, reveal: ReturnType<typeof import("./reveal.js").revealOf>|null,
 *   drawers: Record<string, import("./entries.js").Drawer>}} View */

/** Of so many calls the sentences are measured beforehand. */
const GAUGED = 200;

export class Floors {
  /** @param {(floor: number) => void} open asked to show a floor's drawers */
  constructor(open) {
    this.cabLabel = h("span", { class: "cab-number" });
    this.cab = h("span", { class: "cab", "aria-hidden": "true" }, this.cabLabel);
    this.title = h("span", { class: "roof-call" });
    this.door = h("span", { class: "door" });
    this.roof = h("div", { class: "roof" }, h("span", { class: "node roof-node", "aria-hidden": "true" }),
      h("div", { class: "roof-text" }, this.title, this.door),
      h("div", { class: "columns", "aria-hidden": "true" }, WORDS.groups.map((group) => h("span", { class: "column", text: group }))));
    this.items = WORDS.floors.map((floor, f) => new Item(floor, f, open));
    this.list = h("ol", { class: "floors", "aria-label": "Caches", role: "list" }, this.items.map(({ el }) => el));
    this.el = h("div", { class: "building" }, this.roof, this.list, this.cab);
  }

  /** @param {View} view */
  render(view) {
    const { call } = view;
    fill(this.title, call ? [h("span", { class: "roof-number", text: `call ${call.number}` }), " ", h("code", { text: view.label })]
      : h("span", { class: "roof-number", text: "no call yet" }));
    this.cabLabel.textContent = call ? String(call.number) : "";
    this.cab.toggleAttribute("hidden", !call);
    const prim = call?.main?.lookups.find(({ station }) => station === "prim");
    fill(this.door, prim && h("span", {}, "came in by the side door ", h("code", { text: `xla_primitive_callable(${prim.fun})` }),
      prim.outcome === "hit" ? ", known" : ", new"));
    this.items.forEach((item) => item.render(view));
  }

  /**
   * How many lines the longest sentence of these calls takes on its floor. No floor grows when it is said.
   * @param {Call[]} calls
   */
  linesOf(calls) {
    const all = new Map(WORDS.floors.map(({ holds }) => [holds, () => tellsOf(holds, [], true)]));
    for (const { floors } of calls.slice(0, GAUGED)) {
      for (const { why, works, deciding } of floors) all.set(`${why} ${works}`, () => tellsOf(why, works, !deciding?.key.length));
    }
    const gauge = h("div", { class: "gauge", "aria-hidden": "true" }, [...all.values()].map((tells) => tells()));
    this.el.append(gauge);
    const lines = [...gauge.children].map(({ firstChild: why }) => why.offsetHeight / parseFloat(getComputedStyle(why).lineHeight));
    gauge.remove();
    return Math.max(2, Math.round(Math.max(...lines)));
  }

  /** Centre of a floor's node, from the top of the building; 0 is the roof. @param {number} floor */
  at(floor) {
    const node = floor ? this.items[floor - 1].node : this.roof.firstElementChild;
    return node.getBoundingClientRect().top - this.el.getBoundingClientRect().top + node.offsetHeight / 2;
  }
}

/** What is said on a floor, to be measured. @param {string} why @param {string[]} works @param {boolean} keyless */
function tellsOf(why, works, keyless) {
  return h("div", { class: `tells${keyless ? " keyless" : ""}` }, h("p", { class: "why", text: why }), h("div", { class: "works" }, works.map((work) => workOf(work))));
}

class Item {
  /** @param {typeof WORDS.floors[number]} floor @param {number} f @param {(floor: number) => void} open */
  constructor(floor, f, open) {
    this.floor = floor;
    this.f = f;
    this.verdict = "start";
    this.at = 0;
    /** @type {import("./types.js").Lookup|null} */ this.deciding = null;
    this.node = h("span", { class: "node", "aria-hidden": "true", text: String(f + 1) });
    this.button = h("button", { class: "name", type: "button", title: "Look into its drawers", "aria-haspopup": "dialog", on: { click: () => open(f) } }, floor.name);
    this.vars = h("span", { class: "vars" });
    this.keys = h("div", { class: "keys" });
    this.why = h("p", { class: "why" });
    this.works = h("div", { class: "works" });
    this.tells = h("div", { class: "tells" }, this.why, " ", this.works);
    this.badge = h("span", { class: "badge" });
    this.tabs = h("span", { class: "tabs", "aria-hidden": "true" });
    this.up = h("i", { class: "line up", "aria-hidden": "true" });
    this.down = h("i", { class: "line down", "aria-hidden": "true" });
    // Spaces between the parts keep words apart for whoever reads the text alone.
    this.el = h("li", { class: "floor" }, this.up, this.down, this.node, " ",
      h("div", { class: "room" }, h("div", { class: "head" }, this.button, " ", this.vars), " ", this.keys), " ",
      h("div", { class: "side" }, this.badge, " ", this.tabs), " ", this.tells);
  }

  /** @param {View} view */
  render({ call, beat, playing, reveal, drawers }) {
    const { f } = this, floor = call?.floors[f];
    const at = reveal?.floors[f] ?? 0;
    const shown = Boolean(call && floor && (playing || beat >= at));
    const verdict = shown && floor ? floor.verdict : "none";
    this.verdict = this.el.dataset.room = call ? verdict : "start";
    this.at = at;
    this.progress(playing, beat);
    const veil = { data: { at: playing ? at : null } };
    fill(this.badge, h("span", { class: `badge-body ${verdict}`, ...veil }, mark(verdict), h("span", { text: shown && floor ? wordOf(floor) : WORDS.verdicts.none })));
    fill(this.vars, this.floor.stations.map((station) => this.#drawer(station, floor, shown, { playing, beat, reveal })));
    // The key appears with the lookup that decides, which may come before the floor's last one.
    this.deciding = floor?.deciding ?? null;
    const keyAt = Math.min(at, reveal?.lookups.get(this.deciding ?? {}) ?? at), keyShown = Boolean(floor && (playing || beat >= keyAt));
    fill(this.keys, keyShown && this.deciding?.key.length ? this.#cells(this.deciding, keyAt, playing) : []);
    this.why.textContent = keyShown && floor ? floor.why : call ? WORDS.why["none.yet"] : this.floor.holds;
    setAt(this.why, playing ? keyAt : null);
    this.tells.classList.toggle("keyless", !this.keys.firstChild);
    if (call && keyShown && !shown) this.el.dataset.room = "asked";
    fill(this.works, (floor?.works ?? []).map((work) => {
      const when = reveal?.works.get(work) ?? 0;
      return (playing || beat >= when) && workOf(work, playing ? when : null);
    }));
    this.#line(call, { playing, beat, reveal });
    this.#tabs(drawers, floor, { call, playing, beat, reveal });
  }

  /** While a call plays, floors it has not come to show no colours yet. @param {boolean} playing @param {number} beat */
  progress(playing, beat) {
    this.el.dataset.verdict = playing && this.at > beat ? "ahead" : this.verdict;
  }

  /** @param {string} station @param {any} floor @param {boolean} shown @param {any} time */
  #drawer(station, floor, shown, { playing, beat, reveal }) {
    const lookup = floor?.lookups.findLast((/** @type {any} */ l) => l.station === station);
    const at = lookup ? reveal.lookups.get(lookup) ?? 0 : 0;
    const visible = lookup && (playing || beat >= at);
    const state = visible ? (lookup.outcome === "hit" ? "hit" : "miss") : "none";
    const several = this.floor.stations.length > 1;
    const [name, owner] = WORDS.stations[/** @type {"hlo"} */ (station)].variable.split(".").reverse();
    return h("code", { class: `var var-${several ? state : "plain"}`, data: { station } },
      several && visible && h("span", { class: "var-mark", data: { at: playing ? at : null } }, mark(state)),
      owner && h("span", { class: "var-of", text: `${owner}.` }), `${name} `);
  }

  /** @param {import("./types.js").Lookup} lookup @param {number} at @param {boolean} playing */
  #cells(lookup, at, playing) {
    return cells(lookup).map(({ state, text }, group) => h("span", {
      class: `cell ${state}`, data: { at: playing ? at : null, group: WORDS.groups[group] },
      title: state === "absent" ? `Its key holds no ${WORDS.groups[group]}.` : null,
    }, state !== "absent" && `${text} `));
  }

  /** @param {Call|null} call @param {any} time */
  #line(call, { playing, beat, reveal }) {
    const style = call && reveal ? lineAt(call, this.f, reveal.deepest) : { up: "none", down: "none" };
    for (const way of /** @type {const} */ (["up", "down"])) {
      const at = reveal?.[way][this.f] ?? 0;
      this[way].dataset.style = playing || beat >= at ? style[way] : "none";
      setAt(this[way], playing ? at : null);
    }
  }

  /** @param {Record<string, import("./entries.js").Drawer>} drawers @param {any} floor @param {any} time */
  #tabs(drawers, floor, { call, playing, beat, reveal }) {
    const kept = this.floor.stations.flatMap((station) => drawers[station].kept);
    const held = floor?.deciding?.closest?.of;
    const few = kept.slice(-6);
    fill(this.tabs, few.map((entry) => {
      const fresh = call && entry.call === call.number && reveal;
      const used = floor?.verdict === "hit" && entry === kept.at(-1) && held !== undefined;
      if (fresh && !playing && beat < reveal.end) return null;
      return h("i", { class: `tab${entry.dead ? " dead" : ""}${fresh ? " fresh" : ""}${used ? " used" : ""}`, data: { at: fresh && playing ? reveal.end : null } });
    }), kept.length > 6 && h("span", { class: "tab-count", text: `${kept.length}` }));
  }
}

/** @param {string} work @param {number|null} at */
function workOf(work, at = null) {
  return h("span", { class: `work work-${work}`, data: { at }, text: `${WORDS.works[/** @type {"trace"} */ (work)]} ` });
}

/** @param {HTMLElement} node @param {number|null} at */
function setAt(node, at) {
  if (at === null) delete node.dataset.at;
  else node.dataset.at = String(at);
}

