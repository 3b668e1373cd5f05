"""``jax.export``: a lowered program as an object, and its sizes as symbols."""
