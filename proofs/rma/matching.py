"""Claims about core-CEPL and register match automata: RMA Thm 8, 11, Lemma 15, Cor. 16 (ERRATA C1 to C3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.constructions.rma.determinization import (
    determinize_as_published,
    determinize_recogniser,
    determinize_recogniser_as_published,
    determinize_window,
    unrolled,
)
from mnemata.automata.constructions.rma.translation import translate, translate_as_published, without_epsilon
from mnemata.automata.rma.automaton import RMA
from mnemata.automata.rma.runs import matches, recognised_at
from mnemata.proofs.claims import Claim, Refuted
from mnemata.proofs.generators.cepl import RELATIONS, cepl_expressions
from mnemata.proofs.generators.signature import Stream
from mnemata.theory.cepl import semantics
from mnemata.theory.cepl.expressions import Atom, Expression, Sequence, either
from mnemata.theory.conditions.building import register
from mnemata.theory.schema import Category, Int64, Schema
from mnemata.theory.sremo.semantics import stream_matches
from mnemata.theory.translation.sremo_of_cepl import expression_of_cepl

Instance: TypeAlias = tuple[Expression, int, Stream]

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


SMALL: Final = _instances(cepl_expressions(SCHEMA, size=4, windows=False))
PAIRS: Final = _instances(_orders("xy"))
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

    return Claim(name, source, instances, holds)


def window_is_exact(make: Callable[[Expression, int], RMA], name: str, source: str) -> Claim[Instance]:
    """That an RMA made of an expression and a window has the matches that fit it."""

    def holds(instance: Instance) -> bool:
        expression, window, stream = instance
        return matches(make(expression, window), stream) == semantics.matches(
            expression.window(window), stream
        )

    return Claim(name, source, SMALL, holds)


def recogniser_is_exact(
    make: Callable[[RMA, int], RMA], name: str, source: str, instances: st.SearchStrategy[Instance] = SMALL
) -> Claim[Instance]:
    """That an RMA accepts where the expression has a match that fits the window."""

    def holds(instance: Instance) -> bool:
        expression, window, stream = instance
        ends = {max(found) for found in semantics.matches(expression.window(window), stream)}
        return recognised_at(make(translate(expression, SCHEMA), window), stream) == ends

    return Claim(name, source, instances, holds)


def bridge_is_exact() -> Claim[Instance]:
    """That the SREMO of an expression reports its matches."""

    def holds(instance: Instance) -> bool:
        expression, _, stream = instance
        found = stream_matches(expression_of_cepl(expression, SCHEMA), stream)
        return {frozenset(at - 1 for at in m) for m in found} == semantics.matches(expression, stream)

    return Claim("SREMO of core-CEPL", "the project's own", SMALL, holds)


def _alg_5(expression: Expression, schema: Schema) -> RMA:
    return determinize_as_published(translate(expression, schema), schema)


def _cor_16(rma: RMA, window: int) -> RMA:
    return determinize_recogniser_as_published(rma, window, SCHEMA)


CLAIMS: tuple[Claim[Instance], ...] = (
    translation_is_exact(translate, "RMA of core-CEPL", "RMA Thm 8, ERRATA C3"),
    translation_is_exact(
        lambda e, schema: without_epsilon(translate(e, schema)), "RMA without epsilon", "RMA Thm 8"
    ),
    bridge_is_exact(),
    window_is_exact(lambda e, w: unrolled(translate(e, SCHEMA), w), "unrolled RMA", "RMA Lemma 15"),
    window_is_exact(
        lambda e, w: determinize_window(e, w, SCHEMA), "determinization per output in a window", "ERRATA C1"
    ),
    recogniser_is_exact(determinize_recogniser, "recogniser by the ring buffer", "RMA Cor. 16, ERRATA C2"),
)
"""What holds, with the constructions as repaired."""

REFUTED: tuple[Refuted[Instance], ...] = (
    Refuted(translation_is_exact(translate_as_published, "RMA as published", "RMA Alg. 3", PAIRS), 2, 2),
    Refuted(translation_is_exact(_alg_5, "determinization as published", "RMA Alg. 5", CHOICES), 6, 3),
    Refuted(recogniser_is_exact(_cor_16, "recogniser as published", "RMA Cor. 16", PAIRS), 2, 3),
)
"""What does not hold, as published, with the sizes of the counterexamples of ERRATA C1 to C3."""
