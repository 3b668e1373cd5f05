// The engine's own thread: Pyodide with the model inside, one request at a time.
//
// In:  {type: "boot", folder, wheel, memory}   then   {type: "run", request}
// Out: {type: "stage", text, fraction} · {type: "memory"} (the snapshot is here)
//      {type: "ready", way} · {type: "call", call} · {type: "done", answer} · {type: "broken", message}
//
// Booting from the memory snapshot is tried first: it comes through the port `memory` (see
// engine-memory.js), if there is one. When that fails for any reason, Pyodide is booted the usual
// way; the page is told which way it was, and shows no difference.

import { place } from "./image.js";

/** @typedef {import("./image.js").Beginning} Beginning */
/** @typedef {import("./image.js").Pages} Pages */
/** @typedef {{beginning: Promise<Beginning>, pages: Promise<Pages>}} Memory */

/** What programs print is not shown. */
const silent = { stdout: () => {}, stderr: () => {} };

/** @type {any} */
let pyodide = null;
let folder = "";

const post = (/** @type {any} */ message) => self.postMessage(message);
const stage = (/** @type {string} */ text, /** @type {number} */ fraction) => post({ type: "stage", text, fraction });

self.onmessage = async ({ data }) => {
  try {
    if (data.type === "boot") await boot(data);
    else await run(data.request);
  } catch (error) {
    post({ type: "broken", message: String(error instanceof Error ? error.message : error) });
  }
};

/** @param {{folder: string, wheel: string, memory: MessagePort|null}} options */
async function boot(options) {
  folder = options.folder;
  stage("Fetching the engine", 0);
  const lock = fetch(`${folder}pyodide-lock.json`).then((response) => response.json());
  lock.catch(() => {});
  let way = "snapshot";
  try {
    if (!options.memory) throw new Error("plain");
    pyodide = await fromSnapshot(lock, arriving(options.memory));
  } catch {
    way = "plain";
    pyodide = await plain(lock, options.wheel);
  }
  stage("Ready", 1);
  post({ type: "ready", way });
}

/** The model is in the memory already: no library, no package.
 * @param {Promise<any>} lock @param {Memory} memory */
async function fromSnapshot(lock, memory) {
  // Everything is fetched at once.
  const module = WebAssembly.compileStreaming(fetch(`${folder}fast/pyodide.asm.wasm`));
  module.catch(() => {}); // whoever waits for it is told
  const scripts = Promise.all([import(`${folder}pyodide.mjs`), import(`${folder}fast/pyodide.asm.js`)]);
  const [{ loadPyodide }] = await scripts;
  const fresh = await given(module, memory, async () => loadPyodide({
    indexURL: `${folder}fast/`,
    lockFileContents: lock.then((full) => ({ ...full, packages: {} })),
    packageBaseUrl: folder,
    env: { PYTHONHASHSEED: "0" },
    ...silent,
    _loadSnapshot: memory.beginning.then(({ head }) => head),
  }));
  fresh.pyimport("random").seed();
  return fresh;
}

/** Lets Pyodide take a module whose compilation has begun, and a memory that is copied once.
 * @param {Promise<WebAssembly.Module>} module @param {Memory} memory @param {() => Promise<any>} body */
async function given(module, memory, body) {
  const scope = /** @type {any} */ (self), { fetch, _createPyodideModule: create } = scope;
  const { instantiateStreaming } = WebAssembly;
  /** @type {Pages} */
  let pages;
  const never = new Promise(() => {});
  const filled = memory.pages.then((all) => pages = all);
  // Pyodide does not run before it has its library: here, before it has its memory.
  scope.fetch = () => filled.then(() => new Response(), () => never);
  scope._createPyodideModule = async (/** @type {any} */ settings) =>
    create(Object.assign(settings, { INITIAL_MEMORY: (await memory.beginning).size }));
  WebAssembly.instantiateStreaming = async (_, /** @type {any} */ imports) => {
    const { exports } = /** @type {any} */ (await WebAssembly.instantiate(await module, imports));
    const restored = { ...exports };
    restored.__wasm_call_ctors = () => {
      exports.__wasm_call_ctors(); // enters functions into the module's table
      place(pages, imports.env.memory);
    };
    return /** @type {any} */ ({ module: await module, instance: { exports: restored } });
  };
  try {
    // Pyodide would wait for ever on a module that does not compile.
    return await Promise.race([body(), Promise.all([module, filled]).then(() => never)]);
  } finally {
    Object.assign(scope, { fetch, _createPyodideModule: undefined });
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}

/** The interpreter's memory, from the thread that unpacks it. @param {MessagePort} port @returns {Memory} */
function arriving(port) {
  /** @type {(kind: "beginning"|"pages") => Promise<any>} */
  const part = (kind) => new Promise((resolve, reject) =>
    port.addEventListener("message", ({ data }) => {
      if (data[kind]) resolve(data[kind]);
      if (data.error) reject(new Error(data.error));
    }));
  const memory = { beginning: part("beginning"), pages: part("pages") };
  memory.beginning.then(() => stage("Unpacking the engine's memory", 0.5), () => {}); // whoever waits is told
  memory.pages.then(() => post({ type: "memory" }), () => {});
  port.start();
  return memory;
}

/** Pyodide's own way. @param {Promise<any>} lock @param {string} wheel */
async function plain(lock, wheel) {
  const [{ loadPyodide }] = await Promise.all([import(`${folder}pyodide.mjs`), import(`${folder}pyodide.asm.js`)]);
  stage("Fetching the Python library", 0.3);
  const fresh = await loadPyodide({
    indexURL: folder,
    lockFileContents: lock,
    packageBaseUrl: folder,
    env: { PYTHONHASHSEED: "0" },
    ...silent,
    packages: [wheel],
  });
  stage("Starting the model", 0.8);
  fresh.runPython("from simulator import browser");
  return fresh;
}

/** @param {string} request JSON */
async function run(request) {
  let answer = ask(request);
  if (JSON.parse(answer).missing && (await fetchLibrary())) answer = ask(request);
  post({ type: "done", answer });
}

function ask(/** @type {string} */ request) {
  const entry = pyodide.pyimport("simulator.browser");
  try {
    return entry.answer(request, (/** @type {string} */ call) => post({ type: "call", call }));
  } finally {
    entry.destroy();
  }
}

/** A snapshot keeps no files: a program that imports what was not imported yet gets the library now. */
async function fetchLibrary() {
  const place = "/lib/python313.zip";
  if (pyodide.FS.analyzePath(place).exists && pyodide.FS.stat(place).size > 1000) return false;
  stage("Fetching the Python library", 0.5);
  const response = await fetch(`${folder}python_stdlib.zip`);
  if (!response.ok) return false;
  pyodide.FS.writeFile(place, new Uint8Array(await response.arrayBuffer()));
  pyodide.runPython("import sys; sys.path_importer_cache.clear()");
  return true;
}
