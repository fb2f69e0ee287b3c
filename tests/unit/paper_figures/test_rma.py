"""The automata of the RMA paper."""

from __future__ import annotations

from mnemata.automata.rma.automaton import selection
from mnemata.automata.rma.selections import writes_before_reading
from mnemata.paper_figures.rma.automata import rma_of_expression_1


def test_figure_1_is_that_of_the_paper() -> None:
    rma = rma_of_expression_1()
    assert (rma.size, len(rma.transitions), len(rma.registers)) == (3, 4, 1)
    shown = [(t.source, t.target, selection(t), len(t.writes), str(t.output.value)) for t in rma.transitions]
    register = min(rma.registers)
    assert sorted(shown) == [
        (0, 0, ("~",), 0, "⊗"),
        (0, 1, ("~",), 1, "•"),
        (1, 1, ("~",), 0, "⊗"),
        (1, 2, ("~", register), 0, "•"),
    ]
    assert writes_before_reading(rma)
