// Fetches and unpacks the engine's memory, on a thread of its own: meanwhile the engine's reads
// its scripts. Then it is over.
//
// In:  {address} and a port
// Out, through the port: {beginning} as soon as it is known, then {pages}; or {error}

import { unpack } from "./image.js";

self.onmessage = async ({ data, ports: [port] }) => {
  try {
    const stream = await fetchPacked(data.address);
    const pages = await unpack(stream, (beginning) => port.postMessage({ beginning }));
    port.postMessage({ pages }, [pages.runs.buffer, pages.bytes.buffer]);
  } catch (error) {
    port.postMessage({ error: String(error) });
  }
  self.close();
};

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
