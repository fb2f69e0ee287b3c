"""How many strict joins a formula can check: CEL Lemma B.1, Prop. 8.12 (ERRATA B10).

If m event types are written in a formula of CEL* and ``:``, a complex event of more than m events takes one
of them twice, so there are two rounds of some ``+``, with anything allowed between them: another event may be
inserted there. ``STRICT(R+)`` allows none anywhere between its first and its last event.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.cel.compiling import Instance
from mnemata.proofs.cel.enumerating import CORRELATIONS, FILTERS, LETTERS, formulas
from mnemata.proofs.cel.placing import exactly, occurrences
from mnemata.proofs.cel.proving import over_all_streams
from mnemata.proofs.cel.rewriting import as_formula, fragment
from mnemata.proofs.cel.starring import and_not
from mnemata.proofs.cel.symbolic import either, valuations_along
from mnemata.proofs.claims import Claim
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS, Stream
from mnemata.proofs.generators.cel import CEL_STAR_OPERATORS, words
from mnemata.theory.cel import semantics
from mnemata.theory.cel.formulas import Contiguous, Formula, Iteration, Relation, Strict, contiguous
from mnemata.theory.cel.formulas import either as any_of
from mnemata.theory.cel.valuations import Position, Valuation
from mnemata.theory.conditions.formulas import Condition, disjunction
from mnemata.theory.trees import transform

Candidate: TypeAlias = tuple[Formula]

_A: Final = Relation("A")
STRICTLY: Final = Strict(Iteration(_A))
"""``STRICT(R+)``, which CEL* and ``:`` cannot say."""


def insertions(mu: Valuation, *, published: bool) -> range:
    """Before which positions an event may be inserted.

    As published also before the first one, which moves all of the complex event, but not before the last.
    """
    first, last = min(mu.support), max(mu.support)
    return range(first, last) if published else range(first + 1, last + 1)


def moved(mu: Valuation, i: Position) -> Valuation:
    """A valuation after an event was inserted at `i`."""
    return Valuation((name, [p + (p >= i) for p in at]) for name, at in mu.contents)


def inserted(stream: Stream, i: Position) -> Stream:
    """The stream with an event of type C inserted at `i`."""
    rows = [event.values for event in stream]
    return TICKS.stream([*rows[:i], ("C", 0, 0.0, 0), *rows[i:]])


def is_bounded_at(formula: Formula, stream: Stream, mu: Valuation, *, published: bool) -> bool:
    """Whether some insertion into a stream and a valuation that a formula finds there is found too."""
    return any(
        moved(mu, i) in exactly(formula, inserted(stream, i), sorted(moved(mu, i).support))
        for i in insertions(mu, published=published)
    )


def strict_iteration_is_unbounded(*, published: bool) -> Claim[Instance]:
    """App. B: ``STRICT(R+)`` is not strict-bounded; with insertions before the first event it is."""

    def holds(instance: Instance) -> bool:
        formula, stream = instance
        return not any(
            is_bounded_at(formula, stream, mu, published=published)
            for found in semantics.valuations_along(formula, stream)
            for mu in found
            if len(mu.support) > 1
        )

    where = "min <= i < max" if published else "min < i <= max"
    instances = st.tuples(st.just(STRICTLY), words(max_size=5))
    return Claim(f"STRICT(R+) allows no insertion, {where}", "App. B", instances, holds)


@st.composite
def repeating(
    draw: st.DrawFn, inner: st.SearchStrategy[Formula], outer: st.SearchStrategy[Formula]
) -> Formula:
    """A formula about the event types A and B, with an iteration inside of it."""
    iteration = Iteration(_without_third(draw(inner)))
    frame = _without_third(draw(outer))
    place = draw(st.sampled_from((None, "A", "B")))
    if place is None:
        return iteration
    return as_formula(transform(frame, lambda node: iteration if node == Relation(place) else node))


def _without_third(formula: Formula) -> Formula:
    return as_formula(transform(formula, lambda node: _A if node == Relation("C") else node))


def of_two_types(stream: Stream) -> Stream:
    """The stream with A for C."""
    rows = [event.values for event in stream]
    return TICKS.stream([("A" if row[0] == "C" else row[0], *row[1:]) for row in rows])


def formulas_are_strict_bounded() -> Claim[Instance]:
    """Lemma B.1: more events than event types are written leave room for another event between them."""

    def holds(instance: Instance) -> bool:
        formula, stream = instance
        most = occurrences(formula)
        return all(
            is_bounded_at(formula, stream, mu, published=False)
            for found in semantics.valuations_along(formula, stream)
            for mu in found
            if len(mu.support) > most
        )

    part = fragment(Contiguous, depth=1)
    instances = st.tuples(repeating(part, part), words(min_size=4, max_size=6).map(of_two_types))
    return Claim("formulas of CEL* and : are strict-bounded", "Lemma B.1", instances, holds)


def without_room(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That nothing can be inserted, for all formulas with up to ``effort.parts`` operators."""
    kinds = frozenset((*CEL_STAR_OPERATORS, Contiguous))
    for operators in range(effort.parts + 1):
        for formula in formulas(operators, kinds, (*FILTERS, *CORRELATIONS)):
            if occurrences(formula) < string.length - 1:
                yield disjunction(*_without_room(formula, string))


proofs_of_lemma_b_1: Final = over_all_streams(without_room, longer=2)


def _without_room(formula: Formula, string: SymbolicString) -> Iterator[Condition]:
    """Conditions that a long valuation is found, and no longer with one event more anywhere inside."""
    *events, new = string.events
    longer = [
        valuations_along(formula, (*events[:i], new, *events[i:]), LETTERS) for i in range(len(events) + 1)
    ]
    for n, found in enumerate(valuations_along(formula, events, LETTERS)):
        for mu, condition in found.items():
            if len(mu.support) > occurrences(formula):
                ways = (longer[i][n + 1].get(moved(mu, i)) for i in insertions(mu, published=False))
                yield and_not(condition, either(way for way in ways if way is not None))


def _of_one_type(formula: Formula) -> Formula:
    return as_formula(transform(formula, lambda node: _A if isinstance(node, Relation) else node))


def separating(formula: Formula) -> Iterator[Stream]:
    """Streams of which a formula of CEL* and ``:`` is wrong about one, if it is to say ``STRICT(R+)``.

    One more R than event types are written; then the same with another event somewhere between.
    """
    many = TICKS.stream([("A", 1, 1.0, 0)] * (occurrences(formula) + 1))
    yield many
    yield from (inserted(many, i) for i in range(1, len(many)))


def strict_iteration_is_inexpressible() -> Claim[Candidate]:
    """The strict part of Prop. 8.12, the adversary: the candidate errs about a whole stream of R."""

    def holds(instance: Candidate) -> bool:
        (formula,) = instance
        for stream in separating(formula):
            places = [n for n, event in enumerate(stream) if event["type"] == "A"]
            if bool(exactly(formula, stream, places)) != bool(exactly(STRICTLY, stream, places)):
                return True
        return False

    any_of_it = fragment(Contiguous)
    candidates = st.tuples(any_of_it | any_of_it.map(_of_one_type))
    return Claim("no formula of CEL* and : says STRICT(R+)", "Prop. 8.12", candidates, holds)


def _in_a_row(count: int) -> Formula:
    return contiguous(*([_A] * count)) if count > 1 else _A


BY_HAND: Final[tuple[Candidate, ...]] = (
    (_A,),
    (Iteration(_A),),
    (Iteration(_in_a_row(2)),),
    (Contiguous((Iteration(_A), _A)),),
    (Contiguous((Iteration(_A), Iteration(_A))),),
    (_A | Iteration(_in_a_row(2)) | Iteration(_in_a_row(3)),),
    (any_of(*(_in_a_row(count) for count in range(1, 7))),),
)
"""Unions of finite strings, and iterations of such strings."""
