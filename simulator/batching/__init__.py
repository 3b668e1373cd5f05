"""Batching: what ``jax.vmap`` does to every operation."""
