// What a page says where it can do less than it should. A frame without an origin starts no worker, and
// so no model. Where the host keeps such a frame from its modules too (see site/_headers), or a module
// is lost on its way, no script runs but this one, and still pictures stand in.

(() => {
  const closed = origin === "null";
  /** What needs more than such a frame allows, and what is said of it. @type {Record<string, string>} */
  const NEEDS = {
    "jit-stack[free]": "In this frame the model cannot run: calls and changes that were recorded play, no others do.",
    ".playground": "In this frame no program can be run.",
    ".open": "In this frame no file can be read.",
  };
  let lost = false;
  /** @type {HTMLElement|null} */ let said = null;

  function look() {
    said?.remove();
    const moves = lost && document.querySelector("jit-stack, .playground, .open, .search");
    const need = Object.keys(NEEDS).find((tool) => closed && document.querySelector(tool));
    if (lost || need === ".open") still();
    if (moves) tell(document.querySelector("main > *"), `${closed ? "This frame keeps the scripts of the page out" : "The scripts of this page did not come"}: what needs them is a still picture, or is not here.`);
    else if (need) tell(document.querySelector(need), NEEDS[need]);
  }

  /** @param {Element|null} near @param {string} text */
  function tell(near, text) {
    said = document.createElement("p");
    said.className = "less";
    said.setAttribute("role", "status");
    const link = document.createElement("a");
    link.href = link.textContent = location.href; // in full: where the frame opens no tab, it can be copied
    if (closed) [link.target, link.rel] = ["_blank", "noopener"];
    said.append(`${text} ${closed ? "The whole page works in a tab:" : "Try again:"} `, link);
    near?.closest("main > *")?.before(said);
  }

  /** Nothing is waited for any longer, and what nobody reads takes no text. */
  function still() {
    document.documentElement.dataset.still = "";
    for (const area of document.querySelectorAll("textarea")) area.readOnly = true;
  }

  addEventListener("DOMContentLoaded", look);
  addEventListener("error", ({ target }) => {
    if (!(target instanceof HTMLScriptElement) || target.type !== "module") return;
    lost = true;
    if (document.readyState !== "loading") look();
  }, true);
})();
