"""Claims that the adversaries defeat every candidate; what they answer is checked by definition."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.rma.closure import iterated_as_defined
from mnemata.automata.rma.automaton import RMA, with_start
from mnemata.automata.rma.runs import matches, matches_at, recognised_at
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators.signature import Stream
from mnemata.proofs.rma.adversaries import (
    Mistake,
    against_complement,
    against_determinization,
    against_iteration,
    against_recogniser,
)
from mnemata.proofs.rma.candidates import (
    FIGURE_1,
    IS_H,
    IS_T,
    OWED,
    REPEATING,
    SAME,
    One,
    automata,
    deterministic,
    ordered,
)
from mnemata.proofs.rma.separating import EXPRESSION, SENSORS, not_determinizable_with
from mnemata.theory.cepl import semantics
from mnemata.theory.conditions.formulas import Not, conjunction
from mnemata.theory.sremo.expressions import Output

_Truth = Callable[[Mistake], bool]


def _recognised(candidate: RMA, mistake: Mistake) -> bool:
    return len(mistake.stream) - 1 in recognised_at(candidate, mistake.stream)


def _matched(candidate: RMA, mistake: Mistake) -> bool:
    return mistake.marks in matches_at(candidate, mistake.stream, len(mistake.stream))


def _defeats(
    answer: Callable[[RMA], Mistake],
    wanted: _Truth,
    found: Callable[[RMA, Mistake], bool],
    candidates: st.SearchStrategy[One],
    name: str,
    source: str,
) -> Claim[One]:
    def holds(instance: One) -> bool:
        mistake = answer(instance[0])
        return found(instance[0], mistake) != wanted(mistake)

    def exhibit(instance: One) -> Exhibit:
        mistake = answer(instance[0])
        shown = (("the candidate", instance[0]),)
        return Exhibit(mistake.stream, wanted(mistake), found(instance[0], mistake), shown)

    return Claim(name, source, candidates, holds, exhibit)


def no_recogniser_has_one_run() -> Claim[One]:
    """Thm 13: no RMA with at most one run recognises what Fig. 1 does."""

    def wanted(mistake: Mistake) -> bool:
        ends = (max(found) for found in semantics.matches(FIGURE_1, mistake.stream))
        return len(mistake.stream) - 1 in ends

    name = "no RMA with at most one run recognises a T and an H with one id"
    return _defeats(against_recogniser, wanted, _recognised, deterministic(), name, "RMA Thm 13")


def not_determinizable_per_output() -> Claim[One]:
    """ERRATA C1: no RMA as in Def. 9 is equivalent to `separating.EXPRESSION`."""

    def wanted(mistake: Mistake) -> bool:
        return mistake.marks in semantics.matches(EXPRESSION, mistake.stream)

    name = "no RMA in which runs with the same outputs are one matches T+ T T+ H with one id twice"
    candidates = deterministic(per_output=True)
    return _defeats(against_determinization, wanted, _matched, candidates, name, "RMA Thm 11, ERRATA C1")


def complements_are_not_recognised() -> Claim[One]:
    """Thm 11: no RMA has, of the sets that are not empty, those that `REPEATING` does not match."""

    def wanted(mistake: Mistake) -> bool:
        return mistake.marks not in matches(REPEATING, mistake.stream)

    name = "no RMA has the other matches of an RMA that marks T, two of which are alike"
    return _defeats(against_complement, wanted, _matched, automata(), name, "RMA Thm 11")


def iterations_as_defined_are_not_recognised() -> Claim[One]:
    """Def. 10 asks of Kleene-plus what no RMA can do: `OWED` has none."""

    def wanted(mistake: Mistake) -> bool:
        return mistake.marks in iterated_as_defined(OWED, mistake.stream)

    name = "no RMA marks any number of H, each after a T with its id, all matched from the beginning"
    return _defeats(against_iteration, wanted, _matched, automata(), name, "RMA Def. 10, Thm 11")


def nothing_marked_is_no_match() -> Claim[tuple[RMA, RMA]]:
    """Thm 11 to the letter: the empty set should be a match of an RMA or its complement, and is of none."""
    pairs = st.tuples(automata(), automata()).map(lambda pair: (pair[0][0], pair[1][0]))
    streams = [SENSORS.stream([("T", 1)] * n) for n in range(3)]

    def holds(instance: tuple[RMA, RMA]) -> bool:
        return not any(frozenset() in matches(rma, stream) for rma in instance for stream in streams)

    return Claim("the empty set is a match of no RMA", "RMA Def. 6, Def. 10", pairs, holds)


@st.composite
def _with_one_register(draw: st.DrawFn) -> tuple[RMA, Stream]:
    """RMA with at most one run and one register over two states, and some T of one id followed by an H."""
    guards = (IS_T, IS_H, conjunction(IS_H, SAME), conjunction(IS_T, SAME), Not(IS_H))
    moves = st.builds(
        Transition,
        st.just(0),
        st.sampled_from(guards),
        st.sampled_from(Output),
        st.sampled_from((frozenset({"r1"}), frozenset[str]())),
        st.integers(0, 1),
    )
    srt = SRT(2, 0, frozenset({1}), tuple(ordered(draw(st.lists(moves, min_size=1, max_size=2)))))
    how_many = draw(st.integers(2, 4))
    rows = [*(("T", 1) for _ in range(how_many)), ("H", 1)]
    return with_start(bind_guards(srt, SENSORS)), SENSORS.stream(rows)


def one_id_is_not_handled() -> Claim[tuple[RMA, Stream]]:
    """Thm 13, sketch: with one register, more than one T of one id and an H are too much for a single run.

    To handle them: accept at the H if it has the id of the T, not if it has another one, and not before.
    """

    def right(candidate: RMA, stream: Stream) -> bool:
        other = (*stream[:-1], SENSORS.event(("H", 2), len(stream)))
        return recognised_at(candidate, stream) == {len(stream) - 1} and not recognised_at(candidate, other)

    def handled(instance: tuple[RMA, Stream]) -> bool:
        rma, stream = instance
        whole = all(right(rma, (*stream[:m], SENSORS.event(("H", 1), m + 1))) for m in range(1, len(stream)))
        return whole and right(rma, stream)

    return Claim(
        "one register is too few for several T and an H, all of one id",
        "RMA Thm 13, ERRATA C5",
        _with_one_register(),
        lambda instance: not handled(instance),
        lambda i: Exhibit(i[1], False, True, (("one register", i[0]),)),
    )


_REGISTERS: Final = st.tuples(st.integers(0, 2), st.frozensets(st.integers(1, 5), max_size=1))


def any_contents_are_too_few() -> Claim[tuple[int, frozenset[int]]]:
    """The same for configurations instead of automata: whatever k registers hold, some pair looks alike."""
    return Claim(
        "whatever registers hold, equalities do not tell two streams with other matches apart",
        "RMA Thm 11, ERRATA C1",
        _REGISTERS,
        cache(lambda instance: not_determinizable_with(*instance)),
    )
