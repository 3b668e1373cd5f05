"""Which part of a reference is meant: ``ref[...]``, ``ref[1]``, ``ref[1:3]``.

JAX source: ``jax/_src/state/indexing.py: NDIndexer``, ``jax/_src/indexing.py:
Slice``; ``jax/_src/state/primitives.py: get_ref_and_transforms``.

Simplified: an index is an integer (also a traced one) or a slice per dimension;
index arrays are out of scope.
"""

from __future__ import annotations

from typing import Any

from simulator.errors import OutOfScope
from simulator.jaxprs.tracer import Tracer
from simulator.named_tuples import NamedTuple


class Slice(NamedTuple):
    """`size` elements from `start` on, every `stride`-th."""

    start: int
    size: int
    stride: int = 1


class RefIndex(NamedTuple):
    """An index without its integers: those are operands of the primitive.

    Args:
      shape: of the reference. parts: per dimension a `Slice`, or None for an integer.
    """

    shape: tuple
    parts: tuple

    @property
    def trivial(self) -> bool:
        """Whether all of the array is meant."""
        return all(p == Slice(0, n) for p, n in zip(self.parts, self.shape))

    @property
    def static(self) -> bool:
        """Whether all parts are slices known while tracing."""
        return None not in self.parts

    @property
    def result_shape(self) -> tuple:
        """Sizes of what is read: an axis for every slice, none for an integer."""
        return tuple(p.size for p in self.parts if p is not None)

    @property
    def squeezed(self) -> tuple:
        """The dimensions that an integer takes away."""
        return tuple(i for i, p in enumerate(self.parts) if p is None)

    def starts(self, integers: list) -> list:
        """Where the part begins, one entry per dimension."""
        left = iter(integers)
        return [next(left) if p is None else p.start for p in self.parts]

    def described(self, integers: list) -> str:
        """As JAX's error messages show it."""
        left = iter(integers)
        indices = tuple(next(left) if p is None else p for p in self.parts)
        return f"(NDIndexer({indices=}, shape={self.shape}, int_indexer_shape=(), validate=False),)"

    def text(self, integers: list) -> str:
        """As a jaxpr shows it: ``[1:3,i]``."""
        left = iter(integers)
        return "[" + ",".join(next(left) if p is None else _slice_text(p, n)
                              for p, n in zip(self.parts, self.shape)) + "]"


class Transforms(NamedTuple):
    """The parameter ``tree`` of `get`, `swap` and `addupdate`: an index, or none."""

    index: RefIndex | None

    def key_text(self) -> str:
        """As a key says it."""
        return str(self)

    def __str__(self) -> str:
        if self.index is None:
            return "PyTreeDef(())"
        kinds = ", ".join("*" if p is None else f"CustomNode(Slice[{tuple(p)}], [None, None])"
                          for p in self.index.parts)
        comma = "," if len(self.index.parts) == 1 else ""
        leaves = ", ".join("*" for p in self.index.parts if p is None)
        return (f"PyTreeDef((CustomNode(NDIndexer[(PyTreeDef(({kinds}{comma})), "
                f"{self.index.shape}, ())], [{leaves}]),))")


def _slice_text(part: Slice, dim: int) -> str:
    end = part.start + part.size
    return f"{part.start or ''}:{'' if end == dim else end}"


def split(shape: tuple, index: Any) -> tuple[list, Transforms]:
    """Take an index apart.

    Returns:
      The integers (arrays or tracers, as ``jnp.asarray`` gives them), and the rest.

    Errors: ValueError for an index that is too long, out of bounds or not of a step ≥ 1.
    """
    if index is None or index is Ellipsis:
        index = ()
    if not isinstance(index, tuple):
        index = (index,)
    if not index:
        return [], Transforms(None)
    index = _expanded(index, shape)
    parts, integers = [], []
    for item, dim in zip(index, shape):
        if isinstance(item, slice):
            parts.append(_from_slice(item, dim))
        else:
            integers.append(item)
            parts.append(None)
    integers = [_integer(i) for i in integers]
    left = iter(integers)
    for part, dim in zip(parts, shape):
        _check(part if part is not None else next(left), dim)
    return integers, Transforms(RefIndex(tuple(shape), tuple(parts)))


def _expanded(index: tuple, shape: tuple) -> tuple:
    dots = [i for i, item in enumerate(index) if item is Ellipsis]
    if len(dots) > 1:
        raise ValueError("Only one ellipsis is supported.")
    if dots:
        filled = (slice(None),) * (len(shape) - len(index) + 1)
        index = (*index[:dots[0]], *filled, *index[dots[0] + 1:])
    if len(index) > len(shape):
        raise ValueError(f"`indices` must not be longer than `shape`: indices={index!r}, "
                         f"{shape=}")
    return (*index, *(slice(None),) * (len(shape) - len(index)))


def _from_slice(item: slice, dim: int) -> Slice:
    if any(isinstance(v, Tracer) for v in (item.start, item.stop, item.step)):
        raise OutOfScope("a Ref with a traced slice", "slice with Python integers")
    start, stop, step = item.indices(dim)
    if step < 1:
        raise ValueError(f"slice must have a step >= 1 (found: {step})")
    return Slice(start, max(0, -((start - stop) // step)), step)


def _integer(item: Any) -> Any:
    from simulator.facade.jax.numpy import asarray
    value = asarray(item)
    if value.shape or value.dtype.family not in "iu":
        raise OutOfScope("a Ref with an index array", "index it with integers and slices, or "
                         "read it with ref[...] first")
    return value


def _check(part: Any, dim: int) -> None:
    # Looks at the values that are known; for an array that compares, as in JAX.
    if isinstance(part, Slice):
        if part.start and part.start >= dim:
            raise ValueError(f"Out of bound slice: start={part.start}, dim={dim}.")
        last = part.start + (part.size - 1) * part.stride
        if part.start and part.size and last >= dim:
            raise ValueError(f"Out of bound slice: start={part.start}, size={part.size}, "
                             f"stride={part.stride}, dim={dim}.")
        return
    if isinstance(part, Tracer):
        return
    if part and part >= dim:
        raise ValueError(f"Out of bound indexer: idx={part}, dim={dim}.")
