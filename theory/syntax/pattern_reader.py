"""From parse trees to patterns, one reader for each notation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from lark import Token

from mnemata.theory.conditions.formulas import And, Comparison, Condition, Definition, Top
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant, Duration, Register
from mnemata.theory.errors import (
    PatternError,
    PatternSyntaxError,
    UnknownAttributeError,
    UnknownRegisterError,
    suggestion,
)
from mnemata.theory.sremo.expressions import (
    Absent,
    Concatenation,
    Empty,
    Epsilon,
    EventWindow,
    Expression,
    Intersection,
    LengthWindow,
    Negation,
    Optional,
    Output,
    Pattern,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    TimeWindow,
    Union,
    Window,
    Windowed,
)
from mnemata.theory.sremo.windows import check_window
from mnemata.theory.syntax.condition_reader import Joined, join
from mnemata.theory.syntax.definition_reader import DefinitionReader
from mnemata.theory.syntax.lexicon import Notation, brief, name_text, quoted
from mnemata.theory.syntax.located import Located, Place
from mnemata.theory.syntax.reader import listing, place_of


class PatternReader(DefinitionReader):
    """Reads what expressions have in common in both notations."""

    how_to_write = ""
    event_type_name: str | None = None
    """The attribute that names event types, when there is no schema."""

    def pattern(self, _place: Place, *parts: object) -> Located:
        expression, *partition = (part for part in parts if not isinstance(part, Definition))
        self._check_registers()
        names = tuple(name for part in partition if isinstance(part, tuple) for name in part)
        found = Pattern(self.expression(expression), names)
        return Located(found, self.text, _grouped(self.reads), _grouped(self.writes), self.places)

    def partition(self, _place: Place, *tokens: Token) -> tuple[str, ...]:
        names: dict[str, Token] = {}
        for token in tokens:
            name = self._attribute_name(self.name(token), place_of(token))
            if names.setdefault(name, token) is not token:
                self.fail(PatternError, f"partition by names '{name}' twice", place_of(token))
        return tuple(names)

    def union(self, place: Place, *parts: object) -> Joined:
        return join(Union, _without_tokens(parts), self.expression, place)

    def concatenated(self, place: Place, *parts: object) -> Joined:
        return join(Concatenation, _without_tokens(parts), self.expression, place)

    def intersected(self, place: Place, left: object, right: object) -> Intersection:
        return self.build(place, Intersection, self.expression(left), self.expression(right))

    def star(self, place: Place, body: object, *_sign: Token) -> Star:
        return self.build(place, Star, self.expression(body))

    def plus(self, place: Place, body: object, *_sign: Token) -> Plus:
        return self.build(place, Plus, self.expression(body))

    def optional(self, place: Place, body: object) -> Optional:
        return self.build(place, Optional, self.expression(body))

    def repeated(self, place: Place, body: object, *bounds: Token) -> Repeat:
        minimum, maximum = self.size(bounds[0]), self.size(bounds[-1])
        if maximum < minimum:
            reason = f"a repetition {{m,n}} needs m <= n, got {{{minimum},{maximum}}}"
            self.fail(PatternError, reason, place_of(bounds[0]))
        return self.build(place, Repeat, self.expression(body), minimum, maximum)

    def repeated_without_limit(self, place: Place, body: object, minimum: Token) -> Repeat:
        return self.build(place, Repeat, self.expression(body), self.size(minimum), None)

    def skip_till_any(self, place: Place, *parts: object) -> SkipTillAny:
        return self.build(place, SkipTillAny, tuple(self.expression(part) for part in parts))

    def skip_till_next(self, place: Place, *parts: object) -> SkipTillNext:
        return self.build(place, SkipTillNext, tuple(self.expression(part) for part in parts))

    def negation(self, place: Place, body: object) -> Negation:
        return self.build(place, Negation, self.expression(body))

    def absent(self, place: Place, body: object) -> Absent:
        return self.build(place, Absent, self.expression(body))

    def epsilon(self, place: Place) -> Epsilon:
        return self.build(place, Epsilon)

    def empty(self, place: Place) -> Empty:
        return self.build(place, Empty)

    def window_of_length(self, place: Place, body: object, size: Token) -> Windowed:
        return self._windowed(place, body, size, LengthWindow)

    def window_of_time(self, place: Place, body: object, amount: Token, unit: Token) -> Windowed:
        name = self.unit(unit)
        return self._windowed(place, body, amount, lambda size: TimeWindow(Duration(size, name)))

    def _windowed(self, place: Place, body: object, bound: Token, make: Callable[[int], Window]) -> Windowed:
        size = self.size(bound)
        try:
            window = make(size)
            if self.schema is not None:
                check_window(window, self.schema)
        except PatternError as error:
            self.fail(type(error), str(error), place_of(bound))
        return self.build(place, Windowed, self.expression(body), window)

    def expression(self, part: object) -> Expression:
        """`part` as an expression."""
        if isinstance(part, Joined):
            kind: type[Expression] = part.kind
            return self.build(part.place, kind, tuple(part.parts))
        if not isinstance(part, Expression):
            raise PatternError(f"{part!r} is not an expression")
        return part

    def _terminal(self, place: Place, condition: object, output: Output, write: Token | None) -> Terminal:
        register = None if write is None else self.register(write)
        if write is not None and register is not None:
            self.writes.append((register, place_of(write)))
        return self.build(place, Terminal, self.condition(condition), output, register)

    def _check_registers(self) -> None:
        written = {register for register, _ in self.writes}
        for register, place in self.reads:
            if register not in written:
                have = f"the pattern writes {listing(written) or 'none'}"
                how = self.how_to_write.format(name_text(register))
                reason = f"nothing writes the register '{register}' that is read"
                hint = suggestion(register, written)
                self.fail(UnknownRegisterError, f"{reason}; {have}. {how}.{hint}", place)


class PaperReader(PatternReader):
    """Reads the paper's notation."""

    how_to_write = "An event is written to it by ↓ {0} (ASCII: v {0})"

    def terminal(
        self, place: Place, condition: object, output: Token, write: Token | None = None
    ) -> Terminal:
        mark = Output.MARK if output.type == "MARK" else Output.SKIP
        return self._terminal(place, condition, mark, write)

    def window_of_events(self, place: Place, body: object, first: Token, last: Token) -> Windowed:
        if self.whole(first) != 1:
            reason = f"a window is written [1..w], got [{first}..{last}]"
            self.fail(PatternSyntaxError, reason, place_of(first))
        return self._windowed(place, body, last, EventWindow)


class ReadableReader(PatternReader):
    """Reads the readable notation, where a name alone is an attribute of the current event."""

    bare_names_are_attributes = True
    how_to_write = "An event is written to it by 'as {0}'"

    def event_type(self, place: Place, token: Token) -> Comparison:
        name = self.name(token)
        known = self.event_type_name if self.schema is None else self.schema.event_type
        if known is None:
            missing = "no schema is given" if self.schema is None else "the schema names no event type"
            reason = (
                f"the event type '{brief(name)}' cannot be resolved, since {missing}; pass a schema with "
                f"event_type=, or write: event where type = {quoted(brief(name))}"
            )
            self.fail(UnknownAttributeError, reason, place)
        attribute = self.build(place, Attribute, HEAD, known)
        constant = self.build(place, Constant, name)
        return self.checked(self.build(place, Comparison, "=", attribute, constant))

    def any_event(self, place: Place, _token: Token) -> Top:
        return self.build(place, Top)

    def as_register(self, _place: Place, token: Token) -> Token:
        return token

    def where(self, _place: Place, condition: object) -> object:
        return condition if isinstance(condition, Joined) else self.condition(condition)

    def clauses(self, _place: Place, *clauses: object) -> tuple[object, ...]:
        return clauses

    def marked(self, place: Place, event: Condition, clauses: tuple[object, ...] = ()) -> Terminal:
        return self._event(place, event, Output.MARK, clauses)

    def skipped(self, place: Place, event: Condition, clauses: tuple[object, ...] = ()) -> Terminal:
        return self._event(place, event, Output.SKIP, clauses)

    def within(self, place: Place, body: object, amount: Token, unit: Token) -> Windowed:
        if self.unit(unit, "events") == "events":
            return self._windowed(place, body, amount, EventWindow)
        return self.window_of_time(place, body, amount, unit)

    def _event(self, place: Place, event: Condition, output: Output, clauses: tuple[object, ...]) -> Terminal:
        write = next((clause for clause in clauses if isinstance(clause, Token)), None)
        wheres = _without_tokens(clauses)
        if not wheres:
            return self._terminal(place, event, output, write)
        if isinstance(event, Top):
            return self._terminal(place, wheres[0], output, write)
        both = join(And, [event, wheres[0]], self.condition, place)
        return self._terminal(place, both, output, write)


READERS: Final[Mapping[Notation, type[PatternReader]]] = {
    "paper": PaperReader,
    "readable": ReadableReader,
}


def _without_tokens(parts: Iterable[object]) -> list[object]:
    return [part for part in parts if not isinstance(part, Token)]


def _grouped(places: list[tuple[Register, Place]]) -> dict[Register, tuple[Place, ...]]:
    grouped: dict[Register, list[Place]] = {}
    for register, place in places:
        grouped.setdefault(register, []).append(place)
    return {register: tuple(found) for register, found in grouped.items()}
