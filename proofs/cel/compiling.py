"""Claims about formulas and the automata made of them: CEL Thm 6.2 (ERRATA B1, B2, B3)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA
from mnemata.automata.constructions.cea.compilation import automaton
from mnemata.automata.constructions.cea.products import interleaving_as_published, unless_as_published
from mnemata.automata.constructions.cea.sequencing import contiguous_iteration_as_published
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.cel.enumerating import LETTERS, formulas
from mnemata.proofs.cel.proving import over_all_streams
from mnemata.proofs.cel.symbolic import difference, runs_along, valuations_along
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS, Stream, streams
from mnemata.proofs.generators.cel import OPERATORS, RELATIONS, cel_formulas, words
from mnemata.theory.cel import semantics
from mnemata.theory.cel.binding import bind_formula
from mnemata.theory.cel.formulas import (
    All,
    Contiguous,
    ContiguousIteration,
    Filter,
    Formula,
    In,
    Iteration,
    Max,
    Nxt,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Unless,
    Within,
)
from mnemata.theory.cel.predicates import Predicate
from mnemata.theory.cel.semantics import Interval, Valuations
from mnemata.theory.cel.valuations import Valuation
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.errors import ContradictionWarning, UnsupportedError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.bounds import TimeWindow
from mnemata.theory.trees import transform, walk

Instance: TypeAlias = tuple[Formula, Stream]
Compiler: TypeAlias = Callable[[Formula], CEA]
"""How the automaton of a formula over `TICKS` is made."""


def made(formula: Formula, schema: Schema = TICKS) -> CEA:
    """The automaton of a unary formula; filters that nothing passes are no mistake here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ContradictionWarning)
        return automaton(bind_formula(formula, schema), schema)


def over_intervals(cea: CEA, stream: Stream) -> dict[Interval, Valuations]:
    """The valuations of an automaton that reads each interval by itself (proof of Thm 6.2)."""
    return {
        (i, i + n): frozenset(shifted(mu, i) for mu in found)
        for i in range(len(stream))
        for n, found in enumerate(runs.valuations_along(cea, stream[i:]))
    }


def shifted(mu: Valuation, offset: int) -> Valuation:
    """A valuation with all positions increased."""
    return Valuation((name, [p + offset for p in at]) for name, at in mu.contents)


def is_brief(formula: Formula) -> bool:
    """Whether its filters are not much longer than what they filter."""
    return sum(isinstance(n, Predicate) for n in walk(formula)) <= 8


def is_countable(formula: Formula) -> bool:
    """Whether it is brief and has no windows in time, which states cannot count."""
    timed = any(isinstance(n, Within) and isinstance(n.window, TimeWindow) for n in walk(formula))
    return is_brief(formula) and not timed


_LABELLED = cel_formulas(operators=(In, Or, Projection), depth=2)


@st.composite
def single_operators(draw: st.DrawFn) -> Formula:
    """One operator, over formulas with different labels."""
    kind = draw(st.sampled_from(OPERATORS))
    bare = cel_formulas(operators=(kind,), depth=1)
    formula = draw(bare.filter(lambda f: isinstance(f, kind) and is_countable(f)))
    if kind is Filter:
        return formula
    parts = {name: draw(_LABELLED) for name in RELATIONS}
    found = transform(formula, lambda node: parts[node.name] if isinstance(node, Relation) else node)
    return found if isinstance(found, Formula) else formula


SINGLE: st.SearchStrategy[Instance] = st.tuples(
    single_operators(), words(max_size=4) | streams(min_size=1, max_size=5)
)
NESTED: st.SearchStrategy[Instance] = st.tuples(
    cel_formulas(depth=4).filter(is_countable), streams(min_size=1, max_size=4)
)
_MATCHING = (
    In,
    Sequencing,
    Iteration,
    Contiguous,
    ContiguousIteration,
    Or,
    All,
    Unless,
    Projection,
    Nxt,
    Max,
)
MATCHING: st.SearchStrategy[Instance] = st.tuples(
    cel_formulas(operators=_MATCHING, depth=3), words(min_size=3, max_size=4)
)
"""Of operators that seldom match nothing, nested."""

_PARTS = cel_formulas(operators=(Start, In, Or, Iteration), depth=1)
_FEW = words(max_size=3)
CONTIGUOUS_ITERATIONS: st.SearchStrategy[Instance] = st.tuples(_PARTS.map(ContiguousIteration), _FEW)
INTERLEAVINGS: st.SearchStrategy[Instance] = st.tuples(st.tuples(_PARTS, _PARTS).map(All), _FEW)
GUARDED: st.SearchStrategy[Instance] = st.tuples(st.builds(Unless, _PARTS, _PARTS), _FEW)


def published(formula: Formula) -> CEA:
    """The automaton with the outermost operator as in the proof of Thm 6.2 (ERRATA B1, B2, B3)."""
    match formula:
        case ContiguousIteration(body=body):
            return contiguous_iteration_as_published(made(body))
        case All(parts=(left, right)):
            return interleaving_as_published(made(left), made(right), TICKS)
        case Unless(body=body, guard=guard):
            return unless_as_published(made(body), made(guard), TICKS)
    raise UnsupportedError(f"{type(formula).__name__} is published as it is")


def completely_guarded(formula: Formula) -> CEA:
    """``UNLESS`` as in the proof of Thm 6.2, with an automaton that reads every event (ERRATA B3)."""
    if not isinstance(formula, Unless):
        raise UnsupportedError(f"{type(formula).__name__} has no guard")
    return unless_as_published(made(formula.body), made(formula.guard), TICKS, complete=True)


def compilation_is_exact(
    instances: st.SearchStrategy[Instance], what: str, compiler: Compiler = made
) -> Claim[Instance]:
    """Thm 6.2, (1): the same valuations over every interval of every stream."""

    def holds(instance: Instance) -> bool:
        formula, stream = instance
        return over_intervals(compiler(formula), stream) == semantics.valuations_over_intervals(
            formula, stream
        )

    return Claim(
        f"{what}: formula and automaton have the same valuations",
        "Thm 6.2",
        instances,
        holds,
        lambda instance: _exhibit(*instance, compiler),
    )


def _exhibit(formula: Formula, stream: Stream, compiler: Compiler) -> Exhibit:
    """The first interval that goes wrong, as a stream of its own."""
    cea, meant = compiler(formula), semantics.valuations_over_intervals(formula, stream)
    found = over_intervals(cea, stream)
    i, j = min((at for at in meant if meant[at] != found[at]), default=(0, len(stream) - 1))
    expected, there = (frozenset(shifted(mu, -i) for mu in table[i, j]) for table in (meant, found))
    again = TICKS.stream([event.values for event in stream[i : j + 1]])
    return Exhibit(again, expected, there, (("as published", cea), ("as repaired", made(formula))))


def miscompiled(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That formula and automaton differ, for every formula with up to two operators."""
    for operators in range(min(effort.parts, 2) + 1):
        for formula in formulas(operators):
            cea = made(formula, LETTERS)
            meant = valuations_along(formula, string.events, LETTERS)
            yield difference(meant, runs_along(cea, string.events))


proofs_of_compilation: Final = over_all_streams(miscompiled)
"""Thm 6.2 for every formula with few operators."""
