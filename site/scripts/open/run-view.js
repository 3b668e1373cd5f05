// A recording, opened: what it is, what the misses cost, filters, the timeline, the call on show.

import { CauseRow, costs, filtered, Row, titleOf, totals } from "./rows.js";
import { Detail } from "../play/detail.js";
import { fill, h } from "../dom.js";
import { FIXES } from "../fixes.js";
import { Lanes } from "../play/lanes.js";
import { money } from "../cost.js";
import { showFigure } from "../play/figures.js";

/** @typedef {import("./rows.js").Filter} Filter */

const LEAST = [[0, "any"], [0.001, "1 ms or more"], [0.01, "10 ms or more"], [0.1, "0.1 s or more"], [1, "1 s or more"]];
/** Rows of the table of costs before "all of them". */
const ROWS = 12;
/** Milliseconds that a call has to be selected before it is asked for. */
const SHORT = 40;
const count = (/** @type {number} */ n) => n.toLocaleString("en");
const named = (/** @type {string} */ fun) => (fun === "<lambda>" ? "a lambda" : fun || "no function");

export class RunView {
  /** @type {Filter} */ filter = { fun: "", kind: "", least: 0 };
  /** @type {number[]} */ shown = [];
  /** @type {any[]} */ rows = [];
  /** @type {any[]} */ causes = [];
  selected = 0;
  /** @type {import("./source.js").Opened|null} */ found = null;

  /** @param {import("./source.js").Source} source @param {string} root */
  constructor(source, root) {
    this.source = source;
    const act = { root, select: (/** @type {number} */ row) => this.select(row), open: (/** @type {number} */ row) => this.open(row) };
    this.root = root;
    this.head = h("div", { class: "run-head" });
    this.costs = h("section", { class: "run-costs" });
    this.filters = h("form", { class: "run-filters", "aria-label": "Filter", on: { submit: (/** @type {Event} */ event) => event.preventDefault() } });
    this.lanes = new Lanes(act);
    this.detail = new Detail(act);
    this.calls = h("div", { class: "run-calls" }, this.filters, this.lanes.el, this.detail.el);
    this.el = h("div", { class: "run" }, this.head, this.costs, this.calls);
  }

  /** @param {import("./source.js").Opened} found */
  render(found) {
    this.found = found;
    const { table } = found;
    this.filter = { fun: "", kind: "", least: 0 };
    this.#head(found);
    this.calls.toggleAttribute("hidden", !table.length);
    const dear = costs(table);
    this.#costs(dear, false);
    this.#filters();
    this.#show(dear[0]?.worst ?? 0);
  }

  /** @param {import("./source.js").Opened} found */
  #head({ opened, table, lost }) {
    const { calls, fast, missed, estimated, kept } = totals(table), { run, program, jax, producer, devices } = opened;
    const whole = run?.seconds ? ` of ${money(run.seconds * 1e6)} in all` : "";
    const facts = [jax === "?" ? "of which JAX, the file does not say" : producer === "jax" ? `real JAX ${jax}` : `the model of JAX ${jax}`, devices > 1 && `${devices} devices`, run?.arguments.length && `arguments ${run.arguments.join(" ")}`, run && run.exit !== 0 && `exit status ${run.exit}`,
      run?.recorder !== undefined && run.recorder !== null && `watching took about ${money(run.recorder * 1e6)}`].filter(Boolean);
    const summed = !calls ? h("p", { class: "run-sum", text: lost ? "No call of it can be read." : "It holds no call." })
      : h("p", { class: "run-sum" }, h("b", { text: count(calls) }), calls === 1 ? " call: " : " calls: ", h("b", { class: "is-fast", text: count(fast) }), " answered by the fast path, ", h("b", { class: "is-again", text: count(calls - fast) }),
        ` not. ${estimated ? "The recording has no times; by typical prices those took about" : "Those took"} `, h("b", { text: money(missed * 1e6) }), `${whole}.`,
        kept < calls && ` ${count(kept)} calls were kept with their events; the others are counted on the one that they are like.`);
    fill(this.head, h("h2", { text: program.name }), h("p", { class: "run-facts", text: facts.join(" · ") }), summed,
      run?.limits.length > 0 && h("ul", { class: "run-limits" }, run.limits.map((/** @type {string} */ text) => h("li", { text }))));
  }

  /** @param {import("./rows.js").Cost[]} found @param {boolean} all */
  #costs(found, all) {
    const { table } = /** @type {import("./source.js").Opened} */ (this.found), dearest = found[0]?.seconds || 1, list = all ? found : found.slice(0, ROWS);
    this.costs.toggleAttribute("hidden", !found.length);
    const fixes = /** @type {Record<string, {fix: string, at: string}>} */ (FIXES);
    fill(this.costs, h("h2", { text: "What the misses cost", id: "run-costs" }), h("div", { class: "check-scroll", role: "region", "aria-labelledby": "run-costs", tabindex: "0" }, h("table", { class: "cost-table" },
      h("thead", {}, h("tr", {}, ["Function", "Cause", "Times", found.some(({ estimated }) => estimated) ? "Seconds, about" : "Seconds", "Usually right"].map((text) => h("th", { scope: "col", text })))),
      h("tbody", {}, list.map((cost) => {
        const bar = h("i", { class: "cost-bar", "aria-hidden": "true" }), { fix = "", at = "" } = fixes[cost.kind] ?? {};
        bar.style.setProperty("width", `${Math.max(1, 100 * (cost.seconds / dearest))}%`);
        return h("tr", {}, h("th", { scope: "row" }, h("button", { type: "button", class: "as-link", "aria-label": `Show the calls of ${named(cost.fun)}: ${titleOf(cost.kind)}`, on: { click: () => this.pick(cost) } }, h("code", { text: named(cost.fun) }))),
          h("td", {}, h("span", { text: titleOf(cost.kind) }), h("code", { class: "cost-label", text: table.texts[table.label[cost.worst]] })), h("td", { class: "num", text: count(cost.times) }),
          h("td", { class: "cost-cell num" }, bar, h("span", { text: seconds(cost.seconds) })), h("td", { class: "cost-fix" }, fix, fix && " ", at && h("a", { href: this.root + at, text: "Why" }, h("span", { class: "sr", text: `: ${titleOf(cost.kind)}` }))));
      })))), found.length > list.length && h("button", { type: "button", text: `All ${count(found.length)} rows`, on: { click: () => this.#costs(found, true) } }));
  }

  #filters() {
    const { table } = /** @type {import("./source.js").Opened} */ (this.found);
    const choices = (/** @type {Int32Array} */ column) => {
      const counts = new Map();
      for (const place of column) counts.set(place, (counts.get(place) ?? 0) + 1);
      return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 500).map(([place, n]) => ({ value: table.texts[place], n }));
    };
    const select = (/** @type {string} */ label, /** @type {"fun"|"kind"|"least"} */ name, /** @type {{value: string|number, text: string}[]} */ options) => {
      const field = h("select", { id: `filter-${name}`, on: { change: () => { this.filter = { ...this.filter, [name]: name === "least" ? Number(field.value) : field.value }; this.#show(); } } }, options.map(({ value, text }) => h("option", { value, text })));
      field.value = String(this.filter[name]);
      return h("p", {}, h("label", { for: `filter-${name}`, text: label }), field);
    };
    const cut = (/** @type {string} */ text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
    this.said = h("output", { class: "filter-said" });
    fill(this.filters, select("Function", "fun", [{ value: "", text: "every function" }, ...choices(table.fun).filter(({ value }) => value).map(({ value, n }) => ({ value, text: `${cut(named(value))} (${count(n)})` }))]),
      select("Cause", "kind", [{ value: "", text: "every cause" }, ...choices(table.kind).map(({ value, n }) => ({ value, text: `${titleOf(value)} (${count(n)})` }))]),
      select("Took", "least", LEAST.map(([value, text]) => ({ value: /** @type {number} */ (value), text: String(text) }))), this.said,
      h("button", { type: "button", text: "Show all", on: { click: () => { this.filter = { fun: "", kind: "", least: 0 }; this.#filters(); this.#show(); } } }));
  }

  /** The calls of one row of the costs. @param {import("./rows.js").Cost} cost */
  pick({ fun, kind, worst }) {
    this.filter = { fun, kind, least: 0 };
    this.#filters();
    this.#show(worst);
    this.lanes.el.scrollIntoView({ block: "nearest" });
    this.lanes.box.focus({ preventScroll: true });
  }

  /** @param {number} [place] of the row to stand at */
  #show(place) {
    const { table } = /** @type {import("./source.js").Opened} */ (this.found);
    this.shown = filtered(table, this.filter);
    this.rows = this.shown.map((at) => new Row(table, at));
    this.causes = this.shown.map((at) => new CauseRow(table, at));
    const some = this.shown.length < table.length ? `${count(this.shown.length)} of ` : "";
    if (this.said) this.said.textContent = `${some}${count(table.length)} ${table.length === 1 ? "call" : "calls"}`;
    this.lanes.render(this.rows, this.causes);
    this.select(this.shown.length ? Math.max(0, place === undefined ? 0 : this.shown.indexOf(place)) + 1 : 0);
  }

  /** @param {number} row among those shown, from 1; 0 for none */
  async select(row) {
    this.selected = row;
    this.lanes.select(row, true);
    this.detail.el.toggleAttribute("hidden", !row);
    if (!row) return;
    const at = this.shown[row - 1], mine = this.shown;
    // Whoever runs along the timeline is told of the call where they stop.
    await new Promise((resolve) => setTimeout(resolve, SHORT));
    if (this.selected !== row || this.shown !== mine) return;
    const { read, cause } = await this.source.call(at + 1);
    if (this.selected !== row || this.shown !== mine) return;
    const thin = new Row(/** @type {import("./source.js").Opened} */ (this.found).table, at), before = this.causes[row - 1];
    this.rows[row - 1] = { ...read, ordinal: thin.ordinal };
    this.causes[row - 1] = cause ?? { state: "fast", again: false, word: before.word, kind: "fast", title: before.title, sentence: FIXES.fast.say, fix: "", at: FIXES.fast.at, field: null, fun: before.fun, eager: before.eager, beside: 0 };
    this.detail.render(this.rows, this.causes, row, null);
  }

  /** The figure of a call. @param {number} row among those shown */
  async open(row) {
    if (!row) return;
    const number = this.shown[row - 1] + 1, { table } = /** @type {import("./source.js").Opened} */ (this.found);
    const { recording, first, last } = await this.source.part(number);
    showFigure(this.el, recording, { number, first, last, all: table.length });
  }
}

/** @param {number} s */
const seconds = (s) => (s >= 100 ? s.toFixed(0) : s >= 1 ? s.toFixed(2) : s >= 0.001 ? s.toFixed(3) : s.toFixed(6));
