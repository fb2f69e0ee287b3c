"""Walking a parse tree without recursion, and what every part of it needs: names, numbers, places, errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn, TypeVar

from lark import Token, Tree

from mnemata.theory.errors import (
    ConditionTypeError,
    PatternError,
    PatternSyntaxError,
    placed,
    suggestion,
)
from mnemata.theory.schema import INT64_MAX, NANOSECONDS
from mnemata.theory.syntax.lexicon import BadEscape, unquoted
from mnemata.theory.syntax.located import Place, Places
from mnemata.theory.trees import Node

N = TypeVar("N", bound=Node)

_LONGEST_INT64: Final = len(str(INT64_MAX))
_LONGEST_LISTING: Final = 20
UNITS_IN_WORDS: Final = {
    **{"millisecond": "ms", "milliseconds": "ms", "second": "s", "seconds": "s", "minute": "min"},
    **{"minutes": "min", "hour": "h", "hours": "h", "day": "d", "days": "d", "event": "events"},
}
_UNITS_BY_WORD: Final = {
    **{"nano": "ns", "micro": "us", "usec": "us", "µ": "us", "μ": "us", "milli": "ms", "msec": "ms"},
    **{"sec": "s", "min": "min", "m": "min", "hour": "h", "hr": "h", "day": "d"},
}


def place_of(part: Tree[Token] | Token) -> Place:
    """Where a tree or token begins."""
    at = part if isinstance(part, Token) else part.meta
    return (at.line or 1, at.column or 1)


def listing(names: Iterable[str]) -> str:
    """Names in a row, sorted; no more than a message can bear.

    >>> listing({"r2", "r1"})
    'r1, r2'
    """
    ordered = sorted(names)
    return ", ".join(ordered[:_LONGEST_LISTING]) + (", ..." if len(ordered) > _LONGEST_LISTING else "")


class Reader:
    """Builds what a tree means, children first; a method of the rule's name builds each part.

    Such a method takes the place of its part, then what was built from the children.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.places = Places()

    def read(self, tree: Tree[Token]) -> Any:
        """What `tree` means. Takes no recursion, so that any depth will do."""
        built: list[Any] = []
        for part in reversed(_parents_first(tree)):
            if isinstance(part, Token):
                built.append(part)
                continue
            start = len(built) - len(part.children)
            below = built[start:]
            del built[start:]
            built.append(getattr(self, part.data)(place_of(part), *below))
        return built[0]

    def fail(self, kind: type[PatternError], reason: str, place: Place) -> NoReturn:
        """Raise an error of this kind with its place and the line it is on."""
        line, column = place
        if issubclass(kind, PatternSyntaxError):
            raise kind(reason, line=line, column=column, text=self.text) from None
        raise kind(placed(reason, line, column, self.text)) from None

    def build(self, place: Place, kind: Callable[..., N], *fields: object) -> N:
        """A node at a place; what its constructor refuses is reported there."""
        try:
            return self.places.put(kind(*fields), place)
        except PatternError as error:
            self.fail(type(error), str(error), place)

    def name(self, token: Token) -> str:
        """The name that a token spells, with or without backquotes."""
        name = self.unquoted(token) if token.type == "QUOTED_NAME" else str(token)
        if not name:
            self.fail(PatternSyntaxError, "an empty name; write it between the backquotes", place_of(token))
        return name

    def register(self, token: Token) -> str:
        """The name of a register, which is not the head's."""
        name = self.name(token)
        if name == "~":
            reason = "the head is not a register; write ~ without backquotes"
            self.fail(PatternSyntaxError, reason, place_of(token))
        return name

    def unquoted(self, token: Token) -> str:
        """The text between the quotes of a token."""
        try:
            return unquoted(token)
        except BadEscape as error:
            line, column = place_of(token)
            escapes = r"\n, \t, \\, \', \u00e9 and the like"
            reason = f"{error.reason}; escapes are {escapes}, and a backslash itself is written \\\\"
            self.fail(PatternSyntaxError, reason, (line, column + error.offset))

    def whole(self, token: Token) -> int:
        """The whole number that a token spells; up to the size of int64, and one more when negated."""
        digits = token.lstrip("0") or "0"
        if len(digits) > _LONGEST_INT64:
            reason = f"the number {token[:20]}... does not fit 64 bits; write it as a float"
            self.fail(ConditionTypeError, reason, place_of(token))
        return int(digits)

    def size(self, token: Token) -> int:
        """The number of events, rounds or units that a token spells."""
        number = self.whole(token)
        if number > INT64_MAX:
            self.fail(PatternError, f"the number {number} does not fit 64 bits", place_of(token))
        return number

    def decimal(self, token: Token) -> float:
        """The number with a fraction or an exponent that a token spells, or infinity."""
        if token.type == "INFINITY":
            return math.inf
        number = float(token)
        if math.isinf(number):
            reason = f"the number {token[:20]} is larger than any float64; infinity is written inf"
            self.fail(ConditionTypeError, reason, place_of(token))
        return number

    def unit(self, token: Token, *others: str) -> str:
        """A unit of time, by its symbol or in words, in whatever case, or one of `others`."""
        known = (*others, *NANOSECONDS)
        word = token.lower()
        for written in (str(token), word, UNITS_IN_WORDS.get(word, "")):
            if written in known:
                return written
        meant = (unit for word, unit in _UNITS_BY_WORD.items() if token.lower().startswith(word))
        hint = suggestion(token, others) or next((f" Did you mean '{unit}'?" for unit in meant), "")
        reason = f"unknown unit '{token}'; units are {', '.join(known)}.{hint}"
        self.fail(PatternSyntaxError, reason, place_of(token))


def _parents_first(tree: Tree[Token]) -> list[Tree[Token] | Token]:
    """All parts; reversed, children come before their parents and from left to right."""
    order: list[Tree[Token] | Token] = []
    stack: list[Tree[Token] | Token] = [tree]
    while stack:
        part = stack.pop()
        order.append(part)
        if isinstance(part, Tree):
            stack.extend(part.children)
    return order
