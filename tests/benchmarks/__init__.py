"""Measurements, printed as ratios from one run: `python3 build.py bench`."""
