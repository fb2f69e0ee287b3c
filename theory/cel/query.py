"""Queries: a formula with the clauses that users of the CORE engine know (CEQL)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from mnemata.theory.cel.binding import bind_formula
from mnemata.theory.cel.formulas import (
    STRATEGIES,
    Formula,
    Last,
    Max,
    Nxt,
    Projection,
    Strategy,
    Strict,
    Window,
    Within,
    variables_of,
)
from mnemata.theory.cel.semantics import complex_events_along
from mnemata.theory.cel.valuations import ComplexEvent, Position, Variable
from mnemata.theory.errors import PatternError, UnknownVariableError, brief, suggestion
from mnemata.theory.schema import Event, Schema, Value
from mnemata.theory.sremo.bounds import EventWindow, TimeWindow


class Selection(Enum):
    """Which complex events a query keeps at each position."""

    ALL = "ALL"
    ANY = "ANY"
    NEXT = "NEXT"
    LAST = "LAST"
    MAX = "MAX"
    STRICT = "STRICT"

    def __repr__(self) -> str:
        return self.value


class Consumption(Enum):
    """What a complex event uses up once it was found: later ones lie entirely after its position."""

    NONE = "NONE"
    PARTITION = "PARTITION"
    ANY = "ANY"

    def __repr__(self) -> str:
        return self.value


_OPERATORS: Final[dict[Selection, type[Strategy]]] = {
    Selection.ANY: Nxt,
    Selection.NEXT: Nxt,
    Selection.LAST: Last,
    Selection.MAX: Max,
    Selection.STRICT: Strict,
}


@dataclass(frozen=True, slots=True)
class Query:
    """``SELECT strategy variables FROM streams WHERE formula PARTITION BY ... WITHIN ... CONSUME BY ...``.

    Parameters
    ----------
    formula : Formula
        What to find.
    variables : tuple of str or None
        What is shown of a complex event: the events of these variables; ``None`` is all of them (``*``).
    selection : Selection
        ``ALL`` keeps every complex event. ``ANY`` keeps one of each position, whichever; here the one that
        ``NEXT`` keeps, so that answers do not depend on the run.
    streams : tuple of str
        Where events come from. Recorded only: the source merges streams into one.
    partition_by : tuple of str
        Attributes; the stream is split into one sub-stream for each combination of their values. Events
        in which one of them is missing belong to no sub-stream.
    within : EventWindow or TimeWindow, optional
        Bounds the events that are matched, shown or not.
    consume : Consumption
        ``PARTITION``: a complex event uses up all events so far of its sub-stream; ``ANY``: of all of
        them.
    name : str
        How results refer to the query.

    Raises
    ------
    PatternError
        When a clause is malformed; `UnknownVariableError` when a shown variable is bound nowhere.
    """

    formula: Formula
    variables: tuple[Variable, ...] | None = None
    selection: Selection = Selection.ALL
    streams: tuple[str, ...] = ()
    partition_by: tuple[str, ...] = ()
    within: Window | None = None
    consume: Consumption = Consumption.NONE
    name: str = "query"

    def __post_init__(self) -> None:
        if not isinstance(self.formula, Formula):
            raise PatternError(f"{brief(self.formula)} is not a formula")
        if not isinstance(self.within, EventWindow | TimeWindow | None):
            raise PatternError(f"{brief(self.within)} is not a window of CEL; bound events or time")
        object.__setattr__(self, "selection", Selection(self.selection))
        object.__setattr__(self, "consume", Consumption(self.consume))
        for clause in ("variables", "streams", "partition_by"):
            self._check_names(clause)
        self._check_shown()

    def _check_names(self, clause: str) -> None:
        names = getattr(self, clause)
        if names is None:
            return
        if isinstance(names, str) or not all(isinstance(name, str) and name for name in names):
            raise PatternError(f"{clause} is a tuple of names, got {brief(names)}")
        object.__setattr__(self, clause, tuple(names))
        for name in names:
            if names.count(name) > 1:
                raise PatternError(f"{clause.replace('_', ' ')} names '{name}' twice")

    def _check_shown(self) -> None:
        if self.variables is None:
            return
        known = variables_of(self.formula)
        for name in self.variables:
            if name not in known:
                raise UnknownVariableError(
                    f"nothing binds the variable '{name}' that is selected; the formula binds "
                    f"{', '.join(sorted(known)) or 'none'}.{suggestion(name, known)}"
                )
        if not self.variables:
            raise PatternError("a query selects at least one variable; None stands for all of them")

    @property
    def strategy(self) -> type[Strategy] | None:
        """The operator of Section 7.1 that the selection stands for; ``None`` for ``ALL``."""
        return _OPERATORS.get(self.selection)


def formula_of(query: Query) -> Formula:
    """The query as one formula for a single sub-stream; only consumption is not in it.

    The window is innermost: a strategy compares the complex events that fit. The projection is outermost:
    the strategy compares what was matched, not what is shown.

    >>> from mnemata.theory.cel.formulas import Relation
    >>> formula_of(Query(Relation("R"), ("R",), Selection.MAX, within=EventWindow(5)))
    Projection(Max(Within(Relation('R'), EventWindow(size=5))), ('R',))
    """
    formula = query.formula if query.within is None else Within(query.formula, query.within)
    if query.strategy is not None:
        formula = query.strategy(formula)
    return formula if query.variables is None else Projection(formula, query.variables)


def query_of(formula: Formula) -> Query:
    """The query with the most clauses whose `formula_of` is `formula`."""
    variables = formula.variables if isinstance(formula, Projection) and formula.variables else None
    inner = formula.body if isinstance(formula, Projection) and variables is not None else formula
    selection = Selection.ALL
    if isinstance(inner, STRATEGIES):
        selection = next(
            s for s, kind in _OPERATORS.items() if s is not Selection.ANY and kind is type(inner)
        )
        inner = inner.body
    if isinstance(inner, Within):
        return Query(inner.body, variables, selection, within=inner.window)
    return Query(inner, variables, selection)


def bind_query(query: Query, schema: Schema) -> Query:
    """`query` with its formula bound to `schema`; raises as `bind_formula` does."""
    for name in query.partition_by:
        schema.index(name)
    if query.within is not None:
        bind_formula(Within(query.formula, query.within), schema)
    return replace(query, formula=bind_formula(query.formula, schema))


def query_complex_events(query: Query, stream: Sequence[Event]) -> list[frozenset[ComplexEvent]]:
    """At each position of the stream the complex events that end a search there (0-based).

    An event is reported at by its sub-stream alone. Contiguity and windows in events count the events of the
    sub-stream; the result has positions of the whole stream. With consumption the search begins anew after a
    position with a complex event.

    Notes
    -----
    By definition and slow, like `mnemata.theory.cel.semantics`.
    """
    if not stream:
        return []
    formula = bind_formula(formula_of(query), stream[0].schema)
    parts: dict[tuple[Value, ...], list[Position]] = {}
    found: list[frozenset[ComplexEvent]] = []
    for n, event in enumerate(stream):
        key = tuple(event[name] for name in query.partition_by)
        here = frozenset[ComplexEvent]()
        if None not in key:
            own = parts.setdefault(key, [])
            own.append(n)
            here = _at_last(formula, stream, own)
        if here and query.consume is not Consumption.NONE:
            _consume(query.consume, parts, key)
        found.append(here)
    return found


def _at_last(formula: Formula, stream: Sequence[Event], own: Sequence[Position]) -> frozenset[ComplexEvent]:
    found = complex_events_along(formula, [stream[p] for p in own])[-1]
    return frozenset(frozenset(own[p] for p in event) for event in found)


def _consume(
    consume: Consumption, parts: dict[tuple[Value, ...], list[Position]], key: tuple[Value, ...]
) -> None:
    for name, own in parts.items():
        if consume is Consumption.ANY or name == key:
            own.clear()
