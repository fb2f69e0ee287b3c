"""SRT Def. 21 to 26 on the paper's own examples, and what the data type refuses."""

from __future__ import annotations

import pickle

import pytest

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.configurations import Configuration, initial
from mnemata.automata.srt.graph import to_networkx
from mnemata.automata.srt.runs import accepting_runs, matches, runs
from mnemata.automata.srt.transducer import SRT, Transition, epsilon
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.evaluation import EMPTY
from mnemata.theory.conditions.formulas import BOTTOM, TOP
from mnemata.theory.errors import LimitError, PatternError
from mnemata.theory.schema import Int64, Schema, String
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Output, mark, skip

SCHEMA = Schema.of(type=String(), id=Int64(), price=Int64(), volume=Int64())
TABLE_1 = SCHEMA.stream(
    [
        ("B", 1, 22, 300),
        ("B", 1, 24, 225),
        ("B", 2, 32, 1210),
        ("S", 1, 70, 760),
        ("S", 1, 68, 2000),
        ("B", 2, 33, 95),
    ]
)
u, r1 = head(SCHEMA), register("r1", SCHEMA)
BUY = u.type == "B"
SELL_SAME = (u.type == "S") & (u.id == r1.id)
NONE: frozenset[str] = frozenset()

FIGURE_1 = SRT(
    3,
    0,
    frozenset({2}),
    (
        Transition(0, BUY, Output.MARK, frozenset({"r1"}), 1),
        Transition(1, TOP, Output.SKIP, NONE, 1),
        Transition(1, SELL_SAME, Output.MARK, NONE, 2),
    ),
)
EXPRESSION_2 = mark(BUY, r1) >> skip().star() >> mark(SELL_SAME)


def test_example_22_the_compiler_finds_figure_1() -> None:
    assert compile_pattern(EXPRESSION_2, SCHEMA).srt == FIGURE_1


def test_example_25_the_run_over_the_first_four_events() -> None:
    (run,) = accepting_runs(FIGURE_1, TABLE_1[:4])
    held = EMPTY.write({"r1"}, TABLE_1[0])
    assert run.configurations == (
        Configuration(1, 0, EMPTY),
        Configuration(2, 1, held),
        Configuration(3, 1, held),
        Configuration(4, 1, held),
        Configuration(5, 2, held),
    )
    assert run.marks == {1, 4}


def test_example_25_is_not_the_only_run() -> None:
    found = list(runs(FIGURE_1, TABLE_1[:4]))
    assert len(found) == 2
    assert sorted(run.configurations[-1].state for run in found) == [1, 2]


def test_example_19_matches_of_table_1() -> None:
    assert matches(FIGURE_1, TABLE_1[:4]) == {frozenset({1, 4})}
    assert matches(FIGURE_1, TABLE_1[:5]) == {frozenset({1, 5})}


def test_example_40_window() -> None:
    srt = thompson(EXPRESSION_2.within(events=4))
    assert matches(srt, TABLE_1[:4]) == {frozenset({1, 4})}
    assert matches(srt, TABLE_1[:5]) == frozenset()


def test_example_28() -> None:
    low, high = BUY & (u.price < 10), BUY & (u.price > 500)
    e = (mark(low, r1) | mark(high, r1)) >> mark(SELL_SAME)
    stream = SCHEMA.stream([("B", 1, 5, 1), ("S", 1, 7, 1), ("B", 2, 50, 1), ("S", 2, 60, 1)])
    assert thompson(e).size == 8  # Fig. 3c: two for each terminal, two for the union
    srt = compile_pattern(e, SCHEMA).srt
    assert matches(srt, stream[:2]) == semantics.matches(e, stream[:2]) == {frozenset({1, 2})}
    assert matches(srt, stream[2:]) == frozenset()


def test_initial_configuration() -> None:
    assert initial(FIGURE_1) == Configuration(1, 0, EMPTY)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Transition(0, None, Output.MARK, NONE, 0), "reads no event"),
        (lambda: Transition(0, None, Output.SKIP, frozenset({"r1"}), 0), "reads no event"),
        (lambda: Transition(0, TOP, Output.SKIP, frozenset({"~"}), 0), "not a register"),
        (lambda: SRT(2, 0, frozenset({2}), ()), "state 2 is not among the 2 states"),
        (lambda: SRT(2, 0, frozenset(), (epsilon(0, 5),)), "state 5"),
    ],
)
def test_what_is_no_srt_is_refused(make: object, message: str) -> None:
    with pytest.raises(PatternError, match=message):
        make()  # type: ignore[operator]


def test_values_hash_compare_and_pickle() -> None:
    assert pickle.loads(pickle.dumps(FIGURE_1)) == FIGURE_1
    assert hash(pickle.loads(pickle.dumps(FIGURE_1))) == hash(FIGURE_1)
    assert FIGURE_1.registers == {"r1"}


def test_networkx_graph_leaves_out_impossible_transitions() -> None:
    srt = SRT(2, 0, frozenset({1}), (Transition(0, BOTTOM, Output.SKIP, NONE, 1), epsilon(0, 1)))
    graph = to_networkx(srt)
    assert graph.number_of_edges() == 1
    assert graph.nodes[1] == {"start": False, "final": True}


def test_liveness_forgets_what_is_not_read() -> None:
    compiled = compile_pattern(EXPRESSION_2, SCHEMA)
    assert compiled.live == (frozenset(), frozenset({"r1"}), frozenset())


def test_deep_nesting_compiles() -> None:
    e = EXPRESSION_2
    for i in range(5_000):
        e = e.star() if i % 2 else e.optional()
    assert compile_pattern(e, SCHEMA).srt.size == 2


def test_an_automaton_that_would_be_too_large_is_refused() -> None:
    e = mark()
    for _ in range(3):
        e = e.repeat(200, 200)
    with pytest.raises(LimitError, match="more than 1,000,000"):
        compile_pattern(e, SCHEMA)
