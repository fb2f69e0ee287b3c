"""Patterns in the language of Wayeb, for its automata with registers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Final

from mnemata.paper_figures.peers.chains import Chain, Step, chain_of
from mnemata.paper_figures.peers.conditions import MIRRORED, plain
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.theory.conditions.formulas import (
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
    expand,
)
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant
from mnemata.theory.schema import Schema, Value
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.trees import Node, fold

WAYEB: Final = "the language of Wayeb"
_COMPARED: Final = {">": "GT", ">=": "GTE", "<": "LT", "<=": "LTE", "=": "EQ"}
"""Its predicates that compare an attribute with a number, which all read as float64."""

_HELD: Final[Mapping[ComparisonOperator, str]] = {">": "GTAttr", "<": "LTAttr", "=": "EQAttr"}
"""Its predicates that compare a number with the same attribute of the event in a register."""

_OPPOSITE: Final[Mapping[ComparisonOperator, ComparisonOperator]] = {"!=": "=", ">=": "<", "<=": ">"}
_FIELDS: Final = {"type": "EventType", "stock_time": "Timestamp"}
"""What each of its events has, by their names here; others are in a map."""

_ANY: Final = "|(IsEventTypePredicate(X),-IsEventTypePredicate(X))"
"""Any event: its `TruePredicate` is that of events passed over, which are not marked."""

_LARGEST: Final = 2**31 - 1
_TERM: Final = re.compile(r"[A-Za-z]\w*", re.ASCII)


def wayeb_expression(pattern: Pattern, schema: Schema) -> str:
    """A chain in the prefix notation of Wayeb.

    A match is found if its last timestamp less its first one is less than the window, as here; Wayeb's
    documentation has it otherwise (`MonoRunNSRA.checkRuntimeWindow`). For complements, which `@` and absence
    need, it builds no automaton with registers (`NSRAUtils.buildNSRA`). Its engine ends a run with the first
    event that makes it a match (`MonoRunNSRA.moveRunArrayPrealloc`): of an iteration at the end of a
    sequence, it finds only matches with one event of it.
    """
    chain = chain_of(pattern, WAYEB)
    registers_written = [step.register for step in chain.steps if step.register is not None]
    for register in registers_written:
        if registers_written.count(register) > 1:
            raise InexpressibleError(WAYEB, f"the register '{register}' written twice")
    if chain.window_ms > _LARGEST:
        raise InexpressibleError(WAYEB, f"a window of more than {_LARGEST} ms")
    elements = [element for part in _parts(chain) for element in _elements(part, schema)]
    body = elements[0] if len(elements) == 1 else f"#(;({','.join(elements)}))"
    return f"{body}{{window:{chain.window_ms}}}{{windowType:time}}"


def _parts(chain: Chain) -> list[list[Step]]:
    """What is contiguous in a chain; anything may be between one part and the next."""
    parts: list[list[Step]] = []
    for step in chain.steps:
        if step.contiguous and parts:
            parts[-1].append(step)
        elif step.between == TOP or not parts:
            parts.append([step])
        else:
            what = "skip-till-next" if step.earliest else "absence between marked events"
            raise InexpressibleError("a register automaton of Wayeb", what)
    return parts


def _elements(part: Sequence[Step], schema: Schema) -> list[str]:
    """What a contiguous part is in a sequence of skip-till-any; there is no plus.

    ``any(t+)`` is any number of events, then the last; among contiguous ones, the only event, or the first,
    any number and the last.
    """
    terms = [_term(step, schema) for step in part]
    if len(part) == 1:
        return [f"#(*({terms[0]}))", terms[0]] if part[0].repeated else terms
    once_or_more = [
        f"+({term},#(;({term},#(*({term})),{term})))" if step.repeated else term
        for step, term in zip(part, terms, strict=True)
    ]
    return [f";({','.join(once_or_more)})"]


def _term(step: Step, schema: Schema) -> str:
    def visit(node: Node, below: tuple[str, ...]) -> str:
        return _sentence(node, below, schema)

    sentence = fold(expand(step.condition), visit)
    return sentence if step.register is None else f'{sentence}["{step.register}"]'


def _sentence(node: Node, below: tuple[str, ...], schema: Schema) -> str:
    match node:
        case Top():
            return _ANY
        case Bottom():
            return f"-{_ANY}"
        case And():
            return f"^({','.join(below)})"
        case Or():
            return f"|({','.join(below)})"
        case Not():
            return f"-{below[0]}"
        case Comparison():
            return _atom(node, schema)
        case Membership(term=term, values=values):
            atoms = [_atom(Comparison("=", term, value), schema) for value in values]
            return atoms[0] if len(atoms) == 1 else f"|({','.join(atoms)})"
        case Condition():
            raise InexpressibleError(WAYEB, f"the condition {type(node).__name__}")
    return ""  # a term, written by its atom


def _atom(node: Comparison, schema: Schema) -> str:
    """A comparison by one of the predicates that Wayeb has."""
    if not isinstance(node.left, Attribute) or node.left.variable != HEAD:
        node = Comparison(MIRRORED[node.operator], node.right, node.left)
    match node.left, node.right:
        case Attribute(variable=variable, name=name), Constant(value=value) if variable == HEAD:
            return _with_constant(node.operator, name, value)
        case Attribute(variable=variable, name=name), Attribute() as held if variable == HEAD:
            if held.name == name and held.variable != HEAD:
                return _with_held(node.operator, name, held.variable, schema)
    raise InexpressibleError(WAYEB, f"a comparison by `{node.operator}` of these two terms")


def _with_constant(operator: ComparisonOperator, name: str, value: Value) -> str:
    match operator, value:
        case "!=", _:
            return f"-{_with_constant('=', name, value)}"
        case "=", str() if _TERM.fullmatch(value):
            return f"IsEventTypePredicate({value})" if name == "type" else f"EQStr({_field(name)},{value})"
        case _, int() | float() if not isinstance(value, bool):
            return f"{_COMPARED[operator]}({_field(name)},{_decimal(float(value))})"
    raise InexpressibleError(WAYEB, f"a comparison by `{operator}` with {value!r}")


def _with_held(operator: ComparisonOperator, name: str, register: str, schema: Schema) -> str:
    if operator in _OPPOSITE:
        return f"-{_with_held(_OPPOSITE[operator], name, register, schema)}"
    text = str(schema[name]).startswith(("string", "category"))
    return f'{_HELD[operator]}{"Str" if text else ""}({_field(name)},"{register}")'


def _field(name: str) -> str:
    return _FIELDS.get(name, name)


def _decimal(value: float) -> str:
    """A number without exponent, which is all that Wayeb reads."""
    if not isfinite(value):
        raise InexpressibleError(WAYEB, f"the number {value}")
    return plain(value)
