"""Patterns as chains of events, which is what the languages of most peers are made for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Condition, Not, disjunction
from mnemata.theory.conditions.formulas import registers as registers_read
from mnemata.theory.conditions.terms import Register
from mnemata.theory.sremo.expressions import (
    Absent,
    Concatenation,
    Empty,
    Epsilon,
    EventWindow,
    Expression,
    Intersection,
    LengthWindow,
    Negation,
    Optional,
    Output,
    Pattern,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    TimeWindow,
    Union,
    Windowed,
)
from mnemata.theory.trees import Node, transform

Name: TypeAlias = str

_CALLED: Final[Mapping[type[Node], str]] = {
    Absent: "absence between marked events",
    Concatenation: "a contiguous sequence inside of another operator",
    Empty: "the pattern that nothing matches",
    Epsilon: "the empty string",
    Intersection: "intersection",
    Negation: "negation",
    Optional: "an optional part",
    Plus: "a contiguous iteration",
    Repeat: "a bounded repetition",
    SkipTillAny: "a sequence or an iteration inside of another one",
    SkipTillNext: "skip-till-next",
    Star: "iteration that may be empty",
    Union: "disjunction of anything but single events",
    Windowed: "a window inside of a pattern",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One marked event of a chain, or one or more with anything in between.

    Parameters
    ----------
    name : str
        Its own, ``e1``, ``e2``, ...
    condition : Condition
        What each of its events satisfies.
    register : str or None
        Where its event is kept.
    repeated : bool
        One or more events, with anything in between.
    between : Condition
        What every event between the step before and this one satisfies: true for skip-till-any, false for a
        contiguous sequence.
    """

    name: Name
    condition: Condition
    register: Register | None
    repeated: bool = False
    between: Condition = TOP

    @property
    def contiguous(self) -> bool:
        """Whether it is right after the step before."""
        return self.between == BOTTOM

    @property
    def earliest(self) -> bool:
        """Whether it is the next event that it could be: skip-till-next."""
        return self.between == opposite(self.condition)


@dataclass(frozen=True, slots=True)
class Chain:
    """Steps one after the other, all within a time.

    Parameters
    ----------
    steps : tuple of Step
        In their order; at least one.
    window_ns : int
        The last event is less than so many nanoseconds after the first.
    """

    steps: tuple[Step, ...]
    window_ns: int

    @property
    def window_ms(self) -> int:
        """The window in milliseconds; what differs by less than one millisecond differs by none."""
        return -(-self.window_ns // 1_000_000)

    def holder(self, register: Register, before: Step) -> Step:
        """The step whose event a register holds when `before` reads it."""
        place = self.steps.index(before)
        return next(step for step in reversed(self.steps[:place]) if step.register == register)


def chain_of(pattern: Pattern, language: str) -> Chain:
    """A pattern as a chain.

    Raises
    ------
    InexpressibleError
        When it is none; names `language` and the construct that does not fit.

    Examples
    --------
    >>> from mnemata.theory.syntax import parse
    >>> chain = chain_of(parse("any(event as r, any(event+), event where a > r.a) within 5 ms"), "SQL")
    >>> [(step.name, step.register, step.repeated) for step in chain.steps], chain.window_ms
    ([('e1', 'r', False), ('e2', None, True), ('e3', None, False)], 5)
    """
    body, window_ns = bounded(pattern, language)
    parts = body.parts if isinstance(body, SkipTillAny) and not _is_iteration(body) else (body,)
    single = [one for part in parts for one in _contiguous(part)]
    steps = tuple(
        _step(f"e{number}", part, between, language) for number, (part, between) in enumerate(single, start=1)
    )
    chain = Chain(steps, window_ns)
    for place, step in enumerate(steps):
        known = {earlier.register for earlier in steps[:place]}
        for read in sorted(registers_read(step.condition) - known):
            raise InexpressibleError(language, f"the register '{read}' before it is written")
    return chain


def bounded(pattern: Pattern, language: str) -> tuple[Expression, int]:
    """What is inside of the window of a pattern, and the size of that in nanoseconds."""
    if pattern.partition_by:
        raise InexpressibleError(language, "`partition by` in this comparison")
    match pattern.expression:
        case Windowed(body=body, window=TimeWindow(duration=duration)):
            return simpler(body), duration.nanoseconds
        case Windowed(window=EventWindow()):
            raise InexpressibleError(language, "a window that counts events")
        case Windowed(window=LengthWindow()):
            raise InexpressibleError(language, "a window on the string that is read")
    raise InexpressibleError(language, "a pattern without window in this comparison")


def merged(expression: Expression) -> Expression:
    """``phi ^ o v r + psi ^ o v r = (phi or psi) ^ o v r``: the union of single events is a single event."""
    if not isinstance(expression, Union):
        return expression
    parts = [part for part in expression.parts if isinstance(part, Terminal)]
    kinds = {(part.output, part.write) for part in parts}
    if len(parts) < len(expression.parts) or len(kinds) > 1:
        return expression
    return Terminal(disjunction(*(part.condition for part in parts)), parts[0].output, parts[0].write)


def _contiguous(part: Expression) -> Iterator[tuple[Expression, Condition]]:
    """The parts of a contiguous sequence, each with what all events before it satisfy."""
    between: Condition = TOP
    for one in part.parts if isinstance(part, Concatenation) else (part,):
        match one:
            case Star(body=Terminal(condition=condition, output=Output.SKIP, write=None)) if (
                between == BOTTOM
            ):
                between = condition
            case _:
                yield one, between
                between = BOTTOM


def simpler(expression: Expression) -> Expression:
    """The same with fewer operators, where single events are concerned.

    ``absent(phi ^ x) = (not phi ^ x)*``, and for what follows in skip-till-next, ``next(e, phi ^ o) =
    e . (not phi ^ x)* . phi ^ o``.
    """
    made = transform(expression, _simpler)
    return made if isinstance(made, Expression) else expression


def _simpler(node: Node) -> Node:
    match node:
        case Absent(body=Terminal(condition=condition, write=None)):
            return Star(Terminal(opposite(condition), Output.SKIP))
        case SkipTillNext(parts=(first, *others)) if others:
            parts = [first]
            for part in others:
                if not isinstance(part, Terminal):
                    return node
                parts += [Star(Terminal(opposite(part.condition), Output.SKIP)), part]
            return Concatenation(tuple(parts))
    return node


def opposite(condition: Condition) -> Condition:
    """Its negation."""
    return condition.operand if isinstance(condition, Not) else Not(condition)


def _is_iteration(expression: Expression) -> bool:
    return isinstance(expression, SkipTillAny) and [type(part) for part in expression.parts] == [Plus]


def _step(name: Name, part: Expression, between: Condition, language: str) -> Step:
    repeated = _is_iteration(part)
    body = part
    if isinstance(part, SkipTillAny) and repeated:
        (iteration,) = part.parts
        body = iteration.body if isinstance(iteration, Plus) else iteration
    body = merged(body)
    if not isinstance(body, Terminal):
        raise InexpressibleError(language, called(body))
    if body.output is Output.SKIP:
        raise InexpressibleError(language, "an event that is passed over and not marked")
    if repeated and body.write is not None:
        raise InexpressibleError(language, "a register that is written in an iteration")
    return Step(name, body.condition, body.write, repeated, between)


def called(node: Node) -> str:
    """A construct, for messages."""
    return _CALLED.get(type(node), f"the construct {type(node).__name__}")
