"""Whole pictures: one automaton, or several with titles, under one legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from graphviz import Digraph

from mnemata.automata.drawing import style
from mnemata.automata.drawing.appearance import Appearance
from mnemata.automata.drawing.automaton import Edge, Moment, add_automaton, bracketed, edges
from mnemata.automata.drawing.drawing import Drawing
from mnemata.automata.drawing.errors import DrawingError
from mnemata.automata.drawing.layered import last_states, positions
from mnemata.automata.drawing.legend import Legend, Notation
from mnemata.automata.drawing.typesetting import NOTHING, Html, joined, stacked, state_name, text
from mnemata.automata.srt.transducer import SRT
from mnemata.theory.errors import LimitError

MOST_CAREFUL: Final = 150
"""Edges for which the tidiest layout is found soon enough."""

MOST_IN_DETAIL: Final = 1000
"""Edges up to which guards are drawn at all."""

MOST_TOGETHER: Final = 600
"""Edges that several automata in one picture may have in total."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One automaton of a picture.

    Parameters
    ----------
    srt : SRT
        The automaton.
    title : Html
        Above it.
    appearance : Appearance
        What to emphasise.
    moment : Moment, optional
        The state and registers of a run.
    below : Html
        Under it.
    """

    srt: SRT
    title: Html = NOTHING
    appearance: Appearance = field(default_factory=Appearance)
    moment: Moment | None = None
    below: Html = NOTHING


def single(panel: Panel, notation: Notation) -> Drawing:
    """A picture of one automaton; a large one gets a hurried layout, a very large one a plain layout."""
    panel.appearance.check(panel.srt)
    legend = Legend(panel.srt.registers, notation)
    drawn = edges(panel.srt, panel.appearance, legend)
    description = describe(panel.srt)
    if len(drawn) > MOST_IN_DETAIL:
        return Drawing(_plain(panel, drawn, notation), description)
    graph = new_graph(style.HURRIED if len(drawn) > MOST_CAREFUL else {})
    _add_panel_body(graph, panel, legend, "")
    add_heading(graph, panel.title, legend)
    simplified = _plain(panel, drawn, notation) if len(drawn) > MOST_CAREFUL else None
    return Drawing(graph.source, description, simplified)


def together(
    panels: Sequence[Panel],
    notation: Notation,
    *,
    title: Html = NOTHING,
    direction: Literal["down", "right"] = "down",
    description: str = "",
) -> Drawing:
    """Several automata in one picture, each in a box, with one legend."""
    if direction not in ("down", "right"):
        raise DrawingError(f"a picture grows 'down' or 'right', got {direction!r}")
    legend = Legend(frozenset(r for panel in panels for r in panel.srt.registers), notation)
    _check_together(panels, legend)
    graph = new_graph({})
    # Legend entries are numbered from the first panel on, but Graphviz stacks clusters upwards.
    boxes = [_box(number, panel, legend) for number, panel in enumerate(panels, start=1)]
    for box in boxes if direction == "right" else reversed(boxes):
        graph.subgraph(box)
    if direction == "right":
        _add_order(graph, panels, legend)
    add_heading(graph, title, legend)
    return Drawing(graph.source, description)


def describe(srt: SRT) -> str:
    """The size of an automaton in words."""
    counts = (
        (srt.size, "state"),
        (len(srt.transitions), "transition"),
        (len(srt.registers), "register"),
    )
    return "SRT with " + ", ".join(f"{n:,} {noun}{'' if n == 1 else 's'}" for n, noun in counts)


def new_graph(more: Mapping[str, str]) -> Digraph:
    """An empty picture in the one look of all drawings."""
    return Digraph(graph_attr={**style.GRAPH, **more}, node_attr=dict(style.NODE), edge_attr=dict(style.EDGE))


def _add_panel_body(graph: Digraph, panel: Panel, legend: Legend, prefix: str) -> None:
    add_automaton(graph, panel.srt, panel.appearance, legend, prefix=prefix, moment=panel.moment)


def _box(number: int, panel: Panel, legend: Legend) -> Digraph:
    panel.appearance.check(panel.srt)
    box = Digraph(name=f"cluster_p{number}")
    box.attr(label=bracketed(panel.title), labelloc="t", labeljust="l", **style.PANEL)
    with box.subgraph(name=f"cluster_p{number}below") as inner:
        inner.attr(label=bracketed(panel.below), labelloc="b", labeljust="c", peripheries="0")
        _add_panel_body(inner, panel, legend, f"p{number}")
    return box


def _add_order(graph: Digraph, panels: Sequence[Panel], legend: Legend) -> None:
    """Invisible edges from the last states of one panel to the next, which so lies to its right."""
    for number, panel in enumerate(panels[:-1], start=1):
        shown = panel.appearance.shown(panel.srt)
        links = [(edge.source, edge.target) for edge in edges(panel.srt, panel.appearance, legend)]
        for state in last_states(panel.srt.start, shown, links):
            graph.edge(f"p{number}q{state}", f"p{number + 1}start", style="invis")


def add_heading(graph: Digraph, title: Html, legend: Legend) -> None:
    """Title and legend; last, because clusters that come later would inherit them."""
    # Where the title is wider, its many columns take the room that would else stretch the legend.
    rows = [
        Html(f'<tr><td align="left" balign="left"{span}>{part}</td></tr>')
        for part, span in ((title, ' colspan="60"'), (legend.table(), ""))
        if part
    ]
    if rows:
        table = '<table border="0" cellborder="0" cellspacing="0" cellpadding="3">'
        graph.attr(label=bracketed(Html(f"{table}{joined(rows)}</table>")))


def _check_together(panels: Sequence[Panel], legend: Legend) -> None:
    if not panels:
        raise DrawingError("a picture needs at least one automaton")
    count = sum(len(edges(panel.srt, panel.appearance, legend)) for panel in panels)
    if count > MOST_TOGETHER:
        raise LimitError(
            f"{len(panels)} automata with {count:,} edges do not fit in one picture of at most "
            f"{MOST_TOGETHER:,}; draw fewer of them at a time"
        )


def _plain(panel: Panel, drawn: Sequence[Edge], notation: Notation) -> str:
    """States in columns, arrows without guards; the layout is ours, so Graphviz only draws it."""
    graph = new_graph({"layout": "nop", "splines": "line"})
    srt, appearance = panel.srt, panel.appearance
    shown = appearance.shown(srt)
    places = positions(srt.start, shown, [(edge.source, edge.target) for edge in drawn])
    for state in shown:
        x, y = places[state]
        finals = {"peripheries": "2"} if state in srt.finals else {}
        label = bracketed(state_name(appearance.names.get(state, str(state))))
        graph.node(f"q{state}", label, pos=f"{x},{y}", **finals)
    if srt.start in places:
        graph.node("start", "", shape="none", width="0.05", height="0.05", pos=f"-50,{places[srt.start][1]}")
        graph.edge("start", f"q{srt.start}")
    for edge in drawn:
        red = any(transition in appearance.highlighted for transition in edge.transitions)
        graph.edge(f"q{edge.source}", f"q{edge.target}", color=style.RED if red else style.FAINT)
    note = text(f"{describe(srt)}; too many to write out the guards")
    heading = stacked([panel.title, note], "left") if panel.title else note
    add_heading(graph, heading, Legend((), notation))
    return str(graph.source)
