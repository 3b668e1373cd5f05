"""What the persistent cache compares of a module, as text.

In the text: the name, argument types with shardings and aliasing, operations
with their parameters, constants with their numbers, and what the results are
called (``result['a'][0]``: JAX writes it as an attribute, which is not stripped).
Not in it: weak types, argument names and structure, source lines, unused arguments,
operations nobody needs.

JAX source: ``jax/_src/interpreters/mlir.py: lower_jaxpr_to_module``;
``jax/_src/cache_key.py: _canonicalize_ir``.

Simplified: this is not StableHLO, but says the same things apart: which operations an
equation becomes, `simulator.jaxprs.operations` knows.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from simulator.device_arrays.values import storage
from simulator.jaxprs import operations as _operations  # noqa: F401  (how equations are written)
from simulator.jaxprs.jaxpr import Eqn, Jaxpr
from simulator.jaxprs.module import Module
from simulator.jaxprs.module_body import Body, type_text
from simulator.placement import shardings

# Positions that JAX happened to compute with NumPy are plain numbers in a module.
_NUMPY_INT = re.compile(r"np\.int64\((-?\d+)\)")


class ModuleText:
    """Writes a `Module`; a function of it is written once, however often it is called."""

    def __init__(self, module: Module):
        self.module = module
        self.functions: dict[Any, str] = {}
        self.bodies: list[str] = []
        self.taken: dict[str, int] = {}

    def render(self) -> str:
        """The whole text."""
        m = self.module
        args = [f"{type_text(a)} {_sharding(s, a)} alias={alias} donor={donor}"
                for a, s, alias, donor in zip(m.in_avals, m.in_shardings, *m.donation)]
        paths = (m.jaxpr.debug_info and m.jaxpr.debug_info.result_paths) or ()
        names = paths if len(paths) == len(m.out_avals) else ("",) * len(m.out_avals)
        outs = [f"{_sharding(s, a)} {name}".strip()
                for s, a, name in zip(m.out_shardings, m.out_avals, names)]
        main = self._body(m.jaxpr)
        return "\n".join([f"module @{m.sym_name} partitions={m.num_devices}",
                          f"main({', '.join(args)}) -> ({', '.join(outs)})", main, *self.bodies])

    def _body(self, jaxpr: Jaxpr) -> str:
        body = Body(self._param, _numbers, self.module.counter)
        results = body.write(jaxpr, [body.argument(v.aval) for v in jaxpr.invars])
        return "\n".join([*body.lines, f"return {' '.join(results)}"])

    def _param(self, eqn: Eqn | None, key: str, value: Any) -> str:
        if isinstance(value, Jaxpr):
            return self._function(value, eqn.params.get("name", key))
        if isinstance(value, tuple) and value and all(isinstance(v, Jaxpr) for v in value):
            return ",".join(self._function(v, key) for v in value)
        if key in ("ctx_mesh", "inline", "keep_unused", "donated_invars", "name"):
            return ""
        return _NUMPY_INT.sub(r"\1", str(value))

    def _function(self, jaxpr: Jaxpr, title: str) -> str:
        known = self.functions.get(id(jaxpr))
        if known is None:
            count = self.taken[title] = self.taken.get(title, 0) + 1
            known = self.functions[id(jaxpr)] = f"@{title}" + (f"_{count - 1}" if count > 1 else "")
            self.bodies.append(f"func {known}\n{self._body(jaxpr)}")
        return known


def _sharding(sharding: Any, aval: Any) -> str:
    return shardings.hlo_text(sharding, len(aval.shape))


def _numbers(value: Any, aval: Any) -> str:
    data = storage(value, aval)
    if data.size <= 8:
        return repr(data.tolist())
    return hashlib.sha256(repr(data.tolist()).encode()).hexdigest()
