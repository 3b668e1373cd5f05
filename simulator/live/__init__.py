"""The real-JAX side: recorder, comparison and introspection.

The only package here that imports jax, and it does so inside functions or in
child processes only: importing `simulator.live` itself needs no jax.
"""
