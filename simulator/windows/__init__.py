"""Convolutions and pooling: operations on a window that moves over an array."""
