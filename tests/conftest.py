"""Which tests begin: those that take long, so that none of them runs alone at the end."""


def pytest_collection_modifyitems(items):
    """Tests marked as long begin first, so that none is left alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
