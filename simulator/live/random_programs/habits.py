"""How people write functions and loops around them: factories, classes, options, state."""

from __future__ import annotations

import random
from collections.abc import Callable

from simulator.live.random_programs import arguments
from simulator.live.random_programs.bodies import Body

Made = tuple[str, Callable[[], str]]


def _text(pick: random.Random, inputs: list[str], indent: str = "    ") -> str:
    return Body(pick, inputs).text(indent)


# --- functions -----------------------------------------------------------------------

def factory(pick: random.Random, name: str, devices: int) -> Made:
    """A jitted function that another one makes, over a value it is given."""
    block = (f"def make_{name}(k):\n    @jax.jit\n    def inner(x):\n{_text(pick, ['x', 'k'], ' ' * 8)}\n"
             f"    return inner\n{name} = make_{name}({pick.choice(('2', '3.0', 'jnp.ones(3)'))})")
    if pick.random() < 0.4:
        block += f"\n{name} = [make_{name}(k) for k in (1, 2)][{pick.choice('01')}]"
    return block, lambda: arguments.array(pick, devices)


def chosen(pick: random.Random, name: str, devices: int) -> Made:
    """A function with a static argument that is a function itself."""
    how = pick.choice(('static_argnames="act"', "static_argnums=1"))
    block = (f"def same(v):\n    return v\n@functools.partial(jax.jit, {how})\n"
             f"def {name}(x, act=jnp.abs):\n    x = act(x)\n{_text(pick, ['x'])}")
    word = "act=" if pick.random() < 0.5 else ""
    acts = ("jnp.abs", "same", "jax.nn.relu", "lambda v: v * 2", "functools.partial(jnp.add, 1)")
    return block, lambda: (f"{arguments.array(pick, devices)}"
                           + (f", {word}{pick.choice(acts)}" if pick.random() < 0.7 else ""))


def options(pick: random.Random, name: str, devices: int) -> Made:
    """A function with a frozen dataclass, or a tuple with names, of options as a static argument."""
    if pick.random() < 0.6:
        made = (f"@dataclasses.dataclass(frozen=True)\nclass O{name}:\n    n: int = 1\n    act: str = 'abs'\n")
    else:
        made = f"class O{name}(NamedTuple):\n    n: int = 1\n    act: str = 'abs'\n"
    block = (f"{made}@functools.partial(jax.jit, static_argnums=0)\ndef {name}(o, x):\n"
             f"    for _ in range(o.n):\n        x = x + 1\n    x = abs(x) if o.act == 'abs' else x\n"
             f"{_text(pick, ['x'])}")
    given = ("", "2", "n=2", "act='no'", "1, 'abs'")
    return block, lambda: f"O{name}({pick.choice(given)}), {arguments.array(pick, devices)}"


def any_number(pick: random.Random, name: str, devices: int) -> Made:
    """A function of any number of arguments, by place and by name."""
    block = (f"@jax.jit\ndef {name}(*xs, **named):\n    x = xs[0]\n    y = named.get('w', 1)\n"
             f"    for other in xs[1:]:\n        x = x + other\n{_text(pick, ['x', 'y'])}")

    def given() -> str:
        parts = [arguments.array(pick, devices) for _ in range(pick.choice((1, 1, 2, 3)))]
        parts += [f"{n}={arguments.array(pick, devices)}" for n in pick.choice(((), (), ("w",), ("w", "b")))]
        return ", ".join(parts)
    return block, given


def optional(pick: random.Random, name: str, devices: int) -> Made:
    """A function with an argument that may be None."""
    block = (f"@jax.jit\ndef {name}(x, mask=None):\n    if mask is not None:\n        x = jnp.where(mask, x, 0)\n"
             f"{_text(pick, ['x'])}")
    return block, lambda: (arguments.array(pick, devices)
                           + pick.choice(("", "", ", None", ", True", ", mask=None",
                                          f", {arguments.array(pick, devices)}")))


def layer(pick: random.Random, name: str, devices: int) -> Made:
    """An object that is called, or that jits a method of its own when it is made."""
    if pick.random() < 0.5:
        block = (f"class L{name}:\n    def __init__(self, w):\n        self.w = w\n"
                 f"    def __call__(self, x):\n        w = self.w\n{_text(pick, ['x', 'w'], ' ' * 8)}\n"
                 f"{name} = jax.jit(L{name}({pick.choice(('2', '0.5', 'np.ones(3, np.float32)'))}))")
    else:
        block = (f"class L{name}:\n    def __init__(self, w):\n        self.w = w\n"
                 f"        self.step = jax.jit(self._step{pick.choice(('', ', donate_argnums=0'))})\n"
                 f"    def _step(self, x):\n        w = self.w\n{_text(pick, ['x', 'w'], ' ' * 8)}\n"
                 f"L{name}_one = L{name}({pick.choice('23')})\n{name} = L{name}_one.step")
    return block, lambda: arguments.array(pick, devices)


def impure(pick: random.Random, name: str, devices: int) -> Made:
    """A function that reads a global of today, and writes down that it ran."""
    block = (f"seen_{name} = []\nscale_{name} = {pick.choice(('2', '1.5', 'jnp.ones(3)'))}\n@jax.jit\n"
             f"def {name}(x):\n    seen_{name}.append(jnp.shape(x))\n    k = scale_{name}\n"
             f"{_text(pick, ['x', 'k'])}")
    return block, lambda: arguments.array(pick, devices)


def refusing(pick: random.Random, name: str, devices: int) -> Made:
    """A function that raises for some shapes or types."""
    test = pick.choice(("jnp.ndim(x) > 1", "jnp.shape(x) == (3,)", "jnp.asarray(x).dtype != jnp.float32",
                        "isinstance(x, np.ndarray)", "jnp.size(x) == 0"))
    block = (f"@jax.jit\ndef {name}(x):\n    if {test}:\n        raise ValueError(f'not {{jnp.shape(x)}}')\n"
             f"{_text(pick, ['x'])}")
    return block, lambda: arguments.array(pick, devices)


def twice(pick: random.Random, name: str, devices: int) -> Made:
    """One function under several wrappers."""
    made = pick.choice((
        "jax.jit(_{n}); other_{n} = jax.jit(_{n})", "jax.jit(jax.jit(_{n}))", "jax.jit(_{n}, inline=True)",
        "jax.jit(lambda x: jax.jit(_{n})(x) + other_{n}(x))", "functools.lru_cache(lambda: jax.jit(_{n}))()",
        "jax.jit(functools.wraps(_{n})(lambda *a: _{n}(*a)))"))
    return (f"def _{name}(x):\n{_text(pick, ['x'])}\nother_{name} = jax.jit(_{name})\n"
            f"{name} = {made.format(n=name)}", lambda: arguments.array(pick, devices))


def second_order(pick: random.Random, name: str, devices: int) -> Made:
    """Derivatives of derivatives, and of rows."""
    made = pick.choice((
        "jax.hessian(_{n})", "jax.jit(jax.hessian(_{n}))", "jax.jit(jax.jacfwd(jax.grad(_{n})))",
        "jax.jit(jax.vmap(jax.grad(_{n})))", "jax.vmap(jax.value_and_grad(jax.jit(_{n})))",
        "jax.jit(lambda x: jax.grad(lambda v: jax.grad(_{n})(v).sum())(x))",
        "jax.jit(jax.grad(lambda x: lax.scan(lambda c, _: (c * 2.0, None), _{n}(x), None, length=2)[0]))"))
    values = ("jnp.ones(3)", "jnp.arange(3.)", "np.ones(2, np.float32)", "2.0", "jnp.arange(2.)")
    return (f"def _{name}(x):\n    return jnp.sum(x * x * {pick.choice(('2.0', 'x', 'jnp.ones(())'))})\n"
            f"{name} = {made.format(n=name)}", lambda: pick.choice(values))


def boxed(pick: random.Random, name: str, devices: int) -> Made:
    """A function that reads and writes a box of JAX."""
    write = pick.choice(("box_{n}[...] += x", "box_{n}[...] = box_{n}[...] * 2 + x", "box_{n}[0] = jnp.sum(x)"))
    return (f"box_{name} = jax.new_ref(jnp.zeros(3))\n@jax.jit\ndef {name}(x):\n    {write.format(n=name)}\n"
            f"    return {pick.choice(('box_{n}[...]', 'x * 2', 'None')).format(n=name)}",
            lambda: pick.choice(("jnp.ones(3)", "2.0", "jnp.arange(3.)", "np.float32(1)")))


FUNCTIONS = (factory, chosen, options, any_number, optional, layer, impure, refusing, twice, second_order,
             boxed)


# --- acts ----------------------------------------------------------------------------

def training(pick: random.Random, label: str, name: str) -> str:
    """A training loop over a dictionary of weights."""
    donate = pick.choice(("", ", donate_argnums=0", ', static_argnames="lr"'))
    rate = pick.choice(("0.5", "0.5 / 2 ** i", "jnp.float32(0.25)", "np.float32(0.5)"))
    rate = pick.choice(("0.5", "0.5 / 2 ** i")) if "static" in donate else rate
    batch = pick.choice(("jnp.ones((4, 2))", "np.ones((4, 2), np.float32)", "jnp.ones((4 - i, 2))"))
    return (f"def loss(w, x):\n    return jnp.sum(x @ w['a'] + w['b'])\n"
            f"@functools.partial(jax.jit{donate})\ndef step(w, x, lr):\n    g = jax.grad(loss)(w, x)\n"
            f"    return jax.tree.map(lambda a, b: a - lr * b, w, g)\n"
            f"w = {{'a': jnp.ones(2), 'b': {pick.choice(('0.0', 'jnp.zeros(())', 'jnp.zeros(1)'))}}}\n"
            f"for i in range(3):\n    w = call(f\"{label} {{i}}\", lambda: step(w, {batch}, lr={rate}))")


def growing(pick: random.Random, label: str, name: str) -> str:
    """A state that grows from call to call."""
    made = pick.choice(("jnp.append(state, i)", "jnp.concatenate([state, state])", "[*state, i]", "(state, i)",
                        "{'s': state}", "jnp.stack([state, state])"))
    return (f"state = {pick.choice(('jnp.ones(1)', 'jnp.zeros(2, int)'))}\nfor i in range(3):\n"
            f"    call(f\"{label} {{i}}\", lambda: {name}(state))\n    state = {made}")


def read_back(pick: random.Random, label: str, name: str) -> str:
    """Python decides by what came out."""
    return (f"x = {pick.choice(('jnp.arange(4.)', 'jnp.ones(3)', 'jnp.asarray(2)'))}\nfor i in range(3):\n"
            f"    if {pick.choice(('jnp.sum(x) > 4', 'float(jnp.max(x)) > 2', 'x.sum().item() % 2 == 0'))}:\n"
            f"        x = x - 1\n    x = call(f\"{label} {{i}}\", lambda: jnp.asarray(x) * 2)")


def dying(pick: random.Random, label: str, name: str) -> str:
    """A function of a function's own, jitted there, that is gone when it returns."""
    made = pick.choice(("jax.jit(local)(3.0)", "jax.jit(local)(jnp.ones(2)), jax.jit(local)(jnp.ones(2))",
                        "jax.vmap(jax.jit(local))(jnp.ones(2))", "[jax.jit(local)(i) for i in (1, 2.0)]"))
    return (f"def work(k):\n    def local(v):\n        return v * k\n    return {made}\n"
            f"for k in ({pick.choice(('1, 1', '1, 2', '2.0, 2'))}):\n"
            f'    call(f"{label} {{k}}", lambda: work(k))')


def sizes(pick: random.Random, label: str, name: str) -> str:
    """What a wrapper says about its own cache."""
    return f'note("{label} size", getattr({name}, "_cache_size", int)())'


def scopes(pick: random.Random, label: str, name: str) -> str:
    """One call under two contexts, in both orders."""
    both = pick.sample(("jax.enable_x64(True)", 'jax.default_matmul_precision("float32")',
                        "jax.debug_nans(True)", 'jax.numpy_dtype_promotion("standard")',
                        'jax.named_scope("inner")', "jax.check_tracer_leaks(False)",
                        "jax.threefry_partitionable(False)"), 2)
    made = pick.choice(("jnp.ones(3) * 2", "jax.jit(jnp.square)(2.0)", "jnp.dot(jnp.ones(2), jnp.ones(2))",
                        "jax.random.bits(jax.random.key(0), (2,))"))
    return "".join(f"with {a}, {b}:\n    call(\"{label} {i}\", lambda: {made})\n"
                   for i, (a, b) in enumerate((both, both[::-1]))) + f'call("{label} out", lambda: {made})'


ACTS = (training, growing, read_back, dying, sizes, scopes)
