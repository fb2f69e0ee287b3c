"""Claims about closure of RMA (Def. 10, Thm 11, ERRATA C4), and about eliminating epsilon transitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.constructions.exploration import Edge, edge, explore
from mnemata.automata.constructions.registers import apart
from mnemata.automata.constructions.rma.closure import (
    concatenated_as_defined,
    concatenation,
    concatenation_as_published,
    iterated_as_defined,
    plus,
    plus_as_published,
    union,
)
from mnemata.automata.constructions.rma.translation import translate, without_epsilon
from mnemata.automata.rma.automaton import RMA, with_start
from mnemata.automata.rma.bridges import rma_of, srt_of
from mnemata.automata.rma.runs import matches, matches_at
from mnemata.automata.rma.selections import writes_before_reading
from mnemata.automata.srt import runs as of_srt
from mnemata.automata.srt.runs import Acceptance
from mnemata.automata.srt.transducer import SRT, State
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators.cepl import cepl_expressions
from mnemata.proofs.generators.signature import Stream
from mnemata.proofs.rma.candidates import automata
from mnemata.proofs.rma.matching import SCHEMA
from mnemata.proofs.rma.separating import SENSORS
from mnemata.theory.cepl import semantics
from mnemata.theory.cepl.expressions import Expression
from mnemata.theory.cepl.semantics import Matches
from mnemata.theory.conditions.formulas import conjunction
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.sremo.expressions import Output

One: TypeAlias = tuple[RMA, Stream]
Two: TypeAlias = tuple[RMA, RMA, Stream]
Translated: TypeAlias = tuple[Expression, Expression, Stream]

_ROWS: Final = st.tuples(st.sampled_from("TTH"), st.integers(1, 2))
STREAMS: Final = (
    st.integers(0, 4).flatmap(lambda n: st.lists(_ROWS, min_size=n, max_size=n)).map(SENSORS.stream)
)
_SHORT: Final = (
    st.integers(1, 3).flatmap(lambda n: st.lists(_ROWS, min_size=n, max_size=n)).map(SENSORS.stream)
)
AUTOMATA: Final = automata().map(lambda one: one[0])
ONE: Final[st.SearchStrategy[One]] = st.tuples(AUTOMATA, STREAMS)
TWO: Final[st.SearchStrategy[Two]] = st.tuples(AUTOMATA, AUTOMATA, STREAMS)
_PLAIN: Final = automata(size=2, moves=2).map(lambda one: one[0])
SMALL_ONE: Final[st.SearchStrategy[One]] = st.tuples(_PLAIN, _SHORT)
SMALL_TWO: Final[st.SearchStrategy[Two]] = st.tuples(_PLAIN, _PLAIN, _SHORT)


def whole(rma: RMA, string: Stream) -> frozenset[frozenset[int]]:
    """The matches at the end of a string, as positions of its events."""
    return of_srt.matches(rma.srt, string, Acceptance.LAST_EVENT_MARKED)


def concatenated(left: RMA, right: RMA, string: Stream) -> frozenset[frozenset[int]]:
    """``M1 | M2`` over all ways to split the string."""
    splits = ((string[:i], string[i:]) for i in range(len(string) + 1))
    return frozenset(m | n for a, b in splits for m in whole(left, a) for n in whole(right, b))


def iterated(rma: RMA, string: Stream) -> frozenset[frozenset[int]]:
    """All unions of matches over consecutive pieces, none of which is empty."""
    found = set(whole(rma, string))
    for i in range(1, len(string)):
        found |= {m | n for m in whole(rma, string[:i]) for n in iterated(rma, string[i:])}
    return frozenset(found)


def union_is_exact() -> Claim[Two]:
    """Def. 10: the matches of both, with the union of start and final states."""
    return Claim(
        "side by side, two RMA have the matches of both",
        "RMA Thm 11, Def. 10",
        TWO,
        lambda i: matches(union(i[0], i[1]), i[2]) == matches(i[0], i[2]) | matches(i[1], i[2]),
    )


def concatenation_joins(make: Callable[[RMA, RMA], RMA], name: str, small: bool = False) -> Claim[Two]:
    """Concatenation over all ways to split the stream, as for SRT (ERRATA A3, C4)."""
    return Claim(
        f"{name}: joined matches of consecutive pieces",
        "RMA Thm 11, ERRATA C4",
        SMALL_TWO if small else TWO,
        lambda i: whole(make(i[0], i[1]), i[2]) == concatenated(i[0], i[1], i[2]),
        lambda i: Exhibit(
            i[2], concatenated(*i), whole(make(i[0], i[1]), i[2]), (("concatenation", make(i[0], i[1])),)
        ),
    )


def plus_repeats(make: Callable[[RMA], RMA], name: str, small: bool = False) -> Claim[One]:
    """Kleene-plus over all ways to split the stream; every round starts from empty registers."""
    return Claim(
        f"{name}: repeated matches of consecutive pieces",
        "RMA Thm 11, ERRATA C4",
        SMALL_ONE if small else ONE,
        lambda i: whole(make(i[0]), i[1]) == iterated(i[0], i[1]),
        lambda i: Exhibit(i[1], iterated(*i), whole(make(i[0]), i[1]), (("Kleene-plus", make(i[0])),)),
    )


def is_as_defined(make: Callable[[RMA, RMA], RMA], name: str, small: bool = False) -> Claim[Two]:
    """Concatenation in the sense of Def. 10: both parts are matches over the stream from its beginning."""

    def wanted(instance: Two) -> Matches:
        return concatenated_as_defined(*instance)

    return Claim(
        f"{name}: concatenation as Def. 10 says",
        "RMA Def. 10",
        SMALL_TWO if small else TWO,
        lambda i: matches(make(i[0], i[1]), i[2]) == wanted(i),
        lambda i: Exhibit(
            i[2], wanted(i), matches(make(i[0], i[1]), i[2]), (("concatenation", make(i[0], i[1])),)
        ),
    )


def plus_is_as_defined(make: Callable[[RMA], RMA], name: str) -> Claim[One]:
    """Kleene-plus in the sense of Def. 10."""
    return Claim(
        f"{name}: Kleene-plus as Def. 10 says",
        "RMA Def. 10",
        SMALL_ONE,
        lambda i: matches(make(i[0]), i[1]) == iterated_as_defined(i[0], i[1]),
        lambda i: Exhibit(
            i[1], iterated_as_defined(*i), matches(make(i[0]), i[1]), (("Kleene-plus", make(i[0])),)
        ),
    )


def parallel(left: RMA, right: RMA) -> RMA:
    """The concatenation that Def. 10 asks for: `right` reads along, unmarked, until `left` is done.

    Both run from the beginning, with registers of their own. When `left` has marked an event and is in a
    final state, it may stop; from then on `right` may mark.
    """
    one, other = apart(without_epsilon(left).srt, without_epsilon(right).srt)
    machine = _Parallel(one, other)
    return with_start(
        explore(machine.start, machine.outgoing, machine.is_final, one.registers | other.registers)
    )


_Pair: TypeAlias = tuple[State | None, State]
"""Where `left` is, or that it has stopped, and where `right` is."""


class _Parallel:
    def __init__(self, left: SRT, right: SRT) -> None:
        self.left, self.right = left, right
        self.start: _Pair = (left.start, right.start)

    def is_final(self, here: _Pair) -> bool:
        return here[0] is None and here[1] in self.right.finals

    def outgoing(self, here: _Pair) -> Iterator[Edge[_Pair]]:
        first, second = here
        if first is None:
            for t in self.right.outgoing(second):
                yield edge(t, (first, t.target))
            return
        for one in self.left.outgoing(first):
            for other in self.right.outgoing(second):
                if other.output is Output.MARK or one.condition is None or other.condition is None:
                    continue
                both = conjunction(one.condition, other.condition)
                writes = one.writes | other.writes
                yield Edge(both, one.output, writes, (one.target, other.target))
                if one.output is Output.MARK and one.target in self.left.finals:
                    yield Edge(both, one.output, writes, (None, other.target))


_EXPRESSIONS: Final = cepl_expressions(SCHEMA, size=3, windows=False)
_EVENTS: Final = st.tuples(st.sampled_from("AAB"), st.integers(1, 2))
_WORDS: Final = (
    st.integers(0, 4).flatmap(lambda n: st.lists(_EVENTS, min_size=n, max_size=n)).map(SCHEMA.stream)
)
TRANSLATED: Final[st.SearchStrategy[Translated]] = st.tuples(
    _EXPRESSIONS, cepl_expressions(SCHEMA, size=2, windows=False), _WORDS
)


def of_core_cepl_both_agree() -> Claim[Translated]:
    """Of RMA that may skip at their start and mark what they write, Def. 10 and the constructions agree."""

    def holds(instance: Translated) -> bool:
        one, other, stream = instance
        left, right = translate(one, SCHEMA), translate(other, SCHEMA)
        joined = matches(concatenation(left, right), stream) == concatenated_as_defined(left, right, stream)
        repeated = matches(plus(left), stream)
        as_defined = iterated_as_defined(left, stream) == semantics.matches(one.plus(), stream)
        return joined and as_defined and repeated == iterated_as_defined(left, stream)

    return Claim("of core-CEPL the closure is what Def. 10 says", "RMA Def. 10", TRANSLATED, holds)


def epsilon_can_be_eliminated() -> Claim[One]:
    """Section 5: epsilon transitions can be removed."""

    def holds(instance: One) -> bool:
        rma, stream = instance
        made = without_epsilon(rma)
        return matches(made, stream) == matches(rma, stream) and not made.srt.has_epsilon

    return Claim("the same matches without epsilon transitions", "RMA Sec. 5", ONE, holds)


def bridges_are_exact() -> Claim[One]:
    """RMA as SRT, and back where the last event is always marked; registers are written before being read."""

    def holds(instance: One) -> bool:
        rma, stream = instance
        srt = srt_of(rma)
        at_end = matches_at(rma, stream, len(stream))
        if _less_one(of_srt.matches(srt, stream)) != at_end:
            return False
        try:
            back = rma_of(srt)
        except UnsupportedError:
            return True
        return writes_before_reading(back) and matches_at(back, stream, len(stream)) == at_end

    return Claim("RMA as SRT, and back", "the project's own", ONE, holds)


def _less_one(found: frozenset[frozenset[int]]) -> Matches:
    return frozenset(frozenset(position - 1 for position in marks) for marks in found)


CONSTRUCTIONS: Final = (union, concatenation, plus)
AS_PUBLISHED: Final = (concatenation_as_published, plus_as_published)
