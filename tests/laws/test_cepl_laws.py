"""Core-CEPL: the semantics by definition, and automata and SREMO that have the same matches."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.rma.translation import translate, without_epsilon
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.rma.runs import accepting_runs, matches, matches_at
from mnemata.automata.rma.selections import writes_before_reading
from mnemata.automata.srt import runs as of_srt
from mnemata.proofs.generators.cepl import RELATIONS, VARIABLES, cepl_expressions
from mnemata.proofs.generators.signature import TICKS, streams
from mnemata.proofs.generators.sremo import expressions
from mnemata.theory.cepl import semantics
from mnemata.theory.cepl.binding import bind_expression
from mnemata.theory.cepl.checks import is_bounded, is_safe, is_well_formed
from mnemata.theory.cepl.expressions import Atom, Or, Sequence
from mnemata.theory.cepl.variables import occurring
from mnemata.theory.conditions.building import register
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Category, Int64, Schema
from mnemata.theory.sremo.semantics import stream_matches
from mnemata.theory.translation import query_of, sremo_of
from mnemata.theory.translation.sremo_of_cepl import expression_of_cepl

EVENTS = Schema.of(type=Category(RELATIONS), id=Int64(), event_type="type")
ROWS = st.tuples(st.sampled_from("AAAB"), st.integers(1, 2)) | st.tuples(st.sampled_from("AB"), st.just(1))
WORDS = st.integers(0, 6).flatmap(lambda n: st.lists(ROWS, min_size=n, max_size=6)).map(EVENTS.stream)


def one_less(matches):
    return {frozenset(position - 1 for position in marks) for marks in matches}


@given(cepl_expressions(bounded=True))
def test_generated_expressions_are_bounded(expression):
    assert is_bounded(expression)
    assert is_well_formed(expression)
    assert is_safe(expression)


@given(WORDS, cepl_expressions(EVENTS, size=6))
@settings(max_examples=300)
def test_expression_and_rma_and_srt_have_the_same_matches(stream, expression):
    found = semantics.matches(expression, stream)
    rma = translate(expression, EVENTS)
    assert writes_before_reading(rma)
    assert matches(rma, stream) == found
    assert matches(without_epsilon(rma), stream) == found
    assert one_less(stream_matches(expression_of_cepl(expression, EVENTS), stream)) == found


@given(streams(TICKS), cepl_expressions(TICKS, size=5))
def test_the_same_with_times_and_missing_values(stream, expression):
    found = semantics.matches(expression, stream)
    assert matches(translate(expression, TICKS), stream) == found
    assert one_less(stream_matches(expression_of_cepl(expression, TICKS), stream)) == found


@given(WORDS, cepl_expressions(EVENTS, size=4))
def test_the_srt_of_the_bridge_over_whole_strings(stream, expression):
    srt = eliminate_epsilon(thompson(expression_of_cepl(expression, EVENTS)))
    found = {m for m in semantics.matches(expression, stream) if m and {0, len(stream) - 1} <= m}
    assert one_less(of_srt.matches(srt, stream)) == found


@given(WORDS, cepl_expressions(EVENTS, size=4))
def test_matches_of_an_index_are_those_of_accepting_runs(stream, expression):
    rma = translate(expression, EVENTS)
    marks = {run.marks for run in accepting_runs(rma, stream)}
    assert one_less(marks) == matches_at(rma, stream, len(stream))


LETTERS = st.tuples(st.sampled_from("AAB"), st.integers(1, 2))
SHORT = st.integers(0, 3).flatmap(lambda n: st.lists(LETTERS, min_size=n, max_size=3)).map(EVENTS.stream)
TWO = VARIABLES[:2]
X, Y = (Atom("A", name) for name in TWO)
SAME = register("x").id == register("y").id


@given(SHORT, cepl_expressions(EVENTS, size=3, bounded=False, names=TWO))
@settings(max_examples=300)
@example(EVENTS.stream([("A", 1), ("A", 2), ("A", 1)]), X.filter(SAME).plus() >> Y)
@example(EVENTS.stream([("A", 1), ("A", 2), ("A", 2)]), X >> (Y.filter(SAME) | X).plus())
@example(EVENTS.stream([("A", 1), ("B", 1)]), Sequence((Or((X, Y)), Atom("B", "x"))).plus())
def test_choosing_on_demand_is_the_union_over_all_valuations(stream, expression):
    bound = bind_expression(expression, EVENTS)
    every = semantics.all_valuations(occurring(expression), len(stream))
    united = {m for v in every for m in semantics.matches_under(bound, stream, 0, v)}
    assert semantics.matches(expression, stream) == united


@given(SHORT, cepl_expressions(EVENTS, size=4, bounded=False))
def test_unsafe_sequences_match_nothing(stream, expression):
    for parts in (Sequence((expression, X, Y, X)),):
        assert not is_safe(parts)
        assert semantics.matches(parts, stream) == frozenset()


@given(WORDS, cepl_expressions(EVENTS, size=6))
def test_there_and_back_to_sremo(stream, expression):
    pattern = sremo_of(expression, EVENTS)
    again = query_of(pattern, EVENTS)
    assert is_bounded(again.expression)
    assert semantics.matches(again.expression, stream) == semantics.matches(expression, stream)


@given(WORDS, expressions(EVENTS, ("x", "y"), size=4))
def test_sremo_that_can_be_core_cepl(stream, expression):
    try:
        query = query_of(expression, EVENTS)
    except UnsupportedError:
        return
    assert semantics.matches(query.expression, stream) == one_less(stream_matches(expression, stream))
