"""Lazy values: a flat list that is computed when somebody looks at it.

A `Cell` is either a list or a function of other cells.  Most programs here only
care for shapes and types, so a result costs nothing until its numbers are
wanted.  Evaluation is a loop, not a recursion: a training loop of a thousand
steps is a chain of a thousand cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simulator.errors import OutOfScope

# Above this many numbers pure Python takes seconds; say so instead of hanging.
MAX_VALUES = 1 << 22
# A chain longer than this is computed on the spot when it is small, so that a
# long loop does not keep all of its steps alive.
_MAX_DEPTH, _SMALL = 64, 4096


class Cell:
    """One flat value, now or later.

    Args:
      size: number of elements.
      value: the elements, or None.
      fn: called with the flat lists of `deps`, returns the elements.
    """

    __slots__ = ("size", "value", "fn", "deps", "depth")

    def __init__(self, size: int, value: list | None = None,
                 fn: Callable | None = None, deps: Sequence[Cell] = ()):
        self.size, self.value, self.fn, self.deps = size, value, fn, tuple(deps)
        self.depth = 0
        if value is None:
            self.depth = 1 + max([d.depth for d in self.deps], default=0)
            if self.depth > _MAX_DEPTH and size <= _SMALL and all(
                    d.size <= _SMALL for d in self.deps):
                self.force()

    def force(self) -> list:
        """The elements. Callers must not change the list.

        Raises:
          OutOfScope: more than `MAX_VALUES` elements.
        """
        if self.value is None:
            todo = [self]
            while todo:
                cell = todo[-1]
                if cell.value is not None:
                    todo.pop()
                    continue
                waiting = [d for d in cell.deps if d.value is None]
                if waiting:
                    todo.extend(waiting)
                    continue
                if cell.size > MAX_VALUES:
                    raise OutOfScope(f"the values of an array of {cell.size} elements",
                                     "look at its shape only, or use a smaller array")
                cell.value = cell.fn(*[d.value for d in cell.deps])
                cell.fn, cell.deps, cell.depth = None, (), 0
                todo.pop()
        return self.value


def strided(shape: Sequence[int], strides: Sequence[int], offset: int = 0) -> list[int]:
    """Flat positions, row by row, of a strided block."""
    at = [offset]
    for n, step in zip(shape, strides):
        steps = range(0, n * step, step) if step else [0] * n
        at = [i + k for i in at for k in steps]
    return at


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides, in elements, of a contiguous array."""
    out, step = [], 1
    for n in reversed(shape):
        out.append(step)
        step *= n
    return tuple(reversed(out))


def broadcast_strides(shape: Sequence[int], target: Sequence[int]) -> list[int]:
    """Strides that read an array of `shape` as if it had shape `target` (aligned right)."""
    own = [0 if n == 1 else s for n, s in zip(shape, row_major(shape))]
    return [0] * (len(target) - len(shape)) + own


def broadcast_list(values: list, shape: Sequence[int], target: Sequence[int]) -> list:
    """The elements of an array of `shape`, repeated to fill `target`."""
    if tuple(shape) == tuple(target):
        return values
    if len(values) == 1:
        n = 1
        for d in target:
            n *= d
        return values * n
    return [values[i] for i in strided(target, broadcast_strides(shape, target))]
