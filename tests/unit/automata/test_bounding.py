"""What bounds an automaton, the paths that show why nothing does, and the methods that ask."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.complement import complete
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.paths import growing, longest, unmarked_first, unmarked_last
from mnemata.automata.srt.runs import accepts
from mnemata.automata.srt.transducer import SRT, Transition, epsilon
from mnemata.proofs.generators import TICKS, expressions, streams
from mnemata.theory.budget import Budget
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import BOTTOM, TOP
from mnemata.theory.conditions.terms import Duration
from mnemata.theory.errors import LimitError, UnsupportedError
from mnemata.theory.schema import Event
from mnemata.theory.sremo import windows
from mnemata.theory.sremo.expressions import (
    EventWindow,
    Expression,
    LengthWindow,
    Output,
    TimeWindow,
    mark,
    skip,
)

u, r1 = head(TICKS), register("r1", TICKS)
A, B = u.type == "A", u.type == "B"
SAME = u.id == r1.id
PAIR = thompson(mark(A, r1) >> skip().star() >> mark(B & SAME))
SMALL = expressions(TICKS, ("r1", "r2"), size=4, windows=False, intersections=False)


def test_a_path_with_an_unmarked_first_event_is_a_shortest_one() -> None:
    srt = thompson((skip(A) >> mark()) | (skip(B) >> mark() >> mark())).without_epsilon()
    path = unmarked_first(srt)
    assert path is not None
    assert [t.condition for t in path] == [A, TOP]
    assert unmarked_last(srt) is None


def test_a_path_with_an_unmarked_last_event() -> None:
    path = unmarked_last(thompson(mark(A) >> skip(B)))
    assert path is not None
    assert [t.condition for t in path if not t.is_epsilon] == [A, B]
    assert unmarked_first(thompson(mark(A) >> skip(B))) is None


def test_a_loop_and_the_way_to_it_and_from_it() -> None:
    found = growing(PAIR.without_epsilon())
    assert found is not None
    assert [t.condition for t in found.before] == [A, TOP]
    assert [(t.source, t.target) for t in found.loop] == [(2, 2)]
    assert [t.condition for t in found.after] == [B & SAME]
    assert longest(PAIR) is None


def test_what_leads_to_no_final_state_is_not_on_any_path() -> None:
    none: frozenset[str] = frozenset()
    loop = Transition(1, TOP, Output.SKIP, none, 1)
    moves = (
        Transition(0, TOP, Output.SKIP, none, 1),
        loop,
        Transition(0, TOP, Output.MARK, none, 2),
        Transition(0, BOTTOM, Output.SKIP, none, 2),
        Transition(2, TOP, Output.MARK, none, 3),
    )
    srt = SRT(4, 0, frozenset({3}), moves)
    assert (unmarked_first(srt), unmarked_last(srt), growing(srt), longest(srt)) == (None, None, None, 2)


def test_loops_that_read_nothing_make_no_string_longer() -> None:
    none: frozenset[str] = frozenset()
    srt = SRT(2, 0, frozenset({1}), (epsilon(0, 1), epsilon(1, 0)))
    assert (growing(srt), longest(srt)) == (None, 0)
    more = SRT(3, 0, frozenset({2}), (*srt.transitions, Transition(1, TOP, Output.MARK, none, 2)))
    assert (growing(more), longest(more)) == (None, 1)


@given(SMALL)
def test_automata_and_expressions_agree_on_what_bounds_them(expression: Expression) -> None:
    for srt in (thompson(expression), thompson(expression).without_epsilon()):
        assert longest(srt) == windows.longest(expression) or windows.longest(expression) is None
        if windows.marks_both_ends(expression):
            assert unmarked_first(srt) is None
            assert unmarked_last(srt) is None


@given(SMALL, st.integers(1, 3), streams(TICKS, max_size=4))
def test_a_window_on_marks_that_is_accepted_means_what_def_39_says(
    expression: Expression, size: int, string: tuple[Event, ...]
) -> None:
    try:
        made = bind_guards(thompson(expression).determinize(window=EventWindow(size)), TICKS)
    except UnsupportedError:
        return
    wanted = accepts(bind_guards(thompson(expression.within(events=size)), TICKS), string)
    assert accepts(made, string) == wanted


def test_without_a_window_the_error_shows_the_loop() -> None:
    with pytest.raises(UnsupportedError) as caught:
        PAIR.without_epsilon().determinize()
    assert str(caught.value).splitlines() == [
        "the automaton has no window, and a loop lets its strings grow without limit, so it cannot be "
        "determinized or complemented",
        "  state 0 -> 1: event as r1 where type = 'A'",
        "  state 1 -> 2: skip event",
        "  state 2 -> 2: skip event  <- as often as one likes",
        "  state 2 -> 3: event where type = 'B' and id = r1.id",
        "give the greatest length in events",
    ]


def test_under_a_window_on_marks_the_error_shows_the_unmarked_event() -> None:
    srt = thompson(mark(A) >> skip(B).star() >> skip(A)).without_epsilon()
    with pytest.raises(UnsupportedError, match="window of 3 events bounds the marked events") as caught:
        srt.complement(window=EventWindow(3))
    assert "a match may end with an event that is not marked" in str(caught.value)
    assert "skip event where type = 'A'  <- not marked" in str(caught.value)


def test_a_window_in_time_is_no_bound_on_events() -> None:
    with pytest.raises(UnsupportedError, match="in time bounds no number of events"):
        PAIR.determinize(window=TimeWindow(Duration(3, "s")))


def test_a_long_walk_is_shortened() -> None:
    srt = thompson((mark() >> skip(A)).repeat(10, 10) >> skip().star()).without_epsilon()
    with pytest.raises(UnsupportedError) as caught:
        srt.determinize()
    lines = str(caught.value).splitlines()
    assert "  ... 13 more ..." in lines
    assert len(lines) == 12


def test_an_automaton_without_loops_needs_no_window() -> None:
    srt = thompson(mark(A, r1) >> skip().optional() >> mark(B & SAME))
    assert srt.determinize() == srt.determinize(window=3) == srt.determinize(window=LengthWindow(3))


@pytest.mark.parametrize("streaming", [False, True])
def test_methods_say_what_the_constructions_say(streaming: bool) -> None:
    from mnemata.automata.constructions.complement import complement
    from mnemata.automata.constructions.ring_buffer import determinize

    assert PAIR.determinize(window=3, streaming=streaming) == determinize(PAIR, window=3, streaming=streaming)
    assert PAIR.complement(window=3, within=True) == complement(PAIR, window=3, within=True)


@pytest.mark.parametrize("budget", [Budget(states=20), Budget(transitions=20), Budget(seconds=0.05)])
def test_constructions_stop_at_the_budget(budget: Budget) -> None:
    with pytest.raises(LimitError, match=r"limit of .* was reached \(\d+ states?, \d+ transitions?"):
        PAIR.determinize(window=500, budget=budget)
    with pytest.raises(LimitError):
        PAIR.complement(window=500, budget=budget)


def test_what_is_complete_stays_as_it_is() -> None:
    whole = complete(PAIR.determinize(window=2))
    assert complete(whole) == whole
