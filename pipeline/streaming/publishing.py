"""Matches and bad rows of a micro-batch, each batch one file in a folder, or records of a topic.

The name of a file tells its stream and its batch, and the file is there complete or not at all. When the
process ends at any moment, Spark does the batch again that it had not noted as done, from the same rows and
the same state; its files then replace equal ones. So each match is there once.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from mnemata.pipeline.batch import kept
from mnemata.pipeline.sinks import SUFFIXES, Sink, draft
from mnemata.pipeline.sources.frames import quoted
from mnemata.pipeline.sources.location import local_path
from mnemata.pipeline.streaming.checkpoint import Checkpoint
from mnemata.pipeline.streaming.groups import QUARANTINE
from mnemata.pipeline.streaming.operator import BAD, MATCH, MEASURES, contents
from mnemata.pipeline.tables import identifier
from mnemata.theory.errors import SourceError

IDENTIFIER = "id"


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder that gets a file for each batch.

    Parameters
    ----------
    path : str
        Where it is.
    format : str
        Of its files: one of `mnemata.pipeline.sinks.SUFFIXES`.
    """

    path: str
    format: str

    @property
    def folder(self) -> Path:
        """The folder as a path."""
        return Path(local_path(self.path))

    def file(self, stream: str, batch: int) -> Sink:
        """The place of a batch."""
        name = f"{stream}-{batch:010d}{SUFFIXES[self.format][0]}"
        return Sink(str(self.folder / name), self.format, single=True, overwrite=True)

    def prepare(self, stream: str, *, begins: bool) -> None:
        """Make the folder, and remove what a process left there that ended while it wrote.

        Raises `SourceError` when a stream begins and there is something already.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if begins and any(entry.name[0] not in "._" for entry in self.folder.iterdir()):
                raise SourceError(
                    f"'{self.path}' has files in it, and the checkpoint is new: the stream would be "
                    "written a second time; use the checkpoint that goes with it, or an empty folder"
                )
            for entry in self.folder.glob(f".{stream}-*.partial"):
                shutil.rmtree(entry, ignore_errors=True)
        except OSError as error:
            if isinstance(error, SourceError):
                raise
            raise SourceError(f"cannot write in the folder '{self.path}': {error.strerror}") from None

    def write(self, table: DataFrame, stream: str, batch: int, *order: str) -> None:
        """Write the table of a batch, in the order of some columns."""
        with draft(self.file(stream, batch)) as made:
            made.write(table.repartition(1).sortWithinPartitions(*order))
            made.publish()


class Destination(Protocol):
    """Where the tables of batches go."""

    def prepare(self, stream: str, /, *, begins: bool) -> None:
        """Raise `MnemataError` unless they can go there, be it that the stream begins or goes on."""

    def write(self, table: DataFrame, stream: str, batch: int, /, *order: str) -> None:
        """Write the table of a batch, in the order of some columns."""


@dataclass(frozen=True, slots=True)
class Publisher:
    """Writes what comes of micro-batches.

    Parameters
    ----------
    stream : str
        The name of the stream.
    checkpoint : Checkpoint
        Where totals are kept.
    matches, quarantine : Destination
        Where tables go.
    columns : pyarrow.Schema
        Of matches.
    told : callable
        Gets the number of each batch that is written, and the totals after it.
    """

    stream: str
    checkpoint: Checkpoint
    matches: Destination
    quarantine: Destination
    columns: pa.Schema
    told: Callable[[int, dict[str, int]], None]

    def publish(self, outcome: DataFrame, batch: int) -> None:
        """Write a batch; `outcome` as of `mnemata.pipeline.streaming.operator.outcome`."""
        with kept(outcome, True) as rows:
            sums = [F.coalesce(F.sum(quoted(name)), F.lit(0)).alias(name) for name in MEASURES]
            measures = rows.agg(*sums).collect()[0].asDict()
            found = contents(rows, MATCH, self.columns)
            found = found.select(identifier(found).alias(IDENTIFIER), "*")
            bad = contents(rows, BAD, QUARANTINE)
            if measures["matches"]:
                self.matches.write(found, self.stream, batch, "end", "start", "positions")
            if measures["bad"]:
                self.quarantine.write(bad, self.stream, batch, "row")
        self.told(batch, self.checkpoint.count(batch, measures))
