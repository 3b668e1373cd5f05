// The shapes that pass between the figure's modules. No code: JSDoc typedefs only.

/** @typedef {[string, string]} Field one field of a key: name and short text */
/** @typedef {{key: Field[], differs: string[], of: string}} Closest */
/** @typedef {{kind: "lookup", station: string, fun: string, depth: number,
 *   outcome: "hit"|"miss"|"fallback", key: Field[], closest: Closest|null}} Lookup */
/** @typedef {{kind: "work", work: string, fun: string, depth: number}} Work */
/** @typedef {{kind: "store", station: string, fun: string, depth: number, outcome: string, why: string}} Store */
/** @typedef {{kind: "evict", station: string, count: number, why: string, depth: number, fun: string}} Evict */
/** @typedef {{kind: "log", text: string}} Log */
/** @typedef {Lookup|Work|Store|Evict|Log} Event */

/** @typedef {{label: string, line: number|null, process: number, events: Event[], log: string[],
 *   exception: string|null, value: string|null, fast_path: boolean, cache_size?: number|null,
 *   seconds?: number, persistent: string[], number?: number, at?: number, again?: number, again_seconds?: number, where?: string,
 *   caches?: Record<string, number[]>}} RawCall the fields after `persistent`: simulator/recordings/recording.py, class Call */
/** @typedef {{label: string, note: unknown, line: number|null, process: number}} Note */
/** @typedef {{schema: number, producer: string, jax: string, devices: number,
 *   program: {name: string, text: string, processes: number, marked?: boolean, environment?: Record<string, string>}, calls: (RawCall|Note)[],
 *   run?: {arguments: string[], exit: number, calls: number, seconds: number|null, recorder: number|null, limits: string[]}}} Recording */

/** @typedef {"hit"|"miss"|"none"|"skipped"} Verdict */
/** @typedef {{events: Event[], level: number, fun: string, lookups: Lookup[], works: Work[],
 *   nested: Event[], stores: Store[]}} Fall one way down the building */
/** @typedef {{verdict: Verdict, lookups: Lookup[], deciding: Lookup|null, why: string,
 *   works: string[], others: boolean}} Floor what one floor did in one call; `others`: not the call shown asked, but others in the line */
/** @typedef {RawCall & {number: number, index: number, notes: Note[], falls: Fall[], main: Fall|null,
 *   floors: Floor[], newProcess: boolean, ordinal?: number}} Call a call, read: see recording.js; `ordinal`: its number in a run of which not
 *   every call was kept */

/** @typedef {{kind: "arrive"|"aside"|"ask"|"work"|"skip"|"climb", floor: number, caption: string,
 *   ms: number, cost: number, event: Event|null}} Beat one step of the animation; floor 0 is the roof */

/** @typedef {{id: string, label: string, group: string, heading: string, slot: string, what: string,
 *   issues: boolean, choices: {id: string, label: string}[]}} Kind an action of the lab (simulator/lab/kinds.py) */
/** @typedef {{id: number, actions: string[], recording: Recording, calls: Call[], from: number|null,
 *   at: number, revealed: number}} Branch one line of history; at = calls shared with branch `from` */

export {};
