"""What a random program does with its functions: calls, under what circumstances."""

from __future__ import annotations

import random
from collections.abc import Callable

from simulator.live.random_programs import arguments, habits, kinds
from simulator.live.random_programs.bodies import Body

_CONTEXTS = ("jax.enable_x64(True)", 'jax.default_matmul_precision("float32")',
             "jax.default_device(jax.devices()[{d}])", "jax.debug_nans(True)", "jax.disable_jit()",
             'jax.numpy_dtype_promotion("strict")', "jax.log_compiles(True)",
             'jax.numpy_rank_promotion("raise")', "jax.threefry_partitionable(False)",
             "jax.check_tracer_leaks(False)", "jax.enable_x64(False)", "jax.debug_infs(True)",
             "jax.debug_key_reuse(True)", 'jax.named_scope("here")',
             'jax.numpy_rank_promotion("warn")', "jax.ensure_compile_time_eval()")
_SWITCHES = (("jax_enable_x64", ("True", "False")), ("jax_default_matmul_precision", ("'high'", "None")),
             ("jax_numpy_dtype_promotion", ("'strict'", "'standard'")),
             ("jax_optimization_level", ("'O1'", "'UNKNOWN'")), ("jax_debug_infs", ("True", "False")),
             ("jax_disable_jit", ("True", "False")), ("jax_no_tracing", ("True", "False")))


class Acts:
    """A program being drawn, as far as acts need to know it.

    `drawing.Program` adds how functions are written (`_jitted`, `_body`). functions: names, and makers of the arguments of a call. devices, processes: how many.
    """

    pick: random.Random
    functions: list[tuple[str, Callable[[], str]]]
    blocks: list[str]
    count: int
    devices: int
    processes: int

    def _array(self) -> str:
        return arguments.array(self.pick, self.devices)

    def _act(self) -> None:
        acts: list[tuple[Callable[[], str], float]] = [
            (self._call, 6), (self._loop, 4), (self._inside_context, 1.5), (self._switch, 0.8),
            (self._chain, 1.5), (self._ahead, 0.8), (self._wrong, 0.8), (self._anew, 1.5),
            (self._clear, 0.7), (self._delete, 0.5), (self._types, 0.5), (self._eager, 1),
            (self._more, 4), *([(self._restarted, 3)] if self.processes > 1 else [])]
        self.blocks.append(self.pick.choices([a for a, _ in acts], [w for _, w in acts])[0]())

    def _chosen(self) -> tuple[str, Callable[[], str]]:
        return self.pick.choice(self.functions)

    def _label(self) -> str:
        self.count += 1
        return f"c{self.count}"

    def _call(self, indent: str = "") -> str:
        name, given = self._chosen()
        arguments_text = given()
        lines = [f'{indent}call("{self._label()}", lambda: {name}({arguments_text}))']
        if self.pick.random() < 0.4:
            lines.append(f'{indent}call("{self._label()}", lambda: {name}({arguments_text}))')
        return "\n".join(lines)

    def _loop(self) -> str:
        name, given = self._chosen()
        series = [given() for _ in range(self.pick.choice((1, 2, 2, 3)))]
        picked = [self.pick.choice(series) for _ in range(self.pick.randint(2, 4))]
        thunks = ", ".join(f"lambda: {name}({a})" for a in picked)
        label = self._label()
        return (f"for i, thunk in enumerate([{thunks}]):\n"
                f'    call(f"{label} {{i}}", thunk)')

    def _inside_context(self) -> str:
        context = self.pick.choice(_CONTEXTS).format(d=self.pick.randrange(self.devices))
        if self.devices > 1 and self.pick.random() < 0.3:
            context = "jax.set_mesh(mesh)"
        if self.pick.random() < 0.2:
            context += f", {self.pick.choice(_CONTEXTS).format(d=0)}"
        return f"with {context}:\n{self._call('    ')}\n{self._call('    ')}"

    def _switch(self) -> str:
        name, values = self.pick.choice(_SWITCHES)
        return (f'jax.config.update("{name}", {values[0]})\n{self._call()}\n'
                f'jax.config.update("{name}", {values[1]})\n{self._call()}')

    def _chain(self) -> str:
        name, _ = self._chosen()
        label = self._label()
        return (f"state = {self._array()}\nfor i in range({self.pick.choice((2, 3))}):\n"
                f'    state = call(f"{label} {{i}}", lambda: {name}(state))')

    def _ahead(self) -> str:
        name, given = self._chosen()
        text = given()
        label = self._label()
        return (f'lowered = call("{label} lower", lambda: jax.jit({name}).lower({text}))\n'
                f'compiled = call("{label} compile", lambda: lowered.compile())\n'
                f'call("{label} run", lambda: compiled({text}))')

    def _wrong(self) -> str:
        name, _ = self._chosen()
        bad = self.pick.choice((*arguments.WRONG, "", "jnp.ones(2), jnp.ones(3), 1, 2"))
        return f'call("{self._label()} wrong", lambda: {name}({bad}))\n{self._call()}'

    def _anew(self) -> str:
        """A wrapper, a lambda or a partial made again in every round of a loop."""
        given = self._array()
        label = self._label()
        made = self.pick.choice((
            f"jax.jit(lambda v: v * {self.pick.choice('23')})", "jax.jit(jnp.square)",
            "jax.jit(functools.partial(jnp.add, 1))", "jax.jit(one_more)",
            "jax.jit(lambda v: v + i)"))
        return ("def one_more(v):\n    return v + 1\n"
                f"for i in range(3):\n    call(f\"{label} {{i}}\", lambda: {made}({given}))")

    def _clear(self) -> str:
        name, _ = self._chosen()
        method = f'call("{self._label()}", lambda: {name}.clear_cache())'
        return self.pick.choice(("jax.clear_caches()", method)) + "\n" + self._call()

    def _delete(self) -> str:
        block = self._jitted("g", "x", self._body(["x"]))
        arguments_text = self._array()
        again = f"{block}\ncall(\"{self._label()}\", lambda: g({arguments_text}))"
        return f"{again}\ndel g\n{again}"

    def _types(self) -> str:
        name, given = self._chosen()
        return self.pick.choice((
            f'call("{self._label()}", lambda: jax.eval_shape({name}, {given()}))',
            f'call("{self._label()}", lambda: print(jax.make_jaxpr({name})({given()})))'))

    def _more(self) -> str:
        pick, label, (name, _) = self.pick, self._label(), self._chosen()
        return pick.choice((*kinds.ACTS, *habits.ACTS))(pick, label, name)

    def _eager(self) -> str:
        a, b = self._array(), self._array()
        body = Body(self.pick, ["x", "y"])
        expression = body.result if not body.lines else "x * y"
        return (f"x, y = {a}, {b}\n"
                f'call("{self._label()}", lambda: {expression})')

    def _restarted(self) -> str:
        """Only one of the processes does this: the others find on disk what it left."""
        return (f'if os.environ["CASE_PROCESS"] == "{self.pick.randrange(self.processes)}":\n'
                f"{self._call('    ')}")
