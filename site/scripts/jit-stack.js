// <jit-stack>: a figure in a page. Attributes: see site/scripts/README.md.

import { Figure } from "./figure.js";
import { Source } from "./source.js";
import { beginsWith, changesAfter, issues } from "./history.js";
import { check } from "./recording.js";
import { h } from "./dom.js";
import { readLink } from "./share.js";

/** One figure of a page rehearses for all: they share their letters and their code. */
let rehearsed = false;

export class JitStack extends HTMLElement {
  #made = false;

  connectedCallback() {
    if (this.#made) return;
    this.#made = true;
    this.#make().catch((error) => this.#fail(error));
  }

  async #make() {
    const source = new Source(this), written = (this.getAttribute("do") ?? "").split(",").filter(Boolean);
    const [recording, kinds] = await Promise.all([source.baked(), source.kinds()]);
    const link = readLink(this, kinds);
    const figure = new Figure(this, source, recording, written, kinds);
    source.know(written, recording);
    this.figure = figure;
    this.append(figure.el);
    this.setAttribute("ready", "");
    new ResizeObserver(() => figure.fit()).observe(figure.el);
    figure.fit();
    figure.show();
    await this.#open(link, written, kinds);
    this.dispatchEvent(new CustomEvent("opened"));
    if (rehearsed) return;
    rehearsed = true;
    (window.requestIdleCallback ?? setTimeout)(() => figure.rehearse(Math.min(1, figure.timeline.calls.length)));
  }

  /** Go where the page or its address says. @param {import("./share.js").Link} link @param {string[]} written @param {import("./types.js").Kind[]} kinds */
  async #open(link, written, kinds) {
    const { figure } = this, { problems } = link;
    if (!figure) return;
    const { timeline } = figure;
    // A change at the end of a link is picked, and waits for its call.
    const picked = changesAfter(link.actions, kinds), issued = link.actions.slice(0, link.actions.length - picked.length);
    let calls = Infinity;
    if (link.actions.length && beginsWith(written, issued)) calls = issued.filter((action) => issues(action, kinds)).length;
    else if (link.actions.length) {
      const recording = await figure.run(issued);
      if (recording) {
        timeline.first = { recording: check(recording), actions: issued };
        timeline.reset();
      }
    }
    const at = link.at ?? (link.actions.length || this.getAttribute("at") === "end" ? calls : Number(this.getAttribute("at") ?? 0));
    const last = Math.min(calls, timeline.calls.length), goal = Math.min(at, last);
    if (link.at !== null && link.at > last) problems.push(`"at=${link.at}" is beyond the last call, which is ${last}`);
    timeline.branch.revealed = link.actions.length ? last : goal;
    timeline.goto(goal);
    if (picked.length && goal === last && beginsWith(timeline.branch.actions, issued)) figure.change(picked);
    if (problems.length) figure.tell(`About this link: ${problems.join("; ")}. ${figure.notice}`);
    if ((link.at !== null || problems.length) && this.dispatchEvent(new CustomEvent("linked", { detail: goal, cancelable: true }))) this.#bring();
  }

  /** Into view, for a reader who has not moved yet. */
  #bring() {
    const { top } = this.getBoundingClientRect();
    if (!scrollY && !location.hash && top > innerHeight / 2) this.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  /** @param {Error} error */
  #fail(error) {
    this.append(h("p", { class: "fig-error", role: "alert" }, `${error.message} The still picture stands in for the figure.`));
    this.setAttribute("failed", "");
  }
}

if (!customElements.get("jit-stack")) customElements.define("jit-stack", JitStack);
