"""The configuration of one process, and the two snapshots that go into cache keys.

Each state has a process-wide value and, per thread, maybe an override that
wins. A cache key holds a snapshot: `jit_key` (C++ fast path, 51 values) or
`trace_context` (every Python cache, 50 values), in the order in which JAX
constructs the states. ``jax.make_user_context`` adds one more to both.

JAX source: `jaxlib/config.cc: JitConfigs, TraceContext`;
`jax/_src/config.py: Config, State, StateContextManager`.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping

from simulator.configuration import config_effects
from simulator.configuration.config_overrides import CHECKS, UNSET, State, UserContext  # noqa: F401
from simulator.configuration.config_states import FLAGS, PUBLIC, StateInfo, all_states, env_bool
from simulator.errors import OutOfScope


class JitKey(tuple):
    """The values of the states in the jit key. Compared one by one; never hashed."""

    def __hash__(self) -> int:
        return 0


class TraceContext(tuple):
    """The values of the states in the trace context. The hash is computed once."""

    _hash: int | None = None

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = tuple.__hash__(self)
        return self._hash


class _Local(threading.local):
    def __init__(self):
        self.overrides, self.snapshots = {}, {}
        # Whether C++ hits are checked for NaN here; None: as the process says.
        self.checks_hits: bool | None = None


class Config:
    """`jax.config` of one process.

    Args:
      environ: environment variables; ``JAX_ENABLE_X64=1`` and the like set the
        start values. ValueError for values that JAX does not accept.
    """

    use_absl = False

    def __init__(self, environ: Mapping[str, str] | None = None):
        environ = environ or {}
        self._local, self._version, self.backends_initialized = _Local(), 0, False
        self._unusual: dict[type, tuple] = {}    # kind -> values, and which are no defaults
        self._states: dict[str, State] = {}
        self._jit: list[State] = []
        self._trace: list[State] = []
        for info in all_states():
            state = self._add(info)
            text = environ.get(info.name.upper()) if info.settable else None
            if text is not None:
                state.set_global(self._checked(info, info.from_environment(text)))
        self._flags = {n: _flag_value(n, d, environ.get(n.upper())) for n, d in FLAGS.items()}

    def _add(self, info: StateInfo) -> State:
        state = State(self, info, info.default)
        self._states.setdefault(info.name, state)
        if info.in_jit_key:
            state.places.append(("jit_key", len(self._jit)))
            self._jit.append(state)
        if info.in_trace_context:
            state.places.append(("trace_context", len(self._trace)))
            self._trace.append(state)
        return state

    def _checked(self, info: StateInfo, value):
        value = info.parse(value)
        if info.needs_no_backend() and self.backends_initialized \
                and value is not None and value != self._states[info.name].value:
            raise RuntimeError(f"{info.name} config should be updated before backends are "
                               "initialized i.e. before any JAX operation is executed. You "
                               "should initialize this config immediately after `import jax`.")
        _refuse(info.name, info.default, value)
        return value

    # --- for programs ------------------------------------------------------

    def update(self, name: str, value) -> None:
        """``jax.config.update``. AttributeError for an unknown name; errors as JAX's."""
        if name in self._flags:
            _refuse(name, FLAGS[name], value)
            self._flags[name] = value
            return
        state = self._states.get(name)
        if state is None or not state.info.settable:
            raise AttributeError(f"Unrecognized config option: {name}")
        state.set_global(self._checked(state.info, value))
        if name == "jax_transfer_guard":
            for which in ("host_to_device", "device_to_device", "device_to_host"):
                self.update(f"{name}_{which}", value)

    def read(self, name: str):
        """The value of a flag, or of ``jax_enable_x64``. AttributeError for every other
        name: a state is read as an attribute. JAX source: `jax/_src/config.py:
        Config.read`."""
        if name in self._flags:
            return self._flags[name]
        state = self._states.get(name)
        if state is None or not state.info.settable:
            raise AttributeError(f"Unrecognized config option: {name}")
        if name != "jax_enable_x64":
            raise AttributeError("For flags with a corresponding contextmanager, read their value "
                                 f"via e.g. `config.{name}` rather than `config.FLAGS.{name}`.")
        return state.value

    @property
    def values(self) -> dict:
        """Every settable state and flag by name, with the value that this thread sees."""
        settable = {n: s.value for n, s in self._states.items() if s.info.settable}
        return {**settable, **self._flags}

    def __getattr__(self, name: str):
        # Only reached for names that are not ordinary attributes.
        state = self.__dict__.get("_states", {}).get(
            "jax_enable_x64" if name == "x64_enabled" else name)
        if state is None or not state.info.settable:
            raise AttributeError(f"'Config' object has no attribute {name!r}")
        return state.value

    def __setattr__(self, name: str, value) -> None:
        if name in self.__dict__.get("_states", {}) and self._states[name].info.settable:
            raise AttributeError("property '<lambda>' of 'Config' object has no setter")
        object.__setattr__(self, name, value)

    def config_with_absl(self):
        """OutOfScope, by its public name."""
        raise OutOfScope("jax.config.config_with_absl", "use jax.config.update")

    def parse_flags_with_absl(self):
        """OutOfScope, by its public name."""
        raise OutOfScope("jax.config.parse_flags_with_absl", "use jax.config.update")

    def public_states(self) -> dict[str, State]:
        """{"enable_x64": …}: the context managers that `jax` exports."""
        return {n: self._states[n if n in self._states else f"jax_{n}"] for n in PUBLIC}

    @contextlib.contextmanager
    def transfer_guard(self, new_val: str):
        """``jax.transfer_guard``: all four guards at once."""
        with contextlib.ExitStack() as stack:
            for which in ("_host_to_device", "_device_to_device", "_device_to_host", ""):
                stack.enter_context(self.state(f"jax_transfer_guard{which}")(new_val))
            yield

    def make_user_context(self, default_value=None) -> UserContext:
        """``jax.make_user_context``: adds a value to both keys, so everything misses once."""
        info = StateInfo({"name": "user_context", "kind": "context", "values": None,
                          "none_allowed": None, "default": default_value, "settable": False,
                          "in_jit_key": True, "in_trace_context": True})
        state = self._add(info)
        self._version += 1
        return UserContext(state)

    # --- for the model -----------------------------------------------------

    def state(self, name: str) -> State:
        """The state with this full name; KeyError when there is none."""
        return self._states[name]

    def value(self, name: str):
        """Current value of a state or flag, by full name."""
        state = self._states.get(name)
        if state is None:
            return self._flags[name]
        if not state._overridden:
            return state._global
        return self._local.overrides.get(state, state._global)

    def check_limits(self, feature: str, *names: str) -> None:
        """OutOfScope when one of these states is not at its default: see `LIMITED`."""
        for name in names:
            if self.value(name) != self._states[name].info.default:
                raise OutOfScope(f"{feature} with {name}", f"leave {name} at its default there")

    def checks_hits(self) -> bool:
        """Whether results of C++ hits are looked at for NaN and infinity.

        A with block of ``debug_nans`` leaves the check switched off on its thread
        for ever, whatever the process-wide value says.
        """
        if self._local.checks_hits is not None:
            return self._local.checks_hits
        return any(self._states[n].get_global() for n in CHECKS)

    def set_local(self, name: str, value) -> None:
        """Thread-local override, unchecked (``mesh_context_manager``, ``trace_state``, …)."""
        self._states[name].set_local(value)

    def swap_local(self, name: str, value):
        """`set_local` that returns the override before (UNSET when there was none)."""
        return self._states[name].swap_local(value)

    def jit_key(self) -> JitKey:
        """The values that the C++ fast path compares, in JAX's order."""
        return self._snapshot("jit_key", JitKey, self._jit)

    def trace_context(self) -> TraceContext:
        """The values at the head of every Python cache key, in JAX's order."""
        return self._snapshot("trace_context", TraceContext, self._trace)

    def _snapshot(self, name: str, kind: type, states: list[State]) -> tuple:
        # The same object again while no state of it has changed: comparing it costs nothing.
        local = self._local
        known = local.snapshots.get(name)
        if known is None or known[0] != self._version:
            own = local.overrides
            known = self._version, kind([own.get(s, s._global) if s._overridden else s._global
                                         for s in states])
            local.snapshots[name] = known
        return known[1]

    def jit_key_names(self) -> list[str]:
        """Names of the states in the jit key, in its order."""
        return [s.name for s in self._jit]

    def trace_context_names(self) -> list[str]:
        """Names of the states in the trace context, in its order."""
        return [s.name for s in self._trace]

    def jit_key_fields(self, values: tuple | None = None) -> list[list[str]]:
        """[[state name, text], …] for the values of a jit key that are not the default."""
        return self._fields(self._jit, self.jit_key() if values is None else values)

    def trace_context_fields(self, values: tuple | None = None) -> list[list[str]]:
        """As `jit_key_fields`, for a trace context."""
        return self._fields(self._trace, self.trace_context() if values is None else values)

    def _fields(self, states: list[State], values: tuple) -> list[list[str]]:
        # An old key may be shorter: user contexts were added since. What one starts with is
        # known to the program only, so it is shown, too.
        from simulator import key_text
        known = self._unusual.get(type(values))
        if known is None or known[0] is not values:
            known = self._unusual[type(values)] = values, [
                (s.name, v) for s, v in zip(states, values)
                if not _same(v, None if s.name == "user_context" else s.default)]
        return [[name, key_text.state(v)] for name, v in known[1]]


def _same(a, b) -> bool:
    return a is b or a == b


def _flag_value(name: str, default, text: str | None):
    if text is None:
        return default
    if isinstance(default, bool):
        text = env_bool(name.upper(), text)
    elif isinstance(default, int):
        text = int(text)
    _refuse(name, default, text)
    return text


def _refuse(name: str, default, value) -> None:
    if config_effects.is_refused(name, default, value):
        raise OutOfScope(f"the option {name} ({config_effects.REFUSED[name]})",
                         "leave it at its default")
