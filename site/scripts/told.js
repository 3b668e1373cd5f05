// The blind-spot lane: what JAX's own tools would have said about this call, beside what happened.

import { fill, h } from "./dom.js";

/** The three tools on one call. @param {import("./types.js").Call} call @param {import("./types.js").Call[]} earlier the calls before it */
export function toldBy(call, earlier) {
  const before = earlier.findLast(({ process, main }) => process === call.process && main?.fun === call.main?.fun);
  // Work for any function: the log does not tell the call's own from that of others within it.
  const lines = call.log, works = call.events.flatMap((event) => (event.kind === "work" ? [event.work] : []));
  const explained = lines.filter((line) => line.includes("TRACING CACHE MISS"));
  const compiled = lines.filter((line) => /Finished |Compiling |Persistent compilation cache hit/.test(line));
  const heavy = ["lower", "compile", "load"].filter((work) => works.includes(work));
  const redone = works.includes("trace") || heavy.length > 0;
  const reason = explained.at(-1)?.split("\n").slice(1).map((line) => line.trim()).filter(Boolean) ?? [];
  const size = call.cache_size, was = before ? before.cache_size : 0;
  const grew = typeof size === "number" && typeof was === "number" && size > was;
  return [
    { tool: "explain_cache_misses", said: explained.length ? reasonOf(reason) : "nothing",
      blind: !explained.length && redone ? "yet this call was not free" : "" },
    { tool: "log_compiles", said: compiled.length ? `${compiled.length} ${compiled.length === 1 ? "line" : "lines"}` : "nothing",
      blind: compiled.some((line) => line.includes("Finished XLA compilation")) && !works.includes("compile") ? "says compiled; nothing was" : "" },
    { tool: "_cache_size()", said: typeof size === "number" ? (grew ? `${was} → ${size}` : String(size)) : "not asked here",
      blind: grew && !redone ? "grew, though nothing was compiled" : "" },
  ];
}

/** The last telling line of an explanation. @param {string[]} lines */
function reasonOf(lines) {
  const star = lines.find((line) => line.startsWith("*"));
  if (star) return star.slice(2);
  if (lines[0]?.startsWith("never seen")) return lines.some((line) => line.startsWith("but seen")) ? "never seen function (another one on the same line)" : "never seen function";
  return lines.at(-1) ?? "a line without a reason";
}

export class Told {
  constructor() {
    this.items = h("dl", { class: "told-items" });
    this.el = h("div", { class: "told" }, h("p", { class: "told-title", text: "What you would have been told" }), this.items);
  }

  /** @param {import("./types.js").Call|null} call @param {import("./types.js").Call[]} earlier @param {boolean} over @param {number|null} at veiled until this beat */
  render(call, earlier, over, at) {
    const rows = call && over ? toldBy(call, earlier) : [
      { tool: "explain_cache_misses", said: "–", blind: "" }, { tool: "log_compiles", said: "–", blind: "" }, { tool: "_cache_size()", said: "–", blind: "" }];
    fill(this.items, rows.map(({ tool, said, blind }) => h("div", { class: `told-item${blind ? " blind" : ""}`, data: { at } },
      h("dt", {}, h("code", { text: tool })), h("dd", {}, h("span", { class: "told-said", text: said }), blind && h("span", { class: "told-blind", text: blind })))));
  }
}
