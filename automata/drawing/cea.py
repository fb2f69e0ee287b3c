"""Complex event automata in the notation of their paper: ``P / L`` on the edges (CEL Fig. 4, 5, 8)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from graphviz import Digraph

from mnemata.automata.cea.automaton import CEA, Labels, State, Transition
from mnemata.automata.constructions.cea.normal_form import BULLET
from mnemata.automata.drawing import style
from mnemata.automata.drawing.automaton import LONGEST_IN_CIRCLE, MOST_CAPTIONS, bracketed
from mnemata.automata.drawing.composition import MOST_CAREFUL, MOST_IN_DETAIL, add_heading, new_graph
from mnemata.automata.drawing.drawing import Drawing
from mnemata.automata.drawing.errors import DrawingError
from mnemata.automata.drawing.legend import LONGEST_GUARD, Legend, Notation
from mnemata.automata.drawing.typesetting import (
    Html,
    coloured,
    in_order,
    joined,
    name,
    paragraph,
    stacked,
    state_name,
    text,
)
from mnemata.theory.errors import LimitError

_PAPER: Final = {"empty": "∅", "marked": "•", "unmarked": "∘"}
_ASCII: Final = {"empty": "{}", "marked": "*", "unmarked": "o"}


def draw_cea(
    cea: CEA,
    *,
    title: str = "",
    names: Mapping[State, str] | None = None,
    highlighted: Collection[Transition] = (),
    ascii: bool = False,
    longest: int = LONGEST_GUARD,
) -> Drawing:
    """Draw a complex event automaton.

    A transition says ``P / L``: its predicate, and the variables that mark the event. In an automaton whose
    one variable is that of `normal_form`, it says ``P / •`` or ``P / ∘`` instead (Section 9.2). Arrows from
    nowhere point at the initial states, final ones have a double line.

    Parameters
    ----------
    cea : CEA
        What to draw.
    title : str
        Above the picture.
    names : mapping from State to str, optional
        Names of states; the others are named by number.
    highlighted : collection of Transition
        Drawn in red, such as those of a run.
    ascii : bool
        Spell the symbols in ASCII.
    longest : int
        Characters; longer predicates are named ``φ1(~)`` and defined in a legend.

    Raises
    ------
    DrawingError
        `names` or `highlighted` do not fit the automaton.
    LimitError
        More than 1000 pairs of states are joined by transitions.

    Examples
    --------
    >>> from mnemata.theory.conditions.formulas import TOP
    >>> draw_cea(CEA(2, (Transition(0, TOP, frozenset({"A"}), 1),), {0}, {1}))
    <Drawing: CEA with 2 states, 1 transition, 1 variable>
    """
    legend = Legend((), Notation(ascii, longest=longest))
    canvas = _Canvas(cea, dict(names or {}), frozenset(highlighted), legend)
    canvas.check()
    arrows = list(canvas.arrows())
    if len(arrows) > MOST_IN_DETAIL:
        raise LimitError(
            f"the automaton has {len(arrows):,} edges and a drawing takes at most {MOST_IN_DETAIL:,}; trim it"
        )
    graph = new_graph(style.HURRIED if len(arrows) > MOST_CAREFUL else {})
    canvas.add_states(graph)
    for transitions in arrows:
        canvas.add_arrow(graph, transitions)
    add_heading(graph, paragraph(title), canvas.legend)
    return Drawing(graph.source, describe(cea))


def describe(cea: CEA) -> str:
    """The size of an automaton in words."""
    counts = ((cea.size, "state"), (len(cea.transitions), "transition"), (len(cea.variables), "variable"))
    return "CEA with " + ", ".join(f"{n:,} {noun}{'' if n == 1 else 's'}" for n, noun in counts)


@dataclass(frozen=True, slots=True)
class _Canvas:
    cea: CEA
    names: Mapping[State, str]
    highlighted: frozenset[Transition]
    legend: Legend

    def check(self) -> None:
        """Raise `DrawingError` for what the automaton does not have."""
        for state in self.names:
            if state not in self.cea.states:
                known = f"0 to {self.cea.size - 1}" if self.cea.size else "none"
                raise DrawingError(f"{state!r} is not a state of the automaton; its states are {known}")
        for transition in self.highlighted - set(self.cea.transitions):
            raise DrawingError(f"{transition!r} is not a transition of the automaton")

    def add_states(self, graph: Digraph) -> None:
        """The states in order, with arrows to the initial ones."""
        for state in self.cea.states:
            label = self.names.get(state, f"q_{state}")
            attributes = {"peripheries": "2"} if state in self.cea.finals else {}
            if len(label.replace("_", "").replace("{", "").replace("}", "")) > LONGEST_IN_CIRCLE:
                attributes |= {"shape": "box", "style": "rounded", "margin": "0.08,0.03"}
            graph.node(f"q{state}", bracketed(state_name(label)), **attributes)
        for state in sorted(self.cea.initials):
            graph.node(f"start{state}", "", shape="none", width="0.05", height="0.05", margin="0")
            graph.edge(f"start{state}", f"q{state}")

    def arrows(self) -> Iterator[tuple[Transition, ...]]:
        """The transitions from one state to another together, in an order that depends on them alone."""

        def key(t: Transition) -> tuple[object, ...]:
            return (t.source, t.target, self.legend.printed(t.predicate), sorted(t.labels))

        ordered = sorted(self.cea.transitions, key=key)
        for _, together in groupby(ordered, key=lambda t: (t.source, t.target)):
            yield tuple(together)

    def add_arrow(self, graph: Digraph, transitions: tuple[Transition, ...]) -> None:
        """One arrow with its captions, one below the other."""
        lines = [self.caption(t) for t in transitions]
        if len(lines) > MOST_CAPTIONS:
            hidden = len(lines) - MOST_CAPTIONS + 1
            lines[MOST_CAPTIONS - 1 :] = [text(f"{self.legend.notation.symbols['...']} and {hidden} more")]
        chosen = any(t in self.highlighted for t in transitions)
        attributes = {"color": style.RED, "penwidth": "1.8"} if chosen else {}
        ends = f"q{transitions[0].source}", f"q{transitions[0].target}"
        graph.edge(*ends, bracketed(stacked(lines)), **attributes)

    def caption(self, transition: Transition) -> Html:
        """``P / L``."""
        parts = (self.legend.guard(transition.predicate), text("/"), self.labels(transition.labels))
        caption = joined(parts, " ")
        return coloured(caption, style.RED) if transition in self.highlighted else caption

    def labels(self, labels: Labels) -> Html:
        """The variables as a set, or whether the event is marked at all."""
        symbols = _ASCII if self.legend.notation.ascii else _PAPER
        if self.cea.variables == {BULLET}:
            return Html(f"<b>{symbols['marked']}</b>") if labels else text(symbols["unmarked"])
        if not labels:
            return text(symbols["empty"])
        return Html(f"{{{joined(map(name, in_order(labels)), ', ')}}}")
