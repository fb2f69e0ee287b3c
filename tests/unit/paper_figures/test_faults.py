"""Differences that faults make would be seen: what trials compare, without the commands."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mnemata.paper_figures.benchmarks.faults.damage import DAMAGES
from mnemata.paper_figures.benchmarks.faults.differences import Differences
from mnemata.paper_figures.benchmarks.faults.events import (
    DELAY,
    arrived,
    closing,
    late,
    random_events,
    shuffled,
    written,
)
from mnemata.paper_figures.benchmarks.faults.places import RUN, STREAM, Command, Place
from mnemata.paper_figures.benchmarks.faults.running import Running, alive, processes_of
from mnemata.paper_figures.benchmarks.faults.trials import different, left_behind


def event(kind: str, x: float, at: int | None) -> dict[str, Any]:
    return {"kind": kind, "key": 0, "x": x, "at": at}


def table(folder: Path, rows: list[dict[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "1.parquet")


MATCHES = [{"id": "a", "positions": [0, 1]}, {"id": "b", "positions": [0, 2]}]


@pytest.mark.parametrize(
    ("command", "there", "so_far", "in_the_end"),
    [
        (STREAM, [], (0, 0), (2, 0)),
        (STREAM, MATCHES[:1], (0, 0), (1, 0)),
        (RUN, [], (0, 0), (2, 0)),
        (RUN, MATCHES[:1], (1, 0), (1, 0)),
        (RUN, MATCHES, (0, 0), (0, 0)),
        (STREAM, [*MATCHES, MATCHES[0]], (0, 1), (0, 1)),
        (STREAM, [MATCHES[0], {"id": "b", "positions": [1, 2]}], (0, 1), (1, 1)),
    ],
)
def test_differences_are_counted(
    tmp_path: Path,
    command: Command,
    there: list[dict[str, Any]],
    so_far: tuple[int, int],
    in_the_end: tuple[int, int],
) -> None:
    whole, place = Place(tmp_path / "whole", command), Place(tmp_path / "place", command)
    table(whole.sink, MATCHES)
    if there:
        table(place.sink, there)
    assert left_behind(place, whole) == Differences(*so_far)
    assert different(place, whole) == Differences(*in_the_end)


def test_what_is_to_be_found(tmp_path: Path) -> None:
    place = Place(tmp_path)
    files = written(place.source, [event("A", 0.5, 30), event("B", 1.5, 35), late(), closing()], size=2)
    files[0].with_suffix(".z.parquet").write_bytes(b"no Parquet")
    assert [(one.row, one.event is None, one.late) for one in arrived(place.source, DELAY)] == [
        (0, False, False),
        (1, False, False),
        (2, True, False),
        (3, False, True),
        (4, False, False),
    ]
    right = {("match", (0, 1)): 1, ("bad", (2,)): 1, ("bad", (3,)): 1}
    assert place.truth() == right
    table(place.sink, [{"positions": [0, 1]}])
    table(tmp_path / "bad", [{"row": 2, "reason": ""}, {"row": 3, "reason": ""}])
    assert place.checked() == right
    table(place.sink, [{"positions": [0, 1]}] * 2)
    with pytest.raises(RuntimeError, match=r"finds what it should not, \[\('match', \(0, 1\)\)\]"):
        place.checked()


def test_a_run_knows_no_watermark(tmp_path: Path) -> None:
    place = Place(tmp_path, RUN)
    written(place.source, [event("B", 1.5, 2), event("A", 0.5, 1), event("A", 0.5, None)], size=1)
    assert place.truth() == {("match", (1, 0)): 1, ("bad", (2,)): 1}


def test_events_come_late_by_less_than_the_disorder() -> None:
    chance = random.Random(0)
    ordered = random_events(chance, 500, a_millisecond=1)
    coming = shuffled(ordered, 8, chance)
    assert coming != ordered
    assert sorted(coming, key=lambda one: one["at"]) == ordered
    newest = 0
    for one in coming:
        newest = max(newest, one["at"])
        assert one["at"] > newest - 8


def test_damaged_files_cannot_be_read(tmp_path: Path) -> None:
    for damage in DAMAGES:
        (file,) = written(tmp_path, random_events(random.Random(0), 60))
        damage.apply(file)
        assert [one.event for one in arrived(tmp_path, None)] == [None], damage.name


COUNTING = """\
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
for n in range(1000):
    print("batch", n, file=sys.stderr, flush=True)
    time.sleep(0.02)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to find processes in")
def test_a_command_is_killed_with_all_its_processes() -> None:
    with Running([sys.executable, "-c", COUNTING]) as running:
        assert running.wait_for("batch ", 2)
        heard = running.said.count("batch")
        assert running.wait_for("batch ", 3)
        assert running.said.count("batch") >= heard + 3
        (session,) = running.program
        processes = list(processes_of(session))
        assert len(processes) == 2
        running.kill()
        assert running.end() == -9
        running.end_of_all()
        assert not any(map(alive, processes))
        assert not running.wait_for("batch ")
