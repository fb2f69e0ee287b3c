"""Counter machines, and what they say of decisions about SRT: Sec. 6 (ERRATA A13).

A configuration of a machine is an event, and that one follows another is a relation between two events,
which is evaluated in constant time. With it a transducer of three transitions and one register accepts the
halting computation of a machine, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.decisions.languages import empty, universal
from mnemata.automata.srt.runs import accepts
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators import Stream
from mnemata.proofs.srt.candidates import TAGGED, same
from mnemata.theory.conditions.building import Holder, head, register
from mnemata.theory.conditions.formulas import TOP, Condition, Not, conjunction, disjunction
from mnemata.theory.schema import Int64, Schema
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Expression, Output, sequence, skip, union

CONFIGURATIONS: Final = Schema.of(state=Int64(), left=Int64(), right=Int64())
"""The instruction that comes next, and two counters."""

STEPS: Final = 3
"""After how many steps of a machine Z3 is asked no more."""

MANY_STEPS: Final = 20

_NOTHING: Final = frozenset[str]()
_R1: Final = frozenset({"r1"})


@dataclass(frozen=True, slots=True)
class Instruction:
    """Add one to a counter, or take one off if it is not zero, and go on somewhere.

    Parameters
    ----------
    counter : str
        ``"left"`` or ``"right"``.
    adds : bool
        Whether one is added.
    then : int
        The next instruction; past the last one the machine halts.
    otherwise : int
        The next instruction where nothing could be taken off.
    """

    counter: str
    adds: bool
    then: int
    otherwise: int = 0


Machine: TypeAlias = tuple[Instruction, ...]
Computation: TypeAlias = tuple[SRT, Stream]


def computation(machine: Machine, steps: int) -> Stream:
    """The configurations of a machine until it halts; none if it does not within some steps."""
    state, counters = 0, {"left": 0, "right": 0}
    rows = [(state, 0, 0)]
    for _ in range(steps):
        if state >= len(machine):
            break
        now = machine[state]
        possible = now.adds or counters[now.counter] > 0
        counters[now.counter] += (1 if now.adds else -1) if possible else 0
        state = now.then if possible else now.otherwise
        rows.append((state, counters["left"], counters["right"]))
    return CONFIGURATIONS.stream(rows) if state >= len(machine) else ()


def follows(machine: Machine) -> Condition:
    """That the configuration in the head is the one after that in ``r1``."""
    return disjunction(*(_step(n, instruction) for n, instruction in enumerate(machine)))


def _step(number: int, instruction: Instruction) -> Condition:
    x, y = register("r1", CONFIGURATIONS), head(CONFIGURATIONS)
    other = "right" if instruction.counter == "left" else "left"
    here = conjunction(x.state == number, y[other] == x[other])
    if instruction.adds:
        return conjunction(here, _changed(x, y, instruction, 1))
    stuck = conjunction(
        x[instruction.counter] == 0, y[instruction.counter] == 0, y.state == instruction.otherwise
    )
    taken = conjunction(x[instruction.counter] > 0, _changed(x, y, instruction, -1))
    return conjunction(here, disjunction(stuck, taken))


def _changed(x: Holder, y: Holder, instruction: Instruction, by: int) -> Condition:
    counter = instruction.counter
    return conjunction(y[counter] == x[counter] + by, y.state == instruction.then)


def _begins() -> Condition:
    y = head(CONFIGURATIONS)
    return conjunction(y.state == 0, y.left == 0, y.right == 0)


def _halts(machine: Machine) -> Condition:
    return head(CONFIGURATIONS).state >= len(machine)


@cache
def halting(machine: Machine) -> SRT:
    """The SRT that accepts the halting computation of a machine."""
    succeeding = follows(machine)
    transitions = (
        Transition(0, _begins(), Output.SKIP, _R1, 1),
        Transition(1, succeeding, Output.SKIP, _R1, 1),
        Transition(1, conjunction(succeeding, _halts(machine)), Output.MARK, _NOTHING, 2),
    )
    return bind_guards(SRT(3, 0, frozenset({2}), transitions), CONFIGURATIONS)


def not_halting(machine: Machine) -> SRT:
    """The SRT that accepts all strings but the halting computation of a machine: it guesses what is wrong."""
    wrong, one, last = 2, 3, 4
    transitions = (
        Transition(0, Not(_begins()), Output.SKIP, _NOTHING, wrong),
        Transition(0, TOP, Output.SKIP, _NOTHING, one),
        Transition(0, TOP, Output.SKIP, _R1, 1),
        Transition(1, TOP, Output.SKIP, _R1, 1),
        Transition(1, Not(follows(machine)), Output.SKIP, _NOTHING, wrong),
        Transition(1, Not(_halts(machine)), Output.SKIP, _NOTHING, last),
        Transition(wrong, TOP, Output.SKIP, _NOTHING, wrong),
    )
    return bind_guards(SRT(5, 0, frozenset({0, wrong, one, last}), transitions), CONFIGURATIONS)


def machines(most: int) -> st.SearchStrategy[Machine]:
    """Machines of one to `most` instructions."""

    def one(number: int, size: int) -> st.SearchStrategy[Instruction]:
        anywhere = st.integers(0, size)
        there = st.just(number + 1) | anywhere
        return st.builds(Instruction, st.sampled_from(("left", "right")), st.booleans(), there, anywhere)

    def of(size: int) -> st.SearchStrategy[Machine]:
        return st.tuples(*(one(number, size) for number in range(size)))

    return st.integers(1, most).flatmap(of)


def non_emptiness_is_halting() -> Claim[tuple[Machine]]:
    """What accepts the halting computation accepts something exactly if the machine halts."""

    def holds(instance: tuple[Machine]) -> bool:
        (machine,) = instance
        found = empty(halting(machine), CONFIGURATIONS, up_to=STEPS + 1)
        expected = computation(machine, STEPS)
        return found.no and found.witness == expected if expected else found.yes

    name = "an SRT of three transitions is not empty exactly if a machine halts"
    return Claim(name, "Sec. 6, ERRATA A13", st.tuples(machines(most=2)), holds)


def universality_is_not_halting() -> Claim[tuple[Machine]]:
    """What accepts all but the halting computation accepts everything exactly if there is none."""

    def holds(instance: tuple[Machine]) -> bool:
        (machine,) = instance
        found = universal(not_halting(machine), CONFIGURATIONS, up_to=STEPS + 1)
        expected = computation(machine, STEPS)
        return found.no and found.witness == expected if expected else found.yes

    name = "an SRT of seven transitions is universal exactly if a machine does not halt"
    return Claim(name, "Sec. 6", st.tuples(machines(most=2)), holds)


def short_strings_of_computations() -> Claim[Computation]:
    """That an SRT which accepts anything accepts a string that visits no state twice with alike registers.

    For equality this is why non-emptiness is decidable in polynomial space: registers are alike if they are
    equal and empty alike, so one register makes for two kinds of contents.
    """

    def exhibit(instance: Computation) -> Exhibit:
        srt, string = instance
        most = f"a string of at most {_shortest(srt)} events"
        return Exhibit(string, most, f"a shortest one has {len(string)}", (("the automaton", srt),))

    def holds(instance: Computation) -> bool:
        srt, string = instance
        # The first configuration and what follows each is determined, so no others need to be tried.
        accepted = (n for n in range(len(string) + 1) if accepts(srt, string[:n]))
        return next(accepted, 0) <= _shortest(srt)

    instances = machines(most=6).map(lambda machine: (halting(machine), computation(machine, MANY_STEPS)))
    name = "what accepts anything accepts a string no longer than states times kinds of register contents"
    return Claim(name, "Sec. 6", instances, holds, exhibit)


def _shortest(srt: SRT) -> int:
    """The number of states times that of the kinds of contents, for one register."""
    return 2 * srt.size


def short_strings_for_equality() -> Claim[tuple[SRT]]:
    """The same for conditions that are equalities and their negations: register automata."""
    states = st.integers(0, 1)
    guard = st.sampled_from((TOP, same("id", "r1"), Not(same("id", "r1"))))
    writes = st.sampled_from((_NOTHING, _R1))
    moves = st.lists(st.builds(Transition, states, guard, st.just(Output.SKIP), writes, states), max_size=4)
    automata = st.builds(
        lambda found, finals: (SRT(2, 0, finals, tuple(found), _R1),), moves, st.frozensets(states)
    )

    def holds(instance: tuple[SRT]) -> bool:
        (srt,) = instance
        most = _shortest(srt)
        longer, shorter = (empty(srt, TAGGED, up_to=n) for n in (most + 2, most))
        return longer.verdict is shorter.verdict

    name = "with equality alone, what accepts anything accepts a short string"
    return Claim(name, "Sec. 6, ERRATA A13", automata, holds)


Clause: TypeAlias = tuple[int, ...]
"""Literals: the number of a variable, counted from 1, or its negative."""


def membership_is_satisfiability() -> Claim[tuple[tuple[Clause, ...]]]:
    """Membership is NP-hard with equality alone: registers guess values of variables, events are clauses."""
    literal = st.integers(1, 3).flatmap(lambda n: st.sampled_from((n, -n)))
    clause = st.lists(literal, min_size=1, max_size=3, unique=True).map(tuple)
    formulas = st.lists(clause, max_size=6).map(tuple)

    def holds(instance: tuple[tuple[Clause, ...]]) -> bool:
        (clauses,) = instance
        expression, string = membership(clauses)
        return semantics.accepts(expression, string) == _satisfiable(clauses)

    name = "a string is accepted exactly if a formula is satisfiable"
    return Claim(name, "Sec. 6", st.tuples(formulas), holds)


def membership(clauses: tuple[Clause, ...]) -> tuple[Expression, Stream]:
    """An expression, and a string that it accepts exactly if all of some clauses can be satisfied."""
    variables = range(1, 1 + max((abs(n) for clause in clauses for n in clause), default=1))
    guesses = [
        union(sequence(skip(write=f"r{n}"), skip()), sequence(skip(), skip(write=f"r{n}"))) for n in variables
    ]
    checks = [skip(disjunction(*map(_literal, clause))) for clause in clauses]
    rows = [("value", value) for _ in variables for value in (0, 1)] + [("clause", 1)] * len(clauses)
    return sequence(*guesses, *checks), TAGGED.stream(rows)


def _literal(number: int) -> Condition:
    true = same("id", f"r{abs(number)}")
    return true if number > 0 else Not(true)


def _satisfiable(clauses: tuple[Clause, ...]) -> bool:
    return any(
        all(any((n > 0) == values[abs(n) - 1] for n in clause) for clause in clauses)
        for values in product((True, False), repeat=3)
    )
