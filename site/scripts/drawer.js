// Looking into one floor: the key of the call on show held against the stored one, field by field
// in its four groups, and everything its drawers keep.

import { h, mark } from "./dom.js";
import { groupOf } from "./keys.js";
import { fromBefore, unseen, wordOf } from "./verdicts.js";
import { WORDS } from "./words.js";

/** @typedef {import("./types.js").Call} Call */

/**
 * @param {number} f floor, from 0 @param {Call|null} call already over, or null @param {Record<string, import("./entries.js").Drawer>} drawers
 * @returns {Node[]} the body of a dialog
 */
export function drawerBody(f, call, drawers) {
  const floor = WORDS.floors[f], done = call?.floors[f];
  return [h("p", { class: "sheet-lede", text: floor.holds }),
    done && call && h("p", { class: `verdict-line ${done.verdict}` }, mark(done.verdict), h("b", { text: wordOf(done) }), ` in call ${call.number}. ${done.why}`),
    floor.stations.map((station) => section(station, call, done?.lookups.filter((lookup) => lookup.station === station) ?? [], drawers[station], floor.stations.length > 1)),
  ].flat().filter(Boolean);
}

/** @param {string} station @param {Call|null} call @param {import("./types.js").Lookup[]} lookups @param {import("./entries.js").Drawer} drawer @param {boolean} several */
function section(station, call, lookups, drawer, several) {
  const about = WORDS.stations[/** @type {"hlo"} */ (station)];
  return h("section", { class: "drawer" },
    h("h3", {}, several && "Drawer ", h("code", { text: about.variable })),
    h("p", { class: "held", text: `Compared ${about.held}.` }),
    lookups.map((lookup, i) => h("div", { class: "asked" },
      h("p", { class: `verdict-line ${lookup.outcome === "hit" ? "hit" : "miss"}` }, mark(lookup.outcome === "hit" ? "hit" : "miss"),
        h("span", { text: `call ${call?.number}: ${lookup.outcome}${against(lookup)}` })),
      lookup.key.length ? table(`Key asked for in ${about.variable}, ${i + 1}`, lookup.key, lookup.outcome === "hit" || unseen(lookup) ? null : lookup.closest, lookup.outcome === "hit") : null)),
    h("h4", { text: drawer.kept.length ? `${drawer.kept.length} ${drawer.kept.length === 1 ? "entry" : "entries"} from these calls` : "No entry from these calls" }),
    drawer.kept.map((entry, i) => h("details", { class: "entry" },
      h("summary", {}, h("code", { text: entry.fun }), ` from call ${entry.call}`, entry.dead && h("span", { class: "dead-note", text: " always falls back" })),
      entry.key.length ? table(`Entry ${i + 1} of ${about.variable}`, entry.key, null, false) : h("p", { text: "No key." }))),
    drawer.gone.map(({ count, why, call: when }) => h("p", { class: "gone", text: `${count} gone before or in call ${when}${why ? `: ${why}` : ""}.` })));
}

/** Which entry a key was held against. @param {import("./types.js").Lookup} lookup */
function against(lookup) {
  if (lookup.outcome !== "miss") return "";
  if (unseen(lookup)) return `, no entry of this ${unseen(lookup)} yet`;
  return lookup.closest ? `, held against ${fromBefore(lookup) ? "an entry that a line before the calls made" : `the entry of ${lookup.closest.of}`}` : "";
}

/** @param {string} name @param {import("./types.js").Field[]} key @param {import("./types.js").Closest|null} closest @param {boolean} equal */
function table(name, key, closest, equal) {
  const before = new Map(closest?.key ?? []), differs = new Set(closest?.differs ?? []), now = new Map(key);
  const all = [...key.map(([name]) => name), ...[...before.keys()].filter((name) => !now.has(name))];
  const rows = WORDS.groups.flatMap((group, g) => all.filter((name) => groupOf(name) === g).map((name, i, names) => {
    const off = differs.has(name), sign = off ? "≠" : closest || equal ? "=" : "";
    return h("tr", { class: off ? "differs" : "" }, i === 0 && h("th", { scope: "rowgroup", rowspan: names.length, text: group }),
      h("td", { class: "sign" }, sign), h("th", { scope: "row" }, h("code", { text: name })), h("td", {}, h("code", { text: now.get(name) ?? "absent" })),
      h("td", {}, off && h("code", { text: `was ${before.get(name) ?? "absent"}` })));
  }));
  return h("div", { class: "key-scroll", tabindex: "0", role: "region", "aria-label": name }, h("table", { class: "key-table" }, h("tbody", {}, rows)));
}
