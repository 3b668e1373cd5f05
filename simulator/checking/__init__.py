"""``jax.experimental.checkify``: checks that become values of the program."""
