"""Transfer guards: what they say to values that move between the host and devices.

A transfer is explicit when `jax.device_put` asks for it, and implicit otherwise: NumPy
arrays and Python scalars as arguments, arrays that a program wants on other devices.
On CPU nothing guards the way back to the host.

JAX source: ``jaxlib/guard_lib.cc: ApplyTransferGuardToHostToDevice,
ApplyTransferGuardToDeviceToDevice``, ``jaxlib/py_values.cc``, ``jaxlib/py_array.cc``.

Simplified: the values ``log`` and ``log_explicit`` are as good as ``allow``: XLA writes to the
terminal, past all that is recorded. C++ does not look where an array is that it moves from one
device to one other; the Python path does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator import process
from simulator.device_arrays.arrays import Array
from simulator.device_arrays.values import abstractify
from simulator.errors import JaxRuntimeError, OutOfScope
from simulator.references.ref_types import is_ref

IMPLICIT = ("disallow", "disallow_explicit")
EXPLICIT = ("disallow_explicit",)


def _refused(way: str, values: tuple) -> bool:
    return process.current().config.value(f"jax_transfer_guard_{way}") in values


def check_hosts(args: Sequence[Any], targets: Sequence[Any]) -> None:
    """JaxRuntimeError when arguments come from the host and may not."""
    if not _refused("host_to_device", IMPLICIT):
        return
    for x, target in zip(args, targets):
        if not (isinstance(x, Array) or is_ref(getattr(x, "aval", None))):
            raise _error("host-to-device", abstractify(x), f"dst_sharding={target}")


def check_devices(args: Sequence[Any], targets: Sequence[Any], in_cpp: bool) -> None:
    """JaxRuntimeError when a program wants arrays on other devices and may not."""
    if not _refused("device_to_device", IMPLICIT):
        return
    moving = [(x, t) for x, t in zip(args, targets)
              if isinstance(x, Array) and x.sharding.device_set != t.device_set]
    for x, target in moving:
        if x.sharding.num_devices > 1:
            raise OutOfScope("a transfer guard for an array that leaves several devices",
                             "place it with jax.device_put first")
        if target.num_devices > 1:
            raise _error("device-to-device", x.aval, f"dst_sharding={target}")
    for x, target in () if in_cpp else moving:
        raise _error("device-to-device", x.aval, f"sharding={x.sharding}, dst_sharding={target}")


def check_explicit(x: Any, target: Any) -> None:
    """JaxRuntimeError when `jax.device_put` may not bring `x` to `target`."""
    way = "device-to-device" if isinstance(x, Array) else "host-to-device"
    if _refused(way.replace("-", "_"), EXPLICIT) and not (
            isinstance(x, Array) and x.sharding.device_set == target.device_set):
        raise _error(way, abstractify(x), f"dst_sharding={target}")


def _error(way: str, aval: Any, where: str) -> JaxRuntimeError:
    return JaxRuntimeError(f"INVALID_ARGUMENT: Disallowed {way} transfer: aval={aval!r}, {where}")
