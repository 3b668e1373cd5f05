"""What the lab holds at one moment, and what each action does to it.

A `State` is a handful of independent slots. A change sets one of them. Where JAX
itself excludes a pair (an argument bound to one device inside a mesh of four), the
newest change wins and the older one is taken back; the step says so in a note.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from simulator.lab.kinds import KINDS, Action


@dataclasses.dataclass(frozen=True)
class State:
    """Everything a call depends on. All slots hold ids of `simulator.lab.kinds`.

    Attributes:
      function: ``plain``, ``lambda``, ``partial``, ``static_method``, ``bound_method``,
        ``callable``, ``nested``, ``print`` or ``raise``.
      options: which option the wrapper has; ``plain`` for none.
      static: which value n has.
      form: ``array``, ``numpy``, ``float``, ``int`` or ``weak``; shape and dtype describe
        the first two, place the first.
      settings: (kind id, choice id) of every setting touched so far, in order.
      user_contexts: how many were created in this process.
      process: number of the process, from 0.
    """
    function: str = "plain"
    options: str = "plain"
    static: str = "2"
    form: str = "array"
    shape: str = "4"
    dtype: str = "float32"
    tree: str = "leaf"
    keyword: str = "positional"
    place: str = "uncommitted"
    settings: tuple[tuple[str, str], ...] = ()
    user_contexts: int = 0
    mesh: str = "off"
    default_device: str = "off"
    no_tracing: str = "off"
    disable_jit: str = "off"
    disk: str = "off"
    process: int = 0


START = State()


@dataclasses.dataclass(frozen=True)
class Step:
    """The outcome of one action.

    Attributes:
      state: the state afterwards.
      again: names of bindings (`simulator.lab.text.bindings`) to be written even if their
        text is the same as before, because running it again makes a new object.
      lines: statements that belong to the action itself (``jax.clear_caches()``).
      notes: what had to be taken back, as short sentences without a full stop.
    """
    state: State
    again: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


_FUNCTIONS = {"plain": ("plain", ()), "lambda": ("lambda", ("g",)),
              "redefine": ("plain", ("def", "g")), "partial": ("partial", ("g",)),
              "callable": ("callable", ("g",)), "nested": ("nested", ("def", "g")),
              "print": ("print", ("def", "g")), "raise": ("raise", ("def", "g"))}
"""Kind -> (value of the function slot, bindings that are made anew each time)."""

_STATEMENTS = {"clear_caches": "jax.clear_caches()", "clear_cache": "g.clear_cache()"}
_PLACES = ("uncommitted", "committed", "other_device")
_ON_ONE_DEVICE = ("committed", "other_device")
_ON_A_MESH = ("split", "replicated", "spelled")
_SCALARS = ("float", "int", "weak")
_SLOTS = ("tree", "keyword", "static", "options", "mesh", "default_device", "no_tracing",
          "disable_jit", "disk")


def step(state: State, action: Action) -> Step:
    """Apply one action.

    Args:
      state: the state before.
      action: any action; its kind must be in `KINDS`.
    Returns: the step, with the state after.
    Raises: KeyError for a kind that does not exist.
    """
    kind, picked = KINDS[action.kind].id, action.picked
    again: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    changes: dict = {}
    if kind in ("call", "ahead", "eval_shape"):
        changes = {"issue": kind}
    elif kind in _FUNCTIONS:
        function, again = _FUNCTIONS[kind]
        changes = {"function": function}
    elif kind == "method":
        changes = {"function": f"{picked}_method"}
        again = ("model",) if picked == "static" else ("g",)
    elif kind == "rewrap":
        again = ("g",)
    elif kind in ("array", "numpy", "weak"):
        changes = {"form": kind}
    elif kind == "python":
        changes = {"form": picked}
    elif kind in ("shape", "dtype"):
        changes = {kind: picked}
    elif kind in _PLACES:
        changes = {"place": kind, "form": "array"}
    elif kind == "sharded":
        changes = {"place": picked, "form": "array"}
    elif kind in ("jit_key_state", "trace_state", "both_state", "neither_state", "x64"):
        slot, value = _setting(kind, picked)
        others = tuple(pair for pair in state.settings if pair[0] != slot)
        changes = {"settings": (*others, (slot, value))}
    elif kind == "user_context":
        changes = {"user_contexts": state.user_contexts + 1}
        lines = ("jax.make_user_context(0)",)
    elif kind in _STATEMENTS:
        lines = (_STATEMENTS[kind],)
    elif kind == "restart":
        changes = {"process": state.process + 1, "user_contexts": 0}
    elif kind in _SLOTS:
        changes = {kind: picked}
    settled, notes = _settle(state, changes)
    return Step(settled, again, lines, notes)


def _setting(kind: str, picked: str) -> tuple[str, str]:
    """The slot and value of a setting; `neither_state` has two settings of its own."""
    return {"nans": ("nans", "on"), "nans_off": ("nans", "default"),
            "quiet": ("loud", "off"), "loud": ("loud", "default")}.get(
                picked, (kind, "default" if picked == "off" else picked))


_EXCLUSIONS = (
    # (when it holds, the newest slot, its note and what goes back, the other note and what goes back)
    (lambda s, new: s.form in _SCALARS and ("shape" in new or "dtype" in new), "form",
     ("", {}), ("x is an array again", {"form": "array"})),
    (lambda s, new: s.form != "array" and s.place != "uncommitted", "form",
     ("x is on no device yet", {"place": "uncommitted"}), ("", {})),
    (lambda s, new: s.place in _ON_A_MESH and s.shape == "scalar", "shape",
     ("x is not spread any more", {"place": "uncommitted"}), ("x has dimensions", {"shape": "4"})),
    (lambda s, new: s.place == "spelled" and s.shape != "4x2", "shape",
     ("its only dimension is split", {"place": "split"}), ("x is 4 by 2", {"shape": "4x2"})),
    (lambda s, new: s.mesh == "set_mesh" and s.place in _ON_ONE_DEVICE, "mesh",
     ("x is not bound to one device", {"place": "uncommitted"}),
     ("the mesh context is left", {"mesh": "off"})),
    (lambda s, new: s.options == "out_shardings" and s.mesh == "set_mesh", "mesh",
     ("the wrapper has no out_shardings", {"options": "plain"}),
     ("the mesh context is left", {"mesh": "off"})),
    (lambda s, new: s.options == "out_shardings" and s.place in ("other_device", *_ON_A_MESH),
     "options", ("x lives anywhere", {"place": "uncommitted"}),
     ("the wrapper has no out_shardings", {"options": "plain"})),
    (lambda s, new: s.options == "in_shardings" and s.keyword == "keyword", "options",
     ("x is passed by position", {"keyword": "positional"}),
     ("the wrapper has no in_shardings", {"options": "plain"})),
    # A partial binds n without making it static, so a list would be no error of jit.
    (lambda s, new: s.function == "partial" and s.static == "list", "function",
     ("n is 2 again", {"static": "2"}), ("the function is the plain one", {"function": "plain"})),
    # Without tracing, NumPy would be asked for a power it has no rule for.
    (lambda s, new: s.disable_jit == "on" and s.static in ("equal", "identity", "list"),
     "disable_jit",
     ("n is 2 again", {"static": "2"}), ("jit is in force", {"disable_jit": "off"})),
    # jax refuses to lower a function that disable_jit runs directly.
    (lambda s, new: s.disable_jit == "on" and new.get("issue") in ("ahead", "eval_shape"), "issue",
     ("jit is in force", {"disable_jit": "off"}), ("", {})),
)
"""Pairs of slots that JAX does not take together. Which side goes back depends on which is newer."""


def _settle(state: State, changes: dict) -> tuple[State, tuple[str, ...]]:
    """Make the changes and take back what they exclude. Returns the state and the notes."""
    state = dataclasses.replace(
        state, **{slot: value for slot, value in changes.items() if slot != "issue"})
    notes = []
    for holds, newest, if_newest, otherwise in _EXCLUSIONS:
        if holds(state, changes):
            note, back = if_newest if newest in changes else otherwise
            state = dataclasses.replace(state, **back)
            notes.append(note)
    return state, tuple(notes)


def idle(state: State, action: Action) -> bool:
    """Whether a change would change nothing: what it sets is already so."""
    after = step(state, action)
    return (after.state == state and not after.again and not after.lines
            and not KINDS[action.kind].issues)


def follow(history: Sequence[Action]) -> list[Step]:
    """The steps of a history, one per action, from `START`."""
    steps, state = [], START
    for action in history:
        steps.append(step(state, action))
        state = steps[-1].state
    return steps


def say(history: Sequence[Action], index: int) -> str:
    """The status line for one action of a history.

    Args:
      history: the actions.
      index: which one.
    Returns: one or two sentences, such as ``"You changed: where x lives (committed to its
      device). The mesh context is left."``
    """
    action = history[index]
    kind = KINDS[action.kind]
    choice = kind.choice(action.choice)
    detail = choice.label if choice else kind.words
    notes = follow(history[:index + 1])[-1].notes
    more = "".join(f" {note[0].upper()}{note[1:]}." for note in notes)
    if kind.id == "call":
        return "You called the function." + more
    if kind.id == "eval_shape":
        return "You asked for the shape of the result." + more
    if kind.issues:
        return f"You went ahead of time: {detail}.{more}"
    if kind.group in ("clear", "process") and not choice:
        first = {"clear_caches": "You emptied all in-memory caches.",
                 "clear_cache": "You cleared the cache of g.",
                 "restart": "You started a new process."}[kind.id]
        return first + more
    return f"You changed: {kind.slot} ({detail}).{more}"
