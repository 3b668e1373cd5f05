"""Print a jaxpr exactly as ``jax.make_jaxpr`` prints it.

Two parts: a small Wadler-style layout engine (documents of text, breaks and
groups, 80 columns), and the rules that turn a jaxpr into such a document.

JAX source: ``jax/_src/core.py: pp_toplevel_jaxpr``,
``jax/_src/pretty_printer.py``, ``jax/_src/pjit.py: _pjit_pp_rule``.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable
from typing import Any

from simulator.jaxprs.folding import literal_number
from simulator.jaxprs.jaxpr import DropVar, Eqn, Jaxpr, Literal, Var, subjaxprs

WIDTH = 80

# A document is a string, a list of documents, ("brk", text), ("nest", n, doc)
# or ("group", doc). A group is laid out on one line when it fits.


def brk(flat: str = " ") -> tuple:
    """A place where a line may break; `flat` is printed when it does not."""
    return ("brk", flat)


def group(doc: Any) -> tuple:
    """A document that is laid out on one line when it fits."""
    return ("group", doc)


def nest(indent: int, doc: Any) -> tuple:
    """A document whose inner lines begin `indent` columns further right."""
    return ("nest", indent, doc)


def join(separator: Any, docs: Iterable[Any]) -> list:
    """The documents with `separator` between each two."""
    out: list = []
    for i, doc in enumerate(docs):
        if i:
            out.append(separator)
        out.append(doc)
    return out


def _fits(doc: Any, room: int) -> bool:
    # Does `doc`, laid flat, fit into `room` columns? What follows is not looked at.
    todo = [doc]
    while todo and room >= 0:
        item = todo.pop()
        if isinstance(item, str):
            room -= len(item)
        elif isinstance(item, list):
            todo.extend(reversed(item))
        elif item[0] == "brk":
            room -= len(item[1])
        else:
            todo.append(item[-1])
    return room >= 0


def layout(doc: Any, width: int = WIDTH) -> str:
    """Lay a document out within `width` columns."""
    out: list[str] = []
    column = 0
    todo: list[tuple[int, bool, Any]] = [(0, False, doc)]
    while todo:
        indent, flat, item = todo.pop()
        if isinstance(item, str):
            out.append(item)
            column += len(item)
        elif isinstance(item, list):
            todo.extend((indent, flat, part) for part in reversed(item))
        elif item[0] == "brk":
            if flat:
                out.append(item[1])
                column += len(item[1])
            else:
                out.append("\n" + " " * indent)
                column = indent
        elif item[0] == "nest":
            todo.append((indent + item[1], flat, item[2]))
        else:
            todo.append((indent, flat or _fits(item[1], width - column), item[1]))
    return "".join(out)


def _letters(n: int) -> str:
    text = ""
    while not text or n:
        n, digit = divmod(n, 26)
        text = chr(97 + digit) + text
    return text


class _Names:
    """Hands out one name per variable, and knows the jaxprs printed up front."""

    def __init__(self, dropped: set[int]):
        self.names: dict[int, str] = {i: "_" for i in dropped}
        self.shared: dict[int, str] = {}
        self.count = 0

    def of(self, var: Var) -> str:
        if isinstance(var, DropVar):
            return "_"
        name = self.names.get(id(var))
        if name is None:
            taken = set(self.shared.values())
            while True:
                name = _letters(self.count)
                self.count += 1
                if name not in taken:
                    break
            self.names[id(var)] = name
        return name

    def alias(self, inner: list, outer: list) -> None:
        """Let the variables of an inner jaxpr borrow the names of the call site."""
        if len(inner) != len(outer):
            return
        used: set[int] = set()
        for a, b in zip(inner, outer):
            if (isinstance(b, Var) and id(b) not in used and isinstance(a, Var)
                    and id(a) not in self.names):
                used.add(id(b))
                self.names[id(a)] = self.of(b)


def _atom(atom: Any, names: _Names) -> str:
    if isinstance(atom, Literal):
        return f"{literal_number(atom)}:{atom.aval.str_short(True)}"
    return names.of(atom)


def _bare(atom: Any, names: _Names) -> str:
    return str(literal_number(atom)) if isinstance(atom, Literal) else names.of(atom)


def _binders(variables: list, names: _Names) -> tuple:
    return nest(2, group(join(
        [group(brk())],
        [[names.of(v), ":" + v.aval.str_short(True)] for v in variables])))


def _atoms(atoms: list, names: _Names, separator: str = "") -> tuple:
    return nest(2, group(join([separator, group(brk())], [_atom(a, names) for a in atoms])))


def _param(name: str, value: Any, names: _Names) -> list:
    if isinstance(value, tuple) and all(isinstance(v, Jaxpr) for v in value):
        inner = group([nest(2, ["(", brk(""), join(brk(), [_jaxpr(v, names) for v in value])]),
                       brk(""), ")"])
    elif isinstance(value, Jaxpr):
        inner = _jaxpr(value, names)
    elif isinstance(value, frozenset):
        inner = f"frozenset({{{', '.join(repr(v) for v in sorted(value))}}})"
    else:
        inner = re.sub(r" at 0x([0-9a-fA-F]+)", lambda m: " at 0x" + "X" * len(m[1]), str(value))
    return [f"{name}=", inner]


def _params(pairs: list, names: _Names) -> Any:
    if not pairs:
        return []
    return group([nest(2, ["[", brk(""), join(brk(), [_param(k, v, names) for k, v in pairs])]),
                  brk(""), "]"])


def _eqn(eqn: Eqn, names: _Names) -> list:
    shown = eqn.primitive.shown_params
    pairs = shown(eqn, names) if shown else sorted(eqn.params.items())
    results = _binders(eqn.outvars, names)  # named before what is inside the parameters
    if eqn.primitive.shown_eqn is not None:
        return eqn.primitive.shown_eqn(
            eqn, results, lambda a, typed: _atom(a, names) if typed else _bare(a, names))
    out = [eqn.primitive.name, _params(pairs, names), " ", _atoms(eqn.invars, names)]
    return [results, " = ", *out] if eqn.outvars else out


def eqn_text(eqn: Eqn) -> str:
    """The text of one equation, its variables named from ``a`` on."""
    return layout(_eqn(eqn, _Names(set())))


def _skeleton(jaxpr: Jaxpr, names: _Names) -> tuple:
    # Binders are named before equations, equations before results: the order in
    # which names are handed out is part of the text.
    consts, ins = _binders(jaxpr.constvars, names), _binders(jaxpr.invars, names)
    eqns = join(brk("; "), [_eqn(e, names) for e in jaxpr.eqns])
    outs = ["(", _atoms(jaxpr.outvars, names, ","), ")" if len(jaxpr.outvars) != 1 else ",)"]
    return group([nest(2, ["{ ", "lambda ", consts, "; ", ins, ". ", "let",
                           nest(2, [brk(), eqns]), brk(), "in ", outs]), " }"])


def _jaxpr(jaxpr: Jaxpr, names: _Names) -> Any:
    return names.shared.get(id(jaxpr)) or _skeleton(jaxpr, names)


def _dropped(jaxpr: Jaxpr) -> set[int]:
    # Only at the top: in inner jaxprs an unused result has a name like any other.
    used = {id(v) for v in jaxpr.outvars}
    for eqn in jaxpr.eqns:
        used.update(id(v) for v in eqn.invars)
    return {id(v) for eqn in jaxpr.eqns for v in eqn.outvars if id(v) not in used}


def jaxpr_text(jaxpr: Jaxpr) -> str:
    """The text of a jaxpr, jaxprs that occur twice (or are long) pulled up front."""
    names = _Names(_dropped(jaxpr))
    counts: Counter[int] = Counter()
    by_id: dict[int, Jaxpr] = {}
    titles: dict[int, str] = {}
    todo = deque([jaxpr])
    while todo:
        item = todo.popleft()
        by_id[id(item)] = item
        counts[id(item)] += 1
        if item is not jaxpr and len(item.eqns) > 10:
            counts[id(item)] += 1
        for eqn in item.eqns:
            for sub in subjaxprs(eqn.params):
                todo.append(sub)
                if eqn.params.get("name") is not None:
                    titles.setdefault(id(sub), eqn.params["name"].strip("<>"))
    used: Counter[str] = Counter()
    shared = []
    for ident, n in counts.items():
        if n == 1:
            continue
        name = titles.get(ident, "jaxpr")
        seen = used[name]
        used[name] += 1
        if seen:
            name += str(seen)
            used[name] += 1
        names.shared[ident] = name
        shared.append((name, by_id[ident]))
    docs: list = []
    for name, item in shared:
        docs.append(["let ", name, " = ", _skeleton(item, names), " in", brk()])
    docs.append(_jaxpr(jaxpr, names))
    return layout(docs)
