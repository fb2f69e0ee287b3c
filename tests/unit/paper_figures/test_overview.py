"""The experiments in one picture."""

from __future__ import annotations

from itertools import combinations

from mnemata.paper_figures.experiments.overview import OTHERS, PEERS, QUESTION, section_7
from mnemata.paper_figures.peers.outcomes import Outcome, Status, read_outcomes


def test_systems_are_where_they_were_measured() -> None:
    outcomes = [
        Outcome("esper", QUESTION, 1_000, Status.FINISHED, (2.0, 0.5), reached=1_000),
        Outcome("flink-cep", QUESTION, 1_000, Status.TIMEOUT, stopped=4.0, reached=100),
        Outcome("duckdb", "another", 1_000, Status.FINISHED, (1.0,)),
    ]
    (axes,) = section_7(outcomes=outcomes).figure.axes
    texts = [text.get_text() for text in axes.texts]
    assert texts[-2:] == ["Esper", "FlinkCEP"]
    assert any(text.startswith("Algorithm 1") and text.endswith("stopped") for text in texts)
    *_, esper, flink = axes.lines
    assert (esper.get_xdata()[0], esper.get_ydata()[0], esper.get_markerfacecolor()) == (0.5, 2_000, "black")
    assert (flink.get_xdata()[0], flink.get_ydata()[0], flink.get_markerfacecolor()) == (0.5, 25, "white")


def test_systems_that_are_close_have_one_line_of_names_the_fastest_first() -> None:
    seconds = {"esper": 1.0, "wayeb": 0.9, "duckdb": 0.5, "flink-cep": 20.0}
    outcomes = [Outcome(name, QUESTION, 1_000, Status.FINISHED, (s,)) for name, s in seconds.items()]
    texts = [text.get_text() for text in section_7(outcomes=outcomes).figure.axes[0].texts]
    assert texts[-2:] == ["DuckDB, Wayeb, Esper", "FlinkCEP"]


def test_all_names_are_inside_the_picture() -> None:
    figure = section_7().figure
    for text in figure.axes[0].texts:
        box = text.get_window_extent()
        assert 0 <= box.x0 <= box.x1 <= figure.bbox.width, text.get_text()


def test_no_names_touch() -> None:
    boxes = [text.get_window_extent() for text in section_7().figure.axes[0].texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_of_the_languages_of_a_system_the_fastest_is_drawn() -> None:
    outcomes = [
        Outcome("esper", QUESTION, 1_000, Status.FINISHED, (2.0,), reached=1_000),
        Outcome("esper-pattern", QUESTION, 1_000, Status.FINISHED, (0.5,), reached=1_000),
    ]
    (axes,) = section_7(outcomes=outcomes).figure.axes
    assert axes.lines[-1].get_ydata()[0] == 2_000
    assert [text.get_text() for text in axes.texts].count("Esper") == 1


def test_what_is_kept_has_the_systems() -> None:
    kept = {one.system: one for one in read_outcomes(PEERS) if one.question == QUESTION}
    assert all(kept[system].seconds for peer in OTHERS for system in peer.systems)


def test_the_same_bytes_each_time() -> None:
    assert section_7().svg() == section_7().svg()
