# title: Sentences of many lengths, padded
# about: Without padding each length compiles; padded to powers of two, few do.
import jax
import numpy as np

@jax.jit
def total(tokens):
    return tokens.sum()

lengths = [3, 5, 7, 9, 12, 5, 3]

for n in lengths:
    total(np.ones(n, np.float32))

def padded(tokens):
    size = 1 << (len(tokens) - 1).bit_length()
    return np.pad(tokens, (0, size - len(tokens)))

for n in lengths:
    total(padded(np.ones(n, np.float32)))
