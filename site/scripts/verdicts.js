// What each of the six floors did in one call, and why, in words.

import { sayField } from "./arguments.js";
import { isCompiled } from "./compiled.js";
import { WORDS } from "./words.js";
import { say } from "./dom.js";

/** @typedef {import("./types.js").Floor} Floor */
/** @typedef {import("./types.js").Fall} Fall */
/** @typedef {import("./types.js").Lookup} Lookup */

/** After which floor each kind of work happens. */
const WORK_FLOOR = { python: 0, trace: 2, lower: 3, compile: 5, load: 5 };

/**
 * @param {import("./types.js").RawCall} call
 * @param {Fall|null} fall the call's main fall
 * @returns {Floor[]} six floors, from the top
 */
export function readFloors(call, fall) {
  const floors = judge(fall), asked = new Set(call.events.map((event) => (event.kind === "lookup" ? event.station : "")));
  floors.forEach((floor, index) => {
    floor.others = floor.verdict === "none" && WORDS.floors[index].stations.some((station) => asked.has(station));
    floor.why = why(index, floors, call, fall);
  });
  return floors;
}

/** The floors without words: of a hundred thousand calls most are never looked at. @param {Fall|null} fall @returns {Floor[]} */
export function judge(fall) {
  const floors = WORDS.floors.map(({ stations }, index) => {
    const lookups = fall ? fall.lookups.filter(({ station }) => stations.includes(station)) : [];
    const works = fall ? fall.works.map(({ work }) => work)
      .filter((work) => WORK_FLOOR[/** @type {"python"} */ (work)] === index) : [];
    /** @type {Floor} */
    const floor = { verdict: verdict(lookups), lookups, deciding: deciding(lookups), why: "", works, others: false };
    return floor;
  });
  if (fall && floors[0].verdict === "none") floors[0].verdict = "skipped";
  if (floors[5].verdict === "none" && floors[4].verdict === "miss" && floors[5].works.length) floors[5].verdict = "skipped";
  return floors;
}

/** What stands on a floor. @param {Floor} floor */
export const wordOf = ({ verdict, others }) => WORDS.verdicts[others ? "others" : verdict];

/** The last lookup of each drawer counts; a floor answers when one of its drawers does. */
function verdict(/** @type {Lookup[]} */ lookups) {
  if (!lookups.length) return "none";
  return final(lookups).some(({ outcome }) => outcome === "hit") ? "hit" : "miss";
}

/** @param {Lookup[]} lookups @returns {Lookup[]} */
function final(lookups) {
  return [...new Map(lookups.map((lookup) => [lookup.station, lookup])).values()];
}

/** The lookup that explains the floor: the one that answered, else the first with a key beside it. */
function deciding(/** @type {Lookup[]} */ lookups) {
  const last = final(lookups);
  return last.find(({ outcome }) => outcome === "hit")
    ?? last.find(({ closest }) => closest?.differs.length) ?? last.find(({ key }) => key.length) ?? last.at(-1) ?? null;
}

/** What an entry is *of*, and what a Recording says of entries that lines before its calls made. */
const SUBJECT = ["function", "jaxpr", "module", "primitive"], BEFORE = "before the first call";

/** Whether the closest entry was made before the calls, by no call that the reader knows. @param {Lookup} lookup */
export const fromBefore = ({ closest }) => closest?.of === BEFORE;

/**
 * What was never seen before: its function, or the jaxpr or module that came of it. Then the closest
 * entry is of another one, from a line before the calls, and no key to compare with. "": it was seen.
 * @param {Lookup} lookup
 */
export function unseen(lookup) {
  const { key, closest, outcome } = lookup, own = (/** @type {string[]} */ names) => names.find((name) => SUBJECT.includes(name));
  if (outcome !== "miss" || !key.length) return "";
  return (closest ? fromBefore(lookup) && own(closest.differs) : own(key.map(([name]) => name)) ?? "key") || "";
}

/** @param {Lookup} lookup @returns {{field: string, now: string, before: string, by: string}[]} `by`: who stored it, where no call did */
export function differences(lookup) {
  const { key, closest } = lookup, by = fromBefore(lookup) ? ` ${WORDS.why.earlier}` : "";
  if (!closest || unseen(lookup)) return [];
  const now = new Map(key), before = new Map(closest.key);
  const shown = (/** @type {string} */ field, /** @type {Map<string, string>} */ values) => sayField(field, values.get(field) ?? "absent");
  return closest.differs.map((field) => ({ field, now: shown(field, now), before: shown(field, before), by }));
}

/** @param {number} index @param {Floor[]} floors @param {import("./types.js").RawCall} call @param {Fall|null} fall */
function why(index, floors, call, fall) {
  const floor = floors[index], words = /** @type {Record<string, string>} */ (WORDS.why), { id } = WORDS.floors[index];
  const error = (call.exception ?? "").split(":")[0];
  const fast = floors[0].verdict === "hit";
  const choose = (/** @type {string[]} */ ...names) => words[names.find((name) => name in words) ?? "none"];
  if (floor.verdict === "hit") {
    const { station } = /** @type {Lookup} */ (floor.deciding);
    const rerun = (station === "trace" && floor.works.includes("trace")) || (station === "params" && floors[2].lookups.length);
    if (rerun) return words.poisoned;
    return `${words[`${station}.hit`]} ${unheld(index, floors)}`.trim();
  }
  if (floor.verdict === "miss") {
    const lookup = /** @type {Lookup} */ (floor.deciding);
    if (lookup.outcome === "fallback") {
      const store = fall?.stores.find(({ station }) => station === "fast_path");
      return say(words.fallback, { why: store?.why || words["fallback.why"] });
    }
    const all = differences(lookup);
    if (all.length) return `${say(words.differs, all[0])}${all.length > 1 ? ` ${say(words.more, { n: all.length - 1 })}` : ""}.`;
    if (index === 0 && fall && isCompiled(fall)) return words.own;
    if (lookup.station === "memo") return words["memo.miss"];
    return unseen(lookup) ? say(words.new, { what: unseen(lookup) }) : words.alike;
  }
  if (floor.verdict === "skipped") return words[`skipped.${id}`];
  if (floor.others) return words["none.others"];
  if (!fall) return error ? say(words["none.raised"], { error }) : words["none.empty"];
  if (fast) return choose(`none.${id}.fast`, "none.fast");
  if (error && floors.slice(index).every(({ lookups }) => !lookups.length)) return say(words["none.raised"], { error });
  if (id === "trace" && floors[1].verdict === "hit") return words["none.trace.params"];
  if (id === "disk" && floors[4].verdict === "hit") return words["none.disk.memory"];
  return choose(`none.${id}`);
}

/** The fields that stopped the floors above and that this floor's key does not hold. */
function unheld(/** @type {number} */ index, /** @type {Floor[]} */ floors) {
  const lookup = floors[index].deciding;
  if (!lookup?.key.length) return "";
  const held = new Set(lookup.key.map(([name]) => name));
  const fields = floors.slice(0, index).flatMap((floor) => (floor.verdict === "miss" && floor.deciding ? differences(floor.deciding) : []))
    .map(({ field }) => field).filter((field) => !held.has(field));
  return fields.length ? say(WORDS.why.unseen, { fields: [...new Set(fields)].join(" or ") }) : "";
}
