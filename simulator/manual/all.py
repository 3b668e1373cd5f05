"""What every kind of trace does with a `shard_map`. Importing this registers it."""

from simulator.manual import derivatives, eager, mapped_axis, partial, splitting  # noqa: F401
