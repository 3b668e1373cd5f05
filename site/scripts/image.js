// The memory snapshot as it is sent: its pages that are not empty. `site/make/image.py` says how
// it is laid out.

/** The largest memory there can be; more means that the snapshot is damaged. */
const LARGEST = 2 ** 32;

/** What comes first: how large the memory is, and what Pyodide keeps beside it.
 * @typedef {{size: number, head: Uint8Array}} Beginning */

/** A snapshot that is arriving. `ready` resolves when the last page is here; `place` copies what is
 * here to where it belongs, and whatever comes later as soon as it comes.
 * @typedef {{beginning: Promise<Beginning>, ready: Promise<void>, place: (memory: WebAssembly.Memory) => void}} Image */

/** @param {Promise<ReadableStream<Uint8Array>>} stream @returns {Image} */
export function arriving(stream) {
  /** @type {Uint8Array|null} */
  let target = null;
  /** @type {[number, Uint8Array][]} pages that came before there was a memory, and their places */
  let early = [];
  const put = (/** @type {number} */ at, /** @type {Uint8Array} */ bytes) => {
    if (target) target.set(bytes, at);
    else early.push([at, bytes]);
  };
  const all = stream.then((found) => start(take(found.getReader())));
  const beginning = all.then(({ beginning }) => beginning);
  const ready = all.then(({ pages }) => pages(put));
  for (const promise of [beginning, ready]) promise.catch(() => {}); // whoever waits is told
  const place = (/** @type {WebAssembly.Memory} */ memory) => {
    target = new Uint8Array(memory.buffer);
    for (const [at, bytes] of early) target.set(bytes, at);
    early = [];
  };
  return { beginning, ready, place };
}

/** @typedef {(count: number, use: (bytes: Uint8Array, at: number) => void) => Promise<void>} Take */

/** Reads what comes before the pages. @param {Take} take */
async function start(take) {
  const [count, size, length, total] = await numbers(take, 4);
  if (!count || size > LARGEST || count + length + total > size) throw new Error("the snapshot is damaged");
  const runs = await numbers(take, 2 * count);
  if (runs.some((at, i) => i % 2 === 0 && at + runs[i + 1] > size)) throw new Error("the snapshot is damaged");
  const head = await bytes(take, length);
  const pages = async (/** @type {(at: number, bytes: Uint8Array) => void} */ put) => {
    for (let i = 0; i < runs.length; i += 2) {
      await take(runs[i + 1], (part, at) => put(runs[i] + at, part));
    }
  };
  return { beginning: { size, head }, pages };
}

/** A function that hands on, part by part, the bytes that come next.
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader @returns {Take} */
function take(reader) {
  /** @type {Uint8Array} */
  let rest = new Uint8Array(0);
  return async (count, use) => {
    for (let at = 0; at < count; ) {
      if (!rest.length) {
        const { value, done } = await reader.read();
        if (done) throw new Error("the snapshot is cut off");
        rest = value;
      }
      const part = rest.subarray(0, count - at);
      use(part, at);
      rest = rest.subarray(part.length);
      at += part.length;
    }
  };
}

/** @param {Take} take @param {number} count */
async function bytes(take, count) {
  const all = new Uint8Array(count);
  await take(count, (part, at) => all.set(part, at));
  return all;
}

/** @param {Take} take @param {number} count */
async function numbers(take, count) {
  return new Uint32Array((await bytes(take, 4 * count)).buffer);
}
