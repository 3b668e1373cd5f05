"""The errors that a program can meet in the model.

Errors that JAX itself raises carry JAX's name and JAX's words, so that a program sees
what it would see on real JAX. One error is ours: `OutOfScope`.
"""

from __future__ import annotations

_RECORD = "record it on real JAX with python -m simulator.live observe"
_ADVICE = {
}
"""What to do instead of the features that people ask for most, by the last part of their name."""


class OutOfScope(BaseException):
    """The program uses something that the model does not cover.

    It is a `BaseException`, so a program's own ``except Exception`` cannot hide
    it: a run that met something unknown must not go on as if it were known.

    Args:
      feature: what the program used, by its public name (``"jax.live_arrays"``).
      advice: the next step, in one short sentence.
      line: 1-based line of the program, filled in by `simulator.running.program`.
    """

    def __init__(self, feature: str, advice: str = "", line: int | None = None):
        super().__init__(feature)
        self.feature = feature
        self.advice = advice or _ADVICE.get(feature.split(".")[-1].split()[-1], _RECORD)
        self.line = line

    def __str__(self) -> str:
        where = f" at line {self.line}" if self.line else ""
        return f"OutOfScope: {self.feature}{where}: {self.advice}"


class _WithPage:
    """Messages end with the page that explains them.

    JAX source: ``jax/_src/errors.py: _JAXErrorMixin``.
    """

    def __init__(self, message: str):
        super().__init__(f"{message}\nSee https://docs.jax.dev/en/latest/errors.html"
                         f"#jax.errors.{type(self).__name__}")


class JAXTypeError(_WithPage, TypeError):
    """Base of JAX's tracing errors. JAX source: ``jax/_src/errors.py``."""


class JAXIndexError(_WithPage, IndexError):
    """Base of JAX's indexing errors."""


class ConcretizationTypeError(JAXTypeError):
    """A tracer was asked for its value."""


class TracerArrayConversionError(JAXTypeError):
    """A tracer was given to NumPy."""


class TracerIntegerConversionError(JAXTypeError):
    """A tracer was used as a Python index."""


class TracerBoolConversionError(ConcretizationTypeError):
    """A tracer was used as a truth value (``if x > 0``)."""


class NonConcreteBooleanIndexError(JAXIndexError):
    """``x[mask]`` with a traced mask: the result has no known shape."""


class UnexpectedTracerError(JAXTypeError):
    """A tracer escaped from the function that was being traced."""


class ShardingTypeError(Exception):
    """Explicit shardings that do not fit together."""


class KeyReuseError(JAXTypeError):
    """A random key was used twice while ``jax_debug_key_reuse`` is on."""


class JaxRuntimeError(RuntimeError):
    """An error of the XLA runtime."""


class InvalidInputException(TypeError):
    """A type without numbers was given where numbers are needed."""


class InternalFloatingPointError(Exception):
    """A NaN or infinity was found while ``jax_debug_nans`` / ``jax_debug_infs`` is on.

    Args:
      name: the primitive or executable whose output it was.
      kind: ``"nan"`` or ``"inf"``.
    """

    def __init__(self, name: str, kind: str):
        super().__init__(name, kind)
        self.name = name
        self.kind = kind


for _kind in (JAXTypeError, JAXIndexError, ConcretizationTypeError, TracerArrayConversionError,
              TracerIntegerConversionError, TracerBoolConversionError,
              NonConcreteBooleanIndexError, UnexpectedTracerError, KeyReuseError,
              JaxRuntimeError):
    _kind.__module__ = "jax.errors"     # programs print the types
ShardingTypeError.__module__ = "jax._src.core"
InvalidInputException.__module__ = "jax._src.dtypes"
InternalFloatingPointError.__module__ = "jax._src.api_util"
