"""Cache 1, the C++ fast path: from a call signature straight to an executable.

Two levels. The outer key is the function object (by pointer) with the jit
options that C++ knows; the inner key is the `CallSignature`. All inner maps
share one list of least recently used entries, so the capacity is for all
functions together.

JAX source: ``jaxlib/pjit.cc: PjitFunction::Call, PjitFunctionCache``,
``jaxlib/jax_jit.h: CallSignature``, ``jaxlib/jax_jit.cc:
EqualShardingsForJit``, ``jaxlib/py_values.cc``;
``jax/_src/interpreters/pxla.py: JitGlobalCppCacheKeys``.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from simulator import key_text, process
from simulator.device_arrays.arrays import Array
from simulator.device_arrays.literals import TypedNdArray
from simulator.device_arrays.values import PYTHON_SCALARS, x64
from simulator.jaxprs.tracer import Tracer
from simulator.keys import FUNCTION, SIGNATURE
from simulator.named_tuples import NamedTuple
from simulator.ndarrays.ndarray import NDArray
from simulator.placement import shardings
from simulator.placement.shardings import UNSPECIFIED
from simulator.types import dtypes
from simulator.types.scalar_types import Generic

CAPACITY = 8192


class Attributes(NamedTuple):
    """The jit options that C++ keeps in the outer key, see `keys.FUNCTION`.

    ``inline``, ``keep_unused`` and which arguments are static are absent: two
    wrappers that differ in those share their fast path entries.
    """

    donate_argnums: tuple
    donate_argnames: tuple
    device: Any
    backend: str | None
    in_shardings: tuple
    out_shardings: tuple
    compiler_options: tuple

    def fields(self) -> list[tuple[str, str]]:
        """What is set, as named texts."""
        found = [(name, key_text.text(value)) for name, value in
                 (("donate_argnums", self.donate_argnums),
                  ("donate_argnames", self.donate_argnames), ("device", self.device),
                  ("backend", self.backend)) if value not in ((), None)]
        for name, spec in (("in_shardings", self.in_shardings),
                           ("out_shardings", self.out_shardings)):
            _, leaves = spec
            if leaves != (UNSPECIFIED,):
                found.append((name, key_text.text(leaves)))
        if self.compiler_options:
            found.append(("compiler_options", key_text.text(dict(self.compiler_options))))
        return found


class Nameless(Attributes):
    """Attributes of a C++ function that is no ``jax.jit`` wrapper: nothing to show."""

    def fields(self) -> list[tuple[str, str]]:
        return []


class CallSignature(NamedTuple):
    """The inner key: everything about one call that C++ compares, see `keys.SIGNATURE`.

    Args:
      treedefs, names, static_args, static_names: as in `signature.ArgumentSignature`.
      avals: (dtype, shape, weak type) per dynamic leaf.
      placements: sharding per leaf, None for anything but a `jax.Array`.
      committed: bool per leaf.
      configs: the snapshot of the config states in the jit key.
    """

    treedefs: tuple
    names: tuple
    static_args: tuple
    static_names: tuple
    avals: tuple
    placements: tuple
    committed: tuple
    configs: tuple

    def fields(self) -> list[tuple[str, str]]:
        """The key as named texts, the way C++ prints it.

        Layouts are shown, but not compared: every array has the default one, what is
        no array has none, and the shardings tell these two apart already.
        """
        statics = [_printed(static.value) for static in self.static_args]
        return [("treedefs", f"[{'| '.join(map(str, self.treedefs))}]"),
                ("arg names", f"[{','.join(self.names)}]"),
                ("static args", f"[{','.join(statics)}]"),
                ("static names", f"[{','.join(self.static_names)}]"),
                ("avals", ", ".join(_aval_text(*a) for a in self.avals)),
                ("shardings", ", ".join(map(_sharding_text, self.placements))),
                ("layouts", ", ".join("None" if p is None else _layout_text(len(a[1]))
                                      for p, a in zip(self.placements, self.avals))),
                ("committed", ",".join("true" if c else "false" for c in self.committed)),
                *map(tuple, process.current().config.jit_key_fields(self.configs))]


def _printed(value: Any) -> str:
    # C++ prints static arguments with their own repr.
    try:
        return str(value)
    except Exception:
        return "?"


def _aval_text(dtype: Any, shape: tuple, weak: bool) -> str:
    return f"{dtype.short}[{','.join(map(str, shape))}]" + ("*" if weak else "")


def _layout_text(ndim: int) -> str:
    return "{" + ",".join(map(str, reversed(range(ndim)))) + "}"


def _sharding_text(sharding: Any) -> str:
    # C++ prints the mesh of a NamedSharding without its devices.
    if isinstance(sharding, shardings.SingleDeviceSharding):
        return key_text.sharding(sharding)
    return str(sharding).replace(", memory_kind=device)", ")").replace("PartitionSpec", "P")


def _aval(leaf: Any) -> tuple:
    """(dtype, shape, weak type) as C++ abstracts a leaf that is no array of JAX."""
    if isinstance(leaf, TypedNdArray):
        return leaf.dtype, leaf.shape, leaf.weak_type
    if isinstance(leaf, (Generic, NDArray)):
        return dtypes.canonicalize(leaf.dtype, x64()), leaf.shape, False
    # The value is not looked at: an int that does not fit is found later.
    kind = next(t for t in PYTHON_SCALARS if isinstance(leaf, t))
    return dtypes.canonicalize(dtypes.dtype(kind), x64()), (), True


def _unparsable(leaf: Any) -> str:
    """Why C++ cannot abstract a leaf, or "": it leaves tracers, deleted arrays and
    everything that is no array to Python."""
    if isinstance(leaf, Tracer):
        return type(leaf).__name__
    if isinstance(leaf, Array):
        return "deleted array" if leaf.is_deleted() and not leaf.was_donated else ""
    if isinstance(leaf, (Generic, NDArray)):
        return "a dtype without numbers" if leaf.dtype is dtypes.float0 else ""
    return "" if isinstance(leaf, PYTHON_SCALARS) else type(leaf).__name__


def call_signature(arguments: Any, leaves: list) -> tuple[CallSignature | None, str]:
    """The inner key of a call, or None, and why C++ hands the call to Python without one."""
    for leaf in leaves:
        if why := _unparsable(leaf):
            return None, why
    avals, placements, committed = [], [], []
    for leaf in leaves:
        if not isinstance(leaf, Array):
            avals.append(_aval(leaf))
            placements.append(None)
            committed.append(False)
            continue
        aval, sharding = leaf.aval, leaf.sharding
        if not leaf._committed and sharding.num_devices > 1:
            return None, "uncommitted array on several devices"
        avals.append((aval.dtype, aval.shape, aval.weak_type))
        placements.append(sharding)
        committed.append(bool(leaf._committed))
    return CallSignature(*arguments, tuple(avals), tuple(placements), tuple(committed),
                         process.current().config.jit_key()), ""


class Entry:
    """One signature's entry. Until it is filled, and after an error, it is dead.

    Args:
      table: the inner map it lives in.
      key: its signature, held so that the pointers in `slot` stay meaningful.
      slot: the signature as it is compared.
    """

    __slots__ = ("table", "key", "slot", "executable", "out_tree", "running", "note")

    def __init__(self, table: Table, key: CallSignature, slot: Hashable):
        self.table = table
        self.key = key
        self.slot = slot
        self.executable: Any = None
        self.out_tree: Any = None
        self.running = False

    @property
    def usable(self) -> bool:
        """Whether there is an executable: an entry without one only says "take the Python
        path"."""
        return self.executable is not None


class Table:
    """The inner map of one (function, attributes) pair."""

    def __init__(self, cache: FastPathCache):
        self.cache = cache
        self.entries: dict[Hashable, Entry] = {}

    def entry(self, key: CallSignature) -> tuple[Entry, bool]:
        """The entry of a signature, now the most recently used one, and whether it is new.

        A new one is dead, and pushes out the least recently used one when the cache is
        full. It is looked for once only: comparing can run code of the program.
        """
        new = Entry(self, key, SIGNATURE.slot(key))
        entry, order = self.entries.setdefault(new.slot, new), self.cache.order
        if entry is not new:
            order.move_to_end(entry)
            return entry, False
        order[entry] = None
        if len(order) > self.cache.capacity:
            oldest, _ = order.popitem(last=False)
            del oldest.table.entries[oldest.slot]
        return entry, True

    def clear(self) -> None:
        """``wrapper._clear_cache()``: drop the entries of this table."""
        for entry in self.entries.values():
            self.cache.order.pop(entry, None)
        self.entries.clear()


class FastPathCache:
    """``PjitFunctionCache``: tables by (function pointer, attributes)."""

    def __init__(self, capacity: int = CAPACITY):
        self.capacity = capacity
        self.order: OrderedDict[Entry, None] = OrderedDict()
        self.tables: dict[Hashable, tuple[weakref.ref, Table]] = {}

    def table(self, fun: Callable, attributes: Attributes) -> Table:
        """The table of a function with these jit attributes, made when missing.

        A function that cannot be weakly referenced gets a table of its own.
        """
        key = FUNCTION.slot((fun, *attributes))
        found = self.tables.get(key)
        if found is not None:
            return found[1]
        table = Table(self)
        cache = weakref.ref(self)

        def forget(_: Any) -> None:
            owner = cache()
            if owner is not None:
                table.clear()
                owner.tables.pop(key, None)

        try:
            self.tables[key] = (weakref.ref(fun, forget), table)
        except TypeError:
            pass
        return table

    def clear(self) -> None:
        """Drop every entry and forget the tables.

        A wrapper made before keeps its own, now empty, table; a wrapper made
        afterwards gets another one, so the two no longer share.
        """
        for entry in self.order:
            entry.table.entries.clear()
        self.order.clear()
        self.tables.clear()

    def entries(self) -> Iterator[Entry]:
        """The entries of all tables, most recently used first."""
        return reversed(self.order)

    def __len__(self) -> int:
        return len(self.order)
