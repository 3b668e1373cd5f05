// One figure: its parts, and how they are drawn from the timeline. `jit-stack.js` makes one of these.

import { Controls, listen } from "./controls.js";
import { Cost, costOf } from "./cost.js";
import { Floors } from "./floors.js";
import { Motion } from "./motion.js";
import { Player } from "./player.js";
import { Predict } from "./predict.js";
import { Program } from "./program.js";
import { Score } from "./score.js";
import { Status } from "./status.js";
import { Tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";
import { Told } from "./told.js";
import { actionsOf } from "./actions.js";
import { beginsWith, changesBefore, sayAction, shortly, upTo } from "./history.js";
import { entriesAfter } from "./entries.js";
import { h } from "./dom.js";
import { PHONE, arrange, gauge } from "./layout.js";
import { readCalls } from "./recording.js";
import { revealOf } from "./reveal.js";
import { way } from "./leave.js";

/** @typedef {import("./types.js").Call} Call */

export class Figure {
  /** @type {string[]} changes made since the last call */ pending = [];
  /** After which call they were made. */ changedAt = 0;
  /** @type {string} said until the next action */ notice = "";
  busy = false;
  /** All its calls were shown and nothing was done by hand: the next call is the first. */ again = false;
  /** @type {string} what is drawn now */ drawn = "";
  /** @type {{recording: import("./types.js").Recording, calls: Call[]}|null} */ previewed = null;
  /** How many actions are under way, and whether one of them changed what is shown. */ #acting = 0;
  #due = false;

  /**
   * @param {HTMLElement} host @param {import("./source.js").Source} source @param {import("./types.js").Recording} recording
   * @param {string[]} actions @param {import("./types.js").Kind[]} kinds
   */
  constructor(host, source, recording, actions, kinds) {
    this.host = host;
    this.source = source;
    this.kinds = kinds;
    this.heading = host.getAttribute("heading") ?? "A call through the six caches";
    this.timeline = new Timeline(recording, actions);
    this.bets = new Predict();
    this.player = new Player(this.timeline, { beat: (beat, ms) => this.#move(beat, ms), changed: () => this.show() });
    this.act = actionsOf(this);
    this.controls = new Controls(this.act);
    this.controls.embed.toggleAttribute("hidden", !host.hasAttribute("permalink"));
    this.status = new Status();
    this.floors = new Floors((f) => this.act.open(f));
    this.motion = new Motion(this.floors, (f) => this.score.el.querySelectorAll(`tbody tr:nth-child(${f + 1}) td.now .cell-body`));
    this.program = new Program(this.heading);
    this.cost = new Cost();
    this.told = new Told();
    this.score = new Score(this.act, this.bets, this.heading);
    this.tabs = new Tabs([["Program", [this.program.code, this.program.changed]], ["Log", [this.program.log]], ["Events", [this.program.events]]]);
    this.stage = h("div", { class: "stage" }, this.tabs.el, this.floors.el, this.score.el);
    /** @type {Call[]|null} those whose sentences have been measured */ this.gauged = null;
    this.el = this.#frame();
    this.timeline.watch(() => this.show());
    listen(this.el, this.act);
  }

  #frame() {
    const agree = this.host.getAttribute("agree"), check = this.host.getAttribute("check");
    const { jax, producer } = this.timeline.branch.recording;
    const truth = agree ? [h("b", { text: "✓" }), ` real JAX ${jax} agrees on ${agree.replace("/", " of ")} calls`] : [producer === "jax" ? `recorded from real JAX ${jax}` : `predicted by the model of JAX ${jax}`];
    return h("section", { class: "fig", "aria-label": this.heading, tabindex: "-1" },
      this.controls.el,
      h("div", { class: "top" }, this.status.el, this.cost.el),
      this.stage,
      this.told.el,
      h("footer", { class: "fig-foot" }, h("p", { class: "truth" }, check ? way(this.host, check, truth) : truth), this.controls.outs));
  }

  /** The label without the number that the lab writes before it. @param {Call} call */
  labelOf(call) { return call.label.replace(/^\d+\. /, ""); }

  /** What stands over a column: in the lab, what was changed last before the call. @param {Call} call */
  columnOf(call) {
    const change = changesBefore(this.timeline.branch.actions, call.number, this.kinds).at(-1);
    return change ? shortly(change, this.kinds) : this.labelOf(call);
  }

  /** Whether another call can be had, recorded or from the engine. */
  get canIssue() { return !this.busy && (this.timeline.more || Boolean(this.source.engine && this.host.hasAttribute("do"))); }

  /** Draw everything from the timeline, at once or when the action under way is done. */
  show() {
    this.#due = true;
    if (!this.#acting) this.#render();
  }

  /** Draws once what an action changes, however often it changes it. @template T @param {() => T} act @returns {T} */
  once(act) {
    this.#acting += 1;
    try {
      return act();
    } finally {
      this.#acting -= 1;
      if (!this.#acting) this.#render();
    }
  }

  #render() {
    if (!this.#due) return;
    this.#due = false;
    if (this.timeline.call !== this.changedAt) this.pending = []; // a change waits where it was made
    const { timeline, player } = this, { now: call, beat, over } = timeline, { playing } = player;
    const beats = timeline.beats(timeline.call), reveal = call ? revealOf(call, beats) : null;
    const key = `${this.busy}:${timeline.branch.id}:${timeline.branch.actions.length}:${timeline.call}:${playing}:${timeline.revealed}`;
    // While one call plays, only veils are lifted: nothing is built anew.
    const anew = !playing || key !== this.drawn;
    if (anew) this.#draw(call, beats, reveal);
    this.drawn = key;
    for (const node of this.el.querySelectorAll("[data-at], [data-veil]")) {
      node.toggleAttribute("data-veil", playing && Number(/** @type {HTMLElement} */ (node).dataset.at) > beat);
    }
    for (const item of this.floors.items) item.progress(playing, beat);
    const settled = call ? this.bets.settled(timeline.branch.id, call) : "";
    this.status.notice = this.notice;
    this.status.render({ call, beats, beat, playing, over, settled });
    const others = timeline.calls.slice(0, Math.max(timeline.call - 1, 0)).map((other) => costOf(timeline.beats(other.number)));
    this.cost.render(call ? costOf(beats, beat) : null, over, others);
    const next = timeline.calls[this.again ? 0 : timeline.revealed], canIssue = this.canIssue || this.again;
    this.controls.render({ flat: timeline.flat, length: timeline.length, playing,
      text: call ? `Call ${timeline.call} of ${timeline.revealed}, step ${beat} of ${beats.length}: ${beats[beat - 1]?.caption ?? ""}` : "Start",
      next: !timeline.rewound && next && !this.host.hasAttribute("free") ? this.labelOf(next) : "",
      canIssue, canStep: timeline.rewound || canIssue });
    // What measures comes last: the figure is laid out once.
    if (anew) for (const part of [this.score, this.program]) part.see(call ? timeline.call : 0);
    if (!playing) {
      this.motion.place(call && !over ? beats[beat - 1].floor : 0);
      this.floors.cab.classList.toggle("answered", over);
    }
  }

  /** @param {Call|null} call @param {import("./types.js").Beat[]} beats @param {ReturnType<typeof revealOf>|null} reveal */
  #draw(call, beats, reveal) {
    const { timeline } = this, { playing } = this.player, { beat, over } = timeline, end = playing ? beats.length : null;
    if (this.gauged && this.gauged !== timeline.calls) gauge(this); // a branch has calls of its own
    this.floors.render({ call, beat, playing, reveal, label: call ? this.labelOf(call) : "", drawers: entriesAfter(timeline.calls, timeline.call) });
    this.score.render(timeline, playing, this.canIssue && (timeline.call === timeline.revealed || this.pending.length > 0), (other) => this.columnOf(other));
    const preview = over && this.pending.length ? this.previewed : null;
    this.program.render({ recording: preview?.recording ?? timeline.branch.recording, calls: preview?.calls ?? timeline.calls, revealed: timeline.revealed, call,
      whole: !this.host.hasAttribute("do"), until: preview ? (preview.calls[timeline.call]?.line ?? 0) - 1 : 0 });
    this.program.renderLog(call, beats, beat, playing);
    this.program.renderChange(this.#changes(call));
    this.told.render(call, timeline.calls.slice(0, Math.max(timeline.call - 1, 0)), over || playing, end);
  }

  /** What was changed before the call on show, or since. @param {Call|null} call */
  #changes(call) {
    const { actions } = this.timeline.branch;
    const list = this.pending.length && this.timeline.over ? this.pending : call && actions.length ? changesBefore(actions, call.number, this.kinds) : [];
    return list.map((action) => sayAction(action, this.kinds)).join(", then ");
  }

  /** Show the beat under the reader's hand with its motion. */
  beat() {
    const beat = this.timeline.beats(this.timeline.call)[this.timeline.beat - 1];
    if (beat) this.#move(beat, Math.min(beat.ms, 600));
  }

  /** Motion starts from the picture of its beat. @param {import("./types.js").Beat} beat @param {number} ms */
  #move(beat, ms) {
    this.#render();
    this.motion.beat(beat, ms);
  }

  /**
   * Goes through calls that nobody issued yet, unseen and unsaid, and back to the start, where no change
   * waits. What the first call needs (its letters, its compiled code) is then there when it is issued.
   * @param {number} last @param {() => void} [look] what is measured at each of them
   */
  rehearse(last, look) {
    const { timeline, status } = this;
    if (timeline.revealed || this.pending.length) return;
    status.line.setAttribute("aria-live", "off");
    for (let call = last; call >= 0; call--) {
      timeline.branch.revealed = call;
      timeline.goto(call);
      look?.();
    }
    status.line.removeAttribute("aria-live");
  }

  /** @param {string} text */
  tell(text) {
    this.notice = text;
    this.show();
  }

  /** Run a history; null when it failed, and then the sentence says why. @param {string[]} history */
  async run(history) {
    this.busy = true;
    this.el.setAttribute("aria-busy", "true");
    const asking = "Asking the model … (Reset stops it)";
    this.tell(asking);
    try {
      const recording = await this.source.run(history, (text) => this.tell(text && text !== "Ready" ? `${text} …` : asking));
      this.notice = "";
      return recording;
    } catch (error) {
      const { message, line, kind } = /** @type {Error & {line?: number|null, kind?: string}} */ (error);
      this.notice = kind === "stopped" ? "" : `${message}${line && !message.includes(`line ${line}`) ? ` (line ${line})` : ""} What was issued before is still here.`;
      return null;
    } finally {
      this.busy = false;
      this.el.removeAttribute("aria-busy");
      this.show();
    }
  }

  /** Changes wait for the next call. @param {string[]} changes */
  change(changes) {
    this.pending.push(...changes);
    this.changedAt = this.timeline.call;
    this.tell(`You changed: ${changes.map((action) => sayAction(action, this.kinds)).join(", then ")}. Now issue a call.`);
    // Run ahead while the reader reaches for the button; a failure is told when the call is issued.
    const { actions } = this.timeline.branch, wanted = [...upTo(actions, this.timeline.call, this.kinds), ...this.pending, "call"];
    if (!beginsWith(actions, wanted)) this.source.run(wanted).then((recording) => this.#preview(recording, wanted), () => {});
  }

  /** The program as it will be, while a change waits for its call. @param {import("./types.js").Recording} recording @param {string[]} history */
  #preview(recording, history) {
    const wanted = history.slice(-1 - this.pending.length, -1).join();
    if (this.pending.join() !== wanted) return;
    this.previewed = { recording, calls: readCalls(recording) };
    this.show();
  }

  /** After a change of size. */
  fit() {
    arrange(this);
    gauge(this);
    this.motion.place();
  }

  /** Open the score for bets (it is small on a phone), or close it again. */
  focusBet() {
    const open = this.el.classList.toggle("betting"), phone = this.el.offsetWidth < PHONE;
    if (!open && phone) return;
    const button = /** @type {HTMLElement|null} */ (this.el.querySelector(".bet-button"));
    button?.focus({ preventScroll: true });
    if (phone) this.el.scrollIntoView({ block: "start" });
    else button?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
