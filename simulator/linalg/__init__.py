"""Linear algebra: factorizations, and solving with them."""
