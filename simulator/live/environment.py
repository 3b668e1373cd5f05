"""The environment in which a program is observed."""

from __future__ import annotations

import os
import pathlib

_DROPPED = ("JAX_", "XLA_", "TF_", "PYTHONHASHSEED")
ROOT = str(pathlib.Path(__file__).resolve().parent.parent.parent)
"""The folder that this package is imported from."""

SIGNATURES = {"TF_CPP_MIN_LOG_LEVEL": "0", "TF_CPP_VMODULE": "pjit=2"}
"""Makes jaxlib print each CallSignature and its verdict (jaxlib ``pjit.cc``)."""


def clean() -> dict[str, str]:
    """This process's environment without anything that steers JAX, on the CPU."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(_DROPPED)}
    path = env.get("PYTHONPATH")
    env["PYTHONPATH"] = ROOT + (os.pathsep + path if path else "")
    env["JAX_PLATFORMS"] = "cpu"
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    return env
