"""Claims about selection strategies: CEL Lemma 7.1, Section 7.1, Thm 7.2 (ERRATA B5, B6, B8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import z3
from hypothesis import strategies as st

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA, UNMARKED
from mnemata.automata.constructions.cea.selection import SELECTIONS
from mnemata.automata.constructions.cea.selection_as_published import (
    last_as_published,
    max_as_published,
    next_as_published,
)
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.cel.compiling import Instance as FormulaAndStream
from mnemata.proofs.cel.determinizing import Instance, is_deterministic_over, is_single_valued
from mnemata.proofs.cel.enumerating import LETTERS, TWO_LABELS, automata
from mnemata.proofs.cel.proving import over_all_streams
from mnemata.proofs.cel.symbolic import Found, difference, runs_along, selected
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.evidence import Effort, Obligation
from mnemata.proofs.generators import TICKS, Stream, streams
from mnemata.proofs.generators.cea import ONE_VARIABLE, X, Y, ceas, event_types
from mnemata.proofs.generators.cel import CEL_STAR_OPERATORS, RELATIONS, cel_formulas, words
from mnemata.theory.cel import semantics
from mnemata.theory.cel.formulas import Last, Max, Nxt, Relation, Strategy, Strict, sequence
from mnemata.theory.cel.semantics import Valuations, last_before, next_before, select
from mnemata.theory.cel.valuations import ComplexEvent
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.schema import Schema

Construction: TypeAlias = Callable[[CEA, Schema], CEA]
Three: TypeAlias = tuple[ComplexEvent, ComplexEvent, ComplexEvent]
Before: TypeAlias = Callable[[ComplexEvent, ComplexEvent], bool]

PUBLISHED: Final[Mapping[type[Strategy], Construction]] = {
    Nxt: next_as_published,
    Last: last_as_published,
    Max: max_as_published,
}

ANY: st.SearchStrategy[Instance] = st.tuples(
    ceas(states=(2, 4), transitions=(4, 8)), words(min_size=2, max_size=4) | streams(min_size=2, max_size=4)
)
ONE_LABEL: st.SearchStrategy[Instance] = st.tuples(
    ceas(label_sets=ONE_VARIABLE, states=(2, 4), transitions=(3, 8)), words(min_size=2, max_size=5)
)
SMALL: st.SearchStrategy[Instance] = st.tuples(
    ceas(label_sets=(UNMARKED, X, Y), states=(1, 3), transitions=(3, 6), asked=event_types()),
    words(min_size=2, max_size=3),
)


def kept(strategy: type[Strategy], found: Valuations) -> Valuations:
    """The valuations at one position that a strategy keeps, by definition."""
    best = select(strategy(Relation("R")), {mu.support for mu in found})
    return frozenset(mu for mu in found if mu.support in best)


def selection_is_exact(
    strategy: type[Strategy], instances: st.SearchStrategy[Instance], construction: Construction, how: str
) -> Claim[Instance]:
    """Thm 7.2: the valuations that the strategy keeps, I/O-determinism, at most exponentially many states."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        found = construction(cea, TICKS)
        small = found.size <= 2 ** (4 * cea.size) and is_single_valued(found)
        right = runs.valuations_along(found, stream) == _meant(strategy, instance)
        return right and small and is_deterministic_over(found, stream)

    name = f"{strategy.__name__.upper()} {how}: keeps the greatest valuations"
    return Claim(name, "Thm 7.2", instances, holds)


def selection_keeps_complex_events(strategy: type[Strategy]) -> Claim[Instance]:
    """Thm 7.2 as published, for complex events alone, which the valuations decide (ERRATA B5)."""
    construction = PUBLISHED[strategy]

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        found = runs.complex_events_along(construction(cea, TICKS), stream)
        return found == [_supports(here) for here in _meant(strategy, instance)]

    def exhibit(instance: Instance) -> Exhibit:
        cea, stream = instance
        made = construction(cea, TICKS)
        pairs = zip(_meant(strategy, instance), runs.valuations_along(made, stream), strict=True)
        wrong = ((n, *pair) for n, pair in enumerate(pairs) if _supports(pair[0]) != _supports(pair[1]))
        n, meant, found = next(wrong, (len(stream) - 1, frozenset(), frozenset()))
        return Exhibit(
            stream[: n + 1], meant, found, (("as published", made), ("what is selected from", cea))
        )

    name = f"{strategy.__name__.upper()} as published: keeps the greatest complex events"
    return Claim(name, "Thm 7.2", SMALL, holds, exhibit)


def _meant(strategy: type[Strategy], instance: Instance) -> list[Valuations]:
    """What a strategy keeps at each position, by definition."""
    cea, stream = instance
    return [kept(strategy, found) for found in runs.valuations_along(cea, stream)]


def _supports(found: Valuations) -> frozenset[ComplexEvent]:
    return frozenset(mu.support for mu in found)


def wrongly_selected(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That a strategy keeps something else, for all automata with exactly ``effort.parts`` transitions."""
    for cea in automata(effort.parts, TWO_LABELS):
        found = runs_along(cea, string.events)
        for strategy, construction in SELECTIONS.items():
            selecting = runs_along(construction(cea, LETTERS), string.events)
            yield difference(_best(strategy, found), selecting)


proofs_of_selection: Final = over_all_streams(wrongly_selected)
"""Thm 7.2 as repaired, for every automaton of two states with few transitions."""


def _best(strategy: type[Strategy], found: list[Found]) -> list[Found]:
    return [selected(strategy(Relation("A")), here) for here in found]


def strict_keeps_intervals(*, published: bool) -> Claim[FormulaAndStream]:
    """Section 7.1: ``STRICT`` keeps the valuations whose support is an interval (ERRATA B6)."""
    formulas = cel_formulas(operators=CEL_STAR_OPERATORS, depth=2)
    instances = st.tuples(formulas, words(max_size=4))

    def holds(instance: FormulaAndStream) -> bool:
        formula, stream = instance
        for found in semantics.complex_events_along(formula, stream):
            by_definition = {c for c in found if (_has_no_middle(c) if published else _has_no_gap(c))}
            if by_definition != {c for c in found if _is_interval(c)}:
                return False
        return True

    how = "as printed" if published else "with nothing between left out"
    return Claim(f"STRICT {how} keeps the intervals", "Section 7.1", instances, holds)


def _has_no_middle(c: ComplexEvent) -> bool:
    """As printed: between two positions of `c` there is no position of `c`."""
    return not any(k1 < k < k2 for k1 in c for k in c for k2 in c)


def _has_no_gap(c: ComplexEvent) -> bool:
    """As meant: between two positions of `c` there are positions of `c` alone."""
    return all(k in c for k1 in c for k2 in c for k in range(k1 + 1, k2))


def _is_interval(c: ComplexEvent) -> bool:
    return not c or c == frozenset(range(min(c), max(c) + 1))


def strict_semantics() -> Claim[FormulaAndStream]:
    """``STRICT(f)`` in `theory.cel.semantics`: the valuations of `f` whose support is an interval."""
    instances = st.tuples(cel_formulas(depth=2), words(max_size=4))

    def holds(instance: FormulaAndStream) -> bool:
        formula, stream = instance
        pairs = zip(
            semantics.valuations_along(Strict(formula), stream),
            semantics.valuations_along(formula, stream),
            strict=True,
        )
        return all(found == {mu for mu in of if _has_no_gap(mu.support)} for found, of in pairs)

    return Claim("the semantics of STRICT is as meant", "Section 7.1", instances, holds)


@st.composite
def _sequences(draw: st.DrawFn) -> FormulaAndStream:
    names = draw(st.lists(st.sampled_from(RELATIONS), min_size=2, max_size=3))
    return sequence(*map(Relation, names)), draw(words(min_size=2, max_size=6))


def next_is_greedy() -> Claim[FormulaAndStream]:
    """Section 7: ``NXT(R ; S)`` gives each R with the first S after it alone (ERRATA B8)."""

    def holds(instance: FormulaAndStream) -> bool:
        formula, stream = instance
        found = semantics.complex_events_along(Nxt(formula), stream)
        return found == _greedy(instance)

    return Claim(
        "NXT skips to the next match",
        "Section 7, 7.1",
        _sequences(),
        holds,
        lambda i: Exhibit(i[1], _greedy(i), semantics.complex_events_along(Nxt(i[0]), i[1])),
    )


def _greedy(instance: FormulaAndStream) -> list[frozenset[ComplexEvent]]:
    """At each position what skip-till-next-match gives for a sequence of event types."""
    formula, stream = instance
    names = [getattr(part, "name", "") for part in getattr(formula, "parts", ())]
    ways = (_taken(names, stream, start) for start in range(len(stream)))
    found = [way for way in ways if len(way) == len(names)]
    return [frozenset(frozenset(way) for way in found if way[-1] == n) for n in range(len(stream))]


def _taken(names: list[str], stream: Stream, start: int) -> list[int]:
    """From an event of the first type on, always the next event of the type that is due."""
    taken: list[int] = []
    for n in range(start, len(stream)):
        if len(taken) < len(names) and stream[n]["type"] == names[len(taken)]:
            taken.append(n)
        elif n == start:
            return []
    return taken


def one_is_kept(strategy: type[Strategy]) -> Claim[FormulaAndStream]:
    """``NXT`` and ``LAST`` keep one complex event of each position: the greatest there is."""
    before: Before = next_before if strategy is Nxt else last_before
    instances = st.tuples(cel_formulas(depth=2), words(max_size=5))

    def holds(instance: FormulaAndStream) -> bool:
        formula, stream = instance
        for n, found in enumerate(semantics.complex_events_along(formula, stream)):
            best = semantics.complex_events(strategy(formula), stream, 0, n)
            greatest = {c for c in found if all(before(d, c) for d in found)}
            if best != greatest or len(best) != min(1, len(found)):
                return False
        return True

    name = f"{strategy.__name__.upper()} keeps the greatest complex event of each position"
    return Claim(name, "Section 7.1", instances, holds)


_SETS = st.frozensets(st.integers(0, 5))


def is_total_order(name: str, before: Before) -> Claim[Three]:
    """Lemma 7.1, for three complex events."""

    def holds(instance: Three) -> bool:
        a, b, c = instance
        reflexive = before(a, a)
        antisymmetric = not (before(a, b) and before(b, a)) or a == b
        transitive = not (before(a, b) and before(b, c)) or before(a, c)
        return reflexive and antisymmetric and transitive and (before(a, b) or before(b, a))

    return Claim(f"{name} is a total order", "Lemma 7.1", st.tuples(_SETS, _SETS, _SETS), holds)


def order_obligations() -> Iterator[Obligation]:
    """Lemma 7.1 for all sets of whole numbers, and the order of ``LAST``."""
    for name, earlier in (("next", lambda k, at: k < at), ("last", lambda k, at: k > at)):
        yield from _order(name, earlier)


def _order(name: str, earlier: Callable[[Any, Any], Any]) -> Iterator[Obligation]:
    a, b, c = (z3.Function(letter, z3.IntSort(), z3.BoolSort()) for letter in "abc")
    m, n = z3.Ints("m n")
    sooner = z3.If(earlier(m, n), m, n)

    def precedes(one: Any, other: Any, at: Any) -> Any:
        return z3.And(_differ_first(one, other, at, earlier), other(at))

    yield Obligation(f"{name}: antisymmetric", (precedes(a, b, m),), z3.Not(precedes(b, a, n)))
    yield Obligation(f"{name}: transitive", (precedes(a, b, m), precedes(b, c, n)), precedes(a, c, sooner))
    yield Obligation(
        f"{name}: total", (_differ_first(a, b, m, earlier),), z3.Or(precedes(a, b, m), precedes(b, a, m))
    )


def _differ_first(one: Any, other: Any, at: Any, earlier: Callable[[Any, Any], Any]) -> Any:
    """`at` is in just one of two sets, and nothing earlier is."""
    k = z3.Int("k")
    return z3.And(one(at) != other(at), z3.ForAll(k, z3.Implies(earlier(k, at), one(k) == other(k))))
