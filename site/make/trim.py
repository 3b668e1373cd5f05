"""Pyodide's script without what only extension modules need.

`pyodide.asm.js` offers a thousand library functions (WebGL, sound, windows) and
every function of Python's C interface to modules that are linked later. The
engine links none. Reading and running all that takes longer than the rest of its
start, so the snapshot comes with a script that has only what its WebAssembly
module imports, and what the scripts themselves ask for. What is left without a
use by that, the minifier takes away.
"""

import re

_EXPORT = re.compile(r'var (_[\w$]+)=(?:Module\["_[\w$]+"\]=)?(?:wasmExports\["[\w$]+"\]|\d+);')
_SIGNATURE = re.compile(r'(?<=[;}])([\w$]+)\.sig="\w*";')
_LIBRARY = re.compile(r"var wasmImports=\{(.*?)\};")
_DIRECT_EVAL = re.compile(r"(?<![.\w$])eval\(")
# Made a property of the module for whoever may ask; the loop of games, which plays sound.
_OFFER = re.compile(r'(?<=[;}])Module\["([\w$]+)"\]=[\w$]+;')
_SOUND = re.compile(r"registerPostMainLoop\(\(\)=>SDL\.[^;]*\);")
_ASKED = re.compile(r"""\.([\w$]+)|["'`]([\w$]+)["'`]""")
_MUST_BE_THERE = "if(!value&&!entry.required){continue}"
# Functions that Python itself never calls, though its module can hand out their addresses.
_NEVER_CALLED = "emscripten_gl"


def words(text: str) -> set[str]:
    """Everything that could be a name."""
    return set(re.findall(r"[\w$]+", text))


def trimmed(script: str, imports: set[str], mentioned: set[str]) -> str:
    """The script for a module with these `imports`; it hands on the exports that are
    `mentioned`. ValueError when it is not built as expected."""
    library = _LIBRARY.search(script)
    if library is None or _MUST_BE_THERE not in script or not _EXPORT.search(script):
        raise ValueError("Pyodide's script is built in another way")
    wanted = [
        entry
        for entry in library[1].split(",")
        if (name := entry.partition(":")[0]) in imports and not name.startswith(_NEVER_CALLED)
    ]
    used = {entry.rpartition(":")[2] for entry in wanted}
    script = script.replace(library[0], "var wasmImports={" + ",".join(wanted) + "};")
    script = script.replace(_MUST_BE_THERE, "if(!value){continue}")
    script = _SIGNATURE.sub(lambda found: found[0] if found[1] in used else "", script)
    # Code seen by a direct `eval` could use any name: nothing could be taken away.
    script = _DIRECT_EVAL.sub("globalThis.eval(", script)
    script = _SOUND.sub("", script)
    asked = mentioned.union(*_ASKED.findall(_OFFER.sub("", script)))
    script = _OFFER.sub(lambda found: found[0] if found[1] in asked else "", script)
    mentioned = mentioned | words(_EXPORT.sub("", script))
    return _EXPORT.sub(lambda found: found[0] if found[1] in mentioned else "", script)
