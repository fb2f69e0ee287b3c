"""Claims about what expressions mean: SRT Def. 13, Def. 17 and Thm 20 (ERRATA A6 and A12)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import chain, combinations, product
from typing import Final, TypeAlias

import z3
from hypothesis import strategies as st

from mnemata.automata.srt.runs import Marks
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.evidence import Obligation
from mnemata.proofs.generators import REGISTERS, TICKS, Stream, conditions, events, expressions, streams
from mnemata.proofs.srt import derivatives
from mnemata.proofs.srt.complementing import strings
from mnemata.proofs.srt.marked_words import matched_words
from mnemata.theory.conditions.evaluation import EMPTY, Valuation, models
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.typing import bind
from mnemata.theory.satisfiability.minterms import minterms
from mnemata.theory.schema import Event
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import (
    Concatenation,
    Epsilon,
    Expression,
    Plus,
    Repeat,
    SkipTillAny,
    Star,
    Terminal,
    Union,
)
from mnemata.theory.sremo.rewriting import bound_expression, core
from mnemata.theory.trees import walk

Instance: TypeAlias = tuple[Stream, Expression]
Pair: TypeAlias = tuple[Expression, Expression]
Moment: TypeAlias = tuple[tuple[Condition, ...], Event, Valuation]

REGULAR: Final[st.SearchStrategy[Instance]] = st.tuples(
    streams(TICKS, max_size=5), expressions(TICKS, (), windows=False, intersections=False)
)
SMALL: Final[st.SearchStrategy[Instance]] = st.tuples(
    streams(TICKS, max_size=3),
    expressions(TICKS, (), size=3, core_only=True, windows=False, intersections=False),
)


class Parts(Enum):
    """What Def. 17 leaves open: when ``M = M1 . M2``, and what a star matches over the empty string."""

    MAY_BE_EMPTY = "parts of a match may be empty, and over no event a star marks nothing"
    NOT_EMPTY = "max(M1) < min(M2) is false where one of them is empty"
    FREE = "over no event a star may mark any event of the string"


def denoted(expression: Expression, string: Stream, reading: Parts) -> frozenset[Marks]:
    """``Match(e, S)`` of a bound expression of basic operators, by Def. 17 under one reading."""
    positions = [event.position for event in string]

    def cases(e: Expression, i: int, j: int, v: Valuation) -> Iterator[tuple[Marks, Valuation]]:
        match e:
            case Epsilon() if i == j:
                yield frozenset(), v
            case Terminal() if j == i + 1:
                yield from semantics.derivations(e, string[i:j], v)
            case Union(parts=parts):
                for part in parts:
                    yield from cases(part, i, j, v)
            case Concatenation(parts=(first, *rest)):
                yield from joined(
                    first, rest[0] if len(rest) == 1 else Concatenation(tuple(rest)), i, i, j, v
                )
            case Star(body=body):
                if i == j:
                    free = range(len(string) + 1) if reading is Parts.FREE else (0,)
                    subsets = chain.from_iterable(combinations(positions, n) for n in free)
                    yield from ((frozenset(some), v) for some in subsets)
                yield from joined(body, e, i, i + 1, j, v)

    def joined(
        first: Expression, rest: Expression, i: int, least: int, j: int, v: Valuation
    ) -> Iterator[tuple[Marks, Valuation]]:
        for k in range(least, j + 1):
            for one, between in cases(first, i, k, v):
                for other, after in cases(rest, k, j, between):
                    if _follow(one, other, reading):
                        yield one | other, after

    return frozenset(marks for marks, _ in cases(expression, 0, len(string), EMPTY))


def _follow(one: Marks, other: Marks, reading: Parts) -> bool:
    if one and other:
        return max(one) < min(other)
    return reading is not Parts.NOT_EMPTY


def matches_are_marked_words(reading: Parts) -> Claim[Instance]:
    """Without registers, Def. 17 gives the words of a regular expression over marked and skipped events."""

    def found(instance: Instance) -> frozenset[Marks]:
        return denoted(bound_expression(instance[1], TICKS), instance[0], reading)

    def wanted(instance: Instance) -> frozenset[Marks]:
        return matched_words(bound_expression(instance[1], TICKS), instance[0])

    return Claim(
        f"matches are marked words, where {reading.value}",
        "Def. 17, ERRATA A12",
        SMALL,
        lambda i: found(i) == wanted(i),
        lambda i: Exhibit(i[0], wanted(i), found(i)),
    )


def semantics_is_that_of_marked_words() -> Claim[Instance]:
    """The semantics that everything is tested against, derived operators included."""

    def holds(instance: Instance) -> bool:
        stream, expression = instance
        bound = bound_expression(expression, TICKS)
        # any(e+) leaves gaps between rounds, for which regular expressions have no notation.
        plain = core(bound) if any(map(_gaps_between_rounds, walk(bound))) else bound
        return semantics.matches(expression, stream) == matched_words(plain, stream)

    return Claim("without registers matches are marked words", "Def. 17, ERRATA A12", REGULAR, holds)


def _gaps_between_rounds(node: object) -> bool:
    return isinstance(node, SkipTillAny) and isinstance(node.parts[0], Star | Plus | Repeat | SkipTillAny)


def semantics_is_that_of_derivatives() -> Claim[Instance]:
    """The same with registers, and their contents at the end, derived operators included."""

    def holds(instance: Instance) -> bool:
        stream, expression = instance
        bound = bound_expression(expression, TICKS)
        return semantics.derivations(bound, stream) == derivatives.derivations(core(bound), stream)

    instances = st.tuples(streams(TICKS, max_size=4), expressions(TICKS, windows=False))
    return Claim("matches are found event by event", "Def. 17, ERRATA A12", instances, holds)


def equal_matches_are_equal_languages() -> Claim[Pair]:
    """Thm 20, over all strings of up to two events of a small alphabet."""
    small = expressions(TICKS, ("r1",), size=2, windows=False, intersections=False)

    def holds(instance: Pair) -> bool:
        one, other = (bound_expression(e, TICKS) for e in instance)
        tried = tuple(strings(2))
        same = all(semantics.matches(one, s) == semantics.matches(other, s) for s in tried)
        accepted = [[bool(semantics.derivations(e, s)) for s in tried] for e in (one, other)]
        return not same or accepted[0] == accepted[1]

    # Drawn from one expression, or hardly any two would have the same matches.
    pairs = (
        st.tuples(small, small)
        | small.map(lambda e: (e, e | e))
        | small.map(lambda e: (e.star(), e.star().star()))
    )
    return Claim("expressions with equal matches have equal languages", "Thm 20", pairs, holds)


def theorem_20() -> Iterator[Obligation]:
    """Thm 20 for any relation ``(e, S, M, #) |- v`` at all."""
    expression, string = z3.DeclareSort("Expression"), z3.DeclareSort("String")
    match, valuation = z3.DeclareSort("Match"), z3.DeclareSort("Valuation")
    derives = z3.Function("derives", expression, string, match, valuation, z3.BoolSort())
    e, other = z3.Consts("e e'", expression)
    s, some = z3.Const("S", string), z3.Const("some S", string)
    m, v = z3.Const("M", match), z3.Const("v", valuation)

    def matched(by: z3.ExprRef) -> z3.BoolRef:
        return z3.Exists([v], derives(by, s, m, v))

    def accepted(by: z3.ExprRef) -> z3.BoolRef:
        return z3.Exists([m, v], derives(by, some, m, v))

    same = z3.ForAll([s, m], matched(e) == matched(other))
    yield Obligation("equal matches, equal languages", (same,), accepted(e) == accepted(other))


def one_minterm_holds() -> Claim[Moment]:
    """Def. 13 is two-valued: whatever registers are empty, exactly one minterm of some conditions is true."""
    bound = conditions(TICKS, size=2).map(lambda condition: bind(condition, TICKS))
    contents = st.dictionaries(st.sampled_from(REGISTERS), events(TICKS)).map(
        lambda held: Valuation(tuple(held.items()))
    )
    instances = st.tuples(st.lists(bound, min_size=1, max_size=3).map(tuple), events(TICKS), contents)

    def holds(instance: Moment) -> bool:
        some, event, valuation = instance
        possible = minterms(some, TICKS)
        true = [m for m in possible if models(event, valuation, possible.guard(m))]
        signs = product((True, False), repeat=len(possible.conditions))
        as_defined = [
            each
            for each in signs
            if all(models(event, valuation, c) == s for c, s in zip(possible.conditions, each, strict=True))
        ]
        return [m.signs for m in true] == as_defined and len(true) == 1

    name = "of the minterms of some conditions exactly one holds, empty registers or not"
    return Claim(name, "Def. 13, ERRATA A6", instances, holds)
