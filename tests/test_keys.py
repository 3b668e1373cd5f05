"""Random keys: arrays, lookups, numbers, reuse checks."""

import pytest

from simulator.randomness import key_reuse
from simulator.running.program import observe_text
from tests.agreement import PROGRAMS, assert_agrees


@pytest.mark.real_jax
@pytest.mark.parametrize("name", ["keys", "samplers", "key_reuse"])
def test_agrees_with_real_jax(name, server):
    assert_agrees(PROGRAMS / f"{name}.py", server)


def run(text):
    return observe_text("import jax\nimport numpy as np\nfrom jax import random\n"
                        "k = random.key(0)\n" + text).calls


def test_a_typed_key_takes_the_fast_path_and_is_no_raw_key():
    first, again, raw, other = run(
        "f = jax.jit(lambda k: k)\ncall('a', lambda: f(k))\ncall('b', lambda: f(k))\n"
        "call('c', lambda: f(random.key_data(k)))\ncall('d', lambda: f(random.key(7)))\n")
    assert again.fast_path and not raw.fast_path
    assert other.events[-1]["kind"] == "work" and other.value == "key<fry>[]"
    assert first.value == "key<fry>[]" and raw.value == "u32[2](0,0)"


def test_keys_are_leaves_for_tracing_and_containers_for_the_fast_path():
    note, = run("note('leaves', [len(jax.tree.leaves(k)), str(jax.make_jaxpr(lambda k: k)(k))])\n")
    assert note.note == [1, "{ lambda ; a:key<fry>[]. let  in (a,) }"]


@pytest.mark.parametrize("seed, words", [(0, [0, 0]), (-1, [0, 4294967295]),
                                         (2**40 + 5, [0, 5])])
def test_seeds(seed, words):
    note, = run(f"note('words', random.key_data(random.key({seed})).tolist())\n")
    assert note.note == words


def test_a_deleted_key():
    deleted, = run("k.delete()\ncall('a', lambda: jax.jit(lambda k: k)(k))\n")
    assert deleted.exception.startswith("RuntimeError: Array has been deleted")


@pytest.mark.parametrize("name", ["split", "fold_in", "bits"])
def test_other_generators_are_refused_by_name(name):
    from simulator.errors import OutOfScope
    arguments = "k" if name != "fold_in" else "k, 1"
    with pytest.raises(OutOfScope, match="rbg"):
        run(f"k = random.key(0, impl='rbg')\nrandom.{name}({arguments})\n")


def test_masks_of_slices():
    some, others = frozenset({0}), frozenset({1})
    assert not key_reuse._overlap(some, others) and key_reuse._overlap(some, key_reuse.ALL)
    assert not key_reuse._overlap(None, key_reuse.ALL)
    assert key_reuse._union(some, others, 2) == key_reuse.ALL
    assert key_reuse._union(None, some, 2) == some


def test_reuse_inside_a_function_is_found_while_tracing():
    found, = run("jax.config.update('jax_debug_key_reuse', True)\nk = random.key(1)\n"
                 "call('a', lambda: jax.jit(lambda k: (random.bits(k), random.bits(k)))(k))\n")
    assert found.exception == "KeyReuseError: In random_bits, argument 0 is already consumed."
    assert not [e for e in found.events if e.get("station") == "lower"]
