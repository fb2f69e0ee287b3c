"""The frames of a run (SRT Fig. 2, Example 25)."""

from __future__ import annotations

import re

import pytest

from mnemata.automata.drawing import DrawingError, draw, frames
from mnemata.automata.srt.runs import Run, accepting_runs, runs
from mnemata.automata.srt.transducer import SRT, Transition, epsilon
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.schema import Int64, Schema
from mnemata.theory.sremo.expressions import Output

RED = "#c1121f"
GRAY = "#4a4a4a"


def plain(dot: str) -> str:
    return re.sub(r"</?(?:i|b|sub|font[^>]*)>", "", dot)


def titles(dot: str) -> list[str]:
    return re.findall(r"&#91;(.*?)>", plain(dot))


def filled(dot: str) -> list[str]:
    """The states that are filled in dark gray, in the order of the text."""
    return re.findall(rf"(\w+) \[label=<.*> fillcolor=\"{GRAY}\"", dot)


def red_edges(dot: str) -> list[str]:
    return re.findall(rf"(\w+ -> \w+) \[label=<.*> color=\"{RED}\"", dot)


def test_one_frame_for_each_configuration_of_example_25(figure_1: SRT, example_25: Run) -> None:
    dots = [frame.dot for frame in frames(figure_1, example_25)]
    held = "(B, 1, 22, 300)"
    assert [titles(dot) for dot in dots] == [
        ["1, qs, #&#93;"],
        [f"2, q1, {held}&#93;"],
        [f"3, q1, {held}&#93;"],
        [f"4, q1, {held}&#93;"],
        [f"5, qf, {held}&#93; &#160; accepting, match {{1, 4}}"],
    ]
    assert [filled(dot) for dot in dots] == [["p1q0"], ["p1q1"], ["p1q1"], ["p1q1"], ["p1q2"]]
    steps = [[], ["p1q0 -> p1q1"], ["p1q1 -> p1q1"], ["p1q1 -> p1q1"], ["p1q1 -> p1q2"]]
    assert [red_edges(dot) for dot in dots] == steps


def test_registers_show_their_contents(figure_1: SRT, example_25: Run) -> None:
    first, second, *_ = (plain(frame.dot) for frame in frames(figure_1, example_25))
    assert 'style="dashed" width="28">r1 = #<' in first
    assert 'style="dashed" width="28">r1 = (B, 1, 22, 300)<' in second


def test_events_show_what_the_run_said_of_them(figure_1: SRT, example_25: Run) -> None:
    def said(dot: str) -> list[tuple[str, str]]:
        cells = re.findall(r">(\d): \([^<]*\)</td></tr><tr><td align=\"center\">(.*?)</td>", plain(dot))
        return [(number, symbol.replace("&#160;", "")) for number, symbol in cells]

    shown = [said(frame.dot) for frame in frames(figure_1, example_25)]
    outputs = ["•", "⊗", "⊗", "•"]
    for step, cells in enumerate(shown):
        assert cells == [(str(i + 1), outputs[i] if i < step else "") for i in range(4)]


def test_the_event_just_read_is_framed_in_red(figure_1: SRT, example_25: Run) -> None:
    framed = [
        re.findall(rf'<td border="2" color="{RED}".*?>(\d): ', plain(frame.dot))
        for frame in frames(figure_1, example_25)
    ]
    assert framed == [[], ["1"], ["2"], ["3"], ["4"]]


def test_all_frames_in_one_picture_from_top_to_bottom(figure_1: SRT, example_25: Run) -> None:
    picture = draw(example_25, srt=figure_1, title="Example <25>")
    assert repr(picture) == "<Drawing: a run of 5 configurations>"
    assert picture.dot.count("φ") == 0
    assert "Example &lt;25&gt;" in picture.dot
    # The first frame comes last in the text, because Graphviz stacks upwards.
    assert filled(picture.dot) == ["p5q2", "p4q1", "p3q1", "p2q1", "p1q0"]
    heights = [float(y) for y in re.findall(r'y="(-?[\d.]+)"[^>]*>\[\d, ', picture.svg())]
    numbers = re.findall(r">\[(\d), ", picture.svg())
    assert [n for _, n in sorted(zip(heights, numbers, strict=True))] == ["1", "2", "3", "4", "5"]


def test_frames_have_the_same_layout(figure_1: SRT, example_25: Run) -> None:
    def places(svg: str) -> set[str]:
        return set(re.findall(r'<ellipse [^>]*(cx="[^"]*") ', svg))

    assert len({frozenset(places(frame.svg())) for frame in frames(figure_1, example_25)}) == 1


def test_some_configurations_and_some_attributes(figure_1: SRT, example_25: Run) -> None:
    chosen = frames(figure_1, example_25, configurations=[5, 2], attributes=["price"])
    assert [titles(frame.dot) for frame in chosen] == [
        ["5, qf, (22)&#93; &#160; accepting, match {1, 4}"],
        ["2, q1, (22)&#93;"],
    ]
    with pytest.raises(DrawingError, match="configurations 1 to 5, not 6"):
        frames(figure_1, example_25, configurations=[6])


def test_symbols_of_frames_in_ascii(figure_1: SRT, example_25: Run) -> None:
    assert draw(example_25, srt=figure_1, ascii=True).dot.isascii()


def test_a_long_stream_shows_the_events_around() -> None:
    schema = Schema.of(n=Int64())
    loop = SRT(1, 0, frozenset({0}), (Transition(0, TOP, Output.SKIP, frozenset(), 0),))
    (run,) = accepting_runs(loop, schema.stream([(i,) for i in range(1, 21)]))
    (frame,) = frames(loop, run, configurations=[11])
    dot = plain(frame.dot)
    assert re.findall(r">(\d+): \(\d+\)<", dot) == [str(i) for i in range(7, 14)]
    assert dot.count(">…<") == 2


def test_runs_with_epsilon_transitions_several_registers_and_no_events() -> None:
    writes = frozenset({"r10", "r2"})
    srt = SRT(3, 0, frozenset({2}), (epsilon(0, 1), Transition(1, TOP, Output.MARK, writes, 2)))
    schema = Schema.of(n=Int64())
    (run,) = accepting_runs(srt, schema.stream([(7,)]))
    assert [titles(frame.dot)[0].split("&#93;")[0] for frame in frames(srt, run)] == [
        "1, qs, r2 = #, r10 = #",
        "1, q1, r2 = #, r10 = #",
        "2, qf, r2 = (7), r10 = (7)",
    ]
    (empty,) = runs(SRT(1, 0, frozenset({0}), ()), ())
    assert "match {}" in plain(draw(empty, srt=SRT(1, 0, frozenset({0}), ())).dot)


def test_without_registers_the_events_stand_under_each_frame_once() -> None:
    srt = SRT(2, 0, frozenset({1}), (Transition(0, TOP, Output.MARK, frozenset(), 1),))
    (run,) = accepting_runs(srt, Schema.of(x=Int64()).stream([(17,)]))
    assert draw(run, srt=srt).svg().count("1: (17)") == len(run.configurations)


def test_runs_of_another_automaton_are_refused(figure_1: SRT, example_25: Run) -> None:
    other = SRT(3, 0, frozenset({2}), (epsilon(0, 1),))
    with pytest.raises(DrawingError, match="which the automaton does not have"):
        draw(example_25, srt=other)
    with pytest.raises(DrawingError, match="name it with srt="):
        draw(example_25)
