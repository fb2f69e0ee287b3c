"""What CEL* and STRICT cannot say: CEL Lemma D.1, Thm 8.14, Fig. 6.

*Pumping.* A complex event of more than N events, N computed from the formula, has a fragment that can be
repeated, with other events between the repetitions unless its events follow one another directly. The formula
``((A ; E) FILTER A.a = E.a)(+)`` finds the pairs of ``A L E A L E ...``, each pair with a number of its own.
Repeat any fragment: if it begins and ends with the same type, two of a type follow one another; if it begins
with A and ends with E, it has an L inside, and what comes between the repetitions keeps an A from following
its E; if it begins with E and ends with A, an A is paired with an E of another number.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from hypothesis import strategies as st

from mnemata.proofs.cel.bounding import Candidate, repeating
from mnemata.proofs.cel.compiling import Instance
from mnemata.proofs.cel.placing import exactly, is_about_sets
from mnemata.proofs.cel.rewriting import as_formula
from mnemata.proofs.cel.starring import TIMELESS
from mnemata.proofs.claims import Claim
from mnemata.proofs.generators import Stream
from mnemata.proofs.generators.cel import CEL_STAR_OPERATORS, RELATIONS, cel_formulas
from mnemata.theory.cel import semantics
from mnemata.theory.cel.formulas import (
    ContiguousIteration,
    Formula,
    Iteration,
    Or,
    Relation,
    Sequencing,
    Strict,
    either,
    sequence,
)
from mnemata.theory.cel.predicates import ForAll
from mnemata.theory.cel.valuations import Position, Valuation
from mnemata.theory.conditions.building import register
from mnemata.theory.schema import Value
from mnemata.theory.trees import Node, fold, transform

Row: TypeAlias = tuple[Value, ...]

GARBAGE: Final[Row] = ("C", 0, 0.0)
"""What is put between repetitions."""


def pumping_constant(formula: Formula) -> int:
    """N of Lemma D.1: 1 for an event type, the sum for ``;``, the greatest for OR, else that of the body."""

    def constant(node: Node, below: tuple[int, ...]) -> int:
        match node:
            case Relation():
                return 1
            case Sequencing():
                return sum(below)
            case Or():
                return max(below)
        return max(below, default=0)

    return fold(formula, constant)


class Pumped(NamedTuple):
    """A stream after a fragment was repeated, and where each position went, once for each repetition."""

    stream: Stream
    places: tuple[tuple[Position, ...], ...]

    def valuation(self, mu: Valuation) -> Valuation:
        """A valuation, repeated with the fragment."""
        return Valuation((name, [q for p in at for q in self.places[p]]) for name, at in mu.contents)


def pumped(stream: Stream, support: Sequence[Position], i: Position, j: Position, times: int) -> Pumped:
    """The fragment from `i` to `j` repeated, with events around each unless it is contiguous."""
    rows = [event.values for event in stream]
    inside = [p for p in support if i <= p <= j]
    between = [] if len(inside) == j - i + 1 else [GARBAGE]
    size, gap = j - i + 1, len(between)
    whole = [*rows[:i], *between]
    for _ in range(times):
        whole += [*rows[i : j + 1], *between]
    after = (times - 1) * size + (times + 1) * gap
    starts = [gap * (n + 1) + n * size for n in range(times)]
    places = [
        (p,) if p < i else tuple(p + start for start in starts) if p <= j else (p + after,)
        for p in range(len(rows))
    ]
    return Pumped(TIMELESS.stream([*whole, *rows[j + 1 :]]), tuple(places))


def formulas_are_pumpable() -> Claim[Instance]:
    """Lemma D.1: of what is large some fragment can be repeated, tried for one to three times."""

    def holds(instance: Instance) -> bool:
        formula, stream = instance
        most = pumping_constant(formula)
        return all(
            any(_can_be_pumped(formula, stream, mu, *ends) for ends in combinations(sorted(mu.support), 2))
            for found in semantics.valuations_along(formula, stream)
            for mu in found
            if len(mu.support) > most
        )

    return Claim("formulas of CEL* and STRICT are pumpable", "Lemma D.1", _large(), holds)


def _can_be_pumped(formula: Formula, stream: Stream, mu: Valuation, i: Position, j: Position) -> bool:
    for times in (1, 2, 3):
        again = pumped(stream, sorted(mu.support), i, j, times)
        there = again.valuation(mu)
        if there not in exactly(formula, again.stream, sorted(there.support)):
            return False
    return True


def _candidates(*extra: type[Formula], depth: int = 3) -> st.SearchStrategy[Formula]:
    operators = (*CEL_STAR_OPERATORS, *extra)
    return cel_formulas(TIMELESS, operators, depth=depth, unary=False).filter(is_about_sets)


def _large() -> st.SearchStrategy[Instance]:
    """Formulas with an iteration, and streams of two types, so that much is found."""
    rows = st.tuples(st.sampled_from("AB"), st.sampled_from((1, 1, 2)), st.just(1.0))
    stream = st.lists(rows, min_size=4, max_size=6).map(TIMELESS.stream)
    return st.tuples(repeating(_candidates(Strict, depth=1), _candidates(Strict, depth=1)), stream)


_A, _B = Relation("A"), Relation("B")
_PAIR: Final = _A >> _B
SAME: Final = ForAll(register("A").id == register("B").id)
PAIRS: Final = ContiguousIteration(_PAIR.filter(SAME))
"""``((A ; E) FILTER A.a = E.a)(+)``, with B for E and ``id`` for a."""


def numbered(pairs: int) -> tuple[Stream, list[Position]]:
    """``A L E A L E ...``, the numbers 1, 1, 1, 2, 2, 2, and so on; and where all A and E are."""
    rows = [(kind, number, 1.0) for number in range(1, pairs + 1) for kind in ("A", "C", "B")]
    return TIMELESS.stream(rows), [p for p in range(len(rows)) if p % 3 != 1]


def separated(formula: Formula) -> tuple[Stream, list[Position]] | None:
    """A stream and a complex event that `PAIRS` and a formula of CEL* and STRICT do not both find.

    Found by the proof of Thm 8.14: pairs in a row, up to more than the formula can tell from fewer or more;
    and of those that it finds, all that pumping twice makes of them.
    """
    for pairs in range(1, pumping_constant(formula) // 2 + 2):
        stream, places = numbered(pairs)
        if not exactly(formula, stream, places):
            return stream, places
        for i, j in combinations(places, 2):
            again = pumped(stream, places, i, j, 2)
            there = sorted(q for p in places for q in again.places[p])
            if exactly(formula, again.stream, there) and not exactly(PAIRS, again.stream, there):
                return again.stream, there
    return None


_PIECES: Final = (_A, _B, _PAIR, _PAIR.filter(SAME), Strict(_B >> _A), _PAIR.bound_to("X"))


@st.composite
def _plausible(draw: st.DrawFn) -> Formula:
    """Formulas about pairs and their neighbours."""
    shape = draw(cel_formulas(TIMELESS, (Sequencing, Iteration, Or, Strict), depth=3))
    pieces = {name: draw(st.sampled_from(_PIECES)) for name in RELATIONS}
    return as_formula(transform(shape, lambda n: pieces[n.name] if isinstance(n, Relation) else n))


def pairs_are_inexpressible() -> Claim[Candidate]:
    """Thm 8.14, the adversary: it finds a stream and a complex event on which the candidate errs."""

    def holds(instance: Candidate) -> bool:
        (formula,) = instance
        found = separated(formula)
        if found is None:
            return False
        stream, places = found
        return bool(exactly(formula, stream, places)) != bool(exactly(PAIRS, stream, places))

    return Claim(
        "no formula of CEL* and STRICT says ((A ; E) FILTER A.a = E.a)(+)",
        "Thm 8.14",
        st.tuples(_candidates(Strict) | _plausible()),
        holds,
    )


def _linked(pairs: int) -> Formula:
    """So many pairs, each E with the next A under STRICT, and each pair compared by variables of its own."""
    firsts = [_A.bound_to(f"X{n}") for n in range(pairs)]
    seconds = [_B.bound_to(f"Y{n}") for n in range(pairs)]
    links = [Strict(b >> a) for b, a in zip(seconds, firsts[1:], strict=False)]
    found = sequence(firsts[0], *links, seconds[-1])
    for n in range(pairs):
        found = found.filter(ForAll(register(f"X{n}").id == register(f"Y{n}").id))
    return found


PAIRS_BY_HAND: Final[tuple[Candidate, ...]] = (
    (Iteration(_PAIR.filter(SAME)),),
    (Strict(Iteration(_PAIR.filter(SAME))),),
    (Iteration(_PAIR).filter(SAME),),
    (Iteration(_A | _B),),
    (_A >> Iteration(Strict(_B >> _A)) >> _B,),
    (_PAIR.filter(SAME) | (_A >> Iteration(Strict(_B >> _A)) >> _B),),
    *((either(*(_linked(n) for n in range(1, most + 1))),) for most in (2, 3, 4)),
)
"""Without neighbours checked, without numbers checked, or right for a few pairs."""


JOINED: Final = Strict(_A >> _B)
IN_A_ROW: Final[tuple[tuple[Row, ...], ...]] = (
    (("A", 1, 1.0), ("B", 1, 1.0)),
    (("B", 1, 1.0), ("A", 1, 1.0)),
    (("A", 1, 1.0), GARBAGE, ("B", 1, 1.0)),
)
"""A then B; B then A; A then B with something between."""


def joining_is_inexpressible() -> Claim[Candidate]:
    """Fig. 6, the adversary: a formula of CEL* and ``(+)`` errs about A and B on one of three streams.

    What finds A and B as neighbours joins them by ``;``, and finds them apart too, or as rounds of a ``(+)``,
    and finds them in the other order too: predicates about sets do not see the order.
    """

    def holds(instance: Candidate) -> bool:
        (formula,) = instance
        for stream in map(TIMELESS.stream, IN_A_ROW):
            places = [n for n, event in enumerate(stream) if event["type"] != "C"]
            if bool(exactly(formula, stream, places)) != bool(exactly(JOINED, stream, places)):
                return True
        return False

    return Claim(
        "no formula of CEL* and (+) says STRICT(R ; T)",
        "Section 8.2, Fig. 6",
        st.tuples(_candidates(ContiguousIteration)),
        holds,
    )


JOINED_BY_HAND: Final[tuple[Candidate, ...]] = (
    (_PAIR,),
    (ContiguousIteration(_PAIR),),
    (ContiguousIteration(_A | _B),),
    (ContiguousIteration(ContiguousIteration(_A) | ContiguousIteration(_B)),),
    (ContiguousIteration(_A | _B | _PAIR).filter(SAME),),
)
"""Both in any order, or with anything between."""
