"""From bounded core-CEPL to RMA with the registers of the paper (RMA Alg. 1, 3 and 4).

`automata.constructions.rma.translation` names registers after variables. Here registers are made when a
filter first reads a variable, and two functions are kept, as in the paper: ``dx``, from transitions to the
variables that they consume, and ``rx``, from registers to variables. Each step can be taken to the letter or
as repaired:

- Alg. 3, line 5: a filter is asked for where *all* of its variables are known, which is nowhere (ERRATA C3),
  or all others.
- ``OR`` unites the functions of both sides, so that one variable may have two registers, or one that only one
  side writes. That is against Property 3, and Alg. 4 takes the register that it finds, whichever side is
  taken. As repaired, a variable has one register, and all that consume it write it.
- Alg. 1, lines 7 to 11: only the first transition that consumes a variable is made to write the register. As
  repaired, all are (as in Alg. 4).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, TypeAlias

from mnemata.automata.rma.automaton import RMA, with_start
from mnemata.automata.srt.occupancy import occupancies
from mnemata.automata.srt.transducer import SRT, State, Transition, epsilon, moved
from mnemata.theory.cepl.binding import bind_expression
from mnemata.theory.cepl.expressions import Atom, Expression, Filter, Iteration, Or, Sequence, Variable
from mnemata.theory.cepl.refusals import check_bounded
from mnemata.theory.conditions.formulas import TOP, Condition, conjunction, rename, variables
from mnemata.theory.conditions.terms import HEAD, Register
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Output
from mnemata.theory.translation.event_types import is_of_type
from mnemata.theory.trees import Node, fold

_NOTHING: Final[frozenset[Register]] = frozenset()
Consumed: TypeAlias = tuple[Variable | None, ...]
"""``dx``: for each transition the variable whose event it consumes."""


@dataclass(frozen=True, slots=True)
class Built:
    """An automaton with one start and one final state, ``dx`` and ``rx``."""

    size: int
    final: State
    transitions: tuple[Transition, ...]
    consumed: Consumed
    registers: tuple[tuple[Register, Variable], ...] = ()
    start: State = 0

    @property
    def rma(self) -> RMA:
        """The automaton."""
        srt = SRT(self.size, self.start, frozenset({self.final}), self.transitions)
        return with_start(srt)

    def known(self) -> tuple[frozenset[Variable], ...]:
        """For each state the variables that appear in every trail to it."""
        told = zip(self.transitions, self.consumed, strict=True)
        consuming = tuple(replace(t, writes=_NOTHING if x is None else frozenset({x})) for t, x in told)
        srt = SRT(self.size, self.start, frozenset({self.final}), consuming)
        return tuple(_NOTHING if o is None else o.filled for o in occupancies(srt))

    def of(self, variable: Variable) -> Register | None:
        """The register of a variable: the first one, if there are several."""
        return min((r for r, x in self.registers if x == variable), default=None)

    def writing(self, variable: Variable, register: Register, *, only_first: bool = False) -> Built:
        """With a register for a variable, written by all transitions that consume it, or by the first."""
        chosen = [n for n, x in enumerate(self.consumed) if x == variable][: 1 if only_first else None]
        transitions = list(self.transitions)
        for number in chosen:
            transitions[number] = replace(transitions[number], writes=frozenset({register}))
        return replace(
            self, transitions=tuple(transitions), registers=(*self.registers, (register, variable))
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """How the algorithms are read.

    Parameters
    ----------
    all_others : bool
        Whether a filter is asked for where all *other* variables are known; else where all are.
    one_register : bool
        Whether after an ``OR`` each variable has one register, which all that consume it write.
    all_write : bool
        Whether a new register is written by all transitions that consume its variable, as in Alg. 4; else by
        the first one, as in Alg. 1.
    """

    all_others: bool = True
    one_register: bool = True
    all_write: bool = True


REPAIRED: Final = Reading()
ALGORITHM_1: Final = Reading(all_write=False)
ALGORITHM_3: Final = Reading(all_others=False)
ALGORITHM_4: Final = Reading(one_register=False)


def construct(expression: Expression, schema: Schema, reading: Reading = REPAIRED) -> Built:
    """``ConstructRMA``: the automaton of a bounded expression without windows, with ``dx`` and ``rx``."""
    bound = bind_expression(expression, schema)
    check_bounded(bound)
    return fold(bound, _Building(schema, reading).visit)


class _Building:
    def __init__(self, schema: Schema, reading: Reading) -> None:
        self.schema, self.reading, self.made = schema, reading, 0

    def visit(self, node: Node, below: tuple[Built, ...]) -> Built:
        match node:
            case Atom():
                return self.atom(node)
            case Sequence():
                return reduce(_sequence, below)
            case Or():
                return reduce(self.choice, below)
            case Iteration():
                return _iterated(below[0])
            case Filter(condition=condition):
                return self.filtered(below[0], condition)
            case Condition():
                return Built(1, 0, (), ())
        if isinstance(node, Expression):
            raise UnsupportedError(f"Alg. 1 to 4 say nothing of {type(node).__name__}")
        return Built(1, 0, (), ())

    def atom(self, node: Atom) -> Built:
        skip = Transition(0, TOP, Output.SKIP, _NOTHING, 0)
        take = Transition(0, is_of_type(node.relation, self.schema), Output.MARK, _NOTHING, 1)
        return Built(2, 1, (skip, take), (None, node.variable))

    def choice(self, left: Built, right: Built) -> Built:
        """``OR``: new states; both functions are united, and a variable may have two registers."""
        both = _beside(left, right)
        start, final = both.size, both.size + 1
        links = (
            epsilon(start, left.start),
            epsilon(start, left.size + right.start),
            epsilon(left.final, final),
            epsilon(left.size + right.final, final),
        )
        united = replace(
            both,
            size=both.size + 2,
            start=start,
            final=final,
            transitions=(*both.transitions, *links),
            consumed=(*both.consumed, *[None] * len(links)),
        )
        return _one_register(united) if self.reading.one_register else united

    def filtered(self, built: Built, condition: Condition) -> Built:
        """Alg. 3: the filter is added to transitions, and registers to the automaton."""
        read, known = variables(condition), built.known()
        for number, consumed in enumerate(built.consumed):
            source = built.transitions[number].source
            needed = read - {consumed} if self.reading.all_others else read
            if consumed in read and needed <= known[source]:
                built = self.asked(built, number, condition)
        return built

    def asked(self, built: Built, number: int, condition: Condition) -> Built:
        """Alg. 4: the head for the variable that is consumed, the register of each other, new or not."""
        names: dict[Variable, Variable] = {}
        for variable in sorted(variables(condition)):
            if variable == built.consumed[number]:
                names[variable] = HEAD
                continue
            held = built.of(variable)
            if held is None:
                self.made += 1
                held = f"r{self.made}"
                built = built.writing(variable, held, only_first=not self.reading.all_write)
            names[variable] = held
        transitions = list(built.transitions)
        t = transitions[number]
        own = TOP if t.condition is None else t.condition
        transitions[number] = replace(t, condition=conjunction(own, rename(condition, names)))
        return replace(built, transitions=tuple(transitions))


def _beside(left: Built, right: Built) -> Built:
    return Built(
        left.size + right.size,
        left.size + right.final,
        (*left.transitions, *moved(right.transitions, left.size)),
        (*left.consumed, *right.consumed),
        (*left.registers, *right.registers),
        left.start,
    )


def _linked(built: Built, link: Transition) -> Built:
    return replace(built, transitions=(*built.transitions, link), consumed=(*built.consumed, None))


def _sequence(left: Built, right: Built) -> Built:
    return _linked(_beside(left, right), epsilon(left.final, left.size + right.start))


def _iterated(body: Built) -> Built:
    return _linked(body, epsilon(body.final, body.start))


def _one_register(built: Built) -> Built:
    """Property 3 restored: one register for each variable that has any, written by all that consume it."""
    first = {x: built.of(x) for _, x in built.registers}
    names = {r: first[x] or r for r, x in built.registers}
    transitions = []
    for t, x in zip(built.transitions, built.consumed, strict=True):
        register = None if x is None else first.get(x)
        condition = None if t.condition is None else rename(t.condition, names)
        writes = _NOTHING if register is None else frozenset({register})
        transitions.append(replace(t, condition=condition, writes=writes))
    registers = tuple((register, x) for x, register in first.items() if register is not None)
    return replace(built, transitions=tuple(transitions), registers=registers)


Make: TypeAlias = Callable[[Expression, Schema], RMA]


def made(reading: Reading) -> Make:
    """The construction under a reading of the algorithms."""
    return lambda expression, schema: construct(expression, schema, reading).rma


def property_3(built: Built) -> bool:
    """Whether variables without a register are written nowhere, and the others to one register everywhere."""
    consuming = [(x, t.writes) for t, x in zip(built.transitions, built.consumed, strict=True)]
    wanted = {x: {r for r, y in built.registers if y == x} for x, _ in consuming if x is not None}
    return all(x is None or (len(wanted[x]) <= 1 and set(writes) == wanted[x]) for x, writes in consuming)
