"""The paper's running example: Table 1, Fig. 1, the run of Example 25."""

from __future__ import annotations

import pytest

from mnemata.automata.srt.runs import Run, accepting_runs
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.schema import Int64, Schema, String
from mnemata.theory.sremo.expressions import Output

SCHEMA = Schema.of(type=String(), id=Int64(), price=Int64(), volume=Int64())
TABLE_1 = SCHEMA.stream([("B", 1, 22, 300), ("B", 1, 24, 225), ("S", 2, 32, 1210), ("S", 1, 70, 760)])


@pytest.fixture
def figure_1() -> SRT:
    u, r1 = head(SCHEMA), register("r1", SCHEMA)
    transitions = (
        Transition(0, u.type == "B", Output.MARK, frozenset({"r1"}), 1),
        Transition(1, TOP, Output.SKIP, frozenset(), 1),
        Transition(1, (u.type == "S") & (u.id == r1.id), Output.MARK, frozenset(), 2),
    )
    return SRT(3, 0, frozenset({2}), transitions)


@pytest.fixture
def example_25(figure_1: SRT) -> Run:
    (run,) = accepting_runs(figure_1, TABLE_1)
    return run
