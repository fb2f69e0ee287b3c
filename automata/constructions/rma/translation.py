"""From bounded core-CEPL to RMA (RMA Thm 8, Alg. 1, 3 and 4).

The function that maps transitions to variables (``delta x`` in the paper) and the one that maps registers to
variables (``rx``) are one thing here: a transition that consumes the event of a variable writes it to the
register of that name. Registers that no filter reads are dropped at the end; the paper creates them when a
filter first reads them (Alg. 4), which comes to the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TypeAlias

from mnemata.automata.constructions.concatenation import concatenation
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.kleene import plus_as_published
from mnemata.automata.constructions.registers import unused_prefix
from mnemata.automata.constructions.union import union
from mnemata.automata.constructions.windowing import windowed
from mnemata.automata.rma.automaton import RMA, with_start
from mnemata.automata.srt.occupancy import occupancies
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.cepl.binding import bind_expression
from mnemata.theory.cepl.expressions import (
    Atom,
    Expression,
    Filter,
    Iteration,
    Or,
    Sequence,
    Unary,
    Variable,
    Windowed,
)
from mnemata.theory.cepl.refusals import check_bounded
from mnemata.theory.cepl.variables import occurring
from mnemata.theory.conditions.formulas import TOP, Condition, conjunction, rename, variables
from mnemata.theory.conditions.terms import HEAD
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Output
from mnemata.theory.translation.event_types import is_of_type
from mnemata.theory.trees import Node, fold_occurrences

_Testing: TypeAlias = Callable[[SRT, Condition], SRT]


def translate(expression: Expression, schema: Schema) -> RMA:
    """The RMA of a bounded expression, with epsilon transitions (Thm 8).

    Its matches over a stream are those of the expression. Every register is written before it is read.

    Raises
    ------
    UnsupportedError
        When the expression is not bounded.
    PatternError
        One of its subclasses, when it is ill-formed or does not fit the schema.

    Examples
    --------
    >>> from mnemata.theory.cepl.expressions import atom
    >>> from mnemata.theory.schema import String
    >>> schema = Schema.of(type=String(), event_type="type")
    >>> translate(atom("T", "x") >> atom("H", "y"), schema).size
    4
    """
    return _translated(expression, schema, tested)


def translate_as_published(expression: Expression, schema: Schema) -> RMA:
    """Alg. 3 to the letter; its line 5 is wrong (ERRATA C3).

    A filter is added to a transition only if *all* of its variables, also the one that the transition itself
    consumes, appear on every trail to it. That is never so, and filters are lost.
    """
    return _translated(expression, schema, tested_as_published)


def without_epsilon(rma: RMA) -> RMA:
    """An RMA with the same matches and no epsilon transitions; it has one start state."""
    return with_start(eliminate_epsilon(rma.srt))


def tested(srt: SRT, condition: Condition) -> SRT:
    """``FILTER f``: the transitions at which the last variable of a filter is consumed ask for it (Alg. 1).

    Precondition: transitions write registers named after the variables that they consume, and each variable
    that `condition` reads is consumed exactly once on every accepting run.
    """

    def decided(read: _Names, consumed: _Names, before: _Names) -> bool:
        return bool(read & consumed) and read <= before | consumed

    return _asked(srt, condition, decided)


def tested_as_published(srt: SRT, condition: Condition) -> SRT:
    """The same as Alg. 3 has it in line 5."""

    def decided(read: _Names, consumed: _Names, before: _Names) -> bool:
        return bool(read & consumed) and read <= before

    return _asked(srt, condition, decided)


_Names: TypeAlias = frozenset[Variable]


def _asked(srt: SRT, condition: Condition, here: Callable[[_Names, _Names, _Names], bool]) -> SRT:
    """Add a condition to the transitions that `here` chooses.

    It is given the variables read, those consumed by the transition, and those consumed on every trail to it.
    """
    known = occupancies(srt)
    read = variables(condition)

    def asking(t: Transition) -> Transition:
        before = known[t.source]
        if t.condition is None or before is None or not here(read, t.writes, before.filled):
            return t
        test = rename(condition, dict.fromkeys(read & t.writes, HEAD))
        return Transition(t.source, conjunction(t.condition, test), t.output, t.writes, t.target)

    return SRT(srt.size, srt.start, srt.finals, tuple(map(asking, srt.transitions)), srt.registers)


def _translated(expression: Expression, schema: Schema, testing: _Testing) -> RMA:
    bound = bind_expression(expression, schema)
    check_bounded(bound)
    building = _Building(schema, testing, unused_prefix(occurring(bound)))
    return with_start(_read_ones_only(fold_occurrences(bound, building.visit)))


class _Building:
    """Makes the automaton of an expression from those of its parts."""

    def __init__(self, schema: Schema, testing: _Testing, hidden: str) -> None:
        self.schema, self.testing, self.hidden = schema, testing, hidden
        self.windows = 0

    def visit(self, node: Node, below: tuple[SRT, ...]) -> SRT:
        match node:
            case Atom():
                return self.atom(node)
            case Sequence():
                return reduce(concatenation, below)
            case Or():
                return reduce(union, below)
            case Iteration():
                return plus_as_published(below[0])
            case Filter(condition=condition):
                return self.testing(below[0], condition)
            case Windowed(size=size):
                self.windows += 1
                return windowed(below[0], size, f"{self.hidden}{self.windows}")
            case Unary():
                return below[0]
        return SRT(1, 0, frozenset(), ())  # conditions are read where they filter

    def atom(self, node: Atom) -> SRT:
        """The base case: any events may pass before one of the type is marked."""
        skip = Transition(0, TOP, Output.SKIP, frozenset(), 0)
        is_one = is_of_type(node.relation, self.schema)
        mark = Transition(0, is_one, Output.MARK, frozenset({node.variable}), 1)
        return SRT(2, 0, frozenset({1}), (skip, mark))


def _read_ones_only(srt: SRT) -> SRT:
    """`srt` without the registers that no transition reads."""
    read = frozenset(register for t in srt.transitions for register in t.reads)
    kept = tuple(
        Transition(t.source, t.condition, t.output, t.writes & read, t.target) for t in srt.transitions
    )
    return SRT(srt.size, srt.start, srt.finals, kept)
