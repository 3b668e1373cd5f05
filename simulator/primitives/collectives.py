"""Operations across the elements of a named axis.

They have types, and no numbers of their own while an axis has a name: `jax.vmap`
turns them into ordinary operations, and inside `jax.shard_map` the numbers of all
devices are needed (`simulator.manual.exchange`). What is left of `psum` under `jax.vmap`
is a reduction over positions.

Where a type says over which mesh axes its value varies, most collectives want a value
that varies over theirs. `psum`, `pmax` and `pmin` give one that does not any more; `psum`
is called `psum_invariant` then. `pvary` only changes what the type says.

JAX source: jax/_src/lax/parallel.py: _allreduce_effectful_abstract_eval,
_psum_invariant_abstract_eval, _pvary_abstract_eval, collective_vma_rule,
_raise_to_shaped_abstract_eval, _all_gather_effectful_abstract_eval,
_all_gather_invariant_effectful_abstract_eval,
_all_to_all_effectful_abstract_eval, _reduce_scatter_effectful_abstract_eval,
_axis_index_effectful_abstract_eval.
"""

from __future__ import annotations

import math

from simulator.configuration.axis_env import AxisEnv, NamedAxisEffect
from simulator.primitives.ambient import context_mesh, state
from simulator.primitives.core import Primitive
from simulator.primitives.reductions import reduce_max_p, reduce_min_p, reduce_sum_p
from simulator.types import dtypes
from simulator.types.avals import ShapedArray


def axis_env() -> AxisEnv:
    """The named axes in scope."""
    return state("axis_env_state", AxisEnv())


def as_names(axis_name) -> tuple:
    """The axis names as a tuple, also when one was given alone."""
    return tuple(axis_name) if isinstance(axis_name, (tuple, list)) else (axis_name,)


def check_bound(axes, api_name: str) -> None:
    """NameError for a name that is no axis in scope; positions pass."""
    for name in axes:
        if not isinstance(name, int) and not axis_env().axis_exists(name):
            raise NameError(f"Found an unbound axis name: {name}. To fix this, please call "
                            f"{api_name} under `jax.shard_map`.")


def varies() -> bool:
    """Whether types say over which mesh axes their values vary."""
    return bool(state("check_vma", False))


def _check_varies(name: str, axes, aval: ShapedArray) -> None:
    if varies() and any(a not in aval.varying for a in axes):
        raise ValueError(
            f"Collective {name} must be applied to a device-varying  type, but got {aval.varying} "
            f"for collective acting over axis name {axes}. Please open an issue at "
            "https://github.com/jax-ml/jax/issues and as a temporary workaround pass the "
            "check_vma=False argument to `jax.shard_map`")


def _invariant(aval: ShapedArray, axes) -> ShapedArray:
    if not set(axes) & aval.varying:
        raise ValueError(
            "psum is a variant->invariant collective. This means that the axis names mentioned in "
            "`axes` passed to `psum` must be present in `jax.typeof(inp).mat.varying`. Got "
            f"axes={axes} and jax.typeof(inp).mat.varying={aval.varying}")
    return aval.update(varying=aval.varying - set(axes))


def _reshaped(aval: ShapedArray, shape: list) -> ShapedArray:
    return aval.update(shape=tuple(shape), spec=aval.spec if any(aval.spec) else ())


def _effects(names) -> frozenset:
    return frozenset(NamedAxisEffect(n) for n in names if not isinstance(n, int))


def _of_axis(params) -> frozenset:
    return _effects(as_names(params["axis_name"]))


def _outside(name: str):
    def impl(*values, **params):
        raise AssertionError(f"{name} has no numbers outside a mapped function")
    return impl


def _all_reduce(name: str, reduction: Primitive) -> Primitive:
    def abstract(x, *, axes, axis_index_groups):
        check_bound(axes, "psum")
        if name != "psum" and varies():
            return _invariant(x, axes)
        positions = tuple(a for a in axes if isinstance(a, int))
        kept = reduction.abstract(x, axes=positions, out_sharding=None)
        return kept.update(weak_type=False)

    def impl(x, *, axes, axis_index_groups):
        return reduction.impl(x, axes=axes, out_sharding=None)

    primitive = Primitive(name, abstract=abstract, impl=impl,
                          effects=lambda params: _effects(params["axes"]))
    primitive.lowered = lambda params: (reduction.name, {
        "axes": params["axes"], "axis_index_groups": params.get("axis_index_groups")})
    return primitive


psum_p = _all_reduce("psum", reduce_sum_p)
pmax_p = _all_reduce("pmax", reduce_max_p)
pmin_p = _all_reduce("pmin", reduce_min_p)


def _psum_invariant(x, *, axes):
    check_bound(axes, "psum")
    return _invariant(x, axes)


def _pvary(x, *, axes):
    check_bound(axes, "pvary")
    if set(axes) & x.varying:
        raise ValueError(
            "pvary is a invariant->variant collective. This means that the axis names mentioned in "
            "`axes` passed to `pvary` must not be present in `jax.typeof(inp).mat.varying`. Got "
            f"axes={axes} and jax.typeof(inp)={x}")
    return x.update(mesh=context_mesh(), varying=x.varying | set(axes))


psum_invariant_p = Primitive("psum_invariant", abstract=_psum_invariant,
                             impl=_outside("psum_invariant"),
                             effects=lambda params: _effects(params["axes"]))
psum_invariant_p.lowered = psum_p.lowered
pvary_p = Primitive("pvary", abstract=_pvary, impl=lambda x, *, axes: x)


def _pvary_outside(x, *, axes):
    raise ValueError("pvary should be called under jax.shard_map.")


pvary_p.eager = _pvary_outside


def _same(name: str) -> Primitive:
    def abstract(x, *, axis_name, **params):
        check_bound(as_names(axis_name), "ppermute")
        if name == "ppermute":
            _check_varies(name, as_names(axis_name), x)
        return x
    # JAX gives these two no effect.
    return Primitive(name, abstract=abstract, impl=_outside(name))


ppermute_p = _same("ppermute")
pbroadcast_p = _same("pbroadcast")


def _gathered(x, *, all_gather_dimension, axis_name, axis_index_groups, axis_size, tiled):
    check_bound(as_names(axis_name), "all_gather")
    _check_varies("all_gather", as_names(axis_name), x)
    return _gathered_type(x, all_gather_dimension, axis_size, tiled)


def _gathered_type(x, all_gather_dimension, axis_size, tiled):
    shape = list(x.shape)
    if tiled:
        shape[all_gather_dimension] *= axis_size
    else:
        shape.insert(all_gather_dimension, axis_size)
    return _reshaped(x, shape)


def _gathered_invariant(x, *, all_gather_dimension, axis_name, axis_size, tiled):
    check_bound(as_names(axis_name), "all_gather_invariant")
    kept = x.update(varying=x.varying - set(as_names(axis_name)))
    return _gathered_type(kept, all_gather_dimension, axis_size, tiled)


all_gather_invariant_p = Primitive("all_gather_invariant", abstract=_gathered_invariant,
                                   impl=_outside("all_gather_invariant"), effects=_of_axis)
all_gather_p = Primitive("all_gather", abstract=_gathered, impl=_outside("all_gather"),
                         effects=_of_axis)


def _exchanged(x, *, axis_name, split_axis, concat_axis, axis_index_groups, tiled):
    names = as_names(axis_name)
    check_bound(names, "all_to_all")
    _check_varies("all_to_all", names, x)
    size = (math.prod(axis_env().axis_size(n) for n in names) if axis_index_groups is None
            else len(axis_index_groups[0]))
    shape = list(x.shape)
    shape[split_axis] //= size
    shape[concat_axis] *= size
    return x.update(shape=tuple(shape), weak_type=False)


all_to_all_p = Primitive("all_to_all", abstract=_exchanged, impl=_outside("all_to_all"),
                         effects=_of_axis)


def _scattered(x, *, axis_name, scatter_dimension, axis_index_groups, axis_size, tiled):
    check_bound(as_names(axis_name), "reduce_scatter")
    _check_varies("reduce_scatter", as_names(axis_name), x)
    shape = list(x.shape)
    size = shape[scatter_dimension]
    if tiled:
        if size % axis_size:
            raise ValueError(f"tiled reduce_scatter operand scatter dimension size {size} must be "
                             f"divisible by shard_count {axis_size}")
        shape[scatter_dimension] = size // axis_size
    else:
        if size != axis_size:
            raise ValueError(f"reduce_scatter operand scatter dimension size {size} must match "
                             f"shard count {axis_size}")
        del shape[scatter_dimension]
    return _reshaped(x, shape)


reduce_scatter_p = Primitive("reduce_scatter", abstract=_scattered,
                             impl=_outside("reduce_scatter"), effects=_of_axis)


def _index(*, axis_name):
    check_bound(as_names(axis_name), "axis_index")
    mesh = context_mesh()
    varying = frozenset(as_names(axis_name)) if varies() and mesh is not None \
        and mesh._any_axis_manual else frozenset()
    return ShapedArray((), dtypes.int32, mesh=mesh, spec=None if mesh is None else (),
                       varying=varying)


axis_index_p = Primitive("axis_index", abstract=_index, impl=_outside("axis_index"),
                         effects=lambda params: _effects((params["axis_name"],)))
