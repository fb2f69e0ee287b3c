"""Systems that are in no package registry: where Wayeb, SASE and CORE are, and the languages of two of them.

Their patterns are written as their documentation and the published experiments have them, and no further. A
user who has Wayeb names its jars (`class_path_of`); one who has another of them, a command that runs it
(`launch_of`).
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mnemata.paper_figures.peers.chains import Chain, Step, chain_of
from mnemata.paper_figures.peers.conditions import Dialect, quoted, written
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.paper_figures.peers.running import Launch
from mnemata.theory.conditions.formulas import TOP, And, Comparison, Condition, conjunction, registers
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant, Variable
from mnemata.theory.errors import EnvironmentProblem
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.trees import walk


def variable_of(name: str) -> str:
    """The variable that says where a system is, or how it is run."""
    return f"MNEMATA_PEER_{name.upper()}"


def class_path_of(name: str) -> tuple[Path, ...]:
    """The jars of a system that the user has, and folders of jars, as `variable_of` names them.

    Raises
    ------
    EnvironmentProblem
        When none was named, or there is nothing where one should be.
    """
    entries = tuple(Path(entry) for entry in os.environ.get(variable_of(name), "").split(os.pathsep) if entry)
    if not entries:
        raise EnvironmentProblem(f"no jars were given in {variable_of(name)}")
    for entry in entries:
        if not (any(entry.glob("*.jar")) if entry.is_dir() else entry.is_file()):
            raise EnvironmentProblem(f"{variable_of(name)} names {entry}, where there is no jar")
    return entries


def launch_of(name: str, query: str) -> Launch:
    """How to run a system that the user has, by the command that `variable_of` names.

    The command is given the stream, a file with the pattern in the language of the system, how many rounds to
    make at most, after how many seconds none begins any more, and perhaps a file for the matches; it reports
    as `mnemata.paper_figures.peers.workers.reporting` does.

    Raises
    ------
    EnvironmentProblem
        When no command was named.
    """
    command = os.environ.get(variable_of(name))
    if not command:
        raise EnvironmentProblem(f"no command was given in {variable_of(name)}")
    return Launch(tuple(shlex.split(command)), query)


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
