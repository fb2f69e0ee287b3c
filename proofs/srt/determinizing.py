"""Claims about windows, determinization and complement: Def. 39, Lemma 46, Alg. 3 to 8 (ERRATA A5 to A8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.complement import (
    complement,
    complement_as_published,
    complete,
    difference,
    symmetric_difference,
)
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.powerset import determinize_as_published
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.constructions.unrolling import unroll
from mnemata.automata.srt.runs import accepts, matches, runs
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim, Refuted
from mnemata.proofs.generators import TICKS, Stream, expressions, streams
from mnemata.theory.conditions.formulas import TOP, Comparison, Not
from mnemata.theory.conditions.terms import HEAD, Attribute
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Expression, mark, skip, union
from mnemata.theory.sremo.windows import marks_both_ends

Instance: TypeAlias = tuple[Expression, int, Stream]
Pair: TypeAlias = tuple[Expression, Expression, int, Stream]

SMALL = expressions(TICKS, ("r1", "r2"), size=3, windows=False, intersections=False)
WINDOWS = st.integers(1, 4)
STRINGS = streams(TICKS, max_size=5)
INSTANCES: st.SearchStrategy[Instance] = st.tuples(SMALL, WINDOWS, STRINGS)
PAIRS: st.SearchStrategy[Pair] = st.tuples(SMALL, SMALL, st.integers(1, 3), streams(TICKS, max_size=4))


@st.composite
def choices(draw: st.DrawFn) -> Expression:
    """A choice between events that are written or not, then an event that may be compared to them."""
    same = Comparison("=", Attribute(HEAD, "id"), Attribute("r1", "id"))
    writes = draw(st.lists(st.sampled_from((None, "r1")), min_size=1, max_size=2))
    guard = draw(st.sampled_from((TOP, same, Not(same))))
    return union(*(skip(write=write) for write in writes)) >> mark(guard)


CHOICES: st.SearchStrategy[Instance] = st.tuples(
    choices(), st.just(2), streams(TICKS, min_size=2, max_size=2)
)


def automaton(expression: Expression) -> SRT:
    """The SRT of an expression over `TICKS`, without epsilon transitions."""
    return eliminate_epsilon(bind_guards(thompson(expression), TICKS))


def _recognises_short(
    make: Callable[[SRT, int], SRT],
    name: str,
    source: str,
    instances: st.SearchStrategy[Instance] = INSTANCES,
) -> Claim[Instance]:
    """That a construction accepts exactly the strings of up to `w` events that the expression accepts."""

    def holds(instance: Instance) -> bool:
        expression, window, string = instance
        made = make(automaton(expression), window)
        wanted = len(string) <= window and semantics.accepts(expression, string)
        return accepts(made, string) == wanted

    return Claim(name, source, instances, holds)


def _ring(srt: SRT, window: int) -> SRT:
    return determinize(srt, window=window)


def _powerset(srt: SRT, window: int) -> SRT:
    return determinize_as_published(srt, TICKS, window=window)


def _powerset_any_copy(srt: SRT, window: int) -> SRT:
    return determinize_as_published(srt, TICKS, window=window, any_copy=True)


def streaming_ring_is_exact() -> Claim[Instance]:
    """The streaming ring buffer accepts where a suffix of up to `w` events is accepted, in one run."""

    def holds(instance: Instance) -> bool:
        expression, window, stream = instance
        made = determinize(automaton(expression), window=window, streaming=True)
        suffixes = (stream[m:] for m in range(max(0, len(stream) - window), len(stream)))
        wanted = any(semantics.accepts(expression, suffix) for suffix in suffixes)
        return accepts(made, stream) == wanted and len(list(runs(made, stream))) == 1

    return Claim("the streaming ring buffer accepts short suffixes", "ERRATA A5", INSTANCES, holds)


def unrolling_is_exact() -> Claim[Instance]:
    """Lemma 46, for matches and not only for strings."""

    def holds(instance: Instance) -> bool:
        expression, window, string = instance
        unrolled = unroll(automaton(expression), window=window)
        wanted = semantics.matches(expression, string) if len(string) <= window else frozenset()
        return matches(unrolled, string) == wanted

    return Claim("unrolling keeps the matches of short strings", "Lemma 46", INSTANCES, holds)


def one_run(make: Callable[[SRT, int], SRT], name: str) -> Claim[Instance]:
    """That what a construction makes has at most one run over any string, and one when completed."""

    def holds(instance: Instance) -> bool:
        expression, window, string = instance
        made = make(automaton(expression), window)
        return len(list(runs(made, string))) <= 1 and len(list(runs(complete(made), string))) == 1

    return Claim(f"{name} has one run", "Def. 36", INSTANCES, holds)


def complement_is_exact() -> Claim[Instance]:
    """Cor. 43 repaired: relative to all strings, and within the window."""

    def holds(instance: Instance) -> bool:
        expression, window, string = instance
        srt, short = automaton(expression), len(string) <= window
        inside = short and semantics.accepts(expression, string)
        everything, within = (complement(srt, window=window, within=only) for only in (False, True))
        return accepts(everything, string) != inside and accepts(within, string) == (short and not inside)

    return Claim("the complement accepts the other strings", "Cor. 43, Alg. 8", INSTANCES, holds)


def complement_as_published_is_exact() -> Claim[Instance]:
    """Alg. 8 to the letter."""

    def holds(instance: Instance) -> bool:
        expression, window, string = instance
        srt = automaton(expression)
        made = complement_as_published(_powerset(srt, window), srt)
        inside = len(string) <= window and semantics.accepts(expression, string)
        return accepts(made, string) != inside

    return Claim("Alg. 8 as published accepts the other strings", "Alg. 8", INSTANCES, holds)


def differences_are_exact() -> Claim[Pair]:
    """Difference and symmetric difference, by their definitions."""

    def holds(instance: Pair) -> bool:
        left, right, window, string = instance
        one, other = automaton(left), automaton(right)
        short = len(string) <= window
        of_left, of_right = semantics.matches(left, string), semantics.matches(right, string)
        minus = of_left if not (short and of_right) else frozenset()
        apart = (of_left if not of_right else frozenset()) | (of_right if not of_left else frozenset())
        return matches(difference(one, other, window=window), string) == minus and matches(
            symmetric_difference(one, other, window=window), string
        ) == (apart if short else frozenset())

    return Claim("differences keep the other matches", "the project's own", PAIRS, holds)


def window_on_marks_bounds_the_string(*, both_ends: bool) -> Claim[Instance]:
    """That ``e^[1..w]`` (Def. 39) has the matches of ``e`` on strings of up to `w` events (ERRATA A5).

    With `both_ends` only for expressions that mark the first and the last event of every string.
    """

    def holds(instance: Instance) -> bool:
        expression, window, string = instance
        if both_ends and not marks_both_ends(expression):
            return True
        by_marks = semantics.matches(expression.within(events=window), string)
        return by_marks == semantics.matches(expression.length(window), string)

    name = "where both ends are marked, " if both_ends else ""
    return Claim(f"{name}Def. 39 bounds the string", "Def. 39, Lemma 46", INSTANCES, holds)


CLAIMS: tuple[Claim[Instance] | Claim[Pair], ...] = (
    _recognises_short(_ring, "the ring buffer accepts short strings", "ERRATA A5"),
    _recognises_short(_powerset, "Alg. 7 accepts short strings", "Alg. 7, ERRATA A6"),
    streaming_ring_is_exact(),
    unrolling_is_exact(),
    one_run(_ring, "the ring buffer"),
    one_run(_powerset, "Alg. 7"),
    complement_is_exact(),
    differences_are_exact(),
    window_on_marks_bounds_the_string(both_ends=True),
)
"""What holds, with the constructions as repaired."""

REFUTED: tuple[Refuted[Instance], ...] = (
    Refuted(
        _recognises_short(
            _powerset_any_copy, "Alg. 7 accepts short strings, any copy read", "Alg. 6, Alg. 7", CHOICES
        ),
        parts=3,
        events=2,
    ),
    Refuted(complement_as_published_is_exact(), parts=1, events=2),
    Refuted(window_on_marks_bounds_the_string(both_ends=False), parts=2, events=2),
)
"""What does not hold, as published, with the sizes of the counterexamples of ERRATA A5 to A7."""
