"""Claims about windows: the end of CEL Section 4 (ERRATA B7).

*Windows in time are not unary.* A CEA tests events one by one with finitely many predicates. Of infinitely
many times of an A two, earlier and later, satisfy the same of them; some B comes too late for the earlier and
in time for the later one. No run can tell the two streams apart, though only one has the complex event.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA
from mnemata.automata.constructions.cea.formulas import formula_of
from mnemata.automata.constructions.cea.windowing import within_events
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.cel.compiling import made
from mnemata.proofs.cel.enumerating import LETTERS, formulas
from mnemata.proofs.cel.proving import over_all_streams
from mnemata.proofs.cel.symbolic import difference, runs_along, valuations_along
from mnemata.proofs.claims import Claim
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS, Stream
from mnemata.proofs.generators.cea import ceas
from mnemata.proofs.generators.cel import CEL_STAR_OPERATORS, cel_formulas, words
from mnemata.theory.cel import semantics
from mnemata.theory.cel.binding import is_unary
from mnemata.theory.cel.formulas import Formula, Relation
from mnemata.theory.cel.predicates import for_all
from mnemata.theory.cel.valuations import ComplexEvent
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.sremo.bounds import EventWindow

Windowed: TypeAlias = tuple[Formula, int, Stream]
Candidate: TypeAlias = tuple[CEA]

_SIZES = st.integers(1, 4)
INSTANCES: st.SearchStrategy[Windowed] = st.tuples(
    cel_formulas(operators=CEL_STAR_OPERATORS, depth=2), _SIZES, words(max_size=5)
)


def predicate_bounds_the_width(*, published: bool) -> Claim[Windowed]:
    """Q: the distance of first and last event is below the window; as printed it is the wrong way around."""

    def holds(instance: Windowed) -> bool:
        formula, size, stream = instance
        for n, found in enumerate(semantics.complex_events_along(formula, stream)):
            by_predicate = {c for c in found if _in_q(c, size, published=published)}
            within = semantics.complex_events(formula.within(events=size), stream, 0, n)
            if by_predicate != within:
                return False
        return True

    how = "first - last" if published else "last - first"
    name = f"{how} is less than the size of the window"
    return Claim(name, "Section 4", INSTANCES, holds, members=("formula", "window", "stream"))


def _in_q(c: ComplexEvent, size: int, *, published: bool) -> bool:
    """Whether a complex event is in Q, when events record their positions."""
    if not c:
        return False
    first, last = min(c), max(c)
    return (first - last if published else last - first) < size


def windows_in_events_are_unary() -> Claim[Windowed]:
    """A formula within so many events has an equivalent unary formula without windows."""
    instances = st.tuples(
        cel_formulas(operators=CEL_STAR_OPERATORS, depth=1), st.integers(1, 3), words(max_size=4)
    )

    def holds(instance: Windowed) -> bool:
        formula, size, stream = instance
        written = formula_of(within_events(made(formula), EventWindow(size)), TICKS)
        windowed = formula.within(events=size)
        same = semantics.valuations_along(written, stream) == semantics.valuations_along(windowed, stream)
        return same and is_unary(written)

    return Claim("windows in events are unary", "after Def. 4.1", instances, holds)


def miscounted(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That states count a window wrongly, for every formula of few operators."""
    for operators in range(effort.parts):
        for formula in formulas(operators):
            counted = within_events(made(formula, LETTERS), EventWindow(2))
            meant = valuations_along(formula.within(events=2), string.events, LETTERS)
            yield difference(meant, runs_along(counted, string.events))


proofs_of_windows: Final = over_all_streams(miscounted)

LATE: Final = 5
PATTERN: Final = (Relation("A") >> Relation("B")).within(ms=LATE)


def confused(cea: CEA) -> tuple[Stream, Stream]:
    """Two streams that an automaton over `TICKS` cannot tell apart, of which one has a match of `PATTERN`."""
    seen: dict[tuple[bool, ...], int] = {}
    later = 0
    while True:
        event = _pair(later, later)[0]
        satisfied = tuple(models(event, EMPTY, t.predicate) for t in cea.transitions)
        earlier = seen.setdefault(satisfied, later)
        if earlier != later:
            end = max(later, earlier + LATE)
            return _pair(earlier, end), _pair(later, end)
        later += 1


def _pair(start: int, end: int) -> Stream:
    return TICKS.stream([("A", 1, 1.0, start), ("B", 1, 1.0, end)])


def windows_in_time_are_not_unary() -> Claim[Candidate]:
    """The adversary: on one of two streams the candidate is wrong about `PATTERN`."""

    def holds(instance: Candidate) -> bool:
        (cea,) = instance
        return any(
            runs.complex_events(cea, stream, 1) != semantics.complex_events(PATTERN, stream, 0, 1)
            for stream in confused(cea)
        )

    candidates = st.tuples(ceas(states=(1, 4), transitions=(1, 8)))
    return Claim("no CEA has A ; B within a time", "after Def. 4.1", candidates, holds)


def _by_hand() -> Iterator[Candidate]:
    """Windows in events instead, and tests of the time against a clock."""
    either = Relation("A") >> Relation("B")
    yield from ((within_events(made(either), EventWindow(size)),) for size in (1, 2, 3))
    for moment in range(LATE):
        early, late = (for_all(register(name).at < at) for name, at in (("A", moment), ("B", moment + LATE)))
        yield (made(either.filter(early & late)),)


BY_HAND: Final = tuple(_by_hand())
