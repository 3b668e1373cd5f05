"""Whole random programs: functions, the ways people jit them, and calls of them.

A program is a list of blocks: pieces of source text that each stand by themselves, so
that a program that differs can be cut down by leaving blocks out. The first block, the
header, always stays.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from simulator.live.random_programs import arguments, devices, habits, kinds
from simulator.live.random_programs.acts import Acts
from simulator.live.random_programs.bodies import Body

_HEADER = """\
import dataclasses
import functools
import gc
import os
from typing import NamedTuple
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P"""
# What is left in cycles of references goes before each call: when Python collects by itself
# is not defined, and entries of caches go with the functions.
_CALLS = re.compile(r"^( *)((?:\w+ = )?call\()", re.M)
_MESH = 'mesh = jax.make_mesh((4,), ("x",), axis_types=({kind},))'
_DISK = """\
jax.config.update("jax_compilation_cache_dir", os.environ["CASE_TMP"])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)"""
_PAIR = "class Pair(NamedTuple):\n    a: object\n    b: object"


class Program(Acts):
    """One random program, block by block.

    Args:
      pick: the source of chance; the same state gives the same program.
      transformed: whether functions may be transformed (vmap, grad) and contain loops.
    """

    def __init__(self, pick: random.Random, transformed: bool = True):
        self.pick, self.transformed = pick, transformed
        self.devices = 4 if pick.random() < 0.25 else 1
        self.processes = pick.choice((2, 2, 2, 3)) if pick.random() < 0.08 else 1
        self.functions: list[tuple[str, Callable[[], str]]] = []  # name, a call's arguments
        self.helpers: list[str] = []
        self.count = 0
        head = [_HEADER]
        if self.devices > 1:
            head.insert(0, "# env: XLA_FLAGS=--xla_force_host_platform_device_count=4")
            kind = "AxisType.Auto" if pick.random() < 0.7 else "AxisType.Explicit"
            head.append(_MESH.format(kind=kind))
        if self.processes > 1:
            head.insert(0, f"# processes: {self.processes}")
        if self.processes > 1 or pick.random() < 0.15:
            head.append(_DISK)
        self.blocks = ["\n".join([*head, _PAIR])]
        for _ in range(pick.choice((1, 2, 2, 3, 3))):
            self._define()
        for _ in range(pick.randint(3, 9)):
            self._act()
        self.blocks = [_CALLS.sub(r"\1gc.collect(); \2", block) for block in self.blocks]

    def text(self) -> str:
        """The program's text: its blocks, one below the other."""
        return "\n".join(self.blocks) + "\n"

    # --- functions ------------------------------------------------------------------

    def _name(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def _body(self, inputs: list[str], indent: str = "    ", scalar: bool = False) -> str:
        loops = self.transformed and self.pick.random() < 0.3
        return Body(self.pick, inputs, self.helpers, loops, scalar, True).text(indent)

    def _define(self) -> None:
        drawn = [self._plain, self._plain, self._two, self._static, self._tree, self._keyword,
                 self._closure, self._method, self._lambda, self._pair, self._helper, self._donating]
        if self.transformed:
            drawn += [self._mapped, self._gradient, *[self._other] * 14]
            drawn += [self._on_devices] * 10 if self.devices > 1 else []
        self.pick.choice(drawn)()

    def _other(self) -> None:
        name = self._name("f")
        self._add(name, *self.pick.choice((*kinds.FUNCTIONS, *habits.FUNCTIONS))(
            self.pick, name, self.devices))

    def _jitted(self, name: str, signature: str, body: str, options: str = "") -> str:
        """A definition, jitted in one of the ways people do it."""
        way = self.pick.randrange(4)
        if way == 0 and not options:
            return f"@jax.jit\ndef {name}({signature}):\n{body}"
        if way == 1 and options:
            return f"@functools.partial(jax.jit, {options})\ndef {name}({signature}):\n{body}"
        if way == 2 and options:
            return f"@jax.jit({options})\ndef {name}({signature}):\n{body}"
        given = f", {options}" if options else ""
        return (f"def _{name}({signature}):\n{body}\n"
                f"{name} = jax.jit(_{name}{given})")

    def _options(self) -> str:
        return self.pick.choice(("", "", "", "", "inline=True", "keep_unused=True"))

    def _add(self, name: str, block: str, call: Callable[[], str]) -> None:
        self.blocks.append(block)
        self.functions.append((name, call))

    def _plain(self) -> None:
        name = self._name("f")
        self._add(name, self._jitted(name, "x", self._body(["x"]), self._options()), self._array)

    def _two(self) -> None:
        name = self._name("f")
        self._add(name, self._jitted(name, "x, y", self._body(["x", "y"]), self._options()),
                  lambda: f"{self._array()}, {self._array()}")

    def _static(self) -> None:
        name, pick = self._name("f"), self.pick
        body = self._body(["x"])
        body = body.replace("return ", "return (n, ", 1) + ")" if pick.random() < 0.3 else body
        options = pick.choice(("static_argnums=1", 'static_argnames=("n",)', 'static_argnames="n"',
                               "static_argnums=(1,)"))
        uses = f"    if n == 2:\n        x = x + 1\n{body}"
        by_name = pick.random() < 0.5
        self._add(name, self._jitted(name, "x, n", uses, options),
                  lambda: f"{self._array()}, {'n=' if by_name and pick.random() < 0.6 else ''}"
                          f"{pick.choice(arguments.STATICS if pick.random() < 0.9 else arguments.UNHASHABLE)}")

    def _tree(self) -> None:
        name = self._name("f")
        body = "    a, b = d['a'], d['b']\n" + self._body(["a", "b"])
        self._add(name, self._jitted(name, "d", body, self._options()),
                  lambda: arguments.pytree(self.pick, self.devices))

    def _pair(self) -> None:
        name = self._name("f")
        body = "    a, b = p\n" + self._body(["a", "b"])
        self._add(name, self._jitted(name, "p", body), lambda: arguments.pair(self.pick, self.devices))

    def _keyword(self) -> None:
        name, pick = self._name("f"), self.pick
        self._add(name, self._jitted(name, "x, *, scale=2.0, shift=0", self._body(
            ["x", "scale", "shift"])), lambda: pick.choice((
                "{a}", "{a}, scale={b}", "{a}, shift={b}, scale=1.0", "{a}, scale=3.0, shift=1",
                "x={a}")).format(a=self._array(), b=self._array()))

    def _closure(self) -> None:
        name, held = self._name("f"), self._name("k")
        made = self.pick.choice(arguments.HELD)
        body = (f"    {held}_ = jnp.asarray({held})\n" if made.startswith("[")
                else f"    {held}_ = {held}\n")
        self._add(name, f"{held} = {made}\n" + self._jitted(
            name, "x", body + self._body(["x", f"{held}_"])), self._array)

    def _method(self) -> None:
        name, pick = self._name("C"), self.pick
        eq = ("\n    def __hash__(self):\n        return hash(self.k)\n    def __eq__(self, other):\n"
              "        return self.k == other.k") if pick.random() < 0.5 else ""
        block = (f"class {name}:\n    def __init__(self, k):\n        self.k = k{eq}\n"
                 "    @functools.partial(jax.jit, static_argnums=0)\n    def run(self, x):\n"
                 f"        k = self.k\n{self._body(['x', 'k'], '        ')}\n"
                 f"{name.lower()} = {name}({pick.choice('123')})")
        self._add(f"{name.lower()}.run", block, self._array)
        if pick.random() < 0.5:
            self._add(f"{name}({pick.choice('12')}).run", "pass", self._array)

    def _lambda(self) -> None:
        name = self._name("f")
        body = Body(self.pick, ["x"])
        expression = body.result if not body.lines else "x * 2"
        self._add(name, f"{name} = jax.jit(lambda x: {expression})", self._array)

    def _helper(self) -> None:
        name = self._name("h")
        self._add(name, self._jitted(name, "x", self._body(["x"]), self._options()), self._array)
        self.helpers.append(name)

    def _donating(self) -> None:
        name, pick = self._name("f"), self.pick
        options = pick.choice(("donate_argnums=0", 'donate_argnames=("x",)', "donate_argnums=(0, 1)"))
        self._add(name, self._jitted(name, "x, y", self._body(["x", "y"]), options),
                  lambda: f"{self._array()}, {self._array()}")

    def _mapped(self) -> None:
        name, pick = self._name("f"), self.pick
        wrapped = pick.choice(("jax.vmap({f})", "jax.jit(jax.vmap({f}))", "jax.vmap(jax.jit({f}))"))
        block = f"def _{name}(x):\n{self._body(['x'])}\n{name} = {wrapped.format(f='_' + name)}"
        shapes = ("(3,)", "(2, 3)", "(4, 2)")
        self._add(name, block, lambda: f"jnp.ones({pick.choice(shapes)})")

    def _gradient(self) -> None:
        name, pick = self._name("f"), self.pick
        wrapped = pick.choice(("jax.grad({f})", "jax.jit(jax.grad({f}))", "jax.grad(jax.jit({f}))",
                               "jax.jit(jax.value_and_grad({f}))"))
        block = (f"def _{name}(x):\n    y = x * 3.0\n{self._body(['x', 'y'], scalar=True)}\n"
                 f"{name} = {wrapped.format(f='_' + name)}")
        values = ("jnp.ones(3)", "2.0", "jnp.arange(3.)", "np.ones(2, np.float32)", "jnp.ones((2, 2))")
        self._add(name, block, lambda: pick.choice(values))

    def _on_devices(self) -> None:
        name, pick = self._name("f"), self.pick
        block = (f"def _{name}(x):\n    y = {devices.collective(pick)}\n{self._body(['x', 'y'])}\n"
                 f"{name} = {devices.around(pick, '_' + name)}")
        self._add(name, block, lambda: devices.array(pick))


def draw(seed: int, number: int, transformed: bool = True) -> list[str]:
    """The blocks of program `number` of a seed; the same always."""
    return Program(random.Random(f"{seed}/{number}"), transformed).blocks
