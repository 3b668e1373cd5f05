"""The engine: Pyodide's core with the model inside, ready for the browser.

Two ways to start it are made. The *plain* one is Pyodide's usual boot: the
interpreter as it is published, its library as bytecode, and the model as a
wheel. The *fast* one is a snapshot of the interpreter's memory taken after that
boot, with the model imported and warm; it needs no library and no wheel. Script
and WebAssembly module come without what the model never uses, the module also
without its initial data, since the snapshot holds all of the memory.

    engine/<hash>/pyodide.mjs, pyodide-lock.json    both ways
                  pyodide.asm.js, pyodide.asm.wasm, python_stdlib.zip, *.whl
                  fast/pyodide.asm.js, fast/pyodide.asm.wasm, fast/memory.bin

`memory.bin` is gzip data that the worker unpacks itself, so that a host which
does not compress it serves it small all the same.
"""

import hashlib
import io
import json
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path

from make.fingerprint import forget_older, model_fingerprint
from make.image import sparse
from make.packing import LONGEST, gzipped
from make.paths import CACHE, NODE_MODULES, ROOT
from make.progress import run
from make.slim import slim_pyc, without_annotations
from make.trim import trimmed, words
from make.wasm import imports, with_exports, without_data

MAKE = Path(__file__).parent
EPOCH = "315532800"  # 1980-01-01, the first date a zip file can hold

# Parts of the standard library that no JAX program in the model's scope uses:
# servers, mailboxes, markup, test runners, debuggers, East Asian text encodings.
LEFT_OUT = (
    "_pyrepl/ bdb cProfile doctest ensurepip/ ftplib html/ http/ idlelib/ imaplib mailbox "
    "modulefinder multiprocessing/ netrc optparse pdb plistlib poplib profile pstats pydoc "
    "pydoc_data/ smtplib socketserver sqlite3/ tkinter/ trace turtle unittest/ venv/ "
    "webbrowser wsgiref/ xml/ xmlrpc/ zipapp _pyio"
).split()
# What the model asks of the facts about JAX; the rest (log formats, caches, …)
# is for the pages, and is used when they are built.
FACTS = ("jax", "jaxlib", "states", "persistent")
ENCODINGS = (
    "__init__ aliases ascii charmap cp1252 cp437 idna latin_1 punycode raw_unicode_escape "
    "unicode_escape utf_16 utf_16_be utf_16_le utf_32 utf_8 utf_8_sig"
).split()


def build_engine(target: Path) -> dict:
    """Puts the engine under `target` and returns where: `{"folder", "wheel"}`.
    What it is made from decides the folder's name; a made one is kept in
    `.cache` and copied from there."""
    cached = CACHE / f"engine-{_fingerprint()}"
    if not (cached / "done").exists():
        shutil.rmtree(cached, ignore_errors=True)
        (cached / "files" / "fast").mkdir(parents=True)
        # Node has to take pyodide.asm.js for the script it is, not for a module.
        (cached / "package.json").write_text("{}")
        _plain(cached / "files")
        _fast(cached / "files")
        (cached / "done").touch()
        forget_older("engine-*")
    digest = _digest_of_plain_part(cached / "files")
    folder = target / digest
    shutil.copytree(cached / "files", folder)
    lock = json.loads((folder / "pyodide-lock.json").read_text())
    return {"folder": digest, "wheel": lock["packages"]["six-caches"]["file_name"]}


def _plain(folder: Path) -> None:
    core = NODE_MODULES / "pyodide"
    for name in ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm"):
        shutil.copyfile(core / name, folder / name)
    # The source map named at the end of pyodide.mjs is not shipped.
    script = (folder / "pyodide.mjs").read_text()
    (folder / "pyodide.mjs").write_text(script.split("//# sourceMappingURL")[0])
    _trim_library(core / "python_stdlib.zip", folder / "python_stdlib.zip")

    lock = json.loads((core / "pyodide-lock.json").read_text())
    lock["packages"] = {}
    (folder / "full-lock.json").write_text(json.dumps(lock))
    environment = dict(os.environ, SOURCE_DATE_EPOCH=EPOCH, PYTHONHASHSEED="0")
    environment["PYTHONWARNINGS"] = "ignore"
    environment.pop("PYTHONPATH", None)  # pyodide-build imports a package named as our build.py
    advice = "The model could not be packaged for the browser; the reason is above."
    pyodide = [sys.executable, "-OO", "-m", "pyodide_cli"]
    run(
        "Packing the model as a wheel",
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        advice,
        cwd=ROOT,
        env=environment,
    )
    (wheel,) = folder.glob("*.whl")
    _unannotated(wheel)
    lockfile = [*pyodide, "lockfile", "add-wheels", "--input", folder / "full-lock.json"]
    lockfile += ["--output", folder / "pyodide-lock.json", "--base-path", folder, wheel]
    run("Adding it to Pyodide's lock file", lockfile, advice, cwd=folder, env=environment)
    (folder / "full-lock.json").unlink()
    run(
        "Compiling the library to bytecode",
        [*pyodide, "py-compile", "--compression-level", "9", folder],
        advice,
        cwd=folder,
        env=environment,
    )
    _repack(folder / "python_stdlib.zip", "/lib/python313.zip/")
    (wheel,) = folder.glob("*.whl")
    _repack(wheel, "/lib/python3.13/site-packages/")
    _rehash(folder)


def _fast(folder: Path) -> None:
    fast = folder / "fast"
    # What the snapshot is taken with: as `folder`, with the trimmed interpreter.
    made = folder.with_name("trimmed")
    shutil.copytree(folder, made)
    _trim_interpreter(made)
    run(
        "Taking the engine's memory snapshot",
        ["node", MAKE / "snapshot.mjs", made, made / "memory"],
        "The memory snapshot could not be made; the reason is above.",
    )
    memory = sparse((made / "memory").read_bytes())
    (fast / "memory.bin").write_bytes(gzipped(memory, LONGEST))
    shutil.copyfile(made / "pyodide.asm.js", fast / "pyodide.asm.js")
    module = (made / "pyodide.asm.wasm").read_bytes()
    (fast / "pyodide.asm.wasm").write_bytes(without_data(module))
    shutil.rmtree(made)


def _trim_interpreter(folder: Path) -> None:
    script, module = folder / "pyodide.asm.js", folder / "pyodide.asm.wasm"
    binary = module.read_bytes()
    asking = words((folder / "pyodide.mjs").read_text() + (MAKE / "snapshot.mjs").read_text())
    script.write_text(trimmed(script.read_text(), imports(binary), asking))
    run(
        "Trimming the interpreter",
        [
            *(NODE_MODULES / ".bin" / "terser", script, "--compress", "passes=3", "--mangle"),
            *("--output", script),
        ],
        "Pyodide's script could not be minified; the reason is above.",
    )
    asking |= words(script.read_text())
    # A script calls the function `f` of the module `_f`.
    exports = asking | {name[1:] for name in asking if name.startswith("_")}
    module.write_bytes(with_exports(binary, exports))


def _trim_library(source: Path, target: Path) -> None:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist()):
            if not name.endswith("/") and not _left_out(name):
                new.writestr(zipfile.ZipInfo(name), old.read(name))


def _left_out(name: str) -> bool:
    if name.startswith("encodings/"):
        return Path(name).stem not in ENCODINGS
    return name.startswith(
        tuple(entry if entry.endswith("/") else entry + "." for entry in LEFT_OUT)
    )


def _unannotated(wheel: Path) -> None:
    """Takes the annotations of functions out of the wheel's sources."""
    packed = io.BytesIO()
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(packed, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            new.writestr(entry, without_annotations(data) if entry.filename.endswith(".py") else data)
    wheel.write_bytes(packed.getvalue())


def _repack(archive: Path, home: str) -> None:
    """Writes a zip file again: slim bytecode that knows its home in the browser,
    sorted, one date for every entry."""
    packed = io.BytesIO()
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(packed, "w") as new:
        for name in sorted(old.namelist()):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o644 << 16
            data = old.read(name)
            if name.endswith(".pyc"):
                data = slim_pyc(data, home + name.removesuffix("c"))
            elif re.fullmatch(r"simulator/data/jax-[\d.]+\.json", name):
                facts = json.loads(data)
                data = json.dumps({key: facts[key] for key in FACTS}).encode()
            new.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    archive.write_bytes(packed.getvalue())


def _rehash(folder: Path) -> None:
    path = folder / "pyodide-lock.json"
    lock = json.loads(path.read_text())
    for package in lock["packages"].values():
        package["sha256"] = hashlib.sha256((folder / package["file_name"]).read_bytes()).hexdigest()
    path.write_text(json.dumps(lock, indent=1, sort_keys=True) + "\n")


def _fingerprint() -> str:
    """A hash of everything the engine is made from."""
    parts = [NODE_MODULES / "pyodide" / "package.json", ROOT / "pyproject.toml"]
    parts += [
        MAKE / name
        for name in "engine.py image.py packing.py slim.py trim.py wasm.py snapshot.mjs warm.py".split()
    ]
    return model_fingerprint(parts)


def _digest_of_plain_part(folder: Path) -> str:
    """The folder's public name: a hash of the reproducible files. The snapshot
    is left out, so that two builds of one source give the same addresses."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "memory.bin":
            total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()[:12]
