"""The experiments of SRT Section 7: the points, the systems, what is kept, and how it is drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mnemata.automata.engine.recognition import recognise
from mnemata.paper_figures.benchmarks import streams
from mnemata.paper_figures.benchmarks.patterns import nested_terms, repeated
from mnemata.paper_figures.experiments import figures, measuring
from mnemata.paper_figures.experiments.measurements import Measured, Measurement
from mnemata.paper_figures.experiments.measuring import Effort
from mnemata.paper_figures.experiments.points import DATA, Point, points
from mnemata.paper_figures.experiments.systems import SYSTEMS, Progress
from mnemata.theory.conditions.building import head, register
from mnemata.theory.errors import SourceError
from mnemata.theory.sremo.expressions import Pattern, mark, skip_till_any

MEASURED = Measured(
    (
        Measurement("stock ticks", "seq3", "", 3, 500, "count", 1000, 1e-5, "7", 10**8, 2 * 10**8, False),
        Measurement("stock ticks", "seq3", "", 3, 500, "Algorithm 1", 40, 2.0, None, 10**8, 10**8, True),
        Measurement("stock ticks", "seq6", "", 6, 500, "count", 1000, 2e-5, str(2**100), 10**8, 10**8, False),
    ),
    "a machine",
    "2026-01-01T00:00+00:00",
)


def test_lengths_and_windows_are_those_of_the_paper() -> None:
    assert Counter((p.source.name, p.length) for p in points(6)) == {
        (data.source.name, length): 1 for data in DATA for length in (3, 6, 9, 12)
    }
    assert {(p.source.name, p.window) for p in points(8)} == {
        ("stock ticks", 500),
        ("smart homes", 5),
        ("taxi trips", 100),
    }
    assert {p.length for p in points(9)} == {4, 8, 12, 16}
    assert {(p.pattern.name, p.window) for p in points(10)} == {(f"q{n}", 1_000) for n in range(1, 6)}


def test_points_have_different_names_within_a_figure() -> None:
    for figure in (6, 7, 8, 9, 10):
        assert max(Counter(point.name for point in points(figure)).values()) == 1


def test_what_the_published_engine_compiled_has_the_published_frequency(stock_stream_path: Path) -> None:
    ticks = streams.read_ticks(stock_stream_path)
    compiled = {p.window: p.pattern for p in points(9) if p.pattern.name == "compiled kn4"}
    counts = [recognise(compiled[w], ticks, schema=DATA[0].source.schema).count() for w in (500, 1_000)]
    assert counts == [9_630, 20_525]  # ERRATA E1
    assert counts[0] / ticks.num_rows == pytest.approx(0.0429, abs=5e-5)


def test_what_the_suite_means_by_nested_iterations(stock_stream_path: Path) -> None:
    """Rounds of an inner iteration and an event, or no round; the engine kept the inner iteration."""
    ticks, schema = streams.read_ticks(stock_stream_path), DATA[0].source.schema
    held = register("r", schema)
    [(first, inner, outer, last)] = nested_terms(4)
    begin, end = mark(first, held), mark(last & (head(schema).price < held.price))
    rounds = repeated(skip_till_any(repeated(mark(inner)), mark(outer)))
    meant = skip_till_any(begin, rounds, end) | skip_till_any(begin, end)
    found = [recognise(Pattern(meant.within(ms=w)), ticks, schema=schema).count() for w in (500, 1_000)]
    assert found == [8_362, 15_543]  # ERRATA E1


def small(point: Point) -> pa.Table:
    return point.source.table(3_000)


@pytest.mark.parametrize("point", [*points(6)[::4], *points(8)[::4], *points(10)], ids=lambda p: p.name)
def test_systems_find_as_many_matches(point: Point) -> None:
    found = {}
    for name, system in SYSTEMS.items():
        progress = Progress()
        system(point, small(point), progress)
        assert progress.events == 3_000
        assert progress.seconds > 0
        found[name] = progress.matches
    assert found.pop("detect") is None
    assert len(set(found.values())) == 1


def test_a_system_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    number = 4
    point = points(6)[number]
    table, stream = point.source.table(5_000), tmp_path / "homes.arrow"
    measuring._write(table, stream)
    rows = measuring.run(6, number, ("count", "detect", "enumerate"), stream, Effort(rounds=2))
    expected = recognise(point.pattern, table, schema=point.source.schema).count()
    assert [(row.system, row.matches) for row in rows] == [
        ("count", str(expected)),
        ("detect", None),
        ("enumerate", str(expected)),
    ]
    for row in rows:
        assert (row.data, row.pattern, row.events, row.stopped) == ("smart homes", "seq3", 5_000, False)
        assert 0 < row.loaded <= row.peak


def test_what_takes_too_long_is_stopped(tmp_path: Path) -> None:
    stream = tmp_path / "homes.arrow"
    measuring._write(points(6)[4].source.table(200_000), stream)
    (row,) = measuring.run(6, 4, ("Algorithm 1",), stream, Effort(seconds=0.0))
    assert row.stopped
    assert row.matches is None
    assert row.events < 200_000


def test_measurements_are_kept_with_the_machine(tmp_path: Path) -> None:
    path = MEASURED.save(tmp_path / "folder" / "m.parquet")
    assert Measured.load(path) == MEASURED
    assert MEASURED.rows[0].throughput == pytest.approx(1e8)
    assert MEASURED.rows[0].grown == 10**8


def test_what_holds_no_measurements_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot read the measurements in"):
        Measured.load(tmp_path / "none.parquet")
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"a": [1]}), other)
    with pytest.raises(SourceError, match="does not hold measurements; make them anew with --measure"):
        Measured.load(other)


@pytest.mark.parametrize("figure", [6, 7, 8, 9, 10])
def test_measurements_become_a_plot_and_a_table(figure: int) -> None:
    plot, tables = getattr(figures, f"figure_{figure}")(MEASURED)
    assert plot.svg().startswith("<?xml")
    assert plot.svg() == plot.svg()
    *laws, table = tables.tables
    assert [law.title for law in laws] == ([] if figure == 10 else ["Growth"])
    assert table.rows[0][-2:] == ("100.0 million", "100")
    assert table.rows[1][4] == "40 (stopped)"
    assert table.rows[2][5] == "2^100.00"


def test_an_experiment_is_measured_drawn_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def measured(figure: int, effort: Effort, tell: measuring.Tell) -> Measured:
        asked.append((figure, effort))
        tell("measuring")
        return replace(MEASURED, made="now")

    monkeypatch.setattr(figures, "measure", measured)
    (one,) = (one for one in figures.EXPERIMENTS if one.id == "srt-figure-7")
    said: list[str] = []
    files = one.measured(tmp_path, ("svg",), said.append)
    assert [path.name for path in files] == [
        "srt-figure-7.svg",
        "srt-figure-7.md",
        "srt-figure-7.tex",
        "srt-figure-7.parquet",
    ]
    assert "Made now. a machine" in files[1].read_text(encoding="utf-8")
    assert asked == [(7, Effort())]
    assert said == ["measuring"]
