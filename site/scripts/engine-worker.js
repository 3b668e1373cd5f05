// The engine's own thread: Pyodide with the model inside, one request at a time.
//
// In:  {type: "boot", folder, wheel, plain}, {type: "module", module|error}   then   {type: "run", request}
// Out: {type: "stage", text, fraction} · {type: "arrived"} (all that the snapshot needs)
//      {type: "ready", way} · {type: "call", call} · {type: "done", answer} · {type: "broken", message}
//
// Booting from the memory snapshot is tried first; its WebAssembly module comes from the page, which
// began to compile it before this thread was there. When that fails for any reason, Pyodide is booted
// the usual way; the page is told which way it was, and shows no difference.

import { arriving } from "./image.js";
import { compiled, starting } from "./interpreter.js";
import { shut } from "./shut.js";

/** @typedef {import("./image.js").Image} Image */

/** What programs print is not shown. */
const silent = { stdout: () => {}, stderr: () => {} };

/** @type {any} */
let pyodide = null;
let folder = "";

// Held here alone: a program finds neither in the scope.
const post = (/** @type {(message: any) => void} */ (self.postMessage)).bind(self), reach = self.fetch.bind(self);
const stage = (/** @type {string} */ text, /** @type {number} */ fraction) => post({ type: "stage", text, fraction });

/** @type {(module: WebAssembly.Module) => void} */
let given;
/** @type {(reason: Error) => void} */
let refused;
/** @type {Promise<WebAssembly.Module>} */
const module = new Promise((resolve, reject) => [given, refused] = [resolve, reject]);
module.catch(() => {}); // whoever waits for it is told

self.onmessage = async ({ data }) => {
  try {
    if (data.type === "boot") await boot(data);
    else if (data.module) given(data.module);
    else if (data.error) refused(new Error(data.error));
    else await run(data.request);
  } catch (error) {
    post({ type: "broken", message: String(error instanceof Error ? error.message : error) });
  }
};

/** @param {{folder: string, wheel: string, plain: boolean}} options */
async function boot(options) {
  folder = options.folder;
  stage("Fetching the engine", 0);
  const lock = quiet(readLock());
  let way = "snapshot";
  try {
    if (options.plain) throw new Error("plain");
    pyodide = await fromSnapshot(lock);
  } catch {
    way = "plain";
    pyodide = await plain(lock, options.wheel);
  }
  shut(self);
  stage("Ready", 1);
  post({ type: "ready", way });
}

/** Which packages there are. */
async function readLock() {
  const response = await fetch(`${folder}pyodide-lock.json`);
  if (!response.ok) throw new Error(`its list of packages is not there (${response.status})`);
  return response.json();
}

/** A promise that may fail before anybody waits for it. @template T @param {Promise<T>} promise */
function quiet(promise) {
  promise.catch(() => {});
  return promise;
}

/** The model is in the memory already: no library, no package. @param {Promise<any>} lock */
async function fromSnapshot(lock) {
  // Everything is fetched at once.
  const image = arriving(fetchPacked(`${folder}fast/memory.bin`));
  image.beginning.then(() => stage("Unpacking the engine's memory", 0.5), () => {});
  const scripts = Promise.all([import(`${folder}pyodide.mjs`), import(`${folder}fast/pyodide.asm.js`)]);
  Promise.all([image.ready, module, scripts, lock]).then(() => post({ type: "arrived" }), () => {});
  const [{ loadPyodide }] = await scripts;
  return restored(image, async () => loadPyodide({
    indexURL: `${folder}fast/`,
    lockFileContents: quiet(lock.then((full) => ({ ...full, packages: {} }))),
    packageBaseUrl: folder,
    env: { PYTHONHASHSEED: "0" },
    ...silent,
    _loadSnapshot: quiet(image.beginning.then(({ head }) => head)),
  }));
}

/** Lets Pyodide take a module whose compilation has begun, and a memory that is copied once.
 * @param {Image} image @param {() => Promise<any>} body */
async function restored(image, body) {
  const scope = /** @type {any} */ (self), { fetch, _createPyodideModule: create } = scope;
  scope.fetch = async () => new Response(); // the library, which is in the memory already
  scope._createPyodideModule = async (/** @type {any} */ settings) => {
    const { size } = await image.beginning;
    const made = await create(Object.assign(settings, { INITIAL_MEMORY: size }));
    await image.ready;
    made.API.rawRun = () => [0, ""]; // imports Pyodide's own module, which is in the memory already
    return made;
  };
  const start = async (/** @type {unknown} */ _, /** @type {any} */ imports) => {
    const { exports } = /** @type {any} */ (await WebAssembly.instantiate(await module, imports));
    const changed = { ...exports };
    changed.__wasm_call_ctors = () => {
      exports.__wasm_call_ctors(); // enters functions into the module's table
      image.place(imports.env.memory);
    };
    return /** @type {any} */ ({ module: await module, instance: { exports: changed } });
  };
  try {
    return await starting(start, body, Promise.all([module, image.ready]));
  } finally {
    Object.assign(scope, { fetch, _createPyodideModule: undefined });
  }
}

/** The interpreter's memory, unpacked here so that any static host will do.
 * @param {string} address @returns {Promise<ReadableStream<Uint8Array>>} */
async function fetchPacked(address) {
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Error(`the snapshot is not there (${response.status})`);
  const [head, body] = response.body.tee();
  const reader = head.getReader();
  const { value } = await reader.read();
  reader.cancel().catch(() => {}); // settles only when both halves are done with
  // Some hosts send gzip files as such, and the browser has unpacked them already.
  const packed = value?.[0] === 0x1f && value?.[1] === 0x8b;
  return packed ? body.pipeThrough(new DecompressionStream("gzip")) : body;
}

/** Pyodide's own way. @param {Promise<any>} lock @param {string} wheel */
async function plain(lock, wheel) {
  const [{ loadPyodide }, , contents] = await Promise.all([import(`${folder}pyodide.mjs`), import(`${folder}pyodide.asm.js`), lock]);
  stage("Fetching the Python library", 0.3);
  const start = async (/** @type {PromiseLike<Response>} */ source, /** @type {any} */ imports) => {
    const module = await compiled(await source);
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  const fresh = await starting(start, () => loadPyodide({
    indexURL: folder,
    lockFileContents: contents,
    packageBaseUrl: folder,
    env: { PYTHONHASHSEED: "0" },
    ...silent,
    packages: [wheel],
  }));
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
  const response = await reach(`${folder}python_stdlib.zip`);
  if (!response.ok) return false;
  pyodide.FS.writeFile(place, new Uint8Array(await response.arrayBuffer()));
  pyodide.runPython("import sys; sys.path_importer_cache.clear()");
  return true;
}
