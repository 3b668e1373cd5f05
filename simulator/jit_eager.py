"""The ``jit`` equation, evaluated instead of called.

Under ``jax_debug_key_reuse``, and where an equation is evaluated outside a
trace, a jitted function arrives as an equation with a finished jaxpr. JAX puts a
temporary C++ function around that jaxpr and calls it: the equation has fast path
entries of its own, and below them asks `lower` like any other call.

JAX source: ``jax/_src/pjit.py: _pjit_call_impl, _get_jaxpr_as_fun``;
``jax/_src/core.py: eval_jaxpr``.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from simulator import fast_path, jit_call, process
from simulator.caches import WeakrefLRUCache
from simulator.jaxprs import applying
from simulator.jaxprs.jaxpr import Jaxpr
from simulator.trees import pytrees

_KEY = ("in_shardings", "out_shardings", "in_layouts", "out_layouts", "donated_invars",
        "ctx_mesh", "name", "keep_unused", "inline", "compiler_options_kvs")


def _jaxpr_as_fun(jaxpr: Jaxpr, *key: Any) -> Callable:
    # The function must not keep the jaxpr alive, or no entry would ever be dropped.
    ref = weakref.ref(jaxpr)

    def evaluate(*args: Any) -> list:
        held = ref()
        assert held is not None
        return applying.call(held, args)
    return evaluate


def _functions() -> WeakrefLRUCache:
    here = process.current()
    cache = here.side_caches.get("jaxpr_as_fun")
    if cache is None:
        cache = WeakrefLRUCache(_jaxpr_as_fun, here.config.trace_context)
        here.side_caches["jaxpr_as_fun"] = cache
    return cache


class JaxprFunction(jit_call.CppFunction):
    """The temporary C++ function around the jaxpr of a ``jit`` equation.

    Args:
      params: the equation's parameters.
    """

    def __init__(self, params: dict):
        self._params = params
        self._name = params["name"]
        self._function = _functions()(params["jaxpr"], *(params[k] for k in _KEY))
        donated = tuple(i for i, d in enumerate(params["donated_invars"]) if d)
        self._attributes = fast_path.Nameless(donated, (), None, None, params["in_shardings"],
                                                params["out_shardings"], ())

    def _table(self) -> fast_path.Table:
        return process.current().fast_path.table(self._function, self._attributes)

    def _python_path(self, args: tuple, kwargs: dict) -> jit_call.PythonPath:
        outs, executable = jit_call.run(list(args), self._params)
        out_tree = pytrees.tree_structure(outs)
        why = jit_call.why_not_fast(executable, out_tree, outs, self._params["jaxpr"])
        return jit_call.PythonPath(outs, None if why else executable, out_tree, why)

    def _undecorated(self, args: tuple, kwargs: dict) -> Any:
        return self._function(*args)


def call_jaxpr(args: tuple, params: dict) -> list:
    """Evaluate a ``jit`` equation on concrete arguments; return the flat results."""
    return JaxprFunction(params)(*args)
