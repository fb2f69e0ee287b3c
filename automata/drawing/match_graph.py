"""Compact complex event sets as pictures, and how evaluation makes them, step by step (CEL Fig. 7 and 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from graphviz import Digraph

from mnemata.automata.cea.automaton import CEA, State
from mnemata.automata.cea.compact_sets import BOTTOM, CompactSet, Node
from mnemata.automata.cea.evaluation import Evaluation, Table
from mnemata.automata.drawing import style
from mnemata.automata.drawing.automaton import bracketed
from mnemata.automata.drawing.composition import new_graph
from mnemata.automata.drawing.drawing import Drawing
from mnemata.automata.drawing.typesetting import Html, coloured, joined, paragraph, state_name, text
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Event

MOST_NODES: Final = 300
_DASHED: Final = {"style": "dashed", "constraint": "false", "arrowhead": "open"}
_BLUE: Final = {"color": style.BLUE}


def draw_compact_set(
    compact: CompactSet,
    table: Table | None = None,
    *,
    title: str = "",
    names: Mapping[State, str] | None = None,
    ascii: bool = False,
) -> Drawing:
    """Draw a compact complex event set.

    Nodes are named by their positions; a complex event is a path from a node to ``⊥``. The first and the last
    of the children of a node are at the ends of its solid arrows, of which there is one when they are the
    same; dashed arrows lead to what is next in a list.

    Parameters
    ----------
    compact : CompactSet
        What to draw.
    table : mapping from State to pair of Node, optional
        The lists of active states, in blue, as in Fig. 8.
    title : str
        Above the picture.
    names : mapping from State to str, optional
        Names of states; the others are named by number.
    ascii : bool
        Spell the symbols in ASCII.

    Raises
    ------
    LimitError
        When there are more than 300 nodes.
    """
    if len(compact) > MOST_NODES:
        raise LimitError(f"the set has {len(compact):,} nodes and a drawing takes at most {MOST_NODES:,}")
    graph = new_graph({"rankdir": "TB", "ranksep": "0.4"})
    if title:
        graph.attr(label=bracketed(paragraph(title)))
    for node in range(len(compact)):
        _add_node(graph, compact, node, "_|_" if ascii else "⊥")
    for state, (first, last) in sorted((table or {}).items()):
        label = (names or {}).get(state, f"q_{state}")
        caption = joined((text("T["), state_name(label), text("]")))
        graph.node(f"T{state}", bracketed(coloured(caption, style.BLUE)), shape="plain")
        _add_ends(graph, f"T{state}", first, last, _BLUE)
    lists = f", {len(table)} list{'' if len(table) == 1 else 's'}" if table is not None else ""
    described = f"{len(compact):,} node{'' if len(compact) == 1 else 's'}{lists}"
    return Drawing(graph.source, f"compact set of complex events with {described}")


def _add_node(graph: Digraph, compact: CompactSet, node: Node, bottom: str) -> None:
    label: Html = text(bottom if node == BOTTOM else str(compact.position(node)))
    graph.node(f"n{node}", bracketed(label), **({"shape": "plain"} if node == BOTTOM else {}))
    if node != BOTTOM:
        _add_ends(graph, f"n{node}", *compact.children(node), {})
    if compact.next[node] is not None:
        graph.edge(f"n{node}", f"n{compact.next[node]}", **_DASHED)


def _add_ends(graph: Digraph, source: str, first: Node, last: Node, look: Mapping[str, str]) -> None:
    """Arrows to the first and the last node of a list."""
    graph.edge(source, f"n{first}", **look)
    if first != last:
        graph.edge(source, f"n{last}", **look)


def draw_evaluation(
    cea: CEA,
    stream: Iterable[Event],
    *,
    names: Mapping[State, str] | None = None,
    ascii: bool = False,
) -> tuple[Drawing, ...]:
    """The compact set and the lists of active states after each event of a stream (Alg. 2, Fig. 8).

    `cea` is as for `mnemata.automata.cea.evaluation.Evaluation`; raises as that and `draw_compact_set` do.
    """
    running, found = Evaluation(cea), []
    for event in stream:
        running.read(event)
        title = f"S[{running.position - 1}]"
        picture = draw_compact_set(running.compact, running.table, title=title, names=names, ascii=ascii)
        found.append(picture)
    return tuple(found)
