"""``jax.ref``."""

from simulator.facade.public import missing as _missing
from simulator.references.ref import PublicRef as Ref
from simulator.references.ref import addupdate, freeze, get, new_ref, swap
from simulator.references.ref import set_ as set
from simulator.references.ref_types import AbstractRef

__getattr__ = _missing("jax.ref")

__all__ = ["AbstractRef", "Ref", "addupdate", "freeze", "get", "new_ref", "set", "swap"]
