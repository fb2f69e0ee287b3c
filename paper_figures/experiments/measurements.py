"""What was measured, with the machine that it was measured on, as Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from mnemata.paper_figures.benchmarks.figures import machine
from mnemata.pipeline.datasets.arrivals import STOCK_TICKS
from mnemata.theory.errors import SourceError

_TYPES: Final[dict[str, pa.DataType]] = {
    **dict.fromkeys(("data", "pattern", "series"), pa.string()),
    **dict.fromkeys(("length", "window"), pa.int64()),
    "system": pa.string(),
    "events": pa.int64(),
    "seconds": pa.float64(),
    "matches": pa.string(),
    **dict.fromkeys(("loaded", "peak"), pa.int64()),
    "stopped": pa.bool_(),
}
COLUMNS: Final = pa.schema(_TYPES)
"""Those of `Measurement`; numbers of matches are texts, for they may have any length."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One system at one point.

    Parameters
    ----------
    data, pattern, series : str
        What was recognised, and where; see `mnemata.paper_figures.experiments.points`.
    length, window : int
        Of the pattern.
    system : str
        One of `mnemata.paper_figures.experiments.systems.SYSTEMS`.
    events : int
        How many it read in `seconds`: all, unless it was stopped.
    seconds : float
        Its own time for the stream, the least of its rounds.
    matches : str or None
        How many it found, exactly, in decimal digits, for they may be many; ``None`` when it did not say.
    loaded, peak : int
        Bytes of memory before it began and at most.
    stopped : bool
        Whether its time was up.
    """

    data: str
    pattern: str
    series: str
    length: int
    window: int
    system: str
    events: int
    seconds: float
    matches: str | None
    loaded: int
    peak: int
    stopped: bool

    @property
    def unit(self) -> str:
        """That of its window."""
        return "ms" if self.data == STOCK_TICKS.name else "s"

    @property
    def throughput(self) -> float:
        """Events a second."""
        return self.events / self.seconds if self.seconds else 0.0

    @property
    def grown(self) -> int:
        """Bytes of memory that recognition took, beyond the program and the stream."""
        return max(self.peak - self.loaded, 0)


@dataclass(frozen=True, slots=True)
class Measured:
    """All measurements of a figure.

    Parameters
    ----------
    rows : tuple of Measurement
        In the order in which they were made.
    machine : str
        What they depend on besides the code.
    made : str
        When, in ISO 8601.
    """

    rows: tuple[Measurement, ...]
    machine: str
    made: str

    @classmethod
    def now(cls, rows: Iterable[Measurement]) -> Measured:
        """Just made on this machine."""
        return cls(tuple(rows), machine(), datetime.now(UTC).isoformat(timespec="minutes"))

    def of(self, system: str, series: str = "") -> Iterator[Measurement]:
        """The rows of a system."""
        return (row for row in self.rows if (row.system, row.series) == (system, series))

    def save(self, path: Path) -> Path:
        """Write them; `SourceError` when that is impossible."""
        table = pa.Table.from_pylist([asdict(row) for row in self.rows], schema=COLUMNS)
        facts = {"machine": self.machine, "made": self.made}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(table.replace_schema_metadata(facts), path)
        except OSError as error:
            raise SourceError(f"cannot write '{path}': {error.strerror}") from None
        return path

    @classmethod
    def load(cls, path: Path) -> Measured:
        """Read them; `SourceError` when there are none, or the file is of another kind."""
        try:
            table = pq.read_table(path)
        except (OSError, pa.ArrowInvalid) as error:
            raise SourceError(f"cannot read the measurements in '{path}': {error}") from None
        facts = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
        if table.schema.remove_metadata() != COLUMNS or not {"machine", "made"} <= facts.keys():
            raise SourceError(f"'{path}' does not hold measurements; make them anew with --measure")
        names = [field.name for field in fields(Measurement)]
        rows = tuple(Measurement(**{name: row[name] for name in names}) for row in table.to_pylist())
        return cls(rows, facts["machine"], facts["made"])
