"""Loops and branches: primitives whose parameters are programs."""
