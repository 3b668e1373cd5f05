"""What a loop demands of its body, and a branch of the others: the same structure and types.

Types agree when shape, dtype, explicit sharding and the axes over which they vary do;
weak types are ignored. A carry that starts weakly typed, such as a Python number, is
converted once to what the body returns.

JAX source: ``jax/_src/core.py: aval_mismatch_extra``;
``jax/_src/lax/control_flow/loops.py: _check_carry_type,
_promote_weak_typed_input``; ``jax/_src/lax/control_flow/conditionals.py:
_check_branch_outputs``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simulator import process
from simulator.facade.jax.lax import convert
from simulator.facade.jax.numpy import util
from simulator.functions.function_info import fun_sourceinfo
from simulator.functions.parameters import parameters
from simulator.named_tuples import NamedTuple
from simulator.trees import tree_errors
from simulator.trees.keypaths import keystr
from simulator.types.avals import ShapedArray, match


class Types(NamedTuple):
    """A structure and the types of its leaves."""

    tree: Any
    avals: tuple[ShapedArray, ...]

    def unflatten(self) -> Any:
        """The structure with a type in the place of every leaf."""
        return self.tree.unflatten(self.avals)

    def paths(self) -> list[tuple]:
        """The key path of each leaf; empty ones for containers that do not hold types."""
        try:
            pairs = process.current().registries.tracing.flatten(
                self.unflatten(), with_path=True)[0]
            if len(pairs) == len(self.avals):
                return [path for path, _ in pairs]
        except Exception:  # a program's own container
            pass
        return [()] * len(self.avals)


def _mismatch(a: ShapedArray, b: ShapedArray) -> str:
    found = (["the dtypes do not match"] if a.dtype is not b.dtype else []) + (
        ["the shapes do not match"] if a.shape != b.shape else []) + (
        ["the manual axis types do not match"] if a.varying != b.varying else [])
    return ", so " + ", and ".join(found) if found else ""


def _listed(lines: list[str], gap: str = "\n\n") -> str:
    if len(lines) == 1:
        return f"{lines[0]}.\n"
    return gap.join(f"  * {line};" for line in lines[:-1]) + f"\n  * {lines[-1]}.\n"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def promote(values: Sequence[Any], ins: Sequence[ShapedArray], outs: Sequence[ShapedArray]
            ) -> tuple[list, bool]:
    """Convert weakly typed starting values to what the body returns; say whether any was."""
    promoted, changed = [], False
    for value, a, b in zip(values, ins, outs):
        if a.weak_type and not match(a, b):
            value = convert.convert_element_type(value, util.result_type(value, b)[0])
            changed = True
        promoted.append(value)
    return promoted, changed


def check_carry(what: str, body: Callable, before: Types, after: Types) -> None:
    """TypeError unless the body returns the structure and the types that it was given.

    Args:
      what: ``"scan body"`` or ``"while_loop body"``.
    """
    known = parameters(body)
    name = next(iter(known.names), None) if known is not None else None

    def component(path: tuple) -> str:
        if name:
            return f"the input carry component {name}{keystr(path)}" if path else (
                f"the input carry {name}")
        return f"the input carry at path {keystr(path)}" if path else "the input carry"

    if before.tree != after.tree:
        lines = _structures(component, before, after)
        if lines:
            raise TypeError(
                f"{what} function carry input and carry output must have the same pytree "
                f"structure, but they differ:\n\n{lines}\n"
                "Revise the function so that the carry output has the same pytree structure as "
                "the carry input.")
        return
    if all(map(match, before.avals, after.avals)):
        return
    lines = [f"{component(path)} has type {a.str_short()} but the corresponding output carry "
             f"component has type {b.str_short()}{_mismatch(a, b)}"
             for path, a, b in zip(before.paths(), before.avals, after.avals) if not match(a, b)]
    if lines:
        if len(lines) == 1:
            lines = [_capital(lines[0])]
        raise TypeError(
            f"{what} function carry input and carry output must have equal types, but they "
            f"differ:\n\n{_listed(lines)}\nRevise the function so that all output "
            "types match the corresponding input types.")


def _structures(component: Callable, before: Types, after: Types) -> str:
    try:
        returned = after.unflatten()
    except Exception:  # a program's own container
        return (f"the input tree structure is:\n{before.tree}\nthe output tree structure is:\n"
                f"{after.tree}\n")
    registry = process.current().registries.default
    lines = [f"{component(path)} is a {a} but the corresponding component of the carry output is "
             f"a {b}, so {why}"
             for path, a, b, why in tree_errors.equality_errors(
                 registry, before.unflatten(), returned)]
    if len(lines) == 1:
        lines = [_capital(lines[0])]
    return _listed(lines) if lines else ""


def check_branches(api: str, names: tuple[str, str], functions: tuple[Callable, Callable],
                   first: Types, second: Types) -> None:
    """TypeError unless two branches return the same structure and types.

    Args:
      api: ``"cond"`` or ``"switch"``. names: what the branches are called.
    """
    name1, name2 = names
    where = (f"{name1} is {fun_sourceinfo(functions[0])}\n"
             f"{name2} is {fun_sourceinfo(functions[1])}\n\n")
    try:
        first.unflatten()
    except Exception:  # a program's own container
        def component(path: Any) -> str:
            return ""
    else:
        def component(path: Any) -> str:
            return f" at path {keystr(tuple(path))}" if path else ""
    if first.tree != second.tree:
        registry = process.current().registries.default
        lines = [f"{name1} output{component(path)} is a {a} but {name2} output{component(path)} "
                 f"is a {b}, so {why}"
                 for path, a, b, why in tree_errors.equality_errors_pytreedef(
                     registry, first.tree, second.tree)]
        if lines:
            raise TypeError(
                f"{api} branch outputs must have the same pytree structure, but they differ:\n\n"
                f"{where}{_listed(lines)}\nRevise {name1} and/or {name2} so that "
                "they have the same pytree structure.")
        return
    if all(map(match, first.avals, second.avals)):
        return
    lines = [f"the output of {name1}{component(path)} has type {a.str_short()} but the "
             f"corresponding output of {name2} has type {b.str_short()}{_mismatch(a, b)}"
             for path, a, b in zip(first.paths(), first.avals, second.avals) if not match(a, b)]
    if lines:
        if len(lines) == 1:
            lines = [_capital(lines[0])]
        raise TypeError(
            f"{api} branches must have equal output types but they differ.\n\n"
            f"{where}{_listed(lines, chr(10))}\nRevise {name1} and/or {name2} so that all "
            "output types match.")
