"""Claims about unrolling, determinization and complement: Lemma 46, Alg. 3 to 8 (ERRATA A5 to A8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.complement import (
    complement,
    complement_as_published,
    complete,
    difference,
    opposite,
    symmetric_difference,
)
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.powerset import determinize_as_published
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.constructions.unrolling import unroll
from mnemata.automata.srt.paths import growing
from mnemata.automata.srt.runs import Marks, Run, accepting_runs, accepts, matches, runs
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators import TICKS, Stream, expressions, remembering_expressions, streams
from mnemata.proofs.generators.cel import words
from mnemata.theory.conditions.formulas import TOP, Comparison, Not
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant
from mnemata.theory.schema import Event
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Expression, Output, Terminal, mark, sequence, skip, union

Instance: TypeAlias = tuple[Expression, int, Stream]
Pair: TypeAlias = tuple[Expression, Expression, int, Stream]
Construction: TypeAlias = Callable[[SRT, int], SRT]

MEMBERS: Final = ("expression", "window", "stream")
"""What an `Instance` consists of."""

SMALL = expressions(TICKS, ("r1", "r2"), size=3, windows=False, intersections=False)
WINDOWS = st.integers(1, 4)
STRINGS = streams(TICKS, max_size=5)
INSTANCES: st.SearchStrategy[Instance] = st.tuples(SMALL, WINDOWS, STRINGS)


def few_events() -> st.SearchStrategy[Expression]:
    """Sequences of one to three events, marked or not."""
    guards = st.sampled_from((TOP, Comparison("=", Attribute(HEAD, "type"), Constant("A"))))
    events = st.builds(Terminal, guards, st.sampled_from(Output))
    return st.lists(events, min_size=1, max_size=3).map(lambda parts: sequence(*parts))


SMALL_INSTANCES: st.SearchStrategy[Instance] = st.tuples(
    few_events(), st.integers(1, 2), streams(TICKS, max_size=3)
)
REMEMBERING: st.SearchStrategy[Instance] = st.tuples(
    remembering_expressions(), st.just(3), words(min_size=2, max_size=3)
)
"""Expressions in which registers matter."""
ALL_OF_WINDOW: st.SearchStrategy[Instance] = st.tuples(
    remembering_expressions(), st.just(3), words(min_size=3, max_size=3)
)
"""Such expressions, and strings as long as the window."""
PAIRS: st.SearchStrategy[Pair] = st.tuples(SMALL, SMALL, st.integers(1, 3), streams(TICKS, max_size=4))
REMEMBERING_PAIRS: st.SearchStrategy[Pair] = st.tuples(
    remembering_expressions(), remembering_expressions(), st.integers(2, 3), words(min_size=2, max_size=3)
)
REMEMBERING_STREAMS: st.SearchStrategy[Instance] = st.tuples(
    remembering_expressions(most=2), st.just(3), words(min_size=4, max_size=4)
)
"""Strings that they accept are shorter than the streams."""


@st.composite
def choices(draw: st.DrawFn) -> Expression:
    """A choice between events that are written or not, then an event that may be compared to them."""
    same = Comparison("=", Attribute(HEAD, "id"), Attribute("r1", "id"))
    writes = draw(st.lists(st.sampled_from((None, "r1")), min_size=1, max_size=2))
    guard = draw(st.sampled_from((TOP, same, Not(same))))
    return union(*(skip(write=write) for write in writes)) >> mark(guard)


CHOICES: st.SearchStrategy[Instance] = st.tuples(choices(), st.just(2), words(min_size=2, max_size=2))


def automaton(expression: Expression) -> SRT:
    """The SRT of an expression over `TICKS`, without epsilon transitions."""
    return eliminate_epsilon(bind_guards(thompson(expression), TICKS))


def recognises_short(
    make: Construction,
    name: str,
    source: str,
    instances: st.SearchStrategy[Instance] = INSTANCES,
) -> Claim[Instance]:
    """That a construction accepts exactly the strings of up to `w` events that the expression accepts."""

    def wanted(instance: Instance) -> bool:
        expression, window, string = instance
        return len(string) <= window and semantics.accepts(expression, string)

    return _accepting(make, wanted, name, source, instances)


def recognises_windowed(
    make: Construction, name: str, source: str, *, inside: bool = True
) -> Claim[Instance]:
    """That a construction accepts exactly the strings of ``e^[1..w]``, as Def. 39 has it (ERRATA A5).

    Or all others, with `inside` false. Strings over which nothing is marked do not count: Def. 39 does not
    say what the span of no marks is.
    """

    def wanted(instance: Instance) -> bool:
        expression, window, string = instance
        return semantics.accepts(expression.within(events=window), string) == inside

    claim = _accepting(make, wanted, name, source, SMALL_INSTANCES)
    return replace(claim, holds=lambda i: frozenset() in semantics.matches(i[0], i[2]) or claim.holds(i))


def _accepting(
    make: Construction,
    wanted: Callable[[Instance], bool],
    name: str,
    source: str,
    instances: st.SearchStrategy[Instance],
) -> Claim[Instance]:
    @lru_cache(maxsize=256)  # the same few expressions come again and again
    def constructed(expression: Expression, window: int) -> SRT:
        return make(automaton(expression), window)

    def made(instance: Instance) -> SRT:
        return constructed(instance[0], instance[1])

    def exhibit(instance: Instance) -> Exhibit:
        shown = (
            ("what is constructed", made(instance)),
            ("the expression without a window", automaton(instance[0])),
        )
        return Exhibit(instance[2], wanted(instance), accepts(made(instance), instance[2]), shown)

    return Claim(name, source, instances, lambda i: accepts(made(i), i[2]) == wanted(i), exhibit, MEMBERS)


def ring(srt: SRT, window: int) -> SRT:
    """The ring buffer of ERRATA A5."""
    return determinize(srt, window=window)


def powerset(srt: SRT, window: int) -> SRT:
    """Alg. 7, with a register that the walk has not written read as empty (ERRATA A6)."""
    return determinize_as_published(srt, TICKS, window=window)


def powerset_any_copy(srt: SRT, window: int) -> SRT:
    """Alg. 7, with another copy read instead of a register that the walk has not written."""
    return determinize_as_published(srt, TICKS, window=window, any_copy=True)


def unrolled(srt: SRT, window: int) -> SRT:
    """Alg. 4, with a register that the walk has not written read as empty (ERRATA A6)."""
    return unroll(srt, window=window)


def unrolled_any_copy(srt: SRT, window: int) -> SRT:
    """Alg. 4, with another copy read instead of a register that the walk has not written."""
    return unroll(srt, window=window, any_copy=True)


def streaming_ring_is_exact(instances: st.SearchStrategy[Instance] = INSTANCES) -> Claim[Instance]:
    """The streaming ring buffer accepts where a suffix of up to `w` events is accepted, in one run."""

    def holds(instance: Instance) -> bool:
        expression, window, stream = instance
        made = determinize(automaton(expression), window=window, streaming=True)
        suffixes = (stream[m:] for m in range(max(0, len(stream) - window), len(stream)))
        wanted = any(semantics.accepts(expression, suffix) for suffix in suffixes)
        return accepts(made, stream) == wanted and len(list(runs(made, stream))) == 1

    return Claim("the streaming ring buffer accepts short suffixes", "ERRATA A5", instances, holds)


def unrolling_is_exact(instances: st.SearchStrategy[Instance] = INSTANCES) -> Claim[Instance]:
    """Lemma 46, for matches and not only for strings."""

    def holds(instance: Instance) -> bool:
        expression, window, string = instance
        found = matches(unroll(automaton(expression), window=window), string)
        wanted = semantics.matches(expression, string) if len(string) <= window else frozenset()
        return found == wanted

    return Claim("unrolling keeps the matches of short strings", "Lemma 46", instances, holds)


def nothing_is_unrolled() -> Claim[Instance]:
    """Alg. 5: of length 0 there is one run, which accepts where the start is final."""

    def holds(instance: Instance) -> bool:
        srt, string = automaton(instance[0]), instance[2]
        base = unroll(srt, window=0)
        accepted = not string and srt.start in srt.finals
        return (base.size, base.transitions) == (1, ()) and accepts(base, string) == accepted

    return Claim("what is unrolled to length 0 reads nothing", "Alg. 5", INSTANCES, holds)


def unrolled_runs_are_those_of_the_automaton() -> Claim[Instance]:
    """The proposition inside the proof of Lemma 46, of accepting runs: one for one, with the same outputs.

    The copy of a register that was written last in the unrolled run holds what the register holds.
    """

    def holds(instance: Instance) -> bool:
        expression, window, string = instance
        srt = automaton(expression)
        wanted = Counter(_traced(run) for run in accepting_runs(srt, string[:window]))
        found = Counter(_traced(run) for run in accepting_runs(unroll(srt, window=window), string[:window]))
        return found == wanted

    return Claim("unrolled runs are those of the automaton", "App. A.7", INSTANCES, holds)


def _traced(run: Run) -> tuple[Marks, tuple[tuple[str, Event], ...]]:
    """What a run marks, and what the latest copy of each register holds; ``r.n`` are copies of ``r``."""
    latest: dict[str, str] = {}
    for transition in run.transitions:
        latest |= {register.split(".")[0]: register for register in transition.writes}
    contents = run.configurations[-1].valuation
    return run.marks, tuple(sorted((r, contents[copy]) for r, copy in latest.items()))


def no_state_is_visited_twice() -> Claim[Instance]:
    """Lemma 46: what is unrolled has no loops."""

    def holds(instance: Instance) -> bool:
        made = unroll(automaton(instance[0]), window=instance[1])
        return growing(made) is None and all(t.source < t.target for t in made.transitions)

    return Claim("what is unrolled has no loops", "Lemma 46", INSTANCES, holds)


def power_set_simulates() -> Claim[Instance]:
    """The proposition about Alg. 7: what a run has written holds the same in the run of the power set.

    And the power set accepts each prefix that some run accepts, and no other.
    """

    def holds(instance: Instance) -> bool:
        expression, window, string = instance
        one_by_one = unroll(automaton(expression), window=window)
        together = determinize_as_published(automaton(expression), TICKS, window=window)
        return all(_simulated(one_by_one, together, string[:k]) for k in range(len(string) + 1))

    return Claim("the power set simulates the unrolled automaton", "App. A.7", INSTANCES, holds)


def _simulated(one_by_one: SRT, together: SRT, prefix: Stream) -> bool:
    followed = [run.configurations[-1] for run in runs(one_by_one, prefix)]
    joint = [run.configurations[-1] for run in runs(together, prefix)]
    if not followed:
        return all(here.state not in together.finals for here in joint)
    held = dict(joint[0].valuation) if len(joint) == 1 else {}
    accepted = any(here.state in one_by_one.finals for here in followed)
    return (
        len(joint) == 1
        and (joint[0].state in together.finals) == accepted
        and all(held.get(r) == event for here in followed for r, event in here.valuation.items())
    )


def one_run(make: Construction, name: str) -> Claim[Instance]:
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


def other_strings(srt: SRT, window: int) -> SRT:
    """The complement of ERRATA A7."""
    return complement(srt, window=window)


def complement_of_power_set_is_exact() -> Claim[Instance]:
    """Alg. 8 with the states of the determinized automaton and a final dead state (ERRATA A7)."""

    def holds(instance: Instance) -> bool:
        expression, window, string = instance
        made = opposite(complete(powerset(automaton(expression), window)))
        inside = len(string) <= window and semantics.accepts(expression, string)
        return accepts(made, string) != inside

    name = "the opposite of the completed power set accepts the other strings"
    return Claim(name, "Alg. 8, ERRATA A7", INSTANCES, holds)


def complement_as_published_is_exact() -> Claim[Instance]:
    """Alg. 8 to the letter."""

    def made(instance: Instance) -> SRT:
        srt = automaton(instance[0])
        return complement_as_published(powerset(srt, instance[1]), srt)

    def inside(instance: Instance) -> bool:
        return len(instance[2]) <= instance[1] and semantics.accepts(instance[0], instance[2])

    def exhibit(instance: Instance) -> Exhibit:
        wrong, right = made(instance), complement(automaton(instance[0]), window=instance[1])
        shown = (("the complement as published", wrong), ("the complement as repaired", right))
        return Exhibit(instance[2], not inside(instance), accepts(wrong, instance[2]), shown)

    return Claim(
        "Alg. 8 as published accepts the other strings",
        "Alg. 8",
        SMALL_INSTANCES,
        lambda i: accepts(made(i), i[2]) != inside(i),
        exhibit,
        MEMBERS,
    )


def complement_by_matches(instances: st.SearchStrategy[Instance] = SMALL_INSTANCES) -> Claim[Instance]:
    """Def. 33 to the letter: sets of positions are matches of a complement where they are none otherwise."""

    def others(instance: Instance) -> frozenset[Marks]:
        expression, window, string = instance
        found = semantics.matches(expression, string) if len(string) <= window else frozenset[Marks]()
        sizes = range(len(string) + 1)
        sets = chain.from_iterable(combinations(range(1, len(string) + 1), n) for n in sizes)
        return frozenset(frozenset(some) for some in sets) - found

    def made(instance: Instance) -> SRT:
        return complement(automaton(instance[0]), window=instance[1])

    def exhibit(instance: Instance) -> Exhibit:
        found = matches(made(instance), instance[2])
        return Exhibit(instance[2], others(instance), found, (("the complement", made(instance)),))

    return Claim(
        "the complement has the other sets of positions as matches",
        "Def. 33",
        instances,
        lambda i: matches(made(i), i[2]) == others(i),
        exhibit,
        MEMBERS,
    )


def differences_are_exact(instances: st.SearchStrategy[Pair] = PAIRS) -> Claim[Pair]:
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

    return Claim("differences keep the other matches", "the project's own", instances, holds)
