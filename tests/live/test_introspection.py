"""The committed facts are those of the installed JAX."""

import pytest

from simulator import facts
from simulator.live import introspect, sources

from .conftest import ROOT

DATA = ROOT / "simulator" / "data"


@pytest.mark.real_jax
def test_the_committed_facts_have_not_drifted(tmp_path):
    for fresh in introspect.run(tmp_path):
        assert fresh.read_text() == (DATA / fresh.name).read_text(), (
            "run python -m simulator.live introspect and look at what changed")


def test_the_counts_are_those_of_the_lists():
    found = facts.facts()
    in_jit_key = [s["name"] for s in found["states"] if s["in_jit_key"]]
    in_context = [s["name"] for s in found["states"] if s["in_trace_context"]]
    assert found["jit_key"] == in_jit_key and found["trace_context"] == in_context
    assert found["counts"] == {"states": len(found["states"]), "jit_key": len(in_jit_key),
                               "trace_context": len(in_context)}


def test_every_cache_variable_is_an_indexed_symbol():
    symbols = facts.symbols()
    for cache in facts.facts()["caches"]:
        assert symbols[cache["file"]][cache["variable"]] == cache["line"]


def test_symbols_are_found_at_every_level():
    import ast
    tree = ast.parse("A = 1\nclass B:\n  c: int\n  def d(self): pass\ndef e():\n  def f(): pass\n"
                     "if A:\n  g = 2\n")
    assert sources.symbols(tree) == {"A": 1, "B": 2, "B.c": 3, "B.d": 4, "e": 5, "e.f": 6, "g": 8}


@pytest.mark.parametrize("expression, text", [
    ("'a' 'b'", "ab"), ("f'x {y.z} {n:.2f}'", "x {y.z} {n}"), ("'a' + f'{b}'", "a{b}"),
    ("a + 'b'", None), ("1", None)])
def test_text_templates(expression, text):
    import ast
    assert sources.text_of(ast.parse(expression, mode="eval").body) == text
