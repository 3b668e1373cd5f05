"""Mutants of the persistent cache's key: the module's text and the compile options, in parts.

JAX source: ``jax/_src/cache_key.py: get``.
"""

from __future__ import annotations

import re
from typing import Any

from simulator import keys, lowering, persistent
from tests.mutation.comparing import Wrap
from tests.mutation.mutants import Mutant

OPTIONS = ("devices", "partitions", "optimization_level", "memory_fitting_level", "remat",
           "profile_version", "shardy", "propagate_to_parameters", "propagate_to_outputs")


def _without(pattern: str, by: str = "") -> Wrap:
    return lambda text: re.sub(pattern, by, text, flags=re.MULTILINE)


# Patterns of the text that `simulator.jaxprs.module` writes.
TEXT: dict[str, Wrap] = {
    "without shapes": _without(r"(?<=[a-z0-9])\[[\d, ]*\]"),
    "without dtypes": _without(r"\b(float|int|uint|bfloat|bool|complex)\d*(?=\[)"),
    "without the numbers of constants": _without(r"(= |, |^|\()[^ ]+:(?=float|int)|"
                                                 r"(?<=\] = ).*$|\[?-?\d+\.\d+[^\]\n]*\]?"),
    "without aliasing": _without(r"alias=\S+ donor=\w+"),
    "without shardings": _without(r"<[^>\n]*>+"),
    "without axis names": _without(r"'[xy]'|\{[xy]\}"),
    "without the paths of results": _without(r"result[^,)\n]*"),
    "without parameters": _without(r"\[[^\[\]\n]*=[^\n]*\]"),
    "without operations": _without(r"(?<= = )\w+(?=\[)"),
    "without arguments of operations": _without(r"(?<=\]) %\d+( %\d+)*$"),
    "without what is returned": _without(r"^return .*$"),
    "without the module's name": _without(r"^module @\S+"),
}
REDUNDANT = {"without the module's name": "the file name has it, too"}


def _options_without(name: str) -> Wrap:
    return lambda options: tuple(pair for pair in options if pair[0] != name)


def _own_options(options: tuple) -> tuple:
    return tuple(pair for pair in options if pair[0] in OPTIONS)


def _flags(change: Any) -> Any:
    def apply() -> None:
        original = persistent.facts
        excluded = original()["persistent"]["excluded_flags"]
        persistent.facts = lambda: {**original(), "persistent": {
            **original()["persistent"], "excluded_flags": change(excluded)}}
    return apply


MUTANTS = [
    *(Mutant("disk", "module", change, lambda wrap=wrap: keys.DISK.compare("module", wrap))
      for change, wrap in TEXT.items() if change not in REDUNDANT),
    *(Mutant("disk", "compile_options", f"without {name}",
             lambda name=name: keys.DISK.compare("compile_options", _options_without(name)))
      for name in OPTIONS),
    Mutant("disk", "compile_options", "without the compiler options given",
           lambda: keys.DISK.compare("compile_options", _own_options)),
    Mutant("disk", "compile_options", "in any order of devices",
           lambda: keys.DISK.compare("compile_options", lambda options: tuple(
               (name, sorted(value) if name == "devices" else value) for name, value in options))),
    Mutant("disk", "xla_flags", "no flag excluded", _flags(lambda excluded: ())),
    Mutant("disk", "xla_flags", "one more flag excluded",
           _flags(lambda excluded: (*excluded, "--xla_one"))),
    Mutant("disk", "xla_flags", "only how many", lambda: keys.DISK.compare(
        "xla_flags", lambda text: len(text.split()))),
    Mutant("hlo", "device_assignment", "always there",
           lambda: setattr(lowering, "requires_devices", lambda jaxpr: True)),
    Mutant("hlo", "device_assignment", "never there",
           lambda: setattr(lowering, "requires_devices", lambda jaxpr: False)),
]
