"""What ``import`` gives a program: the model's own jax and numpy, and a few standard modules.

Everything else is refused by name. What real JAX or NumPy has and the model has not is
OutOfScope; what neither has is the error Python gives.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Callable
from typing import Any

from simulator.errors import OutOfScope
from simulator.facade import lazily, pristine, public

FACADES = {"jax": "simulator.facade.jax", "numpy": "simulator.facade.numpy"}

STDLIB = frozenset("""
    abc argparse base64 bisect collections concurrent contextlib copy csv dataclasses
    datetime decimal enum fractions functools gc glob heapq inspect io itertools json
    logging math numbers operator os pathlib pprint queue random re shutil statistics string
    struct sys tempfile textwrap threading time timeit traceback types typing warnings
    weakref __future__
""".split())


class Imports:
    """``__import__`` of one program.

    Args:
      starts: told ``"jax"`` or ``"numpy"`` before it is imported.
      loaded: told after a module of the standard library is.
    """

    def __init__(self, starts: Callable[[str], None], loaded: Callable[[], None]):
        self._starts, self._loaded = starts, loaded

    def builtins(self) -> dict[str, Any]:
        """The program's ``__builtins__``."""
        names = dict(vars(builtins))
        names["__import__"] = self._import
        names["input"] = _no_input
        return names

    def _import(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (),
                level: int = 0) -> Any:
        top = name.partition(".")[0]
        if top in FACADES and not level:
            self._starts(top)
            return _from_facade(name, top, fromlist)
        if top in STDLIB and not level:
            module = builtins.__import__(name, globals, locals, fromlist, level)
            self._loaded()
            return module
        raise OutOfScope(f"import {name}", "only jax, numpy and a few standard modules are here")


def _from_facade(name: str, top: str, fromlist: Any) -> Any:
    target = name.replace(top, FACADES[top], 1)
    try:
        module = importlib.import_module(target)
        lazily.tidy()
        lazily.show(target)
        if "*" in (fromlist or ()):
            lazily.complete(target)
        pristine.remember()
    except ModuleNotFoundError as missing:
        if not (missing.name and missing.name.startswith("simulator")):
            raise
        if public.is_module(name):
            raise OutOfScope(f"import {name}") from None
        raise ModuleNotFoundError(f"No module named {name!r}", name=name) from None
    for item in fromlist or ():
        if item != "*" and not hasattr(module, item):
            if not public.is_module(f"{name}.{item}"):
                raise ImportError(f"cannot import name {item!r} from {name!r}", name=name)
            try:
                importlib.import_module(f"{target}.{item}")
            except ModuleNotFoundError:
                raise OutOfScope(f"from {name} import {item}") from None
            lazily.show(f"{target}.{item}")
    return module if fromlist else sys.modules[FACADES[top]]


def _no_input(prompt: object = "") -> str:
    """``input``: nobody is there to answer."""
    raise EOFError("EOF when reading a line")
