"""Keys as short texts: what JAX compares, field by field.

No ``__repr__`` of the program's objects runs in here, except for metadata inside
a tree definition, which jaxlib prints; and nothing raises: what cannot be told is
written ``?``.
"""

from __future__ import annotations

import enum
import functools
import itertools
import json
import operator
import pathlib
import weakref
from collections.abc import Callable
from typing import Any

from simulator.live.normal import Normaliser
from simulator.live.stream import Labels, plain

_DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "jax-0.11.1.json"
_ATTRIBUTES = ("donate_argnums", "donate_argnames", "device", "backend")
_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_OTHER = object()
"""Is no value of a state."""


@functools.cache
def facts() -> dict:
    """The facts about this version of JAX in `simulator/data`."""
    return json.loads(_DATA.read_text(encoding="utf-8"))


class Describe:
    """Texts for the keys of every station.

    Args:
      labels: names objects by identity. normal: writes the folders in texts.
    """

    def __init__(self, labels: Labels, normal: Normaliser):
        import numpy
        from jax._src import config, core, pjit
        from jax._src.util import fun_name
        known = facts()
        self.labels, self.normal = labels, normal
        self._config, self._core, self._fun_name = config, core, fun_name
        self._dtype, self._scalar, self._size = numpy.dtype, numpy.generic, numpy.int64
        self._defaults = {s["name"]: s["default_text"] for s in known["states"]}
        self._trace_context = set(known["trace_context"])
        self._jit_key = known["jit_key"]
        self._only_jit = {name: config.config_states[name] for name in known["jit_key"]
                          if name not in self._trace_context and name in config.config_states}
        self._only_jit["device_context"] = config.device_context
        self._usual = [_OTHER] * len(config.trace_context_names())
        self._unspecified = type(pjit.UNSPECIFIED)
        self._function_labels: dict[int, str] = {}

    # -- names ---------------------------------------------------------------

    def function(self, fun: Any) -> str:
        """The name JAX gives a function (jax/_src/util.py: fun_name)."""
        try:
            name = self._fun_name(fun)
        except Exception:                     # a callable may define anything
            name = "?"
        self._function_labels[id(fun)] = self.labels(fun, name)
        return name

    def label(self, fun_id: int | None, name: str) -> str:
        """The identity label of a function seen before."""
        return self._function_labels.get(fun_id, name) if fun_id is not None else name

    def identity(self, fun: Any) -> str:
        """The identity label of a function."""
        return self.labels(fun, self.function(fun))

    # -- configuration -----------------------------------------------------------

    def trace_context(self) -> list[tuple[str, str]]:
        """The states of the trace context that differ from their defaults."""
        values, found = self._config.trace_context(), []
        names, usual = self._config.trace_context_names(), self._usual
        usual += [_OTHER] * (len(values) - len(usual))      # jax.make_user_context adds states
        # What was found to be a default is told by identity from then on.
        for i in itertools.compress(range(len(values)), map(operator.is_not, values, usual)):
            text = self._state(names[i], values[i])
            if text is not None:
                found.append((names[i], text))
            elif type(values[i]) in _PLAIN or isinstance(values[i], enum.Enum):
                usual[i] = values[i]
        return found

    def jit_configs(self) -> list[tuple[str, str]]:
        """The states of the jit key that differ from their defaults."""
        return self.jit_configs_now()()

    def jit_configs_now(self) -> Callable[[], list[tuple[str, str]]]:
        """Gives `jit_configs` as they are now, later: only then the trace gets its label."""
        found = [pair for pair in self.trace_context() if pair[0] in self._jit_key]
        for name, state in self._only_jit.items():
            text = self._state(name, state.value)
            if text is not None:
                found.append((name, text))
        now = self._core.trace_ctx.trace      # None while JAX puts it aside
        kind, trace = type(now), weakref.ref(now) if now is not None else lambda: None
        del now

        def configs() -> list[tuple[str, str]]:
            state = [] if issubclass(kind, self._core.EvalTrace) else [
                ("trace_state", self.labels(trace(), kind.__name__))]
            order = {name: i for i, name in enumerate(self._jit_key)}
            return sorted(found + state, key=lambda pair: order.get(pair[0], len(order)))
        return configs

    def _state(self, name: str, value: Any) -> str | None:
        """Text of a state's value, None when it is the default."""
        if name == "axis_env_state":
            # It also holds mesh axes that jax.vmap has taken: then it differs without a name.
            axes = value if isinstance(value, self._core.AxisEnv) else self._core.top_axis_env
            return None if axes is self._core.top_axis_env else self.text(dict(axes.axis_sizes))
        if isinstance(value, enum.Enum):
            value = value.value if isinstance(value.value, (str, int)) else value.name
        text = self.text(value)
        return None if text == self._defaults.get(name) else text

    # -- values ------------------------------------------------------------------

    def text(self, value: Any) -> str:
        """Short text for a value, without running code of the program."""
        try:
            return self._text(value, 0)
        except Exception:                     # a description must never end a call
            return "?"

    def _text(self, value: Any, level: int) -> str:
        kind = type(value)
        if kind in _PLAIN:
            return str(value) if kind is not str or level == 0 else repr(value)
        if isinstance(value, enum.Enum):
            return f"{kind.__name__}.{value.name}"
        if kind in (tuple, list, dict, set, frozenset) and level < 4:
            return self._container(value, level + 1)
        module = kind.__module__.split(".", 1)[0]
        if isinstance(value, self._unspecified):
            return "unspecified"
        if "Sharding" in kind.__name__ and module in ("jax", "jaxlib"):
            return sharding(value)
        if kind.__name__ in ("Device", "CpuDevice"):
            return device(value)
        if kind.__name__ in ("Mesh", "AbstractMesh"):
            return mesh(value)
        if hasattr(value, "str_short") and module == "jax":
            return aval(value)
        if isinstance(value, self._dtype):
            return value.name
        if isinstance(value, self._scalar):
            # JAX computes with sizes as NumPy's int64, and compares them with plain numbers.
            return str(value) if kind is self._size else f"{kind.__name__}({value})"
        if kind.__name__ == "Layout" and _usual_layout(value):
            return "None"                     # references bring theirs along: it is the default
        if kind.__name__ in ("PyTreeDef", "Layout", "P", "Format"):
            return str(value)
        if kind is slice:
            return str(value)
        if callable(value) and hasattr(value, "__name__"):
            return self.labels(value, str(value.__name__))
        if kind.__name__.endswith("DimensionNumbers"):
            return str(value)
        return self.labels(value, kind.__name__)

    def statics(self, values: Any) -> str:
        """Static arguments, whose types are compared, too: 1 is not NumPy's 1."""
        return "[" + ", ".join(map(self._statically, values)) + "]"

    def _statically(self, value: Any) -> str:
        try:
            return f"int64({value})" if type(value) is self._size else self._text(value, 1)
        except Exception:                     # a description must never end a call
            return "?"

    def _container(self, value: Any, level: int) -> str:
        if isinstance(value, dict):
            inside = [f"{self._text(k, level)}: {self._text(v, level)}"
                      for k, v in value.items()]
            return "{" + ", ".join(inside) + "}"
        inside = [self._text(item, level) for item in value]
        if isinstance(value, tuple):
            return "(" + ", ".join(inside) + ("," if len(inside) == 1 else "") + ")"
        if isinstance(value, list):
            return "[" + ", ".join(inside) + "]"
        return "{" + ", ".join(sorted(inside)) + "}"

    def fields(self, **values: Any) -> list[tuple[str, str]]:
        """Key fields in the order given."""
        return [(name, self.text(value)) for name, value in values.items()]

    def attributes(self, target: Any) -> list[tuple[str, str]]:
        """The outer key of a jit object (jax/_src/interpreters/pxla.py: JitGlobalCppCacheKeys)."""
        info = getattr(target, "_jit_info", None)
        return self.jit_info(info) if info is not None else []

    def jit_info(self, info: Any) -> list[tuple[str, str]]:
        """The fields of a PjitInfo that are in the outer key, where they are set."""
        found = [(name, self.text(getattr(info, name))) for name in _ATTRIBUTES
                 if getattr(info, name) not in ((), None)]
        for name in ("in_shardings", "out_shardings"):
            leaves = getattr(info, f"{name}_leaves")
            if not (len(leaves) == 1 and isinstance(leaves[0], self._unspecified)):
                found.append((name, self.text(tuple(leaves))))
        if info.compiler_options_kvs:
            found.append(("compiler_options", self.text(dict(info.compiler_options_kvs))))
        return found


def _usual_layout(value: Any) -> bool:
    order = value.major_to_minor
    return not value.tiling and tuple(order) == tuple(range(len(order)))


def device(value: Any) -> str:
    """``cpu:0``"""
    return f"{value.platform}:{value.id}"


def mesh(value: Any) -> str:
    """``Mesh(x=2, y=2)`` with the kind of axis when it is not Auto; ``-`` when empty."""
    if value.empty:
        return "-"
    axes = []
    for name, size, kind in zip(value.axis_names, value.axis_sizes, value.axis_types):
        word = str(kind).rsplit(".", 1)[-1]
        axes.append(f"{name}={size}" + ("" if word == "Auto" else f" {word}"))
    text = f"{type(value).__name__}({', '.join(axes)})"
    devices = getattr(value, "_flat_devices_tuple", None)
    return text + (" on " + ",".join(str(d.id) for d in devices) if devices else "")


def sharding(value: Any) -> str:
    """``SingleDevice(cpu:0)``, ``Named(Mesh(x=4) on 0,1,2,3, P('x'))``."""
    name = type(value).__name__
    if name == "SingleDeviceSharding":
        return f"SingleDevice({', '.join(device(d) for d in value.device_set)})"
    if name == "NamedSharding":
        spec = str(value.spec).replace("PartitionSpec", "P")
        return f"Named({mesh(value.mesh)}, {spec})"
    return str(value)


def aval(value: Any) -> str:
    """``f32[3]``, with a star when the type is weak."""
    return value.str_short(True) + ("*" if getattr(value, "weak_type", False) else "")


def module(name: str) -> str:
    """``module f``: the text of a module's name."""
    return f"module {plain(name)}"
