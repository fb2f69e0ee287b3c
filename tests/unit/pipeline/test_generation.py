"""Generated streams as folders of files."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mnemata.pipeline.command import main
from mnemata.pipeline.datasets.arrivals import CHUNK, SOURCES, STOCK_TICKS, Source
from mnemata.pipeline.datasets.generation import Generation
from mnemata.pipeline.progress import Watch, reporter
from mnemata.pipeline.sinks import sink
from mnemata.pipeline.sources import SourceOptions, open_stream

EVENTS = 2 * CHUNK + 1000


def written(spark: SparkSession, path: Path, source: Source, seed: int = 0, per_file: int = 1) -> list[Path]:
    with Watch(reporter(quiet=True)) as watch:
        Generation(source, EVENTS, seed, per_file).write(spark, sink(path), watch)
    return sorted(path.iterdir())


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_workers_make_the_stream_that_one_process_makes(
    spark: SparkSession, tmp_path: Path, source: Source
) -> None:
    files = written(spark, tmp_path / "stream", source)
    assert [file.name for file in files] == [f"part-{number:06d}.parquet" for number in range(3)]
    found = pa.concat_tables(map(pq.read_table, files))
    expected = source.table(EVENTS, seed=0)
    for name in expected.column_names:
        values = expected.column(name)
        if pa.types.is_dictionary(values.type):
            values = values.cast(pa.string())
        assert found.column(name).cast(values.type).equals(values), name


def test_the_same_bytes_each_time_and_others_for_another_seed(spark: SparkSession, tmp_path: Path) -> None:
    one, same, other = (
        [file.read_bytes() for file in written(spark, tmp_path / name, STOCK_TICKS, seed, per_file=2)]
        for name, seed in (("one", 7), ("same", 7), ("other", 8))
    )
    assert one == same
    assert all(ours != theirs for ours, theirs in zip(one, other, strict=True))


def test_they_are_streams(spark: SparkSession, tmp_path: Path) -> None:
    written(spark, tmp_path / "ticks", STOCK_TICKS)
    stream = open_stream(spark, str(tmp_path / "ticks"), SourceOptions(time="stock_time", event_type="type"))
    assert stream.groups is not None
    assert stream.groups.rows == EVENTS


@pytest.mark.parametrize("output", ["ticks.parquet", "ticks.csv", "s3://bucket/ticks"])
def test_they_are_folders_on_this_machine(
    output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["generate", "stocks", output])
    assert ended.value.code == 6
    assert "is no folder on this machine" in capsys.readouterr().err


def test_what_is_there_is_not_replaced_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ticks").mkdir()
    with pytest.raises(SystemExit) as ended:
        main(["generate", "stocks", str(tmp_path / "ticks")])
    assert ended.value.code == 6
    assert "is there already" in capsys.readouterr().err
