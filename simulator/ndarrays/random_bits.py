"""NumPy's two bit generators, MT19937 and PCG64, and what is drawn from them.

Follows numpy/random: ``bit_generator.pyx`` (`SeedSequence`), ``src/mt19937``, ``src/pcg64``
and ``src/distributions/distributions.c``. The numbers are NumPy's own, bit for bit
where the C library rounds exponentials and logarithms as glibc does; the table of the
ziggurat is computed here from its recurrence (Marsaglia and Tsang, 2000).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator

_32 = (1 << 32) - 1
_64 = (1 << 64) - 1
_128 = (1 << 128) - 1


class _Bits:
    next32: Callable[[], int]

    def masked(self, largest: int) -> int:
        """An int in [0, largest], by masking and trying again."""
        mask = (1 << largest.bit_length()) - 1
        while largest:
            drawn = self.next32()
            if largest > _32:
                drawn = drawn << 32 | self.next32()
            if drawn & mask <= largest:
                return drawn & mask
        return 0


class MT19937(_Bits):
    """The generator behind ``RandomState``; `seed` is an int of 32 bits."""

    def __init__(self, seed: int):
        words = [seed]
        for i in range(1, 624):
            words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + i) & _32)
        self._words, self._at = words, 624
        self._kept: float | None = None     # the second number of a pair of normal ones

    def _twist(self) -> None:
        w = self._words
        for i in range(624):
            y = (w[i] & 0x80000000) | (w[(i + 1) % 624] & 0x7FFFFFFF)
            w[i] = w[(i + 397) % 624] ^ (y >> 1) ^ (0x9908B0DF if y & 1 else 0)
        self._at = 0

    def next32(self) -> int:
        """32 bits."""
        if self._at == 624:
            self._twist()
        y = self._words[self._at]
        self._at += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        return y ^ (y >> 18)

    def double(self) -> float:
        """A number in [0, 1)."""
        return ((self.next32() >> 5) * 67108864.0 + (self.next32() >> 6)) / 9007199254740992.0

    below = _Bits.masked

    def normal(self) -> float:
        """A standard normal number, by the polar method."""
        if self._kept is not None:
            kept, self._kept = self._kept, None
            return kept
        while True:
            x, y = 2.0 * self.double() - 1.0, 2.0 * self.double() - 1.0
            square = x * x + y * y
            if 0.0 < square < 1.0:
                scale = math.sqrt(-2.0 * math.log(square) / square)
                self._kept = scale * x
                return scale * y


class PCG64(_Bits):
    """The generator behind ``default_rng``; `seed` is an int of any size."""

    def __init__(self, seed: int):
        a, b, c, d = _spread(seed)
        self._add = ((c << 64 | d) << 1 | 1) & _128
        self._state = self._add + (a << 64 | b)
        self._step()
        self._half: int | None = None

    def _step(self) -> int:
        self._state = (self._state * 47026247687942121848144207491837523525 + self._add) & _128
        return self._state

    def next64(self) -> int:
        """64 bits."""
        state = self._step()
        x, turn = (state >> 64) ^ (state & _64), state >> 122
        return (x >> turn | x << (64 - turn)) & _64

    def next32(self) -> int:
        """32 bits: the low half of a draw, then its high half."""
        if self._half is not None:
            half, self._half = self._half, None
            return half
        drawn = self.next64()
        self._half = drawn >> 32
        return drawn & _32

    def double(self) -> float:
        """A number in [0, 1)."""
        return (self.next64() >> 11) / 9007199254740992.0

    def below(self, largest: int) -> int:
        """An int in [0, largest], by Lemire's multiplication."""
        if not largest:
            return 0
        bits, draw = (32, self.next32) if largest <= _32 else (64, self.next64)
        full = (1 << bits) - 1
        if largest == full:
            return draw()
        count = largest + 1
        product = draw() * count
        if product & full < count:
            while product & full < (full - largest) % count:
                product = draw() * count
        return product >> bits

    def normal(self) -> float:
        """A standard normal number, by the ziggurat of 256 layers."""
        edges, widths, heights = _ziggurat()
        while True:
            drawn = self.next64()
            layer, negative, size = drawn & 255, drawn >> 8 & 1, drawn >> 9 & ((1 << 52) - 1)
            x = size * widths[layer]
            if negative:
                x = -x
            if size < edges[layer]:
                return x
            if layer == 0:
                while True:
                    beyond = -0.27366123732975828 * math.log1p(-self.double())
                    height = -math.log1p(-self.double())
                    if height + height > beyond * beyond:
                        return -(_TAIL + beyond) if size >> 8 & 1 else _TAIL + beyond
            low, high = heights[layer], heights[layer - 1]
            if (high - low) * self.double() + low < math.exp(-0.5 * x * x):
                return x


_TAIL = 3.6541528853610088      # where the tail of the ziggurat begins


@functools.cache
def _ziggurat() -> tuple[list[int], list[float], list[float]]:
    # In double precision, as NumPy's table was made: the last bit of a width is the last
    # bit of a drawn number. The exponential of layer 38 was rounded up there.
    area, scale, edge = 0.004928673233974652, 2.0 ** 52, _TAIL
    density = math.exp(-0.5 * edge * edge)
    edges = [int(edge * density / area * scale)] + [0] * 255
    widths = [area / density / scale, *[0.0] * 254, edge / scale]
    heights = [1.0, *[0.0] * 254, density]
    for i in range(254, 0, -1):
        before, edge = edge, math.sqrt(-2.0 * math.log(area / edge + density))
        density = math.exp(-0.5 * edge * edge)
        if i == 38:
            density = math.nextafter(density, 1.0)
        edges[i + 1] = int(edge / before * scale)
        widths[i], heights[i] = edge / scale, density
    return edges, widths, heights


def _spread(seed: int) -> Iterator[int]:
    # SeedSequence(seed).generate_state(4, uint64)
    words = []
    while seed or not words:
        words.append(seed & _32)
        seed >>= 32
    factor = 0x43B0D7E5

    def hashed(value: int) -> int:
        nonlocal factor
        value ^= factor
        factor = factor * 0x931E8875 & _32
        value = value * factor & _32
        return value ^ value >> 16

    def mixed(x: int, y: int) -> int:
        out = (0xCA01F9DD * x - 0x4973F715 * y) & _32
        return out ^ out >> 16

    pool = [hashed(words[i] if i < len(words) else 0) for i in range(4)]
    for i in range(4):
        for j in range(4):
            if i != j:
                pool[j] = mixed(pool[j], hashed(pool[i]))
    for word in words[4:]:
        for j in range(4):
            pool[j] = mixed(pool[j], hashed(word))
    factor, halves = 0x8B51F9DD, []
    for i in range(8):
        value = pool[i % 4] ^ factor
        factor = factor * 0x58F38DED & _32
        value = value * factor & _32
        halves.append(value ^ value >> 16)
    return (low | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=True))
