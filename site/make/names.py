"""Names and numbers of JAX that prose may use, each looked up in the committed facts.

Everything here answers from `simulator/data` or raises `UnknownName`: a page that
names what is not there (any more) cannot be built.
"""

import ast
import builtins
import functools
import json
import keyword
import re

from make.paths import ROOT
from reading import WORDS
from simulator.facts import VERSION, facts, symbols
from simulator.live import keeper

BLOB = "https://github.com/jax-ml/jax/blob/{commit}/{file}"
CPP_FILES = {
    name: f"jaxlib/{name}"
    for name in (
        "config.cc", "jax_jit.cc", "jax_jit.h", "pjit.cc", "py_values.cc", "pytree.h",
        "strong_lru_cache.cc", "weakref_lru_cache.cc",
    )
}  # fmt: skip
"""Files of jaxlib: not part of a wheel, so links name the file without a line."""

JIT_OPTIONS = (
    "in_shardings", "out_shardings", "static_argnums", "static_argnames", "donate_argnums",
    "donate_argnames", "keep_unused", "device", "backend", "inline", "compiler_options",
)  # fmt: skip
ROOTS = {"jax": "jax", "jnp": "jax.numpy", "lax": "jax.lax", "np": "numpy"}
SPOKEN_METHODS = ("_cache_size", "_clear_cache", "clear_cache", "is_deleted", "block_until_ready")
"""Attributes that C++ or the array type defines: seen at work in the scenarios."""


class UnknownName(ValueError):
    """Prose names something that the facts do not hold; the message says what."""


@functools.cache
def public_names() -> dict[str, frozenset[str]]:
    """Public names by module, as read from the installed packages."""
    path = ROOT / "simulator" / "data" / "public-names.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    return {module: frozenset(names) for module, names in data.items()}


@functools.cache
def states() -> dict[str, dict]:
    """Configuration states by name."""
    return {state["name"]: state for state in facts()["states"]}


def state(name: str) -> dict:
    """The facts about a configuration state. UnknownName for any other name."""
    if name not in states():
        raise UnknownName(f"there is no configuration state {name!r}")
    return states()[name]


def source(text: str) -> tuple[str, str, int]:
    """Where a symbol is defined. `text` is a symbol, or `symbol in file` when
    several files define it; a file may be named by its end (`pjit`, `lax/lax`).

    Returns: symbol, link to its line in the pinned commit, line.
    """
    symbol, _, file = (part.strip() for part in text.partition(" in "))
    found = [
        (path, names[symbol])
        for path, names in symbols().items()
        if symbol in names and (not file or path.endswith(f"/{file.removesuffix('.py')}.py"))
    ]
    if len(found) != 1:
        places = ", ".join(path for path, _ in found) or "nowhere"
        raise UnknownName(f"{text!r} is defined in {places}; name one file with ' in '")
    path, line = found[0]
    return symbol, f"{blob(path)}#L{line}", line


def blob(file: str) -> str:
    """The link to a file of the pinned commit."""
    return BLOB.format(commit=facts()["commit"], file=file)


def cpp_source(name: str) -> str:
    """The link to a file of jaxlib in the pinned commit."""
    if name not in CPP_FILES:
        raise UnknownName(f"no C++ file {name!r} is known")
    return blob(CPP_FILES[name])


def cache(station: str) -> dict:
    """Facts of the cache at a station. Of the two at `fast_path`, the one in use."""
    found = [entry for entry in facts()["caches"] if entry["station"] == station]
    if not found:
        raise UnknownName(f"there is no station {station!r}")
    return found[-1]


def capacity(station: str) -> str:
    """How many entries the cache at `station` holds. UnknownName when it has no limit."""
    number = cache(station)["capacity"]
    if number is None:
        raise UnknownName(f"the cache at {station!r} has no capacity")
    return f"{number}"


def unlimited(station: str) -> str:
    """`no capacity`. UnknownName when the cache at `station` has one."""
    if (number := cache(station)["capacity"]) is not None:
        raise UnknownName(f"the cache at {station!r} holds {number}")
    return "no capacity"


def key_field(text: str) -> str:
    """A field of a key, written `params.ctx_mesh`, `CallSignature.committed args`."""
    of, _, field = text.partition(".")
    keys = facts()["keys"]
    known = keys[of] if of in keys else cache(of)["key"] or []
    if field not in known:
        raise UnknownName(f"{of} has no key field {field!r}")
    return field


def count(text: str) -> str:
    """A counted thing: `states`, `jit_key`, `trace_context`, `jit_key - trace_context`
    (in the first and not in the second), `jit_key & trace_context`, `keys disk`,
    `excluded_flags`, `caches fast_path` (at a station), `floors`, `drawers lower` (of one floor), `floors with drawers`."""
    data = facts()
    if text in data["counts"]:
        return f"{data['counts'][text]}"
    if match := re.fullmatch(r"(jit_key|trace_context) ([-&]) (jit_key|trace_context)", text):
        left, right = set(data[match[1]]), set(data[match[3]])
        return f"{len(left - right if match[2] == '-' else left & right)}"
    if match := re.fullmatch(r"keys (\w+)", text):
        return f"{len(dict.fromkeys(data['keys'].get(match[1]) or cache(match[1])['key']))}"
    if text == "excluded_flags":
        return f"{len(data['persistent']['excluded_flags'])}"
    drawers = {floor["id"]: len(floor["stations"]) for floor in WORDS["floors"]}
    if text == "floors":
        return f"{len(drawers)}"
    if match := re.fullmatch(r"caches (\w+)", text):
        return f"{sum(cache['station'] == match[1] for cache in data['caches'])}"
    if text == "floors with drawers":
        return f"{sum(number > 1 for number in drawers.values())}"
    if match := re.fullmatch(r"drawers (\w+)", text):
        return f"{drawers[match[1]]}"
    raise UnknownName(f"nothing is counted under {text!r}")


def default(name: str) -> str:
    """A configuration state's default, as Python writes it. UnknownName for any other name."""
    return state(name)["default_text"]


def message(text: str) -> str:
    """A piece of a text that JAX logs or raises as a warning; `…` stands for anything."""
    pattern = re.compile(".*".join(re.escape(part) for part in text.split("…")), re.S)
    if not any(pattern.search(entry["format"]) for entry in facts()["messages"]):
        raise UnknownName(f"JAX has no message that says {text!r}")
    return text


def event(name: str) -> str:
    """The name of a monitoring event. UnknownName when JAX records none of that name."""
    if name not in facts()["events"]:
        raise UnknownName(f"JAX records no event {name!r}")
    return name


def plain_value(name: str) -> str:
    """Facts with a name of their own: `version`, `jaxlib`, `python`, `commit`, and how
    many calls a recording keeps whatever they did, `calls_kept`."""
    values = {
        "version": VERSION,
        "jaxlib": facts()["jaxlib"],
        "python": facts()["python"],
        "commit": facts()["commit"][:10],
        "calls_kept": f"{keeper.ALL:,}".replace(",", "\u202f"),
    }
    if name not in values:
        raise UnknownName(f"there is no fact {name!r}")
    return values[name]


_COMPOSED = re.compile(r"_|[a-z][A-Z]")


# -- code in prose -----------------------------------------------------------------


@functools.cache
def _identifiers() -> frozenset[str]:
    """Every single identifier by which JAX calls something we might name."""
    data = facts()
    found = set(states()) | set(JIT_OPTIONS) | set(SPOKEN_METHODS)
    for names in symbols().values():
        found |= {part for name in names for part in name.split(".")}
    for fields in [*data["keys"].values(), *(entry["key"] or [] for entry in data["caches"])]:
        found |= set(fields)
    found |= {entry["variable"].split(".")[-1] for entry in data["caches"]}
    return frozenset(found)


def is_public(dotted: str) -> bool:
    """Whether `jax.tree_util.Partial`, `jnp.sum`, `jax.config.update` exist."""
    first, *rest = dotted.split(".")
    path = ROOTS.get(first)
    if path is None:
        return False
    names = public_names()
    for position, part in enumerate(rest):
        if f"{path}.{part}" in names:
            path = f"{path}.{part}"
        elif part in names[path]:
            return position == len(rest) - 1 or _attribute(rest[position + 1 :])
        else:
            return False
    return True


def _attribute(parts: list[str]) -> bool:
    return all(part in _identifiers() or part == "update" for part in parts)


def names_jax(code: str) -> list[str]:
    """The JAX names in a piece of code: dotted ones from a known root, states,
    and names with an underscore or of several words that JAX's source defines."""
    found = []
    for dotted in re.findall(r"[A-Za-z_][\w.]*", code):
        last = dotted.rstrip(".").split(".")
        if last[0] in ROOTS and (len(last) > 1 or last[0] == "jax"):
            found.append(dotted)
        elif any(_COMPOSED.search(part) and part in _identifiers() for part in last):
            found.append(dotted)
    return found


def check_code(code: str, local: frozenset[str]) -> None:
    """Raises UnknownName unless every name in `code` is JAX's, Python's, or one
    that the programs of the page define (`local`)."""
    for dotted in re.findall(r"(?<![\w.'\"])[A-Za-z_][\w.]*", _without_strings(code)):
        parts = dotted.rstrip(".").split(".")
        if parts[0] in ROOTS:
            if not is_public(dotted):
                raise UnknownName(f"{dotted!r} is no public name")
            continue
        first = parts[0] in local or _known(parts[0])
        if not first or not all(_known(part) or part in local for part in parts[1:]):
            raise UnknownName(f"{dotted!r} in {code!r} is defined nowhere")


def _known(name: str) -> bool:
    return name in _identifiers() or keyword.iskeyword(name) or hasattr(builtins, name)


def _without_strings(code: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"]*\"", "''", code)


@functools.cache
def defined_names(program: str) -> frozenset[str]:
    """The names that a program defines or imports, and those of its arguments."""
    found = set()
    for node in ast.walk(ast.parse(program)):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                found.add(name)
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.split(".")[0])
    return frozenset(found)
