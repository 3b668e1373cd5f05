// The engine's own thread: Pyodide with the model inside, one request at a time.
//
// In:  {type: "boot", folder, wheel, plain}   then   {type: "run", request}
// Out: {type: "stage", text, fraction} · {type: "memory"} (the snapshot is here)
//      {type: "ready", way} · {type: "call", call} · {type: "done", answer} · {type: "broken", message}
//
// Booting from the memory snapshot is tried first. When that fails for any reason, Pyodide is
// booted the usual way; the page is told which way it was, and shows no difference.

import { place, unpack } from "./image.js";

/** @typedef {import("./image.js").Image} Image */

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

/** @param {{folder: string, wheel: string, plain?: boolean}} options */
async function boot(options) {
  folder = options.folder;
  stage("Fetching the engine", 0);
  const lock = fetch(`${folder}pyodide-lock.json`).then((response) => response.json());
  lock.catch(() => {});
  let way = "snapshot";
  try {
    if (options.plain) throw new Error("plain");
    pyodide = await fromSnapshot(lock);
  } catch {
    way = "plain";
    pyodide = await plain(lock, options.wheel);
  }
  stage("Ready", 1);
  post({ type: "ready", way });
}

/** The model is in the memory already: no library, no package. @param {Promise<any>} lock */
async function fromSnapshot(lock) {
  // Everything is fetched at once.
  const module = WebAssembly.compileStreaming(fetch(`${folder}fast/pyodide.asm.wasm`));
  const image = fetchSnapshot();
  for (const part of [module, image]) part.catch(() => {}); // whoever waits for it is told
  const scripts = Promise.all([import(`${folder}pyodide.mjs`), import(`${folder}fast/pyodide.asm.js`)]);
  const [{ loadPyodide }] = await scripts;
  const fresh = await given(module, image, async () => loadPyodide({
    indexURL: `${folder}fast/`,
    lockFileContents: lock.then((full) => ({ ...full, packages: {} })),
    packageBaseUrl: folder,
    env: { PYTHONHASHSEED: "0" },
    ...silent,
    _loadSnapshot: image.then(({ head }) => head),
  }));
  fresh.runPython("import random; random.seed(); from simulator import browser");
  return fresh;
}

/** Lets Pyodide take a module whose compilation has begun and a memory that is copied once, and
 * no library.
 * @param {Promise<WebAssembly.Module>} module @param {Promise<Image>} image @param {() => Promise<any>} body */
async function given(module, image, body) {
  const scope = /** @type {any} */ (self), { fetch, _createPyodideModule: create } = scope;
  const { instantiateStreaming } = WebAssembly;
  scope.fetch = async () => new Response();
  scope._createPyodideModule = async (/** @type {any} */ settings) =>
    create(Object.assign(settings, { INITIAL_MEMORY: (await image).size }));
  WebAssembly.instantiateStreaming = async (_, /** @type {any} */ imports) => {
    const { exports } = /** @type {any} */ (await WebAssembly.instantiate(await module, imports));
    const pieces = await image;
    const restored = { ...exports };
    restored.__wasm_call_ctors = () => {
      exports.__wasm_call_ctors(); // enters functions into the module's table
      place(pieces, imports.env.memory);
    };
    return /** @type {any} */ ({ module: await module, instance: { exports: restored } });
  };
  try {
    // Pyodide would wait for ever on a module that does not compile.
    return await Promise.race([body(), module.then(() => new Promise(() => {}))]);
  } finally {
    Object.assign(scope, { fetch, _createPyodideModule: undefined });
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}

/** The interpreter's memory, unpacked here so that any static host will do. */
async function fetchSnapshot() {
  const response = await fetch(`${folder}fast/memory.bin`);
  if (!response.ok || !response.body) throw new Error(`the snapshot is not there (${response.status})`);
  const [head, body] = response.body.tee();
  const reader = head.getReader();
  const { value } = await reader.read();
  reader.cancel().catch(() => {}); // settles only when both halves are done with
  // Some hosts send gzip files as such, and the browser has unpacked them already.
  const packed = value?.[0] === 0x1f && value?.[1] === 0x8b;
  stage("Unpacking the engine's memory", 0.5);
  const image = await unpack(packed ? body.pipeThrough(new DecompressionStream("gzip")) : body);
  post({ type: "memory" });
  return image;
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
