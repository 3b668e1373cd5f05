"""Programs as people write them: the model says what real JAX was recorded saying.

Held against each other are the answers of every cache in order, and every key field by
field. The programs are the scenarios of the site, those in ``tests/programs/kept`` and those
from the wild, real JAX's recordings are in ``tests/golden``; ``python -m simulator.live
golden NAME`` makes one again, and ``tests/live/test_golden.py`` holds them against the
installed JAX.
"""

import pytest

from simulator.errors import OutOfScope
from simulator.live import compare, golden
from simulator.running import program

ITEMS = golden.items()
BENEATH = [item for item in ITEMS if item.path.parent.name == golden.BENEATH.name]
KEPT = [item for item in ITEMS if item not in BENEATH]


@pytest.mark.parametrize("item", KEPT, ids=lambda item: item.name.removesuffix(".py"))
def test_model_agrees(item):
    real = golden.load(item.path)
    again = f"run python -m simulator.live golden {item.name.removesuffix('.py')}"
    assert real.program["text"] == item.text, again
    found = compare.compare_text(item.name, item.text, lambda: real, events=True, keys=True)
    assert found.verdict == compare.AGREES, "\n".join([found.why, *found.differences[:10]])


@pytest.mark.parametrize("item", BENEATH, ids=lambda item: item.name.removesuffix(".py"))
def test_names_of_the_source_are_refused(item):
    assert golden.load(item.path).program["text"] == item.text
    with pytest.raises(OutOfScope, match="import jax._src"):
        program.observe_text(item.text, name=item.name)


def test_every_recording_has_its_program():
    assert {p.name.split(".")[0] for p in (golden.GOLDEN / "programs").iterdir()} == \
        {p.stem for p in golden.PROGRAMS.glob("*.py")}


START = "import jax\nf = jax.jit(lambda x: x + 1)\nf(1)\n"

FAILING = {
    "f = jax.jit(lambda x: x\nf(1)\n": (SyntaxError, 4),
    "def r(n): return r(n + 1)\nr(0)\n": (RecursionError, 4),
    "input('name? ')\n": (EOFError, 4),
    "import sys\nsys.exit('bad')\n": (SystemExit, 5),
    "raise SystemExit(3)\n": (SystemExit, 4),
    "raise GeneratorExit\n": (GeneratorExit, 4),
    "raise KeyboardInterrupt\n": (KeyboardInterrupt, 4),
    "class E(BaseException): pass\nraise E('mine')\n": (BaseException, 5),
    "jax.numpy.nothing\n": (AttributeError, 4),
    "f.nothing\n": (AttributeError, 4),
    "import jax.nothing\n": (ModuleNotFoundError, 4),
    "from jax import nothing\n": (ImportError, 4),
    "assert False, 'mine'\n": (AssertionError, 4),
    "1 / 0\n": (ZeroDivisionError, 4),
    "open('/nowhere/at/all')\n": (FileNotFoundError, 4),
}

REFUSED = {
    "import asyncio\n": "import asyncio",
    "from jax import live_arrays\n": "jax.live_arrays",
    "jax.pmap(f, backend='gpu')\n": "jax.pmap(backend=…)",
    "f.lower(1).compile().as_text()\n": "Compiled.as_text",
    "f.lower(1).as_text('hlo')\n": "Lowered.as_text in other dialects",
    "jax.jit(jax.numpy.sort).lower(jax.numpy.ones(3)).as_text()\n": "Lowered.as_text of sort",
    "print(f.lower(1).compile().memory_analysis())\n": "all of Compiled.memory_analysis()",
    "f.lower(1.).compile().cost_analysis()['bytes accessed']\n":
        "Compiled.cost_analysis()['bytes accessed']",
    "jax.jit(jax.numpy.sort).lower(jax.numpy.ones(3)).compile().cost_analysis()\n":
        "Compiled.cost_analysis of sort",
    "f.lower(1).compiler_ir()\n": "Lowered.compiler_ir",
    "jax.numpy.ones(3).unsafe_buffer_pointer()\n": "jax.Array.unsafe_buffer_pointer",
    "print(jax.numpy.zeros((3000, 3000)).sum())\n": "the values of an array",
    "import os, numpy\n\n\nnumpy.argsort(jax.numpy.ones(3))\n": "numpy.argsort of a jax.Array",
    "jax.jit(lambda x: x, compiler_options={'xla_x': 1})(1)\n": "the compiler option xla_x",
}


@pytest.mark.parametrize("rest", FAILING)
def test_a_failing_program_names_its_error_and_its_line(rest):
    kind, line = FAILING[rest]
    with pytest.raises(program.ProgramError) as caught:
        program.observe_text(START + rest)
    assert isinstance(caught.value.error, kind) and caught.value.line == line
    if kind is not SyntaxError:
        assert len(caught.value.recording.calls) == 1


@pytest.mark.parametrize("rest", REFUSED)
def test_a_refused_program_names_the_feature(rest):
    with pytest.raises(OutOfScope) as caught:
        program.observe_text(START + rest)
    assert REFUSED[rest] in str(caught.value)
    assert caught.value.line == 3 + len(rest.splitlines())


@pytest.mark.parametrize("rest", ["import sys\nsys.exit()\n", "raise SystemExit(0)\n", "exit()\n"])
def test_a_program_may_end_itself(rest):
    assert len(program.observe_text(START + rest + "f(2)\n").calls) == 1


def test_notes_are_plain_values():
    found = program.observe_text("note('n', [float('nan'), (1, True), {1: None}])\n")
    assert found.calls[0].note == ["nan", [1, True], {"1": None}]
    with pytest.raises(program.ProgramError, match="a note is made of"):
        program.observe_text("note('n', object())\n")


UNEVEN = """# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
place = NamedSharding(mesh, P("x"))
f = jax.jit(lambda x: jax.lax.with_sharding_constraint(x, place))
f(jax.numpy.ones(6))
"""


def test_a_part_of_an_axis_is_not_followed():
    """Four devices, six rows: XLA cuts the border in two, which has no name in the mesh."""
    with pytest.raises(OutOfScope, match="a sharding that XLA chose"):
        program.observe_text(UNEVEN)
