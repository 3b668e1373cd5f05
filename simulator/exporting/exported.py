"""``jax.export.export`` and what it returns.

An `Exported` is a lowered program without the Python function. Called, it is one
operation, ``call_exported``: the function around it is traced, lowered and compiled like
any other, for every size anew.

JAX source: ``jax/_src/export/_export.py: export, Exported, call, call_exported_p,
_call_exported_abstract_eval``.

Simplified: there are no bytes of it, and no derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import process
from simulator.autodiff.custom_vjp import custom_vjp
from simulator.errors import OutOfScope
from simulator.exporting.dimensions import Dimension, refused, symbols_in
from simulator.exporting.specialize import specialize
from simulator.jaxprs import evaluate, lower_fun
from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.primitives.core import Primitive
from simulator.running import uncovered
from simulator.trees.keypaths import keystr


class Exported:
    """A lowered function.

    Args:
      fun_name: of the function. jaxpr: what was lowered. in_tree, out_tree: structures.
      kept: positions of the arguments that it uses.
    """

    calling_convention_version = 10
    nr_devices = 1
    ordered_effects = unordered_effects = disabled_safety_checks = ()

    __getattr__ = uncovered.refusing(
        "Exported", "in_shardings_hlo in_shardings_jax mlir_module mlir_module_serialized "
        "out_shardings_hlo out_shardings_jax serialize uses_global_constants vjp")

    def __init__(self, fun_name: str, jaxpr: Jaxpr, in_tree: Any, out_tree: Any,
                 kept: Sequence[int], platforms: tuple[str, ...]):
        self.fun_name, self.in_tree, self.out_tree = fun_name, in_tree, out_tree
        self._jaxpr, self.platforms = jaxpr, platforms
        self.in_avals, self.out_avals = tuple(jaxpr.in_avals), tuple(jaxpr.out_avals)
        self.module_kept_var_idx = tuple(kept)

    def __str__(self) -> str:
        return f"Exported(fun_name={self.fun_name}, ...)"

    __repr__ = __str__

    def has_vjp(self) -> bool:
        """Whether it can be differentiated: not followed here, but true."""
        return True

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Call it, like any function.

        Errors: ValueError for arguments that do not fit.
        """
        return _called(self, args, kwargs)


def export(fun_jit: Any, *, platforms: Sequence[str] | None = None,
           disabled_checks: Sequence = ()) -> Callable[..., Exported]:
    """``jax.export.export``: trace and lower, for types that may have symbols as sizes.

    Errors: ValueError for a function that is not jitted; OutOfScope for other platforms.
    """
    from simulator.api import PjitFunction
    if not isinstance(fun_jit, PjitFunction):
        raise ValueError(f"Function to be exported must be the result of `jit` but is: {fun_jit}")
    chosen = ("cpu",) if platforms is None else tuple(platforms)
    if chosen != ("cpu",):
        raise OutOfScope("jax.export.export(platforms=…)", "leave the option out: there is a CPU")
    if disabled_checks:
        raise OutOfScope("jax.export.export(disabled_checks=…)", "leave the option out")

    def do_export(*args_specs: Any, **kwargs_specs: Any) -> Exported:
        traced = fun_jit.trace(*args_specs, **kwargs_specs)
        lowered = traced._lower(chosen, for_export=True)
        computation = lowered._lowering
        jaxpr = traced.jaxpr
        if computation.module.num_devices > 1 or jaxpr.effects:
            raise OutOfScope("jax.export of a program for several devices, or with effects",
                             "export a plain function")
        _dimensions(jaxpr)
        return Exported(traced.fun_name, jaxpr, traced.in_tree, traced.out_tree,
                        sorted(computation.kept), chosen)
    return do_export


def _dimensions(jaxpr: Jaxpr) -> None:
    # With symbols, the export gets a function around it that finds out what they are.
    if symbols_in(a.shape for a in jaxpr.in_avals):
        lower_fun.trace(lambda *args: (), *jaxpr.in_avals,
                        name="compute_dim_vars_from_arg_shapes",
                        said="compute_dim_vars_from_arg_shapes(*actual_args)")


# --- calling -------------------------------------------------------------------

def _called(exported: Exported, args: tuple, kwargs: dict) -> Any:
    def f_flat(*args_flat: Any) -> list:
        return call_exported_p.bind(*args_flat, exported=exported)

    def f_flat_vjp_fwd(*args_flat: Any) -> tuple:
        return f_flat(*args_flat), args_flat

    def f_flat_vjp_bwd(residual: Any, cotangents: Any) -> Any:
        raise OutOfScope("the derivative of an Exported", "differentiate before exporting")

    ruled = custom_vjp(f_flat)
    ruled.defvjp(f_flat_vjp_fwd, f_flat_vjp_bwd)
    flat, tree = process.current().registries.tracing.flatten((args, kwargs))
    if tree != exported.in_tree:
        raise ValueError("The invocation args and kwargs must have the same pytree structure as "
                         f"when the function '{exported.fun_name}' was exported, but they have the "
                         "following structural differences:\n")
    return exported.out_tree.unflatten(ruled(*flat))


def _sizes(exported: Exported, shapes: Sequence[tuple]) -> dict[str, int]:
    """The numbers of the symbols. OutOfScope for equations that have to be solved."""
    found: dict[str, int] = {}
    first: dict[str, str] = {}
    known = [(size, n, i, d) for i, (aval, shape) in enumerate(zip(exported.in_avals, shapes))
             for d, (size, n) in enumerate(zip(aval.shape, shape)) if isinstance(size, Dimension)]
    for size, n, i, d in known:
        name = str(size)
        if name in size.symbols and name not in found:
            found[name] = n
            first[name] = (f"'{name}' = {n} from specification '{name}' for dimension "
                           f"{_described(exported, i)}.shape[{d}] (= {n})")
    for size, n, i, d in known:
        if not size.symbols <= set(found):
            raise refused(f"a call that does not tell what {size} is")
        if size.value(found) != n:
            specs = ",".join(f"{_described(exported, k)}.shape = {a.shape}"
                             for k, a in enumerate(exported.in_avals) if symbols_in([a.shape]))
            raise ValueError(
                "Input shapes do not match the polymorphic shapes specification. Found "
                f"inconsistency between dimension size {_described(exported, i)}.shape[{d}] (= "
                f"{n}) and the specification '{size}' (= {size.value(found)}). Using the following "
                f"polymorphic shapes specifications: {specs}. Obtained dimension variables: "
                f"{', '.join(first.values())}, .")
    return found


def _abstract(*avals: Any, exported: Exported) -> list:
    for i, (wanted, given) in enumerate(zip(exported.in_avals, avals)):
        where = _described(exported, i)
        if wanted.ndim != given.ndim:
            raise ValueError(f"Rank mismatch for {where}: expected {wanted.shape} and called with "
                             f"{given.shape}")
        if wanted.dtype is not given.dtype:
            raise ValueError(f"Dtype mismatch for {where}: expected {wanted.dtype} and called with "
                             f"{given.dtype}")
        for d, (size, n) in enumerate(zip(wanted.shape, given.shape)):
            if not isinstance(size, Dimension) and size != n:
                raise ValueError(f"Shape mismatch for {where}.shape[{d}] (expected same constant): "
                                 f"expected {wanted.shape} and called with {given.shape}")
    sizes = _sizes(exported, [a.shape for a in avals])
    return [a.update(shape=tuple(n.value(sizes) if isinstance(n, Dimension) else n
                                 for n in a.shape)) for a in exported.out_avals]


def _described(exported: Exported, i: int) -> str:
    tree = exported.in_tree
    paths = process.current().registries.default.flatten(
        tree.unflatten(range(tree.num_leaves)), with_path=True)[0]
    first, *rest = paths[i][0]
    return ("args", "kwargs")[first.idx] + keystr(tuple(rest))


def _impl(*values: Any, exported: Exported) -> list:
    sizes = _sizes(exported, [v.shape for v in values])
    return evaluate.run(specialize(exported._jaxpr, sizes), values)


call_exported_p = Primitive("call_exported", abstract=_abstract, impl=_impl,
                            multiple_results=True)


# --- lowering with symbols -----------------------------------------------------

_PLAIN = frozenset("""
    abs add and atan2 convert_element_type copy cos div eq exp floor ge gt integer_pow le log lt max
    min mul ne neg not or pow rem rsqrt select_n sign sin sqrt square stop_gradient sub tanh xor
    reduce_sum reduce_max reduce_min dot_general transpose""".split())


def evaluate_shapes(eqn: Eqn) -> None:
    """The lookups of lowering an equation whose result has symbols as sizes.

    Errors: OutOfScope for operations that are not followed.
    """
    name, shape = eqn.primitive.name, eqn.outvars[0].aval.shape
    if name == "broadcast_in_dim":
        count = 1
    elif name in _PLAIN:
        # A scalar beside an array is broadcast.
        reduces = name.startswith("reduce") or name in ("dot_general", "transpose")
        count = 0 if reduces else sum(a.aval.shape != shape for a in eqn.invars)
    else:
        raise refused(f"{name} with symbols as sizes")
    symbols = sorted(symbols_in([shape]))
    for _ in range(count):
        from simulator.device_arrays.values import scalar_aval
        lower_fun.trace(lambda *sizes: sizes, *[scalar_aval(1)] * len(symbols),
                        name="evaluate_shape", said="evaluate_shape(*dim_values)")


