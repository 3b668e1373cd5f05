"""Key fields in sentences: a tree as one writes the arguments (`sayField` in `site/scripts/arguments.js`)."""

from __future__ import annotations

import re


def shown(field: str, text: str) -> str:
    """A key field as a sentence shows it: the field of trees with a star for each leaf, all else as it is.

    ``[PyTreeDef(*)| PyTreeDef([*, *])]`` is ``(*, [*, *])``; so the signature of C++ stands, with
    one tree for each argument. The key of a trace has one tree for the call, with the keywords.
    A function without a number is no object of yours: JAX made a program from its jaxpr.
    """
    if field == "function" and text != "absent" and "#" not in text:
        return f"a program made of the jaxpr of {text}"
    if field in ("treedefs", "signature") and re.fullmatch(r"\[(PyTreeDef\(.*\))?\]", text):
        trees = re.split(r"(?:,|\|) (?=PyTreeDef\()", text[1:-1])
        return f"({', '.join(tree[len('PyTreeDef(') : -1] for tree in trees if tree)})"
    bare = re.fullmatch(r"PyTreeDef\((.*)\)", text)
    if field != "tree" or not bare:
        return re.sub(r"\b([0-9a-f]{8})[0-9a-f]{24,}\b", r"\1…", text)  # of a hash its beginning
    call = re.fullmatch(r"\((\(.*\)), (\{.*\})\)", bare[1])
    if not call:
        return bare[1]
    arguments = call[1][1:-1].removesuffix(",")
    keywords = re.sub(r"'(\w+)': ", r"\1=", call[2][1:-1])
    return f"({', '.join(part for part in (arguments, keywords) if part)})"
