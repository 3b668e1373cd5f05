"""How an explicit sharding goes through a reshape.

It does when nothing but dimensions of size 1 come and go, when one dimension is
split in several, or when several become one; otherwise JAX wants to be told.

JAX source: jax/_src/lax/lax.py: _reshape_sharding_rule, _split_on_one_axis,
_split_an_axis_sharding_rule, _merge_an_axis_sharding_rule.
"""

from __future__ import annotations

import math

from simulator.errors import ShardingTypeError
from simulator.primitives.explicit import names, parts


class _TooMuch(Exception):
    """More than one dimension is split or merged."""


def _refuse(operand, new_sizes):
    raise ShardingTypeError(
        "This reshape is not supported. Please specify the sharding of the output via the "
        f"`out_sharding` argument of jax.lax.reshape. Got operand type: {operand}, new sizes: "
        f"{new_sizes}")


def reshaped(operand, *, new_sizes, dimensions, sharding):
    """Rule of reshape."""
    spec = parts(operand)
    if all(p is None for p in spec):
        return (None,) * len(new_sizes)
    old = [n for n in operand.shape if n != 1]
    new = [n for n in new_sizes if n != 1]
    kept = [p for p, n in zip(spec, operand.shape) if n != 1]
    if old == new:
        rest = iter(kept)
        return tuple(None if n == 1 else next(rest) for n in new_sizes)
    try:
        groups = _groups(old, new)
        if groups is not None:
            found = _split(operand, groups, kept, new_sizes, dimensions)
        else:
            groups = _groups(new, old)
            if groups is None:
                _refuse(operand, new_sizes)
            found = _merge(operand, groups, new, kept, new_sizes, dimensions)
    except _TooMuch:
        _refuse(operand, new_sizes)
    # A dimension of size 1 keeps what the one at the same place had.
    rest = iter(found)
    return tuple((spec[i] if i < len(spec) and operand.shape[i] == 1 else None) if n == 1
                 else next(rest) for i, n in enumerate(new_sizes))


def _groups(few, many):
    """Per size in `few` that size or the run of `many` it is split in; None: no split."""
    if len(many) <= len(few):
        return None
    out, j, splits = [], 0, 0
    for size in few:
        if size == many[j]:
            out.append(size)
        else:
            splits += 1
            if splits > 1:
                raise _TooMuch
            run = [many[j]]
            while math.prod(run) != size:
                if math.prod(run) > size:
                    return None
                j += 1
                run.append(many[j])
            out.append(run)
        j += 1
    return out


def _dealt(operand, axes, sizes, new_sizes):
    """The mesh axes of one dimension, dealt out to the dimensions it becomes."""
    left, out = iter(axes), []
    for size in sizes:
        taken = []
        while size > 1 and (name := next(left, None)) is not None:
            size, remainder = divmod(size, operand.mesh.shape[name])
            if remainder:
                _refuse(operand, new_sizes)
            taken.append(name)
        out.append(taken[0] if len(taken) == 1 else tuple(taken) or None)
    return out


def _split(operand, groups, kept, new_sizes, dimensions):
    out = []
    for group, part in zip(groups, kept):
        if not isinstance(group, list):
            out.append(part)
        elif part is None:
            out.extend([None] * len(group))
        elif dimensions is None:
            out.extend(_dealt(operand, names(part), group, new_sizes))
        else:
            _refuse(operand, new_sizes)
    return out


def _merge(operand, groups, new, kept, new_sizes, dimensions):
    out, rest = [], iter(kept)
    for size, group in zip(new, groups):
        if not isinstance(group, list):
            out.append(next(rest))
            continue
        run = [next(rest) for _ in group]
        if all(p is None for p in run):
            out.append(None)
            continue
        flat = [n for p in run for n in (names(p) or (None,))]
        while flat[-1] is None:
            flat.pop()
        if dimensions is not None or None in flat:
            _refuse(operand, new_sizes)
        out.extend(_dealt(operand, flat, [size], new_sizes))
    return out
