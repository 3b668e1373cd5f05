"""Random programs: drawn from a seed, run on both sides, cut down where they differ."""
