// Where Recordings come from: inline, a file, or the engine. Each history is run once.

import { check, RecordingError } from "./recording.js";

/** @typedef {import("./types.js").Recording} Recording */

export class Source {
  /** @type {Map<string, Promise<Recording>>} */ #runs = new Map();
  /** @type {{signal: AbortController, tell: (text: string) => void}} */ #now = { signal: new AbortController(), tell: () => {} };

  /** @param {HTMLElement} host the <jit-stack> element */
  constructor(host) {
    this.host = host;
    this.engine = host.getAttribute("engine");
  }

  /** @returns {Promise<Recording>} the baked Recording of this figure */
  async baked() {
    const inline = this.host.querySelector("script[data-recording]");
    if (inline) return check(parse(inline.textContent ?? "", "the recording in the page"));
    const src = this.host.getAttribute("src");
    if (!src) throw new RecordingError("This figure names no recording.");
    return check(await json(src));
  }

  /** @returns {Promise<import("./types.js").Kind[]>} */
  async kinds() {
    const inline = this.host.querySelector("script[data-kinds]"), src = this.host.getAttribute("kinds");
    if (!inline && !src) return [];
    try {
      const data = inline ? parse(inline.textContent ?? "", "the kinds in the page") : await json(/** @type {string} */ (src));
      return Array.isArray(data) ? data : data.kinds ?? [];
    } catch {
      return [];
    }
  }

  /** Remember a Recording for a history. @param {string[]} history @param {Recording} recording */
  know(history, recording) { this.#runs.set(history.join(), Promise.resolve(recording)); }

  /**
   * The Recording of a history, from the engine.
   * @param {string[]} history @param {(text: string) => void} [tell] progress in words
   * @returns {Promise<Recording>}
   */
  run(history, tell) {
    const key = history.join(), known = this.#runs.get(key);
    if (tell) this.#now.tell = tell;
    if (known) return known;
    if (!this.engine) return Promise.reject(new Error("There is no engine on this page."));
    const { signal } = this.#now.signal;
    const run = import(new URL(this.engine, document.baseURI).href)
      .then(({ runHistory }) => runHistory(history, { signal, onProgress: (/** @type {any} */ p) => this.#now.tell(typeof p === "string" ? p : p?.text ?? "") }))
      .then(check);
    this.#runs.set(key, run);
    // A failure is told where the run is awaited; the next try starts afresh.
    run.catch(() => this.#runs.delete(key));
    return run;
  }

  /** Stop whatever the engine is doing for this figure. */
  stop() {
    this.#now.signal.abort();
    this.#now = { signal: new AbortController(), tell: () => {} };
  }
}

/** @param {string} text @param {string} what */
function parse(text, what) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RecordingError(`${what} is not JSON: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string} src */
async function json(src) {
  let answer;
  try {
    answer = await fetch(new URL(src, document.baseURI).href);
  } catch {
    throw new RecordingError(`${src} could not be fetched.`);
  }
  if (!answer.ok) throw new RecordingError(`${src} could not be fetched (${answer.status}).`);
  return parse(await answer.text(), src);
}
