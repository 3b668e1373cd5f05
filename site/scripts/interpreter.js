// The interpreter's WebAssembly module, from any static host.

/** Compiles it while it arrives. A browser without that, and a host that calls the file something
 * else, make it wait for the last byte: no more than that. @param {Response} response */
export async function compiled(response) {
  if (!response.ok) throw new Error(`the interpreter is not there (${response.status})`);
  const known = response.headers.get("content-type") === "application/wasm";
  if (known && "compileStreaming" in WebAssembly) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Runs `body`, which starts Pyodide, with `start` in the place of the browser's own way. Pyodide would
 * wait for ever on a module that does not start; here `body` fails then, or when `needed` does.
 * @param {(source: PromiseLike<Response>, imports: any) => Promise<WebAssembly.WebAssemblyInstantiatedSource>} start
 * @param {() => Promise<any>} body @param {Promise<unknown>} [needed] */
export async function starting(start, body, needed = Promise.resolve()) {
  const { instantiateStreaming } = WebAssembly, never = new Promise(() => {});
  /** @type {any} */
  let fail;
  const failed = new Promise((_, reject) => (fail = reject));
  needed.catch(fail);
  WebAssembly.instantiateStreaming = /** @type {any} */ ((/** @type {any} */ source, /** @type {any} */ imports) =>
    start(source, imports).catch((error) => (fail(error), never)));
  try {
    return await Promise.race([body(), failed]);
  } finally {
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}
