"""The NumPy stand-in: arrays that live on the host, and the arithmetic on them."""
