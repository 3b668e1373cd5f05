"""Calling back into Python from a compiled program.

Three kinds, told apart by what the caches may do with them:

* ``jax.debug.print`` / ``jax.debug.callback`` and ``io_callback`` have an
  *effect*. Python must pass the effect's token along, so C++ never answers such
  a call: its fast path entry is dead from the start.
* ``jax.pure_callback`` has none. It is answered by C++ like any other function.

All are kept on disk: the callback is passed beside the module, not in it.

JAX source: ``jax/_src/debugging.py``, ``jax/_src/callback.py``,
``jax/_src/effects.py``.

Simplified: callbacks run in the caller's thread while the program executes, one
after the other. That is what the CPU runtime does with small programs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simulator import process
from simulator.device_arrays import device_put
from simulator.device_arrays.arrays import Array
from simulator.device_arrays.values import x64
from simulator.errors import JaxRuntimeError
from simulator.named_tuples import NamedTuple
from simulator.ndarrays.ndarray import NDArray
from simulator.ndarrays.ndarray_make import asarray
from simulator.placement import mesh, shardings
from simulator.placement.mesh_types import empty_abstract_mesh, empty_concrete_mesh
from simulator.primitives.core import Primitive
from simulator.trees import pytrees
from simulator.types.avals import ShapedArray
from simulator.types.dtypes import canonicalize


class Effect:
    """What a computation does besides computing.

    Args:
      name: as printed in a jaxpr. ordered: whether calls keep their order.
      shardable: whether it may be ordered on several devices. class_name: JAX's.
    """

    def __init__(self, name: str, class_name: str, ordered: bool = False,
                 shardable: bool = False):
        self.name, self.class_name = name, class_name
        self.ordered, self.shardable = ordered, shardable

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<jax._src.{self.class_name} object at {id(self):#x}>"


DEBUG = Effect("Debug", "debugging.DebugEffect")
ORDERED_DEBUG = Effect("OrderedDebug", "debugging.OrderedDebugEffect", ordered=True)
IO = Effect("IO", "callback.IOEffect")
ORDERED_IO = Effect("OrderedIO", "callback.OrderedIOEffect", ordered=True, shardable=True)


def check_devices(effects: frozenset, num_devices: int) -> None:
    """ValueError for ordered effects on several devices."""
    wrong = [e for e in effects if isinstance(e, Effect) and e.ordered and not e.shardable]
    if num_devices > 1 and wrong:
        raise ValueError("The following ordered effects are not supported for more than 1 "
                         f"device: {wrong}")


class FlatCallback(NamedTuple):
    """A callback that takes and returns flat lists. Equal when function and tree are.

    Args:
      callback_func: the program's function. in_tree: structure of (args, kwargs).
    """

    callback_func: Callable
    in_tree: Any
    shown_as = "_FlatCallback"

    def __call__(self, *flat: Any) -> list:
        args, kwargs = self.in_tree.unflatten(flat)
        return pytrees.tree_leaves(self.callback_func(*args, **kwargs))

    def __repr__(self) -> str:
        return f"_FlatCallback(callback_func={self.callback_func}, in_tree={self.in_tree})"

    __str__ = __repr__


# --- running one -------------------------------------------------------------

@contextlib.contextmanager
def _on_the_host(logger: str, what: str, meshless: bool) -> Iterator[None]:
    # Callbacks see the first CPU as default device; it is part of both keys, so
    # a jitted function called in there has entries of its own.
    here = process.current()
    device = here.config.swap_local("jax_default_device", here.devices[0])
    outer = contextlib.ExitStack()
    if meshless:
        outer.enter_context(mesh.internal_use_concrete_mesh(empty_concrete_mesh))
        outer.enter_context(mesh.use_abstract_mesh(empty_abstract_mesh))
    try:
        with outer:
            yield
    except Exception:
        here.recorder.message(f"ERROR:jax._src.{logger}: {what} failed")
        raise
    finally:
        here.config.set_local("jax_default_device", device)


def _arrays(values: Sequence[Any]) -> list[Array]:
    # What the callback gets: committed arrays on the first CPU.
    home = shardings.SingleDeviceSharding(process.current().devices[0])
    return [device_put.place(v, home) for v in values]


@contextlib.contextmanager
def _runtime() -> Iterator[None]:
    # The runtime turns whatever a callback raises into an error of its own.
    try:
        yield
    except Exception as error:
        raise JaxRuntimeError("INTERNAL: CpuCallback error calling callback: Traceback (most "
                              f"recent call last):\n{type(error).__name__}: {error}") from error


def _returned(outs: list, result_avals: Sequence[ShapedArray]) -> list[NDArray]:
    if len(outs) != len(result_avals):
        raise RuntimeError("Mismatched number of outputs from callback. Expected: "
                           f"{len(result_avals)}, Actual: {len(outs)}")
    results = []
    for i, (out, aval) in enumerate(zip(outs, result_avals)):
        dtype = canonicalize(out.dtype, x64())
        if out.shape != aval.shape:
            raise RuntimeError(f"Incorrect output shape for return value #{i}: Expected: "
                               f"{aval.shape}, Actual: {out.shape}")
        if dtype is not aval.dtype:
            raise RuntimeError(f"Incorrect output dtype for return value #{i}: Expected: "
                               f"{aval.dtype}, Actual: {dtype}")
        results.append(out if out.dtype is dtype else out.astype(dtype))
    return results


def _run_value_callback(what: str) -> Callable:
    def impl(*values: NDArray, callback: FlatCallback, result_avals: tuple, **params: Any) -> list:
        with _runtime():
            args = _arrays(values)
            with _on_the_host("callback", what, meshless=False):
                outs = [asarray(out) for out in callback(*args)]
            return _returned(outs, result_avals)
    return impl


def run_debug_callback(args: Sequence[Any], callback: Callable) -> list:
    """Call a callback without results; `args` are arrays or Python scalars."""
    placed = _arrays(args)
    with _on_the_host("debugging", "jax.debug.callback", meshless=True):
        callback(*placed)
    return []


# --- primitives ----------------------------------------------------------------

def _lowered(side_effect: bool, effect: Callable[[dict], Effect | None]) -> Callable:
    # In the module all of them are one custom call; the function is not in it.
    def lowered(params: dict) -> tuple[str, dict]:
        kind = effect(params)
        return "python_callback", {
            "side_effect": side_effect, "ordered": bool(kind and kind.ordered),
            "partitioned": params.get("partitioned", False), "device": params.get("sharding")}
    return lowered


def debug_primitive(name: str, effect: Callable[[dict], Effect], callback: Callable
                     ) -> Primitive:
    """A primitive without results that only calls back: `effect` and `callback` make its
    effect and its function from the equation's parameters."""
    def impl(*values: NDArray, **params: Any) -> list:
        with _runtime():
            return run_debug_callback(values, callback(params))

    made = Primitive(name, abstract=lambda *avals, **params: [], impl=impl,
                     multiple_results=True, effects=lambda params: frozenset({effect(params)}))
    made.eager = lambda *args, **params: run_debug_callback(args, callback(params))
    made.lowered = _lowered(True, effect)
    return made


def _value_primitive(name: str, what: str, effect: Callable[[dict], Effect | None]) -> Primitive:
    made = Primitive(name, abstract=lambda *avals, result_avals, **params: list(result_avals),
                     impl=_run_value_callback(what), multiple_results=True,
                     effects=lambda params: frozenset({effect(params)} - {None}))
    made.lowered = _lowered(name == "io_callback", effect)
    # Lowering asks which device calls back: the devices are in the key of `hlo`.
    made.requires_devices = True
    return made


debug_callback_p = debug_primitive("debug_callback", lambda p: p["effect"],
                                    lambda p: p["callback"])
pure_callback_p = _value_primitive("pure_callback", "jax.pure_callback", lambda p: None)
io_callback_p = _value_primitive("io_callback", "jax.io_callback",
                                 lambda p: ORDERED_IO if p["ordered"] else IO)
