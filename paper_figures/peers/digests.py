"""Sets of matches in a few bytes: the same whatever the order in which matches are found.

A match is hashed position by position (FNV-1a over 64-bit words, then the finish of splitmix64), and the
hashes are added up modulo 2^64. Together with the number of matches that tells sets apart, and a set from
one in which a match was found twice.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]

BASIS: Final = 0xCBF29CE484222325
PRIME: Final = 0x100000001B3
WORD: Final = 2**64


def digest(offsets: Numbers, positions: Numbers) -> int:
    """The digest of matches.

    Parameters
    ----------
    offsets : int64 array of shape (n + 1,)
        Match i is ``positions[offsets[i]:offsets[i + 1]]``.
    positions : int64 array
        0-based rows, increasing in each match.

    Returns
    -------
    int
        Below 2^64; digests of disjoint parts add up, modulo 2^64.

    Examples
    --------
    >>> one, other = np.array([0, 2, 3]), np.array([4, 5, 9])
    >>> digest(one, other) == digest(np.array([0, 1, 3]), np.array([9, 4, 5]))
    True
    >>> digest(one, other) == digest(np.array([0, 1, 3]), np.array([4, 5, 9]))
    False
    """
    begins, lengths = offsets[:-1], np.diff(offsets)
    hashes = np.full(len(begins), BASIS, np.uint64)
    prime, words = np.uint64(PRIME), positions.astype(np.uint64) + np.uint64(1)
    for place in range(int(lengths.max(initial=0))):
        longer = np.flatnonzero(lengths > place)
        hashes[longer] = (hashes[longer] ^ words[begins[longer] + place]) * prime
    return int(_finished(hashes).sum(dtype=np.uint64))


def _finished(hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    hashes = (hashes ^ (hashes >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    hashes = (hashes ^ (hashes >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return hashes ^ (hashes >> np.uint64(31))
