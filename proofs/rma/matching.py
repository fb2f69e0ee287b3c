"""Claims about core-CEPL and register match automata: RMA Thm 8, 11, Lemma 15, Cor. 16 (ERRATA C1 to C3)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.constructions.rma.determinization import (
    determinize_as_published,
    determinize_recogniser_as_published,
)
from mnemata.automata.constructions.rma.translation import translate
from mnemata.automata.rma.automaton import RMA
from mnemata.automata.rma.runs import matches, recognised_at
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators.cepl import RELATIONS, cepl_expressions
from mnemata.proofs.generators.signature import Stream
from mnemata.theory.cepl import semantics
from mnemata.theory.cepl.expressions import Atom, Expression, Sequence, either
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.formulas import Not
from mnemata.theory.schema import Category, Int64, Schema
from mnemata.theory.sremo.semantics import stream_matches
from mnemata.theory.translation.sremo_of_cepl import expression_of_cepl

Instance: TypeAlias = tuple[Expression, int, Stream]

IN_WINDOWS: Final = ("expression", "window", "stream")
"""What an `Instance` consists of."""

WITHOUT_WINDOW: Final = ("expression", "", "stream")
"""The same where the window plays no part."""

SCHEMA: Final = Schema.of(type=Category(RELATIONS), id=Int64(), event_type="type")
_ROWS: Final = st.tuples(st.sampled_from("AB"), st.integers(1, 2))
_LISTS: Final = st.integers(0, 5).flatmap(lambda n: st.lists(_ROWS, min_size=n, max_size=5))
_STREAMS: Final = _LISTS.map(SCHEMA.stream)
_SAME: Final = register("x").id == register("y").id


def _instances(expressions: st.SearchStrategy[Expression], window: int = 4) -> st.SearchStrategy[Instance]:
    return st.tuples(expressions, st.integers(1, window), _STREAMS)


def _orders(*orders: str) -> st.SearchStrategy[Expression]:
    """Choices between sequences in these orders of variables, filtered by ``x.id = y.id``."""
    kinds = st.sampled_from("AAB")

    def sequence(names: str) -> st.SearchStrategy[Expression]:
        atoms = (st.builds(Atom, kinds, st.just(name)) for name in names)
        return st.tuples(*atoms).map(Sequence)

    def choice(parts: tuple[Expression, ...]) -> Expression:
        return either(*parts).filter(_SAME)

    return st.tuples(*map(sequence, orders)).map(choice)


@st.composite
def _filtered_choices(draw: st.DrawFn) -> Expression:
    """A filter around a choice of pairs, each filtered or not."""
    same = st.sampled_from((_SAME, Not(_SAME)))
    parts = []
    for _ in range(2):
        pair = Sequence((Atom(draw(st.sampled_from("AB")), "x"), Atom(draw(st.sampled_from("AB")), "y")))
        parts.append(pair.filter(draw(same)) if draw(st.booleans()) else pair)
    return either(*parts).filter(draw(same))


@st.composite
def _choices_before(draw: st.DrawFn) -> Expression:
    """A choice of events of one variable, then an event, and a filter over both."""
    kinds = st.sampled_from("AB")
    choice = either(Atom(draw(kinds), "x"), Atom(draw(kinds), "x"))
    return (choice >> Atom(draw(kinds), "y")).filter(draw(st.sampled_from((_SAME, Not(_SAME)))))


SMALL: Final = _instances(cepl_expressions(SCHEMA, size=4, windows=False))
PAIRS: Final = _instances(_orders("xy"))
CHOICES_OF_FILTERS: Final = _instances(_filtered_choices())
CHOICES_BEFORE: Final = _instances(_choices_before())
CHOICES: Final = _instances(_orders("xzy", "zxy"))


def translation_is_exact(
    make: Callable[[Expression, Schema], RMA],
    name: str,
    source: str,
    instances: st.SearchStrategy[Instance] = SMALL,
) -> Claim[Instance]:
    """That an RMA made of an expression has its matches."""

    def holds(instance: Instance) -> bool:
        expression, _, stream = instance
        return matches(make(expression, SCHEMA), stream) == semantics.matches(expression, stream)

    def exhibit(instance: Instance) -> Exhibit:
        expression, _, stream = instance
        wrong, right = make(expression, SCHEMA), translate(expression, SCHEMA)
        wanted = semantics.matches(expression, stream)
        return Exhibit(stream, wanted, matches(wrong, stream), (("as made", wrong), ("repaired", right)))

    return Claim(f"{name}: the matches of the expression", source, instances, holds, exhibit, WITHOUT_WINDOW)


def window_is_exact(
    make: Callable[[Expression, int], RMA],
    name: str,
    source: str,
    instances: st.SearchStrategy[Instance] = SMALL,
) -> Claim[Instance]:
    """That an RMA made of an expression and a window has the matches that fit it."""

    def holds(instance: Instance) -> bool:
        expression, window, stream = instance
        return matches(make(expression, window), stream) == semantics.matches(
            expression.window(window), stream
        )

    return Claim(f"{name}: the matches that fit the window", source, instances, holds)


def recogniser_is_exact(
    make: Callable[[RMA, int], RMA], name: str, source: str, instances: st.SearchStrategy[Instance] = SMALL
) -> Claim[Instance]:
    """That an RMA accepts where the expression has a match that fits the window."""

    def holds(instance: Instance) -> bool:
        expression, window, stream = instance
        made = make(translate(expression, SCHEMA), window)
        return recognised_at(made, stream) == ends(expression, window, stream)

    def exhibit(instance: Instance) -> Exhibit:
        expression, window, stream = instance
        wrong = make(translate(expression, SCHEMA), window)
        found = recognised_at(wrong, stream)
        return Exhibit(stream, ends(expression, window, stream), found, (("as made", wrong),))

    def ends(expression: Expression, window: int, stream: Stream) -> frozenset[int]:
        return frozenset(max(found) for found in semantics.matches(expression.window(window), stream))

    return Claim(f"{name}: accepts where a match ends", source, instances, holds, exhibit, IN_WINDOWS)


def bridge_is_exact() -> Claim[Instance]:
    """That the SREMO of an expression reports its matches."""

    def holds(instance: Instance) -> bool:
        expression, _, stream = instance
        found = stream_matches(expression_of_cepl(expression, SCHEMA), stream)
        return {frozenset(at - 1 for at in m) for m in found} == semantics.matches(expression, stream)

    return Claim("SREMO of core-CEPL", "the project's own", SMALL, holds)


def algorithm_5_is_exact() -> Claim[Instance]:
    """Alg. 5 to the letter, but for eliminating epsilon transitions first: the matches of the expression."""
    return translation_is_exact(_algorithm_5, "determinization as published", "RMA Alg. 5", CHOICES)


@cache
def _algorithm_5(expression: Expression, schema: Schema) -> RMA:
    return determinize_as_published(translate(expression, schema), schema)


def corollary_16_is_exact(window: int | None = None) -> Claim[Instance]:
    """Cor. 16 as published: the power set of the unrolled RMA, in any windows, or in one."""
    name = "" if window is None else f" in windows of up to {window} events"
    instances = PAIRS if window is None else _instances(_orders("xy"), window)
    return recogniser_is_exact(_corollary_16, f"recogniser as published{name}", "RMA Cor. 16", instances)


@cache
def _corollary_16(rma: RMA, window: int) -> RMA:
    return determinize_recogniser_as_published(rma, window, SCHEMA)
