"""From parse trees of filters to CEL predicates.

Outside brackets a comparison such as ``x.price > 10`` or ``x.price < y.price`` is one predicate, the
extension of that comparison; ``and``, ``or`` and ``not`` combine predicates. Inside ``x[...]``,
``every(...)`` and ``some(...)`` they combine conditions on single events. A tree is read from its leaves, so
these regions are found first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any, Final

from lark import Token, Tree

from mnemata.theory.cel.binding import bind_predicate
from mnemata.theory.cel.predicates import (
    FUNCTIONS,
    AllOf,
    AnyOf,
    Compared,
    Each,
    ForAll,
    ForSome,
    Holds,
    Measure,
    Negated,
    Predicate,
    SetRelation,
    for_all,
)
from mnemata.theory.conditions.formulas import Condition, Definition, Relation, registers, variables
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant, Term
from mnemata.theory.errors import ConditionTypeError, PatternError, PatternSyntaxError, suggestion
from mnemata.theory.schema import Schema
from mnemata.theory.syntax.condition_reader import COMPARISON_SIGNS, Joined, Truth, join
from mnemata.theory.syntax.definition_reader import DefinitionReader
from mnemata.theory.syntax.lexicon import BUILT_IN, name_text
from mnemata.theory.syntax.located import Place
from mnemata.theory.syntax.reader import listing, place_of

QUANTIFIERS: Final = {"every": ForAll, "some": ForSome}
BUILT_IN_FILTERS: Final = (*BUILT_IN, *FUNCTIONS, *QUANTIFIERS)
"""What may be applied in a filter without being declared."""

Region = tuple[Place, Place]


class FilterReader(DefinitionReader):
    """Reads predicates over the sets of events that variables are bound to."""

    def __init__(
        self,
        text: str,
        schema: Schema | None,
        relations: Iterable[Relation | Definition | SetRelation],
    ) -> None:
        given = tuple(relations)
        super().__init__(text, schema, [r for r in given if not isinstance(r, SetRelation)])
        self.set_relations: dict[str, SetRelation] = {}
        for relation in given:
            if isinstance(relation, SetRelation):
                taken = relation.name in self.relations
                if taken or self.set_relations.setdefault(relation.name, relation) != relation:
                    raise PatternError(f"two relations are called '{relation.name}'; rename one of them")
        self._brackets: list[Region] = []
        self._conditions: list[Region] = []

    def read(self, tree: Tree[Token]) -> Any:
        brackets, others = [], []
        for part in tree.iter_subtrees():
            if part.data == "bracketed":
                brackets.append(_region(part))
            elif part.data == "definition" or (part.data == "call" and _is_quantifier(part)):
                others.append(_region(part))
        self._brackets = _outermost(brackets)
        self._conditions = _outermost([*brackets, *others])
        return super().read(tree)

    # what stands in brackets, and what combines predicates

    def bracketed(self, place: Place, variable: Token, value: object) -> Each:
        name = self.register(variable)
        condition = self.condition(value)
        foreign = registers(condition)
        for other, where in reversed(self.reads) if foreign else ():
            if other in foreign:
                reason = (
                    f"'{other}' inside {name}[...]; there a condition is about one event of '{name}', whose "
                    "attributes are written without a name. Compare variables outside of brackets"
                )
                self.fail(PatternSyntaxError, reason, where)
        self.reads.append((name, place))
        found: Each = self.build(place, Each, name, condition)
        return found

    def conjunction(self, place: Place, *operands: object) -> Joined:
        if _inside(self._conditions, place):
            return super().conjunction(place, *operands)
        return join(AllOf, operands, self.predicate, place)

    def disjunction(self, place: Place, *operands: object) -> Joined:
        if _inside(self._conditions, place):
            return super().disjunction(place, *operands)
        return join(AnyOf, operands, self.predicate, place)

    def negated(self, place: Place, operand: object) -> Any:
        if _inside(self._conditions, place):
            return super().negated(place, operand)
        return self.build(place, Negated, self.predicate(operand))

    def compared(self, place: Place, left: object, operator: Token, right: object) -> Any:
        if not isinstance(left, Measure) and not isinstance(right, Measure):
            return super().compared(place, left, operator, right)
        if _inside(self._conditions, place):
            reason = "a measure of a whole set cannot stand inside brackets; compare it outside of them"
            self.fail(PatternSyntaxError, reason, place)
        sign = COMPARISON_SIGNS.get(operator, str(operator))
        sides = (self._side(left), self._side(right))
        return self._checked(self.build(place, Compared, sign, *sides))

    def _side(self, part: object) -> Measure | Constant:
        if isinstance(part, Measure):
            return part
        term = self.term(part)
        if not isinstance(term, Constant):
            reason = "a measure such as count(x) is compared with a constant or another measure"
            self.fail(ConditionTypeError, reason, self.at(term))
        return term

    def call(self, place: Place, name: Token, *arguments: object) -> Any:
        if name.type != "QUOTED_NAME" and name.lower() in FUNCTIONS:
            return self._measure(place, name.lower(), arguments)
        if name.type != "QUOTED_NAME" and name.lower() in QUANTIFIERS:
            return self._quantified(place, name.lower(), arguments)
        if self.name(name) in self.set_relations:
            applied = tuple(self._variable(argument) for argument in arguments)
            return self._checked(self.build(place, Holds, self.set_relations[self.name(name)], applied))
        return super().call(place, name, *arguments)

    def _measure(self, place: Place, function: str, arguments: tuple[object, ...]) -> Measure:
        match arguments:
            case (Token() as variable,) if function == "count":
                found: Measure = self.build(place, Measure, "count", self._variable(variable))
                return found
            case (Attribute(variable=variable, name=name),) if function != "count" and variable != HEAD:
                found = self.build(place, Measure, function, variable, name)
                return found
        wanted = (
            "a variable, as in count(x)" if function == "count" else f"one attribute: {function}(x.price)"
        )
        self.fail(PatternSyntaxError, f"{function}() takes {wanted}", place)

    def _quantified(self, place: Place, name: str, arguments: tuple[object, ...]) -> Any:
        if len(arguments) != 1:
            self.fail(PatternSyntaxError, f"{name}() takes one condition, got {len(arguments)}", place)
        return self.build(place, QUANTIFIERS[name], self.condition(arguments[0]))

    def _checked(self, predicate: Any) -> Any:
        if self.schema is not None:
            try:
                bind_predicate(predicate, self.schema)
            except PatternError as error:
                self.fail(type(error), str(error), self.at(predicate))
        return predicate

    def predicate(self, part: object) -> Predicate:
        """`part` as a predicate over variables."""
        match part:
            case Predicate():
                return part
            case Joined(kind=kind, parts=parts, place=place) if issubclass(kind, Predicate):
                joined: Predicate = self.build(place, kind, tuple(parts))
                return joined
            case Measure():
                reason = f"this is a value, not a condition; compare it, as in {part.function}(...) > 1"
                self.fail(ConditionTypeError, reason, self.at(part))
            case Token() if part.type != "HEAD":
                reason = (
                    f"'{part}' is no condition; compare one of its attributes, or, if it is a formula, put "
                    f"parentheses around the filter before it: (A FILTER ...) OR {part}"
                )
                self.fail(ConditionTypeError, reason, place_of(part))
            case Truth(place=place):
                self.fail(PatternError, "a filter is about a variable; write x[true] or x[false]", place)
        condition = self.condition(part)
        self._check_atom(condition)
        extended = for_all(condition)
        return self.places.put(extended, self.at(condition))

    def _check_atom(self, condition: Condition) -> None:
        read = variables(condition)
        if HEAD in read:
            reason = "~ has a meaning inside brackets only; write x[price > 1] or x.price > 1"
            self.fail(PatternSyntaxError, reason, self.at(condition))
        if not read:
            reason = "this condition reads no variable; a filter is about variables, as in x.price > 1"
            self.fail(PatternError, reason, self.at(condition))

    # names

    def condition(self, part: object) -> Condition:
        if isinstance(part, Predicate):
            reason = "a predicate over a whole set cannot stand inside brackets; write it outside of them"
            self.fail(PatternSyntaxError, reason, self.at(part))
        return super().condition(part)

    def term(self, part: object) -> Term:
        if isinstance(part, Measure | Predicate):
            reason = "measures are compared with constants and with each other only"
            self.fail(ConditionTypeError, reason, self.at(part))
        return super().term(part)

    def _bare_term(self, token: Token) -> Term:
        self.bare_names_are_attributes = _inside(self._brackets, place_of(token))
        if not self.bare_names_are_attributes and token.type != "HEAD":
            reason = (
                f"'{token}' is a variable here, not a value; name one of its attributes, as in "
                f"{token}.price, or put the condition in brackets, as in x[price > 1]"
            )
            self.fail(PatternSyntaxError, reason, place_of(token))
        return super()._bare_term(token)

    def _unknown_relation(self, name: str) -> str:
        known = {**self.relations, **self.set_relations}
        have = f"declared are {listing(known)}" if known else "none is declared"
        how = f"declare it with 'let {name_text(name)}(x) := ...;' or pass relations="
        hint = suggestion(name, [*known, *BUILT_IN_FILTERS])
        return f"unknown relation '{name}'; {have}, so {how}.{hint}"

    def _check_name(self, token: Token) -> None:
        name = self.name(token)
        if (token.type != "QUOTED_NAME" and name in BUILT_IN_FILTERS) or name in self.set_relations:
            reason = f"'{name}' is already the name of a relation or function; choose another name"
            self.fail(PatternSyntaxError, reason, place_of(token))


def _is_quantifier(call: Tree[Token]) -> bool:
    name = call.children[0]
    return isinstance(name, Token) and name.type != "QUOTED_NAME" and name.lower() in QUANTIFIERS


def _region(tree: Tree[Token]) -> Region:
    meta = tree.meta
    return (meta.line, meta.column), (meta.end_line, meta.end_column)


def _outermost(regions: Iterable[Region]) -> list[Region]:
    """Those regions that lie in no other, in order."""
    found: list[Region] = []
    for region in sorted(set(regions), key=lambda r: (r[0], (-r[1][0], -r[1][1]))):
        if not found or found[-1][1] <= region[0]:
            found.append(region)
    return found


def _inside(regions: list[Region], place: Place) -> bool:
    """Whether a place is in one of the regions, after its first word; they are in order and disjoint."""
    nearest = bisect_left(regions, place, key=lambda region: region[0]) - 1
    return nearest >= 0 and place < regions[nearest][1]
