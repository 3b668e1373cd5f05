"""Which tests begin: those that take long, so that none of them runs alone at the end."""


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
