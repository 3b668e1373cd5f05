// Data from a file is nobody's promise: every field that a view relies on is checked here, wrong ones
// are put right or left out, and it is said which. simulator/recordings/checking.py has the whole of the rules.

import { RecordingError } from "../recording.js";

/** @typedef {import("../types.js").Recording} Recording */

const STATIONS = new Set(["fast_path", "params", "trace", "lower", "hlo", "memo", "compile", "disk", "prim"]);
const OUTCOMES = { lookup: new Set(["hit", "miss", "fallback"]), store: new Set(["stored", "dead", "none", "written", "skipped"]), evict: new Set(["evicted"]) };
const WORKS = new Set(["python", "trace", "lower", "compile", "load", "execute"]);
const PRODUCERS = ["model", "jax"];
/** Problems that are told one by one. */
const TOLD = 12;

const isObject = (/** @type {any} */ x) => x !== null && typeof x === "object" && !Array.isArray(x);
const isText = (/** @type {any} */ x) => typeof x === "string";
const isCount = (/** @type {any} */ x) => Number.isSafeInteger(x) && x >= 0;
const isNumber = (/** @type {any} */ x) => typeof x === "number" && Number.isFinite(x) && x >= 0;
const isPairs = (/** @type {any} */ x) => Array.isArray(x) && x.every((pair) => Array.isArray(pair) && pair.length === 2 && isText(pair[0]) && isText(pair[1]));

/** @param {any} data from JSON; it is changed @returns {{recording: Recording, problems: string[], lost: boolean}} lost: some of its calls are none @throws {RecordingError} */
export function clean(data) {
  const said = problems();
  if (Array.isArray(data)) {
    const short = isObject(data[0]) && "caches" in data[0];
    throw new RecordingError(short ? "This is the short form that --json prints. Record with --recording: it keeps the events." : "This is a list, and no recording.");
  }
  if (!isObject(data)) throw new RecordingError(`This is no recording: it is ${data === null ? "null" : `a ${typeof data}`}.`);
  if (!("schema" in data) && !("calls" in data)) throw new RecordingError("This is JSON, and no recording: it has neither a schema nor calls.");
  if (data.schema !== 1) throw new RecordingError(`Its schema is ${say(data.schema)}; this page reads schema 1.`);
  if (!Array.isArray(data.calls)) throw new RecordingError(`This is no recording: calls is ${say(data.calls)}, and no list.`);
  const text = isObject(data.program) ? data.program.text : undefined;
  if (!isText(text)) said.add("program.text is missing: functions of the program cannot be told from those of libraries");
  const calls = [], sound = new Set();
  for (let i = 0; i < data.calls.length; i++) {
    const call = cleanCall(data.calls[i], `calls[${i}]`, said, sound);
    if (call) calls.push(call);
  }
  /** @type {Recording} */
  const recording = { schema: 1, producer: PRODUCERS.includes(data.producer) ? data.producer : "jax", jax: isText(data.jax) ? data.jax.slice(0, 40) : "?",
    devices: isCount(data.devices) ? data.devices : 1, program: { name: isText(data.program?.name) ? data.program.name.slice(0, 200) : "program.py", text: isText(text) ? text : "", processes: 1 }, calls };
  if (isObject(data.run)) recording.run = cleanRun(data.run);
  return { recording, problems: said.list(), lost: calls.length < data.calls.length };
}

/** @param {any} run */
function cleanRun({ arguments: given, exit, calls, seconds, recorder, limits }) {
  const texts = (/** @type {any} */ list) => (Array.isArray(list) ? list.filter(isText).slice(0, 100) : []);
  return { arguments: texts(given), exit: Number.isSafeInteger(exit) ? exit : 0, calls: isCount(calls) ? calls : 0, seconds: isNumber(seconds) ? seconds : null,
    recorder: isNumber(recorder) ? recorder : null, limits: texts(limits) };
}

/** @param {any} call @param {string} where @param {ReturnType<typeof problems>} said
 * @param {Set<any>} sound lists of events that were looked through: calls may share them @returns {any} the call, or null */
function cleanCall(call, where, said, sound) {
  if (!isObject(call)) return said.add(`${where} is ${say(call)}, and no call`);
  if (!isText(call.label)) {
    said.add(`${where}.label is ${say(call.label)}`);
    call.label = "?";
  }
  if (!isCount(call.line)) call.line = null;
  if (!isCount(call.process)) call.process = 0;
  if (Object.hasOwn(call, "note")) return call;
  if (!Array.isArray(call.events)) return said.add(`${where}.events is ${say(call.events)}, and no list`);
  let wrong = -1;
  for (let j = 0; j < call.events.length && wrong < 0 && !sound.has(call.events); j++) if (!isEvent(call.events[j])) wrong = j;
  if (wrong >= 0) {
    said.add(`${where}.events[${wrong}] is no event: ${fault(call.events[wrong])}`);
    call.events = call.events.filter(isEvent);
  }
  sound.add(call.events);
  if (!Array.isArray(call.log) || !call.log.every(isText)) call.log = [];
  if (!Array.isArray(call.persistent) || !call.persistent.every(isText)) call.persistent = [];
  for (const name of ["exception", "value"]) if (!isText(call[name])) call[name] = null;
  for (const name of ["seconds", "at", "again_seconds"]) if (name in call && !isNumber(call[name])) {
    if (call[name] !== null) said.add(`${where}.${name} is ${say(call[name])}`);
    delete call[name];
  }
  for (const name of ["number", "again", "cache_size"]) if (name in call && !isCount(call[name])) delete call[name];
  if (!isText(call.where)) delete call.where;
  call.fast_path = call.fast_path === true;
  return call;
}

/** @param {any} event */
function isEvent(event) {
  if (!isObject(event)) return false;
  if (event.kind === "log") return isText(event.text);
  if (!isText(event.fun) || !isCount(event.depth)) return false;
  if (event.kind === "work") return WORKS.has(event.work);
  const outcomes = Object.hasOwn(OUTCOMES, event.kind) ? OUTCOMES[/** @type {"lookup"} */ (event.kind)] : null;
  if (!outcomes?.has(event.outcome) || !STATIONS.has(event.station)) return false;
  if (event.kind === "lookup") return isPairs(event.key) && (event.closest === null || isClosest(event.closest));
  return isText(event.why) && (event.kind === "store" || isCount(event.count));
}

/** @param {any} closest */
const isClosest = (closest) => isObject(closest) && isPairs(closest.key) && Array.isArray(closest.differs) && closest.differs.every(isText) && isText(closest.of);

/** @param {any} event */
function fault(event) {
  if (!isObject(event)) return say(event);
  for (const name of ["kind", "station", "work", "outcome", "fun", "depth", "key"]) {
    if (name in event && !(name === "key" ? isPairs(event[name]) : name === "depth" ? isCount(event[name]) : isText(event[name]))) return `${name} is ${say(event[name])}`;
  }
  return ["kind", "station", "work", "outcome"].filter((name) => isText(event[name])).map((name) => `${name} ${say(event[name])}`).join(", ") || "its kind is missing";
}

/** A value in a sentence, short. @param {any} value */
function say(value) {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  return typeof value === "string" ? `“${value.length > 40 ? `${value.slice(0, 40)}…` : value}”` : String(value);
}

function problems() {
  /** @type {string[]} */ const told = [];
  let count = 0;
  return {
    /** @param {string} problem @returns {null} */
    add(problem) {
      count += 1;
      if (told.length < TOLD) told.push(problem);
      return null;
    },
    list: () => (count > told.length ? [...told, `and ${count - told.length} more`] : told),
  };
}
