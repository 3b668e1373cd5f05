"""Ahead of time: ``Traced``, ``Lowered``, ``Compiled``.

These stop on the way that a call goes in one breath. They share the caches of
the call below the fast path; a `Compiled` has a fast path of its own, never
traces and never recompiles.

JAX source: ``jax/_src/stages.py``; ``jax/_src/interpreters/pxla.py:
MeshExecutable.create_cpp_call``.
"""

from __future__ import annotations

from typing import Any

from simulator import fast_path, jit_call, lowering, process, traces
from simulator.device_arrays.arrays import ShapeDtypeStruct
from simulator.device_arrays.values import abstractify, shaped_abstractify
from simulator.errors import OutOfScope
from simulator.executable import Executable, MeshComputation
from simulator.jaxprs import evaluate
from simulator.jaxprs.module import Module
from simulator.jaxprs.tracer import Tracer
from simulator.params import JitParams
from simulator.placement import shardings
from simulator.placement.shardings import UNSPECIFIED
from simulator.references.ref_types import NOTHING
from simulator.running import outermost, uncovered
from simulator.trees.keypaths import keystr


class Stage:
    """What all stages know of the arguments.

    Args:
      params: what the params cache holds.
    """

    def __init__(self, params: JitParams):
        self._params = params

    @property
    def in_tree(self) -> Any:
        """Structure of the arguments, ``(args, kwargs)``."""
        return self._params.in_tree

    @property
    def out_tree(self) -> Any:
        """Structure of the results."""
        return self._params.out_tree

    @property
    def in_avals(self) -> Any:
        """Types of the arguments, in their structure."""
        return self._params.in_tree.unflatten(self._params.in_avals)

    def _arg_infos(self) -> Any:
        from simulator.functions.arg_info import ArgInfo
        donated = self._params.params["donated_invars"][len(self._params.consts):]
        return self._params.in_tree.unflatten(
            [ArgInfo(*pair) for pair in zip(self._params.in_avals, donated)])

    @property
    def donate_argnums(self) -> tuple[int, ...]:
        """Positions of donated arguments among the leaves."""
        donated = self._params.params["donated_invars"][len(self._params.consts):]
        return tuple(i for i, taken in enumerate(donated) if taken)


class Traced(Stage):
    """A traced function with its argument types.

    Args:
      params: what the params cache holds. flat: the flat arguments (types would
        do; JAX keeps types only).
    """

    def __init__(self, params: JitParams, flat: list):
        super().__init__(params)
        self._flat = [_type_of(a) for a in flat]

    @property
    def args_info(self) -> Any:
        """An `ArgInfo` per argument."""
        return self._arg_infos()

    @property
    def jaxpr(self) -> Any:
        """The program."""
        return self._params.params["jaxpr"]

    def jaxpr_with_consts(self) -> Any:
        """The jaxpr with captured tracers as constants again."""
        count = len(self._params.consts)
        jaxpr = self.jaxpr
        if not count:
            return jaxpr
        return jaxpr.replace(constvars=jaxpr.invars[:count], consts=self._params.consts,
                             invars=jaxpr.invars[count:])

    @property
    def fun_name(self) -> str:
        """The function's name."""
        return self._params.params["name"]

    @property
    def out_avals(self) -> Any:
        """Types of the results, in their structure."""
        return self._params.out_tree.unflatten(self.jaxpr.out_avals)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """OutOfScope: a call evaluates the jaxpr, operation by operation."""
        raise OutOfScope("calling a jax.stages.Traced", "call the jitted function")

    __getattr__ = uncovered.refusing("Traced", "closure_convert lojax with_consts_as_arg")

    @property
    def out_info(self) -> Any:
        """A `ShapeDtypeStruct` per result."""
        out = [ShapeDtypeStruct(a.shape, a.dtype, weak_type=a.weak_type,
                                sharding=None if s is UNSPECIFIED else s)
               for a, s in zip(self.jaxpr.out_avals, self._params.params["out_shardings"])]
        return self._params.out_tree.unflatten(out)

    def lower(self, *, lowering_platforms: Any = None) -> Lowered:
        """Go on to lowering; asks `lower` and, on a miss, `hlo`."""
        if lowering_platforms is not None and tuple(lowering_platforms) != ("cpu",):
            raise OutOfScope("lower(lowering_platforms=…)", "leave it out: there is a CPU")
        return self._lower(lowering_platforms)

    @outermost.candidate
    def _lower(self, platforms: tuple | None, for_export: bool = False) -> Lowered:
        try:
            return Lowered(
                lowering.lower(self._flat, self._params.params, platforms, for_export),
                self._params)
        except shardings.DeviceMismatch as mismatch:
            raise lowering.mismatch_error(
                self.fun_name, mismatch, self._flat, self._params) from None


def _type_of(value: Any) -> Any:
    # What lowering needs of an argument: its type, place and commitment.
    aval = shaped_abstractify(value)
    sharding = getattr(value, "sharding", None)
    if isinstance(value, Tracer) or sharding is None or not getattr(value, "_committed", True):
        return ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=aval.weak_type)
    return ShapeDtypeStruct(aval.shape, aval.dtype, sharding=sharding, weak_type=aval.weak_type)


class Lowered(Stage):
    """A lowered function.

    `args_info`: an `ArgInfo` per argument. It is made once and then kept, so a class
    that takes nothing but arrays raises here.
    """

    def __init__(self, computation: MeshComputation, params: JitParams):
        super().__init__(params)
        self._lowering = computation
        self.args_info = self._arg_infos()

    @property
    def out_info(self) -> Any:
        """A `ShapeDtypeStruct` per result."""
        outs = zip(self._lowering.module.out_avals, self._lowering.out_shardings)
        return self.out_tree.unflatten(
            [ShapeDtypeStruct(a.shape, a.dtype, sharding=None if s is UNSPECIFIED else s)
             for a, s in outs])

    __getattr__ = uncovered.refusing("Lowered", "compiler_ir")

    @outermost.candidate
    def compile(self, compiler_options: dict | None = None) -> Compiled:
        """Go on to an executable: the memo, unless options are given."""
        return Compiled(self._lowering.compile(compiler_options), self._params,
                        self._lowering.module, self.args_info)

    def as_text(self, dialect: str | None = None, *, debug_info: bool = False) -> str:
        """The program as StableHLO, if it is made of plain arithmetic."""
        from simulator.stablehlo import module
        if debug_info or dialect not in (None, "stablehlo"):
            raise OutOfScope("Lowered.as_text in other dialects, and with debug_info",
                             "leave the options out")
        return module.text(self._lowering.module)

    def cost_analysis(self) -> Any:
        """OutOfScope: ``Lowered.cost_analysis``."""
        raise OutOfScope("Lowered.cost_analysis", "XLA counts after it has rewritten "
                         "the program; ask the compiled program on real JAX")


class Compiled(Stage, jit_call.CppFunction):
    """A compiled function. Call it with arguments of exactly the compiled types.

    `args_info`: an `ArgInfo` per argument.
    """

    # A cache of its own with one function in it: there is nothing to tell apart.
    _attributes = fast_path.Nameless((), (), None, None, (), (), ())

    def __init__(self, executable: Executable, params: JitParams, module: Module,
                 args_info: Any):
        super().__init__(params)
        self.args_info = args_info
        self._executable, self._module = executable, module
        self._name = executable.name
        self._own_table: fast_path.Table | None = None

    @property
    def input_shardings(self) -> Any:
        """Where each argument is expected; None for one that is not used."""
        kept = iter(self._executable.in_shardings)
        first = len(self._params.consts)
        return self.in_tree.unflatten(
            [next(kept) if i + first in self._executable.kept else None
             for i in range(self.in_tree.num_leaves)])

    @property
    def output_shardings(self) -> Any:
        """Where each result is."""
        return self.out_tree.unflatten(list(self._executable.out_shardings))

    __getattr__ = uncovered.refusing(
        "Compiled", "call input_formats out_info output_formats runtime_executable")

    def cost_analysis(self) -> Any:
        """XLA's numbers about the program, by name."""
        from simulator import costs
        return costs.cost(self._module)

    def memory_analysis(self) -> Any:
        """How much memory the program takes, part by part."""
        from simulator import costs
        return costs.memory(self._module)

    def as_text(self) -> str:
        """OutOfScope: ``Compiled.as_text``."""
        raise OutOfScope("Compiled.as_text", "the model does not write HLO; "
                         "jax.make_jaxpr(f)(x) shows the program, real JAX the text")

    def _answer(self, here: process.Process, args: tuple, kwargs: dict) -> Any:
        if self._executable.has_effects or self._executable.xla.callbacks:
            return self._in_python(here, args, kwargs).result
        return super()._answer(here, args, kwargs)

    def _identity(self) -> str:
        return self._name

    def _table(self) -> fast_path.Table:
        if self._own_table is None:
            cache = fast_path.FastPathCache(4096)
            process.current().aot_caches.add(cache)
            self._own_table = cache.table(self, self._attributes)
            self._own_cache = cache
        return self._own_table

    def _undecorated(self, args: tuple, kwargs: dict) -> Any:
        raise ValueError("Disable jit is not supported in the AOT path since the function is not "
                         f"available for (jit({self._name}))")

    def _python_path(self, args: tuple, kwargs: dict) -> jit_call.PythonPath:
        here = process.current()
        flat, tree = here.registries.tracing.flatten((args, kwargs))
        if tree != self._params.in_tree:
            from simulator.trees import tree_errors
            errs = list(tree_errors.equality_errors_pytreedef(
                here.registries.default, tree, self._params.in_tree))
            lines = ["Function compiled with input pytree does not match the input pytree it was "
                     f"called with. There are {len(errs)} mismatches, including:"]
            for path, now, seen, why in errs:
                base = ("args", "kwargs")[path[0].idx]
                lines.append(f"    * at {base}{keystr(tuple(path[1:]))}, seen {seen} but now "
                             f"given {now}, so {why}")
            raise TypeError("\n".join(lines))
        if here.thread.trace is not traces.EVAL and any(isinstance(a, Tracer) for a in flat):
            raise TypeError("Cannot apply JAX transformations to a function lowered and compiled "
                            "for a particular signature. Detected argument of Tracer type "
                            f"{next(type(a) for a in flat if isinstance(a, Tracer))}.")
        outs = self._run(flat)
        # A program with refs may hold more arguments than C++ is given.
        out_tree = self._params.out_tree
        result = out_tree.unflatten(outs)
        why = ("the program reads or writes a ref" if self._executable.mutation is not NOTHING
               else jit_call.why_no_array(out_tree, outs))
        return jit_call.PythonPath(result, None if why else self._executable, out_tree, why)

    def _run(self, flat: list) -> list:
        avals = [abstractify(a) for a in flat]
        _check_types(self._params.in_avals, avals, self._params.arg_names)
        lowering.check_placement(flat, self._executable, self._params.arg_names)
        process.current().recorder.work("execute", self._executable.name)
        if process.current().config.value("jax_no_execution"):
            raise RuntimeError(f"JAX tried to execute function jit({self._name}), but the "
                               "no_execution config option is set")
        outs = self._executable.run(flat)
        evaluate.check_special(f"jit({self._name})", outs)
        return outs


def _check_types(wanted: tuple, got: list, names: tuple) -> None:
    wrong = [(w, g, n) for w, g, n in zip(wanted, got, names)
             if (w.shape, w.dtype) != (g.shape, g.dtype)]
    if not wrong:
        return
    lines = ["Argument types differ from the types for which this computation was compiled. "
             "Perhaps you are calling the compiled executable with a different enable_x64 mode "
             "than when it was AOT compiled? The mismatches are:"]
    lines += [f"Argument '{n}' compiled with {w.str_short()} and called with {g.str_short()}"
              for w, g, n in wrong]
    raise TypeError("\n".join(lines))


for _cls in (Traced, Lowered, Compiled):
    _cls.__module__ = "jax._src.stages"   # texts of the classes show it
