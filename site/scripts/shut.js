// Closes the engine's thread before a program runs in it: what it could reach the network, the
// browser's stores or other threads with is taken away, and so is what makes code of text.
//
// The policy of a page does not hold for its workers: theirs comes with their script, and a host that
// cannot send headers sends none. Python reaches this scope, whatever a program may import, so it is
// the scope that has to be empty. What stays is named here; anything else a browser has, or will have, goes.

const KEPT = new Set(`
  Object Array Number Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError
  ReferenceError SuppressedError SyntaxError TypeError URIError globalThis JSON Math Intl Map Set WeakMap WeakSet
  WeakRef FinalizationRegistry Proxy Reflect Iterator BigInt DataView ArrayBuffer SharedArrayBuffer Atomics
  Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array
  Float64Array BigInt64Array BigUint64Array DisposableStack AsyncDisposableStack parseFloat parseInt isFinite isNaN
  Infinity NaN undefined decodeURI decodeURIComponent encodeURI encodeURIComponent WebAssembly
  self constructor console performance crypto clearTimeout clearInterval queueMicrotask structuredClone atob btoa
  TextDecoder TextEncoder URL URLSearchParams AbortController AbortSignal DOMException Blob Response Headers
  Event EventTarget MessageEvent MessageChannel MessagePort onmessage addEventListener removeEventListener dispatchEvent
  WorkerGlobalScope DedicatedWorkerGlobalScope`.trim().split(/\s+/));

/** Changes the scope for good. @param {any} scope `self` of a worker */
export function shut(scope) {
  const { setTimeout, setInterval } = scope;
  for (let here = scope; here && here !== Object.prototype; here = Object.getPrototypeOf(here))
    for (const name of Object.getOwnPropertyNames(here)) if (!KEPT.has(name) && !Reflect.deleteProperty(here, name)) Reflect.set(here, name, undefined);
  // A text instead of a function would be run as code.
  const timed = (/** @type {any} */ timer) => (/** @type {unknown} */ task, /** @type {unknown[]} */ ...rest) =>
    typeof task === "function" ? timer(task, ...rest) : 0;
  Object.assign(scope, { setTimeout: timed(setTimeout.bind(scope)), setInterval: timed(setInterval.bind(scope)) });
  for (const made of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    const kind = Object.getPrototypeOf(made), { name } = kind.constructor;
    const none = { [name]() { throw new TypeError(`${name} makes no code of text here`); } }[name];
    Object.defineProperty(none, "prototype", { value: kind }); // Pyodide asks what is an instance of it
    Object.defineProperty(kind, "constructor", { value: none, writable: false });
    if (name === "Function") scope.Function = none;
  }
}
