"""Checks that are programs, in a notation with the expected answers beside the calls.

    g(x)                    #: M M M M M M M
    g(xn)                   #: M H . H . H .
    with ctx(1): g(x)       #: H
    g([1])                  #: !ValueError

A line with ``#:`` is an observed call; the rest is ordinary code. The letters are
the answers of the stations, in the order of `event_data.STATIONS`: H hit, M
miss, F fallback to Python without an entry, . not asked; trailing dots may be left
out, and several lookups of one station are written together (``MH``). Only lookups
of the outermost call count, not those of what it calls. ``?`` stands for any answers.
"""

from __future__ import annotations

import re
import textwrap
from typing import Any

from simulator.recordings import event_data
from simulator.recordings.recording import Note, Recording
from tests.station_keys import Check

PRELUDE = """\
# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
# log: off
import collections, dataclasses, enum, functools, gc, inspect, os, sys
import numpy as np
import jax
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P, SingleDeviceSharding

d = jax.devices()
xn = np.arange(4, dtype='f4')
x = jax.device_put(xn)                      # on device 0, not committed

def f(x):
    return lax.sin(x)

g = jax.jit(f)

def mesh(axis='x', devices=None, kind=AxisType.Auto):
    return Mesh(np.array(devices or d), (axis,), axis_types=(kind,))

def put(spec, *where, **how):               # xn, cut along a mesh
    return jax.device_put(xn, NamedSharding(mesh(*where, **how), spec))
"""

_OBSERVED = re.compile(r"^(\s*(?:(?:with|if) .*?: )?)(\S.*?)\s*#: ?(.*)$")
_LETTERS = {"hit": "H", "miss": "M", "fallback": "F"}


def check(station: str, field: str, name: str, body: str, prelude: str = PRELUDE) -> Check:
    """A check from a program in the notation above; directives at its top stay at the top."""
    text, expected = translate(body, prelude)
    return Check(station, field, name, lambda: run(text, expected), text, expected)


def translate(body: str, prelude: str) -> tuple[str, dict[str, str]]:
    """(the program as it runs, expectation by label of the call)."""
    header, code, expected = [], [], {}
    for number, line in enumerate(textwrap.dedent(body).strip("\n").splitlines(), 1):
        if re.match(r"# (env|processes|log):", line):
            header.append(line)
            continue
        if observed := _OBSERVED.match(line):
            before, call, wanted = observed.groups()
            label = f"{number}: {call}"
            expected[label] = wanted.strip()
            line = f"{before}call({label!r}, lambda: {call})"
        code.append(line)
    return "\n".join([*header, prelude, *code, ""]), expected


def run(text: str, expected: dict[str, str]) -> None:
    """Run on the model and compare. AssertionError names the first call that differs."""
    from simulator.running import program
    compare(program.observe_text(text, name="check.py", keys=False), expected)


def compare(found: Recording, expected: dict[str, str]) -> None:
    """AssertionError unless every call of a recording has the expected answers."""
    seen = set()
    for call in found.calls:
        if isinstance(call, Note):
            continue
        seen.add(call.label)
        wanted = expected[call.label]
        got = answers(call)
        assert wanted == "?" or _full(wanted) == got, (
            f"{call.label}: expected {wanted}, got {got}")
    assert seen == set(expected), f"never called: {set(expected) - seen}"


def answers(call: Any) -> str:
    """The answers of a recorded call, in the notation."""
    depth = min((e["depth"] for e in call.events if e["kind"] == "lookup"), default=0)
    letters = []
    for station in event_data.STATIONS:
        here = [_LETTERS[e["outcome"]] for e in call.events
                if e["kind"] == "lookup" and e["station"] == station and e["depth"] == depth]
        letters.append("".join(here) or ".")
    error = f" !{call.exception.split(':')[0]}" if call.exception else ""
    return " ".join(letters) + error


def _full(wanted: str) -> str:
    letters, _, error = wanted.partition("!")
    given = letters.split()
    given += ["."] * (len(event_data.STATIONS) - len(given))
    return " ".join(given) + (f" !{error}" if error else "")
