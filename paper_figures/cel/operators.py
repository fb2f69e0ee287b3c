"""Figures 2 and 3 and Table 1: the operators, what they mean, and which language has them.

Every operator has an example over the stream of Figure 1. What it matches is computed, and so is whether
unary CEL and complex event automata have it: the example is unary, and it compiles.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from mnemata.automata.constructions.cea.compilation import compile_cel
from mnemata.paper_figures.cel.sensors import SENSORS, formula, found
from mnemata.paper_figures.reproductions import Tables
from mnemata.paper_figures.tables import Table
from mnemata.theory.cel.binding import is_unary
from mnemata.theory.errors import UnsupportedError


class Operator(NamedTuple):
    """An operator of CEL.

    Parameters
    ----------
    name : str
        What the paper calls it.
    written : str
        How it is written.
    node : str
        Its class in `mnemata.theory.cel.formulas`.
    meaning : str
        ``⟦φ⟧(S, i, j)``, the valuations over positions i to j.
    example : str
        A formula that needs it.
    """

    name: str
    written: str
    node: str
    meaning: str
    example: str


_BOTH: Final = "μ1 ∪ μ2, for μ1 ∈ ⟦φ1⟧(S, i, k) and μ2 ∈ ⟦φ2⟧(S, k + 1, j)"
OPERATORS: Final = (
    Operator("selection of events", "R", "Relation", "R ↦ {j}, if S[j] is of type R", "T"),
    Operator(
        "variable binding", "φ IN A", "In", "μ[A ↦ sup(μ)], for μ ∈ ⟦φ⟧(S, i, j)", "T IN A FILTER A.id = 0"
    ),
    Operator(
        "filtering",
        "φ FILTER P(A)",
        "Filter",
        "μ ∈ ⟦φ⟧(S, i, j) with S[μ(A)] ∈ P",
        "T FILTER T.value > 40",
    ),
    Operator("non-contiguous sequencing", "φ1; φ2", "Sequencing", _BOTH, "T; H FILTER T.id = 0 AND H.id = 0"),
    Operator(
        "non-contiguous iteration", "φ+", "Iteration", "⟦φ⟧(S, i, j) ∪ ⟦φ; φ+⟧(S, i, j)", "T+ FILTER T.id = 1"
    ),
    Operator(
        "contiguous sequencing",
        "φ1 : φ2",
        "Contiguous",
        f"{_BOTH}, where max sup(μ1) = k and min sup(μ2) = k + 1",
        "T : H",
    ),
    Operator(
        "contiguous iteration",
        "φ (+)",
        "ContiguousIteration",
        "⟦φ⟧(S, i, j) ∪ ⟦φ : φ (+)⟧(S, i, j)",
        "T (+)",
    ),
    Operator(
        "projection", "PI_L(φ)", "Projection", "μ restricted to L, for μ ∈ ⟦φ⟧(S, i, j)", "PI_{T}(T : H)"
    ),
    Operator(
        "anchoring",
        "START(φ)",
        "Start",
        "μ ∈ ⟦φ⟧(S, i, j) with min sup(μ) = i",
        "START(H; T FILTER T.id = 0)",
    ),
    Operator(
        "disjunction", "φ1 OR φ2", "Or", "⟦φ1⟧(S, i, j) ∪ ⟦φ2⟧(S, i, j)", "(T FILTER T.value > 42) OR (T : H)"
    ),
    Operator("conjunction", "φ1 AND φ2", "And", "⟦φ1⟧(S, i, j) ∩ ⟦φ2⟧(S, i, j)", "T AND (T FILTER T.id = 1)"),
    Operator(
        "interleaved conjunction",
        "φ1 ALL φ2",
        "All",
        "μ1 ∪ μ2, for μ1 ∈ ⟦φ1⟧(S, i1, j1) and μ2 ∈ ⟦φ2⟧(S, i2, j2), "
        "where i = min(i1, i2) and j = max(j1, j2)",
        "(T ALL H) FILTER T.id = 0 AND H.id = 0",
    ),
    Operator(
        "guarded negation",
        "φ1 UNLESS φ2",
        "Unless",
        "μ ∈ ⟦φ1⟧(S, i, j), where ⟦φ2⟧(S, i', j') is empty for all i ≤ i' ≤ j' ≤ j",
        "H UNLESS (T FILTER T.value > 41)",
    ),
)

BASIC: Final = (
    ("sequencing", "T; H FILTER T.id = 0 AND H.id = 0"),
    ("disjunction", "(T FILTER T.value > 42) OR (T : H)"),
    ("iteration", "T+ FILTER T.id = 1"),
    ("local filters", "T FILTER T.value > 40"),
    ("correlation", "(T; H) FILTER T.id = H.id AND T.value > 42"),
    ("conjunction", "(T ALL H) FILTER T.id = 0 AND H.id = 0"),
    ("negation", "H UNLESS (T FILTER T.value > 41)"),
    ("windowing, in events", "(T; H) WITHIN 2 EVENTS"),
    ("selection strategies", "NXT(T+ FILTER T.id = 1)"),
)
"""The operators that a language should have, each with a formula that needs it."""


def figure_2() -> Tables:
    """The operators, how they are written, and the classes of their syntax trees."""
    rows = [(operator.name, operator.written, f"`{operator.node}`") for operator in OPERATORS]
    return Tables((Table("Syntax", ("operator", "written", "class"), tuple(rows), "lll"),))


def figure_3() -> Tables:
    """What the operators mean, with what an example matches in the stream of Figure 1."""
    rows = [(one.written, one.meaning, one.example, found(one.example)) for one in OPERATORS]
    heads = ("φ", "⟦φ⟧(S, i, j)", "example", "its complex events over Fig. 1")
    text = "The complex events are those over positions 0 to n, for any n."
    return Tables((Table("Semantics", heads, tuple(rows), "llll"),), text)


def table_1() -> Tables:
    """The basic operators, with an example and whether unary CEL and automata have them."""
    rows = [(name, example, "✓", *_languages(example), found(example)) for name, example in BASIC]
    absent = ("projection of attributes", "—", "✗", "✗", "✗", "—")
    heads = ("operator", "example", "CEL", "unary CEL", "CEA", "its complex events over Fig. 1")
    text = (
        "Windows in events are counted in the states of an automaton, so unary CEL has them, unlike in the "
        "table as published (ERRATA B7). Projection is that of attributes; CEL has one of variables."
    )
    return Tables((Table("Basic operators", heads, (*rows, absent), "llcccl"),), text)


def _languages(example: str) -> tuple[str, str]:
    """Whether the example is unary, and whether an automaton recognises it."""
    return ("✓" if is_unary(formula(example)) else "✗", "✓" if _compiles(example) else "✗")


def _compiles(example: str) -> bool:
    try:
        compile_cel(formula(example), SENSORS)
    except UnsupportedError:
        return False
    return True
