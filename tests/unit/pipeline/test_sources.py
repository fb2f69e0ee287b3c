"""Files as streams: rows are numbered by the files alone, and each is an event or has a fault."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.types import ArrayType, StringType, StructType

from mnemata.paper_figures.benchmarks.faults.damage import DAMAGES, Damage
from mnemata.pipeline.failures import translated
from mnemata.pipeline.sources import SourceOptions, Stream, open_stream
from mnemata.pipeline.sources.location import format_of_name, locate
from mnemata.pipeline.spark_schema import schema_from_spark, schema_to_spark
from mnemata.theory.errors import MnemataError, SchemaError, SourceError, UnknownAttributeError
from mnemata.theory.schema import Bool, Category, Float64, Int64, Schema, String, Timestamp

SCHEMA = Schema.of(
    type=String(), id=Int64(), price=Float64(), at=Timestamp("ms"), event_type="type", time="at"
)
ROWS = [("BUY" if n % 3 else "SELL", n, n / 4, 1000 + n // 2) for n in range(200)]


def as_csv(rows: list[tuple[object, ...]]) -> str:
    return "".join(",".join(map(str, row)) + "\n" for row in [SCHEMA.names, *rows])


def as_json(rows: list[tuple[object, ...]]) -> str:
    return "".join(json.dumps(dict(zip(SCHEMA.names, row, strict=True))) + "\n" for row in rows)


def as_stream(rows: list[tuple[object, ...]]) -> str:
    return "".join("{}(id={},price={},at={})\r\n".format(*row) for row in rows)


WRITERS = {"csv": as_csv, "jsonl": as_json, "stream": as_stream}


def write_parquet(path: Path, rows: list[tuple[object, ...]]) -> None:
    names = zip(SCHEMA.names, zip(*rows, strict=True), strict=True)
    pq.write_table(pa.table({name: list(column) for name, column in names}), path, row_group_size=7)


def events(stream: Stream) -> list[tuple[object, ...]]:
    """All rows in order: (number, type, id, price, at, reason)."""
    names = ["#row", *SCHEMA.names, "#reason"]
    with translated():
        found = stream.rows(SCHEMA.names).select(*(f"`{name}`" for name in names)).collect()
    return sorted(map(tuple, found))


EXPECTED = [(number, *row, None) for number, row in enumerate(ROWS)]


@contextmanager
def small_splits(spark: SparkSession, size: int) -> Iterator[None]:
    """Spark cuts files into pieces of `size` bytes."""
    keys = ("spark.sql.files.maxPartitionBytes", "spark.sql.files.openCostInBytes")
    before = {key: spark.conf.get(key) for key in keys}
    try:
        for key in keys:
            spark.conf.set(key, str(size))
        yield
    finally:
        for key, value in before.items():
            spark.conf.set(key, str(value))


@pytest.mark.parametrize("suffix", WRITERS)
def test_splits_do_not_change_the_numbers_of_rows(spark: SparkSession, tmp_path: Path, suffix: str) -> None:
    """Three files with odd names, each cut into several splits, the largest not the first."""
    for name, rows in {"b [1]*": ROWS[20:180], "a%20": ROWS[:20], "c{x},é": ROWS[180:]}.items():
        (tmp_path / f"{name}.{suffix}").write_text(WRITERS[suffix](rows))
    (tmp_path / "_SUCCESS").touch()
    with small_splits(spark, 700):
        stream = open_stream(spark, tmp_path, SourceOptions(schema=SCHEMA))
        assert stream.rows(["id"]).rdd.getNumPartitions() > 5
        assert events(stream) == EXPECTED
        inferred = open_stream(spark, tmp_path, SourceOptions(time="at:ms", event_type="type"))
        assert inferred.schema == SCHEMA
        assert events(inferred) == EXPECTED


def test_parquet_files_in_a_folder(spark: SparkSession, tmp_path: Path) -> None:
    for name, rows in {"p=2/b b": ROWS[150:], "p=1/a": ROWS[:50], "p=1/b[x]": ROWS[50:150]}.items():
        file = tmp_path / f"{name}.parquet"
        file.parent.mkdir(exist_ok=True)
        write_parquet(file, rows)
    with small_splits(spark, 1000):
        stream = open_stream(spark, tmp_path, SourceOptions(time="at:ms", event_type="type"))
        assert stream.schema.names == (*SCHEMA.names, "p")
        assert events(stream) == EXPECTED


COMPRESSED: dict[str, Callable[[bytes], bytes]] = {
    ".xz": lzma.compress,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
}


@pytest.mark.parametrize("ending", COMPRESSED)
def test_compressed_files(spark: SparkSession, tmp_path: Path, ending: str) -> None:
    (tmp_path / f"2.csv{ending}").write_bytes(COMPRESSED[ending](as_csv(ROWS[80:]).encode()))
    (tmp_path / "1.csv").write_text("\ufeff" + as_csv(ROWS[:80]))
    stream = open_stream(spark, tmp_path, SourceOptions(time="at:ms", event_type="type"))
    assert stream.schema == SCHEMA
    assert events(stream) == EXPECTED


def test_every_row_is_an_event_or_faulty(spark: SparkSession, tmp_path: Path) -> None:
    good, bad = as_csv(ROWS).splitlines(), ["BUY,x,1,1", "BUY,1,2", "", "BUY,1,1.0,", '"']
    for place, line in enumerate(bad):
        good.insert(20 * (place + 1), line)
    (tmp_path / "f.csv").write_text("\n".join(good))
    with small_splits(spark, 900):
        found = events(open_stream(spark, tmp_path / "f.csv", SourceOptions(time="at:ms", event_type="type")))
    assert [row[0] for row in found] == list(range(len(ROWS) + len(bad)))
    assert [row[1:5] for row in found if row[5] is None] == ROWS
    assert [(row[0], row[5]) for row in found if row[5]] == [
        (19, "id is not an int64"),
        (39, "not 4 cells as in the header"),
        (59, "a blank line"),
        (79, "at, the time, is missing"),
        (99, "quotes that do not end in this line, or end inside a cell"),
    ]


def test_typed_columns_can_be_too_wide(spark: SparkSession, tmp_path: Path) -> None:
    """Parquet rows that do not fit a narrower schema are faulty, with the row as JSON."""
    table = pa.table(
        {
            "kind": ["a", "b", None, "a", "a"],
            "big": pa.array([1, 2**63 - 1, 3, 2**63, None], pa.uint64()),
            "at": pa.array([1_000, 2_000, 3_000, 4_000, 5_001], pa.timestamp("us")),
            "size": pa.array([1, None, 3, 4, 5], pa.int8()),
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    schema = Schema.of(kind=Category(("a", "c")), big=Int64(), at=Timestamp("ms"), size=Float64(), time="at")
    rows = open_stream(spark, tmp_path / "t.parquet", SourceOptions(schema=schema)).rows(schema.names)
    found = {row["#row"]: row for row in rows.collect()}
    assert [found[0][name] for name in schema.names] == ["a", 1, 1, 1.0]
    assert [found[2][name] for name in schema.names] == [None, 3, 3, 3.0]
    assert [(n, found[n]["#reason"], found[n]["#detail"]) for n in (1, 3, 4)] == [
        (1, "kind is not a category[a, c]", "b"),
        (3, "big is not an int64", str(2**63)),
        (4, "at is not a timestamp[ms]", "1970-01-01 00:00:00.005001"),
    ]
    assert json.loads(found[1]["#raw"]) | {"at": 0} == {"kind": "b", "big": 2**63 - 1, "at": 0}


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_times_in_parquet(spark: SparkSession, tmp_path: Path, zone: str) -> None:
    """Ticks are the same whatever the session's time zone; without zone a time is UTC."""
    moment = datetime(2024, 3, 10, 2, 30, 0, 123000, tzinfo=UTC)
    micros = int(moment.timestamp()) * 1_000_000 + 123_000
    columns = {
        "zoned": pa.array([moment], pa.timestamp("us", tz="UTC")),
        "plain": pa.array([micros], pa.timestamp("us")),
        "nanos": pa.array([micros * 1000 + 7], pa.timestamp("ns")),
        "day": pa.array([date(2024, 3, 10)], pa.date32()),
        "before": pa.array([-1], pa.timestamp("us")),
    }
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        stream = open_stream(spark, tmp_path / "t.parquet")
        found = stream.rows(stream.schema.names).collect()[0]
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert [str(a.type) for a in stream.schema.attributes] == [
        "timestamp[us]",
        "timestamp[us]",
        "timestamp[ns]",
        "timestamp[s]",
        "timestamp[us]",
    ]
    midnight = int(datetime(2024, 3, 10, tzinfo=UTC).timestamp())
    assert tuple(found)[1:6] == (micros, micros, micros * 1000 + 7, midnight, -1)


def test_columns_that_no_attribute_can_be_are_left_out(spark: SparkSession, tmp_path: Path) -> None:
    table = pa.table({"a": [1], "list": [[1]], "price": pa.array([Decimal("1.5")])})
    pq.write_table(table, tmp_path / "t.parquet")
    stream = open_stream(spark, tmp_path / "t.parquet")
    assert stream.schema.names == ("a",)
    assert [reason.split(",")[0] for reason in stream.left_out] == [
        "column 'list' is list<element: int64>",
        "column 'price' is decimal128(2",
    ]
    declared = Schema.of(price=Float64())
    kept = open_stream(spark, tmp_path / "t.parquet", SourceOptions(schema=declared))
    assert kept.rows(["price"]).collect()[0]["price"] == 1.5


def test_an_empty_stream_needs_a_schema(spark: SparkSession, tmp_path: Path) -> None:
    for name, content in {"e.csv": as_csv([]), "e.jsonl": "", "e.stream": ""}.items():
        (tmp_path / name).write_text(content)
        with pytest.raises(SourceError, match=r"has no events to derive a schema from; .* --schema"):
            open_stream(spark, tmp_path / name)
        assert events(open_stream(spark, tmp_path / name, SourceOptions(schema=SCHEMA))) == []
    write_parquet(tmp_path / "e.parquet", ROWS[:1])
    pq.write_table(pq.read_table(tmp_path / "e.parquet").slice(0, 0), tmp_path / "e.parquet")
    assert events(open_stream(spark, tmp_path / "e.parquet", SourceOptions(time="at:ms"))) == []


def test_one_event(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "one.stream").write_text("BUY(id=1,price=1.5,at=3)")
    stream = open_stream(spark, tmp_path / "one.stream", SourceOptions(time="at:ms"))
    assert events(stream) == [(0, "BUY", 1, 1.5, 3, None)]


def put(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


PARQUET_MAGIC = b"PAR1"
BROKEN: dict[str, tuple[bytes, str]] = {
    "cut.stream.xz": (lzma.compress(as_stream(ROWS).encode())[:-40], "is truncated"),
    "cut.csv.gz": (gzip.compress(as_csv(ROWS).encode())[:-40], "is truncated"),
    "wrong.stream.xz": (b"no xz at all", "is damaged or not in the format that its name says"),
    "wrong.csv.gz": (b"no gzip at all", "is damaged or not in the format that its name says"),
    "wrong.csv.bz2": (b"no bzip2 at all", "cannot read|is damaged"),
    "cut.parquet": (PARQUET_MAGIC + b"\0" * 100, "is not Parquet, or is truncated or damaged"),
    "empty.parquet": (b"", "is empty"),
    "empty.csv": (b"", "is empty: CSV begins with a header"),
    "garbage.csv": (bytes(range(256)), "is not CSV"),
    "garbage.stream": (bytes(range(256)) * 9, r"no line of .* is of the form TYPE\(name=value,...\)"),
    "garbage.json": (bytes(range(256)) * 9, "no line of .* is a JSON object"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_files_that_are_no_streams(spark: SparkSession, tmp_path: Path, name: str) -> None:
    content, message = BROKEN[name]
    with pytest.raises(SourceError, match=message):
        open_stream(spark, put(tmp_path, name, content))


def test_a_truncated_file_is_found_while_it_is_read(spark: SparkSession, tmp_path: Path) -> None:
    """Also when there is no survey that infers, and in a later chunk."""
    whole = lzma.compress(as_stream(ROWS).encode() * 200)
    path = put(tmp_path, "cut.stream.xz", whole[:-12])
    with pytest.raises(SourceError, match=r"cut\.stream\.xz' is truncated"):
        events(open_stream(spark, path, SourceOptions(schema=SCHEMA)))


def test_a_file_that_grows_while_it_is_read(spark: SparkSession, tmp_path: Path) -> None:
    path = put(tmp_path, "f.stream", as_stream(ROWS).encode())
    stream = open_stream(spark, path, SourceOptions(schema=SCHEMA))
    path.write_text(as_stream(ROWS + ROWS))
    with pytest.raises(SourceError, match="changed while it was read"):
        events(stream)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_a_damaged_file_between_others(spark: SparkSession, tmp_path: Path, damage: Damage) -> None:
    for number in range(3):
        table = pa.table({"kind": ["A"] * 9, "at": range(9)})
        pq.write_table(table, tmp_path / f"{number}.parquet", write_page_checksum=True)
    stream = open_stream(spark, tmp_path, SourceOptions(time="at:ms"))
    groups = stream.groups
    assert groups is not None
    assert groups.read(0, groups.rows, ["kind", "at"]).num_rows == 27
    damage.apply(tmp_path / "1.parquet")
    with pytest.raises(SourceError, match=r"1\.parquet"), translated():
        stream.rows(["kind", "at"]).collect()
    with pytest.raises(SourceError, match=r"1\.parquet' cannot be read"):
        groups.read(0, groups.rows, ["kind", "at"])


def test_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "ticks.csv").touch()
    (tmp_path / "folder").mkdir()
    for name, message in {
        "tick.csv": "there is no file or folder .*Did you mean",
        "folder": "holds no files",
        "ticks.csv/x": "there is no file|cannot read",
    }.items():
        with pytest.raises(SourceError, match=message):
            locate(tmp_path / name)


def test_the_format_must_be_known(tmp_path: Path) -> None:
    (tmp_path / "ticks.dat").touch()
    with pytest.raises(SourceError, match=r"cannot tell the format .* --format"):
        locate(tmp_path)
    with pytest.raises(SourceError, match=r"unknown format 'cvs'.* Did you mean 'csv'\?"):
        locate(tmp_path, "cvs")
    assert locate(tmp_path / "ticks.dat", "csv").format == "csv"
    (tmp_path / "ticks.dat").rename(tmp_path / "ticks.csv")
    (tmp_path / "ticks.parquet").touch()
    with pytest.raises(SourceError, match="several formats"):
        locate(tmp_path)


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.STREAM.XZ", "stream"),
        ("a.tsv.gz", "csv"),
        ("a.ndjson", "json"),
        ("a.pq", "parquet"),
        ("a.txt", None),
    ],
)
def test_names_tell_formats(name: str, format: str | None) -> None:
    assert format_of_name(name) == format


OPTIONS: dict[str, tuple[SourceOptions, type[MnemataError], str]] = {
    "no unit": (SourceOptions(time="at"), SchemaError, "add the unit of its ticks, such as 'at:ms'"),
    "bad unit": (SourceOptions(time="at:years"), SchemaError, "unknown timestamp unit 'years'"),
    "no time": (SourceOptions(time="when:ms"), UnknownAttributeError, "unknown attribute 'when'"),
    "text time": (SourceOptions(time="type"), SchemaError, "'type' cannot order the stream"),
    "no type": (SourceOptions(event_type="typ"), UnknownAttributeError, r"Did you mean 'type'\?"),
    "column": (
        SourceOptions(schema=Schema.of(typ=String())),
        SourceError,
        r"has no column 'typ'; its header has type, id, price, at. Did you mean 'type'\?",
    ),
}


@pytest.mark.parametrize("case", OPTIONS)
def test_options_must_fit_the_stream(spark: SparkSession, tmp_path: Path, case: str) -> None:
    options, kind, message = OPTIONS[case]
    with pytest.raises(kind, match=message):
        open_stream(spark, put(tmp_path, "t.csv", as_csv(ROWS[:3]).encode()), options)


def test_parquet_must_fit_the_schema(spark: SparkSession, tmp_path: Path) -> None:
    write_parquet(tmp_path / "1.parquet", ROWS[:3])
    wrong = SourceOptions(schema=Schema.of(type=Float64()))
    with pytest.raises(SchemaError, match="column 'type' is string, the attribute is float64"):
        open_stream(spark, tmp_path, wrong).rows(["type"])
    absent = SourceOptions(schema=Schema.of(prize=Float64()))
    with pytest.raises(SchemaError, match=r"no column 'prize'.*Did you mean 'price'\?"):
        open_stream(spark, tmp_path, absent).rows(["prize"])
    pq.write_table(pa.table({"id": ["x"]}), tmp_path / "2.parquet")
    with pytest.raises(
        SourceError, match=r"do not agree: column 'type' is string in .* and absent in .*2\.parquet"
    ):
        open_stream(spark, tmp_path)


def test_columns_that_some_files_lack(spark: SparkSession, tmp_path: Path) -> None:
    """Without a schema nobody says that a column may be left out."""
    (tmp_path / "1.csv").write_text("x,at\n1,2020-10-25T02:30:00+02:00\n")
    (tmp_path / "2.csv").write_text("x,y,at\n1,2,2020-10-25T02:10:00+01:00\n")
    with pytest.raises(
        SourceError, match=r"do not agree: '.*2\.csv' has a column 'y', and '.*1\.csv' has none"
    ):
        open_stream(spark, tmp_path)
    schema = Schema.of(x=Int64(), at=Timestamp("s"), time="at")
    rows = open_stream(spark, tmp_path, SourceOptions(schema=schema)).rows(["at"]).collect()
    # An hour that clocks show twice is told apart by its offset.
    assert sorted((row["#row"], row["at"]) for row in rows) == [(0, 1603585800), (1, 1603588200)]


def test_attributes_that_differ_in_case(spark: SparkSession, tmp_path: Path) -> None:
    path = put(tmp_path, "t.csv", b"a,A\n1,2\n")
    with pytest.raises(SchemaError, match=r"'a' and 'A' differ in case only; set spark.sql.caseSensitive"):
        open_stream(spark, path)
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        assert tuple(open_stream(spark, path).rows(["A", "a"]).collect()[0])[1:3] == (2, 1)
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_reserved_names(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="an attribute cannot be called '#row'"):
        open_stream(spark, put(tmp_path, "t.csv", b"#row,b\n1,2\n"))


def test_schemas_of_spark_tables() -> None:
    columns = StructType().add("a", "byte").add("b", "timestamp_ntz").add("c", "boolean").add("d", "date")
    found = schema_from_spark(columns)
    assert [str(a.type) for a in found.attributes] == ["int64", "timestamp[us]", "bool", "timestamp[s]"]
    with pytest.raises(SchemaError, match=r"column 'x' is .*, which no attribute can be"):
        schema_from_spark(StructType().add("x", ArrayType(StringType())))
    schema = Schema.of(a=Category(("x",)), b=Bool(), c=Timestamp("s"), d=Timestamp("ns"), e=Float64())
    kinds = [field.dataType.simpleString() for field in schema_to_spark(schema).fields]
    assert kinds == ["string", "boolean", "timestamp", "bigint", "double"]
