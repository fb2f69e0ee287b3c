"""The stock stream of the papers' experiments, repeated end to end until it is long enough.

It is not part of this repository. ``MNEMATA_STOCK_STREAM`` names its file; without that it is looked for in
``../shared/data`` beside the repository. Where there is none, a generated stream takes its place.
"""

from __future__ import annotations

import lzma
import os
import sys
from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.pipeline.datasets.arrivals import STOCK_TICKS
from mnemata.theory.errors import StreamError

VARIABLE: Final = "MNEMATA_STOCK_STREAM"
DAY: Final = 224_473
"""How many events the stock stream has."""

PAUSE_MS: Final = 60_000
"""Between one copy of the stream and the next: longer than all windows, so that no match spans two copies."""

_LINE: Final = (
    r"^(?P<type>\w+)\(id=(?P<id>\d+),name=(?P<name>\w+),volume=(?P<volume>\d+),"
    r"price=(?P<price>[0-9.]+),stock_time=(?P<stock_time>\d+)\)$"
)


class StockStream(NamedTuple):
    """Stock ticks, and whether they are the real ones.

    Parameters
    ----------
    table : pyarrow.Table
        The ticks, under the schema `mnemata.pipeline.datasets.arrivals.STOCKS`.
    copies : int
        How many copies of the real stream these are; 0 when they are generated.
    """

    table: pa.Table
    copies: int

    @property
    def described(self) -> str:
        """What it is, for the text of a figure."""
        size = f"{self.table.num_rows:,} events"
        if self.copies:
            times = f", {self.copies} times end to end" if self.copies > 1 else ""
            return f"the stock stream of the papers{times} ({size})"
        return f"generated stock ticks, because the papers' stream was not found ({size})"


def stock_stream(events: int) -> StockStream:
    """The stock stream, repeated until it has at least so many events."""
    path = stock_stream_path()
    if path is None:
        sys.stderr.write(
            f"There is no stock stream; name its file in {VARIABLE}. Generating ticks instead.\n"
        )
        return StockStream(STOCK_TICKS.table(events), 0)
    day = read_ticks(path)
    copies = -(-events // day.num_rows)
    return StockStream(tiled(day, copies), copies)


def stock_stream_path() -> Path | None:
    """Where the stock stream is; ``None`` when it is nowhere."""
    beside = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "stocks.stream.xz"
    path = Path(os.environ.get(VARIABLE, beside))
    return path if path.is_file() else None


@cache
def read_ticks(path: Path) -> pa.Table:
    """The ticks of a file of lines ``BUY(id=8,name=INTC,volume=100,price=27.85,stock_time=25263126)``.

    Raises
    ------
    StreamError
        When a line is of another form.
    """
    with lzma.open(path, "rt", encoding="ascii") as file:
        lines = pa.array(file.read().splitlines())
    fields = pc.extract_regex(lines, pattern=_LINE)
    if fields.null_count:
        row = int(np.argmax(pc.is_null(fields).to_numpy(zero_copy_only=False)))
        raise StreamError(f"line {row + 1} of the stock stream is not a tick: {lines[row]}")
    by_name = dict(zip((field.name for field in fields.type), fields.flatten(), strict=True))
    return pa.table(
        {
            "type": by_name["type"].dictionary_encode(),
            "id": by_name["id"].cast(pa.int64()),
            "name": by_name["name"].dictionary_encode(),
            "volume": by_name["volume"].cast(pa.int64()),
            "price": by_name["price"].cast(pa.float64()),
            "stock_time": by_name["stock_time"].cast(pa.int64()).cast(pa.timestamp("ms")),
        }
    )


def tiled(ticks: pa.Table, copies: int) -> pa.Table:
    """Copies of a stream, one after the other, with a pause between them; a table of one chunk."""
    return pa.concat_tables(islice(endless(ticks), copies)).combine_chunks()


def endless(ticks: pa.Table) -> Iterator[pa.Table]:
    """The same, one copy at a time and without end."""
    times = pc.cast(ticks["stock_time"], pa.int64()).to_numpy()
    ids = ticks["id"].to_numpy()
    period, numbers = int(times[-1] - times[0]) + PAUSE_MS, int(ids.max()) + 1
    for copy in count():
        moved = pa.array(times + copy * period).cast(pa.timestamp("ms"))
        part = ticks.set_column(ticks.column_names.index("stock_time"), "stock_time", moved)
        yield part.set_column(part.column_names.index("id"), "id", pa.array(ids + copy * numbers))
