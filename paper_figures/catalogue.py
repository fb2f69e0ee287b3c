"""All figures and tables of the three papers, each with what makes it and how it agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from mnemata.paper_figures.cel import automata as cea
from mnemata.paper_figures.cel import compact_sets, containments, operators
from mnemata.paper_figures.cel import sensors as cel_sensors
from mnemata.paper_figures.experiments import overview
from mnemata.paper_figures.experiments.figures import EXPERIMENTS
from mnemata.paper_figures.peers import table_3
from mnemata.paper_figures.reproductions import Product, Reproduction
from mnemata.paper_figures.rma import automata as rma
from mnemata.paper_figures.rma import sensors as rma_sensors
from mnemata.paper_figures.srt import automata as srt
from mnemata.paper_figures.srt import construction, notation, streams
from mnemata.proofs.results import Paper
from mnemata.theory.errors import UnknownFigureError, suggestion

_Entry: TypeAlias = tuple[str, Callable[[], Product], str, str]
"""A number, what makes it, a title, and how it agrees."""

_SRT: Final[tuple[_Entry, ...]] = (
    (
        "Table 1",
        streams.table_1,
        "a stream, and expression (2) over it",
        "The same. Its strings match as in Ex. 19.",
    ),
    ("Table 2", notation.table_2, "notation", "The same symbols, with their names in the code."),
    (
        "Table 3",
        table_3.table_3,
        "features of systems",
        "The marks of SRT hold, probed; most that is unclear of FlinkCEP is there; Flink SQL finds one match "
        "for each first event.",
    ),
    (
        "Table 4",
        streams.table_4,
        "registers in iterations",
        "The same stream; what Section 8.1 says of it comes out: the latest B alone is compared.",
    ),
    (
        "Figure 1",
        srt.figure_1,
        "the SRT of expression (2)",
        "The automaton of Example 22: 3 states, 3 transitions.",
    ),
    (
        "Figure 2",
        srt.figure_2,
        "a run",
        "The run of Example 25, found by the machine: the only accepting one over these four events.",
    ),
    (
        "Figure 3",
        construction.figure_3,
        "the SRT of expression (4), step by step",
        "The same steps. The paper numbers the states of the disjunction otherwise.",
    ),
    (
        "Figure 4",
        srt.figure_4,
        "an SRT that is not deterministic",
        "The automaton that the proof of Thm 38 describes.",
    ),
    (
        "Figure 5",
        srt.figure_5,
        "deterministic automata in a window",
        "As described; (b) is whole here, where the paper shows a part. With w = 2 the unrolled automaton is "
        "deterministic, as said. Added: the ring buffer, which is right for streams (ERRATA A5).",
    ),
    ("Figure 11", construction.figure_11, "the cases of the construction", "The automata of Appendix A.2."),
    (
        "Figure 12",
        srt.figure_12,
        "two events of one type",
        "As described: loops in all three states, for the two events may be anywhere.",
    ),
    (
        "Figure 13",
        srt.figure_13,
        "an a, then a b with its id",
        "That of Figure 4, with other names, as in the paper.",
    ),
    (
        "Figure 14",
        srt.figure_14,
        "from sets of states to states",
        "The targets that the text gives: by φ1 ∧ φ2 ∧ ¬φ3 to {q2, q3}. The text once calls the set "
        "{q1, q4} {q2, q4}.",
    ),
)
_SRT_MORE: Final[tuple[_Entry, ...]] = (
    (
        "Section 7",
        overview.section_7,
        "throughput by window, beside other systems",
        "Added: Figure 7 on stock ticks, and what other systems take for its first window.",
    ),
)
_RMA: Final[tuple[_Entry, ...]] = (
    (
        "Table 1",
        rma_sensors.table_1,
        "a stream, and expression (1) over it",
        "The same; run (3) is one of its matches.",
    ),
    ("Figure 1", rma.figure_1, "the RMA of expression (1)", "The automaton that Section 4 describes."),
    (
        "Figure 2",
        rma.figure_2,
        "the RMA of expression (4)",
        "The same steps; what the filter changes is in blue.",
    ),
    (
        "Figure 3",
        rma.figure_3,
        "unrolled and deterministic",
        "For w = 2 as published. For w = 3 the published automaton accepts nothing on T1 T2 H1 (ERRATA C2); "
        "the repaired one stands beside it.",
    ),
)
_CEL: Final[tuple[_Entry, ...]] = (
    (
        "Table 1",
        operators.table_1,
        "basic operators",
        "The same but for windows: those in events are within unary CEL (ERRATA B7). Ticks are computed.",
    ),
    (
        "Figure 1",
        cel_sensors.figure_1,
        "a stream, and the formulas of Section 3 over it",
        "The complex events that Section 3 states, for all eight formulas.",
    ),
    ("Figure 2", operators.figure_2, "the syntax of CEL", "The same operators."),
    (
        "Figure 3",
        operators.figure_3,
        "the semantics of CEL",
        "The same definitions, each with an example whose complex events are computed.",
    ),
    (
        "Figure 4",
        cea.figure_4,
        "a complex event automaton",
        "The automaton of Example 5.3; it is I/O-deterministic.",
    ),
    ("Figure 5", cea.figure_5, "the automaton of an event type", "As the construction of Thm 6.2 makes it."),
    (
        "Figure 6",
        containments.figure_6,
        "fragments compared",
        "The same comparisons; three hold only with repaired proofs (ERRATA B10, B11).",
    ),
    (
        "Figure 7",
        compact_sets.figure_7,
        "a compact set of complex events",
        "The seven complex events of the text.",
    ),
    (
        "Figure 8",
        compact_sets.figure_8,
        "Algorithm 2 at work",
        "The lists that the text gives after each event, and the four complex events at the last one.",
    ),
)


def _all() -> Iterator[Reproduction]:
    yield from sorted((*_of(Paper.SRT, _SRT), *EXPERIMENTS), key=_order)
    yield from _of(Paper.SRT, _SRT_MORE)
    yield from _of(Paper.CEL, _CEL)
    yield from _of(Paper.RMA, _RMA)


def _of(
    paper: Paper, entries: Iterable[tuple[str, Callable[[], Product], str, str]]
) -> Iterator[Reproduction]:
    for number, make, title, agreement in entries:
        yield Reproduction(paper=paper, number=number, title=title, agreement=agreement, make=make)


def _order(one: Reproduction) -> tuple[bool, int]:
    """Tables first, then by number."""
    kind, number = one.number.split()
    return kind != "Table", int(number)


REPRODUCTIONS: Final[tuple[Reproduction, ...]] = tuple(_all())
"""In the order of papers and numbers."""


def chosen(names: Iterable[str]) -> tuple[Reproduction, ...]:
    """Those of some names; a name may also be the beginning of several: ``cel``, ``srt-figure``.

    Raises
    ------
    UnknownFigureError
        There is none of a name; the message names the nearest.
    """
    return tuple(dict.fromkeys(found for name in names for found in _named(name)))


def _named(name: str) -> tuple[Reproduction, ...]:
    whole = tuple(one for one in REPRODUCTIONS if one.id == name)
    begun = tuple(one for one in REPRODUCTIONS if one.id.startswith(f"{name}-"))
    if not (whole or begun):
        known = [one.id for one in REPRODUCTIONS]
        raise UnknownFigureError(f"there is no figure '{name}'.{suggestion(name, known)}")
    return whole or begun
