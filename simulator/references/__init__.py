"""Mutable references: `jax.new_ref` and what the caches make of it."""
