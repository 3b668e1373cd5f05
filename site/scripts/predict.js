// Predict first: a bet per floor on the next call, placed in the score's empty column.

import { fill, h, mark } from "./dom.js";
import { WORDS } from "./words.js";

/** @typedef {import("./types.js").Verdict} Verdict */
const ROUND = /** @type {(Verdict|null)[]} */ ([null, "hit", "miss", "none"]);

export class Predict {
  /** @type {Map<string, (Verdict|null)[]>} */ bets = new Map();

  clear() { this.bets.clear(); }

  /** The bets on a call, or null. @param {number} branch @param {number} call */
  of(branch, call) { return this.bets.get(`${branch}:${call}`) ?? null; }

  /** A button that goes round: no bet, hit, miss, not asked. @param {number} branch @param {number} call @param {number} f */
  button(branch, call, f) {
    const key = `${branch}:${call}`, name = WORDS.floors[f].name;
    const button = h("button", { type: "button", class: "bet-button", on: { click: () => {
      const bets = this.bets.get(key) ?? [null, null, null, null, null, null];
      bets[f] = ROUND[(ROUND.indexOf(bets[f]) + 1) % ROUND.length];
      this.bets.set(key, bets);
      draw();
    } } });
    const draw = () => {
      const bet = this.bets.get(key)?.[f] ?? null, word = bet ? WORDS.verdicts[bet] : "?";
      button.className = `bet-button ${bet ?? ""}`;
      button.setAttribute("aria-label", `Bet on ${name}: ${bet ? word : "no bet"}`);
      fill(button, bet && mark(bet), h("span", { class: "word", text: word }));
    };
    draw();
    return button;
  }

  /** What the settled bets came to, with the reason for each wrong one. @param {number} branch @param {import("./types.js").Call} call */
  settle(branch, call) {
    const bets = this.of(branch, call.number);
    const placed = bets ? bets.map((bet, f) => ({ bet, f })).filter(({ bet }) => bet) : [];
    if (!placed.length) return null;
    const wrong = placed.filter(({ bet, f }) => bet !== call.floors[f].verdict);
    const reasons = wrong.map(({ f }) => `${WORDS.floors[f].name}: ${WORDS.verdicts[call.floors[f].verdict]}. ${call.floors[f].why}`);
    return { text: `Your bets: ${placed.length - wrong.length} of ${placed.length} right.`, reasons };
  }
}
