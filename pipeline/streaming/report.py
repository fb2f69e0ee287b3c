"""What is told of each micro-batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

_DAY: Final = 86_400


@dataclass(frozen=True, slots=True)
class Report:
    """A micro-batch and the stream after it.

    Parameters
    ----------
    batch : int
        Its number.
    rows : int
        How many rows it read.
    seconds : float
        How long it took.
    watermark : datetime or None
        Events before it have come, or are late.
    lag : float or None
        By how many seconds the watermark is behind the latest event of the batch.
    age : float or None
        How many seconds old the latest event of the batch was when the batch began.
    totals : mapping of str to int
        Since the stream began: ``events`` that were read by the engine, ``matches``, ``bad`` rows. As of now:
        ``live`` configurations, ``nodes`` of match graphs, ``bytes`` of state, events ``waiting``.
    """

    batch: int
    rows: int
    seconds: float
    watermark: datetime | None
    lag: float | None
    age: float | None
    totals: Mapping[str, int]

    @classmethod
    def of(cls, progress: Any, totals: Mapping[str, int]) -> Report:
        """From Spark's progress of a batch, and the totals after it."""
        times = progress["eventTime"]
        watermark, latest = (
            datetime.fromisoformat(times[name]) if name in times else None for name in ("watermark", "max")
        )
        lag = None if watermark is None or latest is None else (latest - watermark).total_seconds()
        begun = datetime.fromisoformat(progress["timestamp"])
        age = None if latest is None else (begun - latest).total_seconds()
        seconds = progress["durationMs"].get("triggerExecution", 0) / 1000
        return cls(progress["batchId"], progress["numInputRows"], seconds, watermark, lag, age, totals)

    def to_json(self) -> dict[str, Any]:
        """The numbers as an object for JSON."""
        watermark = None if self.watermark is None else self.watermark.isoformat()
        numbers = {"batch": self.batch, "rows": self.rows, "seconds": self.seconds, "watermark": watermark}
        return {**numbers, "lag_seconds": self.lag, "age_seconds": self.age, **self.totals}

    def line(self) -> str:
        r"""The same for the console.

        >>> totals = dict(events=1000, matches=2, bad=1, live=5, nodes=9, bytes=2048, waiting=3)
        >>> noon = datetime.fromisoformat("2026-07-01T12:00:00.5Z")
        >>> print(Report(7, 500, 0.25, noon, 10.0, 2.5, totals).line().replace(" | ", "\n"))
        batch 7: 500 rows in 0.2 s
        1,000 events, 2 matches, 1 bad row
        5 configurations, 9 nodes, 2 KiB, 3 waiting
        watermark 2026-07-01T12:00:00.500 (10.0 s behind), latest event 2.5 s old
        """
        t = self.totals
        bad = "1 bad row" if t["bad"] == 1 else f"{t['bad']:,} bad rows"
        parts = [
            f"batch {self.batch}: {self.rows:,} rows in {self.seconds:.1f} s",
            f"{t['events']:,} events, {t['matches']:,} matches, {bad}",
            f"{t['live']:,} configurations, {t['nodes']:,} nodes, {-(-t['bytes'] // 1024):,} KiB, "
            f"{t['waiting']:,} waiting",
        ]
        if self.watermark is not None and self.watermark.timestamp() > 0:
            behind = "" if self.lag is None else f" ({max(self.lag, 0):,.1f} s behind)"
            time = self.watermark.replace(tzinfo=None).isoformat(timespec="milliseconds")
            parts.append(f"watermark {time}{behind}{self._aged()}")
        return " | ".join(parts)

    def _aged(self) -> str:
        """How old the latest event was, unless the stream is one of the past."""
        return "" if self.age is None or abs(self.age) > _DAY else f", latest event {self.age:,.1f} s old"
