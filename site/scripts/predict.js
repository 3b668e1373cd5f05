// Predict first: a bet per floor on the next call, placed in the score's empty column and settled
// in place. Why a bet was wrong stands on the floor itself, and in the settled cell.

import { fill, h, mark } from "./dom.js";
import { WORDS } from "./words.js";

/** @typedef {import("./types.js").Verdict} Verdict */
/** @typedef {(Verdict|null)[]} Bets one per floor */
const ROUND = /** @type {Bets} */ ([null, "hit", "miss", "none"]);
const empty = () => /** @type {Bets} */ ([null, null, null, null, null, null]);

export class Predict {
  /** @type {Bets} on the next call */ open = empty();
  /** @type {Map<string, Bets>} */ #placed = new Map();

  clear() {
    this.open = empty();
    this.#placed.clear();
  }

  /** The next call was issued: its bets stand. @param {number} branch @param {number} call */
  close(branch, call) {
    if (this.open.some(Boolean)) this.#placed.set(`${branch}:${call}`, this.open);
    this.open = empty();
  }

  /** The bets on an issued call, or null. @param {number} branch @param {number} call */
  of(branch, call) { return this.#placed.get(`${branch}:${call}`) ?? null; }

  /** A button that goes round: no bet, hit, miss, not asked. @param {number} f */
  button(f) {
    const { name } = WORDS.floors[f];
    const button = h("button", { type: "button", on: { click: () => {
      this.open[f] = ROUND[(ROUND.indexOf(this.open[f]) + 1) % ROUND.length];
      draw();
    } } });
    const draw = () => {
      const bet = this.open[f], word = bet ? WORDS.verdicts[bet] : "?";
      button.className = `bet-button ${bet ?? ""}`;
      button.setAttribute("aria-label", `Bet on ${name}: ${bet ? word : "no bet (?)"}`);
      fill(button, bet && mark(bet), h("span", { class: "word", text: word }));
    };
    draw();
    return button;
  }

  /** "Your bets: 4 of 6 right.", or an empty text. @param {number} branch @param {import("./types.js").Call} call */
  settled(branch, call) {
    const placed = (this.of(branch, call.number) ?? []).map((bet, f) => bet && bet === call.floors[f].verdict).filter((right) => right !== null);
    return placed.length ? `Your bets: ${placed.filter(Boolean).length} of ${placed.length} right.` : "";
  }
}
