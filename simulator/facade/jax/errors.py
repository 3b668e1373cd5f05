"""``jax.errors``."""

from simulator.errors import (
                              ConcretizationTypeError,
                              JAXIndexError,
                              JaxRuntimeError,
                              JAXTypeError,
                              KeyReuseError,
                              NonConcreteBooleanIndexError,
                              TracerArrayConversionError,
                              TracerBoolConversionError,
                              TracerIntegerConversionError,
                              UnexpectedTracerError,
)
from simulator.facade.public import missing as _missing

__getattr__ = _missing("jax.errors")

__all__ = ["ConcretizationTypeError", "JAXIndexError", "JAXTypeError", "JaxRuntimeError",
           "KeyReuseError", "NonConcreteBooleanIndexError", "TracerArrayConversionError",
           "TracerBoolConversionError", "TracerIntegerConversionError", "UnexpectedTracerError"]
