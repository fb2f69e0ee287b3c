"""From parse trees of conditions to conditions; names, types and relations are checked on the way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from lark import Token

from mnemata.theory.conditions.formulas import (
    And,
    Apply,
    Bottom,
    Comparison,
    Condition,
    Defined,
    Definition,
    Membership,
    Not,
    Or,
    Relation,
    Top,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Duration,
    Instant,
    Position,
    Register,
    Term,
    Time,
    Variable,
)
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import (
    ConditionTypeError,
    PatternError,
    PatternSyntaxError,
    UnknownAttributeError,
    UnknownRelationError,
    suggestion,
)
from mnemata.theory.schema import Schema
from mnemata.theory.syntax.lexicon import BUILT_IN, name_text, quoted
from mnemata.theory.syntax.located import Place
from mnemata.theory.syntax.reader import Reader, listing, place_of
from mnemata.theory.trees import Node

COMPARISON_SIGNS: Final = {"==": "=", "≠": "!=", "<>": "!=", "≤": "<=", "≥": ">="}
J = TypeVar("J", bound=Node)


@dataclass(frozen=True, slots=True)
class Truth:
    """``true`` or ``false``, before it is known whether a condition or a constant is meant."""

    value: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Joined:
    """Operands of one associative operator, which may still become part of a longer chain.

    Chains nested in parentheses grow in place, the shorter into the longer, so that
    reading one takes time linear in its length (times a logarithm at most).
    """

    kind: type[Any]
    parts: deque[Node]
    place: Place


def join(
    kind: type[Node], operands: Iterable[object], finish: Callable[[object], Node], place: Place
) -> Joined:
    """`operands` under the associative operator `kind`, each finished unless it is such a chain itself."""
    chains = [o.parts if isinstance(o, Joined) and o.kind is kind else deque([finish(o)]) for o in operands]
    longest = max(range(len(chains)), key=lambda i: len(chains[i]))
    parts = chains[longest]
    for chain in reversed(chains[:longest]):
        parts.extendleft(reversed(chain))
    for chain in chains[longest + 1 :]:
        parts.extend(chain)
    return Joined(kind, parts, place)


class ConditionReader(Reader):
    """Reads terms, conditions and names of relations.

    Parameters
    ----------
    text : str
        The whole text.
    schema : Schema or None
        When given, attributes must exist and types must fit.
    relations : iterable of Relation or Definition
        What the text may apply besides its own definitions.
    """

    bare_names_are_attributes = False

    def __init__(self, text: str, schema: Schema | None, relations: Iterable[Relation | Definition]) -> None:
        super().__init__(text)
        self.schema = schema
        self.reads: list[tuple[Register, Place]] = []
        self.writes: list[tuple[Register, Place]] = []
        self.relations: dict[str, Relation | Definition] = {}
        self._unchecked: set[str] = set()
        for relation in relations:
            if self.relations.setdefault(relation.name, relation) != relation:
                raise PatternError(f"two relations are called '{relation.name}'; rename one of them")
            self._unchecked.add(relation.name)

    # terms

    def bare(self, _place: Place, token: Token) -> Token:
        return token

    def attribute(self, place: Place, variable: Token, _dot: Token, field: Token) -> Attribute:
        name = self._attribute_name(self.name(field), place_of(field))
        return self.build(place, Attribute, self._variable(variable), name)

    def integer(self, place: Place, *tokens: Token) -> Constant:
        number = self.whole(tokens[-1])
        return self.build(place, Constant, -number if len(tokens) > 1 else number)

    def floating(self, place: Place, *tokens: Token) -> Constant:
        number = self.decimal(tokens[-1])
        return self.build(place, Constant, -number if len(tokens) > 1 else number)

    def string(self, place: Place, token: Token) -> Constant:
        return self.build(place, Constant, self.unquoted(token))

    def duration(self, place: Place, amount: Token, unit: Token) -> Duration:
        return self.build(place, Duration, self.size(amount), self.unit(unit))

    def instant(self, place: Place, token: Token) -> Instant:
        return self.build(place, Instant, self.unquoted(token))

    def arithmetic(self, place: Place, left: object, operator: Token, right: object) -> Arithmetic:
        return self.build(place, Arithmetic, str(operator), self.term(left), self.term(right))

    # conditions

    def truth(self, place: Place, token: Token) -> Truth:
        return Truth(token.type == "TRUE", place)

    def compared(self, place: Place, left: object, operator: Token, right: object) -> Comparison:
        sign = COMPARISON_SIGNS.get(operator, str(operator))
        return self.checked(self.build(place, Comparison, sign, self.term(left), self.term(right)))

    def values(self, _place: Place, *items: object) -> tuple[Constant, ...]:
        return tuple(self._constant(item) for item in items)

    def member(self, place: Place, item: object, values: tuple[Constant, ...]) -> Membership:
        return self.checked(self.build(place, Membership, self.term(item), values))

    def no_member(self, place: Place, item: object, values: tuple[Constant, ...]) -> Not:
        return self.build(place, Not, self.member(place, item, values))

    def negated(self, place: Place, operand: object) -> Not:
        return self.build(place, Not, self.condition(operand))

    def conjunction(self, place: Place, *operands: object) -> Joined:
        return join(And, operands, self.condition, place)

    def disjunction(self, place: Place, *operands: object) -> Joined:
        return join(Or, operands, self.condition, place)

    def call(self, place: Place, name: Token, *arguments: object) -> Term | Condition:
        if name.type == "QUOTED_NAME" or name not in BUILT_IN:
            return self._application(place, name, arguments)
        if len(arguments) != 1:
            reason = f"{name}() takes one argument, got {len(arguments)}"
            self.fail(PatternSyntaxError, reason, place)
        if name == "abs":
            return self.build(place, Absolute, self.term(arguments[0]))
        variable = self._variable(arguments[0])
        if name == "defined":
            return self.build(place, Defined, variable)
        return self.build(place, Position if name == "position" else Time, variable)

    def _application(self, place: Place, token: Token, arguments: tuple[object, ...]) -> Apply:
        name = self.name(token)
        if name not in self.relations:
            self.fail(UnknownRelationError, self._unknown_relation(name), place)
        applied = self.build(place, Apply, self.relations[name], tuple(self._variable(a) for a in arguments))
        if name in self._unchecked:
            self._unchecked.discard(name)
            self.checked(applied)
        return applied

    def _unknown_relation(self, name: str) -> str:
        have = f"declared are {listing(self.relations)}" if self.relations else "none is declared"
        how = f"declare it with 'let {name_text(name)}(x) := ...;' or pass relations="
        return f"unknown relation '{name}'; {have}, so {how}.{suggestion(name, [*self.relations, *BUILT_IN])}"

    def checked(self, condition: J) -> J:
        """`condition`, once its attributes and types are known to fit the schema."""
        if self.schema is not None and isinstance(condition, Condition):
            try:
                bind(condition, self.schema)
            except PatternError as error:
                self.fail(type(error), str(error), self.at(condition))
        return condition

    # what kind of thing a part is

    def at(self, part: object) -> Place:
        """Where a part stands."""
        if isinstance(part, Token):
            return place_of(part)
        known = self.places.get(part) if isinstance(part, Node) else getattr(part, "place", None)
        return known or (1, 1)

    def condition(self, part: object) -> Condition:
        """`part` as a condition."""
        match part:
            case Condition():
                return part
            case Joined(kind=kind, parts=parts, place=place) if issubclass(kind, Condition):
                return self.build(place, kind, tuple(parts))
            case Truth(value=value, place=place):
                return self.build(place, Top if value else Bottom)
            case Token() if part.type != "HEAD":
                reason = f"'{part}' alone is not a condition; compare it with something, as in {part} = true"
                self.fail(ConditionTypeError, reason, place_of(part))
        reason = "this is a value, not a condition; compare it with something"
        self.fail(ConditionTypeError, reason, self.at(self.term(part)))

    def term(self, part: object) -> Term:
        """`part` as a term."""
        match part:
            case Term():
                return part
            case Truth(value=value, place=place):
                return self.build(place, Constant, value)
            case Token():
                return self._bare_term(part)
        reason = "this is a condition, not a value; join conditions with and, or, not"
        self.fail(ConditionTypeError, reason, self.at(part))

    def _bare_term(self, token: Token) -> Term:
        place = place_of(token)
        if token.type == "HEAD":
            reason = "~ is a whole event, not a value; name one of its attributes, as in ~.price"
            self.fail(PatternSyntaxError, reason, place)
        if not self.bare_names_are_attributes:
            reason = (
                f"'{token}' is the name of a register, not a value; name an attribute, as in "
                f"{token}.price for that register or ~.{token} for the current event"
            )
            self.fail(PatternSyntaxError, reason, place)
        name = self._attribute_name(self.name(token), place, bare=True)
        return self.build(place, Attribute, HEAD, name)

    def _attribute_name(self, name: str, place: Place, *, bare: bool = False) -> str:
        if self.schema is None or name in self.schema:
            return name
        reason = self.schema.unknown(name)
        if bare and any(name == register for register, _ in self.writes):
            reason = f"'{name}' is a register, not an attribute; write {name_text(name)}.price or the like"
        elif bare and not suggestion(name, self.schema.names):
            reason += f" If a text is meant, put it in quotes: {quoted(name)}"
        self.fail(UnknownAttributeError, reason, place)

    def _variable(self, part: object) -> Variable:
        """The head or a register, as an argument of a relation."""
        if isinstance(part, Token):
            if part.type == "HEAD":
                return HEAD
            self.reads.append((self.register(part), place_of(part)))
            return self.register(part)
        reason = "a relation is applied to ~ and registers, as in Name(~, r1); this is neither"
        self.fail(ConditionTypeError, reason, self.at(part))

    def _constant(self, part: object) -> Constant:
        if isinstance(part, Token) and part.type != "HEAD":
            meant = quoted(self.name(part))
            reason = f"'{part}' is a name, and a set holds constants; put a text in quotes: {meant}"
            self.fail(PatternSyntaxError, reason, place_of(part))
        term = self.term(part)
        if not isinstance(term, Constant):
            reason = "a set holds constants only; join comparisons with or instead"
            self.fail(ConditionTypeError, reason, self.at(term))
        return term
