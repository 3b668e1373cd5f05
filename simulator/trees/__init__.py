"""Pytrees: flattening, structure, key paths, registration and JAX's complaints about them."""
