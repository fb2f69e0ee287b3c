"""Tables of matches on disk: Parquet, CSV or JSON lines; written completely or not at all.

A path that ends in ``.parquet``, ``.csv``, ``.json``, ``.jsonl`` or ``.ndjson`` becomes one file, sorted
by the end of the matches; any other path a folder of files, as Spark writes them, one for each task. What
is written gets its name when it is complete.

CSV has no lists and no records: ``positions``, ``key`` and ``events`` are JSON text there. Times are
ISO 8601 in UTC with microseconds, in CSV and in JSON.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import ArrayType, StructType

from mnemata.pipeline.failures import translated
from mnemata.pipeline.sources.frames import quoted
from mnemata.pipeline.sources.location import is_remote, local_path
from mnemata.theory.errors import SourceError, suggestion

SUFFIXES: Final = {"parquet": (".parquet", ".pq"), "csv": (".csv",), "json": (".json", ".jsonl", ".ndjson")}
_TIMES: Final = "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"
_TIMES_IN_PARQUET: Final = "spark.sql.parquet.outputTimestampType"
JSON_OPTIONS: Final[Mapping[str, str]] = {"ignoreNullFields": "false", "timestampFormat": _TIMES}
"""How JSON is written, in files and elsewhere."""
_WRITER_OPTIONS: Final[dict[str, dict[str, str]]] = {
    "parquet": {},
    "csv": {"header": "true", "escape": '"', "timestampFormat": _TIMES},
    "json": dict(JSON_OPTIONS),
}


@dataclass(frozen=True, slots=True)
class Sink:
    """Where a table goes.

    Parameters
    ----------
    path : str
        A path on this machine, or an address that Spark understands.
    format : str
        ``parquet``, ``csv`` or ``json``.
    single : bool
        Whether it becomes one file.
    overwrite : bool
        Whether it may replace what is there.
    """

    path: str
    format: str
    single: bool
    overwrite: bool = False

    @property
    def remote(self) -> bool:
        """Whether only Spark can reach it."""
        return is_remote(self.path)

    def beside(self, word: str) -> Sink:
        """A sink next to this one, in its format: ``matches.csv`` and ``matches.quarantine.csv``."""
        path = self.path.rstrip("/")
        stem, ending = os.path.splitext(path) if self.single else (path, "")
        return Sink(f"{stem}.{word}{ending}", self.format, self.single, self.overwrite)


def sink(path: str | os.PathLike[str], format: str | None = None, *, overwrite: bool = False) -> Sink:
    """The sink at a path; its format is what the name says unless it is given.

    Raises
    ------
    SourceError
        The format is unknown or cannot be told.
    """
    text = os.fspath(path)
    ending = os.path.splitext(text)[1].lower()
    named = next((format for format, endings in SUFFIXES.items() if ending in endings), None)
    chosen = format or named or ("parquet" if not ending or text.endswith("/") else None)
    if chosen is None:
        hint = suggestion(ending, (e for endings in SUFFIXES.values() for e in endings))
        raise SourceError(
            f"cannot tell the format of '{text}' by its name; use .parquet, .csv or .json.{hint}"
        )
    if chosen not in SUFFIXES:
        raise SourceError(
            f"unknown format '{chosen}' of a table; use {', '.join(SUFFIXES)}.{suggestion(chosen, SUFFIXES)}"
        )
    return Sink(text, chosen, single=named is not None and not is_remote(text), overwrite=overwrite)


def check_sink(target: Sink, source: str) -> None:
    """Raise `SourceError` when a table cannot be written to `target`, before any work is done."""
    if target.remote:
        return
    path = Path(local_path(target.path))
    if same_or_inside(path, Path(local_path(source))) and not is_remote(source):
        raise SourceError(f"'{target.path}' is where the stream is read from; write somewhere else")
    check_new(target)


def check_new(target: Sink) -> None:
    """The same of a table that is read from nowhere."""
    if target.remote:
        return
    path = Path(local_path(target.path))
    if path.exists() and not target.overwrite:
        raise SourceError(
            f"'{target.path}' is there already; choose another name, or replace it with --overwrite"
        )
    if path.is_dir() and not _written_by_spark(path):
        raise SourceError(f"'{target.path}' is a folder with other things in it and is not replaced")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"cannot make the folder '{path.parent}': {error.strerror}") from None
    if not os.access(path.parent, os.W_OK):
        raise SourceError(f"cannot write in the folder '{path.parent}': permission denied")


def same_or_inside(path: Path, source: Path) -> bool:
    """Whether a path is `source` or lies in it."""
    return source.resolve() in (path.resolve(), *path.resolve().parents)


def _written_by_spark(folder: Path) -> bool:
    return all(entry.name.startswith(("part-", "_", ".")) for entry in folder.iterdir())


class Draft:
    """A table that is written but not yet in its place.

    Parameters
    ----------
    target : Sink
        Its place. Only a table on this machine is held back; Spark writes others to their place at once.
    """

    def __init__(self, target: Sink) -> None:
        self._target = target
        self._path = Path(local_path(target.path)).absolute()
        self._folder = self._path.parent / f".{self._path.name}.{uuid.uuid4().hex[:8]}.partial"
        self._filled = False

    def write(self, table: DataFrame) -> None:
        """Compute a table and write it.

        Raises
        ------
        SourceError
            It cannot be written.
        MnemataError
            What computing it raises.
        """
        target = self._target
        ready = flattened(table) if target.format == "csv" else table
        writer = ready.write.format(target.format).options(**_WRITER_OPTIONS[target.format])
        with translated(), _microseconds(table.sparkSession):
            if target.remote:
                writer.mode("overwrite" if target.overwrite else "errorifexists").save(target.path)
            else:
                writer.save(f"file:{self._folder}")
        self._filled = True

    def folder(self) -> Path:
        """A folder for files that become the table, when whoever asked has written them."""
        try:
            self._folder.mkdir(parents=True)
        except OSError as error:
            raise SourceError(f"cannot write '{self._target.path}': {error.strerror}") from None
        self._filled = True
        return self._folder

    def publish(self) -> None:
        """Put what was written in its place; if nothing was, remove what an earlier run left there."""
        if self._target.remote:
            return
        try:
            if self._filled:
                _replace(_only_file(self._folder) if self._target.single else self._folder, self._path)
            elif self._target.overwrite:
                _remove(self._path)
        except OSError as error:
            if isinstance(error, SourceError):
                raise
            raise SourceError(f"cannot write '{self._target.path}': {error.strerror}") from None

    def discard(self) -> None:
        """Forget what was written and not published."""
        shutil.rmtree(self._folder, ignore_errors=True)


@contextmanager
def _microseconds(spark: SparkSession) -> Iterator[None]:
    """Let Spark write times to Parquet as everybody else does; its default is a form of 96 bits."""
    before = spark.conf.get(_TIMES_IN_PARQUET)
    spark.conf.set(_TIMES_IN_PARQUET, "TIMESTAMP_MICROS")
    try:
        yield
    finally:
        spark.conf.set(_TIMES_IN_PARQUET, str(before))


@contextmanager
def draft(target: Sink) -> Iterator[Draft]:
    """A draft that is discarded at the end unless it was published."""
    made = Draft(target)
    try:
        yield made
    finally:
        made.discard()


def flattened(table: DataFrame) -> DataFrame:
    """A table whose lists and records are JSON text, as CSV needs it."""
    columns = [
        F.to_json(quoted(f.name), dict(JSON_OPTIONS)).alias(f.name)
        if isinstance(f.dataType, ArrayType | StructType)
        else quoted(f.name)
        for f in table.schema.fields
    ]
    return table.select(*columns)


def _only_file(folder: Path) -> Path:
    files = sorted(folder.glob("part-*"))
    if len(files) != 1:
        raise SourceError(f"Spark wrote {len(files)} files where one was expected, in '{folder.parent}'")
    return files[0]


def _replace(made: Path, path: Path) -> None:
    """Give `made` its name; what was there goes when the new is in place."""
    if made.is_file() and not path.is_dir():
        os.replace(made, path)
        return
    aside = path.parent / f".{path.name}.{uuid.uuid4().hex[:8]}.replaced"
    if path.exists():
        os.rename(path, aside)
    os.rename(made, path)
    _remove(aside)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
