// A link to a program: its text, compressed, behind the # of the address, so that no server sees it.
//
//   #v=1&text=<base64url of raw deflate of UTF-8>

/** Longest program, in characters, and longest link that is read. */
export const LONGEST_TEXT = 60_000, LONGEST_LINK = 60_000;

/** What a link could not say; the message is a sentence for people. */
export class LinkError extends Error {}

/** @param {string} base @param {string} text @returns {Promise<string>} @throws {LinkError} */
export async function writeLink(base, text) {
  if (text.length > LONGEST_TEXT) throw new LinkError(`The program has ${text.length} characters; a link holds up to ${LONGEST_TEXT}.`);
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), Infinity);
  const url = new URL(base);
  url.hash = `v=1&text=${toBase64(packed)}`;
  if (url.href.length > LONGEST_LINK) throw new LinkError("The program is too long for a link.");
  return url.href;
}

/** What an address may ask for besides (theme.js, engine.js). */
const ASKED = ["theme", "engine"];

/** The text of an address; null where it means none. What looks like a program and is none of ours is said.
 * @param {{search: string, hash: string}} address @returns {Promise<string|null>} @throws {LinkError} */
export async function readLink({ search, hash }) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  if (!fields.has("text")) {
    const asked = [...new URLSearchParams(search).keys()].filter((name) => !ASKED.includes(name)), held = hash.includes("=") ? [...fields.keys()] : [];
    if (!asked.length && !held.length) return null;
    const named = [...new Set([...asked, ...held])].slice(0, 4).map((name) => `"${name.slice(0, 24)}${name.length > 24 ? "…" : ""}"`).join(", ");
    throw new LinkError(`The link holds no program: it has ${named}, and a program is "text" behind the #, as Share writes it.`);
  }
  if (hash.length > LONGEST_LINK) throw new LinkError(`The link has ${hash.length} characters; up to ${LONGEST_LINK} are read.`);
  if (fields.get("v") !== "1") throw new LinkError(`The link has version "${(fields.get("v") ?? "none").slice(0, 12)}"; this page reads version 1.`);
  let bytes;
  try {
    bytes = fromBase64(fields.get("text") ?? "");
  } catch {
    throw new LinkError("The text in the link is not base64url: some of it is missing or was changed.");
  }
  try {
    const plain = await through(bytes, new DecompressionStream("deflate-raw"), 4 * LONGEST_TEXT);
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError("The text in the link could not be unpacked: some of it is missing or was changed.");
  }
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream|DecompressionStream} stream @param {number} most bytes that may come out */
async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */ const parts = [];
  for (let size = 0; ;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new LinkError(`The text in the link unpacks to more than ${most} bytes.`);
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} text */
function fromBase64(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
}
