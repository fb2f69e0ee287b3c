"""Claims about closure properties of SRT: Def. 30 and 33, Thm 31 and 34."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.concatenation import concatenation
from mnemata.automata.constructions.intersection import intersection, intersection_as_published
from mnemata.automata.constructions.kleene import star, star_as_published
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.constructions.union import union
from mnemata.automata.srt.configurations import Configuration, successors
from mnemata.automata.srt.runs import Acceptance, Marks, matches
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim, Refuted
from mnemata.proofs.generators import REGISTERS, TICKS, Stream, events, srts, streams
from mnemata.theory.conditions.evaluation import Valuation
from mnemata.theory.sremo.expressions import Output

One: TypeAlias = tuple[SRT, Stream]
Two: TypeAlias = tuple[SRT, SRT, Stream]

AUTOMATA = srts(TICKS, max_states=3, max_transitions=4).map(lambda srt: bind_guards(srt, TICKS))
SMALL = srts(TICKS, ("r1",), max_states=2, max_transitions=2).map(lambda srt: bind_guards(srt, TICKS))
STRINGS = streams(TICKS, max_size=3)
ONE: st.SearchStrategy[One] = st.tuples(AUTOMATA, STRINGS)
SMALL_ONE: st.SearchStrategy[One] = st.tuples(SMALL, STRINGS)
SMALL_TWO: st.SearchStrategy[Two] = st.tuples(SMALL, SMALL, STRINGS)
TWO: st.SearchStrategy[Two] = st.tuples(AUTOMATA, AUTOMATA, STRINGS)


def concatenated(left: SRT, right: SRT, string: Sequence, reading: Acceptance) -> frozenset[Marks]:  # type: ignore[type-arg]
    """Def. 30, over all ways to split the string (ERRATA A3)."""
    return frozenset(
        first | second
        for k in range(len(string) + 1)
        for first in matches(left, string[:k], reading)
        for second in matches(right, string[k:], reading)
    )


def iterated(srt: SRT, string: Stream) -> frozenset[Marks]:
    """Def. 30: every round starts from empty registers."""

    @cache
    def rest(i: int) -> frozenset[Marks]:
        if i == len(string):
            return frozenset({frozenset()})
        ends = range(i + 1, len(string) + 1)
        return frozenset(
            first | more for j in ends for first in matches(srt, string[i:j]) for more in rest(j)
        )

    return rest(0)


def union_is_exact() -> Claim[Two]:
    """Thm 31: ``Match(T1 | T2, S)`` is the union of the matches."""
    return Claim(
        "union unites the matches",
        "Thm 31",
        TWO,
        lambda i: matches(union(i[0], i[1]), i[2]) == matches(i[0], i[2]) | matches(i[1], i[2]),
    )


def concatenation_is_exact(reading: Acceptance = Acceptance.FINAL_STATE) -> Claim[Two]:
    """Thm 31: ``Match(T1 . T2, S)``, under one reading of when a run accepts (ERRATA A2)."""

    def holds(instance: Two) -> bool:
        left, right, string = instance
        found = matches(concatenation(left, right), string, reading)
        return found == concatenated(left, right, string, reading)

    return Claim(f"concatenation joins the matches, runs accept {reading.value}", "Thm 31", TWO, holds)


def star_is_exact(
    construction: Callable[[SRT], SRT] = star, instances: st.SearchStrategy[One] = ONE
) -> Claim[One]:
    """Thm 31: ``Match(T*, S)`` (ERRATA A3)."""
    return Claim(
        f"{construction.__name__} iterates the matches",
        "Thm 31, Fig. 11f",
        instances,
        lambda i: matches(construction(i[0]), i[1]) == iterated(i[0], i[1]),
    )


def intersection_is_exact(
    construction: Callable[[SRT, SRT], SRT] = intersection, instances: st.SearchStrategy[Two] = TWO
) -> Claim[Two]:
    """Thm 34: ``Match(T1 & T2, S)`` is the intersection of the matches (ERRATA A4)."""
    return Claim(
        f"{construction.__name__} intersects the matches",
        "Thm 34",
        instances,
        lambda i: matches(construction(i[0], i[1]), i[2]) == matches(i[0], i[2]) & matches(i[1], i[2]),
    )


Liveness: TypeAlias = tuple[SRT, Stream, Valuation, Valuation]


def liveness_is_sound() -> Claim[Liveness]:
    """Configurations that agree on their live registers have the same futures."""
    contents = st.dictionaries(st.sampled_from(REGISTERS), events(TICKS)).map(
        lambda held: Valuation(tuple(held.items()))
    )

    def holds(instance: Liveness) -> bool:
        srt, string, v, other = instance
        live = live_registers(srt)
        for state in srt.states:
            mixed = {**other, **v}
            agreeing = Valuation(
                tuple((r, event) for r, event in (mixed | dict(other)).items() if r not in live[state])
                + tuple((r, event) for r, event in v.items() if r in live[state])
            )
            if _futures(srt, state, v, string) != _futures(srt, state, agreeing, string):
                return False
        return True

    return Claim(
        "dead registers do not matter",
        "the project's own",
        st.tuples(AUTOMATA, STRINGS, contents, contents),
        holds,
    )


def _futures(srt: SRT, state: int, valuation: Valuation, string: Stream) -> frozenset[Marks]:
    found: set[Marks] = set()
    start = (Configuration(1, state, valuation), frozenset[int]())
    seen, frontier = {start}, [start]
    while frontier:
        configuration, marks = frontier.pop()
        if configuration.index > len(string) and configuration.state in srt.finals:
            found.add(marks)
        for transition, following in successors(srt, configuration, string):
            more = {configuration.index} if transition.output is Output.MARK else set()
            there = (following, marks | more)
            if there not in seen:
                seen.add(there)
                frontier.append(there)
    return frozenset(found)


CLAIMS: tuple[Claim[One] | Claim[Two] | Claim[Liveness], ...] = (
    union_is_exact(),
    concatenation_is_exact(),
    star_is_exact(),
    intersection_is_exact(),
    liveness_is_sound(),
)
"""What holds, with the constructions as repaired."""

REFUTED: tuple[Refuted[One] | Refuted[Two], ...] = (
    Refuted(concatenation_is_exact(Acceptance.LAST_EVENT_MARKED), parts=2, events=2),
    Refuted(star_is_exact(star_as_published, SMALL_ONE), parts=2, events=2),
    Refuted(intersection_is_exact(intersection_as_published, SMALL_TWO), parts=4, events=2),
)
"""What does not hold, as published, with the sizes of the counterexamples of ERRATA A2 to A4."""
