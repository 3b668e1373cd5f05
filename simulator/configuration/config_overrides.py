"""One configuration state at run time: its value, and how a thread overrides it.

JAX source: `jaxlib/config.cc: Config`; `jax/_src/config.py: State,
StateContextManager, UserConfig`.
"""

from __future__ import annotations

import functools

from simulator.configuration.config_states import StateInfo

UNSET = object()     # no thread-local override
_MISSING = object()
CHECKS = ("jax_debug_nans", "jax_debug_infs")


class State:
    """One state of one process. ``state(value)`` is a context manager and decorator."""

    __slots__ = ("_config", "info", "default", "places", "_global", "_overridden", "__name__")

    def __init__(self, config, info: StateInfo, default):
        self._config, self.info, self.default = config, info, default
        self.places: list[tuple[str, int]] = []   # (key, position of its value in there)
        self._global = default
        self._overridden = False    # whether any thread ever had a value of its own
        self.__name__ = info.public_name

    @property
    def name(self) -> str:
        """The state's name, such as ``jax_enable_x64``."""
        return self.info.name

    @property
    def value(self):
        """The override of this thread, else the value of the process."""
        return self._config._local.overrides.get(self, self._global)

    def get_global(self):
        """The process-wide value."""
        return self._global

    def set_global(self, value) -> None:
        """Sets the process-wide value, unchecked."""
        self._global = value
        self._config._version += 1

    def get_local(self):
        """This thread's override, or `UNSET`."""
        return self._config._local.overrides.get(self, UNSET)

    def set_local(self, value) -> None:
        """Sets this thread's override, unchecked; UNSET removes it."""
        self.swap_local(value)

    def swap_local(self, value):
        """`set_local` that returns what was there (maybe UNSET)."""
        local = self._config._local
        before = local.overrides.pop(self, UNSET)
        if value is not UNSET:
            self._overridden = True
            local.overrides[self] = value
        now = self._global if value is UNSET else value
        for name, place in self.places:
            known = local.snapshots.get(name)
            if known is not None:    # the same values, but for this one
                version, values = known
                if values[place] is now:
                    continue
                local.snapshots[name] = version, type(values)(
                    (*values[:place], now, *values[place + 1:]))
        if self.name in CHECKS:
            # JAX source: jax/_src/api.py: _update_debug_special_thread_local
            local.checks_hits = any(local.overrides.get(self._config.state(n)) is True
                                    for n in CHECKS)
        return before

    def __bool__(self):
        raise TypeError("bool() not supported for instances of type 'State' (did you mean to use "
                        "'State.value' instead?)")

    def __call__(self, new_val=_MISSING):
        if new_val is _MISSING:
            if self.info.kind != "bool":
                raise TypeError(f"Context manager for {self.__name__} config option requires an "
                                "argument representing the new value for the config option.")
            new_val = True
        return Override(self, self._config._checked(self.info, new_val))


class Override:
    """Sets a state for this thread inside a with block, or inside a decorated function."""

    def __init__(self, state: State, value):
        self.state, self.value, self.before = state, value, UNSET

    def __enter__(self):
        self.before = self.state.swap_local(self.value)

    def __exit__(self, *_):
        self.state.set_local(self.before)

    def __call__(self, fun):
        @functools.wraps(fun)
        def wrapper(*args, **kwargs):
            with Override(self.state, self.value):
                return fun(*args, **kwargs)
        return wrapper


class UserContext:
    """What ``jax.make_user_context`` returns: call it with a value, use as context manager."""

    def __init__(self, state: State):
        self._state = state

    @property
    def value(self):
        """What this thread sees: its override, or else the process-wide value."""
        return self._state.value

    def get_global(self):
        """The process-wide value."""
        return self._state.get_global()

    def set_global(self, value) -> None:
        """Change the process-wide value."""
        self._state.set_global(value)

    def __call__(self, value):
        return Override(self._state, value)
