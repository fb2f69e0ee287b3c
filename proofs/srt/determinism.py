"""Claims about determinism: Def. 36 as published, and what follows from it for Thm 38 (ERRATA A8)."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.decisions.determinism import is_deterministic
from mnemata.automata.decisions.languages import equivalent
from mnemata.automata.srt.runs import accepts, matches, runs
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators import TICKS, Stream, srts, streams
from mnemata.proofs.srt.adversaries import FIGURE_4, FIGURE_12
from mnemata.proofs.srt.attempts import of_few_ids, of_few_types
from mnemata.proofs.srt.candidates import IS_B, IS_S, TAGGED, same
from mnemata.theory.conditions.formulas import Condition, Not, conjunction
from mnemata.theory.conditions.terms import Register
from mnemata.theory.satisfiability.decisions import satisfiable
from mnemata.theory.schema import Schema
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Output

Instance: TypeAlias = tuple[SRT, Stream]
Candidate: TypeAlias = tuple[SRT]

INSTANCES: Final[st.SearchStrategy[Instance]] = st.tuples(
    srts(TICKS, ("r1",), max_states=2, max_transitions=3, epsilons=False).map(
        lambda srt: bind_guards(srt, TICKS)
    ),
    streams(TICKS, max_size=3),
)


def is_deterministic_as_published(srt: SRT, schema: Schema) -> bool:
    """Def. 36 to the letter: transitions of a state to *different* states exclude one another (ERRATA A8).

    For all events and all register contents. Nothing is asked of epsilon transitions: they have no condition.
    """
    return not any(
        one.target != other.target
        and one.condition is not None
        and other.condition is not None
        and not satisfiable(conjunction(one.condition, other.condition), schema).no
        for state in srt.states
        for one, other in combinations(srt.outgoing(state), 2)
    )


def one_run_as_published() -> Claim[Instance]:
    """What is said to follow from Def. 36: over a string there is at most one run, and at most one match."""

    def holds(instance: Instance) -> bool:
        srt, string = instance
        return not is_deterministic_as_published(srt, TICKS) or len(list(runs(srt, string))) <= 1

    def exhibit(instance: Instance) -> Exhibit:
        srt, string = instance
        shown = (("deterministic by Def. 36", srt),)
        return Exhibit(string, "at most one run", f"{len(list(runs(srt, string)))} runs", shown)

    name = "what is deterministic by Def. 36 has at most one run"
    return Claim(name, "Def. 36", INSTANCES, holds, exhibit)


def one_run_repaired() -> Claim[Instance]:
    """No two transitions of a state can be taken together, and none reads no event: then there is one run."""

    def holds(instance: Instance) -> bool:
        srt, string = instance
        if not is_deterministic(srt, TICKS).yes:
            return True
        return len(list(runs(srt, string))) <= 1 and len(matches(srt, string)) <= 1

    name = "what is deterministic has at most one run and one match"
    return Claim(name, "Def. 36, ERRATA A8", INSTANCES, holds)


_FOUND: Final = conjunction(IS_S, same("id", "r1"))
_GUARDS: Final[tuple[Condition, ...]] = (IS_B, conjunction(Not(IS_B), Not(_FOUND)), _FOUND)
"""They exclude one another, so only transitions with equal guards can be taken together."""

_R1: Final = frozenset({"r1"})
_WRITES: Final[tuple[tuple[frozenset[Register], ...], ...]] = (
    (frozenset(),),
    (_R1,),
    (frozenset(), _R1),
)


@st.composite
def deterministic_as_published(draw: st.DrawFn) -> Candidate:
    """Automata with one register and two states that Def. 36 calls deterministic.

    For each guard a state has transitions to one target at most, which may differ in what they write.
    """
    rows = [draw(_rows())]
    rows.append(rows[0] if draw(st.booleans()) else draw(_rows()))
    transitions = (
        Transition(state, guard, Output.SKIP, writes, target)
        for state, row in enumerate(rows)
        for guard, (target, choices) in zip(_GUARDS, row, strict=True)
        for writes in choices
    )
    return (SRT(2, 0, frozenset({1}), tuple(transitions), _R1),)


_Row: TypeAlias = tuple[tuple[State, tuple[frozenset[Register], ...]], ...]


def _rows() -> st.SearchStrategy[_Row]:
    move = st.tuples(st.integers(0, 1), st.sampled_from(((), *_WRITES)))
    return st.tuples(move, move, move)


def figure_4_needs_more_than_def_36_allows() -> Claim[Candidate]:
    """Thm 38 to the letter: whatever Def. 36 calls deterministic errs about Fig. 4.

    It errs about some string of up to four events over two types and two ids, or, as Z3 finds, about
    some string of up to four events over all types and ids.
    """

    def errs(srt: SRT) -> bool:
        return any(accepts(srt, string) != wanted for string, wanted in _few_strings())

    def holds(instance: Candidate) -> bool:
        (srt,) = instance
        if errs(srt) or not is_deterministic_as_published(srt, TAGGED):
            return True
        return not equivalent(srt, FIGURE_4, TAGGED, up_to=4, marks=False).yes

    def exhibit(instance: Candidate) -> Exhibit:
        string = TAGGED.stream([("B", 1), ("B", 2), ("S", 1)])
        return Exhibit(
            string,
            "an error, or one run",
            f"no error, and {len(list(runs(instance[0], string)))} runs",
            (("deterministic by Def. 36, and right about Fig. 4", instance[0]),),
        )

    name = "what is deterministic by Def. 36 errs about Fig. 4"
    return Claim(name, "Thm 38", deterministic_as_published(), holds, exhibit)


@cache
def _few_strings() -> tuple[tuple[Stream, bool], ...]:
    words = (word for n in range(5) for word in product(product("BS", (1, 2)), repeat=n))
    words = (word for word in words if not word or word[0][1] == 1)
    strings = (TAGGED.stream(word) for word in words)
    found = ((string, semantics.accepts(FIGURE_4, string)) for string in strings)
    # Short ones and accepted ones first: most automata err soon, about those.
    return tuple(sorted(found, key=lambda pair: (len(pair[0]), not pair[1])))


def few_ids_are_determinizable() -> Claim[tuple[int, Stream]]:
    """Where there are few ids, Fig. 4 has a deterministic SRT without registers: states are sets of ids."""
    rows = st.integers(1, 3).flatmap(
        lambda n: st.tuples(
            st.just(n), st.lists(st.tuples(st.sampled_from("BSX"), st.integers(1, n)), max_size=5)
        )
    )
    instances = rows.map(lambda drawn: (drawn[0], TAGGED.stream(drawn[1])))

    def holds(instance: tuple[int, Stream]) -> bool:
        ids = tuple(range(1, instance[0] + 1))
        made = _of_few_ids(ids)
        right = accepts(made, instance[1]) == semantics.accepts(FIGURE_4, instance[1])
        return right and not made.registers and len(list(runs(made, instance[1]))) == 1

    name = "Fig. 4 is determinizable where there are few ids"
    return Claim(name, "Thm 38, Example 1", instances, holds)


def few_types_have_no_complement() -> Claim[tuple[int]]:
    """That over `n` types, too, Fig. 12 has no complement; it has one, whose states are sets of types.

    Tried on all strings of up to ``n + 1`` events.
    """

    def holds(instance: tuple[int]) -> bool:
        types = "BSX"[: instance[0]]
        words = (word for n in range(len(types) + 2) for word in product(types, repeat=n))
        strings = (TAGGED.stream([(name, 0) for name in word]) for word in words)
        made = of_few_types(tuple(types))
        return any(accepts(made, string) == semantics.accepts(FIGURE_12, string) for string in strings)

    name = "over finitely many types Fig. 12 has no complement"
    return Claim(name, "App. A.5", st.tuples(st.integers(1, 3)), holds, members=("number of types",))


_of_few_ids: Final = cache(of_few_ids)
