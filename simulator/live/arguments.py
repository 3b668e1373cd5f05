"""The argument fields of a fast-path key, worked out in Python from the arguments.

jaxlib prints them too (`signatures`), but for every call; here only a call that
missed pays. Written as jaxlib writes them, so that both read the same.
"""

from __future__ import annotations

from typing import Any

from simulator.live import describe as describing
from simulator.live.signatures import shardings


class Arguments:
    """Key fields of calls, over one `Describe`."""

    def __init__(self, describe: describing.Describe):
        import jax
        import numpy as np
        from jax._src import core
        self.describe, self._tree, self._array = describe, jax.tree_util, jax.Array
        self._tracer, self._typeof, self._numpy = core.Tracer, core.typeof, np.ndarray

    def key(self, info: Any, args: tuple, kwargs: dict) -> list[tuple[str, str]]:
        """The fields for one call of a jit object with a `PjitInfo`.

        Returns an empty list where C++ would find no key: a tracer among the
        arguments, or something that is no array.
        """
        try:
            return self._key(info, args, kwargs)
        except Exception:                     # a description must never end a call
            return []

    def _key(self, info, args, kwargs):
        text = self.describe.text
        numbers, names = set(info.static_argnums), set(info.static_argnames)
        static_names = sorted(name for name in kwargs if name in names)
        arg_names = sorted(name for name in kwargs if name not in names)
        statics = [args[i] for i in sorted(numbers) if i < len(args)]
        statics += [kwargs[name] for name in static_names]
        dynamic = [value for i, value in enumerate(args) if i not in numbers]
        dynamic += [kwargs[name] for name in arg_names]
        leaves, trees = [], []
        for value in dynamic:
            found, tree = self._tree.tree_flatten(value)
            leaves += found
            trees.append(str(tree))
        described = [self._leaf(leaf) for leaf in leaves]
        avals, places, layouts, committed = zip(*described) if described else ((),) * 4
        return [("treedefs", f"[{'| '.join(trees)}]"), ("arg names", f"[{','.join(arg_names)}]"),
                ("static args", f"[{','.join(map(text, statics))}]"),
                ("static names", f"[{','.join(static_names)}]"), ("avals", ", ".join(avals)),
                ("shardings", ", ".join(places)), ("layouts", ", ".join(layouts)),
                ("committed", ",".join(committed))]

    def _leaf(self, leaf) -> tuple[str, str, str, str]:
        """(aval, sharding, layout, committed) of one leaf. TypeError for no array."""
        if isinstance(leaf, self._tracer):
            raise TypeError("a tracer")
        aval = describing.aval(self._typeof(leaf))
        if not isinstance(leaf, self._array):
            return aval, "None", "None", "false"
        order = ",".join(map(str, reversed(leaf.format.layout.major_to_minor)))
        return (aval, shardings(str(leaf.sharding)), "{" + order + "}",
                str(bool(leaf._committed)).lower())
