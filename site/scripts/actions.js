// What the controls do: issue, change, walk through time, and hand out.

import { asPython, iframe, pageLink, writeLink } from "./share.js";
import { beginsWith, changesBefore, issues, sayAction, upTo } from "./history.js";
import { calm } from "./motion.js";
import { copy, copyBox, openDialog } from "./dialog.js";
import { drawerBody } from "./drawer.js";
import { entriesAt } from "./entries.js";
import { h } from "./dom.js";
import { helpBody } from "./controls.js";
import { openChoices } from "./change.js";
import { revealOf } from "./reveal.js";
import { sentence } from "./sentence.js";
import { way } from "./leave.js";

/** @param {import("./figure.js").Figure} fig */
export function actionsOf(fig) {
  const { timeline, player, source } = fig;
  const free = () => fig.host.hasAttribute("free") || timeline.branch.from !== null || fig.pending.length > 0;
  const lab = () => fig.host.hasAttribute("do") && Boolean(source.engine) && fig.kinds.length > 0;

  /** The call that was just issued falls; for readers who want less motion it has fallen. */
  const reveal = (/** @type {boolean} */ stepwise) => {
    fig.pending = [];
    fig.notice = "";
    fig.bets.close(timeline.branch.id, timeline.call);
    if (stepwise) fig.show();
    else if (calm()) timeline.goto(timeline.call);
    else player.play();
  };

  /** @param {string} action an issuing one @param {boolean} [stepwise] stand at its first beat */
  async function issue(action = "call", stepwise = false) {
    if (fig.busy) return;
    player.pause();
    if (fig.pending.length === 0 && !free() && action === "call" && timeline.more) {
      timeline.issue();
      return reveal(stepwise);
    }
    const wanted = [...upTo(timeline.branch.actions, timeline.call, fig.kinds), ...fig.pending, action];
    if (beginsWith(timeline.branch.actions, wanted) && timeline.more) {
      timeline.issue();
      return reveal(stepwise);
    }
    if (!lab()) return timeline.more ? (timeline.issue(), reveal(stepwise)) : fig.tell(`${timeline.now ? `${sentence(timeline.now)} ` : ""}There is no further call; Reset starts again.`);
    const recording = await fig.run(wanted);
    if (!recording) return;
    fig.once(() => {
      timeline.fork(recording, wanted);
      timeline.issue();
      reveal(stepwise);
    });
  }

  /** @param {string} action */
  function pick(action) {
    if (issues(action, fig.kinds)) return issue(action);
    player.pause();
    timeline.goto(timeline.call);
    fig.change([action]);
    fig.controls.issue.focus({ preventScroll: true });
  }

  function change() {
    player.pause();
    const recorded = timeline.calls.slice(timeline.call).map((call, i) => {
      const number = timeline.call + i + 1, said = changesBefore(timeline.branch.actions, number, fig.kinds).map((action) => sayAction(action, fig.kinds));
      return { title: fig.labelOf(call), text: said.length ? `Changes ${said.join(", then ")}.` : call.newProcess ? "In a new process." : "", choose: () => {
        fig.once(() => {
          while (timeline.call < number) timeline.issue();
          reveal(false);
        });
      } };
    });
    const full = fig.host.getAttribute("lab"), page = fig.host.getAttribute("page");
    const offerLab = full && !lab() && way(fig.host, full, "Open the lab to change anything else");
    openChoices(fig.host, fig.controls.change, {
      recorded: fig.host.hasAttribute("free") ? [] : recorded.slice(0, 12), kinds: lab() ? fig.kinds : [], pick: (action) => fig.once(() => pick(action)),
      more: offerLab || (page && !lab() ? way(fig.host, page, "Open the full page") : null),
      note: recorded.length || lab() ? "" : "This program has no further call. Back and the timeline go through it again.",
    });
  }

  const link = () => {
    const base = fig.host.getAttribute("lab") ?? location.href, known = timeline.branch.actions.length > 0;
    return known ? writeLink(base, [...upTo(timeline.branch.actions, timeline.revealed, fig.kinds), ...fig.pending], timeline.call)
      : pageLink(fig.host, timeline.call);
  };

  /** What Share says and gives; a recording that the reader brought has no address. */
  function shared() {
    const given = fig.host.getAttribute("link"), lede = (/** @type {string} */ text) => h("p", { class: "sheet-lede", text });
    if (given) return [lede("This address holds the text of the program. It runs only when Run is pressed."), copyBox(given, "Address")];
    if (!fig.host.hasAttribute("permalink")) return [lede("This recording is in your browser alone: no address opens it. Share the file that you opened, or copy the program.")];
    return [lede("This address opens the page at this history. It is data, never code."), copyBox(link(), "Address")];
  }

  const acts = {
    issue: () => issue(),
    change,
    play: () => {
      if (player.playing) return player.pause();
      fig.notice = "";
      if (timeline.length === 0) return issue();
      player.play();
    },
    step: () => {
      player.pause();
      fig.notice = "";
      if (timeline.step(1)) return fig.beat();
      return issue("call", true);
    },
    back: () => {
      player.pause();
      fig.notice = "";
      if (!timeline.step(-1)) fig.tell("This is the start: nothing has been called.");
    },
    nextCall: () => {
      player.pause();
      fig.notice = "";
      if (timeline.call < timeline.revealed) timeline.goto(timeline.call + 1);
      else if (!timeline.over) timeline.goto(timeline.call);
      else fig.tell(`${timeline.now ? `${sentence(timeline.now)} ` : ""}No later call was issued yet.`);
    },
    previousCall: () => { player.pause(); fig.notice = ""; timeline.goto(Math.max(0, timeline.call - 1)); },
    seek: (/** @type {number} */ flat) => { player.pause(); fig.notice = ""; timeline.seek(flat); },
    goto: (/** @type {number} */ call) => { player.pause(); fig.notice = ""; timeline.goto(call); },
    /** Stand where the text beside the figure is: the next call falls, any other is shown. */
    follow: (/** @type {number} */ call) => {
      const next = call === timeline.call + 1, to = Math.min(call, timeline.calls.length);
      if (fig.busy || timeline.current !== 0) return;
      player.pause();
      fig.notice = "";
      if (next && timeline.issue()) return reveal(false);
      timeline.branch.revealed = Math.max(timeline.revealed, to);
      timeline.goto(to);
    },
    select: (/** @type {number} */ id) => { player.pause(); fig.notice = ""; timeline.select(id); },
    speed: (/** @type {number} */ speed) => { player.speed = speed; },
    reset: () => {
      const nothing = !fig.busy && timeline.length === 0 && timeline.branches.length === 1 && !fig.pending.length && !fig.bets.open.some(Boolean);
      player.pause();
      source.stop();
      fig.pending = [];
      fig.notice = "";
      fig.bets.clear();
      timeline.reset();
      if (nothing) fig.tell("There is nothing to reset: no call was issued yet.");
    },
    bet: () => fig.focusBet(),
    open: (/** @type {number} */ f) => {
      player.pause();
      const item = fig.floors.items[f];
      const { now, over, beat } = timeline, drawers = entriesAt(timeline.calls, timeline.call, over);
      const known = now && (over || beat >= revealOf(now, timeline.beats(now.number)).floors[f]) ? now : null;
      openDialog(fig.host, item.floor.name, drawerBody(f, known, drawers), { class: "drawer-sheet", near: item.button });
    },
    python: async () => {
      const text = asPython(timeline.branch.recording, timeline.calls, timeline.revealed);
      if (await copy(text)) fig.tell("Copied: a program that runs on real JAX.");
      else openDialog(fig.host, "Copy as Python", [copyBox(text, "Program", 16)]);
    },
    share: () => openDialog(fig.host, "Share", shared(), { near: fig.controls.share }),
    embed: () => {
      const page = fig.host.getAttribute("page");
      const src = page ? new URL(page, document.baseURI).href : link();
      const lede = page ? "Works inside a sandboxed frame, without storage or network beyond its own file."
        : "allow-same-origin lets the frame start the model. It is safe: the frame keeps its own origin, which is not yours, and cannot reach your page.";
      openDialog(fig.host, "Embed", [h("p", { class: "sheet-lede", text: lede }),
        copyBox(iframe(src, `${fig.heading}: a call through the six caches of jax.jit`, !page), "HTML", 4)], { near: fig.controls.embed });
    },
    help: () => { openDialog(fig.host, "Keys", helpBody(), { near: fig.controls.help }); },
  };
  return /** @type {typeof acts} */ (Object.fromEntries(Object.entries(acts).map(([name, act]) =>
    [name, (/** @type {any[]} */ ...args) => fig.once(() => /** @type {(...args: any[]) => any} */ (act)(...args))])));
}
