"""The two kinds of Python-level cache that JAX keeps its results in.

`WeakrefLRUCache` is the shape of five of the six caches: the first argument is
held weakly, the rest of the key strongly, and the least recently used entry
leaves first. `StrongLRUCache` holds everything strongly.

JAX source: ``jaxlib/weakref_lru_cache.cc``, ``jaxlib/strong_lru_cache.cc``,
``jax/_src/util.py: weakref_lru_cache, cache``.

What is compared, and how, is in `simulator.keys`.

Simplified: JAX's caches take a lock and let a second thread wait for the
first. The model runs one computation at a time. JAX's strong cache is cut into
64 pieces that fill up one by one; here it is one.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from simulator.keys import PLAIN, KeyTable, WeakKey


class _Group:
    """All entries of one weakly held first argument."""

    __slots__ = ("owner", "entries")

    def __init__(self, owner: WeakKey):
        self.owner = owner
        self.entries: dict[Hashable, _Entry] = {}


class _Entry:
    """One cached computation. Empty until the computation has returned.

    Args:
      key: the values of its key's fields. slot: the same as they are compared.
    """

    __slots__ = ("group", "key", "slot", "result", "full", "owner")

    def __init__(self, group: _Group | None, key: tuple, slot: Hashable):
        self.group = group
        self.key = key
        self.slot = slot
        self.result: Any = None
        self.full = False
        self.owner: int | None = None  # the thread that computes it right now


class WeakrefLRUCache:
    """A memo of ``compute(weak, *rest)``, keyed on a context and its arguments.

    Args:
      compute: called on a miss with the arguments of the lookup.
      context: returns the part of the key that is not an argument: the trace
        context, read anew for every lookup.
      maxsize: number of entries kept, or None for no limit.
      on_lookup: called with ``(outcome, weak, key, entry)`` after a lookup was
        decided and before anything is computed; `key` is ``(context, *rest)``.
      on_compute: called whenever the computation runs.
      table: how the key is compared, if not simply by ``==``.

    An entry is inserted before its value is computed. When the computation
    raises, the empty entry stays: later lookups count as hits but compute again
    without keeping the result (``weakref_lru_cache.cc``). That is how one
    exception poisons a signature.

    Errors: TypeError when the first argument cannot be weakly referenced or
    hashed; RecursionError when a computation asks for itself.
    """

    def __init__(self, compute: Callable[..., Any], context: Callable[[], Hashable],
                 maxsize: int | None = 2048,
                 on_lookup: Callable[[str, Any, tuple, Any], None] | None = None,
                 on_compute: Callable[[], None] | None = None, table: KeyTable = PLAIN):
        self.compute = compute
        self.table = table
        self.context = context
        self.maxsize = maxsize
        self.on_lookup = on_lookup
        self.on_compute = on_compute
        self.hits = 0
        self.misses = 0
        self._groups: dict[WeakKey, _Group] = {}
        self._order: OrderedDict[_Entry, None] = OrderedDict()  # oldest first

    def __call__(self, weak: Any, *rest: Any) -> Any:
        key = (self.context(), *rest)
        slot = self.table.slot(key)
        weak_key = self.table.weak_key
        group = self._groups.get(weak_key(weak))
        new = _Entry(group, key, slot)
        # One step finds or keeps: comparing can run code of the program.
        entry = group.entries.setdefault(slot, new) if group is not None else new
        if entry is not new:
            self.hits += 1
            self._order.move_to_end(entry)
            if self.on_lookup:
                self.on_lookup("hit", weak, key, entry)
            if entry.owner is not None and entry.owner == threading.get_ident():
                raise RecursionError(f"Recursively calling {weakref.ref(weak)!r}")
            return entry.result if entry.full else self._run(weak, rest)
        self.misses += 1
        if group is None:
            owner = weak_key(weak, self._forget)
            entry.group = group = self._groups[owner] = _Group(owner)
            group.entries[slot] = entry
        hash(slot)      # C++ hashes once to look, and once more to keep
        self._order[entry] = None
        if self.maxsize is not None and len(self._order) > self.maxsize:
            self._drop(next(iter(self._order)))
        if self.on_lookup:
            self.on_lookup("miss", weak, key, entry)
        entry.owner = threading.get_ident()
        try:
            entry.result = self._run(weak, rest)
        finally:
            entry.owner = None
        entry.full = True
        return entry.result

    def _run(self, weak: Any, rest: tuple) -> Any:
        if self.on_compute:
            self.on_compute()
        return self.compute(weak, *rest)

    def _drop(self, entry: _Entry) -> None:
        del self._order[entry]
        group = entry.group
        del group.entries[entry.slot]
        if not group.entries:
            self._groups.pop(group.owner, None)

    def _drop_group(self, group: _Group | None) -> None:
        if group is not None:
            for entry in group.entries.values():
                self._order.pop(entry, None)
            group.entries.clear()

    def _forget(self, owner: WeakKey) -> None:
        # Called by the garbage collector when a first argument has died; a dict
        # finds a key by identity first, so the dead key still finds its group.
        self._drop_group(self._groups.pop(owner, None))

    def evict(self, weak: Any) -> None:
        """Drop every entry of one first argument (``evict_weakref``)."""
        self._drop_group(self._groups.pop(self.table.weak_key(weak), None))

    def clear(self) -> None:
        """Drop everything and set the counters to zero (``cache_clear``)."""
        self._groups.clear()
        self._order.clear()
        self.hits = self.misses = 0

    def entries(self) -> Iterator[_Entry]:
        """The live entries, most recently used first."""
        return reversed(self._order)

    def keys_of(self, weak: Any) -> list[tuple]:
        """The keys of the entries whose first argument is `weak` itself and that are not being
        computed right now."""
        group = self._groups.get(self.table.weak_key(weak))
        if group is None or group.owner() is not weak:
            return []
        return [entry.key for entry in group.entries.values() if entry.owner is None]

    def __len__(self) -> int:
        return len(self._order)


class StrongLRUCache:
    """A memo that holds its whole key strongly.

    Args and behaviour as `WeakrefLRUCache`, without a weak first argument. A
    computation that raises leaves no entry.
    """

    def __init__(self, compute: Callable[..., Any], context: Callable[[], Hashable],
                 maxsize: int = 4096,
                 on_lookup: Callable[[str, tuple, Any], None] | None = None,
                 on_compute: Callable[[], None] | None = None, table: KeyTable = PLAIN):
        self.compute = compute
        self.table = table
        self.context = context
        self.maxsize = maxsize
        self.on_lookup = on_lookup
        self.on_compute = on_compute
        self.hits = 0
        self.misses = 0
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()

    def __call__(self, *args: Any) -> Any:
        key = (self.context(), *args)
        slot = self.table.slot(key)
        entry = self._entries.get(slot)
        if entry is not None:
            self.hits += 1
            self._entries.move_to_end(slot)
            if self.on_lookup:
                self.on_lookup("hit", key, entry)
            return entry.result
        self.misses += 1
        entry = _Entry(None, key, slot)
        if self.on_lookup:
            self.on_lookup("miss", key, entry)
        if self.on_compute:
            self.on_compute()
        entry.result = self.compute(*args)
        self._entries[slot] = entry
        if len(self._entries) > self.maxsize:
            self._entries.popitem(last=False)
        return entry.result

    def entries(self) -> Iterator[_Entry]:
        """The entries, most recently used first."""
        return reversed(self._entries.values())

    def clear(self) -> None:
        """Drop everything and set the counters to zero."""
        self._entries.clear()
        self.hits = self.misses = 0

    def __len__(self) -> int:
        return len(self._entries)
