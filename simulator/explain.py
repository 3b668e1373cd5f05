"""What JAX would have told you: its log lines and warnings, word for word.

Times, ids, addresses and hashes are written as ``<time>``, ``<id>``, ``<key>``:
the two producers agree after real JAX's lines went through the same
normalisation.

JAX source: ``jax/_src/interpreters/partial_eval.py: explain,
diff_tracing_cache_keys``; ``jax/_src/dispatch.py: log_elapsed_time``;
``jax/_src/interpreters/pxla.py: _cached_lowering_to_hlo``;
``jax/_src/compiler.py``; ``jax/_src/compilation_cache.py``.
"""

from __future__ import annotations

import operator
from typing import Any

from simulator import process
from simulator.functions.signature import FlatCall
from simulator.listeners import COMPILE
from simulator.running import loudness
from simulator.running.source import callsite, is_user_file
from simulator.trees.keypaths import keystr


def _warn(logger: str, text: str) -> None:
    if loudness.speaks(f"jax._src.{logger}"):
        process.current().recorder.message(f"WARNING:jax._src.{logger}: {text}")


def _log_compiles() -> bool:
    return bool(process.current().config.value("jax_log_compiles"))


class _Timed:
    """Around some work. The line comes when the work is over, also when it raised."""

    def __init__(self, text: str, event: str):
        self._text, self._event = text, event

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        if _log_compiles():
            _warn("dispatch", f"{self._text} in <time>")
        process.current().listeners.duration(COMPILE + self._event, 0.0)


def finished_tracing(name: str) -> Any:
    """Around a lookup in the tracing cache: the line appears on a hit, too."""
    return _Timed(f"Finished tracing {name} for jit", "jaxpr_trace_duration")


def finished_lowering(module_name: str) -> Any:
    """Around making a module."""
    return _Timed(f"Finished jaxpr to MLIR module conversion {module_name}",
                  "jaxpr_to_mlir_module_duration")


def finished_compilation(module_name: str) -> Any:
    """Around getting an executable: the line appears when it came from disk, too."""
    return _Timed(f"Finished XLA compilation of {module_name}", "backend_compile_duration")


def compiling(module_name: str, in_avals: tuple, in_shardings: tuple) -> None:
    """The line that opens a lowering."""
    if _log_compiles():
        _warn("interpreters.pxla", f"Compiling {module_name} with global shapes and types "
                                   f"{in_avals}. Argument mapping: {in_shardings}.")


def persistent_hit(sym_name: str, key: str) -> None:
    """The line of an executable found on disk. JAX source: ``jax/_src/compiler.py:
    log_persistent_cache_hit``."""
    if _log_compiles():
        _warn("compiler", f"Persistent compilation cache hit for '{sym_name}' with key "
                          f"'{_hide(key)}'")


def _announces() -> bool:
    return process.current().disk.announces


def persistent_miss(sym_name: str, key: str) -> None:
    """The line of an executable not found on disk. JAX source: ``jax/_src/compiler.py:
    log_persistent_cache_miss``."""
    if _announces():
        _warn("compiler", f"PERSISTENT COMPILATION CACHE MISS for '{sym_name}' with key "
                          f"'{_hide(key)}'")


def too_quick(sym_name: str, seconds: float) -> None:
    """The line of an executable that compiled too fast to be kept (`seconds` is not shown).
    JAX source: ``jax/_src/compiler.py: _cache_write``."""
    if _announces():
        _warn("compiler", f"Not writing persistent cache entry for '{sym_name}' because it took "
                          "< <time> to compile (<time>)")


def no_directory(key: str) -> None:
    """The line of an executable for which there is no folder. JAX source:
    ``jax/_src/compilation_cache.py: put_executable_and_time``."""
    if _announces():
        _warn("compilation_cache", f"Not writing persistent cache entry with key '{_hide(key)}' "
                                   "since cache is disabled/not initialized")


def too_small(key: str, threshold: int) -> None:
    """The line of an executable with fewer bytes than `threshold` (which is not shown). JAX
    source: ``jax/_src/compilation_cache.py: put_executable_and_time``."""
    if _announces():
        _warn("compilation_cache", f"Not writing persistent cache entry with key '{_hide(key)}' "
                                   "since its size (<n> bytes) is less than threshold "
                                   "(<n> bytes)")


def writing(sym_name: str, key: str) -> None:
    """The line of an executable written to disk. JAX source: ``jax/_src/compiler.py:
    _cache_write``."""
    if _announces():
        _warn("compilation_cache", f"Writing {sym_name} to persistent compilation cache with key "
                                   f"'{_hide(key)}'")


def unreadable_entry(sym_name: str) -> None:
    """The warning about a file that is no executable. JAX source: ``jax/_src/compiler.py:
    _cache_read``."""
    python_warning("UserWarning", "Error reading persistent compilation cache entry for "
                                  f"'{sym_name}': error: Error -3 while decompressing data: "
                                  "incorrect header check")


def unusable_donation(avals: list[str]) -> None:
    """The warning about donated arguments of which no result has the type. JAX source:
    ``jax/_src/interpreters/mlir.py: lower_jaxpr_to_module``."""
    python_warning("UserWarning", f"Some donated buffers were not usable: {', '.join(avals)}.\n"
                                  "See an explanation at "
                                  "https://docs.jax.dev/en/latest/faq.html#buffer-donation.")


def python_warning(category: str, text: str) -> None:
    """A ``warnings.warn``; recordings keep its first line."""
    if loudness.warned(category, text):
        process.current().recorder.message(f"WARNING:{category}: {text.partition(chr(10))[0]}")


def _hide(key: str) -> str:
    return key.rsplit("-", 1)[0] + "-<key>"


def tracing_miss(fun: Any, context: tuple, arguments: Any, debug_info: Any, cache: Any,
                 new_entry: Any, within: Any) -> None:
    """``TRACING CACHE MISS …``: only for functions defined in the user's files.

    Args:
      within: code of the frames that bound a trace; the call is looked for inside the
        innermost one, so a jitted function that is traced as such has no call site.
    """
    here = process.current()
    if not here.config.value("jax_explain_cache_misses"):
        return
    filename = debug_info.func_filename
    if filename and not is_user_file(filename):
        return
    site = callsite(within)
    lines = [f"TRACING CACHE MISS at {site}:"]
    source = (f" defined at {filename}" if filename else "") + (
        f":{debug_info.func_lineno}" if debug_info.func_lineno else "")
    earlier = [key for key in cache.keys_of(fun) if key is not new_entry.key]
    if not earlier:
        lines.append(f"  never seen function:\n    {debug_info.func_name} id=<id>{source}")
        if site in here.callsites_with_misses:
            lines.append("  but seen another function defined on the same line; maybe the "
                         "function is\n  being re-defined repeatedly, preventing caching?")
        else:
            here.callsites_with_misses.add(site)
    else:
        lines.append(f"  for {debug_info.func_name}{source}")
        names = here.config.trace_context_names()
        closest = min(_difference(names, (context, arguments, debug_info),
                                  (c, FlatCall(*call), dbg)) for c, *call, dbg in earlier)
        lines.append("  all previously seen cache keys differ. For the closest previous key:")
        lines.append("  " + closest[-1])
    _warn("interpreters.partial_eval", "\n".join(lines))


def _difference(names: list, new: tuple, old: tuple) -> tuple[int, int, str]:
    """(severity, number of differences, text). The kind of difference outranks the
    number, which is why the "closest" key can hide the real cause."""
    return (_context_difference(names, new[0], old[0]) or _no_trees(new[2])
            or _tree_difference(new[1].tree_with_static_trees, old[1].tree_with_static_trees)
            or _debug_difference(new[2], old[2])
            or _type_difference(new[2].arg_names, new[1].leaves, old[1].leaves)
            or (4, 0, "cache miss explanation unavailable"))


def _no_trees(debug_info: Any) -> None:
    # The structure of such arguments has parts of two registries, which JAX cannot
    # put together: asked to explain the miss, it fails.
    if debug_info.traced_for == "custom_vmap fun":
        raise ValueError("PyTree registries of PyTreeDefs passed to Tuple() must match.")


def _context_difference(names: list, new: tuple, old: tuple) -> tuple[int, int, str] | None:
    if new == old:
        return None
    title = "Tracing context doesn't match, e.g. due to config or context manager."
    if len(new) != len(old):
        text = (f"  * number of tracing context values differs: now {len(new)} and before "
                f"{len(old)}")
        return 0, abs(len(new) - len(old)), f"{title}\n{text}"
    lines = [f"  * {name} differs: now {a} and before {b}"
             for name, a, b in zip(names, new, old) if a != b]
    return 0, len(lines), "\n".join([title, *lines])


def _tree_difference(new: Any, old: Any) -> tuple[int, int, str] | None:
    from simulator.trees import tree_errors
    lines = [f"  * at input path {keystr(tuple(path))}, now {a} and before {b}, so {why}"
             for path, a, b, why in tree_errors.equality_errors_pytreedef(
                 process.current().registries.default, new, old)]
    return (1, len(lines), "different input pytree:\n" + "\n".join(lines)) if lines else None


def _debug_difference(new: Any, old: Any) -> tuple[int, int, str] | None:
    count = sum(map(operator.ne, new[:4], old[:4]))
    return (2, count, "Debug info doesn't match.") if count else None


def _type_difference(names: Any, new: tuple, old: tuple) -> tuple[int, int, str] | None:
    if new == old:
        return None
    lines = []
    weak_hint = False
    for name, a, b in zip(names or (), new, old):
        if a == b or type(a) is not type(b):
            continue
        text_a, text_b = a.str_short(True), b.str_short(True)
        # A sharding has one entry per dimension, so other ranks are other shardings.
        if (a.mesh, a.spec, a.ndim) != (b.mesh, b.spec, b.ndim):
            text_a, text_b = a.str_short(True, True), b.str_short(True, True)
        if a.weak_type != b.weak_type:
            weak_hint = True
            text_a += f"{{weak_type={a.weak_type}}}"
            text_b += f"{{weak_type={b.weak_type}}}"
        lines.append(f"  * at {name}, now {text_a} and before {text_b}")
    text = "different input types:\n" + "\n".join(lines)
    if weak_hint:
        text += "https://docs.jax.dev/en/latest/type_promotion.html#weak-types"
    return (3, len(lines), text) if lines else None
