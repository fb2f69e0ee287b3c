"""What a run did, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from mnemata.pipeline.quarantine import Tallied
from mnemata.theory.schema import NANOSECONDS

_UNITS: Final = (("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000))


@dataclass(frozen=True, slots=True)
class Longest:
    """The match with the most events; among several the one with the longest span.

    Parameters
    ----------
    length : int
        Its number of marked events.
    start, end : int
        The numbers of its first and last row.
    nanoseconds : int or None
        The time between the two, if events have timestamps.
    """

    length: int
    start: int
    end: int
    nanoseconds: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of one pattern.

    Parameters
    ----------
    pattern : str
        The pattern's name.
    matches : int
        How many matches were written.
    longest : Longest or None
        The longest of them.
    """

    pattern: str
    matches: int
    longest: Longest | None

    def to_json(self) -> dict[str, Any]:
        """The numbers as an object for JSON."""
        longest = self.longest
        shown = longest and {
            "events": longest.length,
            "start": longest.start,
            "end": longest.end,
            "nanoseconds": longest.nanoseconds,
        }
        return {"pattern": self.pattern, "matches": self.matches, "longest_match": shown}


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run found, and how fast.

    Parameters
    ----------
    found : tuple of Found
        For each pattern.
    rows : Tallied
        The rows of the stream.
    seconds : float
        From opening the stream to the finished table; starting Spark comes on top.
    output : str
        Where the matches are.
    quarantine : str or None
        Where the faulty rows are, if there are any.
    left_out : tuple of str
        Columns of the stream that are no attributes, and why.
    slices : int
        Into how many slices a stream without keys was cut.
    whole : str or None
        Why it was not cut, where that might have been quicker.
    """

    found: tuple[Found, ...]
    rows: Tallied
    seconds: float
    output: str
    quarantine: str | None
    left_out: tuple[str, ...] = ()
    slices: int = 1
    whole: str | None = None

    @property
    def matches(self) -> int:
        """How many matches were written."""
        return sum(one.matches for one in self.found)

    def to_json(self) -> dict[str, Any]:
        """The numbers as an object for JSON; for several patterns with a list of what was found of each."""
        one, *others = (found.to_json() for found in self.found)
        return {
            **({"patterns": [one, *others], "matches": self.matches} if others else one),
            "events": self.rows.events,
            "bad_rows": dict(self.rows.faulty),
            "events_without_key": self.rows.without_key,
            "missing_values": dict(self.rows.missing),
            "seconds": round(self.seconds, 3),
            "output": self.output,
            "quarantine": self.quarantine,
            "left_out": list(self.left_out),
            "slices": self.slices,
            "not_cut": self.whole,
        }

    def lines(self) -> list[tuple[str, str]]:
        """Labels and values for the console."""
        found = [("events", f"{self.rows.events:,}{self._rate()}")]
        bad = sum(self.rows.faulty.values())
        found.append(("bad rows", f"{bad:,}" + (f", kept in {self.quarantine}" if self.quarantine else "")))
        found += [("", f"{count:,} x {reason}") for reason, count in self.rows.faulty.items()]
        if self.rows.without_key:
            found.append(("without key", f"{self.rows.without_key:,} events, in no sub-stream"))
        if self.rows.missing:
            counts = (f"{name} {count:,}" for name, count in self.rows.missing.items())
            found.append(("missing values", ", ".join(counts)))
        found += [("left out", reason) for reason in self.left_out]
        if self.slices > 1:
            found.append(("slices", f"{self.slices:,}, that overlap as far as matches reach back"))
        if self.whole is not None:
            found.append(("not cut", f"one task read the whole stream: {self.whole}"))
        found.append(("matches", f"{self.matches:,}, written to {self.output}"))
        if len(self.found) > 1:
            return found + [("", _of_pattern(one)) for one in self.found]
        longest = self.found[0].longest
        return found if longest is None else [*found, ("longest match", described(longest))]

    def _rate(self) -> str:
        seconds = max(self.seconds, 1e-3)
        return f" in {seconds:,.1f} s ({self.rows.events / seconds:,.0f} per second)"


def _of_pattern(found: Found) -> str:
    longest = "" if found.longest is None else f"; the longest: {described(found.longest)}"
    return f"{found.matches:,} x {found.pattern}{longest}"


def described(longest: Longest) -> str:
    """The longest match in words.

    >>> described(Longest(3, 10, 42, 800_000_000))
    '3 events over 800 ms (rows 10 to 42)'
    """
    events = "1 event" if longest.length == 1 else f"{longest.length:,} events"
    over = "" if longest.nanoseconds is None else f" over {duration(longest.nanoseconds)}"
    place = (
        f"row {longest.start}" if longest.start == longest.end else f"rows {longest.start} to {longest.end}"
    )
    return f"{events}{over} ({place})"


def duration(nanoseconds: int) -> str:
    """A length of time with its largest fitting units.

    >>> duration(90_061_000_000_000), duration(1_500_000_000), duration(0)
    ('1 d 1 h 1 min 1 s', '1.5 s', '0 s')
    """
    parts = []
    for unit, size in _UNITS:
        count, nanoseconds = divmod(nanoseconds, size)
        parts += [f"{count} {unit}"] if count else []
    for unit in ("s", "ms", "us", "ns"):
        if nanoseconds >= NANOSECONDS[unit]:
            return " ".join([*parts, f"{nanoseconds / NANOSECONDS[unit]:.12g} {unit}"])
    return " ".join(parts) or "0 s"
