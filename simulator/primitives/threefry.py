"""The Threefry 2x32 generator: the numbers behind `jax.random`.

Keys are pairs of 32-bit words.  `block` is the cipher; the rest says which
counters are encrypted for a split, a fold and random bits, in both modes of
``jax_threefry_partitionable``.

JAX source: jax/_src/random/threefry2x32.py.  Algorithm: Salmon et al., Parallel
random numbers: as easy as 1, 2, 3 (2011).
"""

from __future__ import annotations

import math

_MASK = 0xFFFFFFFF
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


def block(key: tuple[int, int], x0: int, x1: int) -> tuple[int, int]:
    """Encrypt one pair of words: 20 rounds, a key injection after every four."""
    k0, k1 = key
    schedule = (k0, k1, k0 ^ k1 ^ 0x1BD11BDA)
    x0 = (x0 + k0) & _MASK
    x1 = (x1 + k1) & _MASK
    for i in range(5):
        for r in _ROTATIONS[i % 2]:
            x0 = (x0 + x1) & _MASK
            x1 = ((x1 << r) | (x1 >> (32 - r))) & _MASK
            x1 ^= x0
        x0 = (x0 + schedule[(i + 1) % 3]) & _MASK
        x1 = (x1 + schedule[(i + 2) % 3] + i + 1) & _MASK
    return x0, x1


def hash_counts(key: tuple[int, int], counts: list[int]) -> list[int]:
    """Encrypt a list of words: first half against second half, padded with one zero."""
    odd = len(counts) % 2
    counts = counts + [0] * odd
    half = len(counts) // 2
    pairs = [block(key, a, b) for a, b in zip(counts[:half], counts[half:])]
    out = [a for a, _ in pairs] + [b for _, b in pairs]
    return out[:-1] if odd else out


def seed(value: int, bits: int) -> tuple[int, int]:
    """A key from an integer of `bits` width: its upper and lower 32 bits."""
    high = (value >> 32) & _MASK if bits > 32 else 0
    return high, value & _MASK


def _counters(n: int):
    return ((i >> 32, i & _MASK) for i in range(n))


def split(key: tuple[int, int], shape: tuple[int, ...], partitionable: bool) -> list:
    """prod(shape) new keys."""
    n = math.prod(shape)
    if partitionable:
        return [block(key, hi, lo) for hi, lo in _counters(n)]
    words = hash_counts(key, list(range(2 * n)))
    return list(zip(words[::2], words[1::2]))


def fold_in(key: tuple[int, int], data: int) -> tuple[int, int]:
    """A key from a key and a 32-bit number."""
    a, b = hash_counts(key, list(seed(data & _MASK, 32)))
    return a, b


def random_bits(key: tuple[int, int], width: int, shape: tuple[int, ...],
                partitionable: bool) -> list[int]:
    """prod(shape) random integers of `width` bits."""
    n = math.prod(shape)
    if partitionable:
        pairs = [block(key, hi, lo) for hi, lo in _counters(n)]
        if width == 64:
            return [hi << 32 | lo for hi, lo in pairs]
        return [(a ^ b) & ((1 << width) - 1) for a, b in pairs]
    words = hash_counts(key, list(range(-(-width * n // 32))))
    if width == 64:
        half = len(words) // 2
        return [hi << 32 | lo for hi, lo in zip(words[:half], words[half:])]
    if width == 32:
        return words
    mask, parts = (1 << width) - 1, 32 // width
    return [w >> (width * i) & mask for w in words for i in range(parts)][:n]
