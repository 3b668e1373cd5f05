"""What holds for all tests: which of them begin, what no collection of garbage looks at, and one
process for those that ask real JAX."""

import gc

import pytest


def pytest_collection_modifyitems(items):
    """Tests marked as long begin first, so that none is left alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish():
    """Every program that a test runs on the model collects garbage: all that was imported and
    collected by pytest is none."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def server():
    """Real JAX, imported once: a program given to it runs in a child that starts from nothing, as a
    process of its own does (`tests/live/test_forkserver.py`)."""
    pytest.importorskip("jax")
    from simulator.live.forkserver import ForkServer
    with ForkServer() as running:
        yield running
