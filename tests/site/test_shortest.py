"""The shortest change (`site/scripts/play/shortest.js`) of a call that stands on several lines:
it is written into the program as that is laid out, and with it the call hits on the model."""

import json
import subprocess

import pytest
from conftest import ROOT

from simulator.running.program import observe_text

NODE = """
import { readCalls } from "./site/scripts/recording.js";
import { causesOf } from "./site/scripts/cause.js";
import { shortestChange } from "./site/scripts/play/shortest.js";
let text = "";
for await (const part of process.stdin) text += part;
const { recording, goal, call } = JSON.parse(text), calls = readCalls(recording);
const [theirs, mine] = [goal, call].map((number) => calls[number - 1]);
const changed = goal ? shortestChange(theirs, mine, recording.program.text) : null;
console.log(JSON.stringify({ changed, states: causesOf(calls, recording.program.text).map(({ state }) => state),
  lines: calls.map(({ line }) => line) }));
"""
HEAD = "import jax\nimport numpy as np\n\n"


def read(text, goal=0, call=0):
    recording = observe_text(text).data()
    done = subprocess.run(
        ["node", "--input-type=module", "-e", NODE], cwd=ROOT, text=True, timeout=60,
        input=json.dumps({"recording": recording, "goal": goal, "call": call}), capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


CHANGES = {
    "one argument, with a comment": (
        "f = jax.jit(lambda x, y: x * y)\nf(np.ones(4), 1.0)\n",
        "f(\n    np.ones(3),  # it's shorter (\n    1.0,\n)\n",
        "f(\n    np.pad(np.ones(3), (0, 1)),  # it's shorter (\n    1.0,\n)\n",
    ),
    "by position": (
        "@jax.jit\ndef f(x, y):\n    return x + y\n\nf(1, 2)\n",
        "z = f(\n    1,\n    y=2,\n)\n",
        "z = f(\n    1,\n    2,\n)\n",
    ),
    "an argument less": (
        "@jax.jit\ndef f(x, y=2.0, z=3.0):\n    return x + y + z\n\nf(\n    1,\n    2.0,\n)\n",
        "f(\n    1,\n    2.0,\n    3.0,\n)\n",
        "f(\n    1,\n    2.0,\n)\n",
    ),
    "a mark around it": (
        "f = jax.jit(lambda x: x * 2)\ncall('stored', lambda: f(np.ones(4)))\n",
        "call(\n    'shorter',\n    lambda: f(\n        np.ones(3)),\n)\n",
        "call(\n    'shorter',\n    lambda: f(\n        np.pad(np.ones(3), (0, 1))),\n)\n",
    ),
    "a context": (
        "f = jax.jit(lambda x: x * 2)\nf(1)\n",
        "with jax.numpy_dtype_promotion('strict'):\n    f(\n        1\n    )\n",
        "with jax.numpy_dtype_promotion('strict'):\n"
        "    with jax.numpy_dtype_promotion(\"standard\"): f(\n        1\n    )\n",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_call_on_several_lines_is_changed_where_it_stands(name):
    before, call, wanted = CHANGES[name]
    number = 2
    found = read(HEAD + before + call, number - 1, number)
    assert found["states"][number - 1] != "fast"
    assert found["changed"]["text"] == HEAD + before + wanted
    again = read(found["changed"]["text"])
    assert again["states"][number - 1] == "fast"
    assert again["lines"][number - 1] == found["changed"]["line"] + found["changed"]["moved"]


def test_a_wrapper_over_several_lines_is_made_once():
    text = "for i in range(2):\n    jax.jit(\n        lambda x: x * 2\n    )(1)\n"
    found = read(HEAD + text, 1, 2)
    assert found["changed"]["text"] == (
        HEAD + "made_once = jax.jit(\n        lambda x: x * 2\n    )\n"
        "for i in range(2):\n    made_once(1)\n")
    again = read(found["changed"]["text"])
    assert again["states"] == ["compiled", "fast"]
    assert again["lines"][1] == found["changed"]["line"] + found["changed"]["moved"]


@pytest.mark.parametrize("call", [
    "y = [\n    f(np.ones(3)),\n]\n",
    "f(np.ones(3)) + \\\n    1\n",
    "f(np.ones(3), '''\n''')\n",
])
def test_a_call_inside_of_something_larger_is_told_by_fields(call):
    found = read(HEAD + "f = jax.jit(lambda x, *y: x * 2, static_argnums=1)\nf(np.ones(4))\n" + call, 1, 2)
    assert found["changed"]["text"] is None and found["changed"]["steps"]
