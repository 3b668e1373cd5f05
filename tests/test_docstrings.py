"""Every public name says what it is for, and every citation of JAX can be looked up."""

import ast
import importlib.util
import pathlib
import re
from functools import cache

import pytest

ROOT = pathlib.Path(__file__).parents[1]
WHEEL = pathlib.Path(importlib.util.find_spec("jax").submodule_search_locations[0]).parent
FILES = [ROOT / "build.py", *(path for folder in ("simulator", "site", "tests")
                              for path in sorted((ROOT / folder).rglob("*.py"))
                              if folder != "tests" or not (path.name.startswith("test_")
                                                           or "programs" in path.relative_to(ROOT).parts))]
"""Not the tests themselves, and not the programs: those are what a reader writes."""

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
CITED = re.compile(r"(jax/[\w/]+\.py)(?:`*: `*((?:[A-Za-z_][\w.]*)(?:, [A-Za-z_][\w.]*)*))?")
DEFINED = re.compile(r"^( *)(?:(?:async )?(def|class) ([A-Za-z_]\w*)|([A-Za-z_]\w*) *(?::|=))",
                     re.MULTILINE)


class Found:
    """What the files define: names without a docstring, and classes to look up by name.

    `bare`: (file, dotted name, the bases of its class, own name). `classes`: per name, the
    bases of a class and the methods that it documents.
    """

    def __init__(self, files):
        self.bare, self.classes = [], {}
        for path in files:
            tree = ast.parse(path.read_bytes())
            if tree.body and not ast.get_docstring(tree):
                self.bare.append((path, "the module", (), ""))
            self._read(path, tree.body)

    def _read(self, path, body, owner=None, before=""):
        for node in body:
            if isinstance(node, ast.If | ast.Try | ast.With):
                self._read(path, node.body, owner, before)
            if not isinstance(node, DEFINITIONS):
                continue
            if isinstance(node, ast.ClassDef):
                bases = [ast.unparse(base).partition("[")[0].rpartition(".")[2]
                         for base in node.bases]
                made = (bases, set())
                self.classes.setdefault(node.name, []).append(made)
                self._read(path, node.body, made, f"{before}{node.name}.")
            # A setter speaks through its getter.
            setter = any(isinstance(d, ast.Attribute) and d.attr in ("setter", "deleter")
                         for d in node.decorator_list)
            if owner and ast.get_docstring(node):
                owner[1].add(node.name)
            elif not (ast.get_docstring(node) or setter
                      or any(part.startswith("_") for part in f"{before}{node.name}".split("."))):
                self.bare.append((path, before + node.name, owner[0] if owner else (), node.name))

    def inherited(self, bases, name):
        """Whether one of the classes named in `bases`, or one above, documents `name`."""
        return any(name in documented or self.inherited([b for b in above if b != base], name)
                   for base in bases for above, documented in self.classes.get(base, []))


def test_every_public_name_has_a_docstring():
    found = Found(FILES)
    assert [f"{path.relative_to(ROOT)}: {dotted}" for path, dotted, bases, name in found.bare
            if not found.inherited(bases, name)] == []


@pytest.mark.parametrize("text, bare", [
    ('"""M."""\ndef f(): pass\ndef _g(): pass\n', ["f"]),
    ('"""M."""\ndef f():\n  """D."""\n  def inner(): pass\n', []),
    ("def _f(): pass\n", ["the module"]),
    ('"""M."""\nclass A:\n  """A."""\n  def m(self):\n    """D."""\n  def n(self): pass\n'
     "class _B(A):\n  def m(self): pass\n  def __len__(self): return 0\n"
     'class C(A):\n  """C."""\n  def m(self): pass\n  def n(self): pass\n', ["A.n", "C.n"]),
])
def test_a_bare_name_is_noticed(tmp_path, text, bare):
    (file := tmp_path / "a.py").write_text(text)
    found = Found([file])
    assert [dotted for _, dotted, bases, name in found.bare
            if not found.inherited(bases, name)] == bare


@cache
def defined(path):
    """What a file of the wheel defines: ``name``, ``Class.member``, ``outer.inner``."""
    names, outer = set(), []
    for match in DEFINED.finditer((WHEEL / path).read_text(encoding="utf-8")):
        indent, name = len(match[1]), match[3] or match[4]
        while outer and outer[-1][0] >= indent:
            outer.pop()
        names.add(".".join([*(n for _, n in outer), name]))
        if match[2]:
            outer.append((indent, name))
    return names


def wrong(text):
    """The citations in `text` that lead nowhere."""
    for path, symbols in CITED.findall(re.sub(r"\s*\n\s*(?:# )?", " ", text)):
        if not (WHEEL / path).is_file():
            yield f"no file {path}"
            continue
        for symbol in filter(None, re.split(r"[ ,]+", symbols)):
            if symbol.rstrip(".") not in defined(path):
                yield f"{path} has no {symbol}"
    for source in re.findall(r"JAX source:(.*?)(?:\n\s*\n|\"\"\"|\Z)", text, re.DOTALL):
        for path in re.findall(r"(?<![\w/])(?!jax/)[\w/]+\.py\b", source):
            yield f"{path} without its folder"


def test_every_citation_of_jax_names_a_file_and_symbols_that_exist():
    assert [f"{path.relative_to(ROOT)}: {what}" for path in FILES
            for what in wrong(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("text, said", [
    ("JAX source: ``jax/_src/core.py: Trace, EvalTrace.\nprocess_primitive``.", []),
    ("JAX source: ``jax/_src/core.py: Trace.never``.", ["jax/_src/core.py has no Trace.never"]),
    ("see jax/_src/cores.py", ["no file jax/_src/cores.py"]),
    ("JAX source: ``jax/_src/lax/lax.py``, ``slicing.py``.", ["slicing.py without its folder"]),
])
def test_a_wrong_citation_is_noticed(text, said):
    assert list(wrong(text)) == said
