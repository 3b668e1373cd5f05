"""Facts read from the installed JAX, as `simulator.live` wrote them to `data/`."""

from __future__ import annotations

import functools
import json
import os
from typing import Any

VERSION = "0.11.1"


@functools.cache
def facts() -> dict:
    """The facts of the modelled JAX version; do not change the returned object."""
    return read(f"jax-{VERSION}.json")


@functools.cache
def symbols() -> dict[str, dict[str, int]]:
    """File of JAX -> the name of what it defines -> its line. For the pages; not in the
    wheel, since the model does not ask."""
    return read(f"symbols-{VERSION}.json")


@functools.cache
def library_functions() -> dict[str, str]:
    """Name of a jitted function of JAX -> ``jax/_src/….py:line``."""
    return read("library-functions.json")


def read(name: str) -> Any:
    """The content of a JSON file in `data/`."""
    return json.loads(text(name))


def text(name: str) -> str:
    """A file in `data/` as it is."""
    with open(os.path.join(os.path.dirname(__file__), "data", name), encoding="utf-8") as file:
        return file.read()
