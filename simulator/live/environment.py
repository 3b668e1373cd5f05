"""The surroundings in which a program is observed: header lines, environment."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import re

_DROPPED = ("JAX_", "XLA_", "TF_", "PYTHONHASHSEED")
ROOT = str(pathlib.Path(__file__).resolve().parent.parent.parent)
"""The folder that this package is imported from."""

SIGNATURES = {"TF_CPP_MIN_LOG_LEVEL": "0", "TF_CPP_VMODULE": "pjit=2"}
"""Makes jaxlib print each CallSignature and its verdict (jaxlib ``pjit.cc``)."""


@dataclasses.dataclass(frozen=True)
class Header:
    """The header directives of a program."""

    env: dict[str, str]
    processes: int = 1
    log: bool = True


def header(text: str) -> Header:
    """Read the comment lines at the top of a program text."""
    env: dict[str, str] = {}
    processes, log = 1, True
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        if found := re.match(r"#\s*env:\s*(\w+)=(.*)", line):
            env[found[1]] = found[2].strip()
        elif found := re.match(r"#\s*processes:\s*(\d+)", line):
            processes = int(found[1])
        elif re.match(r"#\s*log:\s*off", line):
            log = False
    return Header(env, processes, log)


def clean() -> dict[str, str]:
    """This process's environment without anything that steers JAX, on the CPU."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(_DROPPED)}
    path = env.get("PYTHONPATH")
    env["PYTHONPATH"] = ROOT + (os.pathsep + path if path else "")
    env["JAX_PLATFORMS"] = "cpu"
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    return env
