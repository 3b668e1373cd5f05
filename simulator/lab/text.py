"""A state of the lab as lines of Python.

Three parts: the opening of a program (imports and definitions that the history needs),
the bindings of a state (`g = ...`, `x = ...`), and the text of a call.
"""

from __future__ import annotations

from collections.abc import Sequence

from simulator.lab.kinds import Action
from simulator.lab.state import State

Lines = tuple[str, ...]

_SHAPES = {"4": "4", "8": "8", "4x2": "(4, 2)", "scalar": "()"}
_PLACES = {"committed": "jax.devices()[0]", "other_device": "jax.devices()[1]",
           "split": 'NamedSharding(mesh, P("d"))', "replicated": "NamedSharding(mesh, P())",
           "spelled": 'NamedSharding(mesh, P("d", None))'}
_TREES = {"leaf": "x", "tuple": "(x, y)", "list": "[x, y]", "dict": '{"a": x, "b": y}',
          "none": "(x, None)", "namedtuple": "Pair(x, y)"}
_STATICS = {"2": "2", "3": "3", "2.0": "2.0", "equal": "Power(2)", "identity": "Lonely(2)",
            "list": "[2]"}
_OPTIONS = {"plain": "", "donate": 'donate_argnames="x"', "inline": "inline=True",
            "keep_unused": "keep_unused=True", "in_shardings": "in_shardings=None",
            "out_shardings": "out_shardings=SingleDeviceSharding(jax.devices()[0])"}
_CONTEXTS = (("mesh", {"set_mesh": "jax.set_mesh(mesh)", "legacy": "mesh",
                       "abstract": "jax.sharding.use_abstract_mesh(mesh.abstract_mesh)"}),
             ("default_device", {"other": "jax.default_device(jax.devices()[1])"}),
             ("no_tracing", {"on": "jax.no_tracing(True)"}),
             ("disable_jit", {"on": "jax.disable_jit()"}))
_SETTINGS = {
    "jit_key_state": ("jax_optimization_level", {"O1": '"O1"', "O0": '"O0"',
                                                 "default": '"UNKNOWN"'}),
    "trace_state": ("jax_hlo_source_file_canonicalization_regex", {"set": '"^.*/"',
                                                                   "default": "None"}),
    "both_state": ("jax_default_matmul_precision", {"highest": '"highest"',
                                                    "float32": '"float32"', "default": "None"}),
    "nans": ("jax_debug_nans", {"on": "True", "default": "False"}),
    "loud": ("jax_log_compiles", {"off": "False", "default": "True"}),
    "x64": ("jax_enable_x64", {"on": "True", "default": "False"}),
}
_DISK = {"on": "0", "slow_only": "1000"}


def _body(trees: bool) -> str:
    return "jax.tree.map(lambda leaf: leaf ** n, x)" if trees else "x ** n"


def _definition(state: State, trees: bool) -> Lines:
    """The lines that define the current function, where it is not the one at the top."""
    body = _body(trees)
    return {
        "nested": ('inner = jax.jit(f, static_argnames="n")', "def outer(x, n):",
                   "    return inner(x, n)"),
        "print": ("def noisy(x, n):", '    jax.debug.print("here")', f"    return {body}"),
        "raise": ("trouble = [True]", "def shaky(x, n):", "    if trouble:",
                  "        trouble.clear()", '        raise ValueError("only once")',
                  f"    return {body}"),
    }.get(state.function, ())


def base_definition(trees: bool) -> Lines:
    """The plain function, as it stands at the top of every program."""
    return ("def f(x, n):", f"    return {_body(trees)}")


def _wrapper(state: State, trees: bool) -> Lines:
    """The lines that bind `g`."""
    function = {"plain": "f", "lambda": f"lambda x, n: {_body(trees)}",
                "partial": f"partial(f, n={_STATICS[state.static]})",
                "static_method": "Model.power", "bound_method": "model.power",
                "callable": "Powers(1)", "nested": "outer", "print": "noisy",
                "raise": "shaky"}[state.function]
    static = {"partial": "", "static_method": 'static_argnames=("self", "n")'}.get(
        state.function, 'static_argnames="n"')
    parts = [part for part in (function, static, _OPTIONS[state.options]) if part]
    wrap: Lines = (f"g = jax.jit({', '.join(parts)})",)
    if len(wrap[0]) > 90:
        wrap = ("g = jax.jit(", f"    {parts[0]},", f"    {', '.join(parts[1:])})")
    if state.function in ("callable", "bound_method"):
        # Equal objects share a trace only while the first one lives.
        return ("previous = g", *wrap)
    return wrap


def _argument(state: State, value: int) -> str:
    """The expression for x or y. `value` keeps the two apart."""
    number = {"float": f"{value}.0", "int": str(value)}.get(state.form)
    if number:
        return number
    if state.form == "weak":
        return f"jnp.asarray({value}{'' if state.dtype == 'int32' else '.0'})"
    numpy = f"np.full({_SHAPES[state.shape]}, {value}, np.{state.dtype})"
    if state.form == "numpy":
        return numpy
    place = _PLACES.get(state.place)
    return f"jax.device_put({numpy}, {place})" if place else f"jax.device_put({numpy})"


def bindings(state: State, trees: bool) -> dict[str, Lines]:
    """Everything that has to be run for a state to be in force, by name, in order.

    Args:
      state: the state.
      trees: whether the plain function takes containers.
    Returns: name -> lines. Writing those that differ from the state before is enough.
    """
    found: dict[str, Lines] = {}
    for slot, value in state.settings:
        name, values = _SETTINGS[slot]
        found[slot] = (f'jax.config.update("{name}", {values[value]})',)
    folder = 'os.environ["CASE_TMP"] + "/cache"'
    found["disk"] = (
        f'jax.config.update("jax_compilation_cache_dir", {folder if state.disk in _DISK else None})',
        *((f'jax.config.update("jax_persistent_cache_min_compile_time_secs", {_DISK[state.disk]})',)
          if state.disk in _DISK else ()))
    found["def"] = _definition(state, trees)
    found["model"] = ("model = Model()",) if state.function.endswith("method") else ()
    found["g"] = _wrapper(state, trees)
    found["x"] = (f"x = {_argument(state, 3)}",)
    found["y"] = (f"y = {_argument(state, 5)}",) if "y" in _TREES[state.tree] else ()
    return found


def opening_bindings(state: State, trees: bool) -> dict[str, Lines]:
    """The bindings at the start of a process: those that are not JAX's own defaults."""
    found = bindings(state, trees)
    for slot, value in state.settings:
        if value == "default":
            del found[slot]
    if state.disk not in _DISK:
        found["disk"] = ()
    return found


def arguments(state: State, static: bool = True) -> str:
    """The text between the parentheses of a call.

    Args:
      state: the state.
      static: False leaves static arguments out, as a compiled program wants.
    """
    x = _TREES[state.tree]
    parts = [f"x={x}" if state.keyword == "keyword" else x]
    if static and state.function == "static_method":
        parts.insert(0, "model")
    if static and state.function != "partial":
        n = _STATICS[state.static]
        parts.append(f"n={n}" if state.keyword == "keyword" else n)
    return ", ".join(parts)


def call_text(state: State, action: Action) -> str:
    """The expression that issues an action, for example ``g(x, 2)``."""
    given = arguments(state)
    if action.kind == "eval_shape":
        return f"g.eval_shape({given})"
    if action.kind == "ahead":
        return {"trace": f"g.trace({given})", "lower": f"g.lower({given})",
                "compile": f"g.lower({given}).compile()",
                "run": f"g.lower({given}).compile()({arguments(state, static=False)})",
                }[action.picked]
    return f"g({given})"


def contexts(state: State) -> str:
    """The items of the `with` statement around the calls; empty when there is none."""
    return ", ".join(texts[getattr(state, slot)] for slot, texts in _CONTEXTS
                     if getattr(state, slot) in texts)


def opening(states: Sequence[State], body: str, trees: bool) -> Lines:
    """Imports and definitions that a program needs, and no others.

    Args:
      states: the states it goes through.
      body: the rest of the program's text.
      trees: whether the plain function takes containers.
    """
    sharding = [name for name in ("AxisType", "NamedSharding", "SingleDeviceSharding")
                if f"{name}(" in body or (name == "AxisType" and "mesh" in body)]
    if "P(" in body:
        sharding.append("PartitionSpec as P")
    own_static = {state.static for state in states} & {"equal", "identity"}
    dataclass = "equal" in own_static or "Powers(" in body
    lines = [text for needed, text in (
        ("Pair(" in body, "from collections import namedtuple"),
        (dataclass, "from dataclasses import dataclass"),
        ("partial(" in body, "from functools import partial"),
        ("os." in body, "import os"),
        (True, "import jax"),
        ("jnp." in body, "import jax.numpy as jnp"),
        ("np." in body.replace("jnp.", ""), "import numpy as np"),
        (bool(sharding), f"from jax.sharding import {', '.join(sharding)}")) if needed]
    lines += ["", *base_definition(trees), ""]
    if "equal" in own_static:
        lines += ["@dataclass(frozen=True)", "class Power:", "    n: int", "",
                  "    def __rpow__(self, x):", "        return x ** self.n", ""]
    if "identity" in own_static:
        lines += ["class Lonely:", "    def __init__(self, n):", "        self.n = n", "",
                  "    def __rpow__(self, x):", "        return x ** self.n", ""]
    if "Powers(" in body:
        lines += ["@dataclass(frozen=True)", "class Powers:", "    version: int", "",
                  "    def __call__(self, x, n):", f"        return {_body(trees)}", ""]
    if "Model" in body:
        lines += ["class Model:", "    def power(self, x, n):", f"        return {_body(trees)}",
                  ""]
    if "Pair(" in body:
        lines += ['Pair = namedtuple("Pair", "x y")', ""]
    if "mesh" in body:
        lines += ['mesh = jax.make_mesh((4,), ("d",), axis_types=(AxisType.Auto,))', ""]
    return tuple(lines)
