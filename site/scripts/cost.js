// What a call costs, on a log scale: typical prices of the work it caused, so that 5 µs and 20 ms
// fit on one line. The seconds in a Recording of real JAX are not used: watching a call costs more
// than the call.

import { fill, h } from "./dom.js";

const LOW = 0, HIGH = 5.4; // powers of ten, microseconds: 1 µs … 250 ms

/** "8 µs", "1.2 ms", "0.3 s". @param {number} us microseconds */
export function money(us) {
  const show = (/** @type {number} */ x) => (x < 9.95 ? String(Math.round(x * 10) / 10) : x < 1000 ? String(Number(x.toPrecision(2))) : String(Math.round(x)));
  if (us < 1000) return `${show(us)} µs`;
  return us < 1e6 ? `${show(us / 1000)} ms` : `${show(us / 1e6)} s`;
}

/** Microseconds after the first `upto` beats. @param {import("./types.js").Beat[]} beats */
export function costOf(beats, upto = beats.length) {
  return beats.slice(0, upto).reduce((total, { cost }) => total + cost, 0);
}

/** Place on the scale, 0 to 1. @param {number} us */
function place(us) {
  return Math.max(0, Math.min(1, (Math.log10(Math.max(us, 1)) - LOW) / (HIGH - LOW)));
}

export class Cost {
  constructor() {
    this.title = h("span", { class: "cost-title" });
    this.label = h("span", { class: "cost-now" });
    this.times = h("span", { class: "cost-times" });
    this.earlier = h("span", { class: "cost-earlier" });
    this.needle = h("i", { class: "cost-needle" });
    this.scale = h("span", { class: "cost-scale", "aria-hidden": "true" },
      [1, 10, 100, 1e3, 1e4, 1e5].map((us) => {
        const tick = h("span", { class: "cost-tick" }, h("span", { text: money(us) }));
        tick.style.setProperty("left", `${place(us) * 100}%`);
        return tick;
      }), this.earlier, h("span", { class: "cost-track" }, this.needle));
    this.el = h("div", { class: "cost", title: "Typical prices on a small CPU machine: orders of magnitude." }, h("p", { class: "cost-text" }, this.title, " ", this.label, " ", this.times), this.scale);
  }

  /** @param {number|null} us the call on show, so far @param {boolean} over whether that is all @param {number[]} others the earlier calls */
  render(us, over, others) {
    this.title.textContent = us === null ? "cost of a call" : over ? "cost of this call" : "this call so far";
    this.label.textContent = us === null ? "nothing yet" : `≈ ${money(us)}`;
    const cheapest = Math.min(...others, us ?? Infinity);
    const times = us !== null && others.length ? us / cheapest : 0;
    this.times.textContent = times >= 10 ? `${Number(times.toPrecision(2)).toLocaleString("en")} × the cheapest` : "";
    this.needle.toggleAttribute("hidden", us === null);
    if (us !== null) this.needle.style.setProperty("transform", `translateX(${place(us) * 100}%)`);
    fill(this.earlier, others.map((other) => {
      const tick = h("i", { class: "cost-old" });
      tick.style.setProperty("left", `${place(other) * 100}%`);
      return tick;
    }));
  }
}
