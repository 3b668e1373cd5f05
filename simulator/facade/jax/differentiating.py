"""Differentiation: what has to know every primitive, and its rules."""

from simulator.autodiff import jit_rules as _jit_rules  # noqa: F401
from simulator.autodiff import rules as _rules  # noqa: F401
from simulator.autodiff.gradients import (  # noqa: F401
    grad,
    jvp,
    linear_transpose,
    linearize,
    value_and_grad,
    vjp,
)
