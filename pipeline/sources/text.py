"""Text files as a stream: CSV, JSON lines, and the benchmark's form, plain or compressed.

Two passes: a survey counts the rows of each split, and infers the schema where none is given; then workers
read typed rows. Both run in Spark's Arrow workers, line by line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from mnemata.pipeline.failures import reported, translated
from mnemata.pipeline.sources.csv_text import CsvText, header_of
from mnemata.pipeline.sources.event_text import EventText
from mnemata.pipeline.sources.formats import RowReader, TextFormat, row_schema
from mnemata.pipeline.sources.json_text import JsonText
from mnemata.pipeline.sources.lines import (
    Block,
    blocks_from_files,
    blocks_from_spark,
    read_lines,
    without_header,
)
from mnemata.pipeline.sources.location import Location, escaped
from mnemata.pipeline.sources.options import SourceOptions, with_overrides
from mnemata.pipeline.sources.row_groups import RowGroups
from mnemata.pipeline.sources.survey import (
    SURVEY_COLUMNS,
    Numbering,
    Split,
    in_order,
    merged,
    split_from_row,
    split_to_arrow,
    survey,
)
from mnemata.pipeline.spark_schema import written_schema
from mnemata.theory.errors import SourceError, suggestion
from mnemata.theory.schema import AttributeDeclaration, Schema, String


@dataclass(frozen=True, slots=True)
class TextReading:
    """How to read the files of a text stream; workers get a copy.

    Parameters
    ----------
    location : Location
        The files.
    options : SourceOptions
        What the user said about them.
    headers : mapping of str to tuple of str
        The column names of each file, for CSV.
    """

    location: Location
    options: SourceOptions
    headers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def format_of(self, file: str) -> TextFormat:
        """How the rows of a file are written."""
        missing = frozenset(self.options.missing)
        if self.location.format == "csv":
            return CsvText(self.headers[file], delimiter_of(file, self.options), missing)
        if self.location.format == "json":
            return JsonText()
        return EventText(self.options.event_type_name, missing)

    def blocks(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Block]:
        """The rows of a task: from Spark's reader, or of the files whose numbers it got."""
        header = self.location.format == "csv"
        if not self.location.compressed:
            return without_header(blocks_from_spark(batches), header=header)
        numbers = (int(n) for batch in batches for n in batch.column(0).to_numpy())
        return without_header(blocks_from_files(self.location.files[n] for n in numbers), header=header)

    def lines(self, spark: SparkSession) -> DataFrame:
        """What tasks get, see `blocks`."""
        files = self.location.files
        if self.location.compressed:
            return spark.range(0, len(files), 1, len(files))
        paths = list(files) if self.location.remote else [f"file:{escaped(file)}" for file in files]
        origin = [
            F.col("_metadata.file_path").alias("file"),
            F.col("_metadata.file_block_start").alias("start"),
        ]
        return spark.read.text(paths).select(F.col("value").cast("binary").alias("line"), *origin)


@dataclass(frozen=True, slots=True)
class TextStream:
    """A stream in text files.

    Parameters
    ----------
    spark : SparkSession
        Where it is read.
    reading : TextReading
        How.
    schema : Schema
        The attributes of its events.
    numbering : Numbering
        The numbers of its rows.
    """

    spark: SparkSession
    reading: TextReading
    schema: Schema
    numbering: Numbering

    @property
    def left_out(self) -> tuple[str, ...]:
        """Why other columns are no attributes; there are none."""
        return ()

    @property
    def groups(self) -> RowGroups | None:
        """None: what rows are is known when their text is read."""
        return None

    @property
    def costly(self) -> bool:
        """Whether rows should be kept rather than read twice."""
        return True

    def rows(self, columns: Collection[str]) -> DataFrame:
        """All rows: `ROW`, attributes (timestamps as ticks), reason, detail and raw text of faults."""
        reading, numbering, schema, wanted = self.reading, self.numbering, self.schema, tuple(columns)

        def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for block in reading.blocks(batches):
                reader = RowReader(reading.format_of(block.file), schema, wanted)
                yield reader.read(block.lines, numbering.numbers(block))

        arrow = row_schema(schema, wanted)
        return self.reading.lines(self.spark).mapInArrow(reported(read), written_schema(arrow))


def open_text(spark: SparkSession, location: Location, options: SourceOptions) -> TextStream:
    """Open text files as a stream; surveys them first."""
    headers = _headers(spark, location, options) if location.format == "csv" else {}
    reading = TextReading(location, options, headers)
    with translated():
        splits = in_order(_survey(spark, reading, infer=options.schema is None), location.files)
    schema = options.schema or _inferred(reading, splits)
    if options.schema is None:
        _check_alike(location.path, headers)
    for file, names in headers.items():
        check_header(file, names, schema)
    return TextStream(spark, reading, with_overrides(schema, options), Numbering.of(splits))


def _survey(spark: SparkSession, reading: TextReading, *, infer: bool) -> list[Split]:
    lines = reading.lines(spark)

    def count(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        found = survey(reading.blocks(batches), reading.format_of if infer else None)
        return map(split_to_arrow, found)

    rows = lines.mapInArrow(reported(count), SURVEY_COLUMNS).collect()
    return [split_from_row(*row) for row in rows]


def _inferred(reading: TextReading, splits: list[Split]) -> Schema:
    tallies = merged(splits)
    path, rows = reading.location.path, sum(split.rows for split in splits)
    if rows == 0:
        raise SourceError(f"'{path}' has no events to derive a schema from; give one with --schema")
    if not tallies:
        raise SourceError(
            f"no line of '{path}' is {_FORMS[reading.location.format]}; is it in another format?"
        )
    kinds = {name: tally.type() for name, tally in tallies.items()}
    event_type = reading.options.event_type_name if reading.location.format == "stream" else None
    if event_type is not None:
        kinds[event_type] = String()
    declared = tuple(AttributeDeclaration(name, kind) for name, kind in kinds.items())
    return Schema(declared, event_type)


_FORMS = {"stream": "of the form TYPE(name=value,...)", "json": "a JSON object", "csv": "a row of cells"}


def _headers(spark: SparkSession, location: Location, options: SourceOptions) -> dict[str, tuple[str, ...]]:
    headers = {}
    for file in location.files:
        line = _first_line(spark, location, file)
        if line is not None:
            headers[file] = header_of(line, delimiter_of(file, options), file)
    if not headers:
        raise SourceError(f"'{location.path}' is empty: CSV begins with a header of column names")
    return headers


def _first_line(spark: SparkSession, location: Location, file: str) -> bytes | None:
    if not location.remote:
        return next((bytes(lines[0].as_py()) for lines in read_lines(file)), None)
    with translated():
        first = spark.read.text(file).first()
    return None if first is None else str(first[0]).encode()


def delimiter_of(file: str, options: SourceOptions) -> str:
    """What separates the cells of a CSV file."""
    return options.delimiter or ("\t" if ".tsv" in file.lower() else ",")


def _check_alike(path: str, headers: Mapping[str, tuple[str, ...]]) -> None:
    """Raise `SourceError` where a file has a column that another one lacks."""
    for file, names in headers.items():
        for other, others in headers.items():
            for name in names:
                if name not in others:
                    raise SourceError(
                        f"the files of '{path}' do not agree: '{file}' has a column '{name}', and '{other}' "
                        "has none; say with --schema which attributes to read"
                    )


def check_header(file: str, names: tuple[str, ...], schema: Schema) -> None:
    """Raise `SourceError` where the header of a CSV file lacks an attribute."""
    for name in schema.names:
        if name not in names:
            hint = suggestion(name, names)
            raise SourceError(f"'{file}' has no column '{name}'; its header has {', '.join(names)}.{hint}")
