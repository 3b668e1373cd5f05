"""More kinds of functions and calls: nested, transformed, with rules of their own, with state.

Each takes the program that is being drawn. A kind of function gives its definition, under
the name asked for, and a maker of arguments; a kind of act gives a block.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from simulator.live.random_programs import arguments
from simulator.live.random_programs.bodies import Body

Made = tuple[str, Callable[[], str]]
_FLOATS = ("jnp.ones(3)", "2.0", "jnp.arange(3.)", "np.ones(2, np.float32)", "jnp.ones((2, 2))",
           "jnp.float32(3)")
_KEYS = ("jax.random.key(0)", "jax.random.key(1)", "jax.random.PRNGKey(0)", "jax.random.PRNGKey(7)")
_SAMPLES = ("jax.random.uniform(key, (2,))", "jax.random.normal(key)", "jax.random.bits(key, (2,))",
            "jax.random.randint(key, (3,), 0, 9)", "jax.random.split(key)[0]",
            "jax.random.permutation(key, 4)", "jax.random.fold_in(key, 3)")


def _floats(pick: random.Random) -> Callable[[], str]:
    return lambda: pick.choice(_FLOATS)


def _text(pick: random.Random, inputs: list[str], indent: str = "    ", scalar: bool = False) -> str:
    return Body(pick, inputs, scalar=scalar).text(indent)


# --- functions -----------------------------------------------------------------------

def nested(pick: random.Random, name: str, devices: int) -> Made:
    """A function jitted anew inside a jitted one: by every trace."""
    inner = pick.choice((
        "    g = jax.jit(lambda v: v * 2)\n", "    @jax.jit\n    def g(v):\n        return v - 1\n",
        "    g = jax.jit(jnp.square)\n", "    g = jax.jit(jax.jit(lambda v: v + 1))\n",
        "    g = functools.partial(jax.jit(lambda k, v: v + k), 2)\n"))
    block = (f"@jax.jit\ndef {name}(x):\n{inner}    y = g(x)\n    z = g(y)\n"
             f"{_text(pick, ['x', 'y', 'z'])}")
    return block, lambda: arguments.array(pick, devices)


def partial(pick: random.Random, name: str, devices: int) -> Made:
    """A jitted function with some of its arguments given."""
    made = pick.choice(("functools.partial(jax.jit(_{n}), {a})", "jax.jit(functools.partial(_{n}, {a}))",
                        "jax.tree_util.Partial(jax.jit(_{n}), {a})"))
    given = pick.choice(("2", "3.0", "jnp.ones(3)"))
    return (f"def _{name}(w, x):\n{_text(pick, ['w', 'x'])}\n{name} = {made.format(n=name, a=given)}",
            lambda: arguments.array(pick, devices))


def transformed(pick: random.Random, name: str, devices: int) -> Made:
    """A function under one of the transformations of forward and reverse mode."""
    made = pick.choice((
        "jax.jit(jax.grad(jax.checkpoint(_{n})))", "jax.grad(jax.checkpoint(jax.jit(_{n})))",
        "jax.jit(lambda x: jax.jvp(_{n}, (x,), (x,)))", "jax.jit(lambda x: jax.vjp(_{n}, x)[0])",
        "jax.jit(lambda x: jax.vjp(_{n}, x)[1](1.0))", "jax.jit(jax.jacfwd(_{n}))",
        "jax.jacrev(jax.jit(_{n}))", "jax.jit(lambda x: jax.linearize(_{n}, x)[1](x))",
        "jax.value_and_grad(jax.jit(_{n}))"))
    return (f"def _{name}(x):\n    y = x * 3.0\n{_text(pick, ['x', 'y'], scalar=True)}\n"
            f"{name} = {made.format(n=name)}", _floats(pick))


def custom(pick: random.Random, name: str, devices: int) -> Made:
    """A function with a derivative rule of its own."""
    if pick.random() < 0.5:
        block = (f"@jax.custom_jvp\ndef _{name}(x):\n    return x * 2.0\n"
                 f"_{name}.defjvp(lambda p, t: (_{name}(p[0]), t[0] * 2.0))\n")
    else:
        block = (f"@jax.custom_vjp\ndef _{name}(x):\n    return x * 2.0\n"
                 f"_{name}.defvjp(lambda x: (_{name}(x), None), lambda r, g: (g * 2.0,))\n")
    made = pick.choice(("jax.jit(_{n})", "jax.grad(lambda x: jnp.sum(_{n}(x)))",
                        "jax.jit(jax.grad(lambda x: jnp.sum(_{n}(x))))"))
    return block + f"{name} = {made.format(n=name)}", _floats(pick)


def looping(pick: random.Random, name: str, devices: int) -> Made:
    """A loop or a branch of JAX around what a function does."""
    made = pick.choice((
        "lax.scan(_{n}, x, jnp.arange(3.))", "lax.fori_loop(0, 3, lambda i, c: _{n}(c, i)[0], x)",
        "lax.cond(jnp.sum(x) > 2, lambda v: v * 2, lambda v: v + 1, x)",
        "lax.switch(jnp.int32(1), [lambda v: v, lambda v: v * 2.0], x)",
        "lax.map(lambda v: v * 2, jnp.atleast_1d(x))", "jax.vmap(lambda v: v + 1)(jnp.atleast_1d(x))"))
    jit = pick.choice(("@jax.jit\n", "@jax.jit\n", ""))
    return (f"def _{name}(c, t):\n    return c * 2.0, c + t\n"
            f"{jit}def {name}(x):\n    x = jnp.asarray(x, jnp.float32)\n    return {made.format(n=name)}",
            _floats(pick))


def sampling(pick: random.Random, name: str, devices: int) -> Made:
    """A function of a random key."""
    return (f"@jax.jit\ndef {name}(key):\n    return {pick.choice(_SAMPLES)}", lambda: pick.choice(_KEYS))


def record(pick: random.Random, name: str, devices: int) -> Made:
    """A function of a registered dataclass, with a static field."""
    block = (f"@functools.partial(jax.tree_util.register_dataclass, data_fields=['a', 'b'], "
             f"meta_fields=['k'])\n@dataclasses.dataclass\nclass R{name}:\n    a: object\n    b: object\n"
             f"    k: int = 1\n@jax.jit\ndef {name}(r):\n    a, b, k = r.a, r.b, r.k\n"
             f"{_text(pick, ['a', 'b', 'k'])}")
    return block, lambda: (f"R{name}({arguments.array(pick, devices)}, {arguments.array(pick, devices)}"
                           f"{pick.choice(('', '', ', 2', ', k=3'))})")


def tree(pick: random.Random, name: str, devices: int) -> Made:
    """A function of a deeper tree, with None in it and leaves of several kinds."""
    block = f"@jax.jit\ndef {name}(t):\n    a, b = t['w'][0], t['w'][1]['b']\n{_text(pick, ['a', 'b'])}"
    return block, lambda: (f"{{'w': ({arguments.array(pick, devices)}, {{'b': "
                           f"{arguments.array(pick, devices)}}}), 'n': {pick.choice(('None', '()', '[]', '1'))}}}")


def placed(pick: random.Random, name: str, devices: int) -> Made:
    """A function with shardings of its own; without a mesh, one with a device for its results."""
    if devices == 1:
        options = pick.choice(("out_shardings=jax.sharding.SingleDeviceSharding(jax.devices()[0])",
                               "in_shardings=jax.sharding.SingleDeviceSharding(jax.devices()[0])"))
    else:
        options = pick.choice(("out_shardings=NamedSharding(mesh, P())", "in_shardings=NamedSharding(mesh, P())",
                               "in_shardings=NamedSharding(mesh, P('x'))",
                               "out_shardings=NamedSharding(mesh, P('x'))"))
    return (f"def _{name}(x):\n    return x * 2\n{name} = jax.jit(_{name}, {options})",
            lambda: pick.choice(("jnp.arange(8.)", "np.arange(8.)", "jnp.ones(4)", "jnp.ones((4, 2))")))


FUNCTIONS = (nested, partial, transformed, custom, looping, sampling, record, tree, placed)


# --- acts ----------------------------------------------------------------------------

def fresh_lambdas(pick: random.Random, label: str, name: str) -> str:
    """An eager transformation or loop of a lambda made anew in every round."""
    made = pick.choice((
        "jax.grad(lambda v: jnp.sum(v * 2.0))(x)", "jax.vmap(lambda v: v + 1)(x)",
        "lax.cond(True, lambda v: v, lambda v: -v, x)", "lax.scan(lambda c, t: (c + t, c), 0.0, x)",
        "lax.fori_loop(0, 2, lambda i, v: v + 1, x)", "lax.while_loop(lambda v: jnp.sum(v) < 9, lambda v: v + 1, x)",
        "jax.vjp(lambda v: v * 2.0, x)[0]", "jax.jvp(lambda v: v * 2.0, (x,), (x,))",
        "jax.eval_shape(lambda v: v * 2, x)"))
    return (f"x = {pick.choice(('jnp.ones(3)', 'jnp.arange(3.)'))}\nfor i in range({pick.choice((2, 3))}):\n"
            f'    call(f"{label} {{i}}", lambda: {made})')


def changing_shapes(pick: random.Random, label: str, name: str) -> str:
    """A function called in a loop with arguments of changing shapes, types or places."""
    made = pick.choice(("jnp.ones(n)", "jnp.ones((n, 2))", "np.ones(n, np.float32)", "list(range(n))",
                        "jnp.arange(n) * 1.0", "n", "jnp.full(3, n)"))
    sizes = ", ".join(pick.choice("1234") for _ in range(pick.choice((3, 4))))
    return f'for n in ({sizes}):\n    call(f"{label} {{n}}", lambda: {name}({made}))'


def ahead_of_time(pick: random.Random, label: str, name: str) -> str:
    """The stages one by one, and a compiled program called with what it was not made for."""
    other = pick.choice(("jnp.ones(3)", "jnp.ones(2)", "2.0", "np.ones(3)", "jnp.ones(3), 1"))
    return (f"def stage(x):\n    return x + {pick.choice('12')}\n"
            f'traced = call("{label} trace", lambda: jax.jit(stage).trace(jnp.ones(3)))\n'
            f'lowered = call("{label} lower", lambda: traced.lower())\n'
            f'compiled = call("{label} compile", lambda: lowered.compile())\n'
            f'call("{label} again", lambda: traced.lower().compile())\n'
            f'call("{label} run", lambda: compiled({other}))')


def donated_twice(pick: random.Random, label: str, name: str) -> str:
    """An array is given away, and used again."""
    made = pick.choice(("jnp.ones(3)", "jnp.ones((2, 2))", "np.ones(3, np.float32)"))
    return (f"gives = jax.jit(lambda v: v + 1, donate_argnums=0)\nx = {made}\n"
            f'call("{label} given", lambda: gives(x))\ncall("{label} used", lambda: gives(x))\n'
            f'call("{label} read", lambda: x + 1)')


def in_a_scope(pick: random.Random, label: str, name: str) -> str:
    """A name on the stack around a part of a function."""
    scope = pick.choice(("inner", "outer"))
    return (f'@jax.jit\ndef scoped(x):\n    with jax.named_scope("{scope}"):\n        y = jnp.ones(3) * 2\n'
            f"    return x + y\nfor i in range(2):\n"
            f'    call(f"{label} {{i}}", lambda: scoped({pick.choice(("jnp.ones(3)", "2.0", "np.float32(1)"))}))')


ACTS = (fresh_lambdas, changing_shapes, ahead_of_time, donated_twice, in_a_scope)
