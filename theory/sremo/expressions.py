"""SREMO as syntax trees (SRT Def. 15), with the operators that the paper adds later.

An expression carries no meaning here: `mnemata.theory.sremo.semantics` says what it matches, and
`mnemata.theory.sremo.rewriting` reduces the derived operators to the basic ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from mnemata.theory.conditions.building import Holder, variable_of
from mnemata.theory.conditions.formulas import TOP, Condition
from mnemata.theory.conditions.formulas import registers as registers_read
from mnemata.theory.conditions.terms import HEAD, Duration, Register
from mnemata.theory.errors import PatternError, brief
from mnemata.theory.sremo.bounds import EventWindow as EventWindow
from mnemata.theory.sremo.bounds import LengthWindow as LengthWindow
from mnemata.theory.sremo.bounds import TimeWindow as TimeWindow
from mnemata.theory.sremo.bounds import Window as Window
from mnemata.theory.trees import Node, set_field, walk


class Output(Enum):
    """What a terminal says of the event it reads: part of the match, or passed over."""

    MARK = "•"
    SKIP = "⊗"

    def __repr__(self) -> str:
        return self.value


class Expression(Node):
    """Base of all SREMO.

    ``a | b`` is union, ``a >> b`` concatenation, ``a & b`` intersection; methods build the rest.
    """

    __slots__ = ()

    def __or__(self, other: Expression) -> Expression:
        return Union((self, other))

    def __rshift__(self, other: Expression) -> Expression:
        return Concatenation((self, other))

    def __and__(self, other: Expression) -> Expression:
        return Intersection(self, other)

    def star(self) -> Expression:
        """Zero or more times (Kleene-star)."""
        return Star(self)

    def plus(self) -> Expression:
        """One or more times."""
        return Plus(self)

    def optional(self) -> Expression:
        """Once or not at all."""
        return Optional(self)

    def repeat(self, minimum: int, maximum: int | None) -> Expression:
        """From `minimum` to `maximum` times; ``None`` is without limit."""
        return Repeat(self, minimum, maximum)

    def negate(self) -> Expression:
        """Any string that this does not match, from the current contents of the registers."""
        return Negation(self)

    def within(self, *, events: int | None = None, **durations: int) -> Expression:
        """Bound the span of the marked events (Def. 39).

        Parameters
        ----------
        events : int, optional
            The marked events lie among this many consecutive events.
        ns, us, ms, s, min, h, d : int, optional
            The last marked event is less than this time after the first; ``within(s=5)``.
        """
        windows: list[Window] = [] if events is None else [EventWindow(events)]
        windows += [TimeWindow(Duration(amount, unit)) for unit, amount in durations.items()]
        if len(windows) != 1:
            raise PatternError("within() takes one bound: events=, or a time such as s= or ms=")
        return Windowed(self, windows[0])

    def length(self, events: int) -> Expression:
        """Bound the string read, unmarked events included, to this many events."""
        return Windowed(self, LengthWindow(events))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Epsilon(Expression):
    """The empty string."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Empty(Expression):
    """No string at all."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Terminal(Expression):
    """One event that satisfies `condition`; it is marked or not, and may be written to a register."""

    condition: Condition
    output: Output
    write: Register | None = None

    def validate(self) -> None:
        if not isinstance(self.condition, Condition):
            raise PatternError(f"a terminal needs a condition, got {brief(self.condition)}")
        if self.write == HEAD:
            raise PatternError("the head ~ is not a register and cannot be written")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Union(Expression):
    """One of `parts`; nested unions are flattened."""

    parts: tuple[Expression, ...]

    def validate(self) -> None:
        set_field(self, "parts", _flat(Union, self.parts))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Concatenation(Expression):
    """`parts` one after the other, with nothing in between; nested concatenations are flattened."""

    parts: tuple[Expression, ...]

    def validate(self) -> None:
        set_field(self, "parts", _flat(Concatenation, self.parts))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unary(Expression):
    """Base of the operators over a single expression."""

    body: Expression

    def validate(self) -> None:
        _check_expressions(self.body)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Star(Unary):
    """`body` zero or more times; registers keep their contents from one round to the next."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Plus(Unary):
    """`body` one or more times."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Optional(Unary):
    """`body` once or not at all."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Repeat(Unary):
    """`body` at least `minimum` and at most `maximum` times; ``None`` is without limit."""

    minimum: int
    maximum: int | None

    def validate(self) -> None:
        _check_expressions(self.body)
        bounds = (self.minimum, self.minimum if self.maximum is None else self.maximum)
        if not all(type(bound) is int for bound in bounds) or not 0 <= bounds[0] <= bounds[1]:
            given = f"{{{brief(self.minimum)},{brief(self.maximum)}}}"
            raise PatternError(f"a repetition {{m,n}} needs whole numbers 0 <= m <= n, got {given}")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Intersection(Expression):
    """What both sides match, with the same marks (Thm 34).

    The sides run side by side from the same valuation, so neither may write a register that the other
    reads or writes.
    """

    left: Expression
    right: Expression
    _used: _Used = field(init=False, repr=False, compare=False)

    def validate(self) -> None:
        _check_expressions(self.left, self.right)
        left, right = _registers(self.left), _registers(self.right)
        set_field(self, "_used", (left[0] | right[0], left[1] | right[1]))
        for (written, _), (_, used) in ((left, right), (right, left)):
            for register in sorted(written & used):
                raise PatternError(
                    f"register '{register}' is written on one side of an intersection and used on the "
                    "other; give each side registers of its own"
                )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Strategy(Expression):
    """Base of the selection strategies."""

    parts: tuple[Expression, ...]

    def validate(self) -> None:
        set_field(self, "parts", tuple(self.parts))
        _check_expressions(*self.parts)
        if not self.parts:
            raise PatternError("any() and next() need at least one part")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SkipTillAny(Strategy):
    """The selection strategy skip-till-any-match as an operator (Def. 44).

    Over several parts, any events may lie between one part and the next. Over a single iteration, any
    events may lie between its rounds. Strategies do not reach into their parts: ``any(a, b+)`` leaves the
    rounds of ``b`` contiguous, ``any(a, any(b+))`` does not.
    """


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SkipTillNext(Strategy):
    """The selection strategy skip-till-next-match as an operator (Def. 45, as repaired in ERRATA A11).

    Over several parts, each part after the first is taken at its earliest completion: events may be skipped
    before it, but at no event before its last could it have been completed, given the registers as
    they were when the skipping began. Over a single iteration the same holds for each round after the
    first. Like `SkipTillAny` it does not reach into its parts.
    """


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Negation(Unary):
    """Any string that `body` does not match from the current contents of the registers (ERRATA A11).

    It marks nothing and leaves the registers as they are.
    """

    def validate(self) -> None:
        _check_unmarked(self.body, "a negation")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Absent(Unary):
    """Any string in which `body` does not occur: ``absent(e) = !(T* . e . T*)``.

    "No e2 between e1 and e3" is ``e1 . absent(e2) . e3``. It marks nothing and changes no register.
    """

    def validate(self) -> None:
        _check_unmarked(self.body, "an absence")


def _check_unmarked(body: Expression, where: str) -> None:
    _check_expressions(body)
    parts = walk(body, down_to=(Negation, Absent, Terminal))  # in those, nothing is marked
    if any(isinstance(node, Terminal) and node.output is Output.MARK for node in parts):
        raise PatternError(
            f"{where} contains a marked event; what does not happen cannot be part of a match: "
            "use skip(...) there instead of mark(...)"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Windowed(Unary):
    """`body`, restricted to the matches that fit the window (Def. 39)."""

    window: Window

    def validate(self) -> None:
        _check_expressions(self.body)
        if not isinstance(self.window, EventWindow | TimeWindow | LengthWindow):
            raise PatternError(f"{brief(self.window)} is not a window; use within(...) or length(...)")


@dataclass(frozen=True, slots=True)
class Pattern:
    """An expression with what concerns a whole query.

    Parameters
    ----------
    expression : Expression
        What to find.
    partition_by : tuple of str
        Attributes; the stream is split into one sub-stream for each combination of their values, and
        the expression is matched in each on its own. Contiguity and windows in events refer to the
        sub-stream. Events in which one of them is missing belong to no sub-stream.
    name : str
        How results refer to the pattern.
    """

    expression: Expression
    partition_by: tuple[str, ...] = ()
    name: str = "pattern"

    def __post_init__(self) -> None:
        _check_expressions(self.expression)
        if isinstance(self.partition_by, str):
            raise PatternError(f"partition by takes a tuple of attributes, got {self.partition_by!r}")
        object.__setattr__(self, "partition_by", tuple(self.partition_by))
        if len(set(self.partition_by)) != len(self.partition_by):
            raise PatternError(f"partition by names an attribute twice: {', '.join(self.partition_by)}")


EPSILON: Final = Epsilon()
EMPTY_SET: Final = Empty()


def mark(condition: Condition = TOP, write: Holder | Register | None = None) -> Terminal:
    """An event that satisfies `condition` and is part of the match: ``phi ↑ •``, ``phi ↑ • ↓ r``."""
    return Terminal(condition, Output.MARK, None if write is None else variable_of(write))


def skip(condition: Condition = TOP, write: Holder | Register | None = None) -> Terminal:
    """An event that satisfies `condition` and is passed over: ``phi ↑ ⊗``, ``phi ↑ ⊗ ↓ r``."""
    return Terminal(condition, Output.SKIP, None if write is None else variable_of(write))


def union(*parts: Expression) -> Expression:
    """One of `parts`; `Empty` when there are none."""
    return Union(parts) if len(parts) > 1 else parts[0] if parts else EMPTY_SET


def sequence(*parts: Expression) -> Expression:
    """`parts` one after the other, contiguously; `Epsilon` when there are none."""
    return Concatenation(parts) if len(parts) > 1 else parts[0] if parts else EPSILON


def skip_till_any(*parts: Expression) -> Expression:
    """`parts` with anything in between, or the rounds of one iteration with anything in between."""
    return SkipTillAny(parts)


def skip_till_next(*parts: Expression) -> Expression:
    """`parts`, or the rounds of one iteration, each at its earliest completion after the one before."""
    return SkipTillNext(parts)


def absent(body: Expression) -> Expression:
    """Any string in which `body` does not occur."""
    return Absent(body)


def registers_written(expression: Node) -> frozenset[Register]:
    """The registers that an expression writes."""
    return _registers(expression)[0]


def registers_of(expression: Node) -> frozenset[Register]:
    """The registers that an expression reads or writes (``reg`` in the proof of Thm 27)."""
    return _registers(expression)[1]


_Used: TypeAlias = tuple[frozenset[Register], frozenset[Register]]


def _registers(expression: Node) -> _Used:
    """The registers written, and those read or written; intersections know theirs already."""
    written, used = set[Register](), set[Register]()
    for node in walk(expression, down_to=(Intersection, Terminal)):
        if isinstance(node, Intersection):
            written, used = written | node._used[0], used | node._used[1]
        elif isinstance(node, Terminal):
            written |= frozenset() if node.write is None else {node.write}
            used |= registers_read(node.condition)
    return frozenset(written), frozenset(used | written)


def _check_expressions(*parts: object) -> None:
    for part in parts:
        if not isinstance(part, Expression):
            remedy = "; wrap it in mark(...) or skip(...)" if isinstance(part, Condition) else ""
            raise PatternError(f"{brief(part)} is not an expression{remedy}")


def _flat(kind: type[Union] | type[Concatenation], parts: tuple[Expression, ...]) -> tuple[Expression, ...]:
    _check_expressions(*parts)
    flat: list[Expression] = []
    for part in parts:
        flat += part.parts if isinstance(part, Union | Concatenation) and type(part) is kind else [part]
    if len(flat) < 2:
        raise PatternError(f"{kind.__name__} joins at least two expressions; use union() or sequence()")
    return tuple(flat)
