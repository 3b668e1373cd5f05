"""Differentiation: the traces of forward and reverse mode, and each primitive's rules."""
