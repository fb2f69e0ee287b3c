"""What a checkpoint says about its stream besides what Spark keeps there.

=====================  =================================================================================
file in the folder     meaning
=====================  =================================================================================
``stream.json``        whose checkpoint it is: pattern, schema, groups, and a name for this one stream
``files.jsonl``        the files that were taken in, see `mnemata.pipeline.streaming.arrivals`
``totals.json``        what was counted up to the last two batches
``spark/``             Spark's own: offsets, commits, state
=====================  =================================================================================
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from mnemata.theory.errors import SnapshotError, SourceError

VERSION: Final = 2
_STREAM, _FILES, _TOTALS, _SPARK = "stream.json", "files.jsonl", "totals.json", "spark"


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose checkpoint it is.

    Parameters
    ----------
    stream : str
        A name that no other stream has.
    name, pattern : str
        The pattern's name and text.
    fingerprint : str
        Of what its snapshots mean, see `mnemata.automata.engine.incremental.Recogniser.fingerprint`.
    schema : str
        The stream's schema as JSON.
    groups : int
        Into how many groups keys are divided.
    format : str or None
        Of the files that are read, if it reads files.
    """

    stream: str
    name: str
    pattern: str
    fingerprint: str
    schema: str
    groups: int
    format: str | None = None

    @classmethod
    def new(
        cls, name: str, pattern: str, fingerprint: str, schema: str, groups: int, format: str | None = None
    ) -> Identity:
        """That of a new stream."""
        return cls(uuid.uuid4().hex[:8], name, pattern, fingerprint, schema, groups, format)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The folder in which a stream keeps what it needs to go on.

    Parameters
    ----------
    path : Path
        Where it is; need not be there yet.
    """

    path: Path

    @property
    def files(self) -> str:
        """Where the log of files is."""
        return str(self.path / _FILES)

    @property
    def spark(self) -> str:
        """What belongs to Spark, as an address: Java may have been started in another folder."""
        return f"file:{self.path / _SPARK}"

    def identity(self) -> Identity | None:
        """Whose it is; ``None`` when it is new.

        Raises
        ------
        SourceError
            There is something else.
        SnapshotError
            It is of another version.
        """
        try:
            text = (self.path / _STREAM).read_text(encoding="utf-8")
        except FileNotFoundError:
            self._check_empty()
            return None
        except OSError as error:
            raise SourceError(f"cannot read the checkpoint '{self.path}': {error.strerror}") from None
        try:
            found = json.loads(text)
            version = found.pop("version")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise self._damaged(_STREAM) from None
        if version != VERSION:
            raise SnapshotError(
                f"the checkpoint '{self.path}' has version {version}, this is version {VERSION}; begin anew "
                "with another checkpoint and another sink"
            )
        try:
            return Identity(**found)
        except TypeError:
            raise self._damaged(_STREAM) from None

    def begin(self, identity: Identity) -> None:
        """Make it the checkpoint of a new stream."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            _write(self.path / _STREAM, {"version": VERSION, **asdict(identity)})
        except OSError as error:
            raise SourceError(f"cannot write the checkpoint '{self.path}': {error.strerror}") from None

    def check(self, known: Identity, now: Identity) -> None:
        """Raise `SnapshotError` when the stream that is to go on is not the one that was begun."""
        what = None
        if known.schema != now.schema:
            what = "with another schema of the stream"
        elif (known.fingerprint, known.name) != (now.fingerprint, now.name):
            what = f"for the pattern '{known.name}', {known.pattern.strip()!r}"
            if known.pattern == now.pattern and known.name == now.name:
                what += ", as another version of mnemata compiled it"
        elif known.groups != now.groups:
            what = f"with --groups {known.groups}"
        if what is not None:
            raise SnapshotError(
                f"the checkpoint '{self.path}' was begun {what}, and what it keeps means something there "
                "only; run that again, or begin anew with another checkpoint and another sink"
            )

    def totals(self) -> dict[str, int]:
        """What was counted up to the last batch."""
        return self._totals()[-1][1]

    def count(self, batch: int, measures: Mapping[str, int]) -> dict[str, int]:
        """Add what a batch changed and return the totals; a batch that is done again counts once."""
        before = [(number, totals) for number, totals in self._totals() if number < batch]
        last = before[-1][1] if before else {}
        totals = {name: last.get(name, 0) + change for name, change in measures.items()}
        _write(self.path / _TOTALS, [*before[-1:], (batch, totals)])
        return totals

    def _totals(self) -> list[tuple[int, dict[str, int]]]:
        try:
            text = (self.path / _TOTALS).read_text(encoding="utf-8")
        except FileNotFoundError:
            return [(-1, {})]
        try:
            first, *others = json.loads(text)
            return [
                (int(n), {name: int(size) for name, size in sums.items()}) for n, sums in (first, *others)
            ]
        except (ValueError, TypeError, AttributeError):
            raise self._damaged(_TOTALS) from None

    def _damaged(self, file: str) -> SourceError:
        return SourceError(
            f"the checkpoint '{self.path}' is damaged: {file} is not as written; use a copy of it, or begin "
            "with a new checkpoint and a new sink"
        )

    def _check_empty(self) -> None:
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise SourceError(
                f"'{self.path}' is there and is not a checkpoint of mnemata; choose a new folder"
            )


def _write(path: Path, content: Any) -> None:
    """Replace a file, or leave it as it was."""
    draft = path.with_name(f".{path.name}.partial")
    with draft.open("w", encoding="utf-8") as file:
        json.dump(content, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
