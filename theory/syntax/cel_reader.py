"""From parse trees of complex event logic to formulas and queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NoReturn, TypeAlias

from lark import Token

from mnemata.theory.cel.binding import check_event_type
from mnemata.theory.cel.formulas import (
    All,
    And,
    Contiguous,
    ContiguousIteration,
    Filter,
    Formula,
    In,
    Iteration,
    Last,
    Max,
    Nary,
    Nxt,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Strategy,
    Strict,
    Unless,
    Window,
    Within,
    defined_by,
)
from mnemata.theory.cel.query import Consumption, Query, Selection
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import Definition
from mnemata.theory.conditions.terms import Duration
from mnemata.theory.errors import (
    PatternError,
    PatternSyntaxError,
    UnknownVariableError,
    UnsupportedError,
    placed,
    suggestion,
)
from mnemata.theory.schema import NANOSECONDS
from mnemata.theory.sremo.bounds import EventWindow, TimeWindow
from mnemata.theory.sremo.windows import check_window
from mnemata.theory.syntax.condition_reader import Joined, join
from mnemata.theory.syntax.filter_reader import FilterReader
from mnemata.theory.syntax.located import Place
from mnemata.theory.syntax.reader import listing, place_of
from mnemata.theory.trees import children

_STRATEGIES: Final[dict[str, type[Strategy]]] = {
    **{"strict": Strict, "nxt": Nxt, "next": Nxt, "last": Last, "max": Max},
}
Clause: TypeAlias = tuple[str, Any]
"""A parameter of `Query` with its value."""


class CelReader(FilterReader):
    """Reads formulas in the paper's notation and queries in the style of CEQL."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._binds: dict[int, frozenset[Variable]] = {}
        self._streams: list[tuple[str, Place]] = []

    def build(self, place: Place, kind: Any, *fields: object) -> Any:
        node = super().build(place, kind, *fields)
        if isinstance(node, Formula):
            below = tuple(self._binds.get(id(child), frozenset()) for child in children(node))
            self._binds[id(node)] = defined_by(node, below)
        return node

    # formulas

    def event_type(self, place: Place, *tokens: Token) -> Relation:
        name = self.register(tokens[-1])
        if len(tokens) > 1:
            self._of_stream(tokens[0], tokens[1])
        if self.schema is not None:
            try:
                check_event_type(name, self.schema)
            except PatternError as error:
                self.fail(type(error), str(error), place)
        found: Relation = self.build(place, Relation, name)
        return found

    def _of_stream(self, stream: Token, sign: Token) -> None:
        if sign != ">":
            reason = (
                f"unexpected '{sign}'; conditions come after FILTER, as in {stream} FILTER {stream}.price"
            )
            self.fail(PatternSyntaxError, f"{reason} {sign} ...", place_of(sign))
        self._streams.append((self.name(stream), place_of(stream)))

    def bound(self, place: Place, body: object, variable: Token) -> Formula:
        return self._formula(place, In, self.formula(body), self.register(variable))

    def filtered(self, place: Place, body: object, value: object) -> Formula:
        inside, predicate = self.formula(body), self.predicate(value)
        known = self._binds[id(inside)]
        for variable, where in self.reads:
            if variable not in known:
                self._unbound(variable, known, where)
        self.reads.clear()
        return self._formula(place, Filter, inside, predicate)

    def _unbound(self, variable: Variable, known: frozenset[Variable], place: Place) -> NoReturn:
        have = f"the filtered formula binds {listing(known) or 'none'}"
        how = f"Events are bound to it by IN {variable} (or AS {variable})"
        reason = f"nothing binds the variable '{variable}' that is read; {have}. {how}."
        self.fail(UnknownVariableError, f"{reason}{suggestion(variable, known)}", place)

    def sequenced(self, place: Place, *parts: object) -> Joined:
        return join(Sequencing, parts, self.formula, place)

    def adjoined(self, place: Place, *parts: object) -> Joined:
        return join(Contiguous, parts, self.formula, place)

    def either_of(self, place: Place, *parts: object) -> Joined:
        return join(Or, parts, self.formula, place)

    def all_at_once(self, place: Place, *parts: object) -> Joined:
        return join(And, parts, self.formula, place)

    def in_any_order(self, place: Place, *parts: object) -> Joined:
        return join(All, parts, self.formula, place)

    def unless(self, place: Place, body: object, guard: object) -> Formula:
        return self._formula(place, Unless, self.formula(body), self.formula(guard))

    def iterated(self, place: Place, body: object, _sign: Token) -> Formula:
        return self._formula(place, Iteration, self.formula(body))

    def iterated_contiguously(self, place: Place, body: object) -> Formula:
        return self._formula(place, ContiguousIteration, self.formula(body))

    def start(self, place: Place, body: object) -> Formula:
        return self._formula(place, Start, self.formula(body))

    def selected(self, place: Place, strategy: Token, body: object) -> Formula:
        return self._formula(place, _STRATEGIES[strategy.lower()], self.formula(body))

    def projected(self, place: Place, *parts: object) -> Formula:
        names = tuple(self.register(token) for token in parts[:-1] if isinstance(token, Token))
        return self._formula(place, Projection, self.formula(parts[-1]), names)

    def within(self, place: Place, body: object, window: Clause) -> Formula:
        return self._formula(place, Within, self.formula(body), window[1])

    def formula(self, part: object) -> Formula:
        """`part` as a formula."""
        match part:
            case Joined(kind=kind, parts=parts, place=place) if issubclass(kind, Nary):
                return self._formula(place, kind, tuple(parts))
            case Formula():
                return part
        raise PatternError(f"{part!r} is not a formula")

    def _formula(self, place: Place, kind: type[Formula], *fields: object) -> Formula:
        found: Formula = self.build(place, kind, *fields)
        return found

    # windows

    def span(self, place: Place, amount: Token, unit: Token) -> tuple[int, str, Place]:
        return self.size(amount), self.unit(unit, "events"), place

    def window(self, place: Place, *spans: tuple[int, str, Place]) -> Clause:
        try:
            window = _joined_window(spans)
            if self.schema is not None:
                check_window(window, self.schema)
        except PatternError as error:
            self.fail(type(error), str(error), spans[0][2])
        return "within", window

    # queries

    def shown(self, _place: Place, *tokens: Token) -> Clause:
        if tokens[0].type == "STAR":
            return "variables", None
        return "variables", tuple((self.register(token), place_of(token)) for token in tokens)

    def streams(self, _place: Place, *tokens: Token) -> Clause:
        return "streams", self._once("from", tokens)

    def key(self, place: Place, *tokens: Token) -> Token:
        if len(tokens) > 1:
            reason = (
                "one attribute in each pair of brackets; the events of a stream share their attributes, so "
                "write [a], [b] to split by both"
            )
            self.fail(PatternSyntaxError, reason, place)
        return tokens[0]

    def partition(self, _place: Place, *tokens: Token) -> Clause:
        for token in tokens:
            self._attribute_name(self.name(token), place_of(token))
        return "partition_by", self._once("partition by", tokens)

    def consume(self, place: Place, token: Token) -> Clause:
        known = [policy.value for policy in Consumption]
        if token.upper() not in known:
            reason = f"unknown consumption '{token}'; consume by {', '.join(known)}"
            self.fail(PatternSyntaxError, f"{reason}.{suggestion(token.upper(), known)}", place_of(token))
        return "consume", Consumption(token.upper())

    def query(self, place: Place, *parts: object) -> dict[str, Any]:
        clauses: dict[str, Any] = {}
        for part in parts:
            if isinstance(part, Token):
                clauses["selection"] = Selection("NEXT" if part.upper() == "NXT" else part.upper())
            elif isinstance(part, tuple):
                clauses[part[0]] = part[1]
            else:
                clauses["formula"] = self.formula(part)
        clauses["variables"] = self._selected(clauses["variables"], clauses["formula"])
        return clauses

    def _selected(
        self, shown: tuple[tuple[str, Place], ...] | None, formula: Formula
    ) -> tuple[str, ...] | None:
        known, names = self._binds[id(formula)], list[str]()
        for name, place in shown or ():
            if name not in known:
                reason = f"nothing binds the variable '{name}' that is selected; the formula binds"
                hint = suggestion(name, known)
                self.fail(UnknownVariableError, f"{reason} {listing(known) or 'none'}.{hint}", place)
            if name in names:
                self.fail(PatternError, f"'{name}' is selected twice", place)
            names.append(name)
        return None if shown is None else tuple(names)

    def pattern(self, place: Place, *parts: object) -> Query:
        found = [part for part in parts if not isinstance(part, Definition)]
        if isinstance(found[0], dict):
            clauses = found[0]
        else:
            clauses = {"formula": self.formula(found[0])}
            clauses.update(part for part in found[1:] if isinstance(part, tuple))
        self._check_streams(clauses.get("streams", ()))
        try:
            return Query(**clauses)
        except PatternError as error:
            self.fail(type(error), str(error), place)

    def _check_streams(self, streams: Iterable[str]) -> None:
        """``S>A`` is ``A`` when all events come from S, and has no meaning in a merged stream."""
        known = tuple(streams)
        for stream, place in self._streams:
            if known != (stream,):
                reason = (
                    f"'{stream}>' cannot be told from the other streams, because a query reads one merged "
                    f"stream; write FROM {stream} alone, or give events of different streams different types"
                )
                raise UnsupportedError(placed(reason, *place, self.text))

    def _once(self, clause: str, tokens: Iterable[Token]) -> tuple[str, ...]:
        names: list[str] = []
        for token in tokens:
            if self.name(token) in names:
                self.fail(PatternError, f"{clause} names '{self.name(token)}' twice", place_of(token))
            names.append(self.name(token))
        return tuple(names)


def _joined_window(spans: Iterable[tuple[int, str, Place]]) -> Window:
    """``1 hour 30 minutes`` in the smaller of its units."""
    given = [(amount, unit) for amount, unit, _ in spans]
    if len(given) == 1 and given[0][1] == "events":
        return EventWindow(given[0][0])
    if any(unit == "events" for _, unit in given):
        raise PatternError("a window is bounded by events or by time, not by both")
    unit = min((unit for _, unit in given), key=lambda name: NANOSECONDS[name])
    total = sum(amount * NANOSECONDS[of] for amount, of in given)
    return TimeWindow(Duration(total // NANOSECONDS[unit], unit))
