"""The engine in the real page: both ways to start it, everything that can go
wrong with a run, and the same outcomes as the model under CPython."""

import gzip
import json

import pytest

from make.model import Model
from make.scenarios import all_scenarios
from simulator import lab

pytestmark = pytest.mark.browser

RUN = """async ({ text, name, options }) => {
  const place = document.querySelector("jit-stack[engine]").getAttribute("engine");
  const engine = await import(new URL(place, document.baseURI));
  try {
    return JSON.stringify({ recording: await engine.runProgram(text, { name, ...options }), way: engine.engineWay() });
  } catch ({ kind, message, line, recording }) {
    return JSON.stringify({ error: { kind, message, line }, recording, way: engine.engineWay() });
  }
}"""
ENDLESS = """import jax, jax.numpy as jnp
g = jax.jit(lambda x: x + 1)
call("one", lambda: g(jnp.arange(3)))
while True:
    pass
"""


@pytest.fixture(scope="module", params=["snapshot", "plain"])
def way(request):
    return request.param


@pytest.fixture
def lab_page(page, site):
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    return page


def run(page, text, name="program.py", **options):
    # as text: a value of many parts is handed over slowly
    return json.loads(page.evaluate(RUN, {"text": text, "name": name, "options": options}))


@pytest.mark.long
def test_every_scenario_comes_out_as_under_cpython(page, site, way):
    page.goto(f"{site}lab/?engine={way}")
    model = Model()
    for scenario in all_scenarios():
        expected, reason = model.run(scenario.text, f"{scenario.name}.py")
        found = run(page, scenario.text, f"{scenario.name}.py")
        assert found["way"] == way
        if expected is None:
            assert found["error"]["kind"] in ("refused", "program"), (scenario.name, reason)
        else:
            assert found.get("error") is None, (scenario.name, found["error"])
            assert found["recording"] == json.loads(expected.to_json()), scenario.name


def test_chance_differs_from_visit_to_visit(context, site):
    """The memory snapshot holds the state of `random`: every visit would begin with it."""
    drawn = set()
    for _ in range(2):
        page = context.new_page()
        page.goto(site + "lab/")
        page.wait_for_selector("jit-stack[ready]")
        found = run(page, 'import random\nnote("drawn", random.getrandbits(50))')
        drawn.add(found["recording"]["calls"][0]["note"])
    assert len(drawn) == 2


OUTSIDE = """
import sys
js = sys.modules["importlib"].import_module("js")
names = "fetch XMLHttpRequest WebSocket EventSource WebTransport importScripts Worker caches indexedDB navigator eval"
note("there", [name for name in names.split() if hasattr(js, name)])
for text in ("return 1", "import('" + js.self.constructor.name + "')"):
    for kind in (js.Function, js.setTimeout.constructor):
        try:
            kind.new(text)
            note("made of text", text)
        except Exception:
            pass
note("timer", js.setTimeout("self.made = 1", 0))
"""


def test_a_program_finds_no_way_out(page, site, way):
    """Also where a host sends no headers, and the worker has no policy of its own."""

    def bare(route):
        found = route.fetch()
        kept = {k: v for k, v in found.headers.items() if k != "content-security-policy"}
        route.fulfill(response=found, headers=kept)

    page.route("**/assets/engine-worker*", bare)
    page.goto(f"{site}lab/?engine={way}")
    page.wait_for_selector("jit-stack[ready]")
    found = run(page, OUTSIDE)
    assert found["way"] == way
    assert [(c["label"], c["note"]) for c in found["recording"]["calls"]] == [
        ("there", []), ("timer", 0)]
    # the engine's own way out stays: a module that the snapshot does not hold
    found = run(page, 'import sys, statistics\nnote("mean", statistics.mean([1, 3]))')
    assert found["recording"]["calls"][0]["note"] == 2


STOPPED = """async () => {
  const place = document.querySelector("jit-stack[engine]").getAttribute("engine");
  const engine = await import(new URL(place, document.baseURI));
  const stop = new AbortController();
  const run = engine.runProgram("import jax", { name: "p.py", signal: stop.signal }).catch((error) => error.kind);
  await new Promise((done) => { const look = () => (made.length ? done() : setTimeout(look)); look(); });
  passed = 61_000;
  stop.abort();
  return run;
}"""


def test_an_engine_that_dies_while_it_starts_is_replaced_once_it_was_stopped(page, site):
    page.add_init_script("""
        window.made = []; window.passed = 0;
        const now = Date.now.bind(Date), Real = Worker;
        Date.now = () => now() + passed;
        Worker = class extends Real {
          constructor(...given) {
            super(...given);
            if (made.push(this) === 1) this.terminate();  // as a system does that has no memory left
          }
        };
    """)
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    assert page.evaluate(STOPPED) == "stopped"
    late = "new Promise((_, fail) => setTimeout(() => fail(new Error('still waiting')), 40_000))"
    given = {"text": 'note("next", 1)', "name": "p.py", "options": {}}
    found = json.loads(page.evaluate(f"(given) => Promise.race([({RUN})(given), {late}])", given))
    assert found["recording"]["calls"][0]["note"] == 1


@pytest.mark.parametrize("forged", ["frame.f_locals['on_call']('no JSON')",
                                    "sys.modules['json'].dumps = lambda *a, **k: '{}'"])
def test_an_answer_that_cannot_be_read_is_said(lab_page, forged):
    found = run(lab_page, f"""
import sys
frame = sys._getframe()
while "on_call" not in frame.f_locals or not callable(frame.f_locals["on_call"]) or frame.f_code.co_name != "answer":
    frame = frame.f_back
{forged}
""", limit=5)
    assert found["error"]["kind"] == "unavailable", found
    assert run(lab_page, 'note("next", 1)')["recording"]["calls"][0]["note"] == 1


def test_snapshot_that_does_not_load_is_replaced_silently(page, site, watch):
    watch.allow("404", "ERR_FAILED")
    page.route("**/fast/memory.bin", lambda route: route.abort())
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    found = run(page, 'import jax\nnote("two", 1 + 1)')
    assert found["way"] == "plain"
    assert found["recording"]["calls"][0]["note"] == 2


def test_snapshot_from_another_build_is_replaced_silently(page, site):
    page.route("**/fast/memory.bin", lambda route: route.fulfill(body=b"\x00" * 65536))
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    found = run(page, 'import jax\nnote("two", 1 + 1)')
    assert found["way"] == "plain" and found["recording"]


def test_snapshot_that_is_cut_off_is_replaced_silently(page, site):
    def half(route):
        body = route.fetch().body()
        route.fulfill(body=body[: len(body) // 2])

    page.route("**/fast/memory.bin", half)
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    found = run(page, 'import jax\nnote("two", 1 + 1)')
    assert found["way"] == "plain" and found["recording"]


@pytest.mark.parametrize("absent", ["compileStreaming", "instantiateStreaming"])
def test_browser_that_does_not_stream_has_the_snapshot_too(page, site, absent):
    page.add_init_script(f"delete WebAssembly.{absent}")
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    assert run(page, 'import jax\nnote("two", 1 + 1)')["way"] == "snapshot"


def unnamed(route):
    """As a host sends it that does not know the kind of file."""
    found = route.fetch()
    kind = {"content-type": "application/octet-stream"}
    route.fulfill(response=found, headers={**found.headers, **kind})


def test_host_that_does_not_know_webassembly(page, site, way):
    page.route("**/*.wasm", unnamed)
    page.goto(f"{site}lab/?engine={way}")
    page.wait_for_selector("jit-stack[ready]")
    assert run(page, 'import jax\nnote("two", 1 + 1)')["way"] == way


def test_snapshot_with_a_page_beyond_its_end_is_replaced_at_once(page, site):
    def moved(route):
        body = bytearray(gzip.decompress(route.fetch().body()))
        body[16:20] = b"\xf0\xff\xff\xff"  # where its first page belongs
        route.fulfill(body=bytes(body))

    page.route("**/fast/memory.bin", moved)
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    page.evaluate("window.setTimeout = () => 0")  # nothing is given up after a time
    assert run(page, 'import jax\nnote("two", 1 + 1)')["way"] == "plain"


def test_snapshot_waits_for_what_comes_late(page, site):
    """Only a snapshot that has everything and does not start is given up."""
    late = []
    page.route("**/fast/pyodide.asm.wasm", lambda route: late.append(route))
    page.add_init_script(
        "const wait = setTimeout; window.setTimeout = (what, time) => wait(what, time / 20);"
    )
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    page.evaluate(
        """async () => {
          const place = document.querySelector("jit-stack[engine]").getAttribute("engine");
          const { prepare } = await import(new URL(place, document.baseURI));
          window.started = prepare();
        }"""
    )
    page.wait_for_timeout(2000)
    assert len(late) == 1
    late[0].continue_()
    assert page.evaluate("started") == "snapshot"


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ("pyodide.asm.wasm", "the interpreter is not there (404)"),
        ("pyodide-lock.json", "its list of packages is not there (404)"),
    ],
)
def test_engine_that_cannot_start_is_said(page, site, watch, missing, words):
    watch.allow("404")
    page.route(f"**/{missing}", lambda route: route.fulfill(status=404, body="not here"))
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    error = run(page, "import jax")["error"]
    assert error["kind"] == "unavailable" and words in error["message"]


def test_browser_without_webassembly_is_told_so(page, site):
    page.add_init_script("delete window.WebAssembly")
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    assert "switched off" in run(page, "import jax")["error"]["message"]


def test_endless_program_is_stopped_and_the_engine_goes_on(lab_page):
    found = run(lab_page, ENDLESS, limit=3)
    assert found["error"]["kind"] == "timeout"
    assert "still running after 3 seconds" in found["error"]["message"]
    labels = [call["label"] for call in found["recording"]["calls"]]
    assert labels == ["one"]
    after = run(lab_page, 'note("still", "here")')
    assert after["recording"]["calls"][0]["note"] == "here"


def test_run_can_be_stopped(lab_page):
    found = lab_page.evaluate(
        """async (text) => {
          const place = document.querySelector("jit-stack[engine]").getAttribute("engine");
          const { runProgram, prepare, engineState } = await import(new URL(place, document.baseURI));
          await prepare();
          const stop = new AbortController();
          const running = runProgram(text, { signal: stop.signal }).catch((error) => error.kind);
          setTimeout(() => stop.abort(), 500);
          return [await running, engineState()];
        }""",
        ENDLESS,
    )
    assert found == ["stopped", "off"]
    assert run(lab_page, 'note("still", "here")')["recording"]


def test_a_run_can_be_stopped_at_every_moment_of_its_beginning(lab_page):
    found = lab_page.evaluate(
        """async (text) => {
          const place = document.querySelector("jit-stack[engine]").getAttribute("engine");
          const { runProgram, prepare } = await import(new URL(place, document.baseURI));
          const ends = [];
          for (let turns = 0; turns < 12; turns++) {
            await prepare();
            const stop = new AbortController();
            const running = runProgram(text, { signal: stop.signal, limit: 5 }).catch((error) => error.kind);
            for (let turn = 0; turn < turns; turn++) await null;
            stop.abort();
            ends.push(await running);
          }
          return ends;
        }""",
        ENDLESS,
    )
    assert found == ["stopped"] * 12


def test_threads_are_refused_by_name(lab_page):
    text = (
        "import threading\nimport jax\nthread = threading.Thread(target=jax.devices)\n"
        "call('in a thread', thread.start)\n"
    )
    error = run(lab_page, text)["error"]
    assert error["kind"] == "refused" and error["line"] == 4
    assert "a thread in the browser" in error["message"]


def test_worker_that_dies_mid_run_is_said_and_replaced(lab_page, watch):
    watch.allow("engine-worker", "killed")
    lab_page.add_init_script(
        """
        const Real = Worker;
        window.Worker = class extends Real {
          constructor(...all) { super(...all); window.lastWorker = this; }
        };
        """
    )
    lab_page.reload()
    lab_page.wait_for_selector("jit-stack[ready]")
    run(lab_page, "import jax")
    lab_page.evaluate(
        "setTimeout(() => window.lastWorker.dispatchEvent(new ErrorEvent('error', { message: 'killed' })), 300)"
    )
    found = run(lab_page, ENDLESS)
    assert found["error"]["kind"] == "unavailable" and "killed" in found["error"]["message"]
    assert run(lab_page, 'note("still", "here")')["recording"]


@pytest.mark.parametrize(
    ("text", "kind", "words", "line"),
    [
        ("import jax\nx = = 1\n", "program", "SyntaxError", 2),
        ("import jax\n\n1 / 0\n", "program", "ZeroDivisionError", 3),
        ("import jax\nimport pandas\n", "refused", "pandas", 2),
        ("import jax\njax.live_arrays()\n", "refused", "live_arrays", 2),
        ("def f(): return f()\nf()\n", "program", "RecursionError", 1),
    ],
)
def test_errors_are_data_with_their_line(lab_page, text, kind, words, line):
    before = (
        'import jax, jax.numpy as jnp\ncall("first", lambda: jax.jit(lambda x: x)(jnp.ones(2)))\n'
    )
    found = run(lab_page, before + text)
    assert found["error"]["kind"] == kind
    assert words in found["error"]["message"]
    assert found["error"]["line"] == line + 2
    if "SyntaxError" not in words:
        assert [call["label"] for call in found["recording"]["calls"]] == ["first"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = []\nfor i in range(1_000_000): x = [x]\nrepr(x)\n", "nests deeper"),
        ("import sys\nsys.modules['posix']._exit(1)\n", "ended the interpreter"),
        ("import sys\nsys.modules.clear()\n", "broke the model"),
    ],
)
def test_programs_that_end_the_interpreter(lab_page, watch, text, words):
    watch.allow("Pyodide has suffered a fatal error", "The cause of the fatal error", "RangeError")
    found = run(lab_page, text)
    assert words in found["error"]["message"]
    assert run(lab_page, 'note("still", "here")')["recording"]


def test_first_changes_in_the_lab_need_no_engine(page, site, watch):
    watch.allow("ERR_FAILED")  # the page prepares the engine, and goes without it
    page.route("**/engine/**", lambda route: route.abort())
    page.goto(site + "lab/")
    page.wait_for_selector("jit-stack[ready]")
    found = page.evaluate(
        """async () => {
          const place = document.querySelector("jit-stack[engine]").getAttribute("engine");
          const { runHistory } = await import(new URL(place, document.baseURI));
          return (await runHistory(["call", "numpy", "call"])).calls.length;
        }"""
    )
    assert found == 2


def test_histories_run_and_tell_what_they_could_not_read(lab_page):
    history = ["call", "no_such_thing", "shape:8", "call", "numpy", "call"]
    found = lab_page.evaluate(
        """async (history) => {
          const place = document.querySelector("jit-stack[engine]").getAttribute("engine");
          const { runHistory } = await import(new URL(place, document.baseURI));
          return runHistory(history);
        }""",
        history,
    )
    assert len(found["problems"]) == 1 and "no_such_thing" in found["problems"][0]
    read = [lab.Action(*action.split(":")) for action in history if action != "no_such_thing"]
    expected, _ = Model().run(lab.program(read), "lab.py")
    assert found["calls"] == json.loads(expected.to_json())["calls"]
