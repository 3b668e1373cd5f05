// The memory snapshot as it is sent: its pages that are not empty. `site/make/image.py` says how
// it is laid out.

/** The largest memory there can be; more means that the snapshot is damaged. */
const LARGEST = 2 ** 32;

/** What comes first: how large the memory is, and what Pyodide keeps beside it.
 * @typedef {{size: number, head: Uint8Array}} Beginning */
/** `runs` are pairs of place and length; `bytes` holds the runs one after another.
 * @typedef {{runs: Uint32Array, bytes: Uint8Array}} Pages */

/** @param {ReadableStream<Uint8Array>} stream @param {(beginning: Beginning) => void} begun
 * @returns {Promise<Pages>} */
export async function unpack(stream, begun) {
  const fill = filler(stream.getReader());
  const [count, size, length, total] = await numbers(fill, 4);
  if (!count || size > LARGEST || count + length + total > size) throw new Error("the snapshot is damaged");
  const runs = await numbers(fill, 2 * count);
  begun({ size, head: await fill(new Uint8Array(length)) });
  return { runs, bytes: await fill(new Uint8Array(total)) };
}

/** Copies everything to where it belongs. @param {Pages} pages @param {WebAssembly.Memory} memory */
export function place({ runs, bytes }, memory) {
  const target = new Uint8Array(memory.buffer);
  for (let i = 0, from = 0; i < runs.length; i += 2) {
    target.set(bytes.subarray(from, from += runs[i + 1]), runs[i]);
  }
}

/** @typedef {(target: Uint8Array) => Promise<Uint8Array>} Fill */

/** A function that fills an array with what comes next.
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader @returns {Fill} */
function filler(reader) {
  /** @type {Uint8Array} */
  let rest = new Uint8Array(0);
  return async (target) => {
    for (let at = 0; at < target.length; ) {
      if (!rest.length) {
        const { value, done } = await reader.read();
        if (done) throw new Error("the snapshot is cut off");
        rest = value;
      }
      const part = rest.subarray(0, target.length - at);
      target.set(part, at);
      rest = rest.subarray(part.length);
      at += part.length;
    }
    return target;
  };
}

/** @param {Fill} fill @param {number} count */
async function numbers(fill, count) {
  const { buffer } = await fill(new Uint8Array(4 * count));
  return new Uint32Array(buffer);
}
