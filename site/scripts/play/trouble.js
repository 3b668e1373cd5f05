// What to say when a run did not end well: what is missing, where, and the way on.

import { copyBox } from "../dialog.js";
import { h } from "../dom.js";

/** @typedef {{kind: string, message: string, line: number|null}} Failure */

/** The two commands that record the program on real JAX. */
const RECORD = `python -m simulator.live observe my_program.py
python -m simulator.live observe my_program.py --recording > run.json`;

/** @param {Failure} failure @returns {{title: string, text: string, advice: string}} */
export function read({ kind, message, line }) {
  const at = line ? ` at line ${line}` : "";
  if (kind === "refused") {
    const [, feature, advice] = /^OutOfScope: (.*?)(?: at line \d+)?: ([^:]*(?:: .*)?)$/s.exec(message) ?? [null, message, ""];
    const more = /simulator\.live/.test(advice) ? "" : `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`;
    return { title: `Outside the model${at}`, text: feature, advice: `The model does not cover this, and does not guess. ${more}`.trim() };
  }
  if (kind === "program") return { title: `The program failed${at}`, text: message.replace(/ \(line \d+\)$/, ""), advice: "" };
  if (kind === "timeout") return { title: "Stopped", text: message, advice: "A loop without end looks like this; so does very much work. The text is as it was." };
  return { title: "Not run", text: message, advice: "" };
}

/** @param {Failure} failure @param {number} calls issued before @param {(line: number) => void} show @param {string} root of the site */
export function trouble(failure, calls, show, root) {
  const { title, text, advice } = read(failure), { line, kind } = failure;
  return h("div", { class: `play-trouble is-${kind}`, role: "alert" },
    h("h2", {}, title), h("p", { class: "trouble-text" }, h("code", { text })),
    advice && h("p", { text: advice }),
    h("p", { text: calls ? `${calls === 1 ? "The call" : `The ${calls} calls`} issued before ${calls === 1 ? "is" : "are"} shown below.` : "No call was issued before." }),
    line !== null && h("p", {}, h("button", { type: "button", text: `Go to line ${line}`, on: { click: () => show(line) } })),
    kind === "refused" && h("details", { class: "trouble-record" }, h("summary", { text: "Record it on real JAX instead" }),
      h("p", { text: "Real JAX runs whatever it can run. In a checkout of this project, with JAX installed: the first line prints what happened, the second one keeps it." }),
      copyBox(RECORD, "Commands that record the program on real JAX", 2),
      h("p", {}, h("a", { href: `${root}open/`, text: "Open the recording" }), " in this browser, with the same timeline and figures.")));
}
