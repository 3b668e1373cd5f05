// A call as an ordered list of beats: the smallest steps the reader can take through it.

import { PRICES } from "./prices.js";
import { WORDS } from "./words.js";
import { say } from "./dom.js";
import { differences, unseen } from "./verdicts.js";
import { within } from "./recording.js";

/** @typedef {import("./types.js").Beat} Beat */

const MS = { arrive: 480, aside: 520, ask: 900, drawer: 520, work: 640, skip: 420, climb: 900 };
const STATION_FLOOR = Object.fromEntries(WORDS.floors.flatMap(({ stations }, i) => stations.map((station) => [station, i + 1])));
const WORK_FLOOR = { python: 1, trace: 3, lower: 4, compile: 6, load: 6 };

/**
 * @param {import("./types.js").Call} call
 * @returns {Beat[]} at least two: the call arrives, the call is over
 */
export function beatsOf(call) {
  const words = WORDS.beats, { main } = call;
  /** @type {Beat[]} */
  const beats = [];
  const price = (/** @type {string} */ name) => /** @type {Record<string, number>} */ (PRICES)[name] ?? 0;
  const add = (/** @type {Beat["kind"]} */ kind, /** @type {number} */ floor, /** @type {string} */ caption, ms = MS[kind], cost = 0, event = null) =>
    beats.push({ kind, floor, caption, ms, cost, event: /** @type {any} */ (event) });
  add("arrive", 0, say(call.newProcess ? words["arrive.process"] : words.arrive, { label: call.label }), MS.arrive, price("hit"));
  const at = main ? call.falls.indexOf(main) : 0;
  call.falls.forEach((fall, i) => {
    if (fall === main) walk();
    else add("aside", 0, say(i < at ? words.aside : words["aside.after"], { fun: fall.fun, answer: answerOf(fall) }), MS.aside,
      fall.works.reduce((sum, { work }) => sum + price(work), price("hit")));
  });
  add("climb", 0, ending(call), MS.climb);
  return beats;

  function walk() {
    if (!main) return;
    let asked = false;
    for (const event of main.events) {
      if (event.kind === "lookup" && main.lookups.includes(event)) {
        const floor = STATION_FLOOR[event.station];
        if (!floor) continue; // the side door is drawn with the roof
        add("ask", floor, told(call, event), beats.some((beat) => beat.floor === floor && beat.kind === "ask") ? MS.drawer : MS.ask, 0, /** @type {any} */ (event));
      } else if (event.kind === "work" && main.works.includes(event) && event.work in WORK_FLOOR) {
        if (event.work === "compile" && call.floors[5].verdict === "skipped" && !asked) {
          asked = true;
          add("skip", 6, say(words.skip, { name: WORDS.floors[5].name, why: call.floors[5].why }));
        }
        const inner = event.work === "trace" ? nestedIn(main) : "";
        const caption = inner ? say(words["trace.nested"], { nested: inner }) : /** @type {Record<string, string>} */ (words)[event.work];
        add("work", WORK_FLOOR[/** @type {"python"} */ (event.work)], caption, MS.work, price(event.work), /** @type {any} */ (event));
      }
    }
    for (const [fun, works] of within(main)) {
      add("aside", 0, say(words["aside.within"], { fun, answer: WORDS.answers[works.includes("compile") ? "compile" : works.includes("load") ? "disk" : "lower"] }), MS.aside,
        works.reduce((sum, work) => sum + price(work), 0));
    }
  }
}

/** @param {import("./types.js").Call} call @param {import("./types.js").Lookup} event */
function told(call, event) {
  const words = WORDS.beats, why = /** @type {Record<string, string>} */ (WORDS.why);
  const name = `${WORDS.floors[STATION_FLOOR[event.station] - 1].name} (${WORDS.stations[/** @type {"hlo"} */ (event.station)].variable})`;
  const floor = call.floors[STATION_FLOOR[event.station] - 1];
  if (event.outcome === "hit") {
    return say(event.key.length ? words.hit : words.memo, { name, why: floor.deciding === event ? floor.why : why[`${event.station}.hit`] });
  }
  const [first] = differences(event);
  const reason = event.outcome === "fallback" ? floor.why : first ? `${say(why.differs, first)}.`
    : event === floor.deciding ? floor.why : event.station === "memo" ? why["memo.miss"] : unseen(event) ? say(why.new, { what: unseen(event) }) : why.alike;
  return say(words.miss, { name, why: reason[0].toLowerCase() + reason.slice(1) });
}

/** "sin: params and tracing, both new" in short. @param {import("./types.js").Fall} fall */
export function nestedIn(fall) {
  const seen = new Map();
  for (const event of fall.nested) {
    if (event.kind === "lookup" && event.station !== "fast_path") {
      const tally = seen.get(event.fun) ?? { asked: 0, found: 0 };
      tally.asked += 1;
      tally.found += event.outcome === "hit" ? 1 : 0;
      seen.set(event.fun, tally);
    }
  }
  const all = [...seen].map(([fun, { asked, found }]) => `${fun} asks ${asked} ${asked === 1 ? "cache" : "caches"} and finds ${found || "nothing"}`);
  return all.length > 3 ? `${all.slice(0, 3).join("; ")}; ${all.length - 3} more` : all.join("; ");
}

/** How a fall that is not shown floor by floor ended. @param {import("./types.js").Fall} fall */
export function answerOf(fall) {
  const did = fall.works.map(({ work }) => work), words = WORDS.answers;
  if (did.includes("compile")) return words.compile;
  if (did.includes("load")) return words.disk;
  if (fall.lookups.some(({ station, outcome }) => station === "fast_path" && outcome === "hit")) return words.fast;
  if (did.includes("lower")) return words.lower;
  if (did.includes("trace") && !did.includes("execute")) return words.trace;
  return words.memory;
}

/** @param {import("./types.js").Call} call */
function ending(call) {
  const words = WORDS.beats, { main } = call;
  if (call.exception) return say(words["climb.raised"], { error: call.exception });
  if (!main || ![...main.works, ...main.nested].some((event) => "work" in event && event.work === "execute")) return words["climb.staged"];
  const dead = main.stores.find(({ station, outcome }) => station === "fast_path" && outcome !== "stored");
  if (dead) return say(words["climb.dead"], { why: dead.why });
  const n = call.floors.filter(({ verdict }) => verdict === "miss").length;
  return n ? say(words["climb.stored"], { n }) : words.climb;
}
