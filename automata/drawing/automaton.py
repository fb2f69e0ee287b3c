"""One automaton as nodes and edges of a `graphviz` graph, in the paper's notation (SRT Fig. 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from graphviz import Digraph

from mnemata.automata.drawing import style
from mnemata.automata.drawing.appearance import Appearance, parents, state_names
from mnemata.automata.drawing.legend import Legend, drawing_order
from mnemata.automata.drawing.typesetting import (
    Html,
    coloured,
    in_order,
    joined,
    name,
    stacked,
    state_name,
    text,
)
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.terms import Register
from mnemata.theory.errors import LimitError

MOST_EDGES: Final = 5000
MOST_CAPTIONS: Final = 12
"""Transitions between the same two states whose guards are all written out."""

LONGEST_IN_CIRCLE: Final = 4


@dataclass(frozen=True, slots=True)
class Edge:
    """All transitions from one state to another; drawn as one arrow with several captions."""

    source: State
    target: State
    transitions: tuple[Transition, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """What a frame of a run adds: the current state and the contents of the registers."""

    state: State
    contents: Mapping[Register, Html] = field(default_factory=dict)


def edges(srt: SRT, appearance: Appearance, legend: Legend) -> list[Edge]:
    """The edges between the states that are shown, in order; `LimitError` when there are too many."""
    shown = set(appearance.shown(srt))
    kept = [t for t in srt.transitions if t.source in shown and t.target in shown]
    count = len({(t.source, t.target) for t in kept})
    if count > MOST_EDGES:
        raise LimitError(
            f"the automaton has {count:,} edges between {len(shown):,} states and a drawing takes at most "
            f"{MOST_EDGES:,}; trim it, or draw some of its states with states=..."
        )
    groups = groupby(drawing_order(kept, legend), key=lambda t: (t.source, t.target))
    return [Edge(source, target, tuple(group)) for (source, target), group in groups]


def add_automaton(
    graph: Digraph,
    srt: SRT,
    appearance: Appearance,
    legend: Legend,
    *,
    prefix: str = "",
    moment: Moment | None = None,
) -> None:
    """Add the states, transitions and registers of `srt` to a graph or cluster.

    `prefix` keeps the nodes of several automata in one picture apart.
    """
    drawn = edges(srt, appearance, legend)
    with graph.subgraph(name=f"cluster_{prefix}automaton") as body:
        body.attr(peripheries="0", margin="4")
        if registers := in_order(srt.registers):
            body.attr(label=bracketed(_registers(registers, moment)), labelloc="b", labeljust="c")
        elif prefix:
            # Or the cluster would inherit, and repeat, what stands under the automaton.
            body.attr(label="")
        _add_states(body, srt, appearance, prefix, moment)
        for edge in drawn:
            _add_edge(body, edge, appearance, legend, prefix)


def bracketed(label: Html) -> str:
    """A label as the `graphviz` library takes HTML; an empty label stays empty."""
    return f"<{label}>" if label else ""


def _add_states(graph: Digraph, srt: SRT, appearance: Appearance, prefix: str, moment: Moment | None) -> None:
    names = state_names(srt) | dict(appearance.names)
    shown = appearance.shown(srt)
    if srt.start in shown:
        _add_start(graph, srt.start, appearance, prefix)
    around = parents(appearance.clusters)
    smallest = {state: title for title in around for state in appearance.clusters[title]}

    def fill(box: Digraph, title: str | None) -> None:
        for state in shown:
            if smallest.get(state) == title:
                attributes = _state_attributes(names[state], state, srt, appearance, moment)
                box.node(f"{prefix}q{state}", **attributes)
        for number, inner in enumerate(appearance.clusters):
            if around[inner] == title:
                with box.subgraph(name=f"cluster_{prefix}{number}") as inside:
                    inside.attr(label=bracketed(text(inner)), labelloc="t", labeljust="l", **style.CLUSTER)
                    fill(inside, inner)

    fill(graph, None)


def _add_start(graph: Digraph, start: State, appearance: Appearance, prefix: str) -> None:
    """The arrow that points at the start state; it comes from nowhere."""
    graph.node(f"{prefix}start", "", shape="none", width="0.05", height="0.05", margin="0")
    colour = style.BLUE if start in appearance.new else style.BLACK
    graph.edge(f"{prefix}start", f"{prefix}q{start}", color=colour)


def _state_attributes(
    label: str, state: State, srt: SRT, appearance: Appearance, moment: Moment | None
) -> dict[str, str]:
    html = state_name(label)
    attributes: dict[str, str] = {}
    if len(label.replace("_", "").replace("{", "").replace("}", "")) > LONGEST_IN_CIRCLE:
        attributes |= {"shape": "box", "style": "rounded", "margin": "0.08,0.03"}
    if state in srt.finals:
        attributes["peripheries"] = "2"
    if moment is not None and moment.state == state:
        filled = "filled,rounded" if "style" in attributes else "filled"
        attributes |= {"style": filled, "fillcolor": style.DARK_GRAY, "fontcolor": "white"}
    elif state in appearance.new:
        attributes |= {"color": style.BLUE, "fontcolor": style.BLUE}
    return attributes | {"label": bracketed(html)}


def _add_edge(graph: Digraph, edge: Edge, appearance: Appearance, legend: Legend, prefix: str) -> None:
    colours = [_colour(transition, appearance) for transition in edge.transitions]
    attributes = {"label": bracketed(captions(edge, appearance, legend))}
    if style.RED in colours:
        attributes |= {"color": style.RED, "penwidth": "1.8"}
    elif set(colours) == {style.BLUE}:
        attributes["color"] = style.BLUE
    graph.edge(f"{prefix}q{edge.source}", f"{prefix}q{edge.target}", **attributes)


def captions(edge: Edge, appearance: Appearance, legend: Legend) -> Html:
    """The guards of an edge, one below the other."""
    lines = []
    for transition in edge.transitions:
        colour = _colour(transition, appearance)
        caption = legend.caption(transition)
        lines.append(caption if colour == style.BLACK else coloured(caption, colour))
    if len(lines) > MOST_CAPTIONS:
        hidden = len(lines) - MOST_CAPTIONS + 1
        lines[MOST_CAPTIONS - 1 :] = [text(f"{legend.notation.symbols['...']} and {hidden} more")]
    return stacked(lines)


def _colour(transition: Transition, appearance: Appearance) -> str:
    if transition in appearance.highlighted:
        return style.RED
    return style.BLUE if transition in appearance.new else style.BLACK


def _registers(registers: Iterable[Register], moment: Moment | None) -> Html:
    """Dashed boxes, side by side; in a run with their contents."""
    cells = []
    for register in registers:
        content = name(register)
        if moment is not None:
            content = Html(f"{content} = {moment.contents.get(register, '#')}")
        cells.append(Html(f'<td border="1" style="dashed" width="28">{content}</td>'))
    table = '<table border="0" cellborder="0" cellspacing="8" cellpadding="4">'
    return Html(f"{table}<tr>{joined(cells)}</tr></table>")
