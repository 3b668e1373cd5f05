// A test for pytest and real JAX that fails when one call is traced or compiled again.

import { environment } from "../share.js";

/** @typedef {import("../types.js").Call} Call */
/** @typedef {import("../cause.js").Cause} Cause */

/** What JAX reports for the work that a guard forbids: for a call that only traces, that; else lowering, which comes
 * with every new trace of a call that runs, and compiling. */
const EVENTS = { traced: "/jax/core/compile/jaxpr_trace_duration", lowered: "/jax/core/compile/jaxpr_to_mlir_module_duration", compiled: "/jax/core/compile/backend_compile_duration" };

/** Whether JAX reports what the call does: of a trace within vmap or grad it says nothing. @param {Call} call @param {Cause} cause */
export const reported = ({ main }, { state }) => state !== "traced" || !main?.lookups.some(({ station, outcome }) => station === "fast_path" && outcome !== "hit");

/** @param {import("../types.js").Recording} recording @param {Call[]} calls @param {Cause[]} causes @param {number} number
 * @param {string} ends what the program fails with at its end; "" where it does not */
export function guard(recording, calls, causes, number, ends) {
  const call = calls[number - 1], { text, marked = false } = recording.program, cause = causes[number - 1];
  const same = calls.filter((other) => other.process === call.process && other.line === call.line && (other.line !== null || other.label === call.label));
  // What is done for the first time has to be paid for; before a call that was answered, what was done again, too.
  const answered = !cause.again && cause.state !== "compiled" && cause.state !== "traced" && cause.state !== "lowered";
  const paid = same.filter((other) => !causes[other.number - 1].again || (answered && other.number < number));
  const watched = cause.state === "traced" ? /** @type {const} */ (["traced"]) : /** @type {const} */ (["lowered", "compiled"]);
  const allowed = watched.map((what) => paid.reduce((sum, other) => sum + done(other, what), 0));
  const place = marked ? `call ${JSON.stringify(call.label)}` : `line ${call.line}, ${call.label.replace(/"""/g, "'''")}`;
  const name = `test_${marked ? call.label.toLowerCase().replace(/\W+/g, "_").replace(/^_|_$/g, "").slice(0, 40) || "call" : `line_${call.line}`}_is_not_compiled_again`;
  return [
    `"""Guard for ${place.replace(/\\/g, "\\\\")}: fails when it is traced or compiled again.`,
    "",
    "It runs the program below and counts what JAX does at that place. In your own suite, put",
    "`with nothing_new():` around a call that has been made once before.",
    '"""',
    ...environment(recording).filter((line) => !line.startsWith("#")),
    "import contextlib, sys",
    "",
    `WATCHED = {${watched.map((what) => `"${EVENTS[what]}": "${what}"`).join(", ")}}`,
    "work = []  # (what was done, where: line or label)",
    "label = None",
    "",
    "def line_of_program():",
    "    frame = sys._getframe()",
    "    while frame and frame.f_code.co_filename != NAME:",
    "        frame = frame.f_back",
    "    return frame and frame.f_lineno",
    "",
    "def listen(event, *_, **__):",
    "    if event in WATCHED:",
    "        work.append((WATCHED[event], label or line_of_program()))",
    "jax.monitoring.register_event_duration_secs_listener(listen)",
    "",
    "@contextlib.contextmanager",
    "def nothing_new():",
    "    before = len(work)",
    "    yield",
    '    assert len(work) == before, f"not answered from a cache: {[what for what, _ in work[before:]]}"',
    "",
    "def call(name, thunk):",
    "    global label",
    "    label = name",
    "    try:",
    "        return thunk()",
    "    except Exception:",
    "        pass  # a marked call may fail; the program goes on",
    "    finally:",
    "        label = None",
    "",
    `NAME, PLACES = "program.py", ${marked ? JSON.stringify([...new Set(same.map(({ label }) => label))]) : `[${call.line}]`}`,
    `ALLOWED = {${watched.map((what, i) => `"${what}": ${allowed[i]}`).join(", ")}}  # what is done there for the first time${answered ? ", and before this call" : ""}`,
    "",
    `def ${name}():`,
    "    work.clear()",
    "    try:",
    '        exec(compile(PROGRAM, NAME, "exec"), {"__name__": "__main__", "call": call, "note": lambda name, value: None})',
    ...(ends ? ["    except (SystemExit, Exception):", `        pass  # the program ends with ${ends.split(/[\r\n]/)[0]}`] : ["    except SystemExit:", "        pass  # the end of the program"]),
    "    for what, allowed in ALLOWED.items():",
    "        times = sum(work.count((what, place)) for place in PLACES)",
    `        assert times <= allowed, f"${quoted(place)}: {what} {times} times, {allowed} allowed"`,
    "",
    `PROGRAM = """\\`,
    text.replace(/\\/g, "\\\\").replace(/"""/g, '\\"\\"\\"').replace(/\s+$/, ""),
    '"""',
    "",
  ].join("\n");
}

/** Inside an f-string between double quotes. @param {string} text */
const quoted = (text) => text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/[{}]/g, "$&$&");

/** @param {Call} call @param {"traced"|"lowered"|"compiled"} what */
function done({ events }, what) {
  // JAX reports a trace where params had no entry, and not within another trace.
  if (what === "traced") return events.filter((event) => event.kind === "lookup" && event.station === "params" && event.outcome === "miss" && event.depth === 0).length;
  const names = { lowered: ["lower"], compiled: ["compile", "load"] }[what];
  return events.filter((event) => event.kind === "work" && names.includes(event.work)).length;
}
