// The sentence. Readers of text get the outcome at once, or the step they stand on; while the fall
// is played, eyes get a caption for each beat in the same place.

import { h } from "./dom.js";
import { sentence } from "./sentence.js";
import { WORDS } from "./words.js";

export class Status {
  constructor() {
    this.line = h("p", { class: "status", role: "status" });
    this.caption = h("p", { class: "caption", "aria-hidden": "true" });
    this.bets = h("p", { class: "bets-line" });
    this.el = h("div", { class: "say" }, this.line, this.caption, this.bets);
    this.notice = "";
  }

  /**
   * @param {{call: import("./types.js").Call|null, beats: import("./types.js").Beat[], beat: number, playing: boolean,
   *   over: boolean, settled: string}} view
   */
  render({ call, beats, beat, playing, over, settled }) {
    const caption = call && !over ? beats[beat - 1]?.caption ?? "" : "";
    const text = this.notice || (!call ? WORDS.sentence.start : over || playing ? sentence(call) : caption);
    if (this.line.textContent !== text) this.line.textContent = text;
    this.el.classList.toggle("telling", playing && !over && !this.notice);
    this.caption.textContent = playing ? caption : "";
    this.bets.textContent = over || playing ? settled : "";
    if (playing) this.bets.dataset.at = String(beats.length);
    else delete this.bets.dataset.at;
  }
}
