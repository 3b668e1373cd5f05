// Presses every control of a figure, found by its role, and says in words what went wrong. Run in the
// page by pressing.py: `await pressAll(stack)`.

(() => {
  const CONTROLS = "button, a[href], input, select, textarea, summary, [role=button], [role=link], [role=tab], "
    + "[role=option], [role=checkbox], [role=radio], [role=switch], [role=slider], [role=spinbutton], [role=menuitem]";
  const TOLD = ["aria-current", "aria-selected", "aria-pressed", "aria-expanded", "aria-checked", "aria-label", "aria-valuetext", "open", "hidden", "data-off"];
  const STATED = [...TOLD.map((name) => `[${name}]`), "input", "select"].join();
  const WORD = /(?<![a-z])(hit|miss|not asked|skipped)(?![a-z])/g;
  const trouble = [];
  addEventListener("error", ({ message }) => trouble.push(`error: ${message}`));
  addEventListener("unhandledrejection", ({ reason }) => trouble.push(`rejected: ${reason}`));
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => trouble.push(`policy: ${violatedDirective} ${blockedURI}`));
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const visible = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length > 0;

  class Figure {
    constructor(stack, patience) {
      this.patience = patience;
      this.stack = stack;
      this.figure = stack.figure;
      this.el = stack.querySelector(".fig");
      this.tab = this.figure.tabs.shown;
      this.speed = this.figure.controls.speed.value;
      this.figure.controls.reset.click(); // a figure that shows its calls by itself is the reader's from now on
    }

    get dialog() { return [...this.stack.querySelectorAll("dialog[open]")].at(-1); }
    controls(within = this.el, only = "*") { return [...within.querySelectorAll(CONTROLS)].filter((node) => visible(node) && node.closest(only)); }

    /** All that a reader is told: texts, states of controls, and where the focus was taken. */
    told(pressed) {
      const roots = [this.el, ...this.stack.querySelectorAll("dialog[open]")], focus = document.activeElement;
      const states = roots.flatMap((root) => [...root.querySelectorAll(STATED)].map((node) =>
        TOLD.map((name) => node.getAttribute(name) ?? "").join() + (node.value ?? "")));
      const taken = focus !== pressed && this.stack.contains(focus) && focus !== this.stack ? focus.textContent + focus.className : "";
      return [...roots.map((root) => root.textContent), ...states, this.el.className, taken].join("\n");
    }

    /** What is wrong with the figure as it stands. */
    *wrong() {
      yield* trouble.splice(0);
      const status = this.el.querySelector("[role=status]"), box = this.el.getBoundingClientRect();
      if (!status?.textContent.trim()) yield "the status line is empty";
      if (box.width < 200 || box.height < 200) yield `the figure is ${box.width} by ${box.height}`;
      const items = [...this.el.querySelectorAll("[aria-label=Caches] > li")];
      if (items.length !== 6) yield `${items.length} caches`;
      for (const item of items) if (item.textContent.match(WORD)?.length !== 1) yield `no single verdict: ${item.textContent}`;
      if (document.querySelector("[aria-busy=true]")) yield "it stays busy";
      if (this.el.querySelector("[data-veil]") && !this.figure.player.playing) yield "something stays veiled";
    }

    /** As it was opened, or after so many calls at a step of the last. */
    async put([call, beat]) {
      for (const dialog of this.stack.querySelectorAll("dialog")) dialog.close();
      for (let ms = 0; this.stack.querySelector("dialog"); ms += 5) {
        if (ms > 5000) throw new Error("a dialog that was closed stays in the page");
        await pause(5);
      }
      const { act, bets, timeline, tabs, controls, player } = this.figure;
      player.pause();
      bets.clear();
      Object.assign(this.figure, { pending: [], notice: "", previewed: null });
      timeline.reset(false);
      tabs.show(this.tab);
      this.el.classList.remove("betting");
      if (controls.speed.value !== this.speed) {
        controls.speed.value = this.speed;
        act.speed(Number(this.speed));
      }
      timeline.branch.revealed = call;
      timeline.goto(call, beat ?? undefined);
      document.activeElement?.blur();
    }
  }

  const nameOf = (node) => (node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent ?? "").trim().replace(/\s+/g, " ");
  const label = (node) => `${node.getAttribute("role") ?? node.localName} "${nameOf(node).slice(0, 60)}"`;

  /** A control that changes nothing has to say that it stands so already, or why not. */
  function excused(node) {
    return node.getAttribute("aria-selected") === "true" || node.getAttribute("aria-current") === "step"
      || ((node.disabled || node.getAttribute("aria-disabled") === "true") && Boolean(node.title || node.getAttribute("aria-describedby")))
      || (node.matches("[type=range]") && node.max === node.min && Boolean(node.getAttribute("aria-valuetext")));
  }

  /** Where a hand would press it; words when something else lies there. */
  function place(node, block = "") {
    if (block) node.scrollIntoView({ block, inline: block, behavior: "instant" });
    const box = node.getClientRects()[0], x = box.left + box.width / 2, y = box.top + box.height / 2;
    const there = document.elementFromPoint(x, y);
    return { x, y, box, covered: there && node.contains(there) ? "" : `covered by ${there?.outerHTML.slice(0, 80) ?? "nothing"}` };
  }

  /** @param {(what: string, x: number, y: number) => Promise<void>} hand real input, where there is some */
  async function operate(node, { x, y, box }, hand) {
    node.focus({ preventScroll: true });
    if (node.matches("select")) {
      node.selectedIndex = (node.selectedIndex + 1) % node.options.length;
      node.dispatchEvent(new Event("change", { bubbles: true }));
    } else if (node.matches("[type=range]")) {
      const high = Number(node.value) * 2 > Number(node.max);
      if (hand) return hand("slide", box.left + box.width * (high ? 0.2 : 0.9), y);
      node.value = high ? node.min : node.max;
      node.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (hand) await hand("press", x, y);
    else node.click();
  }

  async function press(figure, node, found, hand) {
    const what = label(node), problems = [], before = figure.told(node);
    let spot = place(node);
    for (let ms = 0; ms < 500 && spot.covered; ms += 20) {
      spot = place(node, ms % 40 ? "center" : "nearest");
      if (spot.covered) await pause(20); // it may be on its way
    }
    found.pressed[what] = (found.pressed[what] ?? 0) + 1;
    if (!nameOf(node)) problems.push("it has no name");
    if (spot.covered) problems.push(spot.covered);
    if (node.matches("textarea")) {
      if (!node.value.trim()) problems.push("it is empty");
    } else if (node.matches("a[href]")) {
      found.links[node.href] = what;
    } else {
      const excuse = excused(node);
      await operate(node, spot, hand);
      for (let ms = 0; ms < 2000 && !excuse && figure.told(node) === before; ms += 5) await pause(5);
      while (figure.patience > 0 && document.querySelector("[aria-busy=true]")) {
        await pause(20);
        figure.patience -= 0.02;
      }
      if (!excuse && figure.told(node) === before) problems.push("it changed nothing and does not say why");
      if (!figure.stack.contains(document.activeElement)) problems.push(`the focus went to ${document.activeElement?.localName}`);
      problems.push(...figure.wrong());
    }
    return problems.map((problem) => `${what}: ${problem}`);
  }

  /** What was changed waits for its call, which is issued too. */
  async function called(figure, { textContent: choice }, found, hand) {
    if (!figure.figure.pending.length) return [];
    const problems = await press(figure, figure.figure.controls.issue, found, hand), { textContent: said } = figure.el.querySelector("[role=status]");
    if (!/^Call \d/.test(said)) problems.push(`the call says: ${said}`);
    found.called[choice] = (found.called[choice] ?? 0) + 1;
    return problems.map((problem) => `${choice}: ${problem}`);
  }

  /** @param {HTMLElement} stack a <jit-stack> that stands
   *  @param {Function|null} hand real input, where there is some
   *  @param {number} patience seconds that it may be busy, all in all */
  window.pressAll = async (stack, hand, patience) => {
    const figure = new Figure(stack, patience), problems = [], found = { pressed: {}, links: {}, called: {} }, { timeline } = figure.figure;
    // A script looks at nothing that is painted, which takes longest.
    if (!hand) document.documentElement.style.opacity = "0";
    const lengths = timeline.calls.map((call) => timeline.beats(call.number).length);
    for (const [state, { at, only }] of Object.entries(STATES)) {
      const where = at(lengths), put = () => figure.put(where);
      const tell = (list) => problems.push(...list.map((problem) => `${state}: ${problem}`));
      await put();
      const base = figure.told(null), labels = figure.controls(figure.el, only).map(label);
      const get = (i) => figure.controls(figure.el, only)[i];
      const back = async () => {
        document.activeElement?.blur();
        if (figure.told(null) !== base) await put();
      };
      for (let i = 0; i < labels.length; i++) {
        await back();
        if (!get(i) || label(get(i)) !== labels[i]) {
          tell([`${labels[i]} is not there again`]);
          continue;
        }
        tell(await press(figure, get(i), found, hand));
        const opened = figure.dialog && figure.controls(figure.dialog).map(label);
        for (let j = 0; opened && !only && j < opened.length; j++) {
          if (!figure.dialog) {
            await back();
            get(i).focus({ preventScroll: true });
            get(i).click();
            for (let ms = 0; ms < 2000 && !figure.dialog; ms += 5) await pause(5);
          }
          const node = figure.dialog && figure.controls(figure.dialog)[j];
          if (!node || label(node) !== opened[j]) tell([`${opened[j]} is not there again behind ${labels[i]}`]);
          else tell([...await press(figure, node, found, hand), ...await called(figure, node, found, hand)].map((problem) => `${labels[i]}, then ${problem}`));
        }
      }
      await put();
    }
    document.documentElement.style.opacity = "";
    return { problems, ...found };
  };

  // Every control where all of them are, and once more those that move through the calls at both ends.
  const last = (lengths) => [lengths.length, lengths.at(-1)];
  const STATES = {
    "in the middle": { at: (lengths) => { const call = Math.ceil(lengths.length / 2); return [call, Math.min(3, lengths[call - 1])]; } },
    "at the start": { at: () => [0], only: ".bar, .bet, .bet-head" },
    "at the end": { at: last, only: ".bar" },
  };
})();
