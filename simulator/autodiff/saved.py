"""What a function keeps for its derivative, as ``jax.ad_checkpoint.print_saved_residuals``
lists it.

JAX source: ``jax/_src/ad_checkpoint.py: saved_residuals, _saved_residuals``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.functions import signature
from simulator.jaxprs.jaxpr import Jaxpr, Literal
from simulator.running import source
from simulator.trees import pytrees


def saved_residuals(f: Callable, *args: Any, **kwargs: Any) -> list[tuple[Any, str]]:
    """The type of each kept value, and where it is from."""
    from simulator.api import make_jaxpr
    from simulator.facade.jax.differentiating import vjp
    leaves, tree = pytrees.tree_flatten((args, kwargs))

    def f_(*leaves: Any) -> Any:
        args, kwargs = tree.unflatten(leaves)
        return f(*args, **kwargs)

    info = signature.debug_info("saved_residuals", f, args, kwargs)
    jaxpr, shapes = make_jaxpr(lambda *args: vjp(f_, *args), return_shape=True)(*leaves)
    kept = jaxpr.outvars[len(jaxpr.outvars) - len(pytrees.tree_leaves(shapes[1])):]
    return _origins(jaxpr, kept, info.arg_names or ("unknown",) * len(jaxpr.invars))


def _origins(jaxpr: Jaxpr, kept: list, names: tuple) -> list[tuple[Any, str]]:
    # A residual that only lost precision on its way is the value before.
    before = {e.outvars[0]: e.invars[0] for e in jaxpr.eqns
              if e.primitive.name == "reduce_precision"}
    found = [(x.aval, "from a literal") for x in kept if isinstance(x, Literal)]
    wanted = {before.get(v, v) for v in kept if not isinstance(v, Literal)}
    found += [(v.aval, "from a constant") for v in jaxpr.constvars if v in wanted]
    found += [(v.aval, f"from the argument {name}")
              for v, name in zip(jaxpr.invars, names) if v in wanted]
    for eqn in jaxpr.eqns:
        place = source.frames(eqn.context.place) if eqn.context else ""
        name = eqn.primitive.name
        what = (f"named '{eqn.params['name']}'" if name == "name" else
                f"output of jitted function '{eqn.params['name']}'" if name == "jit" else
                f"output of {name}")
        found += [(v.aval, f"{what} from {place}") for v in eqn.outvars if v in wanted]
    return found


def print_saved_residuals(f: Callable, *args: Any, **kwargs: Any) -> None:
    """``jax.ad_checkpoint.print_saved_residuals``."""
    for aval, origin in saved_residuals(f, *args, **kwargs):
        print(f"{aval.str_short(short_dtypes=True)} {origin}")
