"""The languages of systems that are in no package registry: Wayeb, SASE and CORE.

Their patterns are written as their documentation and the published experiments have them, and no further. A
user who has such a system names a command that runs it; `command_of` says what it must do.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from typing import Final

from mnemata.paper_figures.peers.chains import Chain, Step, chain_of
from mnemata.paper_figures.peers.conditions import Dialect, quoted, written
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.paper_figures.peers.running import Launch
from mnemata.theory.conditions.formulas import (
    TOP,
    And,
    Comparison,
    ComparisonOperator,
    Condition,
    Membership,
    Not,
    Or,
    conjunction,
    expand,
    registers,
)
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant, Variable
from mnemata.theory.errors import EnvironmentProblem
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.trees import Node, fold, walk

_ORDERS: Final = {">": "GT", ">=": "GTE", "<": "LT", "=": "EQ"}
_MIRRORED: Final[Mapping[ComparisonOperator, ComparisonOperator]] = {
    ">": "<",
    "<": ">",
    ">=": "<=",
    "<=": ">=",
    "=": "=",
    "!=": "!=",
}


def command_of(name: str) -> str:
    """The variable that names the command that runs a system.

    The command is given the stream, a file with the pattern in the language of the system, how many rounds to
    make at most, after how many seconds none begins any more, and perhaps a file for the matches; it reports
    as `mnemata.paper_figures.peers.workers.reporting` does.
    """
    return f"MNEMATA_PEER_{name.upper()}"


def launch_of(name: str, query: str) -> Launch:
    """How to run a system that the user has.

    Raises
    ------
    EnvironmentProblem
        When no command was named.
    """
    command = os.environ.get(command_of(name))
    if not command:
        raise EnvironmentProblem(f"no command was given in {command_of(name)}")
    return Launch(tuple(shlex.split(command)), query)


WAYEB: Final = "the language of Wayeb"


def wayeb_expression(pattern: Pattern, schema: Schema) -> str:
    """A chain in the prefix notation of Wayeb.

    Its windows in time bound the difference of timestamps, which must not exceed them: less than 500 ms is at
    most 499 ms.
    """
    chain = chain_of(pattern, WAYEB)
    terms, declared = [], set[str]()
    for step in chain.steps:
        term = fold(expand(step.condition), _wayeb)
        if step.register is not None:
            if step.register in declared:
                raise InexpressibleError(WAYEB, f"the register '{step.register}' written twice")
            declared.add(step.register)
            term = f'{term}["{step.register}"]'
        # There is no plus: once, and then any number of times.
        terms.append(f"{term},#(*({term}))" if step.repeated else term)
    body = f";({','.join(terms)})" if len(terms) > 1 else terms[0]
    return f"{_strategy(chain, body)}{{window:{chain.window_ms - 1}}}{{windowType:time}}"


def _strategy(chain: Chain, body: str) -> str:
    """One selection strategy for the whole sequence."""
    later = chain.steps[1:]
    if all(step.between == TOP for step in later):
        return f"#({body})"
    if all(step.contiguous for step in later):
        return body
    if all(step.earliest for step in later):
        return f"@({body})"
    raise InexpressibleError(WAYEB, "absence, or several selection strategies in one sequence")


def _wayeb(node: Node, below: tuple[str, ...]) -> str:
    match node:
        case And():
            return f"^({','.join(below)})"
        case Or():
            return f"|({','.join(below)})"
        case Not():
            return f"-{below[0]}"
        case Comparison():
            return _atom(node)
        case Membership(term=term, values=values):
            atoms = [_atom(Comparison("=", term, value)) for value in values]
            return atoms[0] if len(atoms) == 1 else f"|({','.join(atoms)})"
        case Condition():
            raise InexpressibleError(WAYEB, f"the condition {type(node).__name__}")
    return ""  # a term, written by its atom


def _atom(node: Comparison) -> str:
    """A comparison by one of the predicates that Wayeb has."""
    if not isinstance(node.left, Attribute) or node.left.variable != HEAD:
        node = Comparison(_MIRRORED[node.operator], node.right, node.left)
    if node.operator == "!=":
        return f"-{_atom(Comparison('=', node.left, node.right))}"
    match node:
        case Comparison(operator="=", left=Attribute(name="type"), right=Constant(value=str(value))):
            return f"IsEventTypePredicate({value})"
        case Comparison(operator="=", left=Attribute(name=name), right=Constant(value=str(value))):
            return f"EQStr({name},{value})"
        case Comparison(operator="<=", left=left, right=right):
            return f"-{_atom(Comparison('>', left, right))}"
        case Comparison(
            operator=operator, left=Attribute(name=name), right=Constant(value=int() | float() as value)
        ):
            return f"{_ORDERS[operator]}({name},{float(value)!r})"
        case Comparison(operator=">" | "<" as operator, left=Attribute(name=name), right=Attribute() as held):
            if held.name == name and held.variable != HEAD:
                return f'{_ORDERS[operator]}Attr({name},"{held.variable}")'
    raise InexpressibleError(WAYEB, f"a comparison by `{node.operator}` of these two terms")


SASE: Final = "the language of SASE"
_PLAIN: Final = Dialect(SASE, text=str, conjunction="AND")


def sase_query(pattern: Pattern, schema: Schema) -> str:
    """A chain as a query of SASE; attributes and constants are texts and whole numbers."""
    chain = chain_of(pattern, SASE)
    events, conditions = [], ["skip-till-any-match"]
    for step in chain.steps:
        if step.between != TOP:
            raise InexpressibleError(SASE, "a selection strategy for one part of a sequence")
        kind, rest = _typed(step, SASE)
        events.append(f"{kind}+ {step.name}[]" if step.repeated else f"{kind} {step.name}")
        conditions += _sase_conditions(step, rest, chain, schema)
    where = "\nAND ".join(conditions)
    return f"PATTERN SEQ({', '.join(events)})\nWHERE {where}\nWITHIN {chain.window_ms}"


def _sase_conditions(step: Step, rest: tuple[Condition, ...], chain: Chain, schema: Schema) -> Iterator[str]:
    def reading(variable: Variable, name: str) -> str:
        own = f"{step.name}[i]" if step.repeated else step.name
        return f"{own if variable == HEAD else chain.holder(variable, step).name}.{name}"

    for one in rest:
        if not isinstance(one, Comparison):
            raise InexpressibleError(SASE, "anything but a conjunction of comparisons")
        for node in walk(one):
            if isinstance(node, Constant) and isinstance(node.value, float):
                raise InexpressibleError(SASE, "a constant that is no whole number")
        yield written(one, _PLAIN, reading, schema)


def _typed(step: Step, language: str) -> tuple[str, tuple[Condition, ...]]:
    """The event type that a step asks for, and what else it asks."""
    operands = step.condition.operands if isinstance(step.condition, And) else (step.condition,)
    for place, operand in enumerate(operands):
        match operand:
            case Comparison(
                operator="=", left=Attribute(variable="~", name="type"), right=Constant(value=str(kind))
            ):
                return kind, (*operands[:place], *operands[place + 1 :])
    raise InexpressibleError(language, "an event of any type")


CORE: Final = "the language of CORE"
_BRACKETS: Final = Dialect(CORE, text=quoted, conjunction="AND", disjunction="OR")


def core_query(pattern: Pattern, schema: Schema) -> str:
    """A chain as a query of CORE, whose filters are about single events."""
    chain = chain_of(pattern, CORE)
    events, filters = [], []
    for step in chain.steps:
        if registers(step.condition):
            raise InexpressibleError(CORE, "a condition on several events")
        if step.between != TOP:
            raise InexpressibleError(CORE, "a contiguous part of a sequence")
        kind, rest = _typed(step, CORE)
        events.append(f"({kind} as {step.name})+" if step.repeated else f"{kind} as {step.name}")
        if rest:
            condition = written(conjunction(*rest), _BRACKETS, lambda _, name: name, schema)
            filters.append(f"{step.name}[{condition}]")
    kept = f"\nFILTER {' AND '.join(filters)}" if filters else ""
    return f"SELECT *\nFROM S\nWHERE ({'; '.join(events)}){kept}\nWITHIN {chain.window_ms} [{schema.time}]"
