"""Arguments that NumPy's functions have and the stand-in has not: refused, never ignored."""

from __future__ import annotations

from simulator.errors import OutOfScope

_ADVICE = "leave it out, or record the program on real JAX"


def only(function: str, **given) -> None:
    """OutOfScope for an argument of ``numpy.<function>`` that was given, and not as None."""
    for name, value in given.items():
        if value is not None:
            raise OutOfScope(f"numpy.{function} with {name}", _ADVICE)


def check_order(function: str, order, *, kept: bool = False) -> None:
    """OutOfScope for another memory order than C.

    kept: the order says how the result is stored, not which elements come first; then A
    and K, "as it is", are let through, too.
    """
    if order not in (("C", "K", "A", None) if kept else ("C",)):
        raise OutOfScope(f"numpy.{function} with order={order!r}", _ADVICE)
