// From text to data: a whole recording, what can be saved of a broken one, or no JSON at all.

import { parseCalls } from "./calls.js";
import { RecordingError } from "../recording.js";

/** @typedef {{data: any, notes: string[], lost?: boolean}} Parsed lost: some of the text could not be read */

/** Whether a text means to be JSON, and not a log whose lines begin with a tag in brackets. @param {string} text */
export const isJson = (text) => /^\s*[[{]/.test(text.slice(0, 4000)) && !/^\s*\[[^\]"{]*\]\s*[^\s,\]}]/.test(text.slice(0, 4000));

/** @param {string} text @returns {Parsed} @throws {RecordingError} */
export function parse(text) {
  try {
    return { data: parseCalls(text) ?? JSON.parse(text), notes: [] };
  } catch (error) {
    const why = String(/** @type {Error} */ (error).message), several = lines(text);
    if (several) return several;
    return salvage(text, error instanceof RangeError ? "it is nested too deeply" : reason(text, why));
  }
}

/** Several recordings, one a line, as `observe` prints them for several files. @param {string} text @returns {Parsed|null} */
function lines(text) {
  const cut = text.search(/\n\s*\{"schema":/);
  if (cut < 0) return null;
  try {
    const data = JSON.parse(text.slice(0, cut)), more = text.slice(cut).match(/\n\s*\{"schema":/g)?.length ?? 0;
    return { data, notes: [`The file holds ${more + 1} recordings; the first is shown.`] };
  } catch {
    return null;
  }
}

/** What is wrong, for people. @param {string} text @param {string} why the browser's own words */
function reason(text, why) {
  const place = Number(/position (\d+)/.exec(why)?.[1] ?? -1), odd = /\bNaN\b|\bInfinity\b/.exec(place < 0 ? why : text.slice(Math.max(0, place - 12), place + 12));
  if (odd) return `it holds ${odd[0]}, which JSON does not have`;
  if (/end of|unterminated/i.test(why) || place >= text.trimEnd().length - 1) return "it ends in the middle: the download or the program was cut off";
  return place < 0 ? "there is a mistake in it" : `there is a mistake at character ${place.toLocaleString("en")}`;
}

/** The calls of a broken recording that can be read. @param {string} text @param {string} why @returns {Parsed} */
function salvage(text, why) {
  const start = /"calls"\s*:\s*\[/.exec(text);
  if (!start) throw new RecordingError(`This is no recording: ${why}, and nothing before it can be shown.`);
  const inside = start.index + start[0].length;
  let data;
  try {
    data = JSON.parse(`${text.slice(0, inside)}]}`);
  } catch {
    throw new RecordingError(`This is no recording: ${why}, and its beginning cannot be read.`);
  }
  let bad = 0;
  for (const part of objects(text, inside)) {
    try {
      data.calls.push(JSON.parse(part));
    } catch {
      bad += 1;
    }
  }
  const good = data.calls.length, count = (/** @type {number} */ n) => `${n.toLocaleString("en")} ${n === 1 ? "call" : "calls"}`;
  const saved = good ? `${count(good)} can be read and ${good === 1 ? "is" : "are"} shown` : "No call can be read", left = bad ? `; ${count(bad)} cannot` : "";
  return { data, notes: [`The file is damaged: ${why}. ${saved}${left}.`], lost: true };
}

/** The objects of a list, as text, one after the other. @param {string} text @param {number} from */
function* objects(text, from) {
  let depth = 0, begin = from, quoted = false;
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 92) i += 1;
      else if (c === 34) quoted = false;
    } else if (c === 34) quoted = true;
    else if (c === 123 || c === 91) {
      if (depth === 0) begin = i;
      depth += 1;
    } else if (c === 125 || c === 93) {
      depth -= 1;
      if (depth < 0) return;
      if (depth === 0) yield text.slice(begin, i + 1);
    }
  }
}
