"""The primitives of references.

They have no numbers of their own: before a program is lowered, `discharge` turns
them into ordinary operations on arrays.

JAX source: ``jax/_src/core.py: ref_p, freeze_p``;
``jax/_src/state/primitives.py: get_p, swap_p, addupdate_p``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator import dispatch
from simulator.device_arrays.values import abstractify
from simulator.primitives.core import Primitive
from simulator.references.ref_types import INTERNAL, AbstractRef, RefEffect, is_ref


def _no_numbers(*values: Any, **params: Any) -> Any:
    raise AssertionError("references are discharged before anything runs")


def _primitive(name: str, abstract: Callable, effect: Any, several: bool = False) -> Primitive:
    primitive = Primitive(name, abstract=abstract, impl=_no_numbers, multiple_results=several)

    def stage(trace: Any, tracers: list, params: dict) -> Any:
        out = abstract(*[t.aval for t in tracers], **params)
        effects = frozenset({RefEffect(effect, tracers[0].atom) if isinstance(effect, str)
                             else effect})
        outs = trace.emit(primitive, tracers, out if several else [out], params, effects)
        return outs if several else outs[0]

    primitive.staging_rule = stage
    return primitive


def _new_ref(aval: Any, **params: Any) -> AbstractRef:
    return AbstractRef(aval)


def _freeze(ref: Any) -> Any:
    return ref.inner


def _part(ref: AbstractRef, tree: Any) -> Any:
    index = tree.index
    return ref.inner if index is None else ref.inner.update(shape=index.result_shape)


def _get(ref: Any, *integers: Any, tree: Any) -> Any:
    if not is_ref(ref):
        raise ValueError(f"`get` must be called on `Ref` types: {ref}.")
    return _part(ref, tree)


def _wrong_shape(name: str, ref: Any, wanted: Any, value: Any, integers: tuple,
                 tree: Any) -> ValueError:
    where = "()" if tree.index is None else tree.index.described(list(integers))
    return ValueError(f"Invalid shape for `{name}`. Ref shape: {ref.shape}. Expected shape: "
                      f"{wanted.shape}. Value shape: {value.shape}. Transforms: {where}. ")


def _swap(ref: Any, value: Any, *integers: Any, tree: Any) -> Any:
    if is_ref(value):
        raise ValueError("Cannot store a Ref into another Ref. Did you forget to load from it "
                         "using `[...]`?")
    wanted = _part(ref, tree)
    if wanted.shape != value.shape:
        raise _wrong_shape("swap", ref, wanted, value, integers, tree)
    if wanted.dtype is not value.dtype:
        raise ValueError(f"Invalid dtype for `swap`. Ref dtype: {wanted.dtype}. Value dtype: "
                         f"{value.dtype}. ")
    return wanted


def _addupdate(ref: Any, value: Any, *integers: Any, tree: Any) -> list:
    wanted = _part(ref, tree)
    if wanted.shape != value.shape:
        raise _wrong_shape("addupdate", ref, wanted, value, integers, tree)
    if wanted.dtype is not value.dtype:
        raise ValueError(f"Invalid dtype for `addupdate`. Ref dtype: {ref.dtype}. Value shape: "
                         f"{value.dtype}. ")
    return []


new_ref_p = _primitive("new_ref", _new_ref, INTERNAL)
freeze_p = _primitive("freeze", _freeze, INTERNAL)
get_p = _primitive("get", _get, "Read")
swap_p = _primitive("swap", _swap, "Write")
addupdate_p = _primitive("addupdate", _addupdate, "Accum", several=True)

def _make(init_val: Any, **params: Any) -> Any:
    from simulator.facade.jax.numpy.constructors import copied
    from simulator.references.ref import Ref
    return Ref(AbstractRef(abstractify(init_val)), copied(init_val))


new_ref_p.eager = _make
freeze_p.eager = lambda ref: dispatch.bind(get_p, (ref,), {"tree": _everything()})


def _everything() -> Any:
    from simulator.references.ref_index import Transforms
    return Transforms(None)


# --- how a jaxpr shows them -------------------------------------------------------

def _place(eqn: Any, integers: list, atom: Callable) -> str:
    index = eqn.params["tree"].index
    where = "[...]" if index is None else index.text([atom(i, False) for i in integers])
    return atom(eqn.invars[0], True) + where


def _show_get(eqn: Any, results: Any, atom: Callable) -> list:
    return [results, " <- ", _place(eqn, eqn.invars[1:], atom)]


def _show_swap(eqn: Any, results: Any, atom: Callable) -> list:
    place, value = _place(eqn, eqn.invars[2:], atom), atom(eqn.invars[1], True)
    if atom(eqn.outvars[0], True) == "_":
        return [place, " <- ", value]
    return [results, ", ", place, " <- ", place, ", ", value]


def _show_addupdate(eqn: Any, results: Any, atom: Callable) -> list:
    return [_place(eqn, eqn.invars[2:], atom), " += ", atom(eqn.invars[1], True)]


get_p.shown_eqn, swap_p.shown_eqn = _show_get, _show_swap
addupdate_p.shown_eqn = _show_addupdate
