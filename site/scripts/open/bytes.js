// From the bytes of a file to its text: packed or not, in whichever encoding its first bytes say.

/** Bytes of text that are read; more is cut off, and said. */
export const LARGEST = 400_000_000;

/** The file cannot be read; the message says why. */
export class FileError extends Error {}

/**
 * @param {Blob} file @param {number} [largest]
 * @returns {Promise<{text: string, notes: string[], lost: boolean}>} lost: not all of it could be read @throws {FileError}
 */
export async function textOf(file, largest = LARGEST) {
  if (!file.size) throw new FileError("The file is empty.");
  const notes = [], start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const packed = start[0] === 0x1f && start[1] === 0x8b;
  if (start[0] === 0x50 && start[1] === 0x4b) throw new FileError("This is a ZIP archive. Unpack it and open the recording inside.");
  const { bytes, whole, broken } = packed ? await unpack(file, largest) : await read(file, largest);
  if (packed) notes.push("The file was packed with gzip.");
  if (broken) notes.push("The packed file is damaged or cut off; what could be unpacked is shown.");
  if (!whole) notes.push(`Only the first ${Math.round(largest / 1e6)} MB were read.`);
  if (!bytes.length) throw new FileError(packed ? "The gzip file could not be unpacked." : "The file is empty.");
  return { text: decode(bytes, notes), notes, lost: broken || !whole };
}

/** @param {Blob} file @param {number} largest */
async function read(file, largest) {
  return { bytes: new Uint8Array(await file.slice(0, largest).arrayBuffer()), whole: file.size <= largest, broken: false };
}

/** @param {Blob} file @param {number} largest */
async function unpack(file, largest) {
  /** @type {Uint8Array[]} */ const parts = [];
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  let size = 0, broken = false, whole = true;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
      if (size > largest) { // a small packed file may unpack to anything
        whole = false;
        await reader.cancel();
        break;
      }
    }
  } catch {
    broken = true;
  }
  const bytes = new Uint8Array(Math.min(size, largest));
  let at = 0;
  for (const part of parts) {
    const fits = part.subarray(0, bytes.length - at);
    bytes.set(fits, at);
    at += fits.length;
  }
  return { bytes, whole, broken };
}

/** @param {Uint8Array} bytes @param {string[]} notes */
function decode(bytes, notes) {
  const [a, b] = bytes;
  const name = a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : "utf-8";
  // Text in UTF-16 without a mark: every second byte of plain JSON is zero.
  const guessed = name === "utf-8" && bytes.length > 3 && a && !b && bytes[2] && !bytes[3] ? "utf-16le" : name === "utf-8" && !a && b ? "utf-16be" : name;
  if (guessed !== "utf-8") notes.push(`The file is in ${guessed.toUpperCase().replace("LE", " (little-endian)").replace("BE", " (big-endian)")}.`);
  const text = new TextDecoder(guessed).decode(bytes);
  if (text.includes("\ufffd")) notes.push("Some bytes are no text in this encoding and are shown as \ufffd.");
  return text;
}
