"""The derivatives of loops and branches: importing this module sets them."""

from simulator.control_flow import (  # noqa: F401
    call_derivatives,
    checkpoints,
    cond_derivatives,
    partial_rules,
    scan_derivatives,
    while_derivatives,
)
