"""Facts read from the installed JAX, as `simulator.live` wrote them to `data/`."""

from __future__ import annotations

import functools
import json
import pathlib

VERSION = "0.11.1"


@functools.cache
def facts() -> dict:
    """The facts of the modelled JAX version; do not change the returned object."""
    path = pathlib.Path(__file__).parent / "data" / f"jax-{VERSION}.json"
    return json.loads(path.read_text(encoding="utf-8"))


@functools.cache
def library_functions() -> dict[str, str]:
    """Name of a jitted function of JAX -> ``jax/_src/….py:line``."""
    path = pathlib.Path(__file__).parent / "data" / "library-functions.json"
    return json.loads(path.read_text(encoding="utf-8"))
