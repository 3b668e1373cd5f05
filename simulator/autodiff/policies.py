"""``jax.checkpoint_policies``: what a checkpointed function saves for the backward pass.

A policy is asked ``(primitive, *types, **params)`` whether the result may be saved.

JAX source: ``jax/_src/ad_checkpoint.py``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from simulator.errors import OutOfScope


def everything_saveable(*_: Any, **__: Any) -> bool:
    """Save everything, as without ``jax.checkpoint``."""
    return True


def nothing_saveable(*_: Any, **__: Any) -> bool:
    """Save nothing but the arguments: the default."""
    return False


@dataclasses.dataclass(frozen=True)
class DotsSaveable:
    """Save the results of products of matrices."""

    only_if_no_batch_dims: bool

    def __call__(self, primitive: Any, *avals: Any, **params: Any) -> bool:
        if primitive.name != "dot_general":
            return False
        return not self.only_if_no_batch_dims or not any(params["dimension_numbers"][1])


@dataclasses.dataclass(frozen=True)
class SaveOnlyTheseNames:
    """Save what ``checkpoint_name`` called one of these names."""

    saveable_names: frozenset

    def __call__(self, primitive: Any, *avals: Any, **params: Any) -> bool:
        return primitive.name == "name" and params["name"] in self.saveable_names


@dataclasses.dataclass(frozen=True)
class SaveAnyNamesButThese:
    """Save what ``checkpoint_name`` called otherwise."""

    names: frozenset

    def __call__(self, primitive: Any, *avals: Any, **params: Any) -> bool:
        return primitive.name == "name" and params["name"] not in self.names


checkpoint_dots = dots_saveable = DotsSaveable(False)
checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable = DotsSaveable(True)


def save_only_these_names(*names: str) -> Callable:
    """Only these named values."""
    return SaveOnlyTheseNames(frozenset(names))


def save_any_names_but_these(*names: str) -> Callable:
    """Named values, except these."""
    return SaveAnyNamesButThese(frozenset(names))


def save_anything_except_these_names(*names: str) -> Callable:
    """As in JAX, this saves everything."""
    return lambda *_, **__: True


def save_from_both_policies(policy_1: Callable, policy_2: Callable) -> Callable:
    """What one of two policies saves."""
    def policy(primitive: Any, *avals: Any, **params: Any) -> bool:
        first, second = policy_1(primitive, *avals, **params), policy_2(primitive, *avals, **params)
        if not (isinstance(first, bool) and isinstance(second, bool)):
            raise ValueError("The return value of the policies should be a boolean. Got: "
                             f"{first} and {second}. Please write a custom policy function "
                             "directly, rather than using this helper function.")
        return first or second
    return policy


def offload_dot_with_no_batch_dims(offload_src: str, offload_dst: str) -> Callable:
    """OutOfScope, by its public name: it needs memory kinds."""
    raise OutOfScope("jax.checkpoint_policies.offload_dot_with_no_batch_dims",
                     "there are no memory kinds; use dots_with_no_batch_dims_saveable")


def save_and_offload_only_these_names(**_: Any) -> Callable:
    """OutOfScope, by its public name: it needs memory kinds."""
    raise OutOfScope("jax.checkpoint_policies.save_and_offload_only_these_names",
                     "there are no memory kinds; use save_only_these_names")
