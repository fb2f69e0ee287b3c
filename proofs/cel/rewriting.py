"""Claims about contiguity written in other ways: CEL Section 8.2, App. B, C and E (ERRATA B10, B11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.bounded import Proof
from mnemata.proofs.cel.compiling import Instance
from mnemata.proofs.cel.enumerating import CORRELATIONS, FILTERS, LETTERS, formulas
from mnemata.proofs.cel.proving import over_all_streams
from mnemata.proofs.cel.symbolic import Found, collected, complex_events, difference, valuations_along
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS, Stream, streams
from mnemata.proofs.generators.cel import CEL_STAR_OPERATORS, RELATIONS, cel_formulas, predicates_over, words
from mnemata.theory.cel import semantics
from mnemata.theory.cel.formulas import (
    Contiguous,
    ContiguousIteration,
    Filter,
    Formula,
    In,
    Iteration,
    Or,
    Relation,
    Sequencing,
    Strict,
    variables_of,
)
from mnemata.theory.cel.predicates import (
    Compared,
    ForAll,
    Measure,
    Negated,
    Predicate,
    for_all,
    rename_variables,
    variables_read,
)
from mnemata.theory.cel.rewriting import (
    contiguous_alternatives,
    contiguous_alternatives_as_published,
    contiguous_iterations,
    contiguous_sequences,
    is_in_fragment,
    strict_iteration,
)
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.terms import Constant
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.translation.event_types import nothing
from mnemata.theory.trees import Node, transform, walk

Law: TypeAlias = Callable[[Formula], Formula]
Form: TypeAlias = Callable[[Formula], bool]


def fragment(*extra: type[Formula], depth: int = 3, unary: bool = False) -> st.SearchStrategy[Formula]:
    """Formulas of CEL* with some more operators."""
    return cel_formulas(operators=(*CEL_STAR_OPERATORS, *extra), depth=depth, unary=unary)


def over(formulas_of: st.SearchStrategy[Formula], *, max_size: int = 5) -> st.SearchStrategy[Instance]:
    """Formulas with streams."""
    return st.tuples(formulas_of, words(max_size=max_size) | streams(min_size=1, max_size=max_size))


def of_cel_star_and(*extra: type[Formula]) -> Form:
    """Whether a formula is made of the operators of CEL* and of these."""
    return lambda formula: is_in_fragment(formula, *extra)


def binds_event_types_alone(formula: Formula) -> bool:
    """Whether every ``IN`` is right at an event type, or at another ``IN`` that is."""
    return all(isinstance(node.body, Relation | In) for node in walk(formula) if isinstance(node, In))


def keeps_valuations(
    law: Law, instances: st.SearchStrategy[Instance], what: str, source: str, *, form: Form | None = None
) -> Claim[Instance]:
    """A law changes no valuation, on the variables of the formula; `form` is what it ends in."""

    def holds(instance: Instance) -> bool:
        formula, stream = instance
        rewritten, shown = law(formula), variables_of(formula)
        before = semantics.valuations_over_intervals(formula, stream)
        after = semantics.valuations_over_intervals(rewritten, stream)
        same = all(before[at] == {mu.restrict(shown) for mu in after[at]} for at in before)
        return same and (form is None or form(rewritten))

    return Claim(what, source, instances, holds, lambda i: _exhibit(law, *i))


def keeps_complex_events(
    law: Law, instances: st.SearchStrategy[Instance], what: str, source: str
) -> Claim[Instance]:
    """A law changes no complex event at any position."""

    def holds(instance: Instance) -> bool:
        formula, stream = instance
        before = semantics.complex_events_along(formula, stream)
        return before == semantics.complex_events_along(law(formula), stream)

    return Claim(what, source, instances, holds, lambda i: _exhibit(law, *i))


def _exhibit(law: Law, formula: Formula, stream: Stream) -> Exhibit:
    before = semantics.complex_events_along(formula, stream)
    after = semantics.complex_events_along(law(formula), stream)
    return Exhibit(stream, before, after)


def changed(law: Law, formula: Formula, string: SymbolicString, *, labels: bool = True) -> Condition:
    """That a law changes the valuations, or the complex events, that a formula finds over a stream."""
    before, after = (valuations_along(one, string.events, LETTERS) for one in (formula, law(formula)))
    if labels:
        shown = variables_of(formula)
        return difference(before, [_shown(found, shown) for found in after])
    return difference(*([complex_events(found) for found in side] for side in (before, after)))


def _shown(found: Found, variables: frozenset[Variable]) -> Found:
    return collected((mu.restrict(variables), condition) for mu, condition in found.items())


def proofs_of_law(law: Law, *extra: type[Formula]) -> Callable[[Effort], Iterator[Proof]]:
    """A law keeps the valuations of all formulas of CEL* and `extra` with few operators."""

    def wrong(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
        for operators in range(effort.parts + 1):
            kinds = frozenset((*CEL_STAR_OPERATORS, *extra))
            for formula in formulas(operators, kinds, (*FILTERS, *CORRELATIONS)):
                if any(isinstance(node, extra) for node in walk(formula)):
                    yield changed(law, formula, string)

    return over_all_streams(wrong)


# The examples of Section 8.2.

_A, _B, _C = (Relation(name) for name in RELATIONS)
EXAMPLES: Final[tuple[tuple[Formula, Formula], ...]] = (
    (Contiguous((_A, _B)), Strict(_A >> _B)),
    (ContiguousIteration(_A), Strict(Iteration(_A))),
    (
        _A >> Contiguous((Iteration(_B), _C)),
        _A >> (Strict(_B >> _C) | (Iteration(_B) >> Strict(_B >> _C))),
    ),
)
"""Formulas with ``:`` and ``(+)``, and what the paper gives for them."""


def examples_are_equivalent() -> Claim[tuple[Formula, Formula, Stream]]:
    """Section 8.2: what is given for ``R : S``, ``R (+)`` and ``R ; T+ : U``."""

    def holds(instance: tuple[Formula, Formula, Stream]) -> bool:
        one, other, stream = instance
        return semantics.valuations_along(one, stream) == semantics.valuations_along(other, stream)

    instances = st.tuples(st.sampled_from(EXAMPLES), words(max_size=6)).map(
        lambda drawn: (*drawn[0], drawn[1])
    )
    return Claim("the examples are equivalent", "Section 8.2", instances, holds)


def differing_examples(_: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That two formulas of an example differ."""
    for one, other in EXAMPLES:
        yield difference(*(valuations_along(formula, string.events, TICKS) for formula in (one, other)))


proofs_of_examples: Final = over_all_streams(differing_examples, schema=TICKS, longer=2)


# App. B as published: renaming where copying is needed (ERRATA B10).


def renamed(formula: Formula, variable: Variable, other: Variable) -> Formula:
    """``formula^{A -> A'}``: every occurrence replaced. If A is an event type, nothing is of type A'."""

    def rewrite(node: Node) -> Node:
        match node:
            case Relation(name=name) if name == variable:
                return nothing(TICKS)
            case In(body=body, variable=name) if name == variable:
                return In(body, other)
            case Filter(body=body, predicate=predicate):
                return Filter(body, rename_variables(predicate, {variable: other}))
        return node

    return as_formula(transform(formula, rewrite))


def as_formula(node: Node) -> Formula:
    """A node that is a formula."""
    if not isinstance(node, Formula):
        raise UnsupportedError(f"{node!r} is not a formula")
    return node


def binding_through_a_filter(formula: Formula) -> Formula:
    """``(f FILTER P(A)) IN A == (f^{A -> A'} IN A) FILTER P(A')``, App. B."""
    match formula:
        case In(body=Filter(body=body, predicate=predicate), variable=name):
            old = f"{name}_old"
            return Filter(In(renamed(body, name, old), name), rename_variables(predicate, {name: old}))
    raise UnsupportedError("the law is about (f FILTER P) IN A")


@st.composite
def bound_after_filtering(draw: st.DrawFn) -> Formula:
    """``(f FILTER P(A)) IN A``, where A may be an event type."""
    body = draw(fragment(depth=1))
    name = draw(st.sampled_from(sorted(variables_of(body))))
    return In(Filter(body, draw(predicates_over((name,)))), name)


def contiguous_after_a_filter(formula: Formula) -> Formula:
    """``((f FILTER P(A)) : g) FILTER Q(B)`` as in App. B: A renamed on the left, Q asked of both names."""
    match formula:
        case Filter(body=Contiguous(parts=(Filter(body=left, predicate=inner), right)), predicate=outer):
            names = {name: f"{name}_old" for name in sorted(variables_read(inner) - frozenset(RELATIONS))}
            for name, old in names.items():
                left = renamed(left, name, old)
            joined = Filter(Contiguous((left, right)), rename_variables(inner, names))
            return Filter(Filter(joined, outer), rename_variables(outer, names))
    raise UnsupportedError("the law is about ((f FILTER P) : g) FILTER Q")


@st.composite
def filtered_contiguously(draw: st.DrawFn) -> Formula:
    """``((f FILTER P(A)) : g) FILTER Q(B)``, with a variable other than an event type on both sides."""
    left, right = (In(draw(fragment(depth=draw(st.integers(0, 1)))), "X") for _ in range(2))
    inner = Filter(left, draw(_about("X")))
    names = sorted(variables_of(left) | variables_of(right))
    outer = draw(st.sampled_from(names).flatmap(_about))
    return Filter(Contiguous((inner, right)), outer)


def _about(name: Variable) -> st.SearchStrategy[Predicate]:
    """All events have a number, or not all, or there are so many, or they agree with others."""
    numbers = st.integers(1, 2)
    has = numbers.map(lambda number: for_all(register(name).id == number))
    many = numbers.map(lambda count: Compared("=", Measure("count", name), Constant(count)))
    agree = st.sampled_from(("X", *RELATIONS)).map(
        lambda other: ForAll(register(name).id == register(other).id)
    )
    return has | many | has.map(Negated) | agree


def longer_words(size: int) -> st.SearchStrategy[Stream]:
    """Streams of just so many events of two types."""
    letters = st.lists(st.sampled_from("AB"), min_size=size, max_size=size)
    return letters.map(lambda word: TICKS.stream([(kind, 1, 1.0, at) for at, kind in enumerate(word)]))


def _two_letters() -> st.SearchStrategy[Formula]:
    return st.sampled_from((_A, _B))


ALTERNATIVES: Final[st.SearchStrategy[Instance]] = st.tuples(
    st.builds(lambda a, b, c: ContiguousIteration(a | (b >> c)), *(_two_letters() for _ in range(3))),
    longer_words(7),
)
"""``(a OR (b ; c))(+)``, with streams in which five rounds of it can follow one another."""


# App. E: each step of Prop. 8.15.


def steps(formula: Formula) -> Formula:
    """The law of App. E for ``f (+)``, by what f is."""
    if not isinstance(formula, ContiguousIteration):
        raise UnsupportedError("the laws are about f (+)")
    match formula.body:
        case Sequencing():
            return contiguous_sequences(formula)
        case Iteration():
            return contiguous_iterations(formula)
        case Or():
            return contiguous_alternatives(formula)
    return strict_iteration(formula)


def alternatives_as_published(formula: Formula) -> Formula:
    """The law for ``(f OR g)(+)`` as in App. E (ERRATA B11)."""
    if not isinstance(formula, ContiguousIteration):
        raise UnsupportedError("the law is about (f OR g)(+)")
    return contiguous_alternatives_as_published(formula)


@st.composite
def contiguously_iterated(
    draw: st.DrawFn, kinds: tuple[str, ...] = ("single", "strict", ";", "+", "or")
) -> Formula:
    """``f (+)`` with f of each kind that App. E has a law for."""
    parts = fragment(depth=1)
    match draw(st.sampled_from(kinds)):
        case "single":
            return ContiguousIteration(draw(cel_formulas(operators=(In, Or), depth=1)))
        case "strict":
            return ContiguousIteration(Strict(draw(parts)))
        case ";":
            return ContiguousIteration(draw(parts) >> draw(parts))
        case "+":
            return ContiguousIteration(Iteration(draw(parts)))
    return ContiguousIteration(draw(parts) | draw(parts))


def wrong_steps(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That a law of App. E changes something, for all f with up to ``effort.parts`` operators."""
    kinds = frozenset((*CEL_STAR_OPERATORS, Strict))
    for operators in range(effort.parts + 1):
        for body in formulas(operators, kinds):
            if isinstance(body, Relation | Sequencing | Iteration | Or | Strict):
                yield changed(steps, ContiguousIteration(body), string)


proofs_of_steps: Final = over_all_streams(wrong_steps, longer=1)
"""The laws of App. E, over longer streams."""
