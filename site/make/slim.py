"""Bytecode without what only a traceback needs.

A fifth of a code object is its table of source positions. The library's and
the model's own lines are never shown in the browser (the program's are, and it
is compiled there), so theirs are replaced by "no position known". Docstrings
and assertions have gone before, by compiling with ``-OO``; what functions say about
their types goes before that, from the source.
"""

import ast
import marshal
from types import CodeType

HEADER = 16
"""Bytes before the code in a `.pyc` file: magic number, flags, hash."""


def slim_pyc(data: bytes, filename: str) -> bytes:
    """The same `.pyc` file without positions, saying that it comes from
    `filename`: the absolute path under which it is installed, as it would be had
    it been compiled there. (The model tells its own code from a program's by it.)"""
    return data[:HEADER] + marshal.dumps(_slim(marshal.loads(data[HEADER:]), filename))


def _slim(code: CodeType, filename: str) -> CodeType:
    constants = (_slim(c, filename) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(
        co_consts=tuple(constants),
        co_filename=filename,
        co_linetable=_no_positions(len(code.co_code) // 2),
    )


def _no_positions(instructions: int) -> bytes:
    """A location table that says "none" for every instruction: entries of kind
    15, each for up to eight (CPython: ``InternalDocs/code_objects.md``)."""
    whole, rest = divmod(instructions, 8)
    return b"\xff" * whole + (bytes([0xF8 | (rest - 1)]) if rest else b"")


def without_annotations(source: bytes) -> bytes:
    """The same program, in which no function says the types of its arguments and of its
    result, and no module that of a name which it gives a value. Every other byte stays in
    its line. Fields of classes keep theirs: named tuples are made of them. So do functions
    under ``@….register``, which are chosen by them."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def end(node: ast.expr) -> int:
        return starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    cut: list[tuple[int, int]] = []
    tree = ast.parse(source)
    chosen = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(d, ast.Attribute) and d.attr == "register" for d in node.decorator_list)
        for part in (node, *ast.walk(node.args))
    }
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
            cut.append((end(node.target), end(node.annotation)))
    for node in ast.walk(tree):
        if id(node) in chosen:
            continue
        if isinstance(node, ast.arg) and node.annotation:
            name = starts[node.lineno - 1] + node.col_offset + len(node.arg.encode())
            cut.append((name, end(node.annotation)))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns:
            start = starts[node.returns.lineno - 1] + node.returns.col_offset
            cut.append((source.rindex(b"->", 0, start), end(node.returns)))
    for start, stop in sorted(cut, reverse=True):
        source = source[:start] + b"\n" * source.count(b"\n", start, stop) + source[stop:]
    return source
