"""Claims about formulas made of automata: CEL Thm 6.3, Cor. 6.4, Thm 8.9 (ERRATA B4, B9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.cea import runs, star_runs
from mnemata.automata.cea.automaton import CEA
from mnemata.automata.constructions.cea.formulas import (
    formula_of,
    formula_of_as_published,
    star_formula_of,
    star_formula_of_as_published,
)
from mnemata.automata.constructions.cea.star import star_automaton
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.cel.compiling import Instance as FormulaAndStream
from mnemata.proofs.cel.compiling import is_brief, made
from mnemata.proofs.cel.determinizing import Instance
from mnemata.proofs.cel.enumerating import LETTERS, ONE_LABEL, TWO_LABELS, automata, formulas
from mnemata.proofs.cel.proving import over_all_streams
from mnemata.proofs.cel.symbolic import complex_events, difference, runs_along, valuations_along
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS, Stream, streams
from mnemata.proofs.generators.cea import ceas, event_types
from mnemata.proofs.generators.cel import CEL_STAR_OPERATORS, cel_formulas, words
from mnemata.theory.cel import semantics
from mnemata.theory.cel.binding import is_unary
from mnemata.theory.cel.formulas import (
    Contiguous,
    ContiguousIteration,
    Filter,
    Formula,
    In,
    Iteration,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Unless,
)
from mnemata.theory.cel.predicates import Predicate
from mnemata.theory.cel.rewriting import is_in_fragment
from mnemata.theory.cel.valuations import ComplexEvent
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.trees import walk

ToFormula: TypeAlias = Callable[[CEA], Formula]
ComplexEvents: TypeAlias = frozenset[ComplexEvent]

OPERATORS: Final = (Relation, In, Filter, Contiguous, ContiguousIteration, Projection, Start, Or)
"""What Thm 6.3 and Cor. 6.4 make formulas of."""

_AUTOMATA = ceas(states=(1, 3), transitions=(1, 6))
_PLAIN = ceas(states=(1, 2), transitions=(1, 3), asked=event_types())


def with_types(stream: Stream) -> Stream:
    """The stream with a type for events that have none, which formulas cannot read."""
    return TICKS.stream([(event["type"] or "A", *event.values[1:]) for event in stream])


INSTANCES: st.SearchStrategy[Instance] = st.tuples(_AUTOMATA, streams(min_size=1, max_size=4).map(with_types))
SMALL: st.SearchStrategy[Instance] = st.tuples(_PLAIN, words(max_size=4))


def published(cea: CEA) -> Formula:
    """The formula of the proof of Thm 6.3."""
    return formula_of_as_published(cea, TICKS)


def repaired(cea: CEA) -> Formula:
    """The formula of Thm 6.3 as ERRATA B4 has it."""
    return formula_of(cea, TICKS)


def marking_alone(instance: Instance) -> Instance:
    """The automaton without its unmarked transitions."""
    cea, stream = instance
    transitions = tuple(t for t in cea.transitions if t.marking)
    return CEA(cea.size, transitions, cea.initials, cea.finals), stream


def elimination_is_exact(
    to_formula: ToFormula, instances: st.SearchStrategy[Instance], what: str
) -> Claim[Instance]:
    """Thm 6.3: the same valuations, and no operators but those promised."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        formula = to_formula(cea)
        same = semantics.valuations_along(formula, stream) == runs.valuations_along(cea, stream)
        return same and has_only_promised_operators(formula)

    return Claim(f"{what}: automaton and formula have the same valuations", "Thm 6.3", instances, holds)


def published_elimination_keeps_what_is_not_empty() -> Claim[Instance]:
    """Thm 6.3 as published, for complex events with at least one position."""

    def both(instance: Instance) -> tuple[list[ComplexEvents], list[ComplexEvents]]:
        cea, stream = instance
        expected = runs.complex_events_along(cea, stream)
        found = semantics.complex_events_along(published(cea), stream)
        return [_not_empty(here) for here in expected], [_not_empty(here) for here in found]

    def holds(instance: Instance) -> bool:
        expected, found = both(instance)
        return expected == found

    def exhibit(instance: Instance) -> Exhibit:
        cea, stream = instance
        wrong = (n for n, (e, f) in enumerate(zip(*both(instance), strict=True)) if e != f)
        n = next(wrong, len(stream) - 1)
        expected, found = (found[n] for found in both(instance))
        shown = (("the formula's automaton", made(published(cea))), ("the automaton", cea))
        return Exhibit(stream[: n + 1], expected, found, shown)

    return Claim("as published, of complex events that are not empty", "Thm 6.3", SMALL, holds, exhibit)


def _not_empty(found: ComplexEvents) -> ComplexEvents:
    return frozenset(c for c in found if c)


def has_only_promised_operators(formula: Formula) -> bool:
    """Whether a formula is unary and made of the operators of Cor. 6.4."""
    nodes = walk(formula, down_to=(Predicate,))
    return is_unary(formula) and all(isinstance(n, (*OPERATORS, Predicate)) for n in nodes)


def wrongly_eliminated(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That an automaton and its formula differ, for all with up to ``effort.parts`` transitions."""
    for transitions in range(effort.parts + 1):
        for cea in automata(transitions, TWO_LABELS if transitions < 2 else ONE_LABEL):
            written = valuations_along(formula_of(cea, LETTERS), string.events, LETTERS)
            yield difference(written, runs_along(cea, string.events))


proofs_of_elimination: Final = over_all_streams(wrongly_eliminated, typed=True)
"""Thm 6.3 for every automaton of two states with few transitions."""

_COMPILED = cel_formulas(operators=(Sequencing, Iteration, Unless, In, Start), depth=2).filter(is_brief)


def few_operators_are_enough() -> Claim[FormulaAndStream]:
    """Cor. 6.4: through an automaton to a formula of seven operators."""

    def holds(instance: FormulaAndStream) -> bool:
        formula, stream = instance
        again = repaired(made(formula))
        same = semantics.valuations_along(again, stream) == semantics.valuations_along(formula, stream)
        return same and has_only_promised_operators(again)

    instances = st.tuples(_COMPILED, words(max_size=4))
    return Claim("seven operators say what all of them say", "Cor. 6.4", instances, holds)


def wrongly_returned(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That a formula differs from that of its automaton, for all of few operators."""
    for operators in range(effort.parts):
        for formula in formulas(operators):
            again = formula_of(made(formula, LETTERS), LETTERS)
            meant = valuations_along(formula, string.events, LETTERS)
            yield difference(meant, valuations_along(again, string.events, LETTERS))


proofs_of_few_operators: Final = over_all_streams(wrongly_returned, typed=True)
"""Cor. 6.4 for every formula with few operators."""


def published_star(cea: CEA) -> Formula:
    """The formula of the proof of Thm 8.9."""
    return star_formula_of_as_published(cea, TICKS)


def repaired_star(cea: CEA) -> Formula:
    """The formula of Thm 8.9 as ERRATA B9 has it."""
    return star_formula_of(cea, TICKS)


def star_events_along(cea: CEA, stream: Stream) -> list[ComplexEvents]:
    """The complex events of an automaton under the ``*``-semantics, at each position."""
    return [star_runs.star_complex_events(cea, stream, n) for n in range(len(stream))]


def star_elimination_is_exact(
    to_formula: ToFormula, instances: st.SearchStrategy[Instance], what: str
) -> Claim[Instance]:
    """Thm 8.9, from automata: a formula of CEL* with the complex events of the ``*``-semantics."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        formula = to_formula(cea)
        same = semantics.complex_events_along(formula, stream) == star_events_along(cea, stream)
        return same and is_in_fragment(formula) and is_unary(formula)

    def exhibit(instance: Instance) -> Exhibit:
        cea, stream = instance
        found = semantics.complex_events_along(to_formula(cea), stream)
        expected = star_events_along(cea, stream)
        n = next((n for n, here in enumerate(found) if here != expected[n]), len(stream) - 1)
        shown = (("the formula's automaton", made(to_formula(cea))), ("as it should be", star_automaton(cea)))
        return Exhibit(stream[: n + 1], expected[n], found[n], shown)

    return Claim(f"{what}: formulas of CEL* for automata", "Thm 8.9", instances, holds, exhibit)


def star_compilation_is_exact() -> Claim[FormulaAndStream]:
    """Thm 8.9, from formulas: the automaton of a formula of CEL*, under the ``*``-semantics."""

    def holds(instance: FormulaAndStream) -> bool:
        formula, stream = instance
        return star_events_along(made(formula), stream) == semantics.complex_events_along(formula, stream)

    formulas_of_star = cel_formulas(operators=CEL_STAR_OPERATORS, depth=3).filter(is_brief)
    instances = st.tuples(formulas_of_star, words(max_size=4))
    return Claim("automata under the *-semantics for formulas of CEL*", "Thm 8.9", instances, holds)


def wrongly_starred(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That ``*``-semantics and formula differ, for all with up to ``effort.parts`` marking transitions."""
    for transitions in range(effort.parts + 1):
        for cea in automata(transitions, TWO_LABELS[1:]):
            written = valuations_along(star_formula_of(cea, LETTERS), string.events, LETTERS)
            found = runs_along(star_automaton(cea), string.events)
            yield difference(*([complex_events(here) for here in one] for one in (written, found)))


proofs_of_star_elimination: Final = over_all_streams(wrongly_starred, typed=True)
"""Thm 8.9 for every automaton of two states with few transitions, all marking."""
