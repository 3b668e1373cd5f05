"""Write `simulator/data/jax-<version>.json` and `symbols-<version>.json`: facts about the
installed JAX, and where its source defines what.

Names, orders, capacities, lines, formats and defaults are read from the running
package or from its source text; nothing is typed in by hand. The same wheel
gives the same file, byte by byte.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
import subprocess
import sys

from simulator.live import environment, sources, states

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"

PYTHON_CACHES = (
    ("params", "pjit", "jax/_src/pjit.py", "_infer_params_cached", "_infer_params_cached"),
    ("trace", "partial_eval", "jax/_src/interpreters/partial_eval.py", "trace_to_jaxpr",
     "trace_to_jaxpr_nocache"),
    ("lower", "pjit", "jax/_src/pjit.py", "_pjit_lower", "_pjit_lower"),
    ("hlo", "pxla", "jax/_src/interpreters/pxla.py", "_cached_lowering_to_hlo",
     "_cached_lowering_to_hlo"),
    ("compile", "pxla", "jax/_src/interpreters/pxla.py", "_cached_compilation",
     "_cached_compilation"),
    ("prim", "dispatch", "jax/_src/dispatch.py", "xla_primitive_callable",
     "xla_primitive_callable"),
)
"""(station, module, file, variable, function under the cache)."""

CPP_CACHES = ("_cpp_pjit_cache_fun_only", "_cpp_pjit_cache_explicit_attributes")
DISK_STATES = ("compilation_cache", "persistent_cache", "cache_key")


def run(folder: pathlib.Path = DATA) -> list[pathlib.Path]:
    """Introspect in a fresh, clean process and write the data files.

    Args:
      folder: where to write; the committed place by default.
    Returns the paths written. Raises RuntimeError when the child process fails.
    """
    folder.mkdir(exist_ok=True)
    env = environment.clean()
    del env["JAX_PLATFORMS"]            # it would show up as a default
    done = subprocess.run([sys.executable, "-m", "simulator.live.introspect"],
                          env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"introspection failed:\n{done.stderr}")
    data = json.loads(done.stdout)
    written = []
    for name, part in (("symbols", data.pop("symbols")), ("jax", data)):
        path = folder / f"{name}-{data['jax']}.json"
        path.write_text(to_json(part), encoding="utf-8")
        written.append(path)
    return written


def collect() -> dict:
    """All facts, in this process, which must not have imported jax yet."""
    seen = states.watch()
    import jax
    from jax._src import cache_key, config, pjit
    from jax._src.interpreters import pxla
    root = pathlib.Path(jax.__file__).resolve().parent.parent
    described = states.describe(seen)
    trees = {file: sources.parse(root, file) for file in sources.INDEXED}
    jit_key = [s["name"] for s in described if s["in_jit_key"]]
    trace_context = [s["name"] for s in described if s["in_trace_context"]]
    if tuple(trace_context) != tuple(config.trace_context_names()):
        raise RuntimeError("the watched states do not match config.trace_context_names()")
    signature_fields, logged = call_signature_fields()
    if logged != jit_key:
        raise RuntimeError("the watched states do not match the CallSignature that C++ prints")
    import jaxlib
    return {
        "jax": jax.__version__,
        "commit": jax.version._git_hash,
        "jaxlib": jaxlib.__version__,
        "python": ".".join(map(str, sys.version_info[:2])),
        "counts": {"states": len(described), "jit_key": len(jit_key),
                   "trace_context": len(trace_context)},
        "states": described,
        "jit_key": jit_key,
        "trace_context": trace_context,
        "caches": caches(trees),
        "keys": {
            "CallSignature": signature_fields,
            "JitGlobalCppCacheKeys": [f.name for f in
                                      dataclasses.fields(pxla.JitGlobalCppCacheKeys)],
            "PjitInfo": list(pjit.PjitInfo._fields),
            "disk": disk_key_parts(trees["jax/_src/cache_key.py"]),
        },
        "persistent": {
            "defaults": {s["name"]: s["default"] for s in described
                         if any(word in s["name"] for word in DISK_STATES)},
            "platforms": supported_platforms(trees["jax/_src/compilation_cache.py"]),
            "excluded_flags": list(cache_key.xla_flags_to_exclude_from_cache_key),
        },
        "events": sorted({event for tree in trees.values()
                          for event in sources.recorded_events(tree)}),
        "messages": messages(trees),
        "symbols": {file: sources.symbols(tree) for file, tree in trees.items()},
    }


def caches(trees: dict) -> list[dict]:
    """One item per cache variable: station, where it is, how big, what it holds weakly."""
    from jax._src import dispatch, pjit
    from jax._src.interpreters import partial_eval, pxla
    modules = {"pjit": pjit, "partial_eval": partial_eval, "pxla": pxla, "dispatch": dispatch}
    symbol = {file: sources.symbols(tree) for file, tree in trees.items()}
    found = []
    for variable in CPP_CACHES:
        file = "jax/_src/pjit.py"
        found.append({"station": "fast_path", "module": "jax._src.pjit", "variable": variable,
                      "file": file, "line": symbol[file][variable],
                      "capacity": getattr(pjit, variable).capacity(),
                      "type": "PjitFunctionCache", "weak": "fun", "key": None})
    for station, module, file, variable, function in PYTHON_CACHES:
        cache = getattr(modules[module], variable)
        size = cache.cache_info().maxsize
        key = sources.parameters(trees[file], function)
        weak = type(cache).__name__ == "WeakrefLRUCache"
        found.append({"station": station, "module": modules[module].__name__,
                      "variable": variable, "file": file, "line": symbol[file][variable],
                      "capacity": size if size >= 0 else None, "type": type(cache).__name__,
                      "weak": key[0] if weak else None, "key": key})
    file = "jax/_src/interpreters/pxla.py"
    found.append({"station": "memo", "module": pxla.__name__,
                  "variable": "MeshComputation._executable", "file": file,
                  "line": symbol[file]["MeshComputation._executable"], "capacity": 1,
                  "type": "attribute", "weak": None, "key": None})
    file = "jax/_src/compilation_cache.py"
    found.append({"station": "disk", "module": "jax._src.compilation_cache",
                  "variable": "_cache", "file": file, "line": symbol[file]["_cache"],
                  "capacity": None, "type": "LRUCache", "weak": None, "key": None})
    return found


def messages(trees: dict) -> list[dict]:
    """Every log, warning and explanation format of the modules around the caches."""
    found = []
    for file in sources.MESSAGE_FILES:
        texts = sources.log_messages(trees[file])
        if file.endswith("partial_eval.py"):
            texts += sources.explanations(trees[file])
        logger = file.removesuffix(".py").replace("/", ".")
        found += [{"logger": logger, "file": file, **text} for text in texts]
    return found


def disk_key_parts(tree) -> list[str]:
    """Names of the parts of the persistent cache key (jax/_src/cache_key.py: get)."""
    import ast
    get = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "get")
    return [pair.elts[0].value for node in ast.walk(get)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)
            for pair in node.value.elts if isinstance(pair, ast.Tuple)]


def supported_platforms(tree) -> list[str]:
    """Platforms with a persistent cache (jax/_src/compilation_cache.py: is_cache_used)."""
    import ast
    return next(ast.literal_eval(node.value) for node in ast.walk(tree)
                if isinstance(node, ast.Assign)
                and getattr(node.targets[0], "id", "") == "supported_platforms")


def call_signature_fields() -> tuple[list[str], list[str]]:
    """(field names, config names) of the CallSignature that jaxlib prints when asked to."""
    program = "import jax; jax.jit(lambda x: x)(1.0)"
    env = {**environment.clean(), **environment.SIGNATURES}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True,
                          text=True, check=True)
    text = done.stderr.split("CallSignature:\n", 1)[1].split("\n\n", 1)[0]
    fields = []
    for line in text.splitlines():
        line = line.removeprefix("arg signature: ")
        fields += re.findall(r"(?:^|\], )([a-z][a-z ()+]*): ", line)
    configs = text.split("configs: ", 1)[1]
    return fields, re.findall(r"(?:^|, )(\w+): ", configs)


def to_json(data: dict) -> str:
    """Readable JSON: one line per item of the long lists."""
    lines = []
    for name, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            items = ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value)
            lines.append(f" {json.dumps(name)}: [\n  {items}\n ]")
        elif name in ("keys", "persistent"):
            items = ",\n  ".join(f"{json.dumps(key)}: {json.dumps(item, ensure_ascii=False)}"
                                 for key, item in value.items())
            lines.append(f" {json.dumps(name)}: {{\n  {items}\n }}")
        else:
            lines.append(f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    json.dump(collect(), sys.stdout)
