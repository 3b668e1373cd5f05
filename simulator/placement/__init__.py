"""Devices, meshes, shardings, and how results come by theirs."""
