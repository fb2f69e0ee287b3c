"""Compact complex event sets and Alg. 1 and 2 (CEL Section 9) on Fig. 7 and 8, counted in steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA, UNMARKED, Transition
from mnemata.automata.cea.compact_sets import BOTTOM, CompactSet, Listed
from mnemata.automata.cea.enumeration import Steps, enumerate_as_published, enumerate_set
from mnemata.automata.cea.evaluation import Evaluation, evaluate
from mnemata.automata.constructions.cea.normal_form import normal_form
from mnemata.theory.cel.valuations import ComplexEvent
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.errors import PatternError
from mnemata.theory.schema import Event, Schema, String

SCHEMA = Schema.of(type=String())
u = head(SCHEMA)
R, S, U, V, W = (u.type == letter for letter in "RSUVW")
BULLET = frozenset({"A"})
ENUMERATIONS = (enumerate_set, enumerate_as_published)
Enumeration = Callable[[CompactSet, Listed, Steps], Iterator[ComplexEvent]]
enumerations = pytest.mark.parametrize("enumeration", ENUMERATIONS, ids=lambda f: f.__name__)


def word(letters: str) -> tuple[Event, ...]:
    return SCHEMA.stream(list(letters))


def skip(source: int, target: int) -> Transition:
    return Transition(source, TOP, UNMARKED, target)


FIGURE_8 = CEA(
    3,
    (
        skip(0, 0),
        Transition(0, U, BULLET, 1),
        Transition(1, V, BULLET, 1),
        skip(1, 1),
        Transition(1, W, BULLET, 2),
    ),
    {0},
    {2},
)
"""``U ; [(V+ ; W) OR W]``; the figure counts states from 1."""

ITERATION = CEA(
    3,
    (
        skip(0, 0),
        Transition(0, R, BULLET, 1),
        skip(1, 1),
        Transition(1, S, BULLET, 2),
        skip(2, 1),
        Transition(2, S, BULLET, 2),
    ),
    {0},
    {2},
)
"""``R ; S+``."""


def figure_7() -> tuple[CompactSet, dict[int, int]]:
    """The set of Fig. 7, and its nodes by their positions."""
    compact = CompactSet()
    one = compact.extend(1, (BOTTOM, BOTTOM))
    compact.append(one, BOTTOM)
    two, three = compact.extend(2, (one, one)), compact.extend(3, (one, BOTTOM))
    four = compact.extend(4, (BOTTOM, BOTTOM))
    compact.append(two, three)
    compact.append(three, four)
    five, six = compact.extend(5, (two, three)), compact.extend(6, (two, four))
    compact.append(five, six)
    return compact, {1: one, 2: two, 3: three, 4: four, 5: five, 6: six}


@enumerations
@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (5, 6, [{5, 2, 1}, {5, 3, 1}, {5, 3}, {6, 2, 1}, {6, 3, 1}, {6, 3}, {6, 4}]),
        (5, 5, [{5, 2, 1}, {5, 3, 1}, {5, 3}]),
        (2, 4, [{2, 1}, {3, 1}, {3}, {4}]),
    ],
)
def test_figure_7(enumeration: Enumeration, first: int, last: int, expected: list[set[int]]) -> None:
    compact, nodes = figure_7()
    listed = nodes[first], nodes[last]
    assert list(enumeration(compact, listed, Steps())) == [frozenset(found) for found in expected]
    assert compact.complex_events(listed) == {frozenset(found) for found in expected}


def test_bottom_alone_stands_for_the_empty_complex_event() -> None:
    assert list(enumerate_set(CompactSet(), (BOTTOM, BOTTOM))) == [frozenset()]


def test_figure_8_step_by_step() -> None:
    """Nodes 1, 2, 3, 4 stand for positions 0, 1, 2, 3."""
    running = Evaluation(FIGURE_8)
    tables = []
    for event in word("UVVW"):
        running.read(event)
        tables.append(dict(running.table))
    assert tables == [
        {0: (BOTTOM, BOTTOM), 1: (1, 1)},
        {0: (BOTTOM, BOTTOM), 1: (2, 1)},
        {0: (BOTTOM, BOTTOM), 1: (3, 1)},
        {0: (BOTTOM, BOTTOM), 1: (3, 1), 2: (4, 4)},
    ]
    compact = running.compact
    assert [compact.position(node) for node in range(1, len(compact))] == [0, 1, 2, 3]
    assert [compact.children(node) for node in range(1, len(compact))] == [(0, 0), (1, 1), (2, 1), (3, 1)]
    assert compact.next == [None, None, 1, 2, None]
    found = list(running.complex_events())
    assert len(found) == 4
    assert set(found) == {frozenset(c) for c in ({0, 3}, {0, 1, 3}, {0, 2, 3}, {0, 1, 2, 3})}


def test_reads_no_further_than_asked() -> None:
    def endless() -> Iterator[Event]:
        while True:
            yield from word("UW")

    counts = [len(found) for found in islice(evaluate(FIGURE_8, endless()), 6)]
    assert counts == [0, 1, 0, 2, 0, 3]


def test_enumerating_may_wait_until_more_was_read() -> None:
    """Older complex events stay as they were: Section 9.2 on partial persistence."""
    running = Evaluation(ITERATION)
    for event in word("RRSS"):
        running.read(event)
    expected = list(running.complex_events())
    lazily = running.complex_events()
    found = [next(lazily)]
    for event in word("RSS"):
        running.read(event)
        found.append(next(lazily))
    assert [*found, *lazily] == expected
    assert len(expected) == 4


def updates(cea: CEA, stream: tuple[Event, ...]) -> list[int]:
    """The steps of each update phase."""
    running, counts = Evaluation(cea), []
    for event in stream:
        before = running.steps.count
        running.read(event)
        counts.append(running.steps.count - before)
    return counts


@pytest.mark.parametrize("cea", [FIGURE_8, ITERATION], ids=["figure 8", "iteration"])
def test_an_update_takes_a_fixed_number_of_steps(cea: CEA) -> None:
    """Thm 9.1, I: however many complex events there are, here more than ``2 ** 1000``."""
    counts = updates(cea, word("RU" + "SVW" * 1000))
    assert max(counts[10:20]) == max(counts[-10:]) == max(counts)
    assert max(counts) <= len(cea.transitions) + 3 * cea.size


def delays(enumeration: Enumeration, rounds: int) -> list[tuple[int, int]]:
    """``R ; S+`` over many R and two S: the steps before each complex event, with its size."""
    running = Evaluation(ITERATION)
    for event in word("R" * rounds + "SS"):
        running.read(event)
    steps, before, found = Steps(), 0, []
    for complex_event in enumeration(running.compact, running.table[2], steps):
        found.append((steps.count - before, len(complex_event)))
        before = steps.count
    assert len(found) == 2 * rounds
    return [*found, (steps.count - before, 0)]


@pytest.mark.parametrize("rounds", [10, 50, 200, 400])
def test_the_delay_depends_on_the_next_complex_event_alone(rounds: int) -> None:
    """Thm 9.1, II."""
    assert all(steps <= 2 * size + 1 for steps, size in delays(enumerate_set, rounds))
    assert max(steps for steps, _ in delays(enumerate_set, rounds)) == 7


@pytest.mark.parametrize("rounds", [10, 50, 200, 400])
def test_the_delay_of_algorithm_1_as_published_grows_with_the_stream(rounds: int) -> None:
    """ERRATA B12 a: the recursion returns through a whole list before it goes on."""
    longest = max(steps for steps, _ in delays(enumerate_as_published, rounds))
    assert longest == rounds + 8


def test_what_is_not_in_normal_form_is_refused() -> None:
    two_variables = CEA(1, (Transition(0, R, {"A"}, 0), Transition(0, S, {"B"}, 0)), {0}, {0})
    with pytest.raises(PatternError, match=r"marks with one variable, this one with \[\['A'\], \['B'\]\]"):
        Evaluation(two_variables)
    with pytest.raises(PatternError, match=r"with \[\['A', 'B'\]\]; evaluate normal_form"):
        Evaluation(CEA(1, (Transition(0, R, {"A", "B"}, 0),), {0}, {0}))
    for initials in ({0, 1}, set()):
        with pytest.raises(PatternError, match=f"one initial state, not {len(initials)}"):
            Evaluation(CEA(2, (), initials, {0}))


def test_two_transitions_that_compete_for_an_event_are_refused_there() -> None:
    """I/O-determinism is necessary: lists would be shared and complex events repeated (ERRATA B12)."""
    ambiguous = CEA(2, (skip(0, 0), Transition(0, R, UNMARKED, 1), Transition(0, S, BULLET, 1)), {0}, {1})
    running = Evaluation(ambiguous)
    running.read(word("S")[0])
    with pytest.raises(PatternError, match="state 0 can both read without marking the event at position 1"):
        running.read(word("R")[0])
    stream = word("SR")
    assert [set(c) for c in evaluate(normal_form(ambiguous, SCHEMA), stream)] == [
        set(found) for found in runs.complex_events_along(ambiguous, stream)
    ]


def test_a_list_is_continued_once() -> None:
    compact, nodes = figure_7()
    with pytest.raises(PatternError, match=f"something follows node {nodes[5]} already"):
        compact.append(nodes[5], nodes[1])


def test_bottom_has_no_position_and_no_children() -> None:
    compact, nodes = figure_7()
    for asked in (compact.position, compact.children, compact.following):
        with pytest.raises(PatternError, match="that it does not have"):
            asked(BOTTOM)
    with pytest.raises(PatternError, match="that it does not have"):
        list(enumerate_set(compact, (nodes[5], nodes[1])))
