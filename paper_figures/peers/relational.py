"""Chains as queries over a table: joins, and recursion for iterations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemata.paper_figures.peers.chains import Chain, Step, chain_of
from mnemata.paper_figures.peers.conditions import SQL, written
from mnemata.theory.conditions.formulas import TOP, And, Condition, conjunction, registers
from mnemata.theory.conditions.terms import HEAD, Register, Variable
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Pattern

LANGUAGE: Final = "SQL with joins and recursion"
POSITION: Final = "position"
"""The column that numbers the rows, from 0."""


def relational_query(pattern: Pattern, schema: Schema) -> str:
    """A query for all matches of a pattern over the table ``ticks``.

    The events of each step are put into buckets as long as the window, those that may follow into the one
    before as well, so that steps are joined by hash on the bucket in which a match begins; windows and the
    order of events are checked on what is joined. An iteration is a recursive table that adds an event at a
    time. The only column in the end is ``positions``, the list of marked rows.

    Parameters
    ----------
    pattern : Pattern
        Bound to `schema`.
    schema : Schema
        The columns of the table beside ``position``.

    Raises
    ------
    InexpressibleError
        When the pattern is not a chain.
    """
    chain = chain_of(pattern, LANGUAGE)
    recursive = "RECURSIVE " if any(step.repeated for step in chain.steps) else ""
    tables = ",\n".join((*_candidates(chain, schema), *_partial_matches(chain, schema)))
    return f"WITH {recursive}{tables}\nSELECT positions FROM m{len(chain.steps)}"


def _candidates(chain: Chain, schema: Schema) -> Iterator[str]:
    """For each step the events that satisfy what it asks of them alone."""
    bucket = f"{schema.time} // {chain.window_ms}"
    for step in chain.steps:
        alone_in_one = step is chain.steps[0] and not step.repeated
        buckets = bucket if alone_in_one else f"unnest([{bucket} - 1, {bucket}])"
        alone, _ = _parts(step.condition)
        where = written(alone, SQL, lambda _, name: name, schema)
        yield f"{step.name} AS (SELECT *, {buckets} AS bucket FROM ticks WHERE {where})"


def _parts(condition: Condition) -> tuple[Condition, Condition]:
    """A condition as what it asks of the event alone, and the rest."""
    operands = condition.operands if isinstance(condition, And) else (condition,)
    alone = [one for one in operands if not registers(one)]
    return conjunction(*alone), conjunction(*(one for one in operands if registers(one)))


def _partial_matches(chain: Chain, schema: Schema) -> Iterator[str]:
    """For each step those that end in it: their bucket, start, last row, all rows, and held events."""
    held: dict[Register, str] = {}
    for number, step in enumerate(chain.steps, start=1):
        known = {HEAD: "t.", **{register: f"m.{name}_" for register, name in held.items()}}
        condition, follows = _condition(step, known, schema), _follows(step, known, schema)
        if step.register is not None:
            held.pop(step.register, None)
        kept = [f"m.{name}_{attribute}" for name in held.values() for attribute in schema.names]
        if step.register is not None:
            kept += [f"t.{attribute} AS {step.name}_{attribute}" for attribute in schema.names]
            held[step.register] = step.name
        yield _table(number, step, condition, follows, "".join(f", {one}" for one in kept), chain, schema)


def _condition(step: Step, known: dict[Variable, str], schema: Schema) -> str:
    _, rest = _parts(step.condition)
    return written(rest, SQL, lambda variable, name: f"{known[variable]}{name}", schema)


def _follows(step: Step, known: dict[Variable, str], schema: Schema) -> str:
    """What lies between a partial match and an event."""
    if step.contiguous:
        return f"t.{POSITION} = m.last + 1"
    if step.between == TOP:
        return "true"
    skipped = {**known, HEAD: "s."}
    allowed = written(step.between, SQL, lambda variable, name: f"{skipped[variable]}{name}", schema)
    among = f"s.{POSITION} > m.last AND s.{POSITION} < t.{POSITION}"
    return f"NOT EXISTS (SELECT 1 FROM ticks s WHERE {among} AND NOT ({allowed}))"


def _table(
    number: int, step: Step, condition: str, follows: str, kept: str, chain: Chain, schema: Schema
) -> str:
    name, time = f"m{number}", schema.time
    within = f"t.bucket = m.bucket AND t.{time} < m.began + {chain.window_ms} AND {condition}"
    later = f"t.{POSITION} > m.last AND {within}"
    if number == 1:
        began = f"{time} // {chain.window_ms}"
        wanted = f"t.bucket, t.{time} AS began, t.{POSITION} AS last, [t.{POSITION}] AS positions{kept}"
        start = f"SELECT {wanted} FROM {step.name} t WHERE t.bucket = t.{began}"
    else:
        start = _extended(f"m{number - 1}", step, kept, f"{follows} AND {later}")
    if not step.repeated:
        return f"{name} AS ({start})"
    return f"{name} AS ({start}\n  UNION ALL {_extended(name, step, kept, later)})"


def _extended(source: str, step: Step, kept: str, condition: str) -> str:
    rows = f"t.{POSITION} AS last, list_append(m.positions, t.{POSITION}) AS positions"
    return f"SELECT m.bucket, m.began, {rows}{kept} FROM {source} m, {step.name} t WHERE {condition}"
