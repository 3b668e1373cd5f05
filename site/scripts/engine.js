// The page's side of the engine: starts the worker when it is needed, runs one thing at a time,
// stops what runs too long, and starts afresh after that.

import { compiled } from "./interpreter.js";
import { isUnreached, unreached } from "./unreached.js";

/** @typedef {import("./types.js").Recording} Recording */
/** @typedef {{text: string, fraction: number}} Progress */
/** @typedef {{onProgress?: (progress: Progress) => void, signal?: AbortSignal, limit?: number}} Options */
/** @typedef {"timeout"|"refused"|"program"|"stopped"|"unavailable"} ErrorKind */

/** Seconds that one run may take. */
export const LIMIT = 20;

/** Seconds from the arrival of all that the memory snapshot needs after which it is given up. */
const PATIENCE = 15;

/** Seconds that an engine may take to start; one that took longer when the reader stops it may be dead,
 * and the next run begins with a new one. */
const STARTING = 60;

/** Where the engine lies: filled in by the build. */
const PLACE = { worker: __ENGINE_WORKER__, folder: __ENGINE_FOLDER__, wheel: __ENGINE_WHEEL__, baked: "../recordings/lab.json" };

/** What went wrong with a run, as data: a kind, a sentence, a line of the program if there is one,
 * and the calls that were issued before. */
export class EngineError extends Error {
  /** @param {ErrorKind} kind @param {string} message @param {{line?: number|null, recording?: Recording|null}} [more] */
  constructor(kind, message, { line = null, recording = null } = {}) {
    super(message);
    this.name = "EngineError";
    this.kind = kind;
    this.line = line;
    this.recording = recording;
  }
}

/** @type {{worker: Worker, ready: Promise<string>, since: number}|null} */
let current = null;
/** @type {"off"|"starting"|"ready"|"running"} */
let state = "off";
/** @type {Promise<unknown>} */
let queue = Promise.resolve();
/** @type {Set<(progress: Progress) => void>} */
const watchers = new Set();
let way = "";

/** @returns {"off"|"starting"|"ready"|"running"} */
export const engineState = () => state;

/** How the running engine was booted: "snapshot", "plain" or "" (not booted). */
export const engineWay = () => way;

/** Starts the engine ahead of its first use. @param {Options} [options] */
export function prepare(options = {}) {
  return watched(options, () => start().ready);
}

/** Runs a history of lab actions. What could not be read of it is left out and told in the
 * recording's `problems`. @param {string[]} history "kind" or "kind:choice" @param {Options} [options]
 * @returns {Promise<Recording>} @throws {EngineError} */
export async function runHistory(history, options) {
  return (await baked(history)) ?? enqueue({ history }, options);
}

/** Runs the text of a program. @param {string} text @param {Options & {name?: string}} [options]
 * @returns {Promise<Recording>} @throws {EngineError} */
export const runProgram = (text, options) => enqueue({ text, name: options?.name ?? "program.py" }, options);

/** @type {Promise<Record<string, Recording>>|null} */
let firsts = null;

/** The recording of a history that was run at build time, or null: then the engine runs it.
 * @param {string[]} history @returns {Promise<Recording|null>} */
async function baked(history) {
  try {
    firsts ??= fetch(new URL(PLACE.baked, import.meta.url)).then((response) => response.json());
    const found = (await firsts)[history.join()];
    return found ? structuredClone(found) : null;
  } catch {
    firsts = null;
    return null;
  }
}

/** @param {object} request @param {Options} [options] @returns {Promise<Recording>} */
function enqueue(request, options = {}) {
  const mine = queue.then(() => watched(options, () => perform(request, options)));
  queue = mine.catch(() => {});
  return mine;
}

/** @template T @param {Options} options @param {() => Promise<T>} body @returns {Promise<T>} */
async function watched({ onProgress }, body) {
  if (onProgress) watchers.add(onProgress);
  try {
    return await body();
  } finally {
    if (onProgress) watchers.delete(onProgress);
  }
}

/** @param {object} request @param {Options} options @returns {Promise<Recording>} */
async function perform(request, { signal, limit = LIMIT }) {
  goesOn(signal);
  const begun = start();
  try {
    await orStopped(begun.ready, signal);
  } catch (error) {
    if (current === begun && Date.now() - begun.since > STARTING * 1000) kill();
    throw error;
  }
  goesOn(signal); // the engine stood ready, and the stop came before this was told
  const { worker } = start();
  state = "running";
  /** @type {any[]} */
  const calls = [];
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => abandon(new EngineError("timeout",
      `The program was still running after ${limit} seconds and was stopped.`, { recording: partial(request, calls) })), limit * 1000);
    const stop = () => abandon(new EngineError("stopped", "The run was stopped.", { recording: partial(request, calls) }));
    signal?.addEventListener("abort", stop);
    const hear = (/** @type {MessageEvent} */ { data }) => {
      if (data.type === "call") calls.push(JSON.parse(data.call));
      if (data.type === "stage") tell(data);
      if (data.type === "broken") abandon(new EngineError("unavailable", whyBroken(data.message), { recording: partial(request, calls) }));
      if (data.type !== "done") return;
      const { recording, error, problems } = JSON.parse(data.answer);
      finish();
      state = "ready";
      if (error) reject(new EngineError(error.kind, error.message, { line: error.line, recording: recording ?? partial(request, calls) }));
      else resolve(problems.length ? { ...recording, problems } : recording);
    };
    worker.onmessage = (event) => {
      try {
        hear(event);
      } catch { // a program can break the model that it runs in
        abandon(new EngineError("unavailable", "The engine gave an answer that cannot be read.", { recording: partial(request, calls) }));
      }
    };
    worker.onerror = (/** @type {ErrorEvent} */ event) => abandon(new EngineError("unavailable", `The engine failed: ${event.message || "no reason given"}`));
    function finish() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
    function abandon(/** @type {EngineError} */ error) {
      finish();
      kill();
      reject(error);
    }
    worker.postMessage({ type: "run", request: JSON.stringify(request) });
  });
}

/** What ended the interpreter in the middle of a program: the next run gets a new one.
 * @param {string} message of the browser or of Pyodide */
function whyBroken(message) {
  if (/call stack|too much recursion/.test(message)) return "The program nests deeper than Python in a browser can follow.";
  if (/^Program terminated with exit/.test(message)) return "The program ended the interpreter that it ran in.";
  const last = message.trim().split("\n").at(-1); // Python's tracebacks end with what was raised
  return /^Traceback/.test(message) ? `The program broke the model that it ran in: ${last}` : `The engine failed: ${message}`;
}

/** The running engine, or a new one. */
function start() {
  // ?engine=plain leaves the snapshot out: for tests, and to find out what is wrong.
  return (current ??= launch(new URLSearchParams(location.search).get("engine") === "plain"));
}

/** @param {boolean} plain boot without the memory snapshot */
function launch(plain) {
  state = "starting";
  way = "";
  const here = new URL(".", import.meta.url);
  /** @type {Worker} */
  let worker;
  /** @type {Promise<string>} */
  const ready = new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ reason) => {
      kill();
      reject(new EngineError("unavailable", reason));
    };
    if (typeof WebAssembly === "undefined") return fail("The engine needs WebAssembly, which this browser has switched off.");
    const folder = new URL(PLACE.folder, here).href;
    try {
      worker = new Worker(new URL(PLACE.worker, here), { type: "module" });
      if (!plain) compile(new URL("fast/pyodide.asm.wasm", folder), worker);
    } catch {
      return fail("This page may not start the engine (it is probably shown inside a closed frame): open the full page for more.");
    }
    let timer = 0;
    worker.onmessage = ({ data }) => {
      if (data.type === "stage") tell(data);
      if (data.type === "broken") fail(notStarted(data.message));
      if (data.type === "arrived") timer = window.setTimeout(again, PATIENCE * 1000);
      if (data.type !== "ready") return;
      clearTimeout(timer);
      state = "ready";
      way = data.way;
      resolve(data.way);
    };
    worker.onerror = (event) => fail(notStarted(event.message || "its script could not be loaded"));
    worker.postMessage({ type: "boot", folder, wheel: PLACE.wheel, plain });
    // A snapshot that neither works nor fails: the same worker's place is taken by a plain one.
    const again = () => {
      if (current?.worker !== worker) return;
      worker.terminate();
      const other = launch(true);
      current = other;
      other.ready.then(resolve, reject);
    };
  });
  ready.catch(() => {});
  return { get worker() { return worker; }, ready, since: Date.now() };
}

/** @param {string} why in the browser's words */
const notStarted = (why) => (isUnreached(why) ? unreached() : `The engine could not be started: ${why}`);

/** Compiles the interpreter while its thread starts, and hands it on.
 * @param {URL} address @param {Worker} worker */
function compile(address, worker) {
  fetch(address).then(compiled).then(
    (module) => worker.postMessage({ type: "module", module }),
    (error) => worker.postMessage({ type: "module", error: String(error) }));
}

function kill() {
  current?.worker.terminate();
  current = null;
  state = "off";
}

function tell(/** @type {Progress} */ { text, fraction }) {
  for (const watcher of watchers) watcher({ text, fraction });
}

/** @param {AbortSignal} [signal] @throws {EngineError} when the run was stopped */
function goesOn(signal) {
  if (signal?.aborted) throw new EngineError("stopped", "The run was stopped.");
}

/** @template T @param {Promise<T>} promise @param {AbortSignal} [signal] @returns {Promise<T>} */
function orStopped(promise, signal) {
  if (!signal) return promise;
  return Promise.race([promise, new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(new EngineError("stopped", "The run was stopped.")), { once: true }))]);
}

/** What was issued before a run was cut off. @param {any} request @param {any[]} calls @returns {Recording|null} */
function partial(request, calls) {
  if (!calls.length) return null;
  const program = { name: request.name ?? "lab.py", text: request.text ?? "", processes: 1 };
  return { schema: 1, producer: "model", jax: "0.11.1", devices: 4, program, calls };
}
