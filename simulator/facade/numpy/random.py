"""``numpy.random`` is out of scope: its generators are not modelled."""

from simulator.errors import OutOfScope


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    raise OutOfScope(f"numpy.random.{name}", "use fixed numbers or jax.random")
