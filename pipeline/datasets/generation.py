"""Generated streams of any length as folders of Parquet files, made by Spark's workers.

Chunks of events have seeds of their own, so that workers can make them in any order; but for their times,
which go on from those of the chunk before. So every chunk is made twice: first to see how long it takes,
then from where the one before ends. Files have the same bytes however many workers there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from mnemata.pipeline.datasets.arrivals import CHUNK, Source
from mnemata.pipeline.failures import reported, translated
from mnemata.pipeline.progress import Watch
from mnemata.pipeline.sinks import Sink, draft
from mnemata.theory.errors import SourceError

CHUNKS: Final = 8
"""So many make about a million events."""

_LENGTHS: Final = "id bigint, ticks bigint"


@dataclass(frozen=True, slots=True)
class Generation:
    """A stream to be made.

    Parameters
    ----------
    source : Source
        What is generated.
    events : int
        How many events, at least one.
    seed : int
        Another one gives another stream.
    chunks_of_a_file : int
        How many chunks of events make a file, which is one row group.
    """

    source: Source
    events: int
    seed: int = 0
    chunks_of_a_file: int = CHUNKS

    @property
    def chunks(self) -> int:
        """How many chunks there are; the last one may be cut."""
        return -(-self.events // CHUNK)

    @property
    def files(self) -> int:
        """How many files there are."""
        return -(-self.chunks // self.chunks_of_a_file)

    def write(self, spark: SparkSession, target: Sink, watch: Watch) -> None:
        """Make the stream; it is in its place complete or not at all.

        Raises
        ------
        SourceError
            The target is not a folder on this machine or cannot be written.
        """
        check_folder(target)
        numbers = spark.range(0, self.files, 1, self.files)
        with watch.phase("Measuring times", spark), translated():
            rows = numbers.mapInArrow(reported(self._lengths), _LENGTHS).collect()
        lengths = [row["ticks"] for row in sorted(rows)]
        begins = list(accumulate(lengths, initial=0))
        with draft(target) as made:
            with watch.phase("Writing events", spark), translated():
                job = partial(self._written, str(made.folder()), begins)
                numbers.mapInArrow(reported(job), "id bigint").collect()
            made.publish()

    def _lengths(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """How long the events of each file take, in ticks."""
        for file in _numbers(batches):
            *_, (_, ticks) = self._made(file, 0)
            yield pa.record_batch({"id": [file], "ticks": [ticks]})

    def _written(
        self, folder: str, begins: list[int], batches: Iterable[pa.RecordBatch]
    ) -> Iterator[pa.RecordBatch]:
        """Write files; Spark may try one again, which gives the same bytes."""
        for file in _numbers(batches):
            table = pa.Table.from_batches(batch for batch, _ in self._made(file, begins[file]))
            pq.write_table(table, Path(folder) / f"part-{file:06d}.parquet", row_group_size=table.num_rows)
            yield pa.record_batch({"id": [file]})

    def _made(self, file: int, last: int) -> Iterator[tuple[pa.RecordBatch, int]]:
        first = file * self.chunks_of_a_file
        for chunk in range(first, min(first + self.chunks_of_a_file, self.chunks)):
            batch, last = self.source.chunk(chunk, last, seed=self.seed)
            yield batch.slice(0, self.events - chunk * CHUNK), last


def check_folder(target: Sink) -> None:
    """Raise `SourceError` unless the target is a folder of Parquet files on this machine."""
    if target.remote or target.single or target.format != "parquet":
        raise SourceError(
            f"'{target.path}' is no folder on this machine; a generated stream is a folder of Parquet files, "
            "so leave out the ending"
        )


def _numbers(batches: Iterable[pa.RecordBatch]) -> Iterator[int]:
    for batch in batches:
        yield from (int(number) for number in batch.column("id").to_numpy())
