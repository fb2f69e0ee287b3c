"""Public data sets in their documented formats, by hand, become streams."""

from __future__ import annotations

import datetime
import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mnemata.pipeline.command import main
from mnemata.pipeline.datasets import originals
from mnemata.pipeline.datasets.arrivals import SMART_HOMES, TAXI_TRIPS
from mnemata.pipeline.datasets.originals import HOUSES, RIDES, convert
from mnemata.theory.errors import SourceError, StreamError

LOADS = """\
1,1377986401,68.451,0,11,0,0
2,1377986401,19.927,1,11,0,0
3,1377986402,,1,9,13,27
4,1377986402,12.5,2,9,13,27
5,1377986402,1e400,1,9,13,27
6,1377986402,12.5,1,9,13
7,1377986402,12.5,1,1000,13,27
seven,1377986402,12.5,1,9,13,27
8,,12.5,1,9,13,27

9,1377986403,0.0,1,0,0,39
"""
TRIPS = """\
VendorID,tpep_pickup_datetime,tpep_dropoff_datetime,passenger_count,trip_distance,RatecodeID,store_and_fwd_flag,\
PULocationID,DOLocationID,payment_type,fare_amount,extra,mta_tax,tip_amount,tolls_amount,improvement_surcharge,\
total_amount,congestion_surcharge,airport_fee
1,2022-01-01 00:35:40,2022-01-01 00:53:29,2.0,3.8,1.0,N,142,236,1,14.5,3.0,0.5,3.65,0.0,0.3,21.95,2.5,0.0
2,2022-01-01 00:33:43,2022-01-01 00:42:07,1.0,2.1,1.0,N,236,,1,8.0,0.5,0.5,4.0,0.0,0.3,13.3,0.0,0.0
2,,2022-01-01 00:42:07,1.0,2.1,1.0,N,236,42,1,8.0,0.5,0.5,4.0,0.0,0.3,13.3,0.0,0.0
2,2022-01-01 00:33:43,2022-01-01 00:42:07,1.0,far,1.0,N,236,42,1,8.0,0.5,0.5,4.0,0.0,0.3,13.3,0.0,0.0
"""


def events(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder).to_pylist()
    return rows


def seconds(moment: datetime.datetime) -> int:
    return int(moment.replace(tzinfo=moment.tzinfo or datetime.UTC).timestamp())


def test_loads_of_plugs(tmp_path: Path) -> None:
    (tmp_path / "sorted.csv.gz").write_bytes(gzip.compress(LOADS.encode()))
    (tmp_path / "out").mkdir()
    bad = tmp_path / "bad.parquet"
    found = convert(HOUSES, [str(tmp_path / "sorted.csv.gz")], tmp_path / "out", bad)
    rows = events(tmp_path / "out")
    plugs = [(r["type"], r["id"], r["value"], r["plug_id"], r["household_id"]) for r in rows]
    assert plugs == [
        ("WORK", 1, 68.451, 11, 0),
        ("LOAD", 2, 19.927, 11, 0),
        ("LOAD", 3, None, 27_013_009, 27_013),
        ("LOAD", 9, 0.0, 39_000_000, 39_000),
    ]
    assert [seconds(r["plug_time"]) for r in rows] == [1377986401, 1377986401, 1377986402, 1377986403]
    assert found == (4, {row["reason"]: 1 for row in pq.read_table(bad).to_pylist()})
    assert [tuple(row.values()) for row in pq.read_table(bad).to_pylist()] == [
        (3, "property is neither 0 (work) nor 1 (load)", None, "4,1377986402,12.5,2,9,13,27"),
        (4, "value is not a float64", "1e400", "5,1377986402,1e400,1,9,13,27"),
        (5, "not 7 cells as in the header", "6 cells", "6,1377986402,12.5,1,9,13"),
        (6, "plug_id is not below 1000", None, "7,1377986402,12.5,1,1000,13,27"),
        (7, "id is not an int64", "seven", "seven,1377986402,12.5,1,9,13,27"),
        (8, "timestamp is missing", None, "8,,12.5,1,9,13,27"),
        (9, "a blank line", None, ""),
    ]


def test_rides_in_text_are_sorted(tmp_path: Path) -> None:
    (tmp_path / "yellow_tripdata_2022-01.csv").write_text(TRIPS)
    (tmp_path / "out").mkdir()
    files = [str(tmp_path / "yellow_tripdata_2022-01.csv")]
    found = convert(RIDES, files, tmp_path / "out", tmp_path / "bad.parquet")
    assert found == (2, {"tpep_pickup_datetime is missing": 1, "trip_distance is not a float64": 1})
    early, late = events(tmp_path / "out")
    assert seconds(early["pickup_time"]) == 1640997223
    assert (early["id"], early["dropoff_zone"], early["duration"]) == (1, None, 504)
    del late["pickup_time"], late["dropoff_time"]
    assert late == {
        "type": "TRIP",
        "id": 0,
        "pickup_zone": "zone 142",
        "dropoff_zone": "zone 236",
        "duration": 1069,
        "distance": 3.8,
        "fare": 14.5,
        "tip": 3.65,
        "total": 21.95,
    }


def trips(path: Path, **columns: pa.Array[Any]) -> str:
    start, end = (datetime.datetime(2022, 1, 1, 0, minute) for minute in (1, 9))
    table = {
        "tpep_pickup_datetime": pa.array([start, None], pa.timestamp("us")),
        "tpep_dropoff_datetime": pa.array([end, end], pa.timestamp("us")),
        "PULocationID": pa.array([132, 1], pa.int32()),
        "DOLocationID": pa.array([264.0, None], pa.float64()),
        **{name: pa.array([1.5, 2.5]) for name in RIDES.fields[4:]},
    } | columns
    pq.write_table(pa.table(table), path)
    return str(path)


def test_rides_in_parquet(tmp_path: Path) -> None:
    file = trips(tmp_path / "yellow.parquet")
    (tmp_path / "out").mkdir()
    found = convert(RIDES, [file, file], tmp_path / "out", tmp_path / "bad.parquet")
    assert found == (2, {"tpep_pickup_datetime is missing": 2})
    rows = events(tmp_path / "out")
    shown = [(r["id"], r["pickup_zone"], r["dropoff_zone"], r["duration"]) for r in rows]
    assert shown == [(0, "zone 132", "zone 264", 480), (2, "zone 132", "zone 264", 480)]
    bad = pq.read_table(tmp_path / "bad.parquet").to_pylist()
    assert [row["row"] for row in bad] == [1, 3]
    assert '"PULocationID": 1' in bad[0]["raw"]


@pytest.mark.parametrize("source", [SMART_HOMES, TAXI_TRIPS])
def test_columns_are_those_of_generated_streams(tmp_path: Path, source: Any) -> None:
    original = HOUSES if source is SMART_HOMES else RIDES
    (tmp_path / "a.csv").write_text(LOADS if original is HOUSES else TRIPS)
    (tmp_path / "out").mkdir()
    convert(original, [str(tmp_path / "a.csv")], tmp_path / "out", tmp_path / "bad.parquet")
    assert pq.read_table(tmp_path / "out").column_names == source.table(1).column_names
    assert original.schema == source.schema


def test_files_have_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(originals, "ROWS_OF_A_FILE", 4)
    monkeypatch.setattr(originals, "ROWS_AT_ONCE", 3)
    (tmp_path / "a.csv").write_text("".join(f"{n},{n},1.0,1,1,1,1\n" for n in range(10)))
    (tmp_path / "out").mkdir()
    found = convert(HOUSES, [str(tmp_path / "a.csv")], tmp_path / "out", tmp_path / "bad.parquet")
    assert found.events == 10
    sizes = {file.name: pq.read_metadata(file).num_rows for file in (tmp_path / "out").iterdir()}
    assert sizes == {"part-000000.parquet": 4, "part-000001.parquet": 4, "part-000002.parquet": 2}
    assert [row["id"] for row in events(tmp_path / "out")] == list(range(10))


def test_what_is_wrong_with_files(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    late = tmp_path / "late.csv"
    late.write_text("1,20,1.0,1,1,1,1\n2,19,1.0,1,1,1,1\n")
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    header = tmp_path / "old.csv"
    header.write_text("vendor_id,pickup_datetime\n")
    lacking = trips(tmp_path / "green.parquet")
    pq.write_table(
        pq.read_table(lacking).rename_columns({"tpep_pickup_datetime": "lpep_pickup_datetime"}), lacking
    )
    for original, file, kind, said in (
        (
            HOUSES,
            late,
            StreamError,
            "event 2 is out of order: its 'plug_time' is before that of the event before",
        ),
        (RIDES, empty, SourceError, "is empty: it should begin with a header"),
        (RIDES, header, SourceError, "has no column 'tpep_pickup_datetime'; it has vendor_id"),
        (
            RIDES,
            lacking,
            SourceError,
            "has no column 'tpep_pickup_datetime'.*Did you mean 'lpep_pickup_datetime'",
        ),
        (HOUSES, lacking, SourceError, "is not one of the original files, which are CSV"),
    ):
        with pytest.raises(kind, match=said):
            convert(original, [str(file)], tmp_path / "out", tmp_path / "bad.parquet")


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sorted.csv").write_text(LOADS)
    with pytest.raises(SystemExit) as end:
        main(["convert", "homes", "sorted.csv", "homes"])
    assert not end.value.code
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "wrote homes: 4 events"
    assert "left out 1 x value is not a float64" in said
    assert said[-1] == "these rows are kept in homes.quarantine.parquet"
    assert sorted(path.name for path in Path().iterdir()) == [
        "homes",
        "homes.quarantine.parquet",
        "sorted.csv",
    ]
    with pytest.raises(SystemExit) as end:
        main(["convert", "homes", "sorted.csv", "homes"])
    assert end.value.code == 6
    assert "'homes' is there already" in capsys.readouterr().err
