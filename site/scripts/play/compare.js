// Two calls side by side: what would give the one the key of the other, tried on the model.

import { causesOf } from "../cause.js";
import { fill, h } from "../dom.js";
import { asked, distance, shortestChange } from "./shortest.js";
import { readCalls } from "../recording.js";
import { rich } from "./detail.js";

/** @typedef {import("../types.js").Call} Call */
/** @typedef {(text: string) => Promise<import("../types.js").Recording>} Run */

/** Most calls that can be chosen from. */
const CHOICES = 60;

/**
 * @param {Call[]} calls @param {import("../cause.js").Cause[]} causes @param {number} number of the call that is to become a hit
 * @param {string} text the program @param {Run} run @returns {Node|null} null where there is nothing to compare
 */
export function compareWith(calls, causes, number, text, run) {
  const call = calls[number - 1], cause = causes[number - 1];
  // What is done for the first time is owed to no difference; and only an earlier call has left an entry.
  const first = !cause.again && ["traced", "lowered", "compiled"].includes(cause.state);
  if (cause.state === "fast" || first || !asked(call)) return null;
  const others = calls.filter((other) => other.number < number && other.process === call.process && other.main?.fun === call.main?.fun && asked(other));
  if (!others.length) return null;
  const near = others.slice(-CHOICES);
  const stored = near.reduce((best, other) => (distance(other, call) <= distance(best, call) ? other : best));
  const nth = calls.filter((other) => alike(other, call, call.line)).indexOf(call);
  const id = `compare-${number}`, body = h("div", { class: "compare-body" });
  const choice = h("select", { id, on: { change: () => show() } }, near.map((other) => h("option", { value: other.number, selected: other === stored, text: `${other.number}${other.line ? `, line ${other.line}` : ""}: ${other.label.slice(0, 48)}` })));
  const show = () => answer(body, calls[Number(choice.value) - 1], call, nth, text, run, cause.fix);
  const box = h("details", { class: "compare", on: { toggle: () => box.open && !body.firstChild && show() } }, h("summary", { text: "Shortest change to a hit" }),
    h("p", { class: "compare-choice" }, h("label", { for: id, text: `What would let call ${number} hit the entry of call` }), " ", choice), body);
  return box;
}

/** @param {HTMLElement} body @param {Call} goal @param {Call} call @param {number} nth of its line @param {string} text @param {Run} run @param {string} fix */
function answer(body, goal, call, nth, text, run, fix) {
  const change = shortestChange(goal, call, text);
  if (!change) {
    fill(body, h("p", {}, "Their keys read the same on the fast path, so no argument needs to change. What helps: ", rich(fix)));
    return;
  }
  const said = h("p", { class: "compare-said", role: "status" });
  fill(body, h("ul", { class: "compare-steps" }, change.steps.map(({ name, say }) => h("li", {}, rich(`${say.charAt(0).toUpperCase()}${say.slice(1)}`), " ", h("span", { class: "compare-field" }, "field ", h("code", { text: name }))))),
    change.after !== null && h("pre", { class: "compare-diff", tabindex: "0", "aria-label": "The change, as text" }, h("del", {}, change.before.split("\n").map((line) => `- ${line}\n`).join("")), h("ins", {}, change.after.split("\n").map((line) => `+ ${line}`).join("\n"))), said);
  if (change.text === null) said.textContent = "Said by the fields of the two keys; it cannot be written as one change of this call, so it was not tried.";
  else tried(said, change, call, nth, run);
}

/** @param {HTMLElement} said @param {import("./shortest.js").Change} change @param {Call} call @param {number} nth @param {Run} run */
async function tried(said, change, call, nth, run) {
  said.textContent = "Running the program with this change …";
  try {
    const recording = await run(/** @type {string} */ (change.text)), calls = readCalls(recording), causes = causesOf(calls, recording.program.text);
    const same = calls.filter((other) => alike(other, call, (call.line ?? 0) + change.moved)), cause = same[nth] && causes[same[nth].number - 1];
    said.classList.toggle("is-hit", cause?.state === "fast");
    if (!cause) said.textContent = "With this change the program no longer makes this call.";
    else if (cause.state === "fast") said.textContent = `Tried on the model: with this change the call is answered by the fast path.`;
    else fill(said, `Tried on the model: with this change the call is still not a hit (${cause.word}). `, rich(cause.sentence));
    said.scrollIntoView({ block: "nearest" });
  } catch (error) {
    said.textContent = `Tried on the model, and the program with this change does not run: ${/** @type {Error} */ (error).message}`;
  }
}

/** @param {Call} other @param {Call} call @param {number|null} line */
const alike = (other, call, line) => other.line === line && other.process === call.process && other.main?.fun === call.main?.fun;
