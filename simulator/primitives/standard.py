"""Primitives made from smaller rules: shape, dtype, weak type, sharding type, and a kernel
on flat lists.

JAX source: jax/_src/lax/utils.py: standard_primitive, standard_abstract_eval.
"""

from __future__ import annotations

from collections.abc import Callable

from simulator.named_tuples import NamedTuple
from simulator.ndarrays.ndarray import NDArray
from simulator.primitives.core import Primitive
from simulator.primitives.result_sharding import check_axes_once, sharding_fields, unsharded
from simulator.types.avals import ShapedArray
from simulator.types.dtype_core import DType


class Spec(NamedTuple):
    """Shape and dtype of an operand or a result, for kernels."""

    shape: tuple[int, ...]
    dtype: DType

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)


def all_weak(*avals, **params) -> bool:
    """Weak only if every operand is."""
    return all(a.weak_type for a in avals)


def never_weak(*avals, **params) -> bool:
    """The rule of results that are never weakly typed."""
    return False


def first_weak(operand, *avals, **params) -> bool:
    """The rule of results as weakly typed as the first operand."""
    return operand.weak_type


def standard(name: str, shape: Callable, dtype: Callable, kernel: Callable, *,
             weak: Callable = all_weak, spec: Callable = unsharded, adopts: bool = False,
             placing: Callable | None = None, print_params: Callable | None = None) -> Primitive:
    """A primitive with one result, from its rules.

    Args:
      shape, dtype: ``(*operands, **params)``; they see avals or arrays and only
        use `shape`, `dtype`, `ndim`. Errors as JAX's.
      kernel: ``(ins, out, *lists, **params) -> list``: operands as `Spec`s, the
        result as a `Spec`, then the operands' flat lists.
      weak, spec: ``(*avals, **params)``: weak type, and one mesh axis or None per
        dimension (only asked for meshes with an explicit axis).
      adopts, placing: see `sharding_fields`.
    """
    def abstract(*avals, **params):
        out_shape = shape(*avals, **params)
        out_dtype = dtype(*avals, **params)
        fields = sharding_fields(name, spec, avals, params, adopts, placing)
        check_axes_once(name, avals, out_shape, out_dtype, fields)
        return ShapedArray(out_shape, out_dtype, weak(*avals, **params), **fields)

    def impl(*values, **params):
        ins = [Spec(v.shape, v.dtype) for v in values]
        out = Spec(tuple(shape(*values, **params)), dtype(*values, **params))
        return NDArray.lazy(out.shape, out.dtype,
                            lambda *lists: kernel(ins, out, *lists, **params), values)

    made = Primitive(name, abstract=abstract, impl=impl, print_params=print_params)
    made.pure = True
    return made


def standard_multi(name: str, shapes: Callable, dtypes: Callable, kernel: Callable, *,
                   weaks: Callable | None = None, specs: Callable | None = None,
                   print_params: Callable | None = None) -> Primitive:
    """A primitive with several results; rules return one entry per result.

    The kernel returns a list of flat lists; it runs once for all results.
    """
    def spec(i):
        return unsharded if specs is None else lambda *avals, **p: specs(*avals, **p)[i]

    def abstract(*avals, **params):
        out_shapes = list(shapes(*avals, **params))
        out_dtypes = list(dtypes(*avals, **params))
        weak = weaks(*avals, **params) if weaks else [all_weak(*avals)] * len(out_shapes)
        return [ShapedArray(s, d, w, **sharding_fields(name, spec(i), avals, params, adopts=False))
                for i, (s, d, w) in enumerate(zip(out_shapes, out_dtypes, weak))]

    def impl(*values, **params):
        ins = [Spec(v.shape, v.dtype) for v in values]
        outs = [Spec(tuple(s), d) for s, d in zip(shapes(*values, **params),
                                                  dtypes(*values, **params))]
        return shared_results(outs, lambda *lists: kernel(ins, outs, *lists, **params), values)

    made = Primitive(name, abstract=abstract, impl=impl, multiple_results=True,
                     print_params=print_params)
    made.pure = True
    return made


def shared_results(outs: list[Spec], compute: Callable, deps) -> list[NDArray]:
    """Lazy results of one computation: `compute(*lists) -> list of lists` runs once."""
    from simulator.ndarrays.cells import Cell
    # The bundle is a cell of one element per result.
    bundle = Cell(len(outs), fn=compute, deps=[d.cell for d in deps])
    return [NDArray(o.shape, o.dtype, Cell(_size(o.shape), fn=_picker(i), deps=[bundle]))
            for i, o in enumerate(outs)]


def _picker(i: int) -> Callable:
    return lambda results: results[i]


def _size(shape) -> int:
    n = 1
    for d in shape:
        n *= d
    return n
