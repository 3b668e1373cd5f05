"""Bodies of random functions: lines of small computations."""

from __future__ import annotations

import random
from collections.abc import Sequence

from simulator.live.random_programs.operations import (
    BINARY,
    ELEMENTS,
    LOOPS,
    MISTAKES,
    SCALAR,
    SHAPED,
    UNARY,
)

_WHOLE = ("({r}, {v})", "[{r}]", "{{'out': {r}}}", "({r}, None)")
_PLAIN = (UNARY, UNARY, ELEMENTS, SHAPED)


class Body:
    """Lines of a function body, and the expression it returns.

    Args:
      pick: the source of chance. inputs: names of array-like variables.
      helpers: names of functions of one array that the body may call.
      loops: whether it may contain loops of JAX. mistaken: whether it may do what fails.
    """

    def __init__(self, pick: random.Random, inputs: list[str], helpers: Sequence[str] = (),
                 loops: bool = False, scalar: bool = False, mistaken: bool = False):
        self.pick, self.names, self.lines = pick, list(inputs), []
        for _ in range(pick.choice((0, 1, 1, 2, 3))):
            self._line(helpers, loops)
        if mistaken and pick.random() < 0.04:
            wrong = pick.choice(MISTAKES).format(a=pick.choice(self.names))
            self.lines.append(f"bad = {wrong}")
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
            return pick.choice(LOOPS).format(a=a)
        if chance < 0.7:
            return pick.choice(pick.choice(_PLAIN)).format(a=a)
        if chance < 0.9:
            return pick.choice(BINARY).format(a=a, b=b)
        return f"{a} + {pick.choice(SCALAR).format(a=b)}"

    def text(self, indent: str = "    ") -> str:
        """The body as source lines."""
        return "\n".join(indent + line for line in [*self.lines, f"return {self.result}"])
