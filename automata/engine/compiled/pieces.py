"""Which rows are read for the matches that end in a piece of a stream.

Matches are rare as a rule. Where they end is found without a match graph, which takes less time; the graph
is then made only of the events that these matches can reach back to. Whether that is worthwhile is seen in
the piece before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.compiled.jit import compiled, frozen
from mnemata.automata.engine.compiled.stream import LEAST
from mnemata.automata.engine.reach import Reach

Ints = npt.NDArray[np.int64]


class Sizes(NamedTuple):
    """How long pieces are.

    Parameters
    ----------
    first : int
        The rows of the first one; a shorter stream is one piece.
    later : int
        The rows of each other one, or more where the first matches that end in it reach back far.
    reaches : int
        It is at least so many times as long as they do.
    """

    first: int = 1 << 14
    later: int = 1 << 20
    reaches: int = 8


SIZES: Final = Sizes()


class Piece(NamedTuple):
    """The matches that end at the row `begin` or later, in parts of a stream that have all of these matches.

    Parameters
    ----------
    begin : int
        A row.
    parts : int64 array of shape (n_parts, 2)
        Where each part begins and ends, in order; none has rows of two sub-streams.
    """

    begin: int
    parts: Ints

    @property
    def size(self) -> int:
        """How many rows are to be read."""
        return int((self.parts[:, 1] - self.parts[:, 0]).sum())

    def around(self, ends: Ints, reach: Reach, times: Ints) -> Piece:
        """The same, for matches that end at some rows only.

        Parameters
        ----------
        ends : int64 array
            Rows of the piece from `begin` on, in order.
        reach : Reach
            How far back these matches depend on the stream.
        times : int64 array
            The timestamps of the stream; read where the reach is in ticks.
        """
        found = np.empty((len(ends), 2), np.int64)
        events = -1 if reach.events is None else reach.events
        ticks = -1 if reach.ticks is None else reach.ticks
        size = surround(frozen(ends), frozen(self.parts), frozen(times), events, ticks, found)
        return Piece(self.begin, found[:size])


def whole(bounds: Ints) -> Piece:
    """All of a stream.

    Parameters
    ----------
    bounds : int64 array of shape (n_substreams + 1,)
        Where each sub-stream begins, and the last one ends.
    """
    return Piece(0, np.stack([bounds[:-1], bounds[1:]], axis=1))


def pieces(bounds: Ints, reach: Reach, times: Ints, sizes: Sizes = SIZES) -> Iterator[Piece]:
    """A stream in pieces, in order: each row from the first on is between the beginnings of two of them.

    Parameters
    ----------
    bounds : int64 array of shape (n_substreams + 1,)
        Where each sub-stream begins, and the last one ends.
    reach : Reach
        How far back matches depend on the stream.
    times : int64 array
        The timestamps of the stream in ticks; read where the reach is in ticks.
    sizes : Sizes
        How long they are.
    """
    begin, rows, size = int(bounds[0]), int(bounds[-1]), sizes.first
    while begin < rows:
        after = int(np.searchsorted(bounds, begin, side="right"))
        own = Piece(begin, bounds[after - 1 : after + 1].reshape(1, 2))
        first = int(own.around(np.array([begin], np.int64), reach, times).parts[0, 0])
        end = min(rows, begin + max(size, sizes.reaches * (begin - first)))
        last = int(np.searchsorted(bounds, end, side="left"))
        yield Piece(begin, whole(np.clip(bounds[after - 1 : last + 1], first, end)).parts)
        begin, size = end, sizes.later


@compiled
def surround(ends: Ints, parts: Ints, times: Ints, events: int, ticks: int, found: Ints) -> int:
    """Write the parts that matches can reach which end at some rows, and return how many there are.

    Parameters
    ----------
    ends : int64 array of shape (n_ends,)
        These rows, in order.
    parts : int64 array of shape (n_parts, 2)
        Where the parts begin and end that are not to be left, in order; each row of `ends` is in one.
    times : int64 array
        The timestamps of the stream in ticks.
    events, ticks : int
        As in `mnemata.automata.engine.reach.Reach`; -1: no bound.
    found : int64 array of shape (n_ends, 2)
        What is written to: the parts in order, none of which overlap.
    """
    part, size = 0, 0
    for end in ends:
        while parts[part, 1] <= end:
            part += 1
        first = parts[part, 0]
        if events >= 0:
            first = max(first, end - events + 1)
        if ticks >= 0 and times[end] >= LEAST + ticks:
            earliest, past, step = times[end] - ticks + 1, end, 1
            # As a rule windows reach back little, compared with what there is before them.
            while past - step > first and times[past - step] >= earliest:
                past, step = past - step, 2 * step
            first = max(first, past - step)
            while first < past:
                middle = (first + past) // 2
                if times[middle] < earliest:
                    first = middle + 1
                else:
                    past = middle
        if size > 0 and first < found[size - 1, 1]:
            found[size - 1, 1] = end + 1
        else:
            found[size, 0], found[size, 1] = first, end + 1
            size += 1
    return size
