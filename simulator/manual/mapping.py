"""`jax.shard_map`: call a function once per device of a mesh, each with its part.

Nothing is cached here. Under `jax.jit` each call traces the function anew, as a part of
the jitted function around it; outside, it is run operation by operation
(`simulator.manual.eager`).

JAX source: ``jax/_src/shard_map.py: shard_map, _shard_map, smap``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.device_arrays.values import abstractify
from simulator.functions import signature
from simulator.functions.wrapping import wraps
from simulator.manual import specs, types
from simulator.manual.primitive import Results, shard_map_p
from simulator.manual.specs import Infer
from simulator.manual.varying import pvary
from simulator.placement.partition_spec import PartitionSpec
from simulator.trees import pytrees


def shard_map(f: Any = None, /, *, out_specs: Any, in_specs: Any = Infer, mesh: Any = None,
              axis_names: Any = frozenset(), check_vma: bool = True) -> Callable:
    """``jax.shard_map``; without `f` it returns a decorator.

    Args:
      in_specs, out_specs: a `PartitionSpec` per argument and result, or prefix trees of them.
      mesh: the mesh in context when left out.
      axis_names: the axes that `f` is written for; all when empty.
      check_vma: whether types say over which axes values vary, and results are checked.

    Errors: TypeError when `f` is not callable; when called, ValueError and TypeError for
    specs that do not fit.
    """
    options = dict(mesh=mesh, in_specs=in_specs, out_specs=out_specs, axis_names=axis_names,
                   check_vma=check_vma)
    if f is None:
        return lambda g: mapped(g, **options)
    return mapped(f, **options)


def smap(f: Any = None, /, *, in_axes: Any = Infer, out_axes: Any, axis_name: Any) -> Callable:
    """``jax.smap``: `shard_map` over one axis of the mesh in context, told by numbers.

    Errors: TypeError for axes that are no ints.
    """
    if f is None:
        return lambda g: smap(g, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name)
    if isinstance(axis_name, (list, tuple)):
        raise TypeError(f"smap axis_name should be a `str` or a `Hashable`, but got {axis_name}")
    if in_axes is not None and in_axes is not Infer and not isinstance(in_axes, (int, tuple)):
        raise TypeError("smap in_axes must be an int, None, jax.sharding.Infer, or a tuple of "
                        "entries corresponding to the positional arguments passed to the "
                        f"function, but got {in_axes}.")
    for name, kinds, axes in (("in_axes", "jax.sharding.Infer, ", in_axes), ("out_axes", "", out_axes)):
        if axes is not Infer and not all(isinstance(a, int) for a in pytrees.tree_leaves(axes)):
            raise TypeError(f"smap {name} must be an int, None, {kinds}or (nested) container with "
                            f"those types as leaves, but got {axes}.")
    return mapped(f, mesh=None, in_specs=Infer if in_axes is Infer else by_axes(axis_name, in_axes),
                  out_specs=by_axes(axis_name, out_axes), axis_names={axis_name}, check_vma=True,
                  smap=True)


def by_axes(axis_name: Any, axes: Any) -> Any:
    """A tree of axis numbers as a tree of specs."""
    return pytrees.tree_map(
        lambda a: PartitionSpec() if a is None else PartitionSpec(*[None] * a, axis_name), axes,
        is_leaf=lambda a: a is None)


def mapped(f: Callable, *, mesh: Any, in_specs: Any, out_specs: Any, axis_names: Any,
           check_vma: bool, smap: bool = False) -> Callable:
    """What `shard_map` returns. TypeError when `f` is not callable."""
    if not callable(f):
        raise TypeError("shard_map requires a callable for its first argument, but got "
                        f"{f} of type {type(f)}.")

    @wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        nonlocal mesh, axis_names
        if kwargs:
            raise TypeError("_shard_map.<locals>.wrapped() got an unexpected keyword argument "
                            f"{next(iter(kwargs))!r}")
        # The first call decides: a mesh taken from the context stays.
        mesh, axis_names = specs.checked(mesh, axis_names, in_specs, out_specs, smap)
        info = signature.debug_info("shard_map", f, args, {})
        leaves, in_tree = pytrees.tree_flatten(args)
        flat = specs.broadcast("in", in_specs, args, is_leaf=lambda s: s is None)
        if in_specs is Infer and specs.explicit(mesh, axis_names):
            flat = [specs.of_type(axis_names, abstractify(x)) for x in leaves]
        dynamic = [s is not None for s in flat]
        dyn_args = [x for x, d in zip(leaves, dynamic) if d]
        dyn_specs = tuple(s for s in flat if s is not None)
        avals = [abstractify(x) for x in dyn_args]
        shown = iter(avals)
        types_of = [next(shown) if d else None for d in dynamic]
        specs.check_arguments(f, mesh, args, flat, types_of)
        if specs.free_axes(mesh) == axis_names and specs.explicit(mesh, axis_names):
            specs.check_inferred(dyn_specs, avals)
        if info.arg_names is not None and len(dyn_args) != len(info.arg_names):
            info = info._replace(arg_names=None, result_paths=None)
        found: list = []

        def f_wrapped(*dyn: Any) -> Results:
            rest = iter(dyn)
            answer = f(*in_tree.unflatten([next(rest) if d else x
                                           for x, d in zip(leaves, dynamic)]))
            outs, out_tree = pytrees.tree_flatten(answer)
            out_flat = specs.broadcast("out", out_specs, answer)
            found[:] = [out_tree, out_flat]
            if check_vma:
                outs = [pvary(x, types.spec_axes(s) - abstractify(x).varying)
                        for x, s in zip(outs, out_flat)]
            return Results(outs, tuple(out_flat))

        try:
            outs = shard_map_p.bind(
                *dyn_args, fun=f_wrapped, mesh=mesh, in_specs=dyn_specs, check_vma=check_vma,
                newly_manual_axes=axis_names - set(mesh.manual_axes), debug_info=info)
        except specs.SpecError as error:
            raise ValueError(specs.rank_error("out", f, *_results(found), *error.args)) from None
        except specs.VaryingError as error:
            raise ValueError(specs.varying_error(f, mesh, *_results(found), *error.args)) from None
        return found[0].unflatten(outs)
    return wrapped


def _results(found: list) -> tuple:
    out_tree, flat = found
    return out_tree.unflatten([0] * len(flat)), flat
