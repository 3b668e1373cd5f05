"""`jax.shard_map` and `jax.pmap`: functions written for one device of a mesh."""
