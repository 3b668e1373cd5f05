"""The function that is jitted: its signature, its names, the rules it brings along."""
