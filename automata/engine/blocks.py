"""Matches as arrays, as recognition makes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Block(NamedTuple):
    """Some matches.

    Parameters
    ----------
    positions : int64 array
        The marked rows of one match after the other, each in increasing order.
    ends : int64 array of shape (n_matches,)
        Where in `positions` each match ends. None is empty.
    found : int64 array of shape (n_matches,) or None
        The row at which each match is found; ``None`` where that is the last row that it marks.
    """

    positions: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    found: npt.NDArray[np.int64] | None = None

    @property
    def rows(self) -> npt.NDArray[np.int64]:
        """The rows at which the matches are found."""
        return self.positions[self.ends - 1] if self.found is None else self.found

    @classmethod
    def empty(cls) -> Block:
        """No matches."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64))

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Where in `positions` each match begins, and the last one ends."""
        return np.concatenate([np.zeros(1, np.int64), self.ends])

    def take(self, places: npt.NDArray[np.int64]) -> Block:
        """Some of the matches, in the order of `places`."""
        begins, sizes = self.offsets[:-1][places], np.diff(self.offsets)[places]
        ends = np.cumsum(sizes)
        within = np.arange(sizes.sum()) - np.repeat(ends - sizes, sizes)
        return Block(
            self.positions[np.repeat(begins, sizes) + within],
            ends,
            None if self.found is None else self.found[places],
        )

    def portions(self, most: int, most_positions: int) -> Iterator[Block]:
        """The same in smaller blocks; a match that is too long has one of its own."""
        offsets, begin = self.offsets, 0
        while begin < len(self.ends):
            room = int(np.searchsorted(self.ends, offsets[begin] + most_positions, side="right"))
            end = max(begin + 1, min(begin + most, room))
            first, last = offsets[begin], offsets[end]
            found = None if self.found is None else self.found[begin:end]
            yield Block(self.positions[first:last], self.ends[begin:end] - first, found)
            begin = end
