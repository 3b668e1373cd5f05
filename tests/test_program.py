"""Running programs: directives, errors, the command line."""

import json
import os
import subprocess
import sys

import pytest

from simulator.command_line import main
from simulator.errors import OutOfScope
from simulator.recordings.recording import Call, Note, Recording
from simulator.running import reading
from simulator.running.directives import Directives
from simulator.running.program import ProgramError, observe_text

HIT_AND_MISS = """# processes: 2
import jax, os
g = jax.jit(lambda x: x + 1)
call("first", lambda: g(1.0))
call("second", lambda: g(1.0))
note("process", os.environ["CASE_PROCESS"])
"""


def test_directives():
    found = Directives.of("# env: A=b c\n# processes: 3\n# log: off\n# text\nx = 1\n# env: B=1\n")
    assert found == Directives({"A": "b c"}, 3, False)


@pytest.mark.parametrize("number", ["1000000", "0", "9" * 5000])
def test_processes_are_not_without_number(number):
    with pytest.raises(OutOfScope, match=f"{number[:10]} processes: .* 1 up to 16"):
        observe_text(f"# processes: {number}\nimport jax\n")


def test_every_process_starts_empty():
    calls = observe_text(HIT_AND_MISS).calls
    assert [(c.label, c.process) for c in calls] == [
        ("first", 0), ("second", 0), ("process", 0), ("first", 1), ("second", 1), ("process", 1)]
    assert [c.fast_path for c in calls if isinstance(c, Call)] == [False, True, False, True]
    assert [c.note for c in calls if isinstance(c, Note)] == ["0", "1"]


@pytest.mark.parametrize(("source", "text"), [
    (b"\xef\xbb\xbfx = 1\r\ny = 2\r", "x = 1\ny = 2\n"),
    ("# coding: latin-1\nx = 'ä'\r\n".encode("latin-1"), "# coding: latin-1\nx = 'ä'\n"),
    ("größe = 1".encode(), "größe = 1"),
])
def test_a_file_is_read_as_python_reads_it(source, text):
    assert reading.decoded(source) == reading.shown(source) == text


@pytest.mark.parametrize(("source", "said", "line"), [
    (b"x = 1\ny = '\xff'\n", "invalid start byte", 2),
    (b"\x89PNG\r\n\x1a\n\0\0", "invalid start byte", 1),
    (b"# coding: nonsense\n", "nonsense", None),
    (b"# coding: rot13\n", "rot13", None),
    (b"# coding: ascii\nx = '\xc3\xa4'\n", "ascii", 2),
])
def test_a_file_that_is_no_text_is_named(source, said, line, tmp_path, capsys):
    (tmp_path / "p.py").write_bytes(source)
    assert main(["observe", str(tmp_path / "p.py")]) == 1
    told = capsys.readouterr().err
    assert "p.py: SyntaxError: " in told and said in told
    assert told.rstrip().endswith(f"(line {line})") is bool(line)


def test_lines_are_counted_as_python_counts_them():
    calls = observe_text("import jax\n\f\nx = '\u2028'\njax.jit(abs)(1)\n").calls
    assert [(c.line, c.label) for c in calls] == [(4, "jax.jit(abs)(1)")]


@pytest.mark.parametrize("line", ["os._exit(5)", "os.kill(os.getpid(), 9)", "os.system('ls')",
                                  "os.execv('x', [])", "os.fork()"])
def test_a_program_stays_in_its_process(line):
    with pytest.raises(OutOfScope, match="os.") as caught:
        observe_text(f"import os\n{line}\n")
    assert caught.value.line == 2
    assert os.system.__module__ == "posix"


def test_a_byte_order_mark_is_no_part_of_the_program():
    found = observe_text("\ufeff# log: off\nimport jax\ncall('a', lambda: jax.jit(abs)(1))\n")
    assert [(c.line, c.log) for c in found.calls] == [(3, [])]


def test_log_off_is_silent():
    program = "# log: off\nimport jax\ncall('a', lambda: jax.jit(lambda x: x)(1))\n"
    assert observe_text(program).calls[0].log == []
    assert observe_text(program.replace("# log: off\n", "")).calls[0].log


@pytest.mark.parametrize(("body", "said"), [
    ("class Mute(Exception):\n    def __str__(self): raise ValueError\nraise Mute(1)",
     "Mute: <exception str() failed> (line 3)"),
    ("raise MemoryError", "MemoryError (line 1)"),
])
def test_errors_that_say_nothing_are_named(body, said):
    with pytest.raises(ProgramError) as caught:
        observe_text(body)
    assert str(caught.value) == said


@pytest.mark.parametrize("text, line", [("import jax\ndef f(:\n", 2), ("x = 1\n\n1 / 0\n", 3)])
def test_errors_name_the_line(text, line):
    with pytest.raises(ProgramError) as caught:
        observe_text(text)
    assert caught.value.line == line
    assert str(caught.value).count("line") == 1


def test_what_came_before_an_error_is_kept():
    with pytest.raises(ProgramError) as caught:
        observe_text("import jax\ncall('a', lambda: jax.jit(lambda x: x)(1))\nraise KeyError('k')\n")
    assert [c.label for c in caught.value.recording.calls] == ["a"]


def test_refusals_name_feature_and_line_and_cannot_be_caught():
    with pytest.raises(OutOfScope) as caught:
        observe_text("import jax\ntry:\n    jax.live_arrays()\nexcept Exception:\n    pass\n")
    assert (caught.value.feature, caught.value.line) == ("jax.live_arrays", 3)


def test_a_name_that_jax_does_not_have():
    with pytest.raises(ProgramError, match="ImportError: cannot import name 'no_such_thing'"):
        observe_text("from jax import no_such_thing")


@pytest.mark.parametrize("line", ["import flax", "import jax.experimental.pallas",
                                  "import subprocess"])
def test_imports_of_something_else(line):
    with pytest.raises(OutOfScope):
        observe_text(line)


def test_a_mistake_of_the_model_is_no_outcome(monkeypatch):
    from simulator import lowering
    monkeypatch.delattr(lowering, "resolve_in_shardings")
    with pytest.raises(OutOfScope, match="mistake in the model"):
        observe_text("import jax\ncall('a', lambda: jax.jit(lambda x: x)(1))\n")


def test_the_real_environment_is_not_seen(monkeypatch):
    monkeypatch.setenv("JAX_ENABLE_X64", "1")
    program = "import jax\ncall('a', lambda: jax.jit(lambda x: x)(1))\n"
    assert observe_text(program).calls[0].value == "i32[]*(1)"
    assert observe_text("# env: JAX_ENABLE_X64=1\n" + program).calls[0].value == "i64[]*(1)"


@pytest.mark.parametrize(("text", "marked", "environment"), [
    ("import jax\ncall('a', lambda: 1)\n", True, None),
    ("import jax\ncall = jax.jit(lambda x: x)\ncall(1)\n", False, None),
    ("import jax\nnote('call(', 1)\n", True, None),
    ("import jax\nprint('call(1)')  # call(2)\n", False, None),
    ("import os, numpy\nos.environ.update(JAX_ENABLE_X64='1')\nimport jax\n", False,
     {"JAX_ENABLE_X64": "1"}),
    ("import os, jax\nos.environ['JAX_ENABLE_X64'] = '1'\n", False, None),
    ("import os\nos.environ['JAX_ENABLE_X64'] = '1'\n", False, None),
])
def test_what_a_recording_says_of_its_program(text, marked, environment):
    found = Recording.from_data(observe_text(text).data()).program
    assert (found["marked"], found.get("environment")) == (marked, environment)


def test_command_line(tmp_path, capsys):
    good, refused, bad = (tmp_path / n for n in ("good.py", "refused.py", "bad.py"))
    good.write_text(HIT_AND_MISS)
    refused.write_text("import jax\njax.live_arrays\n")
    bad.write_text(HIT_AND_MISS + "1 / 0\n")
    assert main(["observe", str(good), "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert set(records[0]) == {"label", "fast_path", "caches", "persistent", "exception", "value",
                               "log", "process"}
    assert records[2] == {"label": "process", "note": "0", "process": 0}
    assert main(["observe", str(good), "--recording"]) == 0
    assert json.loads(capsys.readouterr().out)["producer"] == "model"
    assert main(["observe", str(refused), "--json"]) == 3
    out = capsys.readouterr()
    assert out.out == "" and out.err.startswith("OutOfScope: jax.live_arrays at line 2: ")
    assert main(["observe", str(bad), "--json"]) == 1
    out = capsys.readouterr()
    assert [r["label"] for r in json.loads(out.out)] == ["first", "second", "process"]
    assert out.err == f"{bad}: ZeroDivisionError: division by zero (line 7)\n"
    assert main(["observe", str(tmp_path / "absent.py")]) == 2


@pytest.mark.parametrize("words", [[], ["observe"], ["watch", "a.py"], ["observe", "a.py", "--xml"],
                                   ["observe", "a.py", "--json", "--recording"]])
def test_wrong_usage_shows_the_right_one(words, capsys):
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("usage: python -m simulator observe FILE...")


def test_help(capsys):
    assert main(["observe", "--help"]) == 0
    assert "--recording" in capsys.readouterr().out


def start(file, *options, **more):
    """The command line in a process of its own."""
    return subprocess.run([sys.executable, "-m", "simulator", "observe", str(file), *options],
                          capture_output="stdout" not in more, check=False, **more)


@pytest.mark.parametrize("form", ["--json", "--recording", None])
def test_any_text_is_printed_whatever_the_terminal_is_set_to(tmp_path, form):
    file = tmp_path / "p.py"
    file.write_text("import jax\ncall('größe \\ud800', lambda: jax.jit(abs)(1))\n", encoding="utf-8")
    done = start(file, *[form] * bool(form), env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert "größe \\ud800" in done.stdout.decode()
    if form:
        found = json.loads(done.stdout)
        calls = found["calls"] if form == "--recording" else found
        assert calls[0]["label"] == "größe \ud800"


def test_an_output_that_takes_no_more_is_not_the_programs_fault(tmp_path):
    file = tmp_path / "p.py"
    file.write_text("import jax\njax.jit(abs)(1)\n")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = start(file, stdout=closed, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (141, b"")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            done = start(file, stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 2 and done.stderr.startswith(b"standard output: ")


COMPUTES = """
import jax, jax.numpy as jnp
class Box:
    def __init__(self, x): self.x = x
jax.tree_util.register_pytree_node(Box, lambda b: ((jnp.asarray(b.x) * 1,), None), lambda a, c: Box(*c))
leaf, = jax.tree.leaves(Box(1.0))
note("outside of a call", float(leaf))
call("inside", lambda: jax.jit(lambda b: b.x)(Box(1.0)))
"""


@pytest.mark.parametrize(("text", "feature"), [
    ("import copy, jax\n\ncopy.deepcopy({'step': jax.jit(abs)})\n", "a copy of a jitted function"),
    (COMPUTES, "a flatten function that computes with jax"),
])
def test_what_is_not_followed_is_refused_by_name(text, feature):
    with pytest.raises(OutOfScope) as caught:
        observe_text(text)
    assert caught.value.feature == feature and caught.value.line == (3 if "copy" in text else 8)
