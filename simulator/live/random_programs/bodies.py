"""Bodies of random functions: small computations whose digits are the same everywhere.

Every operation is exact on small numbers, or rounded to whole numbers or fourths at once:
a last digit that depends on how a compiler fuses is no question of caches. (XLA turns a
division by 3 into a product with a third, and adds to that without rounding in between;
``1 - 3 * third`` is then no zero.)
"""

from __future__ import annotations

import random
from collections.abc import Sequence

_UNARY = ("-{a}", "abs({a})", "{a} * 2", "{a} + 1", "1 - {a}", "{a} ** 2", "jnp.abs({a})",
          "jnp.square({a})", "jnp.maximum({a}, 0)", "jnp.clip({a}, -2, 9)", "jnp.sign({a})",
          "jnp.where({a} > 1, {a}, 0)", "jnp.round(jnp.sin({a}) * 4) / 4",
          "jnp.round(jnp.exp(-abs({a})) * 2, 0)", "jnp.zeros_like({a})", "jnp.ones_like({a}) + {a}",
          "({a} > 0) * {a}", "lax.neg({a})", "jnp.asarray({a})", "jax.tree.map(jnp.abs, {a})",
          "jnp.cumsum(jnp.atleast_1d({a}))", "jnp.ravel({a})", "jnp.flip(jnp.ravel({a}))",
          "jnp.sort(jnp.ravel({a}))", "{a}.astype(jnp.float32)", "lax.stop_gradient({a})",
          "jnp.broadcast_to({a}, jnp.shape({a}))", "jnp.expand_dims({a}, 0)")
_BINARY = ("{a} + {b}", "{a} - {b}", "{a} * {b}", "jnp.add({a}, {b})", "jnp.maximum({a}, {b})",
           "jnp.minimum({a}, {b})", "jnp.where({a} > {b}, {a}, {b})", "{a} * ({b} > 0)")
_SCALAR = ("jnp.sum({a})", "{a}.sum()", "jnp.max({a})", "jnp.ravel({a})[0]", "jnp.size({a})",
           "jnp.sum({a} > 0)", "jnp.round(jnp.mean(jnp.ones_like({a})))", "len(jnp.shape({a}))",
           "jnp.vdot({a}, jnp.ones_like({a}))")
_WHOLE = ("({r}, {v})", "[{r}]", "{{'out': {r}}}", "({r}, None)")
_LOOPS = ("lax.fori_loop(0, 3, lambda i, c: c + {a}, {a})",
          "lax.cond(jnp.sum({a}) > 0, lambda v: v + 1, lambda v: v - 1, {a})",
          "lax.scan(lambda c, _: (c + 1, c), {a}, None, length=2)[0]",
          "lax.while_loop(lambda c: jnp.sum(c) < 20, lambda c: c + 5, abs({a}))")


class Body:
    """Lines of a function body, and the expression it returns.

    Args:
      pick: the source of chance. inputs: names of array-like variables.
      helpers: names of functions of one array that the body may call.
      loops: whether it may contain loops of JAX.
    """

    def __init__(self, pick: random.Random, inputs: list[str], helpers: Sequence[str] = (),
                 loops: bool = False, scalar: bool = False):
        self.pick, self.names, self.lines = pick, list(inputs), []
        for _ in range(pick.choice((0, 1, 1, 2, 3))):
            self._line(helpers, loops)
        result = self._expression(helpers, False)
        if scalar:
            result = f"jnp.sum(({result}) * 1.0)"
        elif pick.random() < 0.2:
            result = pick.choice(_WHOLE).format(r=result, v=pick.choice(self.names))
        self.result = result

    def _line(self, helpers: Sequence[str], loops: bool) -> None:
        name = f"t{len(self.lines)}"
        self.lines.append(f"{name} = {self._expression(helpers, loops)}")
        self.names.append(name)

    def _expression(self, helpers: Sequence[str], loops: bool) -> str:
        pick, chance = self.pick, self.pick.random()
        a, b = pick.choice(self.names), pick.choice(self.names)
        if helpers and chance < 0.25:
            return f"{pick.choice(helpers)}({a})"
        if loops and chance < 0.4:
            return pick.choice(_LOOPS).format(a=a)
        if chance < 0.7:
            return pick.choice(_UNARY).format(a=a)
        if chance < 0.9:
            return pick.choice(_BINARY).format(a=a, b=b)
        return f"{a} + {pick.choice(_SCALAR).format(a=b)}"

    def text(self, indent: str = "    ") -> str:
        """The body as source lines."""
        return "\n".join(indent + line for line in [*self.lines, f"return {self.result}"])
