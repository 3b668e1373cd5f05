"""The primitives: what jaxprs are made of.

One module per family; `simulator.primitives.all` gathers them under their JAX
names (``add_p``, ``reduce_sum_p`` ...), `core.BY_NAME` has them by printed name.
"""
