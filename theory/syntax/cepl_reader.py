"""From parse trees of core-CEPL to queries."""

from __future__ import annotations

from typing import Any

from lark import Token

from mnemata.theory.cel.binding import check_event_type
from mnemata.theory.cepl.checks import Rule, Violation, ill_formed_parts, unbounded_parts
from mnemata.theory.cepl.expressions import (
    Atom,
    Expression,
    Filter,
    Iteration,
    Nary,
    Or,
    Sequence,
    Windowed,
)
from mnemata.theory.cepl.query import Query
from mnemata.theory.conditions.formulas import Definition
from mnemata.theory.conditions.terms import Term
from mnemata.theory.errors import (
    PatternError,
    PatternSyntaxError,
    UnknownVariableError,
    UnsupportedError,
    placed,
)
from mnemata.theory.sremo.bounds import EventWindow
from mnemata.theory.syntax.condition_reader import Joined, join
from mnemata.theory.syntax.definition_reader import DefinitionReader
from mnemata.theory.syntax.located import Place
from mnemata.theory.syntax.reader import place_of
from mnemata.theory.trees import walk


class CeplReader(DefinitionReader):
    """Reads expressions in the paper's notation; `bounded` refuses what is not bounded."""

    bounded = False

    def event_bound(self, place: Place, relation: Token, variable: Token) -> Atom:
        name = self.register(relation)
        if self.schema is not None:
            try:
                check_event_type(name, self.schema)
            except PatternError as error:
                self.fail(type(error), str(error), place)
        return self.build(place, Atom, name, self.register(variable))

    def filtered_by(self, _place: Place, body: object, value: object) -> Filter:
        condition = self.condition(value)
        return self.build(self.at(condition), Filter, self.expression(body), condition)

    def either_of(self, place: Place, *parts: object) -> Joined:
        return join(Or, parts, self.expression, place)

    def sequenced(self, place: Place, *parts: object) -> Joined:
        return join(Sequence, parts, self.expression, place)

    def iterated(self, place: Place, body: object, _sign: Token) -> Iteration:
        return self.build(place, Iteration, self.expression(body))

    def windowed(self, place: Place, body: object, size: Token) -> Windowed:
        return self.build(place, Windowed, self.expression(body), self._window(size))

    def _window(self, size: Token) -> EventWindow:
        try:
            return EventWindow(self.size(size))
        except PatternError as error:
            self.fail(type(error), str(error), place_of(size))

    def partition(self, _place: Place, *tokens: Token) -> tuple[str, ...]:
        names: list[str] = []
        for token in tokens:
            name = self._attribute_name(self.name(token), place_of(token))
            if name in names:
                self.fail(PatternError, f"partition by names '{name}' twice", place_of(token))
            names.append(name)
        return tuple(names)

    def pattern(self, _place: Place, *parts: object) -> Query:
        body, *partition = (part for part in parts if not isinstance(part, Definition))
        expression = self.expression(body)
        for violation in (unbounded_parts if self.bounded else ill_formed_parts)(expression):
            self._refuse(violation)
        keys = next((part for part in partition if isinstance(part, tuple)), ())
        return Query(expression, keys)

    def _refuse(self, violation: Violation) -> None:
        place = self._blamed(violation)
        if violation.rule is Rule.WELL_FORMED:
            self.fail(UnknownVariableError, violation.message, place)
        raise UnsupportedError(placed(violation.message, *place, self.text))

    def _blamed(self, violation: Violation) -> Place:
        """Where the variable is read in the filter to blame, or where it is bound again in the sequence."""
        node = violation.node
        again = [a for a in walk(node) if isinstance(a, Atom) and a.variable == violation.variable]
        if isinstance(node, Sequence) and len(again) > 1:
            return self.at(again[1])
        if isinstance(node, Filter):
            begins = self.at(node.condition)
            for name, place in self.reads:
                if name == violation.variable and place >= begins:
                    return place
        return self.at(node)

    def expression(self, part: object) -> Expression:
        """`part` as an expression."""
        match part:
            case Joined(kind=kind, parts=parts, place=place) if issubclass(kind, Nary):
                joined: Expression = self.build(place, kind, tuple(parts))
                return joined
            case Expression():
                return part
        raise PatternError(f"{part!r} is not an expression")

    def _bare_term(self, token: Token) -> Term:
        if token.type != "HEAD":
            reason = f"'{token}' is a variable, not a value; name one of its attributes, as in {token}.price"
            self.fail(PatternSyntaxError, reason, place_of(token))
        return super()._bare_term(token)

    def condition(self, part: object) -> Any:
        if isinstance(part, Token) and part.type != "HEAD":
            reason = f"'{part}' is no condition; compare one of its attributes, as in {part}.price > 1"
            self.fail(PatternSyntaxError, reason, place_of(part))
        return super().condition(part)
