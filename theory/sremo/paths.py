"""Paths through an expression that show why nothing bounds it: which event is unmarked, or what repeats.

Conditions are taken to be satisfiable, as in `mnemata.theory.sremo.windows`, whose answers these explain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from typing import Final, NamedTuple, TypeAlias

from mnemata.theory.sremo.expressions import (
    Absent,
    Concatenation,
    Empty,
    Epsilon,
    Expression,
    Intersection,
    Negation,
    Optional,
    Output,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    Union,
    Windowed,
)
from mnemata.theory.sremo.windows import bounds_string
from mnemata.theory.trees import fold


class Role(Enum):
    """What happens in a step of a path."""

    EVENT = "an event is read"
    GAP = "an event is skipped between two parts"
    UNLIKE = "an event of a string that something does not match"
    LOOP = "rounds, as many as one likes"


class Step(NamedTuple):
    """One step of a path.

    Parameters
    ----------
    part : Expression
        The part of the expression that takes it; the same object as there.
    role : Role
        What happens.
    repeated : bool
        Whether it may be repeated without limit.
    """

    part: Expression
    role: Role = Role.EVENT
    repeated: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Path:
    """A string through an expression: `pieces` in order, all of it `times` over.

    Pieces are shared, so that the path through a repetition {10000} is as short as its text.
    """

    pieces: tuple[Path | Step, ...] = ()
    times: int = 1
    length: int = 0

    def steps(self, *, backwards: bool = False) -> Iterator[Step]:
        """The steps from first to last, or from last to first."""
        stack: list[tuple[Path | Step, int]] = [(self, self.times)]
        while stack:
            piece, times = stack.pop()
            if isinstance(piece, Step):
                yield piece
                continue
            if times > 1:
                stack.append((piece, times - 1))
            inside = piece.pieces if backwards else reversed(piece.pieces)
            stack.extend((part, part.times if isinstance(part, Path) else 1) for part in inside)

    def __add__(self, other: Path) -> Path:
        if not self.length or not other.length:
            return self if self.length else other
        return Path((self, other), 1, self.length + other.length)

    def __mul__(self, times: int) -> Path:
        return Path((self,), times, self.length * times) if times > 0 and self.length else NOWHERE


NOWHERE: Final = Path()
"""The path of the empty string."""

Maybe: TypeAlias = Path | None


class Shortest(NamedTuple):
    """Shortest paths of an expression; ``None`` where there is none.

    Parameters
    ----------
    any, some : Path or None
        Of any string, and of one that is not empty.
    first, last : Path or None
        Whose first, or last, event is not marked.
    growing : Path or None
        With a step that may be repeated without limit.
    """

    any: Maybe
    some: Maybe = None
    first: Maybe = None
    last: Maybe = None
    growing: Maybe = None

    @property
    def nullable(self) -> bool:
        """Whether the empty string is among them."""
        return self.any is not None and not self.any.length

    def then(self, other: Shortest) -> Shortest:
        """The paths of a concatenation."""
        return Shortest(
            _then(self.any, other.any),
            _shorter(_then(self.some, other.any), _then(self.any, other.some)),
            _shorter(_then(self.first, other.any), other.first if self.nullable else None),
            _shorter(_then(self.any, other.last), self.last if other.nullable else None),
            _shorter(_then(self.growing, other.any), _then(self.any, other.growing)),
        )

    def either(self, other: Shortest) -> Shortest:
        """The paths of a union."""
        return Shortest(*map(_shorter, self, other))

    def both(self, other: Shortest) -> Shortest:
        """The paths of an intersection, as its left side takes them."""
        if self.any is None or other.any is None:
            return _IMPOSSIBLE
        return Shortest(
            *(one if another is not None else None for one, another in zip(self, other, strict=True))
        )


_IMPOSSIBLE: Final = Shortest(None)
_NOTHING: Final = Shortest(NOWHERE)


def shortest(expression: Expression) -> Shortest:
    """Shortest paths through an expression.

    >>> from mnemata.theory.sremo.expressions import mark, skip
    >>> found = shortest(mark() >> skip().star() >> mark())
    >>> found.first, [step.role.name for step in found.growing.steps()]
    (None, ['EVENT', 'LOOP', 'EVENT'])
    """
    # A strategy over an iteration skips between its rounds, so it asks for the paths of one of them.
    rounds: dict[int, Shortest] = {}

    def visit(node: object, below: tuple[Shortest, ...]) -> Shortest:
        match node:
            case Star() | Plus() | Repeat():
                rounds[id(node)] = below[0]
            case SkipTillAny(parts=(Star() | Plus() | Repeat() as body,)):
                return _with_gaps(node, body, below[0], rounds[id(body)])
            case SkipTillNext(parts=(Star() | Plus() | Repeat() as body,)):
                return _with_gaps(node, body, below[0], rounds[id(body)])
        return _shortest(node, below)

    return fold(expression, visit)


def _shortest(node: object, below: tuple[Shortest, ...]) -> Shortest:
    match node:
        case Epsilon():
            return _NOTHING
        case Empty():
            return _IMPOSSIBLE
        case Terminal(output=output):
            step = _one(node)
            unmarked = step if output is Output.SKIP else None
            return Shortest(step, step, unmarked, unmarked)
        case Union():
            return reduce(Shortest.either, below)
        case Concatenation():
            return reduce(Shortest.then, below)
        case Intersection():
            return reduce(Shortest.both, below)
        case SkipTillAny() | SkipTillNext():
            gap = _free(node, Role.GAP)
            return reduce(lambda left, right: left.then(gap).then(right), below)
        case Optional():
            return below[0].either(_NOTHING)
        case Star() | Plus() | Repeat():
            return _iterated(node, below[0])
        case Negation() | Absent():
            return _free(node, Role.UNLIKE)
        case Windowed() if bounds_string(node):
            return below[0]._replace(growing=None)
    return below[0] if below else _NOTHING


def _one(part: Expression, role: Role = Role.EVENT, *, repeated: bool = False) -> Path:
    return Path((Step(part, role, repeated),), 1, 1)


def _free(part: Expression, role: Role) -> Shortest:
    """Any number of unmarked events."""
    one = _one(part, role)
    return Shortest(NOWHERE, one, one, one, _one(part, role, repeated=True))


def _iterated(iteration: Star | Plus | Repeat, one: Shortest) -> Shortest:
    least, most = _rounds(iteration)
    if most == 0:
        return _NOTHING
    whole = one
    if one.any is not None and not one.nullable and least > 1:
        rest = one.any * (least - 1)
        first, last = _then(one.first, rest), _then(rest, one.last)
        whole = Shortest(one.any * least, one.any * least, first, last, _then(one.growing, rest))
    if most is None and one.some is not None:
        whole = whole._replace(growing=_one(iteration, Role.LOOP, repeated=True))
    return whole if least else whole.either(_NOTHING)


def _with_gaps(node: Expression, iteration: Star | Plus | Repeat, whole: Shortest, one: Shortest) -> Shortest:
    """Rounds with any events between them: where there may be two, also the paths with such a gap."""
    least, most = _rounds(iteration)
    if most is not None and most <= 1:
        return whole
    more = NOWHERE if one.any is None else one.any * (least - 2)
    return whole.either(one.then(_free(node, Role.GAP)).then(one).then(Shortest(more)))


def _rounds(iteration: Star | Plus | Repeat) -> tuple[int, int | None]:
    match iteration:
        case Repeat(minimum=minimum, maximum=maximum):
            return minimum, maximum
        case Plus():
            return 1, None
    return 0, None


def _then(one: Maybe, other: Maybe) -> Maybe:
    return None if one is None or other is None else one + other


def _shorter(one: Maybe, other: Maybe) -> Maybe:
    if one is None or other is None:
        return other if one is None else one
    return other if other.length < one.length else one
