"""The vocabulary of the lab: every kind of action, with stable ids.

Ids of kinds and choices are part of permalinks: they keep their meaning for ever.
New ones may be added; none is renamed or reused.
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Choice:
    """One value of a kind: a stable id and a few words that complete "... (label)"."""
    id: str
    label: str


@dataclasses.dataclass(frozen=True)
class Kind:
    """One kind of action.

    Attributes:
      id: stable, used in permalinks.
      group: heading under which a page lists it (`call`, `function`, ...).
      label: the button, an imperative or a noun.
      slot: which one thing it changes; completes "You changed: ...".
      what: one sentence about the change.
      choices: possible values, the first is the default; empty when there is nothing to choose.
    """
    id: str
    group: str
    label: str
    slot: str
    what: str
    choices: tuple[Choice, ...] = ()

    @property
    def issues(self) -> bool:
        """True when the action is a call to be shown, False when it only prepares one."""
        return self.group == "call"

    @property
    def words(self) -> str:
        """The label inside a sentence: a capital is kept only where it is part of a name."""
        second = self.label[1:2]
        return self.label if second.isupper() else self.label[0].lower() + self.label[1:]

    def choice(self, id: str) -> Choice | None:
        """The choice with that id, the first one for ``""``, or None."""
        if not id:
            return self.choices[0] if self.choices else None
        return next((choice for choice in self.choices if choice.id == id), None)


@dataclasses.dataclass(frozen=True)
class Action:
    """One step of a history: a kind and, where it has choices, one of them.

    An empty `choice` stands for the first choice of the kind.
    """
    kind: str
    choice: str = ""

    @property
    def picked(self) -> str:
        """The id of the choice, the default filled in; ``""`` for a kind without choices."""
        choice = KINDS[self.kind].choice(self.choice)
        return choice.id if choice else ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.choice}" if self.choice else self.kind


def _choices(**labels: str) -> tuple[Choice, ...]:
    return tuple(Choice(name.rstrip("_"), label) for name, label in labels.items())


_ALL = [
    Kind("call", "call", "Call again", "nothing",
         "The function is called with everything as it is."),
    Kind("ahead", "call", "Ahead of time", "how far to go",
         "The function is lowered and compiled without going through the call.",
         _choices(compile="lower and compile", run="lower, compile, and call the result",
                  lower="only lower", trace="only trace")),
    Kind("eval_shape", "call", "Ask for the shape only", "how far to go",
         "The result's shape is asked for; nothing is lowered or run."),

    Kind("plain", "function", "The plain function", "the function",
         "Back to the function the program starts with."),
    Kind("lambda", "function", "A fresh lambda", "the function",
         "A new lambda with the same body is wrapped: another object, another identity."),
    Kind("redefine", "function", "Delete and define again", "the function",
         "The function is deleted and the same text is run again: a new object, the old one is "
         "gone."),
    Kind("partial", "function", "functools.partial", "the function",
         "A new partial object binds the static value."),
    Kind("method", "function", "A method", "the function",
         "The same body as a method, with the object as a static value or bound to it.",
         _choices(static="self is static, a new object", bound="bound again to the same object")),
    Kind("callable", "function", "An equal object", "the function",
         "A callable object that is equal to the last one, but another object."),
    Kind("nested", "function", "A jit in a jit", "the function",
         "An outer jitted function calls the inner one."),
    Kind("print", "function", "With jax.debug.print", "the function",
         "The function prints: it has an effect."),
    Kind("raise", "function", "Raise once while tracing", "the function",
         "The function raises the first time its body runs, and never again."),

    Kind("rewrap", "wrapper", "Wrap it again", "the wrapper",
         "The same function in a new jax.jit, with the same options."),
    Kind("options", "wrapper", "Options of jax.jit", "the options of jax.jit",
         "The same function, wrapped with another option.",
         _choices(donate="donate x", inline="inline=True", keep_unused="keep_unused=True",
                  in_shardings="in_shardings=None", out_shardings="out_shardings given",
                  plain="none")),

    Kind("array", "argument", "A jax array", "what x is",
         "x is a jax array that lives on the default device."),
    Kind("numpy", "argument", "A NumPy array", "what x is",
         "x is a NumPy array with the same values."),
    Kind("python", "argument", "A Python number", "what x is",
         "x is a Python number: no shape, and a weak type.",
         _choices(float="a float", int="an int")),
    Kind("weak", "argument", "A weakly typed scalar", "what x is",
         "x is a jax scalar made from a Python number, so its type is weak."),
    Kind("shape", "argument", "Another shape", "the shape of x",
         "x has another shape.",
         _choices(**{"8": "8 elements", "4x2": "4 by 2", "scalar": "no dimensions",
                     "4": "4 elements"})),
    Kind("dtype", "argument", "Another dtype", "the dtype of x",
         "x has another element type.",
         _choices(int32="int32", float16="float16", float64="float64", float32="float32")),
    Kind("tree", "argument", "Another structure", "the structure around x",
         "The argument is a container with arrays inside.",
         _choices(tuple="a tuple", list="a list", dict="a dict", none="a tuple with None",
                  namedtuple="a namedtuple", leaf="just the array")),
    Kind("keyword", "argument", "By keyword", "how x is passed",
         "x is passed by name or by position.",
         _choices(keyword="by name", positional="by position")),
    Kind("static", "argument", "The static value", "the static value n",
         "n is a static argument: part of every key by value.",
         _choices(**{"3": "3", "2.0": "2.0, equal to 2 in another type",
                     "equal": "a new object, equal by value", "identity": "a new object, "
                     "equal to nothing else", "list": "a list, which has no hash", "2": "2"})),

    Kind("uncommitted", "placement", "Anywhere", "where x lives",
         "x lives on the default device, without being bound to it."),
    Kind("committed", "placement", "Committed to its device", "where x lives",
         "x is bound to the device on which it would live anyway."),
    Kind("other_device", "placement", "Another device", "where x lives",
         "x is bound to the second device."),
    Kind("sharded", "placement", "Spread over a mesh", "where x lives",
         "x has a NamedSharding on a mesh of all devices.",
         _choices(split="split along its first dimension", replicated="a copy on every device",
                  spelled="split, with the second dimension spelled out")),

    Kind("jit_key_state", "state", "A state in the C++ key only", "jax_optimization_level",
         "A setting that C++ has in its key and the Python caches have not.",
         _choices(O1="O1", O0="O0", default="its default")),
    Kind("trace_state", "state", "A state in the Python keys only",
         "jax_hlo_source_file_canonicalization_regex",
         "A setting that the Python caches have in their keys and C++ has not.",
         _choices(set="a pattern", default="its default")),
    Kind("both_state", "state", "A state in both keys", "jax_default_matmul_precision",
         "A setting that is in every key.",
         _choices(highest="highest", float32="float32, a synonym", default="its default")),
    Kind("neither_state", "state", "A state in no key", "a state in no key",
         "A setting that no cache knows about.",
         _choices(nans="jax_debug_nans on", nans_off="jax_debug_nans off",
                  quiet="jax_log_compiles off", loud="jax_log_compiles on")),
    Kind("x64", "state", "64-bit types", "jax_enable_x64",
         "Whether 64-bit types exist.", _choices(on="on", off="off")),
    Kind("user_context", "state", "A user context", "the list of states",
         "A user context is created and never entered; every key has one field more."),

    Kind("mesh", "context", "A mesh context", "the mesh around the call",
         "Calls are made inside a mesh context.",
         _choices(set_mesh="jax.set_mesh", legacy="with mesh, the old form",
                  abstract="use_abstract_mesh", off="none")),
    Kind("default_device", "context", "The default device", "the default device",
         "Calls are made with another default device.",
         _choices(other="the second device", off="as usual")),
    Kind("no_tracing", "context", "Forbid tracing", "whether tracing is allowed",
         "Calls are made under jax.no_tracing.", _choices(on="forbidden", off="allowed")),
    Kind("disable_jit", "context", "Disable jit", "whether jit is in force",
         "Calls are made under jax.disable_jit.", _choices(on="disabled", off="in force")),

    Kind("clear_caches", "clear", "jax.clear_caches()", "the caches",
         "All in-memory caches are emptied."),
    Kind("clear_cache", "clear", "g.clear_cache()", "the cache of g",
         "The function's own entries are dropped, and the params of all functions."),
    Kind("disk", "process", "The disk cache", "the persistent cache",
         "Compiled programs are kept in a directory.",
         _choices(on="on, storing everything", slow_only="on, storing only what compiles slowly",
                  off="off")),
    Kind("restart", "process", "A new process", "the process",
         "The program starts again in a new process; only the disk remembers."),
]

KINDS: dict[str, Kind] = {kind.id: kind for kind in _ALL}
"""Every kind by id, in the order in which a page lists them."""

GROUPS = {"call": "Issue", "function": "The function", "wrapper": "The wrapper",
          "argument": "The argument", "placement": "Where it lives", "state": "Settings",
          "context": "Around the call", "clear": "Forget", "process": "Disk and process"}
"""Headings of the groups, in order."""


def vocabulary() -> list[dict]:
    """The vocabulary as JSON data, for the controls of a page.

    Returns: one dict per kind: ``id``, ``group``, ``heading``, ``label``, ``slot``, ``what``,
      ``issues``, and ``choices`` as a list of ``{id, label}``.
    """
    return [{"id": kind.id, "group": kind.group, "heading": GROUPS[kind.group],
             "label": kind.label, "slot": kind.slot, "what": kind.what, "issues": kind.issues,
             "choices": [dataclasses.asdict(choice) for choice in kind.choices]}
            for kind in _ALL]
