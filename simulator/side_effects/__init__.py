"""Effects and callbacks: what a compiled program may do to the outside."""
