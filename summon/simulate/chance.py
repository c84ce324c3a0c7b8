"""Chance for compiled battles: a stream of random numbers for each battle, and what is drawn from it.

A stream is a xoshiro128++ generator (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021,
https://prng.di.unimi.it/xoshiro128plusplus.c), begun as its authors advise from SplitMix64 (Steele, Lea and Flood,
2014, https://prng.di.unimi.it/splitmix64.c). Battle i of a seed begins with the outputs 2i and 2i + 1 of the SplitMix64
that the seed begins, so that a battle depends on the seed and its own number alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable

from summon.simulate.narrow import count_bits, narrow

WORDS = 4
"""How many words of 32 bits a generator's state has."""

inline = register_jitable(forceinline=True)

_u32, _u64 = np.uint32, np.uint64
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint32(0xFFFF)


@inline
def mixed(x: Any) -> Any:
    """SplitMix64's output for a state."""
    x = (x ^ (x >> _u64(30))) * _u64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> _u64(27))) * _u64(0x94D049BB133111EB)
    return x ^ (x >> _u64(31))


@inline
def begin(generators: Any, lanes: int, lane: int, seed: Any, number: int) -> None:
    """Begin the stream of a battle of a seed in a lane."""
    state = mixed(seed + _GAMMA) + (_u64(2) * _u64(number) + _u64(1)) * _GAMMA
    one, two = mixed(state), mixed(state + _GAMMA)
    generators[lane] = _u32(one)
    generators[lanes + lane] = _u32(one >> _u64(32))
    generators[2 * lanes + lane] = _u32(two)
    generators[3 * lanes + lane] = _u32(two >> _u64(32))


@inline
def _turned(x: Any, bits: int) -> Any:
    return _u32(_u32(x << _u32(bits)) | _u32(x >> _u32(32 - bits)))


@inline
def draw(generators: Any, draws: Any, rows: int, lanes: int) -> None:
    """Draw the next numbers of every lane's stream, 32 bits each: a row of `draws` after the other."""
    for row in range(rows):
        for lane in range(lanes):
            a, b = generators[lane], generators[lanes + lane]
            c, d = generators[2 * lanes + lane], generators[3 * lanes + lane]
            draws[row * lanes + lane] = _u32(_turned(_u32(a + d), 7) + a)
            shifted = _u32(b << _u32(9))
            c, d = _u32(c ^ a), _u32(d ^ b)
            b, a = _u32(b ^ c), _u32(a ^ d)
            generators[lane], generators[lanes + lane] = a, b
            generators[2 * lanes + lane], generators[3 * lanes + lane] = _u32(c ^ shifted), _turned(d, 11)


@inline
def below(drawn: Any, bound: Any) -> Any:
    """A number from 0 up to but not including a bound of at most 16 bits: the 32 bits drawn, times it, over 2**32.

    Each is as likely as any other but for at most one part in 2**32 (Lemire, "Fast random integer generation in an
    interval", 2019, without its rejection). The product is made of two halves, so that 32 bits hold all of it.
    """
    low = _u32(_u32(_u32(drawn & _LOW) * bound) >> _u32(16))
    return _u32(_u32(_u32(_u32(drawn >> _u32(16)) * bound) + low) >> _u32(16))


@inline
def nth_bit(bits: Any, n: Any) -> Any:
    """The place of that set bit of a narrow number which has `n` others below it; first whole bytes are passed over."""
    count = count_bits(bits & narrow(0xFF))
    beyond = n >= count
    n, bits, place = n - count if beyond else n, bits >> 8 if beyond else bits, narrow(8) if beyond else narrow(0)
    count = count_bits(bits & narrow(0xF))
    beyond = n >= count
    n, bits, place = n - count if beyond else n, bits >> 4 if beyond else bits, place + 4 if beyond else place
    count = count_bits(bits & narrow(0x3))
    beyond = n >= count
    n, bits, place = n - count if beyond else n, bits >> 2 if beyond else bits, place + 2 if beyond else place
    return place + 1 if n >= bits & narrow(1) else place
