"""JAX's type promotion: a small lattice of types, weak Python types included.

A value's place is `(dtype, weak)`.  Weak values (Python scalars and what is made
only of them) stand at the lattice's ``int*``, ``float*`` or ``complex*`` nodes
and so never widen a strong type of their kind.

JAX source: jax/_src/dtypes.py: _type_promotion_lattice, _least_upper_bound,
lattice_result_type.
"""

from __future__ import annotations

import functools

from simulator.types.dtype_core import (
    ALL,
    COMPLEXES,
    FLOATS,
    SIGNED,
    UNSIGNED,
    DType,
    bfloat16,
    bool_,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)


class TypePromotionError(ValueError):
    """No common type for the inputs (jax/_src/dtypes.py: TypePromotionError)."""


# The three weak nodes are Python's own types.
_STANDARD = {
    bool_: (int,), int: (uint8, int8), uint8: (int16, uint16), uint16: (int32, uint32),
    uint32: (int64, uint64), uint64: (float,), int8: (int16,), int16: (int32,),
    int32: (int64,), int64: (float,), float: (bfloat16, float16, complex),
    bfloat16: (float32,), float16: (float32,), float32: (float64, complex64),
    float64: (complex128,), complex: (complex64,), complex64: (complex128,),
    complex128: (),
}
# Without x64 nothing may widen to 64 bits by itself: uint32 with int32 is int32.
_STANDARD_32 = {**_STANDARD, uint32: (int32, uint64)}
# Strict promotion lets only Python scalars give way.
_STRICT = {
    int: (float, *UNSIGNED, *SIGNED), float: (complex, *FLOATS), complex: COMPLEXES,
    **{d: () for d in ALL},
}


def _closure(lattice: dict) -> dict:
    above = {}

    def reach(node):
        if node not in above:
            above[node] = {node}.union(*map(reach, lattice[node]))
        return above[node]

    for node in lattice:
        reach(node)
    return above


_ABOVE = {("standard", True): _closure(_STANDARD),
          ("standard", False): _closure(_STANDARD_32)}
_ABOVE["strict", True] = _ABOVE["strict", False] = _closure(_STRICT)


@functools.lru_cache(512)
def least_upper_bound(mode: str, x64: bool, *nodes):
    """The lowest lattice node above all `nodes` (DTypes and Python types).

    Args:
      mode: ``"standard"`` or ``"strict"`` (jax_numpy_dtype_promotion).

    Raises:
      TypePromotionError: there is none.
      ValueError: a dtype without a place in the lattice (keys, float0).
    """
    above = _ABOVE[mode, x64]
    for n in nodes:
        if n not in above:
            raise ValueError(f"dtype={n!r} is not a valid dtype for JAX type promotion.")
    common = set.intersection(*(above[n] for n in nodes))
    least = common & set(nodes) or {c for c in common if common <= above[c]}
    if len(least) == 1:
        return least.pop()
    names = tuple(str(n) for n in nodes)
    if mode == "strict":
        raise TypePromotionError(
            f"Input dtypes {names} have no available implicit dtype promotion path when "
            "jax_numpy_dtype_promotion=strict. Try explicitly casting inputs to the "
            "desired output type, or set jax_numpy_dtype_promotion=standard.")
    raise TypePromotionError(
        f"Input dtypes {names} have no available implicit dtype promotion path. "
        "Try explicitly casting inputs to the desired output type.")


def _node(dt: DType, weak: bool):
    if not weak or dt is bool_:
        return dt
    return {"i": int, "u": int, "f": float, "c": complex}.get(dt.family, dt)


_WEAK_64 = {int: int64, float: float64, complex: complex128}
_NARROW = {int64: int32, uint64: uint32, float64: float32, complex128: complex64}


def canonicalize(dt: DType, x64: bool) -> DType:
    """The type JAX uses for `dt`: 64-bit types are halved unless x64 is on."""
    return dt if x64 else _NARROW.get(dt, dt)


def default_dtype(family: str, x64: bool) -> DType:
    """The type of a bare Python scalar of family ``b i u f c``."""
    wide = {"b": bool_, "i": int64, "u": uint64, "f": float64, "c": complex128}[family]
    return canonicalize(wide, x64)


def lattice_result_type(pairs, x64: bool, mode: str = "standard") -> tuple[DType, bool]:
    """Promote `(dtype, weak)` pairs to one `(dtype, weak)`.

    A weak result keeps the dtype the lattice gives (a weak int16 stays int16):
    this is what jnp promotion uses for its operands.  See `result_type` for the
    variant that widens weak results to the default.
    """
    pairs = list(pairs)
    dts = [d for d, _ in pairs]
    weaks = [w for _, w in pairs]
    if len(pairs) == 1:
        out, weak = pairs[0]
    elif len(set(dts)) == 1 and not all(weaks):
        out, weak = dts[0], False
    else:
        if all(weaks) and mode != "strict":
            nodes, weak = dts, True
        else:
            nodes, weak = [_node(*p) for p in pairs], None
        # JAX collects the nodes in a set first; the order only shows in an error.
        found = least_upper_bound(mode, x64, *dict.fromkeys(nodes))
        if weak is None:
            weak = found in _WEAK_64
        out = canonicalize(_WEAK_64.get(found, found), x64)
    return out, weak and out is not bool_


def result_type(pairs, x64: bool, mode: str = "standard") -> tuple[DType, bool]:
    """As `lattice_result_type`, with a weak result at its default width.

    Returns:
      (dtype, weak); JAX's public ``result_type`` returns the first of them.
    """
    pairs = list(pairs)
    if not pairs:
        raise ValueError("at least one array or dtype is required")
    out, weak = lattice_result_type(pairs, x64, mode)
    if weak:
        out = default_dtype(out.family, x64)
    return out, weak


def promote_types(a, b, x64: bool, mode: str = "standard") -> DType:
    """`jax.numpy.promote_types` for DTypes and the Python types int, float, complex."""
    found = least_upper_bound(mode, x64, a, b)
    return _WEAK_64.get(found, found)


def to_inexact(dt: DType) -> DType:
    """The floating type in which JAX computes sin, sqrt, mean ... of `dt` (not canonical)."""
    if dt.family in "iub":
        return float64 if dt in (int64, uint64) else float32
    return dt
