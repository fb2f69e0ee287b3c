"""Streams along time with their matches."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import pyarrow as pa
import pytest
from matplotlib.axes import Axes

from mnemata.automata.drawing import DrawingError
from mnemata.automata.drawing.timeline import MOST_NUMBERED, Timeline, timeline
from mnemata.automata.engine.matches import Match

TABLE = pa.table(
    {
        "at": pa.array([0, 10, 20, 30, 40, 50], pa.timestamp("s")),
        "tail": ["A", "B", "A", None, "A", "A"],
        "delay": [1.0, 2.0, 5.0, 6.0, None, float("nan")],
        "kind": pa.array(["x", "y", "x", None, "z", "x"]).dictionary_encode(),
        "late": [False, True, True, False, None, True],
    }
)


def axes_of(plot: Timeline) -> Axes:
    (axes,) = plot.figure.axes
    return axes


def numbers(plot: Timeline) -> list[str]:
    return sorted(text.get_text() for text in axes_of(plot).texts if text.get_visible())


def test_a_match_is_connected_and_numbered_by_its_rows() -> None:
    plot = timeline(TABLE, Match((0, 2), ("A",)), time="at", value="delay", partition_by=["tail"])
    assert repr(plot) == "<Timeline: 1 match among 4 events>"
    assert numbers(plot) == ["0", "2"]
    assert axes_of(plot).get_title(loc="left") == "tail = A"
    connected = axes_of(plot).lines[3]
    assert list(connected.get_ydata()) == [1.0, 5.0]


@pytest.mark.parametrize("matches", [(0, 2), [0, 2], [(0, 2)], [Match((0, 2))], iter([Match((0, 2))])])
def test_ways_to_say_which_rows_match(matches: object) -> None:
    assert numbers(timeline(TABLE, matches, time="at", value="delay")) == ["0", "2"]  # type: ignore[arg-type]


def test_several_matches_and_missing_values() -> None:
    plot = timeline(TABLE, [(0, 2), (1, 4)], time="at", value="delay", title="two")
    assert numbers(plot) == ["0", "1", "2"]
    crosses = axes_of(plot).lines[2]
    assert len(crosses.get_xdata()) == 2
    assert axes_of(plot).get_title(loc="left") == "two"


@pytest.mark.parametrize(("value", "ticks"), [("kind", ["x", "y", "z"]), ("tail", ["A", "B"])])
def test_texts_have_heights(value: str, ticks: list[str]) -> None:
    plot = timeline(TABLE, (0, 2), time="at", value=value)
    assert [tick.get_text() for tick in axes_of(plot).get_yticklabels()] == ticks


def test_truth_values_numbers_and_dates_are_axes_too() -> None:
    for time in (pa.array([3, 5, 9]), pa.array([1.5, 2.5, 4.0]), pa.array([1, 2, 3], pa.date32())):
        table = pa.table({"t": time, "v": [True, False, True]})
        assert timeline(table, (0, 2), time="t", value="v").png().startswith(b"\x89PNG")


@pytest.mark.parametrize(("context", "low", "high"), [(0.5, -5, 15), (2.0, -20, 30), (0.0, -0.5, 10.5)])
def test_context_is_a_multiple_of_the_duration(context: float, low: float, high: float) -> None:
    table = pa.table({"t": [0, 10, 100], "v": [1, 2, 300]})
    rows = (0, 1)
    plot = timeline(table, rows, time="t", value="v", context=context)
    assert axes_of(plot).get_xlim() == (low, high)
    assert axes_of(plot).get_ylim()[1] < 3
    assert axes_of(timeline(table, rows, time="t", value="v", context=None)).get_xlim()[1] > 100


def test_a_match_of_one_event() -> None:
    assert numbers(timeline(TABLE, (2,), time="at", value="delay")) == ["2"]


def test_of_long_matches_the_ends_are_numbered() -> None:
    count = MOST_NUMBERED + 1
    table = pa.table({"t": list(range(count)), "v": list(range(count))})
    assert numbers(timeline(table, range(count), time="t", value="v")) == ["0", str(count - 1)]


def test_numbers_do_not_cover_each_other() -> None:
    table = pa.table({"t": [0, 1, 2, 1000, 2000], "v": [0, 0, 0, 0, 0]})
    assert numbers(timeline(table, range(5), time="t", value="v")) == ["0", "3", "4"]


@pytest.mark.parametrize(
    ("matches", "options", "message"),
    [
        ((), {}, "at least one match"),
        ([()], {}, "at least one match"),
        ((0, 9), {}, "marks row 9, but the table has rows 0 to 5"),
        ((-1,), {}, "marks row -1"),
        ((0, 1), {"partition_by": ["tail"]}, "row 1 is marked but belongs to another tail than row 0"),
        ((0, 2), {"value": "dely"}, "unknown column 'dely'.*Did you mean 'delay'"),
        ((0, 2), {"partition_by": ["nose"]}, "unknown column 'nose'"),
        ((0, 2), {"time": "tail"}, "column 'tail' is string; time is"),
        ((3, 4), {"time": "delay"}, "row 4 is marked but has no 'delay'"),
    ],
)
def test_what_cannot_be_plotted(matches: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(DrawingError, match=message):
        timeline(TABLE, matches, **{"time": "at", "value": "delay", **options})  # type: ignore[arg-type]


def test_same_bytes_again_in_every_format(tmp_path: Path) -> None:
    def made() -> Timeline:
        return timeline(TABLE, (0, 2), time="at", value="delay")

    for suffix, start in ((".png", b"\x89PNG\r\n\x1a\n"), (".svg", b"<?xml"), (".pdf", b"%PDF-")):
        pictures = [made().save(tmp_path / f"{i}{suffix}").read_bytes() for i in range(2)]
        assert pictures[0] == pictures[1]
        assert pictures[0].startswith(start)
        assert len(pictures[0]) > 5_000
    with pytest.raises(DrawingError, match=r"use \.pdf, \.png, \.svg"):
        made().save(tmp_path / "plot.dot")


def test_notebooks_show_svg_and_nothing_global_changes() -> None:
    before = dict(matplotlib.rcParams)
    bundle = timeline(TABLE, (0, 2), time="at", value="delay")._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<?xml")
    assert 'pt" viewBox="' in bundle["image/svg+xml"]
    assert bundle["text/plain"] == "<Timeline: 1 match among 6 events>"
    assert dict(matplotlib.rcParams) == before
