"""`jax.pmap`: one element of an axis for each device. It is a jitted `shard_map`.

What it jits is kept per function, in a dict of the library that no station counts. A
`pmap` written out again for the same function finds the jitted function again, so all
six caches answer as if it had been kept; a new lambda starts from nothing.

JAX source: ``jax/_src/pmap.py: pmap, _cached_shard_map, _get_in_axes_flat,
_get_mesh_devices, _mapped_axis_size``; ``jax/_src/linear_util.py: cache``.

Simplified: one host, so there are no arrays that live partly elsewhere.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from simulator import process, traces
from simulator.api import jit
from simulator.errors import OutOfScope
from simulator.facade.jax.lax import shapes
from simulator.functions import signature
from simulator.functions.wrapping import wraps
from simulator.manual import mapping
from simulator.named_tuples import NamedTuple
from simulator.placement.mesh_types import Mesh
from simulator.placement.partition_spec import PartitionSpec
from simulator.placement.sharding_types import NamedSharding
from simulator.stages import Lowered
from simulator.trees import pytrees, tree_errors


class Jitted(NamedTuple):
    """The two jitted functions of one `pmap`: placed by itself at top level, and where
    something is being traced, by the program around."""

    placed: Callable
    plain: Callable


def pmap(fun: Callable, axis_name: Any = None, *, in_axes: Any = 0, out_axes: Any = 0,
         static_broadcasted_argnums: Any = (), devices: Sequence | None = None,
         backend: str | None = None, axis_size: int | None = None, donate_argnums: Any = ()
         ) -> Callable:
    """``jax.pmap``.

    Args:
      in_axes, out_axes: axis per argument and per result, or prefix trees; None is the
        same for all devices.
      static_broadcasted_argnums: positions of arguments that are no arrays.
      devices: which ones; the first ones when left out.

    Errors: TypeError for axes that are no ints; ValueError, when called, for axes and
    sizes that do not fit.
    """
    if devices is not None:
        if not devices:
            raise ValueError("'devices' argument to pmap must be non-empty, or None.")
        devices = tuple(devices)
    if backend not in (None, "cpu"):
        raise OutOfScope("jax.pmap(backend=…)", "leave it out")
    signature.check_callable(fun)
    axis_name = "_internal_pmap_axis_name" if axis_name is None else axis_name
    static = signature.index_tuple(static_broadcasted_argnums)
    donate = _without_statics(signature.index_tuple(donate_argnums), static)
    for name, axes in (("in_axes", in_axes), ("out_axes", out_axes)):
        if any(type(a) is not int for a in pytrees.tree_leaves(axes)):
            raise TypeError(f"pmap {name} must be an int, None, or (nested) container with those "
                            f"types as leaves, but got {axes}.")
    out_leaves, out_tree = pytrees.tree_flatten(out_axes)

    def infer(args: tuple, kwargs: dict) -> tuple[Any, list, Any]:
        statics, dynamic, numbers = _split(fun, args, static)
        leaves, tree = pytrees.tree_flatten((dynamic, kwargs))
        axes = in_axes
        if numbers is not None and isinstance(axes, tuple):
            axes = tuple(axes[i] for i in numbers)
        flat = _flat_axes(axes, dynamic, kwargs, tree)
        size = _mapped_size(leaves, flat)
        if axis_size is not None and axis_size != size:
            raise ValueError(f"Specified axis_size {axis_size} doesn't match received axis_size "
                             f"{size}.")
        here = process.current()
        chosen = (devices or here.devices)[:size]
        donated = _donated(donate, tree, len(leaves))
        jitted = _jitted(fun, numbers, statics, tree, flat, tuple(out_leaves), out_tree, donated,
                         chosen, axis_name)
        return (jitted.placed if traces.is_clean() else jitted.plain), leaves, tree

    @wraps(fun)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        jitted, leaves, _ = infer(args, kwargs)
        return jitted(*leaves)

    def lower(*args: Any, **kwargs: Any) -> Lowered:
        jitted, leaves, tree = infer(args, kwargs)
        lowered = jitted.trace(*leaves).lower()
        # What it is called with is the arguments of `fun`, not their leaves.
        return Lowered(lowered._lowering, lowered._params._replace(in_tree=tree))

    wrapped.lower = lower  # type: ignore[attr-defined]
    return wrapped


def _without_statics(donate: tuple, static: tuple) -> tuple[int, ...]:
    """Positions among the dynamic arguments. ValueError for an argument that is both."""
    both = set(donate) & set(static)
    if both:
        raise ValueError(f"static_argnums={sorted(set(static))} and donate_argnums="
                         f"{sorted(set(donate))} cannot intersect.")
    return tuple(i - sum(s < i for s in static) for i in sorted(set(donate)))


def _split(fun: Callable, args: tuple, static: tuple) -> tuple[tuple, tuple, tuple | None]:
    """(static values, dynamic arguments, their positions or None when none is static)."""
    if not static:
        return (), args, None
    if max(static) >= len(args):
        raise ValueError(
            f"pmapped function has static_broadcasted_argnums={static} but was called with only "
            f"{len(args)} positional argument{'s' if len(args) > 1 else ''}. All static "
            "broadcasted arguments must be passed positionally.")
    numbers = tuple(i for i in range(len(args)) if i not in static)
    statics = []
    for i, arg in enumerate(args):
        if i in numbers:
            continue
        try:
            hash(arg)
        except TypeError:
            raise ValueError(
                "Non-hashable static arguments are not supported, as this can lead to unexpected "
                f"cache-misses. Static argument (index {i}) of type {type(arg)} for function "
                f"{signature.fun_name(fun)} is non-hashable.") from None
        statics.append(signature.TracedStatic(arg))
    return tuple(statics), tuple(args[i] for i in numbers), numbers


def _flat_axes(axes: Any, dynamic: tuple, kwargs: dict, tree: Any) -> tuple:
    """One axis per leaf; keyword arguments are mapped along their first one."""
    if type(axes) is int and (axes == 0 or not kwargs):
        return (axes,) * tree.num_leaves
    registries = process.current().registries
    try:
        return tuple(tree_errors.flatten_axes(registries, "pmap in_axes", tree, (axes, 0)))
    except ValueError:
        error = next(tree_errors.prefix_errors(registries.default, (axes, 0), (dynamic, kwargs)))
        raise ValueError(f"{error('pmap in_axes').args[0]}") from None


def _mapped_size(leaves: list, axes: tuple) -> int:
    for leaf, axis in zip(leaves, axes):
        if axis is not None and hasattr(leaf, "shape"):
            return int(leaf.shape[axis])
    raise ValueError("pmap requires at least one argument with a mapped axis.")


def _donated(donate: tuple, tree: Any, count: int) -> tuple[bool, ...]:
    if donate and not process.current().config.value("jax_debug_nans"):
        return signature.donation_vector(donate, (), tree)
    return (False,) * count


def _jitted(fun: Callable, *key: Any) -> Jitted:
    """The jitted functions for a function and everything around it; held as long as the
    function, which they hold themselves."""
    here = process.current()
    by_function = here.side_caches.setdefault("pmap", weakref.WeakKeyDictionary())
    known = by_function.setdefault(fun, {})
    slot = (*key, here.config.trace_context())
    if slot not in known:
        known[slot] = _make(fun, *key)
    return known[slot]


def _make(fun: Callable, numbers: tuple | None, statics: tuple, in_tree: Any, in_axes: tuple,
          out_leaves: tuple, out_tree: Any, donated: tuple, devices: tuple, axis_name: Any
          ) -> Jitted:
    mesh = Mesh(list(devices), (axis_name,))
    out_axes = out_tree.unflatten(out_leaves)

    def _fun(*flat_args: Any) -> Any:
        parts = [x if a is None else shapes.squeeze(x, [a]) for x, a in zip(flat_args, in_axes)]
        args, kwargs = in_tree.unflatten(parts)
        answer = fun(*_together(args, numbers, statics), **kwargs)
        outs, tree = pytrees.tree_flatten(answer)
        axes = tree_errors.broadcast_prefix(process.current().registries.default, out_axes, answer,
                                            is_leaf=lambda a: a is None)
        return tree.unflatten([x if a is None else shapes.expand_dims(x, [a])
                               for x, a in zip(outs, axes)])

    in_specs = tuple(mapping.by_axes(axis_name, a) for a in in_axes)
    out_specs = mapping.by_axes(axis_name, out_axes)
    mapped = mapping.mapped(_fun, mesh=mesh, in_specs=in_specs, out_specs=out_specs,
                            axis_names=set(mesh.axis_names), check_vma=False)
    donate = [i for i, d in enumerate(donated) if d]
    return Jitted(
        jit(mapped, donate_argnums=donate,
            in_shardings=tuple(NamedSharding(mesh, s) for s in in_specs),
            out_shardings=pytrees.tree_map(
                lambda s: NamedSharding(mesh, s), out_specs,
                is_leaf=lambda s: isinstance(s, PartitionSpec))),
        jit(mapped, donate_argnums=donate))


def _together(args: tuple, numbers: tuple | None, statics: tuple) -> list:
    if numbers is None:
        return list(args)
    fixed, dynamic = iter(statics), iter(args)
    return [next(dynamic) if i in numbers else next(fixed).value
            for i in range(len(args) + len(statics))]
