"""``jax.test_util``: derivatives held against finite differences.

Directions are drawn by NumPy's generator with seed 0, one per function; differences are
taken with NumPy, so the checked function runs eagerly on NumPy's arrays.

JAX source: ``jax/_src/public_test_util.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from simulator.facade import numpy as np
from simulator.facade.jax import differentiating as gradients
from simulator.facade.public import missing as _missing
from simulator.trees.pytrees import tree_leaves, tree_map
from simulator.types import dtype_core as dt
from simulator.types import dtypes

__getattr__ = _missing("jax.test_util")

_EPS = 1e-4
_TOLERANCES = {dt.bfloat16: 1e-1, dt.float16: 1e-2, dt.float32: 2e-3, dt.float64: 1e-5,
               dt.complex64: 1e-3, dt.complex128: 1e-5}
_SCALARS = (bool, int, float, complex)


def _dtype(x: Any) -> Any:
    return x.dtype if hasattr(x, "dtype") else np.asarray(x).dtype


def _is_number(x: Any) -> bool:
    return isinstance(x, _SCALARS) and not isinstance(x, np.generic)


def _keeping(function: Callable) -> Callable:
    """`function`, whose result has the type of the first argument."""
    def kept(*args: Any) -> Any:
        result = np.array(function(*args), dtype=_dtype(args[0]))
        return result.item() if all(map(_is_number, args)) else result
    return functools.partial(tree_map, kept)


_add, _sub = _keeping(lambda x, y: x + y), _keeping(lambda x, y: x - y)
_conj = _keeping(np.conj)


def _difference(x: Any, y: Any) -> Any:
    # Equal infinities are no distance apart.
    return np.where(np.equal(x, y), np.array(0, _dtype(x)),
                    np.asarray(np.subtract(x, y)).astype(_dtype(x)))


def _scaled(tree: Any, by: float) -> Any:
    def scale(x: Any) -> Any:
        result = np.asarray(np.multiply(x, np.array(by, dtype=_dtype(x)))).astype(_dtype(x))
        return result.item() if _is_number(x) else result
    return tree_map(scale, tree)


def _drawn(rng: Any, x: Any) -> Any:
    def draw() -> Any:
        return np.asarray(rng.randn(*np.shape(x))).astype(_dtype(x))
    result = draw()
    if result.dtype.family == "c":
        result = result + np.array(1j, result.dtype) * draw()
    return result.item() if _is_number(x) else result


def _numerical_jvp(f: Callable, primals: tuple, tangents: tuple, eps: float) -> Any:
    delta = _scaled(tangents, eps)
    above = f(*_add(primals, delta))
    below = f(*_sub(primals, delta))
    return _scaled(tree_map(_difference, above, below), 0.5 / eps)


def _tolerance(given: Any, kind: Any) -> float:
    if given is not None and not isinstance(given, dict):
        return given
    merged = {**_TOLERANCES, **{dtypes.dtype(k): v for k, v in (given or {}).items()}}
    return merged.get(kind, 0)


def _check_close(xs: Any, ys: Any, atol: Any, rtol: Any, err_msg: str) -> None:
    def close(a: Any, b: Any) -> None:
        a, b = np.asarray(a), np.asarray(b)
        assert a.shape == b.shape
        near = {name: max(_tolerance(given, a.dtype), _tolerance(given, b.dtype)) * size
                for name, given, size in (("atol", atol, a.size), ("rtol", rtol, b.size))}
        np.testing.assert_allclose(a, b, **{k: v for k, v in near.items() if v}, err_msg=err_msg)
    tree_map(close, xs, ys)


def _check_types(xs: Any, ys: Any) -> None:
    from simulator.device_arrays.values import x64

    def same(x: Any, y: Any) -> None:
        assert dtypes.canonicalize(_dtype(x), x64()) is dtypes.canonicalize(_dtype(y), x64())
    tree_map(same, xs, ys)


def _inner_product(xs: Any, ys: Any) -> Any:
    products = [np.real(np.dot(np.conj(x).reshape(-1), np.asarray(y).reshape(-1)))
                for x, y in zip(tree_leaves(xs), tree_leaves(ys))]
    return functools.reduce(np.add, products)


def check_jvp(f: Callable, f_jvp: Callable, args: Any, atol: Any = None, rtol: Any = None,
              eps: float = _EPS, err_msg: str = "") -> None:
    """``jax.test_util.check_jvp``. AssertionError for another derivative."""
    rng = np.random.RandomState(0)
    tangent = tree_map(functools.partial(_drawn, rng), args)
    v_out, t_out = f_jvp(args, tangent)
    _check_types(v_out, t_out)
    expected = f(*args)
    _check_types(v_out, expected)
    t_expected = _numerical_jvp(f, args, tangent, eps)
    before = f"{err_msg} " if err_msg else ""
    _check_close(v_out, expected, atol, rtol, f"{before}primal")
    _check_close(t_out, t_expected, atol, rtol, f"{before}tangent")


def check_vjp(f: Callable, f_vjp: Callable, args: Any, atol: Any = None, rtol: Any = None,
              eps: float = _EPS, err_msg: str = "") -> None:
    """``jax.test_util.check_vjp``. AssertionError for another derivative."""
    draw = functools.partial(_drawn, np.random.RandomState(0))
    v_out, vjp_fun = f_vjp(*args)
    expected = f(*args)
    before = f"{err_msg} " if err_msg else ""
    _check_close(v_out, expected, atol, rtol, f"{before}primal")
    tangent = tree_map(draw, args)
    tangent_out = _numerical_jvp(f, args, tangent, eps)
    cotangent = tree_map(draw, v_out)
    cotangent_out = _conj(vjp_fun(_conj(cotangent)))
    _check_close(_inner_product(tangent, cotangent_out), _inner_product(tangent_out, cotangent),
                 atol, rtol, f"{before}cotangent projection")


def check_grads(f: Callable, args: Any, order: int, modes: Any = ("fwd", "rev"), atol: Any = None,
                rtol: Any = None, eps: float | None = None) -> None:
    """``jax.test_util.check_grads``: derivatives up to `order`, forwards and in reverse.
    AssertionError for another derivative."""
    near = {"atol": atol, "rtol": rtol, "eps": eps or _EPS}

    def check(f: Callable, args: tuple, order: int, err_msg: str = "") -> None:
        if "fwd" in modes:
            what = f"JVP of {err_msg}" if err_msg else "JVP"
            check_jvp(f, functools.partial(gradients.jvp, f), args, err_msg=what, **near)
            if order > 1:
                check(functools.partial(gradients.jvp, f), (args, args), order - 1, what)
        if "rev" in modes:
            what = f"VJP of {err_msg}" if err_msg else "VJP"
            check_vjp(f, functools.partial(gradients.vjp, f), args, err_msg=what, **near)
            if order > 1:
                def f_vjp(*args: Any) -> Any:
                    primal, back = gradients.vjp(f, *args)
                    return back(primal)
                check(f_vjp, args, order - 1, what)

    check(f, tuple(args), order)


__all__ = ["check_grads", "check_jvp", "check_vjp"]
