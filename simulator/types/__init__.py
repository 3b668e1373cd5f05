"""Dtypes, avals, promotion, rounding and limits: what is known before there are numbers."""
