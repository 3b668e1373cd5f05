"""What JAX checks before and after differentiating, and what it says.

JAX source: ``jax/_src/api.py: _check_scalar, _check_input_dtype_revderiv,
_check_output_dtype_revderiv, _jvp, _lift_linearized, linear_transpose``;
``jax/_src/dispatch.py: check_arg``.
"""

from __future__ import annotations

from typing import Any

from simulator.autodiff.zeros import tangent_aval, tangent_dtype
from simulator.device_arrays.values import abstractify
from simulator.trees import pytrees
from simulator.types import dtypes
from simulator.types.avals import match


def is_jax_type(x: Any) -> None:
    """TypeError for what is no JAX value."""
    try:
        abstractify(x)
    except TypeError:
        raise TypeError(f"Argument '{x}' of type {type(x)} is not a valid JAX type.") from None


def scalar(x: Any) -> None:
    """TypeError unless the function's result is a scalar."""
    try:
        aval = abstractify(x)
    except TypeError as error:
        raise TypeError("Gradient only defined for scalar-output functions. Output was "
                        f"{x}.") from error
    if aval.shape == ():
        return
    extract = ""
    if aval.size == 1:
        first = " or output[0]" if len(aval.shape) == 1 else ""
        extract = f"extract the scalar with output.reshape(()){first}, "
    raise TypeError(
        f"Gradient only defined for scalar-output functions. Output had shape: {aval.shape}. To "
        f"get the gradient, {extract}reduce the output to a scalar with output.sum(), or use "
        "jax.jacobian to differentiate a function with a non-scalar output.")


def reverse_input(name: str, holomorphic: bool, allow_int: bool, x: Any) -> None:
    """TypeError for an argument that cannot be differentiated in reverse."""
    is_jax_type(x)
    dtype = abstractify(x).dtype
    if holomorphic and dtype.family != "c":
        raise TypeError(f"{name} with holomorphic=True requires inputs with complex dtype, but got "
                        f"{dtype.name}.")
    if dtype.family in "kiub" and not allow_int:
        raise TypeError(f"{name} requires real- or complex-valued inputs (input dtype that is a "
                        f"sub-dtype of np.inexact), but got {dtype.name}. If you want to use "
                        "Boolean- or integer-valued inputs, use vjp or set allow_int to True.")
    if dtype.family not in "kiubfc":
        raise TypeError(f"{name} requires numerical-valued inputs (input dtype that is a sub-dtype "
                        f"of np.bool_ or np.number), but got {dtype.name}.")


def reverse_output(name: str, holomorphic: bool, x: Any) -> None:
    """TypeError for a result whose gradient is not defined."""
    dtype = abstractify(x).dtype
    if dtype.family == "k":
        raise TypeError(f"{name} with output element type {dtype.name}")
    if holomorphic:
        if dtype.family != "c":
            raise TypeError(f"{name} with holomorphic=True requires outputs with complex dtype, "
                            f"but got {dtype.name}.")
        return
    real = (f"{name} requires real-valued outputs (output dtype that is a sub-dtype of "
            f"np.floating), but got {dtype.name}. ")
    if dtype.family == "c":
        raise TypeError(f"{real}For holomorphic differentiation, pass holomorphic=True. For "
                        "differentiation of non-holomorphic functions involving complex outputs, "
                        "use jax.vjp directly.")
    if dtype.family != "f":
        raise TypeError(f"{real}For differentiation of functions with integer outputs, use "
                        "jax.vjp directly.")


def forward_input(holomorphic: bool, x: Any) -> None:
    """TypeError for an argument of ``jacfwd`` that cannot be differentiated."""
    is_jax_type(x)
    dtype = abstractify(x).dtype
    if dtype.family == "k":
        raise TypeError(f"jacfwd with input element type {dtype.name}")
    if holomorphic:
        if dtype.family != "c":
            raise TypeError("jacfwd with holomorphic=True requires inputs with complex dtype, but "
                            f"got {dtype.name}.")
    elif dtype.family != "f":
        raise TypeError(
            "jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), "
            f"but got {dtype.name}. For holomorphic differentiation, pass holomorphic=True. For "
            "differentiation of non-holomorphic functions involving complex inputs or integer "
            "inputs, use jax.jvp directly.")


def forward_output(holomorphic: bool, x: Any) -> None:
    """TypeError for a result of ``jacfwd`` that is not complex though it should be."""
    dtype = abstractify(x).dtype
    if holomorphic and dtype.family != "c":
        raise TypeError("jacfwd with holomorphic=True requires outputs with complex dtype, but got "
                        f"{dtype.name}.")


def tangents(primals: Any, given: Any, ps: list, ts: list) -> None:
    """TypeError or ValueError when primals and tangents do not match."""
    p_tree, t_tree = pytrees.tree_structure(primals), pytrees.tree_structure(given)
    if p_tree != t_tree:
        raise TypeError("primal and tangent arguments to jax.jvp must have the same tree "
                        f"structure; primals have tree structure {p_tree} whereas tangents have "
                        f"tree structure {t_tree}.")
    for p, t in zip(map(abstractify, ps), map(abstractify, ts)):
        if tangent_dtype(p.dtype) is not t.dtype:
            raise TypeError(
                "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in "
                "case of int/bool primal dtype the tangent dtype must be float0.Got primal dtype "
                f"{p.dtype} and so expected tangent dtype {tangent_dtype(p.dtype)}, but got "
                f"tangent dtype {t.dtype} instead.")
        if p.shape != t.shape:
            raise ValueError("jvp called with different primal and tangent shapes;Got primal shape "
                             f"{p.shape} and tangent shape as {t.shape}")


def linear_arguments(given: list, given_tree: Any, avals: list, tree: Any) -> None:
    """TypeError or ValueError when tangents do not fit a linearized function."""
    if given_tree != tree:
        raise TypeError(f"expected {tree}, got {given_tree}")
    for aval, tangent in zip(avals, map(abstractify, given)):
        expected = tangent_aval(aval)
        if not match(expected, tangent):
            raise ValueError("linearized function called on tangent values inconsistent with the "
                             f"original primal values:\nGot tangent aval {tangent} for primal aval "
                             f"{aval} but expected {expected}.")


def cotangents(given: list, avals: list) -> None:
    """ValueError when cotangents do not fit the results of the function."""
    for found, aval in zip(map(abstractify, given), avals):
        expected = tangent_aval(aval)
        nothing = found.shape == expected.shape and expected.dtype is dtypes.float0
        if not match(found, expected) and not nothing:
            raise ValueError(
                "unexpected JAX type (e.g. shape/dtype) for argument to VJP function: got "
                f"{found.str_short()}, but expected {expected.str_short()} because the "
                "corresponding output of the differentiated function had JAX type "
                f"{aval.str_short()}")


def linear_dtypes(ins: list, outs: list) -> None:
    """TypeError when a function to transpose mixes integers with others."""
    every = [*ins, *outs]
    if not (all(d.family in "fc" for d in every) or all(d.family in "iu" for d in every)):
        raise TypeError("linear_transpose only supports [float or complex] -> [float or complex], "
                        f"and integer -> integer functions, but got {ins} -> {outs}.")
