// The address of the lab follows what the reader does, so that a reload stands at the same actions.
// It holds the calls that were issued, what was changed before them, and what was changed since; a link
// that was opened stays until the reader leaves its history.

import { beginsWith, changesAfter, upTo } from "./history.js";
import { readLink } from "./share.js";

/** @typedef {import("./jit-stack.js").JitStack} JitStack */

/** @param {JitStack} stack */
function follow(stack) {
  const figure = stack.figure;
  if (!figure) return;
  const { timeline, kinds } = figure;
  let waiting = false;
  const write = () => {
    waiting = false;
    const done = [...upTo(timeline.branch.actions, timeline.revealed, kinds), ...figure.pending], asked = readLink(stack, kinds).actions;
    const written = asked.slice(0, asked.length - changesAfter(asked, kinds).length);
    const actions = beginsWith(written, done) ? written : done, url = new URL(location.href);
    for (const part of ["v", "do", "at"]) url.searchParams.delete(part);
    const others = url.search.slice(1), own = ["v=1", ...(actions.length ? [`do=${actions.join(",")}`] : []), `at=${timeline.call}`];
    url.search = [...own, ...(others ? [others] : [])].join("&");
    if (url.href === location.href) return;
    // A closed frame has no address of its own, and some browsers count how often it is written.
    try { history.replaceState(history.state, "", url); } catch { /* it stays as it is */ }
  };
  timeline.watch(() => {
    // Once for all that one act changes.
    if (!waiting) setTimeout(write);
    waiting = true;
  });
}

for (const stack of /** @type {NodeListOf<JitStack>} */ (document.querySelectorAll("jit-stack[free][permalink]"))) {
  stack.addEventListener("opened", () => follow(stack), { once: true });
}
