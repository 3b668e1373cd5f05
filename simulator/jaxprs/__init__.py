"""From Python to a jaxpr, its text, its inlining, and the module it is lowered to."""
