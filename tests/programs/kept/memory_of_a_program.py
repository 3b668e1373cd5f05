# expected: what a compiled program tells about memory is plain numbers
# happens: it is an object of jaxlib
# source: jax/_src/stages.py: Compiled.memory_analysis
import jax, numpy as np
call("m", lambda: jax.jit(lambda x: x).lower(1.0).compile().memory_analysis())
