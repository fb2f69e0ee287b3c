"""Core-CEPL over symbolic streams, and proofs about small expressions for all attribute values.

The events of a stream are variables. Whether a set of positions is a match becomes a condition on them: the
semantics of `mnemata.theory.cepl.semantics` for bounded expressions, case by case. RMA are run symbolically
over the same stream, and Z3 proves for each set of positions that the two conditions are equivalent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from mnemata.automata.decisions.languages import language
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.automata.rma.automaton import RMA
from mnemata.automata.rma.bridges import srt_of
from mnemata.proofs.bounded import Proof, proved
from mnemata.proofs.evidence import Effort
from mnemata.proofs.rma.matching import SCHEMA
from mnemata.theory.cepl.binding import bind_expression
from mnemata.theory.cepl.expressions import (
    Atom,
    Expression,
    Filter,
    Iteration,
    Or,
    Variable,
    Windowed,
    either,
)
from mnemata.theory.cepl.expressions import (
    Sequence as Sequencing,
)
from mnemata.theory.cepl.refusals import check_bounded
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.formulas import BOTTOM, Condition, conjunction, rename
from mnemata.theory.conditions.terms import HEAD
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.satisfiability.answers import Answer
from mnemata.theory.satisfiability.decisions import equivalent
from mnemata.theory.sremo.symbolic import Marks, Matches, by_marks
from mnemata.theory.translation.event_types import is_of_type

Places: TypeAlias = tuple[tuple[Variable, int], ...]


class _Way(NamedTuple):
    """One way to match: places, which variable stands for which of them, and under which condition."""

    marks: Marks
    places: Places
    condition: Condition


def matches(expression: Expression, events: Sequence[Variable]) -> Matches:
    """``[[e]](S)`` over a symbolic stream: each possible match with the condition that it is one.

    Parameters
    ----------
    expression : Expression
        Bounded, and bound to `matching.SCHEMA`.
    events : sequence of Variable
        The events of the stream, in order; matches consist of their 0-based places.
    """
    check_bounded(expression)
    return by_marks((way.marks, way.condition) for way in _Ways(tuple(events)).derive(expression, 0))


class _Ways:
    """The cases of the semantics, from a place of one symbolic stream on."""

    def __init__(self, events: tuple[Variable, ...]) -> None:
        self.events = events
        self.derive: Callable[[Expression, int], tuple[_Way, ...]] = cache(self._derive)

    def _derive(self, e: Expression, i: int) -> tuple[_Way, ...]:
        return tuple(self.cases(e, i))

    def cases(self, e: Expression, i: int) -> Iterator[_Way]:
        match e:
            case Atom():
                is_one = is_of_type(e.relation, SCHEMA)
                for at in range(i, len(self.events)):
                    condition = rename(is_one, {HEAD: self.events[at]})
                    yield _Way(frozenset({at}), ((e.variable, at),), condition)
            case Or(parts=parts):
                yield from (way for part in parts for way in self.derive(part, i))
            case Sequencing(parts=parts):
                yield from self.chain(parts, i)
            case Iteration(body=body):
                yield from (way._replace(places=()) for way in self.rounds(body, i))
            case Filter(body=body, condition=condition):
                yield from (self.asked(way, condition) for way in self.derive(body, i))
            case Windowed(body=body, size=size):
                yield from (w for w in self.derive(body, i) if max(w.marks) - min(w.marks) < size.size)
            case _:
                raise UnsupportedError(f"no symbolic semantics for {type(e).__name__}")

    def asked(self, way: _Way, condition: Condition) -> _Way:
        held: dict[Variable, Variable] = {name: self.events[at] for name, at in way.places}
        return way._replace(condition=conjunction(way.condition, rename(condition, held)))

    def chain(self, parts: tuple[Expression, ...], i: int) -> Iterator[_Way]:
        for first in self.derive(parts[0], i):
            if len(parts) == 1:
                yield first
                continue
            for rest in self.chain(parts[1:], max(first.marks) + 1):
                yield _joined(first, rest)

    def rounds(self, body: Expression, i: int) -> Iterator[_Way]:
        for first in self.derive(body, i):
            yield first
            for rest in self.rounds(body, max(first.marks) + 1):
                yield _joined(first, rest)


def _joined(first: _Way, rest: _Way) -> _Way:
    condition = conjunction(first.condition, rest.condition)
    return _Way(first.marks | rest.marks, (*first.places, *rest.places), condition)


def proof(expression: Expression, rma: RMA, *, up_to: int) -> Proof:
    """Whether an RMA has the matches of an expression over all streams of up to `up_to` events."""
    return proved(_equivalences(bind_expression(expression, SCHEMA), rma, up_to))


def _equivalences(expression: Expression, rma: RMA, up_to: int) -> Iterator[tuple[SymbolicString, Answer]]:
    automaton = language(srt_of(rma), SCHEMA)
    for length in range(1, up_to + 1):
        string = SymbolicString(length, SCHEMA)
        denoted = _ending(matches(expression, string.events), length)
        found = automaton.matches(string)
        for marks in sorted(denoted.keys() | found.keys(), key=sorted):
            one, other = denoted.get(marks, BOTTOM), found.get(marks, BOTTOM)
            yield string, equivalent(one, other, SCHEMA, known=string.known)


def _ending(found: Matches, length: int) -> Matches:
    """The matches that contain the last event, as positions from 1 on: what an RMA reports there."""
    return {frozenset(at + 1 for at in m): condition for m, condition in found.items() if length - 1 in m}


def corpus(atoms: int) -> Iterator[Expression]:
    """All bounded expressions of up to so many atoms over the types A and B, filtered by ``x.id = y.id``.

    Up to three; atoms have different variables. A filter is put around each sequence of two or three, and
    around choices of them, or not.
    """
    yield from _atoms("x")
    if atoms > 1:
        yield from (e.plus() for e in _atoms("x"))
        yield from _sequences("x", "y")
        yield from (either(one, other) for one, other in product(_atoms("x"), _atoms("y")))
    if atoms > 2:
        yield from (e.plus() for e in _sequences("x", "y"))
        yield from _sequences("x", "z", "y")
        yield from (e.plus() >> other for e, other in product(_atoms("x"), _atoms("y")))
        yield from (e >> other.plus() for e, other in product(_atoms("x"), _atoms("y")))
        choices = (either(a, b) >> c for a, b, c in product(_atoms("x"), _atoms("x"), _atoms("y")))
        yield from (e for choice in choices for e in (choice, choice.filter(_AGREE)))


_AGREE: Final[Condition] = register("x").id == register("y").id


def _atoms(name: Variable) -> tuple[Expression, ...]:
    return tuple(Atom(kind, name) for kind in "AB")


def _sequences(*names: Variable) -> Iterator[Expression]:
    for parts in product(*map(_atoms, names)):
        yield Sequencing(parts)
        yield Sequencing(parts).filter(_AGREE)


def windowed_proofs(
    make: Callable[[Expression, int], RMA], window: int
) -> Callable[[Effort], Iterator[Proof]]:
    """The same for constructions that are given an expression and a window."""

    def of(effort: Effort) -> Iterator[Proof]:
        for expression in corpus(effort.parts + 1):
            rma = make(expression, window)
            yield proof(expression.window(window), rma, up_to=effort.length + 1)

    return of


def proofs(make: Callable[[Expression], RMA]) -> Callable[[Effort], Iterator[Proof]]:
    """Proofs of the RMA that a construction makes of each expression of the corpus."""

    def of(effort: Effort) -> Iterator[Proof]:
        for expression in corpus(effort.parts + 1):
            yield proof(expression, make(expression), up_to=effort.length)

    return of
