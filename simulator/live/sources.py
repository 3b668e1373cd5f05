"""Facts read from JAX's source text: symbols with their lines, message formats.

Everything here parses files with `ast`; no JAX code runs.
"""

from __future__ import annotations

import ast
import pathlib

INDEXED = (
    "jax/_src/api.py", "jax/_src/api_util.py", "jax/_src/array.py", "jax/_src/cache_key.py",
    "jax/_src/checkify.py", "jax/_src/compilation_cache.py", "jax/_src/compiler.py",
    "jax/_src/config.py", "jax/_src/core.py", "jax/_src/custom_derivatives.py",
    "jax/_src/dispatch.py", "jax/_src/dtypes.py", "jax/_src/errors.py", "jax/_src/flattree.py",
    "jax/_src/interpreters/ad.py", "jax/_src/interpreters/batching.py",
    "jax/_src/interpreters/mlir.py", "jax/_src/interpreters/partial_eval.py",
    "jax/_src/interpreters/pxla.py", "jax/_src/layout.py",
    "jax/_src/lax/control_flow/common.py", "jax/_src/lax/control_flow/conditionals.py",
    "jax/_src/lax/control_flow/loops.py", "jax/_src/lax/lax.py", "jax/_src/lax/slicing.py",
    "jax/_src/lru_cache.py", "jax/_src/numpy/array_constructors.py",
    "jax/_src/numpy/reductions.py", "jax/_src/random/prng.py", "jax/_src/shard_map.py",
    "jax/_src/mesh.py", "jax/_src/monitoring.py", "jax/_src/named_sharding.py",
    "jax/_src/numpy/array_methods.py", "jax/_src/numpy/lax_numpy.py", "jax/_src/numpy/ufuncs.py",
    "jax/_src/op_shardings.py", "jax/_src/partition_spec.py", "jax/_src/pjit.py",
    "jax/_src/random/core.py", "jax/_src/ref.py", "jax/_src/sharding.py",
    "jax/_src/sharding_impls.py", "jax/_src/source_info_util.py", "jax/_src/stages.py",
    "jax/_src/state/types.py", "jax/_src/tree_util.py", "jax/_src/util.py", "jax/version.py",
)
"""Files whose symbols are indexed: those that pages and docstrings cite."""

MESSAGE_FILES = (
    "jax/_src/compilation_cache.py", "jax/_src/compiler.py", "jax/_src/dispatch.py",
    "jax/_src/interpreters/partial_eval.py", "jax/_src/interpreters/pxla.py",
    "jax/_src/pjit.py",
)
EXPLAINERS = ("explain", "diff_tracing_cache_keys", "diff_tracing_ctx", "diff_trees",
              "diff_debug", "diff_types")
"""The functions of partial_eval.py whose texts make up a tracing-miss explanation."""

_LOG_CALLS = {"log", "debug", "info", "warning", "error", "warn"}


def symbols(tree: ast.Module) -> dict[str, int]:
    """Name -> 1-based line of the module-level names and of class members.

    Members are written ``Class.member``; functions nested in a function are
    written ``outer.inner``. The first definition of a name wins. Names with two
    leading underscores are left out.
    """
    found: dict[str, int] = {}

    def add(name: str, line: int) -> None:
        if not name.rsplit(".", 1)[-1].startswith("__"):
            found.setdefault(name, line)

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    add(prefix + node.name, node.lineno)
                    if not prefix:
                        visit([n for n in node.body if isinstance(n, ast.FunctionDef)],
                              node.name + ".")
                case ast.ClassDef():
                    add(prefix + node.name, node.lineno)
                    visit(node.body, f"{prefix}{node.name}.")
                case ast.Assign(targets=targets):
                    for target in targets:
                        if isinstance(target, ast.Name):
                            add(prefix + target.id, node.lineno)
                case ast.AnnAssign(target=ast.Name(id=name)):
                    add(prefix + name, node.lineno)
                case ast.If() | ast.Try():
                    visit(node.body, prefix)
                    visit(node.orelse, prefix)

    visit(tree.body, "")
    return found


def text_of(node: ast.expr) -> str | None:
    """The template that a string expression makes, with ``{expression}`` holes.

    Returns None when the expression is not a string literal, an f-string or a
    sum of those.
    """
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            parts = []
            for value in values:
                if isinstance(value, ast.FormattedValue):
                    parts.append("{" + ast.unparse(value.value) + "}")
                else:
                    parts.append(str(value.value))
            return "".join(parts)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            first, second = text_of(left), text_of(right)
            return None if first is None or second is None else first + second
    return None


def _functions(tree: ast.Module):
    """(qualified name, node) of every function, outermost first."""
    def walk(body, prefix):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                name = prefix + node.name
                if isinstance(node, ast.FunctionDef):
                    yield name, node
                yield from walk(node.body, name + ".")
    yield from walk(tree.body, "")


def log_messages(tree: ast.Module) -> list[dict]:
    """Formats given to the logger, to `log_elapsed_time` and to `warnings.warn`."""
    found = []
    for name, function in _functions(tree):
        for node in ast.walk(function):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            short = called.rsplit(".", 1)[-1]
            logs = called.startswith("logger.") and short in _LOG_CALLS
            if not (logs or called == "warnings.warn" or short == "log_elapsed_time"):
                continue
            texts = [text for text in map(text_of, node.args) if text is not None]
            if texts:
                found.append({"function": name, "line": node.lineno, "call": called,
                              "format": texts[0]})
    return sorted(found, key=lambda item: item["line"])


def explanations(tree: ast.Module) -> list[dict]:
    """The texts inside the functions that explain a tracing miss."""
    found = []
    for name, function in _functions(tree):
        if name not in EXPLAINERS:
            continue
        outer: set[int] = set()
        doc = ast.get_docstring(function, clean=False)
        for node in ast.walk(function):
            if id(node) in outer or not isinstance(node, (ast.Constant, ast.JoinedStr,
                                                          ast.BinOp)):
                continue
            text = text_of(node)
            if text is None:
                continue
            outer.update(id(child) for child in ast.walk(node))
            if len(text) > 2 and text != doc:
                found.append({"function": name, "line": node.lineno, "call": "explain",
                              "format": text})
    return sorted(found, key=lambda item: (item["line"], item["format"]))


def parameters(tree: ast.Module, name: str) -> list[str]:
    """Parameter names of a module-level function, in order.

    Raises KeyError when the module has no such function.
    """
    for found, node in _functions(tree):
        if found == name:
            arguments = node.args
            return [a.arg for a in (*arguments.posonlyargs, *arguments.args,
                                    *arguments.kwonlyargs)]
    raise KeyError(name)


def recorded_events(tree: ast.Module) -> list[str]:
    """Names of the `jax.monitoring` events written out in a module."""
    return sorted({node.value for node in ast.walk(tree)
                   if isinstance(node, ast.Constant) and isinstance(node.value, str)
                   and node.value.startswith(("/jax/compilation_cache/", "/jax/core/compile/"))})


def parse(root: pathlib.Path, file: str) -> ast.Module:
    """Parse one file of the installed wheel; `file` starts with ``jax/``."""
    return ast.parse((root / file).read_text(encoding="utf-8"))
