"""Where tables go, and that they get there completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

from mnemata.pipeline.failures import WorkerFailure
from mnemata.pipeline.sinks import Sink, check_sink, draft, sink
from mnemata.theory.errors import SourceError


@pytest.mark.parametrize(
    ("path", "format", "found", "quarantine"),
    [
        ("m.parquet", None, Sink("m.parquet", "parquet", True), "m.quarantine.parquet"),
        ("a.b/m.CSV", None, Sink("a.b/m.CSV", "csv", True), "a.b/m.quarantine.CSV"),
        ("m.ndjson", None, Sink("m.ndjson", "json", True), "m.quarantine.ndjson"),
        ("out/", None, Sink("out/", "parquet", False), "out.quarantine"),
        ("out", "json", Sink("out", "json", False), "out.quarantine"),
        ("m.csv", "json", Sink("m.csv", "json", True), "m.quarantine.csv"),
        ("s3a://b/m.csv", None, Sink("s3a://b/m.csv", "csv", False), "s3a://b/m.csv.quarantine"),
    ],
)
def test_paths_tell_formats(path: str, format: str | None, found: Sink, quarantine: str) -> None:
    assert sink(path, format) == found
    assert found.beside("quarantine").path == quarantine


@pytest.mark.parametrize(
    ("path", "format", "message"),
    [
        ("m.parqet", None, r"cannot tell the format of 'm.parqet'.* Did you mean '.parquet'\?"),
        ("m.xlsx", None, "use .parquet, .csv or .json"),
        ("m.csv", "cvs", r"unknown format 'cvs' of a table; .* Did you mean 'csv'\?"),
    ],
)
def test_formats_must_be_known(path: str, format: str | None, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        sink(path, format)


def test_a_folder_is_made(tmp_path: Path) -> None:
    check_sink(sink(tmp_path / "a/b/m.csv"), "elsewhere")
    assert (tmp_path / "a/b").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(SourceError, match=r"cannot make the folder .*file"):
        check_sink(sink(tmp_path / "file/m.csv"), "elsewhere")


def test_the_stream_is_not_overwritten(tmp_path: Path) -> None:
    stream = tmp_path / "stream"
    stream.mkdir()
    (tmp_path / "link").symlink_to(stream)
    for path in (stream, stream / "m.csv", tmp_path / "link" / "m.csv"):
        with pytest.raises(SourceError, match="is where the stream is read from"):
            check_sink(sink(path, overwrite=True), str(stream))


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(SourceError, match="permission denied"):
        check_sink(sink(tmp_path / "m.csv"), "elsewhere")


def contents(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", ["m.parquet", "m"])
def test_a_table_appears_when_it_is_published(spark: SparkSession, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for rows in (3, 5):
        with draft(sink(path, overwrite=True)) as made:
            made.write(spark.range(rows).coalesce(1))
            assert path.exists() == (rows == 5)
            made.publish()
        assert pq.read_table(path).num_rows == rows
        assert contents(tmp_path) == [name]
    with draft(sink(path, overwrite=True)) as made:
        made.write(spark.range(7).coalesce(1))
    assert pq.read_table(path).num_rows == 5, "what was not published changes nothing"
    assert contents(tmp_path) == [name]
    with draft(sink(path, overwrite=True)) as empty:
        empty.publish()
    assert contents(tmp_path) == [], "what an earlier run left does not pass for this one's"


def test_a_table_that_fails_leaves_nothing(spark: SparkSession, tmp_path: Path) -> None:
    broken = spark.range(3).select(F.raise_error(F.lit("broken")).cast("bigint").alias("x"))
    with pytest.raises(WorkerFailure, match="broken"), draft(sink(tmp_path / "m.csv")) as made:
        made.write(broken)
    assert contents(tmp_path) == []


def test_the_session_keeps_its_settings(spark: SparkSession, tmp_path: Path) -> None:
    key = "spark.sql.parquet.outputTimestampType"
    before = spark.conf.get(key)
    with draft(sink(tmp_path / "m.parquet")) as made:
        made.write(spark.sql("select timestamp'2013-01-01 00:00:00.000001' as at"))
        made.publish()
    assert spark.conf.get(key) == before
    assert str(pq.read_schema(tmp_path / "m.parquet").field("at").type) == "timestamp[us, tz=UTC]"
