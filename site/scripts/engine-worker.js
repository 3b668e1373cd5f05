// The engine's own thread: Pyodide with the model inside, one request at a time.
//
// In:  {type: "boot", folder, wheel, plain}   then   {type: "run", request}
// Out: {type: "stage", text, fraction} · {type: "memory"} (the snapshot is here)
//      {type: "ready", way} · {type: "call", call} · {type: "done", answer} · {type: "broken", message}
//
// Booting from the memory snapshot is tried first. When that fails for any reason, Pyodide is
// booted the usual way; the page is told which way it was, and shows no difference.

/** What programs print is not shown. */
const silent = { stdout: () => {}, stderr: () => {} };

/** How a memory snapshot of Pyodide begins, and the least that it can be. */
const MAGIC = 0x706e7300, SMALLEST = 16 << 20;

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
  // Everything is fetched at once: memory, WebAssembly, scripts, lock file.
  const memory = options.plain ? Promise.reject(new Error("plain")) : fetchSnapshot();
  memory.catch(() => {});
  const module = options.plain ? Promise.reject(new Error("plain")) : WebAssembly.compileStreaming(fetch(fastModule()));
  module.catch(() => {});
  const lock = fetch(`${folder}pyodide-lock.json`).then((response) => response.json());
  lock.catch(() => {});
  const [{ loadPyodide }] = await Promise.all([import(`${folder}pyodide.mjs`), import(`${folder}pyodide.asm.js`)]);
  let way = "snapshot";
  try {
    if (options.plain) await memory;
    pyodide = await compiledAlready(module, () => fromSnapshot(loadPyodide, memory, lock));
  } catch {
    way = "plain";
    pyodide = await plain(loadPyodide, lock, options.wheel);
  }
  stage("Ready", 1);
  post({ type: "ready", way });
}

const fastModule = () => `${folder}fast/pyodide.asm.wasm`;

/** Lets Pyodide take a module whose compilation has begun, instead of fetching it when its own
 * scripts are there. @param {Promise<WebAssembly.Module>} module @param {() => Promise<any>} body */
async function compiledAlready(module, body) {
  const { fetch } = self, { instantiateStreaming } = WebAssembly;
  self.fetch = (address, options) => (address === fastModule() ? Promise.resolve(new Response()) : fetch(address, options));
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const compiled = await module;
    return { module: compiled, instance: await WebAssembly.instantiate(compiled, imports) };
  };
  try {
    // Pyodide would wait for ever on a module that does not compile.
    return await Promise.race([body(), module.then(() => new Promise(() => {}))]);
  } finally {
    self.fetch = fetch;
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
  const stream = packed ? body.pipeThrough(new DecompressionStream("gzip")) : body;
  const memory = new Uint8Array(await new Response(stream).arrayBuffer());
  // Pyodide checks the build, but waits for ever on memory that is too small for it.
  const whole = memory.length > SMALLEST && new DataView(memory.buffer).getUint32(0, true) === MAGIC;
  if (!whole) throw new Error("the snapshot is damaged");
  post({ type: "memory" });
  return memory;
}

/** The model is in the memory already: no library, no package.
 * @param {any} loadPyodide @param {Promise<Uint8Array>} memory @param {Promise<any>} lock */
async function fromSnapshot(loadPyodide, memory, lock) {
  const fresh = await loadPyodide({
    indexURL: `${folder}fast/`,
    stdLibURL: `${folder}fast/none.zip`,
    lockFileContents: lock.then((full) => ({ ...full, packages: {} })),
    packageBaseUrl: folder,
    env: { PYTHONHASHSEED: "0" },
    ...silent,
    _loadSnapshot: memory,
  });
  fresh.runPython("import random; random.seed(); from simulator import browser");
  return fresh;
}

/** Pyodide's own way. @param {any} loadPyodide @param {Promise<any>} lock @param {string} wheel */
async function plain(loadPyodide, lock, wheel) {
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
