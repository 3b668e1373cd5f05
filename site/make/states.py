"""The table of configuration states: facts, a line on what each is for, and what the caches
did when it was flipped on real JAX (`simulator/data/flips.json`)."""

import functools
import html
import json
import re
import tomllib

from markupsafe import Markup

from make import names
from make.paths import ROOT

FLIPS = ROOT / "simulator" / "data" / "flips.json"
MEANINGS = ROOT / "content" / "states.toml"

OUTCOMES = {
    ("H", "MH.H.H"): "No cache notices.",
    ("MMMMMMM", "MH.H.H"): "Every cache in memory misses.",
    ("MH.H.H", "MH.H.H"): "C++ misses, all below answer: the old program is kept.",
    ("H", "MMMMMMM"): "C++ answers with the old program. What C++ does not know is traced and "
    "compiled anew.",
    ("MMM", "MH"): "Traced again; from then on a call is handled as an operation, never by C++.",
    ("", ""): "No cache is asked: your function is called as Python.",
    ("H", "M !RuntimeError"): "C++ answers. What C++ does not know raises.",
    ("MMMMMMM !RuntimeError", "MH.H.H !RuntimeError"): "Every cache in memory misses. The program "
    "is compiled, and running it raises.",
    ("H", "MH.H.H !JaxRuntimeError"): "No cache notices. Moving the NumPy array raises.",
    ("MMMM !ValueError", "MH.H !ValueError"): "Misses down to lowering, which raises: this mesh "
    "has no devices.",
}
"""What the answers to the same call, and to the same types in a NumPy array, mean in words."""

REFUSED = "JAX refuses: it can be set before the first call only."
UNSET = "Not flipped: JAX sets it by itself."
SPREADS = {"device_context": "It comes together with the context mesh of the trace context."}
"""What a flip changed besides the state itself."""


@functools.cache
def flips() -> dict[str, dict]:
    """The recorded flips by name. Raises ValueError when one did not come back."""
    found = json.loads(FLIPS.read_text(encoding="utf-8"))["flips"]
    for name, flip in found.items():
        if "refused" not in flip and flip["back"] != "H":
            raise ValueError(f"{name}: the old value does not find its old entry")
    return found


@functools.cache
def meanings() -> dict[str, str]:
    """What each state is for; every state has its line, and no line is left over."""
    found = tomllib.loads(MEANINGS.read_text(encoding="utf-8"))
    if missing := set(names.states()) ^ set(found):
        raise ValueError(f"states.toml and the facts differ in {sorted(missing)}")
    return found


def table() -> list[dict]:
    """A row for each state."""
    return [row(name, state) for name, state in names.states().items()]


def row(name: str, state: dict) -> dict:
    """A configuration state as a row of the table: what it means, which keys it is in, what
    changing it does."""
    flip = flips().get(name)
    return {
        "name": name,
        "meaning": Markup(re.sub("`(.*?)`", r"<code>\1</code>", html.escape(meanings()[name]))),
        "default": state["default_text"],
        "tried": tried(flip["done"]) if flip else "",
        "jit": state["in_jit_key"],
        "trace": state["in_trace_context"],
        "effect": f"{effect(flip)} {SPREADS.get(name, '')}".strip(),
        "address": f"{names.blob(state['file'])}#L{state['line']}",
    }


def tried(done: str) -> str:
    """The value or the context, of what was done."""
    match = re.fullmatch(r'jax\.config\.update\("\w+", (.*)\)', done)
    return match[1] if match else done.rstrip(":")


def effect(flip: dict | None) -> str:
    """What a flip did, in words. Raises KeyError for answers that nobody has put into words."""
    if flip is None:
        return UNSET
    return REFUSED if "refused" in flip else OUTCOMES[flip["same"], flip["numpy"]]


def count(outcome: str) -> int:
    """How many flips ended in this outcome: `nothing`, `everything`, `old`, `late`."""
    wanted = {"nothing": 0, "everything": 1, "old": 2, "late": 3}[outcome]
    said = list(OUTCOMES.values())[wanted]
    return sum(effect(flip) == said for flip in flips().values())
