"""``jax.vmap``: a function of single elements, on whole arrays.

Nothing is cached here: each call runs the function once, with tracers. What it asks
are the caches of the operations inside.

JAX source: ``jax/_src/api.py: vmap``; ``jax/_src/interpreters/batching.py: batch``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator import process
from simulator.batching import axes, sizes, trace
from simulator.device_arrays.values import abstractify, typeof
from simulator.functions import signature
from simulator.functions.wrapping import wraps
from simulator.trees import keypaths, pytrees
from simulator.trees.tree_errors import flatten_axes

_DOC = ("Vectorized version of {fun}. Takes similar arguments as {fun} but with additional array "
        "axes over which {fun} is mapped.")


def vmap(fun: Callable, in_axes: Any = 0, out_axes: Any = 0, axis_name: Any = None,
         axis_size: int | None = None, spmd_axis_name: Any = None,
         sum_match: bool = False) -> Callable:
    """``jax.vmap``.

    Args:
      in_axes: axis per argument: an int, None for an argument that is not mapped, or
        a tuple of trees of them. out_axes: the same for the results.
      axis_name: for collectives. axis_size: when no argument tells it.
      spmd_axis_name: mesh axes that sharding constraints give the mapped axis.
      sum_match: whether a mapped result wanted unmapped is summed.

    Errors: TypeError for other things than these; ValueError, when called, for
    axes and sizes that do not fit.
    """
    signature.check_callable(fun)
    if spmd_axis_name is not None and not isinstance(spmd_axis_name, tuple):
        spmd_axis_name = (spmd_axis_name,)
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    _check_specs(in_axes, out_axes)

    @wraps(fun, _DOC)
    def vmap_f(*args: Any, **kwargs: Any) -> Any:
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise ValueError(_wrong_length(in_axes, args, kwargs))
        here = process.current()
        leaves, tree = pytrees.tree_flatten((args, kwargs))
        in_dims = flatten_axes(here.registries, "vmap in_axes", tree, (in_axes, 0), kws=True)
        for leaf, dim in zip(leaves, in_dims):
            if dim is not None:
                typeof(leaf)  # TypeError for what is no JAX value
        size = sizes.mapped_axis_size(fun, tree, leaves, in_dims, axis_size)
        mesh_axes = _mesh_axes(leaves, in_dims)
        found: list = []

        def flat(*tracers: Any) -> list:
            call_args, call_kwargs = tree.unflatten(tracers)
            outs, out_tree = pytrees.tree_flatten(fun(*call_args, **call_kwargs))
            found.append(out_tree)
            return outs

        def out_dims() -> list:
            return flatten_axes(here.registries, "vmap out_axes", found[0], out_axes)

        data = trace.AxisData(axis_name, size, mesh_axes, _spmd_names(spmd_axis_name, mesh_axes))
        try:
            outs = trace.batch(flat, data, in_dims, out_dims, sum_match)(*leaves)
        except axes.SpecMatchError as error:
            where = _path(found[0], out_dims(), error.leaf)
            raise ValueError(f"at vmap out_axes{where}, got axis spec {error.dst} but output was "
                             f"batched on axis {error.src}") from None
        return found[0].unflatten(outs)
    return vmap_f


def _check_specs(in_axes: Any, out_axes: Any) -> None:
    if in_axes is not None and type(in_axes) not in (int, tuple):
        raise TypeError("vmap in_axes must be an int, None, or a tuple of entries corresponding to "
                        f"the positional arguments passed to the function, but got {in_axes}.")
    for name, spec in (("in_axes", in_axes), ("out_axes", out_axes)):
        if any(type(leaf) is not int for leaf in pytrees.tree_leaves(spec)):
            raise TypeError(f"vmap {name} must be an int, None, or (nested) container with those "
                            f"types as leaves, but got {spec}.")


def _wrong_length(in_axes: tuple, args: tuple, kwargs: dict) -> str:
    text = ("vmap in_axes must be an int, None, or a tuple of entries corresponding to the "
            f"positional arguments passed to the function, but got {len(in_axes)=}, {len(args)=}.")
    if kwargs:
        text += (f" Note that the function was called with keyword arguments {list(kwargs)}, which "
                 "the entries of a tuple in_axes never correspond to: keyword arguments are always "
                 "mapped along their leading axis (axis 0). If that is the intended mapping, make "
                 "in_axes correspond to the positional arguments only; otherwise pass the "
                 "arguments positionally, or bind unmapped keyword arguments with "
                 "functools.partial before applying vmap.")
    return text


def _mesh_axes(leaves: list, dims: list) -> tuple | None:
    """The Explicit mesh axes along which the mapped axes are cut, the same for all.

    JAX source: ``jax/_src/api.py: _mapped_axis_spec, _check_ema_unmapped_args``.
    """
    mapped = [(abstractify(x), d) for x, d in zip(leaves, dims) if d is not None]
    found = [(a.spec or (None,) * a.ndim)[d] for a, d in mapped]
    for part in found:
        if part != found[0]:
            raise ValueError(
                "Mapped away dimension of inputs passed to vmap should be sharded the same. Got "
                f"inconsistent axis specs: {found[0]} vs {part}")
    if not found or found[0] is None:
        return None
    names = found[0] if isinstance(found[0], tuple) else (found[0],)
    for leaf in (x for x, d in zip(leaves, dims) if d is None):
        aval = abstractify(leaf)
        used = {n for part in aval.spec or () if part
                for n in (part if isinstance(part, tuple) else (part,))}
        if not used.isdisjoint(names):
            raise ValueError(
                "Unmapped values passed to vmap cannot be sharded along the mesh axis you are "
                f"vmapping over. Got type: {aval.str_short(True)}, in_axes: None and vmapped "
                f"mesh axis: {names}")
    return names


def _spmd_names(names: tuple | None, mesh_axes: tuple | None) -> tuple | None:
    if names is None or mesh_axes is None:
        return names
    if names == mesh_axes:
        return None
    raise ValueError(
        "Only one of spmd_axis_name or arrays sharded on `Explicit` mesh axis type is allowed. Got "
        f"spmd_axis_name={names} and arrays sharded on explicit_mesh_axis={mesh_axes}")


def _path(tree: Any, dims: list, number: int) -> str:
    full = tree.unflatten(dims)
    pairs, _ = pytrees.tree_flatten_with_path(full, is_leaf=lambda x: x is None)
    return keypaths.keystr(pairs[number][0])
