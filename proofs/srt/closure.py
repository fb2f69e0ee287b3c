"""Claims about closure properties of SRT: Def. 30 and 33, Thm 31 and 34."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.concatenation import concatenation
from mnemata.automata.constructions.exploration import Edge, edge, explore
from mnemata.automata.constructions.intersection import intersection
from mnemata.automata.constructions.kleene import star
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.constructions.union import union
from mnemata.automata.srt.runs import Acceptance, Marks, matches
from mnemata.automata.srt.transducer import SRT, State, Transition, epsilon
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators import (
    REGISTERS,
    TICKS,
    Stream,
    events,
    remembering_chains,
    remembering_pairs,
    remembering_srts,
    srts,
    streams,
)
from mnemata.proofs.generators.cel import words
from mnemata.proofs.srt.compiling import endings
from mnemata.theory.conditions.evaluation import Valuation
from mnemata.theory.conditions.formulas import TOP, Comparison, Not
from mnemata.theory.conditions.terms import HEAD, Attribute, Register
from mnemata.theory.conditions.typing import bind
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import Output

One: TypeAlias = tuple[SRT, Stream]
Two: TypeAlias = tuple[SRT, SRT, Stream]
Split: TypeAlias = tuple[SRT, SRT, Stream, Stream]

AUTOMATA = srts(TICKS, max_states=3, max_transitions=4).map(lambda srt: bind_guards(srt, TICKS))


@st.composite
def small_automata(draw: st.DrawFn, *, epsilons: bool = True) -> SRT:
    """Automata of one or two states and up to two transitions, over a register and equality with it."""
    same = bind(Comparison("=", Attribute(HEAD, "id"), Attribute("r1", "id")), TICKS)
    size = draw(st.integers(1, 2))
    states = st.integers(0, size - 1)
    moves = st.builds(
        Transition,
        states,
        st.sampled_from((TOP, same, Not(same))),
        st.sampled_from(Output),
        st.sampled_from((frozenset[str](), frozenset({"r1"}))),
        states,
    )
    either = moves | st.builds(epsilon, states, states) if epsilons else moves
    found = draw(st.lists(either, max_size=2))
    return SRT(size, draw(states), draw(st.frozensets(states, max_size=size)), tuple(found))


SMALL = small_automata()
STRINGS = streams(TICKS, max_size=3)
ONE: st.SearchStrategy[One] = st.tuples(AUTOMATA, STRINGS)
SMALL_ONE: st.SearchStrategy[One] = st.tuples(SMALL, STRINGS)
SMALL_TWO: st.SearchStrategy[Two] = st.tuples(SMALL, SMALL, STRINGS)
WITHOUT_EPSILON: st.SearchStrategy[Two] = st.tuples(
    small_automata(epsilons=False), small_automata(epsilons=False), STRINGS
)
TWO: st.SearchStrategy[Two] = st.tuples(AUTOMATA, AUTOMATA, STRINGS)
FEW = words(min_size=2, max_size=3)
REMEMBERING_TWO: st.SearchStrategy[Two] = st.tuples(remembering_srts(), remembering_srts(), FEW)
REMEMBERING_ALIKE: st.SearchStrategy[Two] = st.tuples(remembering_pairs(), FEW).map(lambda i: (*i[0], i[1]))
"""Two automata in which registers matter, and two that often accept the same strings."""
ALIKE_BUT_FOR_MARKS: st.SearchStrategy[Two] = st.tuples(remembering_pairs(tuple(Output)), FEW).map(
    lambda i: (*i[0], i[1])
)
ROUNDS: st.SearchStrategy[One] = st.tuples(remembering_srts(), words(min_size=3, max_size=4))
LONG_ROUNDS: st.SearchStrategy[One] = st.tuples(remembering_chains(), FEW)
"""Automata for several rounds in which registers matter, and for a round of as many events as there are."""
SHORT = streams(TICKS, max_size=2)
SPLIT: st.SearchStrategy[Split] = st.tuples(SMALL, SMALL, SHORT, SHORT)


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


def concatenation_is_exact(
    reading: Acceptance = Acceptance.FINAL_STATE, instances: st.SearchStrategy[Two] = TWO
) -> Claim[Two]:
    """Thm 31: ``Match(T1 . T2, S)``, under one reading of when a run accepts (ERRATA A2)."""

    def holds(instance: Two) -> bool:
        left, right, string = instance
        found = matches(concatenation(left, right), string, reading)
        return found == concatenated(left, right, string, reading)

    def exhibit(instance: Two) -> Exhibit:
        left, right, string = instance
        made = concatenation(left, right)
        shown = (
            ("the concatenation of Fig. 11d", made),
            ("the first automaton", left),
            ("the second", right),
        )
        found, wanted = matches(made, string, reading), concatenated(left, right, string, reading)
        return Exhibit(string, wanted, found, shown)

    name = f"concatenation joins the matches, runs accept {reading.value}"
    return Claim(name, "Thm 31", instances, holds, exhibit)


def concatenation_under_def_24_is_exact() -> Claim[Two]:
    """Thm 31 with runs that accept as in Def. 24: operands remember whether the last event was marked."""

    def holds(instance: Two) -> bool:
        left, right, string = instance
        made = concatenation(ending_in_marks(left), ending_in_marks(right))
        reading = Acceptance.LAST_EVENT_MARKED
        return matches(made, string, reading) == concatenated(left, right, string, reading)

    name = "concatenation joins the matches that mark their last events"
    return Claim(name, "Thm 31, Def. 24, ERRATA A2", TWO, holds)


def ending_in_marks(srt: SRT) -> SRT:
    """`srt` with final states that are entered only with the last event marked: all readings agree."""

    def outgoing(here: tuple[int, bool]) -> Iterator[Edge[tuple[int, bool]]]:
        for t in srt.outgoing(here[0]):
            marked = here[1] if t.is_epsilon else t.output is Output.MARK
            yield edge(t, (t.target, marked))

    return explore(
        (srt.start, False), outgoing, lambda here: here[0] in srt.finals and here[1], srt.registers
    )


def fixed_split_is_exact(*, shifted: bool) -> Claim[Split]:
    """Def. 30 to the letter: one split of the string is given, and what follows one another is joined.

    The second string begins again at 1, or with `shifted` where the first one ends.
    """

    def denoted(instance: Split) -> frozenset[Marks]:
        left, right, one, other = instance
        string = (*one, *other)
        second = string[len(one) :] if not shifted else renumbered(string)[len(one) :]
        return frozenset(
            first | more
            for first in matches(left, one)
            for more in matches(right, second)
            if not first or not more or max(first) < min(more)
        )

    def found(instance: Split) -> tuple[frozenset[Marks], SRT]:
        left, right, one, other = instance
        made = concatenation(left, right)
        return matches(made, renumbered((*one, *other))), made

    def exhibit(instance: Split) -> Exhibit:
        matched, made = found(instance)
        string = renumbered((*instance[2], *instance[3]))
        return Exhibit(string, denoted(instance), matched, (("the concatenation of Fig. 11d", made),))

    name = f"concatenation joins the matches over one split, indices {'go on' if shifted else 'begin again'}"
    return Claim(name, "Def. 30", SPLIT, lambda i: found(i)[0] == denoted(i), exhibit)


def renumbered(events: Sequence[Event]) -> Stream:
    """`events` at positions 1, 2, ..."""
    return tuple(Event(event.schema, event.values, n) for n, event in enumerate(events, start=1))


def star_is_exact(
    construction: Callable[[SRT], SRT] = star, instances: st.SearchStrategy[One] = ONE
) -> Claim[One]:
    """Thm 31: ``Match(T*, S)`` (ERRATA A3)."""

    def exhibit(instance: One) -> Exhibit:
        srt, string = instance
        made = construction(srt)
        shown = ((construction.__name__, made), ("rounds start empty", star(srt)), ("one round", srt))
        return Exhibit(string, iterated(srt, string), matches(made, string), shown)

    return Claim(
        f"{construction.__name__} iterates the matches",
        "Thm 31, Fig. 11f",
        instances,
        lambda i: matches(construction(i[0]), i[1]) == iterated(i[0], i[1]),
        exhibit,
    )


def intersection_is_exact(
    construction: Callable[[SRT, SRT], SRT] = intersection, instances: st.SearchStrategy[Two] = TWO
) -> Claim[Two]:
    """Thm 34: ``Match(T1 & T2, S)`` is the intersection of the matches (ERRATA A4)."""

    def exhibit(instance: Two) -> Exhibit:
        left, right, string = instance
        made = construction(left, right)
        shown = ((construction.__name__, made), ("the first automaton", left), ("the second", right))
        wanted = matches(left, string) & matches(right, string)
        return Exhibit(string, wanted, matches(made, string), shown)

    return Claim(
        f"{construction.__name__} intersects the matches",
        "Thm 34",
        instances,
        lambda i: matches(construction(i[0], i[1]), i[2]) == matches(i[0], i[2]) & matches(i[1], i[2]),
        exhibit,
    )


Liveness: TypeAlias = tuple[SRT, Stream, Valuation, Valuation]


_CONTENTS = st.dictionaries(st.sampled_from(REGISTERS), events(TICKS)).map(
    lambda held: Valuation(tuple(held.items()))
)
_HELD = words(min_size=1, max_size=1).map(lambda one: Valuation((("r1", one[0]),)))
LIVE: st.SearchStrategy[tuple[SRT]] = st.tuples(AUTOMATA | remembering_srts())
CONTENTS: st.SearchStrategy[Liveness] = st.tuples(AUTOMATA, STRINGS, _CONTENTS, _CONTENTS)
REMEMBERING_CONTENTS: st.SearchStrategy[Liveness] = st.tuples(remembering_srts(), FEW, _HELD, _HELD)


def liveness_is_sound(instances: st.SearchStrategy[Liveness] = CONTENTS) -> Claim[Liveness]:
    """Configurations that agree on their live registers have the same futures."""

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

    return Claim("dead registers do not matter", "the project's own", instances, holds)


def live_are_the_registers_read_before_written(
    instances: st.SearchStrategy[tuple[SRT]] = LIVE,
) -> Claim[tuple[SRT]]:
    """The least there is: a register is live where some walk from there reads it before it is written."""

    def holds(instance: tuple[SRT]) -> bool:
        srt = instance[0]
        wanted = (frozenset(r for r in srt.registers if _read_first(srt, q, r)) for q in srt.states)
        return live_registers(srt) == tuple(wanted)

    name = "live are the registers that some walk reads before they are written, and no others"
    return Claim(name, "the project's own", instances, holds)


def _read_first(srt: SRT, state: State, register: Register) -> bool:
    """Whether a walk from a state reads a register that it has not written."""
    reached, frontier = {state}, [state]
    while frontier:
        for t in srt.outgoing(frontier.pop()):
            if register in t.reads:
                return True
            if register not in t.writes and t.target not in reached:
                reached.add(t.target)
                frontier.append(t.target)
    return False


def _futures(srt: SRT, state: int, valuation: Valuation, string: Stream) -> frozenset[Marks]:
    return frozenset(marks for marks, _ in endings(srt, state, valuation, string))
