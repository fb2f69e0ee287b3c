"""Register match automata on the examples of the paper and of ERRATA C."""

from __future__ import annotations

import pickle

import pytest

from mnemata.automata.constructions.rma.closure import (
    concatenated_as_defined,
    concatenation,
    concatenation_as_published,
    iterated_as_defined,
    plus,
    plus_as_published,
    union,
)
from mnemata.automata.constructions.rma.determinization import (
    determinize,
    determinize_as_published,
    determinize_recogniser,
    determinize_recogniser_as_published,
    determinize_window,
    unrolled,
)
from mnemata.automata.constructions.rma.translation import translate, translate_as_published, without_epsilon
from mnemata.automata.decisions.rma import is_deterministic_per_output, is_output_agnostic_deterministic
from mnemata.automata.rma.automaton import RMA, formula, selecting, selection, with_start
from mnemata.automata.rma.bridges import rma_of, srt_of
from mnemata.automata.rma.runs import accepting_runs, initial, matches, matches_at, recognised_at, runs
from mnemata.automata.rma.selections import unwritten_reads, writes_before_reading
from mnemata.automata.srt.runs import Acceptance
from mnemata.automata.srt.transducer import Transition, epsilon
from mnemata.proofs.rma.separating import (
    EXPRESSION,
    SENSORS,
    look_alike,
    not_determinizable_with,
    unseparated,
)
from mnemata.theory.budget import Budget
from mnemata.theory.cepl import semantics
from mnemata.theory.cepl.expressions import atom
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP, Apply, Definition
from mnemata.theory.errors import LimitError, PatternError, UnsupportedError
from mnemata.theory.sremo.expressions import Output
from mnemata.theory.syntax import parse_cepl

u = head()
z, w = register("z"), register("w")
ANYTHING = Definition("true", ("z",), TOP)
IS_T = Definition("f", ("z",), z.type == "T")
IS_H = Definition("g", ("z",), z.type == "H")
SAME_H = Definition("f'", ("z", "w"), (z.type == "H") & (z.id == w.id))
MARK, SKIP = Output.MARK, Output.SKIP


def skip(state):
    return selecting(state, ANYTHING, "~", state)


FIGURE_1 = RMA(
    3,
    {0},
    {2},
    (
        skip(0),
        selecting(0, IS_T, "~", 1, writes=("r1",), output=MARK),
        skip(1),
        selecting(1, SAME_H, ("~", "r1"), 2, output=MARK),
    ),
)
"""The RMA of expression (1)."""

ALL_T = RMA(2, {0}, {1}, (selecting(0, ANYTHING, "~", 1, output=MARK),))


def expression(text):
    return parse_cepl(text, schema=SENSORS).expression


def word(text):
    """``T1 H2`` as events."""
    return SENSORS.stream([(part[0], int(part[1:])) for part in text.split()])


def sets(*found):
    return frozenset(map(frozenset, found))


PHI_1 = expression("T AS x; H AS y FILTER x.id = y.id")
TABLE_1 = word("T1 T1 T2 H1 H1 T2")


# Def. 3 to 7.


def test_selections_are_what_definition_4_writes():
    step = FIGURE_1.transitions[3]
    assert selection(step) == ("~", "r1")
    assert step.condition == Apply(SAME_H, ("~", "r1"))
    abstract = formula(step, "f'")
    assert abstract.parameters == ("a1", "a2")
    assert abstract("~", "r1").arguments == selection(step)
    assert selection(FIGURE_1.transitions[0]) == ("~",)
    assert selection(epsilon(0, 1)) == ()
    with pytest.raises(PatternError, match="an epsilon transition has no formula"):
        formula(epsilon(0, 1))


def test_run_3():
    found = [run for run in accepting_runs(FIGURE_1, TABLE_1[:4]) if run.marks == {2, 4}]
    (run,) = found
    assert [(c.index - 1, c.state, c.valuation.get("r1")) for c in run.configurations] == [
        (0, 0, None),
        (1, 0, None),
        (2, 1, TABLE_1[1]),
        (3, 1, TABLE_1[1]),
        (4, 2, TABLE_1[1]),
    ]
    assert [t.output for t in run.transitions] == [SKIP, MARK, SKIP, MARK]


def test_matches_after_four_events_and_in_all():
    assert matches_at(FIGURE_1, TABLE_1, 4) == sets({0, 3}, {1, 3})
    assert matches(FIGURE_1, TABLE_1) == semantics.matches(PHI_1, TABLE_1)


def test_several_start_states():
    both = RMA(4, {0, 2}, {1, 3}, (*_mark(0, IS_T, 1), *_mark(2, IS_H, 3)))
    assert {c.state for c in initial(both)} == {0, 2}
    assert matches(both, word("T1")) == matches(both, word("H1")) == sets({0})
    assert both.srt.size == 5
    assert all(len(run.configurations) == len(run.transitions) + 1 for run in runs(both, word("T1")))
    assert {run.configurations[0].state for run in runs(both, word("T1"))} == {0}


def _mark(source, test, target):
    return (selecting(source, test, "~", target, output=MARK),)


def test_several_start_states_have_runs_over_nothing():
    both = RMA(2, {0, 1}, {1}, ())
    assert {run.configurations[0].state for run in runs(both, ())} == {0, 1}


def test_a_run_accepts_only_after_a_mark():
    idle = RMA(2, {0}, {1}, (selecting(0, ANYTHING, "~", 1),))
    assert matches(idle, word("T1")) == sets()
    assert recognised_at(idle, word("T1")) == frozenset()
    assert recognised_at(ALL_T, word("T1")) == {0}


def test_read_to_the_letter_an_or_accepts_nothing():
    choice = translate(expression("T AS x OR H AS y"), SENSORS)
    assert matches(choice, word("T1")) == sets({0})
    assert matches(choice, word("T1"), Acceptance.LAST_TRANSITION_MARKED) == sets()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RMA(1, set(), set(), ()), "at least one start state"),
        (lambda: RMA(1, {1}, set(), ()), "state 1 is not among the 1 states"),
        (lambda: RMA(2, {0}, {2}, ()), "state 2 is not among"),
        (lambda: RMA(1, {0}, set(), (epsilon(0, 1),)), "state 1 is not among"),
        (lambda: RMA(2, {0, 1}, set(), (epsilon(0, 2),)), "state 2 is not among"),
    ],
)
def test_what_is_no_rma(make, message):
    with pytest.raises(PatternError, match=message):
        make()


def test_rma_are_values():
    assert pickle.loads(pickle.dumps(FIGURE_1)) == FIGURE_1
    assert hash(FIGURE_1) == hash(RMA(3, [0], [2], FIGURE_1.transitions))
    assert FIGURE_1.outgoing(1) == FIGURE_1.transitions[2:]


# Registers are written before they are read.


def test_registers_are_written_on_every_trail():
    assert writes_before_reading(FIGURE_1)
    shortcut = RMA(3, {0}, {2}, (*FIGURE_1.transitions, selecting(0, IS_H, "~", 1, output=MARK)))
    (found,) = unwritten_reads(shortcut)
    assert (found.register, found.transition) == ("r1", FIGURE_1.transitions[3])
    assert [t.target for t in found.trail] == [1]
    assert not writes_before_reading(RMA(3, {0, 1}, {2}, FIGURE_1.transitions))


def test_a_register_written_only_on_the_way_round_is_not_written_on_every_trail():
    loop = RMA(2, {0}, {1}, (selecting(0, IS_T, "~", 0, writes=("r",)), selecting(0, SAME_H, ("~", "r"), 1)))
    (found,) = unwritten_reads(loop)
    assert found.trail == ()


# Translation.


def test_expression_1_gives_figure_1():
    rma = without_epsilon(translate(PHI_1, SENSORS))
    assert len(rma.registers) == 1
    assert (rma.size, len(rma.transitions)) == (4, 6)
    assert matches(rma, TABLE_1) == matches(FIGURE_1, TABLE_1)


def test_figure_2_has_one_register_for_both_disjuncts():
    choice = "(T AS x FILTER x.id < 4 OR T AS x FILTER x.id > 5); T AS y FILTER y.id = x.id"
    rma = translate(expression(choice), SENSORS)
    assert rma.size == 8
    writing = [t for t in rma.transitions if t.writes]
    assert [sorted(t.writes) for t in writing] == [["x"], ["x"]]
    reading = [t for t in rma.transitions if t.reads]
    assert [selection(t) for t in reading] == [("~", "x")]
    assert sum(t.is_epsilon for t in rma.transitions) == 5


def test_c3_filters_are_lost():
    stream = word("T1 H2")
    assert matches(translate_as_published(PHI_1, SENSORS), stream) == sets({0, 1})
    assert matches(translate(PHI_1, SENSORS), stream) == sets()


def test_unbounded_expressions_are_refused():
    with pytest.raises(UnsupportedError, match="the filter reads 'y', which is bound outside"):
        translate(expression("(T AS x FILTER x.id = y.id)+; H AS y"), SENSORS)


# Closure.


def test_c4_concatenation_is_not_what_is_defined():
    stream = word("T1 T2")
    assert concatenated_as_defined(ALL_T, ALL_T, stream) == sets()
    assert matches(concatenation_as_published(ALL_T, ALL_T), stream) == sets({0, 1})
    assert matches(concatenation(ALL_T, ALL_T), stream) == sets({0, 1})


UNMARKED_WRITES = RMA(
    3,
    {0},
    {2},
    (
        skip(0),
        selecting(0, IS_T, "~", 1, writes=("r",)),
        skip(1),
        selecting(1, SAME_H, ("~", "r"), 2, output=MARK),
    ),
)


def test_c4_iteration_is_not_what_is_defined():
    stream = word("T1 T2 H1 H2")
    assert iterated_as_defined(UNMARKED_WRITES, stream) == sets({2}, {3}, {2, 3})
    assert matches(plus_as_published(UNMARKED_WRITES), stream) == sets({2}, {3})
    assert matches(plus(UNMARKED_WRITES), stream) == sets({2}, {3})


def test_c4_of_core_cepl_both_agree():
    one, other = (translate(e, SENSORS) for e in (PHI_1, atom("T", "z")))
    stream = word("T1 H1 T2 H2 T1")
    assert concatenated_as_defined(one, other, stream) == matches(concatenation(one, other), stream)
    assert (
        iterated_as_defined(one, stream)
        == matches(plus(one), stream)
        == matches(translate(PHI_1.plus(), SENSORS), stream)
    )


def test_rounds_start_from_empty_registers():
    forgetful = RMA(
        3,
        {0},
        {1, 2},
        (
            selecting(0, IS_T, "~", 1, writes=("r",), output=MARK),
            Transition(0, u.id == register("r").id, MARK, frozenset(), 2),
        ),
    )
    assert not writes_before_reading(forgetful)
    assert matches(plus_as_published(forgetful), word("T1 H1")) == sets({0}, {0, 1})
    assert matches(plus(forgetful), word("T1 H1")) == sets({0})


def test_operands_that_may_end_unmarked():
    idle = RMA(2, {0}, {1}, (skip(1), *_mark(0, IS_T, 1)))
    assert matches(concatenation_as_published(idle, idle), word("T1 H1 T1")) == sets({0, 2})
    assert matches(concatenation(idle, idle), word("T1 H1 T1")) == sets()


def test_union_shares_nothing():
    both = union(FIGURE_1, translate(expression("H AS y"), SENSORS))
    assert len(both.starts) == 2
    assert matches(both, word("T1 H1")) == sets({0, 1}, {1})


def test_bridges():
    assert srt_of(FIGURE_1) is FIGURE_1.srt
    assert rma_of(srt_of(FIGURE_1)) == FIGURE_1
    idle = RMA(2, {0}, {1}, (skip(1), *_mark(0, IS_T, 1)))
    assert srt_of(idle).size == 3
    with pytest.raises(UnsupportedError, match="may end with an event that is not marked"):
        rma_of(idle.srt)
    with pytest.raises(UnsupportedError, match="the empty string is a match"):
        rma_of(RMA(1, {0}, {0}, ()).srt)


# Determinism and determinization.


def test_both_notions_of_determinism():
    assert is_deterministic_per_output(FIGURE_1, SENSORS).yes
    found = is_output_agnostic_deterministic(FIGURE_1, SENSORS)
    assert found.no
    assert {t.output for t in found.transitions} == {MARK, SKIP}
    assert found.stream is not None
    assert [event["type"] for event in found.stream] == ["T"]


def test_two_transitions_with_one_output():
    choice = RMA(3, {0}, {1, 2}, (*_mark(0, IS_T, 1), *_mark(0, ANYTHING, 2)))
    found = is_deterministic_per_output(choice, SENSORS)
    assert found.no
    assert set(found.transitions) == set(choice.transitions)
    assert found.witness is not None
    assert found.witness.event["type"] == "T"
    assert found.stream is not None
    assert [event.schema for event in found.stream] == [SENSORS]
    assert is_deterministic_per_output(RMA(2, {0, 1}, {1}, ()), SENSORS).no


ORDERS = expression("(T AS x; T AS z; T AS y OR T AS z; T AS x; T AS y) FILTER x.id = y.id")


def test_c1_the_power_set_overwrites_a_register():
    rma, stream = translate(ORDERS, SENSORS), word("T1 T2 T1")
    everything = sets({0, 1, 2})
    assert matches(rma, stream) == everything
    published = determinize_as_published(rma, SENSORS)
    assert is_deterministic_per_output(published, SENSORS).yes
    assert matches(published, stream) == sets()
    assert matches(determinize_window(ORDERS, 3, SENSORS), stream) == everything
    assert matches(determinize(rma, SENSORS), stream) == everything


def test_c1_the_power_set_loses_epsilon_transitions():
    pair, stream = translate(expression("T AS x; H AS y"), SENSORS), word("T1 H1")
    assert matches(determinize_as_published(pair, SENSORS, eliminate=False), stream) == sets()
    assert matches(determinize_as_published(pair, SENSORS), stream) == sets({0, 1})


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_c1_no_number_of_registers_suffices(k):
    assert not_determinizable_with(k)
    assert not_determinizable_with(k, constants=(1, 3, 4))
    assert len(list(unseparated(k))) == (k + 4) ** k


def test_c1_what_is_held_can_be_told():
    pairs = unseparated(1)
    pair = next(p for p in pairs if p.contents and p.contents["r1"]["id"] == 3)
    held = pair.contents["r1"]["id"]
    last = SENSORS.event(("H", held), pair.matched[-1].position)
    assert not look_alike(type(pair)(pair.contents, (*pair.matched[:-1], last), pair.unmatched))


def test_c1_determinization_of_that_expression_has_no_end():
    rma = translate(EXPRESSION, SENSORS)
    with pytest.raises(LimitError):
        determinize(rma, SENSORS, budget=Budget(states=8))


def test_c1_within_a_window_it_has():
    made = determinize_window(EXPRESSION, 5, SENSORS)
    for text in ("T1 T2 T3 T4 H2", "T1 T2 T3 T4 H1", "T1 T2 T1 H2", "T3 T1 T2 T3 H1 H2"):
        stream = word(text)
        assert matches(made, stream) == semantics.matches(EXPRESSION.window(5), stream)


def test_c2_the_loop_at_the_start_overwrites_a_register():
    rma, stream = translate(PHI_1, SENSORS), word("T1 T2 H1")
    assert matches(unrolled(rma, 3), stream) == sets({0, 2})
    assert recognised_at(determinize_recogniser_as_published(rma, 3, SENSORS), stream) == frozenset()
    repaired = determinize_recogniser(rma, 3)
    assert recognised_at(repaired, stream) == {2}
    assert is_output_agnostic_deterministic(repaired, SENSORS).yes
    assert len(repaired.registers) == 2


def test_unrolled_rma_loop_at_the_start_only():
    rma = unrolled(translate(PHI_1, SENSORS), 4)
    assert [t for t in rma.transitions if t.source >= t.target] == [rma.transitions[0]]
    assert rma.transitions[0].target == rma.transitions[0].source == 0


def test_c5_one_register_recognises_the_stream_of_the_sketch():
    one = RMA(3, {0}, {2}, (*_keeping_the_latest(),))
    assert is_output_agnostic_deterministic(one, SENSORS).yes
    for m in (1, 2, 5):
        assert recognised_at(one, word("T1 " * m + "H1")) == {m}
        assert recognised_at(FIGURE_1, word("T1 " * m + "H1")) == {m}
    assert recognised_at(one, word("T1 T2 H1")) == frozenset()
    assert recognised_at(FIGURE_1, word("T1 T2 H1")) == {2}


def _keeping_the_latest():
    yield selecting(0, IS_T, "~", 1, writes=("r",))
    yield selecting(1, IS_T, "~", 1, writes=("r",))
    yield selecting(1, SAME_H, ("~", "r"), 2, output=MARK)


@pytest.mark.parametrize("make", [unrolled, determinize_recogniser])
def test_windows_have_an_event(make):
    with pytest.raises(PatternError, match="a window needs at least one event, got 0"):
        make(FIGURE_1, 0)


def test_with_start_keeps_everything():
    assert with_start(FIGURE_1.srt) == FIGURE_1


def test_with_start_takes_the_one_start_state_of_the_srt():
    srt = with_start(srt_of(RMA(2, {0, 1}, {1}, ()))).srt
    assert srt.size == 3
