"""One ordered stream for many tasks: slices that overlap by as much as matches reach back.

A slice reports the matches that end in its own rows and reads as many rows before them as these matches
depend on (`mnemata.automata.engine.reach`), so that each match is found by one slice. Neighbouring slices
have a row in common at least, so that together they notice every row that is out of order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from operator import add
from typing import Final, TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from mnemata.automata.engine.reach import Reach
from mnemata.pipeline.failures import translated
from mnemata.pipeline.sources.formats import ROW
from mnemata.pipeline.sources.frames import quoted
from mnemata.theory.schema import INT64_MIN

Inside: TypeAlias = Callable[[Sequence[int], int], list[int]]

SLICE: Final = "#slice"
FEWEST_ROWS: Final = 250_000
"""A slice of its own is worth so many rows."""
MOST_ROWS: Final = 8_000_000
"""A worker gets so many rows at once, besides those that slices have in common."""
MOST_READ: Final = 0.75
"""The largest slice reads no more of the stream, or it is not worth cutting."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """Where a stream is cut.

    Parameters
    ----------
    begins : tuple of int
        The first row of each slice that is its own, increasing; the first of them is 0.
    firsts : tuple of int
        The first row that each slice reads.
    """

    begins: tuple[int, ...]
    firsts: tuple[int, ...]

    @property
    def slices(self) -> int:
        """How many slices there are."""
        return len(self.begins)


def number_of_slices(rows: int, cores: int, wanted: int | None) -> int:
    """Into how many slices to cut a stream: as many as wanted, else two for each core and not too small.

    >>> number_of_slices(1_000, 2, None), number_of_slices(10**6, 2, None), number_of_slices(10**8, 2, None)
    (1, 4, 14)
    """
    if wanted is not None:
        return max(1, min(wanted, rows))
    needed = -(-rows // MOST_ROWS)
    # As many for each core, or the last ones wait for one that has more to do.
    return max(1, min(2 * cores, rows // FEWEST_ROWS), -(-needed // cores) * cores if needed > 1 else 1)


def cuts_of(rows: int, faulty: int, reaches: Iterable[Reach], slices: int, inside: Inside) -> Cuts:
    """Cut a stream into slices with about as many rows each.

    Parameters
    ----------
    rows : int
        The number of all rows, which are numbered from 0.
    faulty : int
        How many of them are no events.
    reaches : iterable of Reach
        Of each pattern, at least one.
    slices : int
        How many slices; there are fewer when most rows would lie in several of them.
    inside : callable
        Given rows and a number of ticks, for each of the rows the first one that is less than so many ticks
        before it.
    """
    begins = [rows * number // slices for number in range(1, slices)]
    each = [_first_needed(begins, faulty, reach, inside) for reach in _widest(reaches)]
    needed = [min(firsts) for firsts in zip(*each, strict=True)]
    # One more than that, to compare their times.
    pairs = zip(begins, needed, strict=True)
    firsts = {begin: max(0, min(first, begin - 1 - faulty)) for begin, first in pairs}
    kept = _worthwhile(begins, firsts, rows)
    # Also where times are out of order, which is still to be noticed.
    read = list(accumulate((firsts[begin] for begin in reversed(kept)), min))
    return Cuts((0, *kept), (0, *reversed(read)))


def _widest(reaches: Iterable[Reach]) -> list[Reach]:
    """The reaches but for those that another one includes."""
    distinct = list(dict.fromkeys(reaches))
    return [one for one in distinct if not any(_includes(other, one) for other in distinct if other != one)]


def _includes(wide: Reach, narrow: Reach) -> bool:
    bounds = ((wide.events, narrow.events), (wide.ticks, narrow.ticks))
    return all(w is None or (n is not None and n <= w) for w, n in bounds)


def _first_needed(begins: Sequence[int], faulty: int, reach: Reach, inside: Inside) -> list[int]:
    needed = [0] * len(begins) if reach.ticks is None else inside(begins, reach.ticks)
    if reach.events is None:
        return needed
    back = reach.events - 1 + faulty  # rows that are no events may lie between
    return [max(first, begin - back) for first, begin in zip(needed, begins, strict=True)]


def inside_windows(events: DataFrame, time: str, begins: Sequence[int], ticks: int) -> list[int]:
    """For each of some rows the first event that is less than so many ticks before the first from it on."""
    if not begins:
        return []
    row, at = quoted(ROW), quoted(time)
    own = events.groupBy(_number_at_most(row, begins).alias(SLICE)).agg(F.min_by(at, row))
    with translated():
        starts = {found[0]: found[1] for found in own.collect()}
        # A slice without events needs no row of others.
        numbers = range(1, len(begins) + 1)
        oldest = [max(starts[n] - ticks, INT64_MIN) if n in starts else None for n in numbers]
        columns = [F.min(F.when(at > F.lit(when), row)) for when in oldest if when is not None]
        firsts = iter(tuple(events.agg(*columns).first() or ()) if columns else ())
    return [begin if when is None else next(firsts) for begin, when in zip(begins, oldest, strict=True)]


def _worthwhile(begins: list[int], firsts: dict[int, int], rows: int) -> list[int]:
    """Where to cut so that slices have as a rule no more rows of others than of their own.

    Not at all if one of them would still read most of the stream.
    """
    if not begins:
        return []
    shared = sorted(begin - firsts[begin] for begin in begins)[len(begins) // 2]
    step = -(-shared * (len(begins) + 1) // rows) or 1
    kept = begins[step - 1 :: step]
    most = max(end - firsts[begin] for begin, end in zip(kept, [*kept[1:], rows], strict=True)) if kept else 0
    return kept if most < MOST_READ * rows else []


def in_slices(events: DataFrame, cuts: Cuts) -> DataFrame:
    """The events with the number of their slice as `SLICE`, once for each slice that reads them.

    Each slice is a partition, in the order of rows.
    """
    row = quoted(ROW)
    own, last = _number_at_most(row, cuts.begins[1:]), _number_at_most(row, cuts.firsts[1:])
    spread = events.withColumn(SLICE, F.explode(F.sequence(own, last)))
    return spread.repartitionById(cuts.slices, quoted(SLICE)).sortWithinPartitions(ROW)


def _number_at_most(row: Column, bounds: Sequence[int]) -> Column:
    """How many of the bounds a row has reached."""
    return reduce(add, ((row >= F.lit(bound)).cast("int") for bound in bounds), F.lit(0))
