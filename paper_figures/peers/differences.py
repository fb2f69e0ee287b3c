"""The smallest stream on which a system finds other matches than the pattern has.

All short words over an alphabet of ticks, one for each term of the pattern, are put one after the other with
pauses that no window spans; one run over that stream tries them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

import pyarrow as pa

from mnemata.automata.engine.classes import split
from mnemata.paper_figures.following import events_of
from mnemata.paper_figures.peers.chains import bounded
from mnemata.paper_figures.peers.outcomes import Outcome, Status
from mnemata.paper_figures.peers.running import Limits, run
from mnemata.paper_figures.peers.systems import System
from mnemata.paper_figures.peers.ticks import write_ticks
from mnemata.pipeline.datasets.arrivals import STOCKS
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.errors import StreamError
from mnemata.theory.schema import Event, Value
from mnemata.theory.sremo.expressions import Pattern, Terminal
from mnemata.theory.sremo.rewriting import bound
from mnemata.theory.sremo.semantics import pattern_matches
from mnemata.theory.trees import walk

LONGEST: Final = 5
SEARCHED: Final = 50_000
"""How many ticks of a stream are searched for letters."""
_PAUSES: Final = 10
"""The pause between words, in windows."""

Rows = tuple[Value, ...]
Places = frozenset[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Difference:
    """A stream and what is found in it.

    Parameters
    ----------
    stream : tuple of Event
        As short as any that shows it.
    expected : set of tuple of int
        The matches by the denotational semantics, 0-based.
    found : tuple of tuple of int
        What the system has found, as often as it did.
    """

    stream: tuple[Event, ...]
    expected: Places
    found: tuple[tuple[int, ...], ...]

    def described(self) -> str:
        """For the reader."""
        events = ", ".join(f"{e['type']} {e['name']} {e['price']:g}" for e in self.stream)
        return f"`{events}` has {listed(sorted(self.expected))}, and it found {listed(sorted(self.found))}"


def listed(found: Sequence[tuple[int, ...]]) -> str:
    """Matches for the reader."""
    return " ".join(f"{{{', '.join(map(str, one))}}}" for one in found) or "nothing"


def letters(pattern: Pattern, table: pa.Table) -> list[Rows]:
    """The first tick of a stream that each term of a pattern accepts, as far as it can be told alone."""
    stream = events_of(table.slice(0, SEARCHED), STOCKS)
    found: dict[Rows, None] = {}
    for node in walk(bound(pattern, STOCKS).expression):
        if isinstance(node, Terminal):
            head = split(node.condition).head
            some = (event for event in stream if head is None or models(event, EMPTY, head))
            event = next(some, None)
            if event is None:
                raise StreamError("no tick of the stream fits a term of the pattern")
            found.setdefault(event.values)
    return list(found)


def words(alphabet: Sequence[Rows], longest: int) -> Iterator[tuple[Rows, ...]]:
    """All words, shorter ones first."""
    for length in range(1, longest + 1):
        yield from product(alphabet, repeat=length)


def smallest_difference(
    system: System, pattern: Pattern, table: pa.Table, cache: Path, folder: Path, longest: int = LONGEST
) -> Difference | None:
    """The shortest word on which the system and the denotational semantics differ; ``None`` if there is none.

    Each word is tried well inside of a window, and with the third tick just outside of that of the first.
    """
    _, window_ns = bounded(pattern, "this comparison")
    window = max(1, window_ns // 1_000_000)
    spaced = product(words(letters(pattern, table), longest), (window // (2 * longest), window // 2))
    tried = [placed(word, step, number * _PAUSES * window) for number, (word, step) in enumerate(spaced)]
    rows = [row for word in tried for row in word]
    found = found_in(system, pattern, rows, cache, folder)
    begin = 0
    for word in tried:
        here = range(begin, begin + len(word))
        inside = tuple(tuple(p - begin for p in one) for one in found if one[0] in here)
        stream = STOCKS.stream(word)
        expected = expected_in(pattern, stream)
        if sorted(inside) != sorted(expected):
            return Difference(stream, expected, inside)
        begin += len(word)
    return None


def placed(word: Sequence[Rows], step: int, begin: int) -> list[Rows]:
    """A word whose ticks follow each other at equal distances, in milliseconds."""
    time = STOCKS.index("stock_time")
    return [
        tuple(begin + step * place if i == time else value for i, value in enumerate(row))
        for place, row in enumerate(word)
    ]


def expected_in(pattern: Pattern, stream: Sequence[Event]) -> Places:
    """The matches of a pattern by the denotational semantics, 0-based."""
    found = pattern_matches(bound(pattern, STOCKS), stream)
    return frozenset(tuple(sorted(p - 1 for p in marks)) for marks in found)


def found_in(
    system: System, pattern: Pattern, rows: Sequence[Rows], cache: Path, folder: Path
) -> list[tuple[int, ...]]:
    """What a system finds in a short stream, as often as it does.

    Raises
    ------
    StreamError
        When it fails; says how.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ticks, matches = folder / "ticks.csv", folder / "matches.txt"
    write_ticks(stream_to_arrow(STOCKS.stream(rows), STOCKS), ticks)
    blank = Outcome(system.name, pattern.name, len(rows), Status.FINISHED)
    outcome = run(system.launch(pattern, cache), blank, ticks, folder, Limits(60.0, 1), matches)
    if outcome.status is not Status.FINISHED:
        raise StreamError(f"{system.title} {outcome.status.value}: {outcome.message}")
    lines = matches.read_text(encoding="ascii").split()
    return [tuple(map(int, line.split(","))) for line in lines]
