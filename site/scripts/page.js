// What every full page runs: the figure element, the service worker, and the engine's head start.

import "./jit-stack.js";
import "./beside.js";
import "./contents.js";
import "./folds.js";
import "./reading.js";
import "./search.js";
import "./showing.js";
import "./states.js";
import "./stay.js";
import "./terms.js";
import { closed, whenInView } from "./leave.js";

const stacks = /** @type {HTMLElement[]} */ (closed ? [] : [...document.querySelectorAll("jit-stack[engine]")]);

/** Fetches and starts the engine before it is asked for; a failure shows when it is. */
function headStart() {
  const place = stacks[0]?.getAttribute("engine");
  if (!place) return;
  import(new URL(place, document.baseURI).href).then(({ prepare }) => prepare()).catch(() => {});
}

// On the lab page nearly every visit needs the engine; elsewhere it waits for a first touch.
// Readers who save data are never sent it unasked, nor is a frame that nobody has come to: a page may hold many.
const saving = /** @type {any} */ (navigator).connection?.saveData;
if (stacks.some((stack) => stack.hasAttribute("free")) && !saving) {
  addEventListener("load", () => whenInView(() => (window.requestIdleCallback ?? setTimeout)(headStart, /** @type {any} a frame may never be idle */ ({ timeout: 1000 }))), { once: true });
} else {
  for (const stack of stacks) {
    for (const touch of ["pointerdown", "keydown"]) stack.addEventListener(touch, headStart, { once: true });
  }
}

// Offline after the first visit. A browser may refuse; the page is the same without.
try {
  const script = document.querySelector("link[rel=manifest]")?.getAttribute("data-worker");
  if (script) navigator.serviceWorker?.register(new URL(script, document.baseURI)).catch(() => {});
} catch { /* a closed frame */ }
