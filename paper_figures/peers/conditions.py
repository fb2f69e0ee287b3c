"""Conditions in the languages of peers.

Every peer reads attributes, compares, and joins by and, or, not; they differ in how that is written.
Streams have no missing values here, so two-valued and three-valued logic agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, TypeAlias

from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.theory.conditions.formulas import (
    And,
    Apply,
    Bottom,
    Comparison,
    ComparisonOperator,
    Condition,
    Defined,
    Membership,
    Not,
    Or,
    Relation,
    Top,
    expand,
)
from mnemata.theory.conditions.terms import (
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Position,
    Time,
    Variable,
)
from mnemata.theory.conditions.typing import type_of
from mnemata.theory.schema import Float64, Schema
from mnemata.theory.trees import Node, fold

Reading: TypeAlias = Callable[[Variable, str], str]
"""How an attribute of the event that a variable holds is written."""


MIRRORED: Final[Mapping[ComparisonOperator, ComparisonOperator]] = {
    ">": "<",
    "<": ">",
    ">=": "<=",
    "<=": ">=",
    "=": "=",
    "!=": "!=",
}
"""How a comparison reads from its other side."""


def quoted(text: str) -> str:
    """A text as SQL writes it.

    >>> quoted("it's")
    "'it''s'"
    """
    return f"'{text.replace(chr(39), chr(39) * 2)}'"


def number(value: float) -> str:
    """A float64 in decimal, as Java and EPL read it."""
    return repr(value)


def exponential(value: float) -> str:
    """A float64 that SQL does not take for a decimal number.

    >>> exponential(26.0), exponential(1e300)
    ('26.0E0', '1e+300')
    """
    text = repr(value)
    return text if "e" in text else f"{text}E0"


def plain(value: float) -> str:
    """A float64 in decimal without exponent.

    >>> plain(26.0), plain(1e-7)
    ('26.0', '0.0000001')
    """
    text = format(Decimal(repr(value)), "f")
    return text if "." in text else f"{text}.0"


def infix(operator: str, left: str, right: str, _texts: bool) -> str:
    """A comparison in SQL and EPL."""
    return f"{left} {'<>' if operator == '!=' else operator} {right}"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a language writes conditions.

    Parameters
    ----------
    language : str
        Its name, for the reader.
    conjunction, disjunction, negation : str
        Its connectives.
    truth, falsehood : str
        Its constants.
    text, real : callable
        Its literals.
    compare : callable
        From an operator, both sides, and whether these are texts.
    """

    language: str
    conjunction: str = "and"
    disjunction: str = "or"
    negation: str = "not "
    truth: str = "true"
    falsehood: str = "false"
    text: Callable[[str], str] = quoted
    real: Callable[[float], str] = number
    compare: Callable[[str, str, str, bool], str] = infix
    absolute: str = "abs"

    def literal(self, value: int | float | bool | str) -> str:
        """A constant."""
        if isinstance(value, bool):
            return self.truth if value else self.falsehood
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, float) and value in (float("inf"), float("-inf")):
            raise InexpressibleError(self.language, "an infinite number")
        return self.real(value) if isinstance(value, float) else str(value)


SQL: Final = Dialect("SQL", real=exponential)


def written(condition: Condition, dialect: Dialect, reading: Reading, schema: Schema) -> str:
    """A condition in the language of a peer.

    Parameters
    ----------
    condition : Condition
        Bound to `schema`.
    dialect : Dialect
        How the language writes conditions.
    reading : callable
        How it reads attributes of the head and of registers.
    schema : Schema
        Of the events.

    Raises
    ------
    InexpressibleError
        When the language lacks something that the condition uses.

    Examples
    --------
    >>> from mnemata.theory.conditions.building import head, register
    >>> from mnemata.theory.schema import String
    >>> ticks = Schema.of(name=String(), price=Float64())
    >>> rises = (head().name == "QQQ") & (head().price > register("r").price)
    >>> written(rises, SQL, lambda variable, name: f"{variable}.{name}".replace("~", "c"), ticks)
    "(c.name = 'QQQ' and c.price > r.price)"
    """

    def visit(node: Node, below: tuple[str, ...]) -> str:
        return _written(node, below, dialect, reading, schema)

    return fold(expand(condition), visit)


def _written(node: Any, below: tuple[str, ...], dialect: Dialect, reading: Reading, schema: Schema) -> str:
    match node:
        case Top():
            return dialect.truth
        case Bottom():
            return dialect.falsehood
        case Constant(value=value):
            return dialect.literal(value)
        case Attribute(variable=variable, name=name):
            return reading(variable, name)
        case Time(variable=variable) if schema.time is not None:
            return reading(variable, schema.time)
        case Arithmetic(operator=operator) if type_of(node, schema) == Float64():
            return f"({below[0]} {operator} {below[1]})"
        case Absolute() if type_of(node, schema) == Float64():
            return f"{dialect.absolute}({below[0]})"
        case Comparison(operator=operator, right=right):
            return dialect.compare(operator, below[0], below[1], _is_text(right, schema))
        case Membership(values=values):
            texts = any(_is_text(value, schema) for value in values)
            return _joined([dialect.compare("=", below[0], v, texts) for v in below[1:]], dialect.disjunction)
        case Not():
            return f"{dialect.negation}({below[0]})"
        case And():
            return _joined(list(below), dialect.conjunction)
        case Or():
            return _joined(list(below), dialect.disjunction)
    raise InexpressibleError(dialect.language, _called(node))


def _is_text(node: Node, schema: Schema) -> bool:
    match node:
        case Constant(value=value):
            return isinstance(value, str)
        case Attribute(name=name):
            return str(schema[name]).startswith(("string", "category"))
    return False


def _joined(parts: list[str], connective: str) -> str:
    return parts[0] if len(parts) == 1 else f"({f' {connective} '.join(parts)})"


def _called(node: Node) -> str:
    match node:
        case Apply(relation=Relation(name=name)):
            return f"the relation '{name}', which is a Python function"
        case Defined():
            return "whether a register holds an event"
        case Position():
            return "the position of an event in the stream"
        case Arithmetic() | Absolute():
            return "arithmetic over whole numbers, where a result beyond 64 bits is missing"
    return f"the condition {type(node).__name__}"
