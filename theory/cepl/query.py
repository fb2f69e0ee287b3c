"""Queries: an expression with what concerns a whole query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mnemata.theory.cepl import semantics
from mnemata.theory.cepl.expressions import Expression
from mnemata.theory.cepl.semantics import Matches
from mnemata.theory.errors import PatternError, brief
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.sremo.expressions import mark as _any_event
from mnemata.theory.sremo.semantics import substreams


@dataclass(frozen=True, slots=True)
class Query:
    """A core-CEPL expression, and by what the stream is partitioned.

    Parameters
    ----------
    expression : Expression
        What to find.
    partition_by : tuple of str
        Attributes; the stream is split into one sub-stream for each combination of their values. Windows
        count the events of the sub-stream. Events in which one of them is missing belong to none.
    name : str
        How results refer to the query.
    """

    expression: Expression
    partition_by: tuple[str, ...] = ()
    name: str = "query"

    def __post_init__(self) -> None:
        if not isinstance(self.expression, Expression):
            raise PatternError(f"{brief(self.expression)} is not an expression")
        checked = Pattern(_any_event(), self.partition_by, self.name)
        object.__setattr__(self, "partition_by", checked.partition_by)


def query_matches(query: Query, stream: Sequence[Event]) -> Matches:
    """What a query finds in a stream, sub-stream by sub-stream; 0-based positions of the whole stream."""
    found: set[frozenset[int]] = set()
    places = {id(event): place for place, event in enumerate(stream)}
    for own in substreams(Pattern(_any_event(), query.partition_by), stream):
        renumbered = [Event(e.schema, e.values, n) for n, e in enumerate(own, start=1)]
        for match in semantics.matches(query.expression, renumbered):
            found.add(frozenset(places[id(own[at])] for at in match))
    return frozenset(found)
