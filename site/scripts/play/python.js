// The program as a file for real JAX that checks by itself what the model predicted: how many
// programs each call lowers and compiles, and how many entries a function has at the end.

import { LOUD, environment } from "../share.js";

/** @typedef {import("../types.js").Recording} Recording */
/** @typedef {import("../types.js").Call} Call */

/** How often a call lowers and compiles (or loads from disk: JAX reports that in the same words). @param {Call} call */
export function workOf(call) {
  const works = call.events.flatMap((event) => (event.kind === "work" ? [event.work] : []));
  const count = (/** @type {string[]} */ ...names) => works.filter((work) => names.includes(work)).length;
  return [count("lower"), count("compile", "load")];
}

const COUNTING = `
# What is counted: each time JAX lowers a program, and each time it compiles or loads one.
import atexit, collections, linecache, sys, traceback
_FILE, _EVENTS = sys._getframe().f_code.co_filename, {"/jax/core/compile/jaxpr_to_mlir_module_duration": 0, "/jax/core/compile/backend_compile_duration": 1}
_done, _now = collections.defaultdict(lambda: [0, 0]), [None]
`.trim().split("\n");

const BY_LINE = `
def _count(event, *_, **__):
    frame = sys._getframe()
    while frame and (frame.f_code.co_filename != _FILE or frame.f_code is _count.__code__):
        frame = frame.f_back
    if event in _EVENTS and frame:
        _done[linecache.getline(_FILE, frame.f_lineno).strip()][_EVENTS[event]] += 1
jax.monitoring.register_event_duration_secs_listener(_count)
`.trim().split("\n");

const BY_LABEL = `
def _count(event, *_, **__):
    if event in _EVENTS and _now[0]:
        _done[_now[0]][_EVENTS[event]] += 1
jax.monitoring.register_event_duration_secs_listener(_count)

def call(label, thunk):
    print(f"== {label}")
    _now[0] = label
    try:
        return thunk()
    except Exception as error:
        print(f"   raised {type(error).__name__}: {error}")
    finally:
        _now[0] = None

def note(label, value):
    print(f"-- {label}: {value!r}")
`.trim().split("\n");

/** @param {Recording} recording @param {Call[]} calls */
export function checkedPython(recording, calls) {
  const { text, marked = false } = recording.program, [first] = calls;
  // A program of several processes is one file that is run several times: this is its first run.
  const mine = calls.filter(({ process }) => process === first?.process);
  const future = text.match(/^from __future__ import .*$/gm) ?? [];
  const body = text.replace(/^from __future__ import .*\n?/gm, "").replace(/\s+$/, "");
  return [...future, ...environment(recording), ...LOUD, "", ...COUNTING, ...(marked ? BY_LABEL : BY_LINE), "",
    "# --- what the model predicts: [lowered, compiled]; asked when the program has ended, however it ends ---", ...expectations(text, mine, marked), "", "# --- the program ---", body, ""].join("\n");
}

/** @param {string} text @param {Call[]} calls @param {boolean} marked */
function expectations(text, calls, marked) {
  /** @type {Map<string, number[]>} */ const expected = new Map();
  const lines = text.split("\n");
  for (const call of calls) {
    const key = marked ? call.label : (lines[(call.line ?? 0) - 1] ?? "").trim(), [lowered, compiled] = workOf(call), before = expected.get(key) ?? [0, 0];
    expected.set(key, [before[0] + lowered, before[1] + compiled]);
  }
  return ["_expected = {", ...[...expected].map(([key, [lowered, compiled]]) => `    ${JSON.stringify(key)}: [${lowered}, ${compiled}],`), "}", "",
    "@atexit.register", "def _check():",
    "    try:",
    "        for _where, _what in _expected.items():",
    '            assert _done[_where] == _what, f"{_where}: lowered and compiled {_done[_where]} programs, predicted {_what}"',
    ...sizes(text, calls).map((line) => `        ${line}`),
    "    except AssertionError:",
    "        traceback.print_exc()",
    "        sys.stdout.flush()",
    "        sys.stderr.flush()",
    "        os._exit(1)  # an exit handler cannot fail otherwise",
    '    print("As predicted.")'];
}

/** Entries on the fast path at the end, for functions that keep their name and are not cleared.
 * @param {string} text @param {Call[]} calls */
function sizes(text, calls) {
  if (/clear_cache|\bdel |importlib|__import__/.test(text)) return [];
  const named = [...text.matchAll(/^@(?:jax\.jit|jit|(?:functools\.)?partial\((?:jax\.)?jit\b.*)\b.*\n(?:@.*\n)*def (\w+)\(/gm)].map(([, name]) => name);
  return named.filter((name) => named.indexOf(name) === named.lastIndexOf(name) && !new RegExp(`^\\s*(?:${name} = |def ${name}\\().*`, "gm").test(text.replace(new RegExp(`^def ${name}\\(`, "m"), ""))).flatMap((name) => {
    // A recording has the size of the function that a call asks first.
    const first = (/** @type {Call} */ { events }) => events.find((event) => event.kind === "lookup");
    const last = calls.findLast((call) => first(call)?.fun === name && typeof call.cache_size === "number");
    const later = last && calls.slice(last.number).some(({ events }) => events.some((event) => event.kind === "lookup" && event.station === "fast_path" && event.fun === name && event.outcome !== "hit"));
    return last && !later ? [`assert ${name}._cache_size() == ${last.cache_size}, f"${name} has {${name}._cache_size()} entries on the fast path, predicted ${last.cache_size}"`] : [];
  });
}
