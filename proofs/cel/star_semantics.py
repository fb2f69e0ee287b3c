"""Claims about the ``*``-semantics of automata: CEL Def. 8.7 to Cor. 8.11 (ERRATA B9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from hypothesis import strategies as st

from mnemata.automata.cea import runs, star_runs
from mnemata.automata.cea.automaton import CEA
from mnemata.automata.constructions.cea.formulas import star_formula_of
from mnemata.automata.constructions.cea.star import star_automaton
from mnemata.automata.constructions.cea.union import union
from mnemata.automata.decisions.cea.star_property import StarProperty, has_star_property
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.cel.compiling import Instance as FormulaAndStream
from mnemata.proofs.cel.compiling import made
from mnemata.proofs.cel.determinizing import Instance
from mnemata.proofs.cel.eliminating import star_events_along
from mnemata.proofs.cel.enumerating import LETTERS, TWO_LABELS, automata, formulas
from mnemata.proofs.cel.proving import over_all_streams
from mnemata.proofs.cel.starring import ANY, CEL_STAR, UNARY_CEL_STAR, Candidate
from mnemata.proofs.cel.symbolic import complex_events, difference, runs_along, valuations_along
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS, Stream
from mnemata.proofs.generators.cea import X, Y, ceas, event_types
from mnemata.proofs.generators.cel import CEL_STAR_OPERATORS, cel_formulas, words
from mnemata.theory.cel import semantics
from mnemata.theory.cel.formulas import All, And
from mnemata.theory.cel.rewriting import is_in_fragment
from mnemata.theory.cel.valuations import Valuation
from mnemata.theory.conditions.formulas import Condition

AUTOMATA: st.SearchStrategy[Instance] = st.tuples(ceas(states=(1, 3), transitions=(1, 6)), ANY)
_STARS = ceas(states=(1, 2), transitions=(1, 4), asked=event_types()).map(star_automaton)
_COMPILED = UNARY_CEL_STAR.map(made)
WITH_PROPERTY: st.SearchStrategy[Instance] = st.tuples(_STARS | _COMPILED, words(max_size=4))
"""Automata that have the ``*``-property by the way they are made."""


def runs_that_mark_everything_are_star_runs(*, published: bool) -> Claim[Instance]:
    """Def. 8.7: a run that marks every event is a ``*``-run, as the proof of Prop. 8.8 takes it to be.

    As published the first event of a stream is never read: positions are to be above 0 (ERRATA B9).
    """
    found_by = star_runs.star_valuations_as_published if published else star_runs.star_valuations

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        return all(
            run.valuation in found_by(cea, stream, n)
            for n in range(len(stream))
            for run in runs.accepting_runs(cea, stream, n)
            if all(t.marking for t in run.transitions)
        )

    first = "0 < i_1" if published else "0 <= i_1"
    return Claim(f"runs that mark every event are *-runs, {first}", "Def. 8.7", AUTOMATA, holds)


def star_runs_are_runs_between_any_events() -> Claim[Instance]:
    """Def. 8.7: a ``*``-run is a run of marking transitions over a subsequence that ends at the position."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        return all(
            star_runs.star_valuations(cea, stream, n) == _by_subsequences(cea, stream, n)
            for n in range(len(stream))
        )

    return Claim("*-runs are runs over subsequences", "Def. 8.7", AUTOMATA, holds)


def _by_subsequences(cea: CEA, stream: Stream, n: int) -> frozenset[Valuation]:
    marking = CEA(cea.size, tuple(t for t in cea.transitions if t.marking), cea.initials, cea.finals)
    return frozenset(
        mu
        for size in range(n + 1)
        for earlier in combinations(range(n), size)
        for mu in _placed(marking, stream, (*earlier, n))
    )


def _placed(cea: CEA, stream: Stream, places: tuple[int, ...]) -> Iterator[Valuation]:
    """The valuations over the events at some places, with positions as in the stream."""
    for mu in runs.valuations(cea, [stream[p] for p in places], len(places) - 1):
        yield Valuation((name, [places[p] for p in at]) for name, at in mu.contents)


def star_semantics_is_exact(*, published: bool) -> Claim[Instance]:
    """Prop. 8.8: with the ``*``-property, the complex events are those of the ``*``-semantics.

    Published is ``0 < i_1`` (ERRATA B9).
    """
    found_by = star_runs.star_valuations_as_published if published else star_runs.star_valuations

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        if not has_star_property(cea, TICKS).yes:
            return True
        found = [frozenset(mu.support for mu in found_by(cea, stream, n)) for n in range(len(stream))]
        return found == runs.complex_events_along(cea, stream)

    first = "0 < i_1" if published else "0 <= i_1"
    return Claim(f"with the *-property both semantics agree, {first}", "Prop. 8.8", WITH_PROPERTY, holds)


@st.composite
def _beside_its_stars(draw: st.DrawFn) -> CEA:
    """An automaton beside its ``*``-automaton, which has other labels."""
    plain = ceas(label_sets=(X,), states=(1, 2), transitions=(1, 2), asked=event_types())
    cea, labels = draw(plain), draw(st.sampled_from((X, Y)))
    other = tuple(replace(t, labels=labels) for t in cea.transitions)
    return union(cea, star_automaton(CEA(cea.size, other, cea.initials, cea.finals)))


def star_semantics_keeps_valuations() -> Claim[Instance]:
    """Prop. 8.8 read of valuations: what was read unmarked may decide about labels, if not about events."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        by_stars = [star_runs.star_valuations(cea, stream, n) for n in range(len(stream))]
        return by_stars == runs.valuations_along(cea, stream) or not has_star_property(cea, TICKS).yes

    def exhibit(instance: Instance) -> Exhibit:
        cea, stream = instance
        n = len(stream) - 1
        expected, found = runs.valuations(cea, stream, n), star_runs.star_valuations(cea, stream, n)
        return Exhibit(stream, expected, found, (("under the *-semantics", star_automaton(cea)), ("A", cea)))

    instances = st.tuples(_beside_its_stars(), words(max_size=3))
    return Claim("with the *-property both have the same valuations", "Prop. 8.8", instances, holds, exhibit)


def the_property_decides() -> Claim[Instance]:
    """Cor. 8.10: with the ``*``-property CEL* has a formula, without it two streams forbid one."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        answer = has_star_property(cea, TICKS)
        if answer.no:
            return is_counterexample(answer, cea)
        formula = star_formula_of(cea, TICKS)
        found = semantics.complex_events_along(formula, stream)
        return is_in_fragment(formula) and found == runs.complex_events_along(cea, stream)

    instances = WITH_PROPERTY | st.tuples(ceas(states=(1, 3), transitions=(1, 6)), words(max_size=4))
    return Claim("the *-property decides whether CEL* has a formula", "Cor. 8.10", instances, holds)


def is_counterexample(answer: StarProperty, cea: CEA) -> bool:
    """Whether two occurrences break Def. 8.4 to the letter."""
    if answer.found is None:
        return False
    (stream, c), last = answer.found, len(answer.found[0]) - 1
    if c not in runs.complex_events(cea, stream, last):
        return False
    if answer.missing is None:
        return last not in c
    other, moved = answer.missing
    alike = [stream[p].values for p in sorted(c)] == [other[p].values for p in sorted(moved)]
    end = len(other) - 1
    return alike and max(moved) == end and moved not in runs.complex_events(cea, other, end)


def formulas_compile_to_the_property() -> Claim[FormulaAndStream]:
    """Cor. 8.10, the other direction: the automaton of a unary formula of CEL* has the ``*``-property."""

    def holds(instance: FormulaAndStream) -> bool:
        formula, stream = instance
        cea = made(formula)
        same = runs.complex_events_along(cea, stream) == star_events_along(cea, stream)
        return same and has_star_property(cea, TICKS).yes

    instances = st.tuples(UNARY_CEL_STAR, words(max_size=4))
    return Claim("automata of CEL* have the *-property", "Cor. 8.10", instances, holds)


def wrongly_characterized(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That automaton and formula of CEL* differ, for all of few transitions with the property."""
    for transitions in range(effort.parts + 1):
        for cea in automata(transitions, TWO_LABELS):
            if has_star_property(cea, LETTERS).yes:
                written = valuations_along(star_formula_of(cea, LETTERS), string.events, LETTERS)
                both = (written, runs_along(cea, string.events))
                yield difference(*([complex_events(here) for here in found] for found in both))


proofs_of_the_characterization: Final = over_all_streams(wrongly_characterized, typed=True)
"""Prop. 8.8 and Cor. 8.10 for every automaton with the property among those of few transitions."""


def conjunctions_are_in_cel_star(kind: type[And] | type[All]) -> Claim[FormulaAndStream]:
    """Cor. 8.11: AND and ALL of unary formulas of CEL* have a formula of CEL*."""

    def holds(instance: FormulaAndStream) -> bool:
        formula, stream = instance
        cea = made(formula)
        again = star_formula_of(cea, TICKS)
        same = semantics.complex_events_along(again, stream) == semantics.complex_events_along(
            formula, stream
        )
        return same and is_in_fragment(again) and has_star_property(cea, TICKS).yes

    pairs = st.tuples(UNARY_CEL_STAR, cel_formulas(operators=CEL_STAR_OPERATORS, depth=1)).map(kind)
    instances = st.tuples(pairs, words(max_size=4))
    return Claim(f"{kind.__name__.upper()} of formulas of CEL* is in CEL*", "Cor. 8.11", instances, holds)


def wrongly_conjoined(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That AND or ALL differs from its formula of CEL*, for all parts of few operators."""
    kinds = frozenset((*CEL_STAR_OPERATORS, And, All))
    for operators in range(1, effort.parts + 1):
        for formula in formulas(operators, kinds):
            if isinstance(formula, And | All) and all(is_in_fragment(part) for part in formula.parts):
                again = star_formula_of(made(formula, LETTERS), LETTERS)
                both = (valuations_along(one, string.events, LETTERS) for one in (formula, again))
                yield difference(*([complex_events(here) for here in found] for found in both))


proofs_of_conjunctions: Final = over_all_streams(wrongly_conjoined, typed=True)
"""Cor. 8.11 for all pairs of formulas of CEL* with few operators."""

ALONE: Final[Stream] = TICKS.stream([("A", 1, 1.0, 0)])


def some_event_type_is_bound() -> Claim[Candidate]:
    """The adversary: no formula of CEL* has the valuation that binds an event of type A to X alone."""
    wanted = frozenset({Valuation({"X": [0]})})

    def holds(instance: Candidate) -> bool:
        return semantics.valuations(instance[0], ALONE, 0, 0) != wanted

    return Claim("no formula of CEL* binds X alone", "after Thm 8.9", st.tuples(CEL_STAR), holds)
