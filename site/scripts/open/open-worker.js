// Reads a file away from the page: decode, parse, check, sum up. The recording stays here; the page
// asks for one call, or for the calls around one, when it shows them.

import { clean } from "./clean.js";
import { isJson, parse } from "./parse.js";
import { logReader } from "./log.js";
import { summarise } from "./summary.js";
import { ownNames, readCall } from "../recording.js";
import { textOf } from "./bytes.js";

/** Calls before and after the one that a figure shows. */
const BEFORE = 60, AFTER = 20;
/** The lines that JAX logs, from its source: filled in by the build. */
const readLog = logReader(__LOG_FORMATS__);

/** @type {import("../types.js").Recording|null} */ let recording = null;
/** @type {import("./summary.js").Table|null} */ let table = null;
/** @type {(import("../cause.js").Cause|null)[]} */ let causes = [];
/** @type {Set<string>} */ let theirs = new Set();

addEventListener("message", async ({ data }) => {
  try {
    if (data.open) await open(data.open);
    else if (data.call) postMessage({ call: data.call, ...one(data.call) });
    else if (data.part) postMessage({ part: data.part, ...part(data.part) });
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    const full = name === "RangeError" || /memory|allocation|string length/i.test(message);
    postMessage({ failed: full ? "The file is too large for this browser's memory." : message });
  }
});

/** @param {Blob} file */
async function open(file) {
  recording = table = null;
  const say = (/** @type {string} */ text, fraction = 0) => postMessage({ progress: text, fraction });
  say("Reading the file");
  const { text, notes, lost } = await textOf(file);
  if (!isJson(text)) {
    say("Reading the log", 0.5);
    postMessage({ log: readLog(text), notes });
    return;
  }
  say("Reading the calls", 0.2);
  const parsed = parsedOr(text);
  if ("log" in parsed) {
    postMessage({ log: parsed.log, notes: [...notes, "It begins like JSON and is none; it was read as a log."] });
    return;
  }
  const cleaned = clean(parsed.data);
  recording = cleaned.recording;
  const found = summarise(recording, (done, all) => say("Reading the calls", 0.3 + 0.7 * (done / Math.max(1, all))));
  ({ table, causes, theirs } = found);
  const { calls, ...about } = recording;
  postMessage({ opened: about, table, notes: [...notes, ...parsed.notes], problems: cleaned.problems, lost: lost || Boolean(parsed.lost) || cleaned.lost });
}

/** What the text holds; a log whose lines are JSON is a log. @param {string} text */
function parsedOr(text) {
  try {
    return parse(text);
  } catch (error) {
    const log = readLog(text);
    if (log.known) return { log };
    throw error;
  }
}

/** One call in full. @param {number} row from 1 */
function one(row) {
  if (!recording || !table) return {};
  const index = table.indices[row - 1], { calls, program } = recording;
  const before = row > 1 ? /** @type {any} */ (calls[table.indices[row - 2]]).process : undefined;
  const call = readCall(/** @type {any} */ (calls[index]), index, row, before, ownNames(program.text), theirs);
  return { read: call, cause: causes[row - 1], notes: notesAfter(index) };
}

/** @param {number} index */
function notesAfter(index) {
  const found = [];
  for (let i = index + 1; recording && i < recording.calls.length && "note" in recording.calls[i]; i++) found.push(recording.calls[i]);
  return found;
}

/** A recording of the calls around one. @param {number} row from 1 */
function part(row) {
  if (!recording || !table) return {};
  const first = Math.max(1, row - BEFORE), last = Math.min(table.length, row + AFTER);
  const to = last === table.length ? recording.calls.length : table.indices[last];
  return { recording: { ...recording, calls: recording.calls.slice(table.indices[first - 1], to) }, first, last };
}
