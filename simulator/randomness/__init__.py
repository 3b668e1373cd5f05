"""Random keys, the generators behind them, and the samplers."""
