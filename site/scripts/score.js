// The score: every call of a branch against every cache, as a real table. The line through a column
// is how far that call fell. The last column is empty: bets on the next call go there.

import { fill, h, mark } from "./dom.js";
import { lineAt, revealOf } from "./reveal.js";
import { wordOf } from "./verdicts.js";
import { WORDS } from "./words.js";
import { costOf, money } from "./cost.js";

/** @typedef {import("./timeline.js").Timeline} Timeline */

export class Score {
  /**
   * @param {{goto: (call: number) => void, select: (branch: number) => void, bet: () => void}} act
   * @param {import("./predict.js").Predict} predict
   * @param {string} heading of the figure: regions of one page need names of their own
   */
  constructor(act, predict, heading) {
    this.act = act;
    this.predict = predict;
    this.head = h("tr", {});
    this.body = h("tbody", {});
    this.foot = h("tr", { class: "cost-row" });
    this.table = h("table", { class: "score-table" }, h("caption", { class: "sr", text: "Every call, every cache" }),
      h("thead", {}, this.head), this.body, h("tfoot", {}, this.foot));
    this.branches = h("div", { class: "branches" });
    this.scroll = h("div", { class: "score-scroll", tabindex: "0", role: "region", "aria-label": `Score of calls: ${heading}` }, this.table, this.branches);
    this.el = h("div", { class: "score" }, this.scroll);
  }

  /**
   * @param {Timeline} timeline @param {boolean} playing @param {boolean} next whether bets may be placed
   * @param {(call: import("./types.js").Call) => string} labelOf
   */
  render(timeline, playing, next, labelOf) {
    const shown = timeline.calls.slice(0, timeline.revealed), bets = this.predict;
    const held = this.#held();
    const columns = shown.map((call) => ({ call, reveal: revealOf(call, timeline.beats(call.number)),
      now: timeline.call === call.number, bets: bets.of(timeline.branch.id, call.number) }));
    fill(this.head, h("th", { scope: "col", class: "corner" }, h("span", { class: "sr", text: "Cache" })),
      columns.map(({ call, now }) => h("th", { scope: "col", class: `${now ? "now" : ""}${call.newProcess ? " new-process" : ""}${call.number > timeline.call ? " later" : ""}` },
        h("button", { type: "button", class: "go-to", "aria-current": now ? "step" : null, title: labelOf(call),
          on: { click: () => this.act.goto(call.number) } },
        h("span", { class: "sr", text: "Go to call " }), String(call.number)), h("span", { class: "go-label", text: labelOf(call) }))),
      h(next ? "th" : "td", { scope: next ? "col" : null, class: "bet-head" }, next ? h("button", { type: "button", class: "bet-open", text: "your bet", on: { click: () => this.act.bet() } }) : ""), h("td", { class: "rest" }));
    fill(this.body, WORDS.floors.map(({ name }, f) => h("tr", {}, h("th", { scope: "row" }, h("span", { class: "row-number", "aria-hidden": "true", text: f + 1 }), h("span", { class: "row-name", text: name })),
      columns.map((column) => this.#cell(column, f, timeline, playing)),
      h("td", { class: "bet" }, next ? bets.button(f) : ""), h("td", { class: "rest" }))));
    fill(this.foot, h("th", { scope: "row" }, h("span", { class: "row-name", text: "cost" })), columns.map(({ call, now, reveal }) =>
      h("td", { class: now ? "now" : "", data: { at: now && playing ? reveal.end : null } }, now && !playing && !timeline.over ? "" : money(costOf(timeline.beats(call.number))))),
      h("td", { class: "bet" }), h("td", { class: "rest" }));
    this.#branches(timeline);
    if (held) this.#hold(held);
  }

  #buttons(/** @type {string} */ kind) { return /** @type {HTMLElement[]} */ ([...this.el.querySelectorAll(`button.${kind}`)]); }

  /** Its button that has the focus: one of which kind, and the how manyth of them. */
  #held() {
    const { activeElement: button } = document, kind = button?.localName === "button" && this.el.contains(button) && button.classList[0];
    return kind ? { kind, place: this.#buttons(kind).findIndex((one) => one === button) } : null;
  }

  /** What was drawn anew takes the focus over; without it the keys would be lost. @param {{kind: string, place: number}} held */
  #hold({ kind, place }) {
    const button = this.#buttons(kind)[place] ?? /** @type {HTMLElement|null} */ (this.el.closest(".fig"));
    button?.focus({ preventScroll: true });
  }

  /** @param {any} column @param {number} f @param {Timeline} timeline @param {boolean} playing */
  #cell({ call, reveal, now, bets }, f, timeline, playing) {
    const { verdict } = call.floors[f], at = reveal.floors[f];
    const shown = !now || playing || timeline.beat >= at;
    const line = lineAt(call, f, reveal.deepest);
    const part = (/** @type {"up"|"down"} */ way) => (!now || playing || timeline.beat >= reveal[way][f]) && line[way] !== "none"
      && h("i", { class: `line ${way}`, "aria-hidden": "true", data: { style: line[way], at: now && playing ? reveal[way][f] : null } });
    return h("td", { class: `${now ? "now " : ""}${call.newProcess ? "new-process " : ""}${call.number > timeline.call ? "later " : ""}v-${shown ? verdict : "none"}` }, part("up"), part("down"),
      shown && h("span", { class: "cell-body", data: { at: now && playing ? at : null } }, mark(verdict),
        h("span", { class: "word", text: wordOf(call.floors[f]) })),
      bets?.[f] && shown && h("span", { title: call.floors[f].why, class: `settled ${bets[f] === verdict ? "right" : "wrong"}`, data: { at: now && playing ? at : null } },
        bets[f] === verdict ? "✓" : "✗", h("span", { class: "sr", text: bets[f] === verdict ? " bet right" : ` bet ${WORDS.verdicts[/** @type {"hit"} */ (bets[f])]}, wrong: ${call.floors[f].why}` })));
  }

  /** The other branches, each a row of small falls under the columns of its calls, from its fork on. */
  #branches(/** @type {Timeline} */ timeline) {
    const others = timeline.branches.filter((branch) => branch !== timeline.branch);
    fill(this.branches, others.map((branch) => h("button", { type: "button", class: "branch", on: { click: () => this.act.select(branch.id) } },
      h("span", { class: "branch-name" }, `Branch ${branch.id + 1}`, h("span", { class: "sr", text: `, ${branch.revealed} calls. Go there` })),
      h("span", { class: "branch-falls", "aria-hidden": "true" }, branch.calls.slice(0, branch.revealed).map((call, i) =>
        h("span", { class: `mini${i < shared(branch, timeline.branch) ? " shared" : ""}`, title: call.label }, call.floors.map(({ verdict }) => h("i", { class: `pip ${verdict}` }))))))));
  }

  /** Keep the current column in view without moving the page. @param {number} call */
  see(call) {
    const cell = /** @type {HTMLElement|undefined} */ (this.head.children[call]);
    if (!cell || !call) { this.scroll.scrollLeft = 0; return; }
    const head = /** @type {HTMLElement} */ (this.head.children[0]).offsetWidth, next = cell.offsetWidth * 2;
    const left = cell.offsetLeft - head, right = cell.offsetLeft + next - this.scroll.clientWidth;
    if (this.scroll.scrollLeft > left) this.scroll.scrollLeft = left;
    else if (this.scroll.scrollLeft < right) this.scroll.scrollLeft = right;
  }
}

/** How many calls two branches have in common. @param {import("./types.js").Branch} a @param {import("./types.js").Branch} b */
function shared(a, b) {
  return b.from === a.id ? b.at : a.from === b.id ? a.at : Math.min(a.at, b.at);
}
