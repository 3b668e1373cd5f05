"""Which donated buffers the compiled program can really reuse.

A donated argument is matched with a result of the same shape and dtype, else
with one of the same size. Whatever finds no match is kept, with a warning.

JAX source: ``jax/_src/interpreters/mlir.py: _set_up_aliases,
lower_jaxpr_to_module``.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any

from simulator import explain
from simulator.named_tuples import NamedTuple
from simulator.placement import shardings
from simulator.placement.shardings import UNSPECIFIED


class Donation(NamedTuple):
    """aliases: per argument, the result that reuses it, or None. donors: arguments
    handed to XLA without naming a result."""

    aliases: tuple
    donors: tuple

    @property
    def taken(self) -> tuple[bool, ...]:
        """Per argument: is its buffer gone after the call?"""
        return tuple([a is not None or d for a, d in zip(self.aliases, self.donors)])


def plan_donation(in_avals: Sequence[Any], out_avals: Sequence[Any], donated: Sequence[bool],
                  out_shardings: Sequence[Any], num_devices: int) -> Donation:
    """Match donated arguments with results; warn about those that match nothing."""
    if not any(donated):
        return Donation((None,) * len(in_avals), (False,) * len(in_avals))
    ins = [shardings.shard_aval(a) for a in in_avals]
    outs = [shardings.shard_aval(a) for a in out_avals]
    waiting: dict[Any, deque] = defaultdict(deque)
    for i, (aval, gives) in enumerate(zip(ins, donated)):
        if gives:
            waiting[(aval.shape, aval.dtype)].append(i)
    aliases: list[int | None] = [None] * len(ins)
    donors = [False] * len(ins)
    left = list(donated)
    for o, aval in enumerate(outs):
        queue = waiting.get((aval.shape, aval.dtype))
        if queue:
            i = queue.popleft()
            left[i] = False
            if num_devices == 1 or out_shardings[o] is not UNSPECIFIED:
                aliases[i] = o
            else:
                donors[i] = True
    unmatched: dict[int, deque] = defaultdict(deque)
    for o, aval in enumerate(outs):
        if o not in aliases:
            unmatched[aval.size].append(o)
    for i, aval in enumerate(ins):
        if left[i] and unmatched.get(aval.size):
            unmatched[aval.size].popleft()
            left[i], donors[i] = False, True
    if num_devices > 1 and any(s is UNSPECIFIED for s in out_shardings):
        for i, gives in enumerate(left):
            if gives:
                left[i], donors[i] = False, True
    if any(left):
        explain.unusable_donation([str(a) for a, gives in zip(ins, left) if gives])
    return Donation(tuple(aliases), tuple(donors))
