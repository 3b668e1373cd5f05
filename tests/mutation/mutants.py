"""All mutants: what each one changes, and how it is put into the running model."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from simulator import executable, keys
from simulator.facts import facts
from tests.mutation.comparing import Wrap, dropped
from tests.mutation.fields import OTHERWISE


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One change of the model.

    station, field: what it is about; checks of the same come first.
    change: what is different, in words.
    apply: makes the change in this process. There is no way back: fork first.
    """

    station: str
    field: str
    change: str
    apply: Callable[[], None]

    def __str__(self) -> str:
        return f"{self.station}: {self.field}: {self.change}"


def all_mutants() -> list[Mutant]:
    """Every mutant, station by station."""
    from tests.mutation import behaviour, modules
    found = [m for table in keys.TABLES for m in (*_of_fields(table), *_of_weak(table))]
    found += [*_of_states(), *_of_memo(), *modules.MUTANTS, *behaviour.MUTANTS]
    order = {station: i for i, station in enumerate(
        ("fast_path", "params", "trace", "lower", "hlo", "memo", "compile", "disk", "prim"))}
    return sorted(found, key=lambda m: order[m.station])


# --- fields ------------------------------------------------------------------------------

def _of_fields(table: keys.KeyTable) -> list[Mutant]:
    found = []
    for field in table.fields:
        ways: dict[str, Wrap] = {"dropped": dropped, **OTHERWISE[table].get(field.name, {})}
        found += [Mutant(table.station, field.name, change,
                         lambda name=field.name, wrap=wrap: table.compare(name, wrap))
                  for change, wrap in ways.items()]
    return found


class _ByIdentity(keys.WeakKey):
    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return self() is other()  # type: ignore[operator]


class _Anything(_ByIdentity):
    __hash__ = _ByIdentity.__hash__

    def __eq__(self, other: object) -> bool:
        return True


class _ByText(_ByIdentity):
    __hash__ = _ByIdentity.__hash__

    def _text(self) -> str:
        thing = self()
        return getattr(thing, "text", None) or getattr(thing, "__name__", None) or str(thing)

    def __eq__(self, other: object) -> bool:
        return self() is not None and other() is not None and (  # type: ignore[operator]
            self is other or self._text() == other._text())  # type: ignore[attr-defined]


class _ByCode(_ByIdentity):
    __hash__ = _ByIdentity.__hash__

    def __eq__(self, other: object) -> bool:
        mine, theirs = self(), other()  # type: ignore[operator]
        return getattr(mine, "__code__", mine) == getattr(theirs, "__code__", theirs)


class _Strong(keys.WeakKey):
    """Holds what it should not."""

    kept: list = []

    def __init__(self, obj, on_death=None):
        super().__init__(obj, on_death)
        self.kept.append(obj)


def _of_weak(table: keys.KeyTable) -> list[Mutant]:
    if table.weak is None:
        return []
    ways: dict[str, type] = {"dropped": _Anything, "by its text": _ByText,
                             "held strongly": _Strong}
    if table.weak.how == keys.EQUAL:
        ways |= {"by identity": _ByIdentity, "by its code": _ByCode}
    return [Mutant(table.station, table.weak.name, change,
                   lambda kind=kind: setattr(table, "weak_key", kind))
            for change, kind in ways.items()]


# --- configuration states ----------------------------------------------------------------

def _of_states() -> list[Mutant]:
    """Every state out of the keys that it is in, and the others into one."""
    found = []
    for i, state in enumerate(facts()["states"]):
        for flag, station, key in (("in_jit_key", "fast_path", "jit key"),
                                   ("in_trace_context", "params", "trace context")):
            def change(i=i, flag=flag):
                facts()["states"][i][flag] = not facts()["states"][i][flag]
            way = "out of" if state[flag] else "into"
            found.append(Mutant(station, "configs", f"{state['name']} {way} the {key}", change))
    return found


# --- memo --------------------------------------------------------------------------------

def _of_memo() -> list[Mutant]:
    def rule(change: str, applies: Callable) -> Mutant:
        return Mutant("memo", "options", change, lambda: setattr(
            executable.MeshComputation, "_memo_applies", applies))

    def same_context(self, options):
        from simulator import process
        context = process.current().config.trace_context()
        before, self.context = getattr(self, "context", context), context
        return options is None and before == context

    return [rule("an empty dict is no options", lambda self, options: not options),
            rule("whatever the options", lambda self, options: True),
            rule("never used", lambda self, options: False),
            rule("with the trace context as a key", same_context)]
