"""A folder into which files are put, as a source of Spark's Structured Streaming.

Files have to be put there complete: written elsewhere and then renamed, or under a name that begins with a
dot or an underscore until they are. Each file is read once. A file that cannot be read becomes one faulty
row that says why; nothing else is kept from flowing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxFiles,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from mnemata.pipeline.failures import packed
from mnemata.pipeline.sources.location import is_remote, local_path
from mnemata.pipeline.sources.options import SourceOptions
from mnemata.pipeline.spark_schema import written_schema
from mnemata.pipeline.streaming.arrivals import Arrival, ArrivalLog
from mnemata.pipeline.streaming.files import FileReader
from mnemata.theory.errors import SchemaError, SourceError
from mnemata.theory.schema import Schema

NAME: Final = "mnemata-folder"
_FILES: Final = "files"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder as a stream.

    Parameters
    ----------
    path : str
        Where it is.
    log : str
        Where the log of its files is kept.
    reader : FileReader
        How its files are read.
    files_at_once : int, optional
        How many files a micro-batch takes at most; by default all that are there.
    """

    path: str
    log: str
    reader: FileReader
    files_at_once: int | None = None

    @property
    def schema(self) -> Schema:
        """The attributes of events."""
        return self.reader.schema

    @property
    def format(self) -> str:
        """Of its files."""
        return self.reader.format

    def rows(self, spark: SparkSession) -> DataFrame:
        """All rows to come, sound and faulty; see `mnemata.pipeline.sources.Stream.rows`."""
        spark.dataSource.register(FolderSource)
        return spark.readStream.format(NAME).option("folder", self.to_json()).load()

    def to_json(self) -> str:
        """What workers need to know, as text."""
        options = asdict(replace(self.reader.options, schema=None))
        schema, format = self.schema.to_json(), self.reader.format
        reader = {"format": format, "schema": schema, "options": options}
        return json.dumps(
            {
                "path": str(Path(local_path(self.path)).absolute()),
                "log": self.log,
                "files_at_once": self.files_at_once,
                "reader": reader,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Folder:
        """The folder that `to_json` told of."""
        read: dict[str, Any] = json.loads(text)
        reader = read["reader"]
        options = SourceOptions(**(reader["options"] | {"missing": tuple(reader["options"]["missing"])}))
        known = FileReader(reader["format"], Schema.from_json(reader["schema"]), options)
        return cls(read["path"], read["log"], known, read["files_at_once"])


def check_folder(path: str) -> None:
    """Raise `SourceError` unless there is a folder on this machine."""
    if is_remote(path):
        raise SourceError(
            f"'{path}' is not on this machine; a stream is read from a folder that is mounted here"
        )
    place = Path(local_path(path))
    if place.is_file():
        raise SourceError(
            f"'{path}' is a file; a stream comes from a folder into which files are put; for one file "
            "there is 'mnemata run'"
        )
    if not place.is_dir():
        raise SourceError(f"there is no folder '{path}'")


class FolderSource(DataSource):
    """The folder as Spark knows it."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._folder = Folder.from_json(options["folder"])

    @classmethod
    def name(cls) -> str:
        return NAME

    def schema(self) -> StructType:
        return written_schema(self._folder.reader.arrow_schema)

    def streamReader(self, schema: StructType) -> FolderReader:  # noqa: N802 - Spark's name
        return FolderReader(self._folder)


class _Part(InputPartition):
    """A file to read."""

    def __init__(self, arrival: Arrival) -> None:
        super().__init__(asdict(arrival))


class FolderReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Offsets and rows of a folder; an offset is a number of files of the log.

    Parameters
    ----------
    folder : Folder
        Which one.
    """

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._log: ArrivalLog | None = None
        self._last: int | None = None

    @property
    def _arrivals(self) -> ArrivalLog:
        if self._log is None:
            self._log = ArrivalLog(self._folder.log)
        return self._log

    def initialOffset(self) -> dict[str, int]:  # noqa: N802
        return {_FILES: 0}

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        most = self._folder.files_at_once
        return ReadAllAvailable() if most is None else ReadMaxFiles(most)

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        with packed():
            self._take_in(None)
            self._last = len(self._arrivals)

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:  # noqa: N802
        with packed():
            most = start[_FILES] + limit.max_files if isinstance(limit, ReadMaxFiles) else None
            if self._last is None:
                self._take_in(most)
            ends = [len(self._arrivals) if self._last is None else self._last, *([most] if most else [])]
            return {_FILES: max(start[_FILES], min(ends))}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> Sequence[InputPartition]:
        with packed():
            return [_Part(arrival) for arrival in self._arrivals.between(start[_FILES], end[_FILES])]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        with packed():
            yield from self._read(Arrival(**partition.value))

    def _read(self, arrival: Arrival) -> Iterator[pa.RecordBatch]:
        file, reader = str(Path(self._folder.path) / arrival.name), self._folder.reader
        if arrival.problem is not None:
            yield reader.unreadable(file, arrival.first, arrival.problem)
            return
        found = 0
        for batch in reader.rows(file, arrival.first):
            found += batch.num_rows
            yield batch
        if found != arrival.rows:
            raise SourceError(
                f"'{file}' had {arrival.rows:,} rows when it was taken in and has {found:,} now; put back "
                "what was there, and put other rows into a file of another name"
            )

    def _take_in(self, most: int | None) -> None:
        """Log the files that are new, until there are `most` in all."""
        if most is not None and len(self._arrivals) >= most:
            return
        for name in self._arrivals.new_in(self._folder.path):
            if most is not None and len(self._arrivals) >= most:
                return
            self._arrivals.add(name, *self._counted(str(Path(self._folder.path) / name)))

    def _counted(self, file: str) -> tuple[int, str | None]:
        try:
            return self._folder.reader.count(file), None
        except (SourceError, SchemaError) as error:
            return 1, str(error)
