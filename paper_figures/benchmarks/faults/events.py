"""Files of random events, some damaged and some too late, and what is to be found in them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from mnemata.automata.engine.recognition import recognise
from mnemata.theory.schema import Float64, Int64, Schema, String, Timestamp
from mnemata.theory.syntax import parse

PATTERN: Final = "any(A as r, B where x > r.x) within 12 ms partition by key"
SCHEMA: Final = Schema.of(
    kind=String(), key=Int64(), x=Float64(), at=Timestamp("ms"), event_type="kind", time="at"
)
KEYS: Final = 12
DELAY: Final = 10
"""By how many ms an event may come too late."""

EVENTS_PER_FILE: Final = 60
EVENTS_PER_MILLISECOND: Final = 3
END: Final = 10**6
"""A time in ms behind all others."""

Row: TypeAlias = dict[str, Any]
_FIELDS: Final[list[pa.Field[Any]]] = [
    pa.field("kind", pa.string()),
    pa.field("key", pa.int64()),
    pa.field("x", pa.float64()),
    pa.field("at", pa.timestamp("ms")),
]
_ARROW: Final = pa.schema(_FIELDS)


def random_events(chance: random.Random, size: int, a_millisecond: int = EVENTS_PER_MILLISECOND) -> list[Row]:
    """Events in the order of time, so many in each millisecond."""
    return [
        {
            "kind": chance.choice("ABB"),
            "key": chance.randrange(KEYS),
            "x": chance.choice([0.5, 1.5, 2.5, None]),
            "at": number // a_millisecond,
        }
        for number in range(size)
    ]


def shuffled(events: Iterable[Row], disorder: float, chance: random.Random) -> list[Row]:
    """The same events, each later than it should by less than `disorder` ms."""
    return sorted(events, key=lambda event: event["at"] + chance.random() * disorder)


def closing() -> Row:
    """An event that all others are before, even behind the watermark."""
    return {"kind": "C", "key": 0, "x": None, "at": END}


def late() -> Row:
    """An event of the stream's beginning."""
    return {"kind": "A", "key": 0, "x": 0.5, "at": 1}


def written(folder: Path, events: Sequence[Row], size: int = EVENTS_PER_FILE) -> list[Path]:
    """Write files of so many events; the last one has what is left."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number, begin in enumerate(range(0, len(events), size)):
        files.append(folder / f"{number:04}.parquet")
        some = pa.Table.from_pylist(list(events[begin : begin + size]), _ARROW)
        pq.write_table(some, files[-1], write_page_checksum=True)
    return files


class Arrived(NamedTuple):
    """A row of some files.

    Parameters
    ----------
    row : int
        Its number; a file that cannot be read is one row.
    event : dict or None
        What is there, its time as a number of ms; ``None`` for what is no event.
    late : bool
        Whether it comes behind the watermark.
    """

    row: int
    event: Row | None
    late: bool = False

    @property
    def bad(self) -> bool:
        """Whether it belongs into the quarantine."""
        return self.late or self.event is None or self.event["at"] is None


def arrived(folder: Path, delay: int | None) -> Iterator[Arrived]:
    """All rows as a stream takes them in that reads file by file; without a delay none is late."""
    number = newest = 0
    for file in sorted(folder.iterdir(), key=lambda file: file.parts):
        try:
            table = pq.read_table(file, page_checksum_verification=True)
        except (pa.ArrowException, OSError):
            yield Arrived(number, None)
            number += 1
            continue
        times = table["at"].cast(pa.int64())
        some = table.set_column(3, "at", times).to_pylist()
        for place, event in enumerate(some):
            behind = delay is not None and event["at"] is not None and event["at"] < newest - delay
            yield Arrived(number + place, event, behind)
        number += len(some)
        newest = max((newest, *(event["at"] for event in some if event["at"] is not None)))


Findings: TypeAlias = Counter[tuple[str, tuple[int, ...]]]
"""How often each match, as `MATCH` and its rows, and each bad row, as `BAD` and its number, is there."""

MATCH: Final = "match"
BAD: Final = "bad"


def findings(matches: Iterable[tuple[int, ...]], bad: Iterable[int]) -> Findings:
    """All of them."""
    return Counter([*((MATCH, match) for match in matches), *((BAD, (row,)) for row in bad)])


def truth(rows: Iterable[Arrived], *, closed: bool) -> Findings:
    """What is right; matches are those of `recognise` in the sorted events.

    The last event of a stream is still waiting when it ends, unless it is closed.
    """
    everything = list(rows)
    sound = [(one.event, one.row) for one in everything if one.event is not None and not one.bad]
    ordered = sorted(sound, key=lambda pair: (pair[0]["at"], pair[1]))
    heard = ordered if closed else ordered[:-1]
    found = matches([event for event, _ in heard])
    rising = (tuple(heard[place][1] for place in places) for places in found)
    return findings(rising, (one.row for one in everything if one.bad))


def matches(ordered: Sequence[Row]) -> Iterator[tuple[int, ...]]:
    """The places of matches in events that are in the order of time."""
    table = pa.Table.from_pylist(list(ordered))
    for match in recognise(parse(PATTERN, schema=SCHEMA), table, schema=SCHEMA):
        yield match.positions
