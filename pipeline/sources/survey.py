"""A first pass over text files: how many rows each split has and, if asked, what its fields look like.

The number of a row in the stream is the number of rows in the splits before its own plus its place there.
So numbers do not depend on how many tasks read the splits, or in which order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa

from mnemata.pipeline.sources.formats import TextFormat, tallies
from mnemata.pipeline.sources.inference import Tally
from mnemata.pipeline.sources.lines import Block
from mnemata.theory.errors import SourceError

Origin: TypeAlias = tuple[str, int]
"""A split: its file, and the byte at which it begins."""

SURVEY_COLUMNS: Final = "file string, start bigint, rows bigint, tallies string"
_FIELDS: Final[tuple[tuple[str, pa.DataType], ...]] = (
    ("file", pa.string()),
    ("start", pa.int64()),
    ("rows", pa.int64()),
    ("tallies", pa.string()),
)
_SURVEY: Final = pa.schema(_FIELDS)


@dataclass(frozen=True, slots=True)
class Split:
    """What a survey found in one split."""

    origin: Origin
    rows: int
    tallies: Mapping[str, Tally]


@dataclass(frozen=True, slots=True)
class Numbering:
    """For each split the number of its first row in the stream, and its number of rows."""

    splits: Mapping[Origin, tuple[int, int]]

    @classmethod
    def of(cls, splits: Iterable[Split]) -> Numbering:
        """The numbering of splits that are given in stream order."""
        numbers, total = {}, 0
        for split in splits:
            numbers[split.origin] = (total, split.rows)
            total += split.rows
        return cls(numbers)

    @property
    def total(self) -> int:
        """The number of rows in the stream."""
        return sum(rows for _, rows in self.splits.values())

    def numbers(self, block: Block) -> pa.Array[Any]:
        """The numbers of a block's rows; raises `SourceError` when the file changed since the survey."""
        begin, rows = self.splits.get((block.file, block.start), (0, 0))
        if block.first + len(block.lines) > rows:
            raise SourceError(
                f"'{block.file}' changed while it was read; run again when nothing writes to it"
            )
        first = begin + block.first
        return pa.array(np.arange(first, first + len(block.lines)), pa.int64())


def survey(blocks: Iterable[Block], format_of: Callable[[str], TextFormat] | None) -> Iterator[Split]:
    """Survey the splits that some blocks come from; with formats, their fields too."""
    origin: Origin | None = None
    rows, found = 0, dict[str, Tally]()
    for block in blocks:
        if origin is not None and origin != block[:2]:
            yield Split(origin, rows, found)
            rows, found = 0, {}
        origin = block[:2]
        rows += len(block.lines)
        for name, tally in tallies(format_of(block.file), block.lines).items() if format_of else ():
            found[name] = found.get(name, Tally()) + tally
    if origin is not None:
        yield Split(origin, rows, found)


def split_to_arrow(split: Split) -> pa.RecordBatch:
    """A split as a row that a worker can return."""
    found = json.dumps({name: asdict(tally) for name, tally in split.tallies.items()})
    row = {"file": split.origin[0], "start": split.origin[1], "rows": split.rows, "tallies": found}
    return pa.RecordBatch.from_pylist([row], schema=_SURVEY)


def split_from_row(file: str, start: int, rows: int, found: str) -> Split:
    """Inverse of `split_to_arrow`."""
    parsed = {name: Tally(**counts) for name, counts in json.loads(found).items()}
    return Split((file, start), rows, parsed)


def in_order(splits: Iterable[Split], files: Iterable[str]) -> list[Split]:
    """Splits in stream order: by the place of their file among `files`, then from its beginning."""
    place = {file: number for number, file in enumerate(files)}
    return sorted(splits, key=lambda s: (place.get(s.origin[0], len(place)), s.origin))


def merged(splits: Iterable[Split]) -> dict[str, Tally]:
    """What fields look like over all splits, in the order in which they first occur."""
    total: dict[str, Tally] = {}
    for split in splits:
        for name, tally in split.tallies.items():
            total[name] = total.get(name, Tally()) + tally
    return total
