"""Tables as events, and streams that note how far they were read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, overload

import pyarrow as pa
import pyarrow.compute as pc

from mnemata.theory.schema import Event, Schema


class Reader(Protocol):
    """Anything that notes how many events were read."""

    events: int


def events_of(table: pa.Table, schema: Schema) -> tuple[Event, ...]:
    """The rows of a table as events; times are whole numbers of their ticks."""
    columns = [table[name] for name in schema.names]
    plain = [pc.cast(c, pa.int64()) if pa.types.is_timestamp(c.type) else c for c in columns]
    return tuple(schema.stream(zip(*(column.to_pylist() for column in plain), strict=True)))


class Followed(Sequence[Event]):
    """A stream that notes how far it was read."""

    def __init__(self, stream: Sequence[Event], reader: Reader) -> None:
        self._stream, self._reader = stream, reader

    def __len__(self) -> int:
        return len(self._stream)

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Event]: ...
    def __getitem__(self, place: int | slice) -> Event | Sequence[Event]:
        return self._stream[place]

    def __iter__(self) -> Iterator[Event]:
        for number, event in enumerate(self._stream):
            self._reader.events = number
            yield event
        self._reader.events = len(self._stream)
