"""Derivatives and batching of convolutions and pooling, and what lowering traces.

JAX source: ``jax/_src/lax/convolution.py: _conv_general_dilated_transpose_lhs,
_conv_general_dilated_transpose_rhs, _conv_general_dilated_batch_rule``;
``jax/_src/lax/windowed_reductions.py: _reduce_window_sum_transpose_rule,
_reduce_window_chooser_jvp_rule, _select_and_gather_add_transpose,
_select_and_scatter_add_impl, _reduce_window_batch_rule``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator.autodiff import jvp
from simulator.autodiff.accumulate import is_unknown
from simulator.autodiff.rules.common import bilinear
from simulator.autodiff.zeros import Zero, is_zero, zero_of
from simulator.batching import axes
from simulator.batching.rules import rule, size_of
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import base, reducing, shapes, slicing
from simulator.facade.jax.lax import elementwise as el
from simulator.facade.jax.lax.convert import convert_element_type
from simulator.facade.jax.lax.convolution import conv_general_dilated
from simulator.jaxprs import lower_fun
from simulator.jaxprs.jaxpr import Eqn
from simulator.primitives import reductions as red
from simulator.primitives.core import BY_NAME, Primitive
from simulator.types.avals import ShapedArray
from simulator.windows import pooling
from simulator.windows.convolution import ConvDimensionNumbers, conv_general_dilated_p
from simulator.windows.sizes import back_to_left, back_to_right

# --- convolutions --------------------------------------------------------------


def _swapped(spec: Sequence[int]) -> tuple[int, ...]:
    return spec[1], spec[0], *spec[2:]


def _space(shape: Sequence[int], spec: Sequence[int]) -> list[int]:
    return [shape[i] for i in spec[2:]]


def _into(src: int, dst: int, x: Any) -> Any:
    order = [i for i in range(x.ndim) if i != src]
    order.insert(dst, src)
    shape = [n for i, n in enumerate(x.shape) if i != src]
    shape[dst] *= x.shape[src]
    return shapes.reshape(x, shape, order)


def _out_of(src: int, size: int, x: Any) -> Any:
    shape = list(x.shape)
    shape[src:src + 1] = [size, shape[src] // size]
    return shapes.reshape(x, shape)


def _sides(t: Any, lhs: Any, rhs: Any, p: dict, back: Any) -> list:
    specs = p["dimension_numbers"]
    return back(_space(lhs, specs[0]), _space(rhs, specs[1]), p["window_strides"],
                _space(t.shape, specs[2]), p["padding"], p["lhs_dilation"], p["rhs_dilation"])


def _left(t: Any, lhs: Any, rhs: Any, **p: Any) -> Any:
    lhs_spec, rhs_spec, out_spec = p["dimension_numbers"]
    aval, pads = lhs.aval, _sides(t, lhs.aval.shape, rhs.shape, p, back_to_left)
    features, batches = p["feature_group_count"], p["batch_group_count"]
    groups = max(features, batches)
    if groups > 1:
        rhs = _into(rhs_spec[0], rhs_spec[1], _out_of(rhs_spec[0], groups, rhs))
    turned = shapes.rev(rhs, rhs_spec[2:])
    if t.dtype is not turned.dtype:
        turned = convert_element_type(turned, t.dtype)
    out = conv_general_dilated(
        t, turned, window_strides=p["lhs_dilation"], padding=pads,
        lhs_dilation=p["window_strides"], rhs_dilation=p["rhs_dilation"],
        dimension_numbers=ConvDimensionNumbers(out_spec, _swapped(rhs_spec), lhs_spec),
        feature_group_count=groups, precision=p["precision"],
        preferred_element_type=p["preferred_element_type"], out_sharding=base.sharding_of(aval))
    if out.dtype is not aval.dtype:
        out = convert_element_type(out, aval.dtype)
    if batches > 1:
        out = _into(lhs_spec[1], lhs_spec[0], _out_of(lhs_spec[1], batches, out))
    return out


def _right(t: Any, lhs: Any, rhs: Any, **p: Any) -> Any:
    aval = rhs.aval
    if not t.size:
        return Zero(aval)
    lhs_spec, rhs_spec, out_spec = map(_swapped, p["dimension_numbers"])
    pads = _sides(t, lhs.shape, aval.shape, p, back_to_right)
    if t.dtype is not lhs.dtype:
        lhs = convert_element_type(lhs, t.dtype)
    out = conv_general_dilated(
        lhs, t, window_strides=p["rhs_dilation"], padding=pads, lhs_dilation=p["lhs_dilation"],
        rhs_dilation=p["window_strides"],
        dimension_numbers=ConvDimensionNumbers(lhs_spec, out_spec, rhs_spec),
        feature_group_count=p["batch_group_count"], batch_group_count=p["feature_group_count"],
        precision=p["precision"], preferred_element_type=p["preferred_element_type"],
        out_sharding=base.sharding_of(aval))
    return out if out.dtype is aval.dtype else convert_element_type(out, aval.dtype)


bilinear("conv_general_dilated", _left, _right)
conv_general_dilated_p.jvp = jvp.standard(
    conv_general_dilated_p,
    lambda g, x, y, **p: conv_general_dilated_p.bind(g, y, **p),
    lambda g, x, y, **p: conv_general_dilated_p.bind(x, g, **p))


@rule("conv_general_dilated")
def _batch_conv(primitive: Primitive, axis: Any, vals: list, dims: list, *, window_strides: Any,
                padding: Any, lhs_dilation: Any, rhs_dilation: Any, dimension_numbers: Any,
                feature_group_count: int, batch_group_count: int, **p: Any) -> tuple:
    (lhs, rhs), (ld, rd) = vals, dims
    lhs_spec, rhs_spec, out_spec = dimension_numbers
    if batch_group_count > 1 or (ld is None and feature_group_count > 1):
        raise OutOfScope("jax.vmap of a convolution in groups", "add the axis to the batch")
    size = size_of(vals, dims)

    def conv(left: Any, right: Any, groups: int) -> Any:
        return conv_general_dilated(left, right, window_strides, padding, lhs_dilation,
                                    rhs_dilation, dimension_numbers, feature_group_count=groups,
                                    batch_group_count=batch_group_count, **p)

    if ld is not None and rd is not None:
        out = conv(_into(ld, lhs_spec[1], lhs), _into(rd, rhs_spec[0], rhs),
                   feature_group_count * size)
        return _out_of(out_spec[1], size, out), out_spec[1]
    if ld is not None:
        out = conv(_into(ld, lhs_spec[0], lhs), rhs, feature_group_count)
        return _out_of(out_spec[0], size, out), out_spec[0]
    out = conv(lhs, _into(rd, rhs_spec[0], rhs), feature_group_count)
    return _out_of(out_spec[1], size, out), out_spec[1]


# --- pooling -------------------------------------------------------------------

def _sum_transpose(t: Any, x: Any, *, window_dimensions: tuple, window_strides: tuple,
                   padding: tuple, base_dilation: tuple, window_dilation: tuple) -> list:
    if is_zero(t):
        return [Zero(x.aval)]
    shape = x.aval.shape
    pads = back_to_left(shape, window_dimensions, window_strides, t.shape, padding, base_dilation,
                        window_dilation)
    zero = shapes.full_like(t, 0, shape=())
    padded = reducing.pad(t, zero, [
        (*axes.numpy_ints(pair), s - 1) for pair, s in zip(pads, window_strides)])
    return [pooling.reduce_window_sum_p.bind(
        padded, window_dimensions=tuple(window_dimensions), window_strides=tuple(base_dilation),
        padding=((0, 0),) * len(shape), base_dilation=(1,) * len(shape),
        window_dilation=tuple(window_dilation))]


pooling.reduce_window_sum_p.jvp = jvp.linear(pooling.reduce_window_sum_p)
pooling.reduce_window_sum_p.transpose = _sum_transpose


def _chooser(primitive: Primitive, comparison: str) -> None:
    primitive.jvp = jvp.standard(
        primitive, lambda g, x, **p: pooling.select_and_gather_add_p.bind(
            g, x, select_prim=BY_NAME[comparison], **p))


_chooser(pooling.reduce_window_max_p, "ge")
_chooser(pooling.reduce_window_min_p, "le")


def _linear_in_source(primitive: Primitive) -> Callable:
    """The jvp of an operation that is linear in its source; the operand only chooses."""
    def rule(primals: list, tangents: list, **p: Any) -> tuple:
        source, operand = primals
        out = primitive.bind(source, operand, **p)
        if is_zero(tangents[0]):
            return out, zero_of(out)
        return out, primitive.bind(tangents[0], operand, **p)
    return rule


def _gather_transpose(t: Any, tangents: Any, operand: Any, *, select_prim: Any,
                      window_dimensions: tuple, window_strides: tuple, padding: tuple,
                      base_dilation: tuple, window_dilation: tuple) -> list:
    if any(d != 1 for d in window_dilation):
        raise NotImplementedError("VJP not implemented for select_and_gather (MaxPool) with window "
                                  f"dilation, got window_dilation={window_dilation}.")
    if any(d != 1 for d in base_dilation):
        raise OutOfScope("the derivative of a maximum with base dilation", "leave it out")
    if is_zero(t):
        return [Zero(tangents.aval), None]
    return [pooling.select_and_scatter_add_p.bind(
        t, operand, select_prim=select_prim, window_dimensions=tuple(window_dimensions),
        window_strides=tuple(window_strides), padding=tuple(padding)), None]


def _scatter_transpose(t: Any, source: Any, operand: Any, **p: Any) -> list:
    assert is_unknown(source)
    if is_zero(t):
        return [Zero(source.aval), None]
    ones = (1,) * len(p["window_dimensions"])
    return [pooling.select_and_gather_add_p.bind(t, operand, base_dilation=ones,
                                                 window_dilation=ones, **p), None]


pooling.select_and_gather_add_p.jvp = _linear_in_source(pooling.select_and_gather_add_p)
pooling.select_and_gather_add_p.transpose = _gather_transpose
pooling.select_and_scatter_add_p.jvp = _linear_in_source(pooling.select_and_scatter_add_p)
pooling.select_and_scatter_add_p.transpose = _scatter_transpose

_ONES = {"window_dimensions": 1, "window_strides": 1, "padding": (0, 0), "base_dilation": 1,
         "window_dilation": 1}


@rule("reduce_window_sum", "reduce_window_max", "reduce_window_min")
def _batch_window(primitive: Primitive, axis: Any, vals: list, dims: list, **p: Any) -> tuple:
    (dim,) = dims
    wider = {name: (*v[:dim], _ONES[name], *v[dim:]) for name, v in p.items()}
    return primitive.bind(*vals, **wider), dim


@rule("select_and_gather_add", "select_and_scatter_add")
def _batch_select(primitive: Primitive, axis: Any, vals: list, dims: list, *, select_prim: Any,
                  **p: Any) -> tuple:
    size = size_of(vals, dims)
    vals = [axes.at_front(x, d, size) for x, d in zip(vals, dims)]
    wider = {name: (_ONES[name], *v) for name, v in p.items()}
    return primitive.bind(*vals, select_prim=select_prim, **wider), 0


@lower_fun.rule("select_and_scatter_add")
def _lower_scatter(eqn: Eqn) -> list:
    # On the CPU the padding is made beforehand, and both functions are traced.
    p, dtype = eqn.params, eqn.invars[1].aval.dtype
    select_prim, padding = p["select_prim"], p["padding"]

    def implementation(source: Any, operand: Any) -> Any:
        shape = operand.shape
        identity = (red._lowest if select_prim.name == "ge" else red._highest)(dtype)
        padded = reducing.pad(operand, shapes.full_like(operand, identity, shape=()),
                              [(lo, hi, 0) for lo, hi in padding])
        scalar = ShapedArray((), dtype)
        select = slicing.reduction_jaxpr(lambda x, y: select_prim.bind(x, y), scalar)
        scatter = slicing.reduction_jaxpr(el.add, scalar)
        out = pooling.select_and_scatter_p.bind(
            padded, source, shapes.full_like(operand, 0, shape=()), select_jaxpr=select,
            scatter_jaxpr=scatter)
        stop = [lo + n for (lo, _), n in zip(padding, shape)]
        return slicing.slice(out, [lo for lo, _ in padding], stop)
    return [lower_fun.trace(implementation, *[a.aval for a in eqn.invars],
                            name="<lambda>",
                            said="_select_and_scatter_add_impl(*args)")]


@lower_fun.rule("select_and_gather_add")
def _lower_gather(eqn: Eqn) -> list:
    raise OutOfScope("compiling the forward derivative of a maximum of windows",
                     "take the derivative backwards, with jax.grad")
