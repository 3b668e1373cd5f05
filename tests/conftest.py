"""What holds for all tests: which of them begin, and what no collection of garbage looks at."""

from simulator.running import garbage


def pytest_collection_modifyitems(items):
    """Tests marked as long begin first, so that none is left alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish():
    """Every program that a test runs on the model collects garbage: all that was imported and
    collected by pytest is none."""
    garbage.settle()
