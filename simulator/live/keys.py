"""The key of each Python cache: one function per station, called with the arguments
of the cached function, giving (function name, key fields)."""

from __future__ import annotations

from simulator.live.describe import Describe
from simulator.live.stream import plain


class Keys:
    """Key builders over one `Describe`."""

    def __init__(self, describe: Describe):
        self.describe = describe
        from jax._src import flattree
        self._flat, self._static = flattree, flattree.FTStatic

    def params(self, fun, jit_info, signature, in_avals, ctx_mesh):
        """jax/_src/pjit.py: _infer_params_cached"""
        d = self.describe
        name = d.function(fun)
        key = [("function", d.identity(fun)), *d.trace_context(),
               ("PjitInfo", d.labels(jit_info, f"jit({name})", keep=True)),
               *d.fields(signature=list(signature.dynamic_arg_treedefs)),
               ("static args", d.statics(signature.static_args)),
               ("static names", d.text(list(signature.static_arg_names))),
               ("names", d.text(list(signature.dynamic_arg_names))),
               ("avals", d.text(list(in_avals))), ("ctx mesh", d.text(ctx_mesh))]
        return name, key

    def trace(self, fun, in_avals, debug_info, *flags, **more):
        """jax/_src/interpreters/partial_eval.py: trace_to_jaxpr"""
        d = self.describe
        key = [("function", d.identity(fun)), *d.trace_context()]
        try:
            key.append(("tree", self._tree(in_avals)))
            key.append(("avals", d.text(list(in_avals.vals))))
            key.append(("static args", d.statics(self._statics(in_avals))))
        except Exception:                     # trees with odd metadata: leave them out
            pass
        source = d.normal(debug_info.func_src_info)
        key.append(("debug info", f"{debug_info.traced_for} "
                                  f"{source if '<dir>/' in source else debug_info.func_name} "
                                  f"{d.text(debug_info.arg_names)}"))
        flags = [name for name, on in (*zip(("fun_takes_flat_tree_arg", "fun_returns_flat_tree",
                                             "requires_low"), flags), *more.items()) if on]
        if flags:
            key.append(("flags", ", ".join(flags)))
        return d.function(fun), key

    def _tree(self, avals) -> str:
        """The structure of a FlatTree."""
        try:
            return str(avals.tree)
        except (ValueError, AssertionError):
            # Parts of two registries, as custom_vmap has them, or parts that are left out.
            from jax.tree_util import tree_structure
            return str(tree_structure(self._opened(avals)))

    def _opened(self, tree):
        """The containers of a FlatTree, with None where a part is left out."""
        flat = self._flat
        if isinstance(tree, flat.FTTuple):
            return tuple(map(self._opened, tree.elts))
        if isinstance(tree, flat.FTDict):
            return dict(zip(tree.keys, map(self._opened, tree._vals)))
        if isinstance(tree, flat.FTFiltered):
            return tree.val.map(lambda either: None if either.is_left else 0).unflatten()
        return tree.map(lambda leaf: 0).unflatten()

    def _statics(self, tree) -> list:
        """Static values inside a FlatTree of arguments."""
        if isinstance(tree, self._static):
            return [tree.val]
        inner = getattr(tree, "elts", None) or getattr(tree, "_vals", None)
        if inner is None and hasattr(tree, "val") and not hasattr(tree, "xs"):
            inner = [tree.val]
        return [value for part in inner or () if hasattr(part, "map")
                for value in self._statics(part)]

    def lower(self, jaxpr, in_shardings, out_shardings, in_layouts, out_layouts,
              donated_invars, ctx_mesh, name, keep_unused, inline, compiler_options_kvs, *,
              lowering_platforms, lowering_parameters, pgle_profiler):
        """jax/_src/pjit.py: _pjit_lower"""
        d = self.describe
        key = [("jaxpr", self._jaxpr(jaxpr, name)), *d.trace_context(),
               *d.fields(in_shardings=in_shardings, out_shardings=out_shardings,
                         layouts=(in_layouts, out_layouts), donated=donated_invars,
                         ctx_mesh=ctx_mesh, name=name, keep_unused=keep_unused,
                         inline=inline, compiler_options=dict(compiler_options_kvs),
                         lowering_platforms=lowering_platforms)]
        return name, key

    def hlo(self, jaxpr, module_name, backend, num_const_args, in_avals, out_avals,
            in_shardings, out_shardings, in_layouts, out_layouts, num_devices,
            device_assignment, donated_invars, all_default_mem_kind, inout_aliases,
            propagated_out_mem_kinds, platforms, *, lowering_parameters, abstract_mesh):
        """jax/_src/interpreters/pxla.py: _cached_lowering_to_hlo"""
        d = self.describe
        name = plain(module_name)
        key = [("jaxpr", self._jaxpr(jaxpr, name)), *d.trace_context(),
               *d.fields(module_name=module_name, in_avals=in_avals, out_avals=out_avals,
                         in_shardings=in_shardings.shardings,
                         out_shardings=out_shardings.shardings,
                         layouts=(in_layouts, out_layouts), num_devices=num_devices,
                         donated=donated_invars, device_assignment=device_assignment,
                         abstract_mesh=abstract_mesh)]
        return name, key

    def compile(self, computation, name, tuple_args, allow_in, allow_out, host_callbacks,
                backend, devices, compiler_options_kvs, pgle_profiler):
        """jax/_src/interpreters/pxla.py: _cached_compilation"""
        d = self.describe
        short = plain(name)
        key = [("module", d.labels(computation, f"module {short}")), *d.trace_context(),
               *d.fields(name=name, allow_prop_to_inputs=allow_in, allow_prop_to_outputs=allow_out,
                         host_callbacks=len(host_callbacks) or (),
                         devices=tuple(device.id for device in devices),
                         compiler_options=dict(compiler_options_kvs))]
        return short, key

    def prim(self, prim, **params):
        """jax/_src/dispatch.py: xla_primitive_callable"""
        d = self.describe
        return prim.name, [("primitive", prim.name), ("params", d.text(params)),
                           *d.trace_context()]

    def names(self) -> dict:
        """Per station: the arguments of its function -> the name in its events, alone."""
        function = self.describe.function
        return {"params": lambda fun, *more, **named: function(fun),
                "trace": lambda fun, *more, **named: function(fun),
                "lower": lambda *values, **named: values[7],
                "hlo": lambda jaxpr, name, *more, **named: plain(name),
                "compile": lambda module, name, *more, **named: plain(name),
                "prim": lambda prim, **params: prim.name}

    def _jaxpr(self, jaxpr, name: str) -> str:
        return self.describe.labels(jaxpr, f"jaxpr of {name}")


def guarded(builder, otherwise=("?", [])):
    """A key builder that never raises: unknown arguments give an empty key."""
    def build(*args, **kwargs):
        try:
            return builder(*args, **kwargs)
        except Exception:                     # a description must never end a call
            return otherwise
    return build
