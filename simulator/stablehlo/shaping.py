"""How operations on shapes are written.

JAX source: the lowering rules in ``jax/_src/lax/lax.py``, ``jax/_src/lax/slicing.py``.
"""

from __future__ import annotations

from typing import Any

from simulator.jaxprs.jaxpr import Eqn
from simulator.stablehlo.module import Function
from simulator.stablehlo.rules import numbers, result, rule
from simulator.stablehlo.types import refuse, tensor


@rule("broadcast_in_dim")
def _broadcast(f: Function, eqn: Eqn, x: str) -> list[str]:
    return f.operation(
        f"stablehlo.broadcast_in_dim {x}, dims = {numbers(eqn.params['broadcast_dimensions'])} : "
        f"({tensor(eqn.invars[0].aval)}) -> {tensor(result(eqn))}")


@rule("reshape", "squeeze")
def _reshape(f: Function, eqn: Eqn, x: str) -> list[str]:
    if eqn.params.get("dimensions") is not None and eqn.primitive.name == "reshape":
        raise refuse("reshape with an order of dimensions")
    return f.operation(f"stablehlo.reshape {x} : ({tensor(eqn.invars[0].aval)}) -> "
                       f"{tensor(result(eqn))}")


@rule("transpose")
def _transpose(f: Function, eqn: Eqn, x: str) -> list[str]:
    return f.operation(f"stablehlo.transpose {x}, dims = {numbers(eqn.params['permutation'])} : "
                       f"({tensor(eqn.invars[0].aval)}) -> {tensor(result(eqn))}")


@rule("rev")
def _rev(f: Function, eqn: Eqn, x: str) -> list[str]:
    return f.operation(f"stablehlo.reverse {x}, dims = {numbers(eqn.params['dimensions'])} : "
                       f"{tensor(result(eqn))}")


@rule("slice")
def _slice(f: Function, eqn: Eqn, x: str) -> list[str]:
    p, aval = eqn.params, eqn.invars[0].aval
    return [_sliced(f, x, aval, result(eqn), p["start_indices"], p["limit_indices"],
                    p["strides"] or (1,) * aval.ndim)]


def _sliced(f: Function, x: str, aval: Any, out: Any, starts: Any, limits: Any, strides: Any
            ) -> str:
    parts = [f"{a}:{b}" + (f":{s}" if s != 1 else "") for a, b, s in zip(starts, limits, strides)]
    return f.operation(f"stablehlo.slice {x} [{', '.join(parts)}] : ({tensor(aval)}) -> "
                       f"{tensor(out)}")[0]


@rule("split")
def _split(f: Function, eqn: Eqn, x: str) -> list[str]:
    aval, axis, start = eqn.invars[0].aval, eqn.params["axis"], 0
    names = []
    for var, size in zip(eqn.outvars, eqn.params["sizes"]):
        starts, limits = [0] * aval.ndim, list(aval.shape)
        starts[axis], limits[axis] = start, start + size
        names.append(_sliced(f, x, aval, var.aval, starts, limits, (1,) * aval.ndim))
        start += size
    return names


@rule("concatenate")
def _concatenate(f: Function, eqn: Eqn, *xs: str) -> list[str]:
    kinds = ", ".join(tensor(a.aval) for a in eqn.invars)
    return f.operation(f"stablehlo.concatenate {', '.join(xs)}, dim = {eqn.params['dimension']} : "
                       f"({kinds}) -> {tensor(result(eqn))}")


@rule("pad")
def _pad(f: Function, eqn: Eqn, x: str, value: str) -> list[str]:
    low, high, interior = map(numbers, zip(*eqn.params["padding_config"]))
    return f.operation(
        f"stablehlo.pad {x}, {value}, low = {low}, high = {high}, interior = {interior} : "
        f"({tensor(eqn.invars[0].aval)}, {tensor(eqn.invars[1].aval)}) -> {tensor(result(eqn))}")


@rule("iota")
def _iota(f: Function, eqn: Eqn) -> list[str]:
    return f.operation(f"stablehlo.iota dim = {eqn.params['dimension']} : {tensor(result(eqn))}")


@rule("dynamic_slice")
def _dynamic_slice(f: Function, eqn: Eqn, x: str, *starts: str) -> list[str]:
    kinds = ", ".join(tensor(a.aval) for a in eqn.invars)
    return f.operation(
        f"stablehlo.dynamic_slice {', '.join([x, *starts])}, sizes = "
        f"{numbers(eqn.params['slice_sizes'])} : ({kinds}) -> {tensor(result(eqn))}")


@rule("dynamic_update_slice")
def _dynamic_update_slice(f: Function, eqn: Eqn, *names: str) -> list[str]:
    kinds = ", ".join(tensor(a.aval) for a in eqn.invars)
    return f.operation(f"stablehlo.dynamic_update_slice {', '.join(names)} : ({kinds}) -> "
                       f"{tensor(result(eqn))}")
