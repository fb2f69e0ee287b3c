"""Patterns as queries of CORE: ``SELECT ALL * FROM S WHERE (A as e1; (B as e2)+) FILTER ... WITHIN ...``.

Written for CORE as it was published with its paper (VLDB 2022), in Java. What its grammar promises and its
parser refuses is not written: the selection strategy ``STRICT``, negated inequalities, comparisons in which
neither side is an attribute. Its strategy ``NEXT`` is no skip-till-next: an event may be passed over for a
match that ends later.

Its engine finds other matches than the language promises in two cases. Of an iteration whose body is a
single event or something else, it loses those that end with the single event (``KleeneCEA``: only a body of
one transition gets another one for the last event); alternatives that are single events all are written as
one. And its enumeration counts at most two unions one inside of the other before it comes to an event
(``CDSTimeComplexEventGrouping``); there are more where many partial matches that began at different times
meet in one state, and it ends with an `EmptyStackException`. Such patterns are written nevertheless: sets of
matches show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mnemata.paper_figures.peers.chains import bounded, called, merged
from mnemata.paper_figures.peers.conditions import Dialect, plain, quoted, written
from mnemata.paper_figures.peers.event_types import Texts, text_asked, texts_asked, type_name, typing_of
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    And,
    Bottom,
    Comparison,
    ComparisonOperator,
    Condition,
    Membership,
    Not,
    Or,
    Top,
    conjunction,
    disjunction,
    expand,
    registers,
)
from mnemata.theory.conditions.terms import Absolute, Attribute, Constant, Time
from mnemata.theory.schema import AttributeType, Bool, Category, Float64, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import (
    Concatenation,
    Expression,
    Output,
    Pattern,
    Plus,
    SkipTillAny,
    Terminal,
    Union,
)
from mnemata.theory.trees import Node, fold, transform, walk

CORE: Final = "the language of CORE"
_DIALECT: Final = Dialect(CORE, text=quoted, conjunction="AND", disjunction="OR", real=plain)
OTHERS: Final = "_OTHERS"
"""The type of events of which no event of the pattern can be one; no type made of texts begins like that."""

_LARGEST: Final = 2**53
"""Numbers are read as float64."""

_OPPOSITE: Final[dict[ComparisonOperator, ComparisonOperator]] = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}


def core_query(pattern: Pattern, schema: Schema) -> str:
    """A pattern as a query of CORE, after the declarations of its events.

    The type of an event is made of the attributes of which all events of the pattern are asked for one text:
    ``SELL_INTC``. The last line, a comment, tells the driver which they are. Each event of the pattern has a
    label of its own, by which filters name it. Windows are of whole seconds: the driver makes a second of
    CORE of each millisecond of the stream. Unless told otherwise, CORE forgets all events after a match:
    hence the last clause.

    Parameters
    ----------
    pattern : Pattern
        Bound to `schema`.
    schema : Schema
        Of the events.

    Raises
    ------
    InexpressibleError
        When the pattern has anything but skip-till-any, iteration with anything between its events, and
        disjunction, or a condition on several events.
    """
    body, window_ns = bounded(pattern, CORE)
    body = _with_single_events_merged(body)
    events = list(dict.fromkeys(_events(body)))
    asked = {event: _operands(_negated_inside(event.condition)) for event in events}
    texts = [texts_asked(asked[event]) for event in events]
    typing = typing_of(texts)
    terms, filters = dict[Terminal, str](), list[str]()
    for number, (event, known) in enumerate(zip(events, texts, strict=True), start=1):
        terms[event] = f"`{type_name(known, typing)}` as e{number}"
        filters += _filters(f"e{number}", asked[event], {name: known[name] for name in typing}, schema)
    kinds = dict.fromkeys(type_name(known, typing) for known in texts)
    return "\n".join(
        (
            *_declarations(kinds, schema),
            f"SELECT ALL *\nFROM S\nWHERE {_sequence(body, terms)}",
            *([f"FILTER {' AND '.join(filters)}"] if filters else []),
            f"WITHIN {-(-window_ns // 1_000_000)} SECONDS\nCONSUME BY NONE",
            " ".join(("-- TYPE", *typing)),
        )
    )


def _with_single_events_merged(body: Expression) -> Expression:
    made = transform(body, lambda node: merged(node) if isinstance(node, Union) else node)
    return made if isinstance(made, Expression) else body


def _events(body: Expression) -> Iterator[Terminal]:
    """The events of a pattern, if it has only operators that CORE has."""
    if isinstance(body, Plus):
        raise InexpressibleError(CORE, called(body))
    for node in walk(body, down_to=(Terminal,)):
        match node:
            case Terminal(condition=condition, output=output):
                if registers(condition):
                    raise InexpressibleError(CORE, "a condition on several events")
                if output is Output.SKIP:
                    raise InexpressibleError(CORE, "an event that is passed over and not marked")
                yield node
            case SkipTillAny(parts=(Plus(),)):
                continue
            case SkipTillAny(parts=parts) | Union(parts=parts):
                _no_iteration(parts)
            case Plus(body=repeated):
                _no_iteration((repeated,))
            case Concatenation():
                raise InexpressibleError(CORE, "contiguity, absence or skip-till-next")
            case _:
                raise InexpressibleError(CORE, called(node))


def _no_iteration(parts: Iterable[Expression]) -> None:
    for part in parts:
        if isinstance(part, Plus):
            raise InexpressibleError(CORE, called(part))


def _sequence(body: Expression, terms: dict[Terminal, str]) -> str:
    def visit(node: Node, below: tuple[str, ...]) -> str:
        match node:
            case Terminal():
                return terms[node]
            case Plus():
                return f"({below[0]})+"
            case SkipTillAny():
                return below[0] if len(below) == 1 else f"({'; '.join(below)})"
            case Union():
                return f"({' OR '.join(below)})"
        return ""  # a condition, written by its filter

    return fold(body, visit)


def _declarations(kinds: Iterable[str], schema: Schema) -> Iterator[str]:
    types = [f"`{kind}`" for kind in (*kinds, OTHERS)]
    attributes = ", ".join(f"{name} {_datatype(schema[name])}" for name in schema.names)
    for kind in types:
        yield f"DECLARE EVENT {kind}({attributes})"
    yield f"DECLARE STREAM S({', '.join(types)})"


def _datatype(kind: AttributeType) -> str:
    match kind:
        case Int64() | Timestamp():
            return "long"
        case Float64():
            return "double"
        case String() | Category():
            return "string"
        case Bool():
            return "boolean"


def _negated_inside(condition: Condition) -> Condition:
    """The same with negations at comparisons alone, as their opposites.

    ``not (a and b) = not a or not b``, ``not a < b = a >= b``: CORE cannot negate inequalities.
    """

    def visit(node: Node, below: tuple[tuple[Condition, Condition], ...]) -> tuple[Condition, Condition]:
        match node:
            case Top() | Bottom():
                return (TOP, BOTTOM) if isinstance(node, Top) else (BOTTOM, TOP)
            case Not():
                return below[0][1], below[0][0]
            case And() | Or():
                kept, opposite = zip(*below, strict=True)
                joined = (conjunction, disjunction) if isinstance(node, And) else (disjunction, conjunction)
                return joined[0](*kept), joined[1](*opposite)
            case Comparison(operator=operator, left=left, right=right):
                return node, Comparison(_OPPOSITE[operator], left, right)
            case Membership(term=term, values=values):
                return node, conjunction(*(Comparison("!=", term, value) for value in values))
            case Condition():
                return node, Not(node)
        return TOP, BOTTOM  # a term

    return fold(expand(condition), visit)[0]


def _operands(condition: Condition) -> tuple[Condition, ...]:
    match condition:
        case Top():
            return ()
        case And(operands=operands):
            return operands
    return (condition,)


def _filters(label: str, asked: Iterable[Condition], typed: Texts, schema: Schema) -> Iterator[str]:
    """What an event is asked for beside its type, as one filter."""
    rest = [one for one in asked if text_asked(one) not in [*typed.items()]]
    if rest:
        condition = conjunction(*rest)
        _refuse_what_is_not_read(condition)
        yield f"{label}[{written(condition, _DIALECT, lambda _, name: name, schema)}]"


def _refuse_what_is_not_read(condition: Condition) -> None:
    for node in walk(condition):
        match node:
            case Top() | Bottom():
                raise InexpressibleError(CORE, "a condition that holds always or never")
            case Comparison(left=left, right=right):
                if not isinstance(left, Attribute | Time) and not isinstance(right, Attribute | Time):
                    raise InexpressibleError(CORE, "a comparison in which neither side is an attribute")
            case Absolute():
                raise InexpressibleError(CORE, "an absolute value")
            case Constant(value=str(text)) if "'" in text:
                raise InexpressibleError(CORE, f"the text {text!r}, which has a quotation mark")
            case Constant(value=bool()):
                raise InexpressibleError(CORE, "a truth value")
            case Constant(value=int(value)) if abs(value) > _LARGEST:
                raise InexpressibleError(CORE, f"{value}, since its numbers are float64")
