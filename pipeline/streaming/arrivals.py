"""The files of a folder in the order in which a stream took them in, as a log that outlives the process.

The log numbers files, and with them rows: the rows of a file follow those of the file before it. So a row has
the same number however often it is read again. New files come after all that were taken before, among
themselves in the order of their names.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from mnemata.pipeline.sources.location import visible
from mnemata.theory.errors import SourceError


@dataclass(frozen=True, slots=True)
class Arrival:
    """A file that was taken in.

    Parameters
    ----------
    name : str
        Its path inside the folder.
    first : int
        The number of its first row.
    rows : int
        How many rows it has; 1 if it cannot be read, for the row that says so.
    problem : str or None
        Why it cannot be read.
    """

    name: str
    first: int
    rows: int
    problem: str | None = None


class ArrivalLog:
    """The log, as a file with a line of JSON for each arrival.

    Parameters
    ----------
    path : path-like
        Where it is, or will be.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._arrivals = list(self._load())
        self._names = {arrival.name for arrival in self._arrivals}

    def __len__(self) -> int:
        return len(self._arrivals)

    def between(self, start: int, end: int) -> list[Arrival]:
        """The arrivals from number `start` up to and without `end`.

        Raises `SourceError` where the log ends too early, as an offset that Spark keeps was logged before.
        """
        if end > len(self._arrivals):
            raise SourceError(
                f"the log of files '{self._path}' ends at file {len(self._arrivals)}, and the stream was at "
                f"file {end}: the checkpoint is damaged; use a copy of it, or begin with a new one"
            )
        return self._arrivals[start:end]

    @property
    def rows(self) -> int:
        """How many rows all files have."""
        return self._arrivals[-1].first + self._arrivals[-1].rows if self._arrivals else 0

    def new_in(self, folder: str | os.PathLike[str]) -> list[str]:
        """The files of a folder that were not taken in yet, by name."""
        root = Path(folder)
        try:
            found = sorted(visible(root), key=lambda file: file.parts)
        except OSError as error:
            raise SourceError(f"cannot read '{folder}': {error.strerror}") from None
        names = (str(file.relative_to(root)) for file in found)
        return [name for name in names if name not in self._names]

    def add(self, name: str, rows: int, problem: str | None = None) -> None:
        """Take a file in; it is in the log for good when this returns."""
        arrival = Arrival(name, self.rows, rows, problem)
        try:
            with self._path.open("a", encoding="utf-8") as log:
                log.write(json.dumps(asdict(arrival), ensure_ascii=False) + "\n")
                log.flush()
                os.fsync(log.fileno())
        except OSError as error:
            raise SourceError(f"cannot write '{self._path}': {error.strerror}") from None
        self._arrivals.append(arrival)
        self._names.add(name)

    def _load(self) -> Iterator[Arrival]:
        if not self._path.exists():
            return
        text = self._path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            # The process ended while it wrote the last line, so nobody has read that file yet.
            os.truncate(self._path, len(whole))
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                yield Arrival(**json.loads(line))
            except (ValueError, TypeError):
                raise SourceError(
                    f"line {number} of the log of files '{self._path}' is not as written: the checkpoint is "
                    "damaged; use a copy of it, or begin with a new one"
                ) from None
