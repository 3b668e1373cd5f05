"""``jax.experimental.checkify``."""

from simulator.checking import inner as _inner  # noqa: F401  (the rules)
from simulator.checking.check import JaxRuntimeError, check, check_error, debug_check
from simulator.checking.error_types import NO_ERROR as init_error
from simulator.checking.error_types import Error
from simulator.checking.error_types import JaxException as _JaxException
from simulator.checking.functionalize import (
    all_checks,
    automatic_checks,
    checkify,
    div_checks,
    float_checks,
    index_checks,
    nan_checks,
    user_checks,
)
from simulator.facade.public import missing as _missing

ErrorCategory = type[_JaxException]

__getattr__ = _missing("jax.experimental.checkify")

__all__ = ["Error", "ErrorCategory", "JaxRuntimeError", "all_checks", "automatic_checks", "check",
           "check_error", "checkify", "debug_check", "div_checks", "float_checks", "index_checks",
           "init_error", "nan_checks", "user_checks"]
