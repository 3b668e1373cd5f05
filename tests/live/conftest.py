"""Help for tests that run programs on real JAX."""

import os
import pathlib
import textwrap

import pytest

pytest.importorskip("jax")

from simulator.live.observe import observe_text  # noqa: E402
from simulator.recordings import event_data  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def everything() -> bool:
    """Whether tests run all programs rather than a sample (`SIX_CACHES_ALL=1`)."""
    return os.environ.get("SIX_CACHES_ALL") == "1"


@pytest.fixture(scope="session")
def run(server):
    """Run a program text on real JAX; the same text runs once per test session."""
    known = {}

    def run(text, **options):
        text = textwrap.dedent(text).lstrip("\n")
        key = text, tuple(sorted(options.items()))
        if key not in known:
            known[key] = observe_text("program.py", text, launch=server, **options)
        return known[key]

    return run


def steps(call, *kinds):
    """The signatures of a call's events without their kind; logs and evictions left out."""
    return [event_data.signature(event)[1:] for event in call.events
            if event["kind"] in (kinds or ("lookup", "work", "store"))]
