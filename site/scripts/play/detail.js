// One call, told: what it did, the field in the way, what is usually done, and what can be had of it.

import { cacheOf } from "../cause.js";
import { fill, h } from "../dom.js";
import { money } from "../cost.js";
import { icon, shapeOf } from "./marks.js";

/** @typedef {import("../types.js").Call} Call */
/** @typedef {import("../cause.js").Cause} Cause */

/** A sentence with code between backticks. @param {string} text */
export function rich(text) {
  return text.split(/`([^`]*)`/).map((part, i) => (i % 2 ? h("code", { text: part }) : part));
}

export class Detail {
  /** @param {{root: string, select: (call: number) => void, open: (call: number) => void, guard?: (call: number, near: HTMLElement) => void, line?: (line: number) => void}} act */
  constructor(act) {
    this.act = act;
    this.el = h("article", { class: "play-detail", hidden: true });
  }

  /** @param {Call[]} calls @param {Cause[]} causes @param {number} number 0: none @param {Node|null} more */
  render(calls, causes, number, more) {
    const call = calls[number - 1], cause = causes[number - 1];
    this.el.toggleAttribute("hidden", !call);
    if (!call) return;
    const near = dear(causes, number), { field } = cause;
    fill(this.el,
      h("div", { class: "detail-head" }, h("h2", { class: `is-${shapeOf(cause)}` }, icon(shapeOf(cause)), ` Call ${call.ordinal ?? number}: ${cause.word}`),
        h("div", { class: "detail-turn" }, this.#turn("‹", "Dear call before", near.before), this.#turn("›", "Dear call after", near.after))),
      h("p", { class: "detail-where" }, this.#place(call), " ", h("code", { text: call.label })),
      h("p", { class: "detail-sentence" }, rich(cause.sentence)),
      field && field.before !== field.now && this.#field(field, calls),
      cost(call) && h("p", { class: "detail-cost", text: cost(call) }),
      cause.beside > 0 && h("p", { class: "detail-beside", text: `Beside it, ${cause.beside === 1 ? "one other program was" : `${cause.beside} other programs were`} compiled in the same call.` }),
      call.exception && h("p", { class: "detail-error" }, h("code", { text: call.exception })),
      cause.fix && h("p", { class: "detail-fix" }, h("b", { text: "Usually right: " }), rich(cause.fix), " ", h("a", { href: `${this.act.root}${cause.at}`, text: "Why" }, h("span", { class: "sr", text: `: ${cause.title}` }))),
      h("div", { class: "detail-acts" }, h("button", { type: "button", text: "Open the figure", on: { click: () => this.act.open(number) } }),
        call.main && this.act.guard && h("button", { type: "button", text: "Guard for my tests", on: { click: (/** @type {Event} */ event) => this.act.guard?.(number, /** @type {HTMLElement} */ (event.currentTarget)) } })),
      more);
  }

  /** @param {Call} call */
  #place({ line, where }) {
    const { line: go } = this.act, text = where ? `${where}${line ? `, from line ${line}` : ""}` : line ? `line ${line}` : "";
    return go && line ? h("button", { type: "button", class: "as-link", text, on: { click: () => go(line) } }) : text;
  }

  /** @param {string} text @param {string} name @param {number} to */
  #turn(text, name, to) {
    return h("button", { type: "button", "aria-label": name, title: name, text, "aria-disabled": to ? null : "true", on: { click: () => to && this.act.select(to) } });
  }

  /** @param {import("../cause.js").Difference} field @param {Call[]} calls */
  #field(field, calls) {
    const of = calls.findLast(({ label }) => label === field.of);
    return h("dl", { class: "detail-field" },
      h("div", {}, h("dt", { text: "field" }), h("dd", {}, `${cacheOf(field)} · `, h("code", { text: field.name }))),
      h("div", { class: "now" }, h("dt", { text: "now" }), h("dd", {}, h("code", { text: field.now || "nothing" }))),
      h("div", {}, h("dt", { text: "stored" }), h("dd", {}, h("code", { text: field.before || "nothing" }), of && h("span", { class: "detail-of" }, " by ", h("code", { text: of.label })))));
  }
}

/** The nearest calls that did something again or raised. @param {Cause[]} causes @param {number} number */
function dear(causes, number) {
  const is = (/** @type {Cause} */ cause) => cause.again || cause.state === "raised";
  const after = causes.findIndex((cause, i) => i >= number && is(cause)) + 1;
  return { before: causes.findLastIndex((cause, i) => i < number - 1 && is(cause)) + 1, after };
}

/** What a call took, and those that were only counted on it. @param {Call} call */
function cost({ seconds, again, again_seconds: more }) {
  const took = seconds === undefined ? "" : `It came back after ${money(seconds * 1e6)}.`;
  const others = again ? ` ${again.toLocaleString("en")} more calls of this line went the same way${more ? ` and took ${money(more * 1e6)} together` : ""}; their events were not kept.` : "";
  return (took + others).trim();
}
