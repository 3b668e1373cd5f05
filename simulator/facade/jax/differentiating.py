"""Differentiation: what has to know every primitive, and its rules."""

from simulator.facade import lazily

lazily.everything()

from simulator.autodiff import jit_rules as _jit_rules  # noqa: E402, F401
from simulator.autodiff import rules as _rules  # noqa: E402, F401
from simulator.autodiff.checkpoint import checkpoint, remat  # noqa: E402, F401
from simulator.autodiff.gradients import (  # noqa: E402, F401
    grad,
    jvp,
    linear_transpose,
    linearize,
    value_and_grad,
    vjp,
)
from simulator.autodiff.jacobians import hessian, jacfwd, jacobian, jacrev  # noqa: E402, F401
from simulator.batching import all as _batching  # noqa: E402, F401
from simulator.control_flow import derivatives as _derivatives  # noqa: E402, F401
