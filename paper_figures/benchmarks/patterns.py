"""The patterns of SRT eqs. (5) to (10) over the papers' three data sets.

The paper spells out the first three terms of sequences over stock ticks, and how patterns grow by three terms
and one relational condition at a time; which keys the other terms ask for is chosen here. The published
match frequencies of length 3 come out when the first term asks for SELL and the others for BUY.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from mnemata.pipeline.datasets.arrivals import (
    HOMES,
    OFTEN,
    SMART_HOMES,
    STOCK_TICKS,
    STOCKS,
    TAXI_TRIPS,
    TRIPS,
    Source,
)
from mnemata.theory.conditions.building import Holder, head, register
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Expression, Pattern, mark, sequence, skip_till_any

LENGTHS: Final = (3, 6, 9, 12)
NESTED_LENGTHS: Final = (4, 8, 12, 16)
NESTED_WINDOWS_MS: Final = (500, 1_000, 2_000)
FLAT_AIM, NESTED_AIM = 10, 20
"""How many times a scan of the same columns recognition may take."""


@dataclass(frozen=True, slots=True)
class Question:
    """A pattern to be measured.

    Parameters
    ----------
    name : str
        How the paper calls it, or like that.
    source : Source
        The data set it is asked of.
    pattern : Pattern
        What to find.
    window : str
        The size of its window, for the reader.
    aim : int
        How many times a scan of the columns it may take.
    """

    name: str
    source: Source
    pattern: Pattern
    window: str
    aim: int = FLAT_AIM


@dataclass(frozen=True, slots=True)
class Terms:
    """What the terms of patterns over a data set ask for.

    Parameters
    ----------
    schema : Schema
        Of the data set.
    triples : tuple of three conditions each
        The conditions of terms on the event alone: the first, the middle and the last term of three.
    rises : callable
        From the register that holds the first event to the relational condition of the last one.
    """

    schema: Schema
    triples: tuple[tuple[Condition, Condition, Condition], ...]
    rises: Callable[[Holder], Condition]

    def sequence(self, length: int) -> Expression:
        """Eqs. (5) and (6)."""
        return skip_till_any(*self._parts(length, lambda middle: middle))

    def strict(self, length: int) -> Expression:
        """The terms of eq. (5), each at the event after that of the one before."""
        return sequence(*self._parts(length, lambda middle: middle))

    def kleene(self, length: int) -> Expression:
        """Eq. (7): a Kleene-plus in each triple."""
        return skip_till_any(*self._parts(length, repeated))

    def _parts(self, length: int, middle: Callable[[Expression], Expression]) -> Iterator[Expression]:
        for number, (first, second, third) in enumerate(self.triples[: length // 3], start=1):
            held = register(f"r{number}", self.schema)
            yield mark(first, held)
            yield middle(mark(second))
            yield mark(third & self.rises(held))


def repeated(body: Expression) -> Expression:
    """One or more times, with anything in between."""
    return skip_till_any(body.plus())


_tick: Final = head(STOCKS)
_load: Final = head(HOMES)
_trip: Final = head(TRIPS)


def _bought(name: str) -> Condition:
    return (_tick.type == "BUY") & (_tick.name == name)


def _sold(name: str) -> Condition:
    return (_tick.type == "SELL") & (_tick.name == name)


def _rises(held: Holder) -> Condition:
    return _tick.price > held.price


def _falls(held: Holder) -> Condition:
    return _tick.price < held.price


_TRIPLES: Final = (
    ("INTC", "RIMM", "QQQ"),
    ("IPIX", "AMAT", "CSCO"),
    ("ORCL", "DELL", "MSFT"),
    ("AMAT", "YHOO", "INTC"),
)
STOCK_TERMS: Final = Terms(STOCKS, tuple((_sold(a), _bought(b), _bought(c)) for a, b, c in _TRIPLES), _rises)
SELECTIVE_TERMS: Final = Terms(
    STOCKS, tuple((_sold(a), _bought(b), _bought(a)) for a, b, _ in _TRIPLES), _falls
)
"""The last tick of a triple is of the same name as the first one, at a lower price: unlike QQQ above INTC,
which holds of all ticks (ERRATA E2), that selects."""

HOME_TERMS: Final = Terms(
    HOMES,
    tuple(
        (_load.plug_id == OFTEN + 2 * n, _load.plug_id == n, _load.plug_id == OFTEN + 2 * n + 1)
        for n in range(4)
    ),
    lambda held: _load.value > held.value,
)
TRIP_TERMS: Final = Terms(
    TRIPS,
    tuple(
        (
            _trip.pickup_zone == f"zone {OFTEN + 2 * n}",
            _trip.pickup_zone == f"zone {n}",
            _trip.pickup_zone == f"zone {OFTEN + 2 * n + 1}",
        )
        for n in range(4)
    ),
    lambda held: _trip.fare > held.fare,
)

_NESTED: Final = (
    ("INTC", "RIMM", "QQQ", "MSFT"),
    ("IPIX", "AMAT", "CSCO", "ORCL"),
    ("DELL", "YHOO", "INTC", "QQQ"),
    ("CSCO", "MSFT", "RIMM", "AMAT"),
)


def nested_terms(length: int) -> Iterator[tuple[Condition, Condition, Condition, Condition]]:
    """What the terms of eq. (8) ask for, without the relational condition of the last of each four."""
    for a, b, c, d in _NESTED[: length // 4]:
        yield _sold(a), _bought(b), _bought(c), _sold(d)


def nested(length: int) -> Expression:
    """Eq. (8): a Kleene-plus within a Kleene-plus in each four terms."""
    parts: list[Expression] = []
    for number, (first, outer, inner, last) in enumerate(nested_terms(length), start=1):
        held = register(f"r{number}", STOCKS)
        body = skip_till_any(mark(outer), repeated(mark(inner)))
        parts += [mark(first, held), repeated(body), mark(last & _falls(held))]
    return skip_till_any(*parts)


def mixed(number: int) -> Expression:
    """Eqs. (9) and (10): q1 to q5."""
    held = register("r1", STOCKS)
    first, last = _sold("MSFT"), _sold("AMAT")
    second, third = _bought("ORCL"), _bought("CSCO")
    if number in (3, 4):
        either = _tick.type.isin(["BUY", "SELL"])
        second, third = either & (_tick.name == "ORCL"), either & (_tick.name == "CSCO")
    if number in (2, 4):
        first, second = first & (_tick.price > 26.0), second & (_tick.price > 11.14)
        last = last & (_tick.price >= 18.92)
    if number == 5:
        lots = (
            ((_tick.type == "BUY") | (_tick.type == "SELL")) & (_tick.name == "QQQ") & (_tick.volume == 4_000)
        )
        return skip_till_any(mark(first, held), repeated(mark(lots)), mark(last & _falls(held)))
    return skip_till_any(mark(first, held), mark(second), mark(third), mark(last & _falls(held)))


def kleene_of_stocks(window_ms: int) -> Pattern:
    """Eq. (7) of length 3 over stock ticks, under a window."""
    return Pattern(STOCK_TERMS.kleene(3).within(ms=window_ms), name="k3")


def unary_of_stocks(window_ms: int, *, iterated: bool) -> Pattern:
    """The three terms of eq. (5), or of eq. (7), over stock ticks without the relational condition."""
    first, second, third = (mark(condition) for condition in STOCK_TERMS.triples[0])
    middle = repeated(second) if iterated else second
    body = skip_till_any(first, middle, third)
    return Pattern(body.within(ms=window_ms), name="k3 unary" if iterated else "seq3 unary")


def never(window_ms: int) -> Pattern:
    """The same with QQQ below INTC, which it never is in the stock stream: there are only partial matches."""
    terms = Terms(STOCKS, STOCK_TERMS.triples, _falls)
    return Pattern(terms.kleene(3).within(ms=window_ms), name="never")


def questions() -> Iterator[Question]:
    """All patterns at the papers' windows."""
    yield from _of_lengths(STOCK_TICKS, STOCK_TERMS, "ms", 500)
    yield from _of_lengths(STOCK_TICKS, SELECTIVE_TERMS, "ms", 500, " selective")
    for length in LENGTHS:
        pattern = Pattern(STOCK_TERMS.strict(length).within(ms=500), name=f"strict{length}")
        yield Question(f"strict{length}", STOCK_TICKS, pattern, "500 ms")
    for length in NESTED_LENGTHS:
        for window in NESTED_WINDOWS_MS:
            pattern = Pattern(nested(length).within(ms=window), name=f"kn{length}")
            yield Question(f"kn{length}", STOCK_TICKS, pattern, f"{window} ms", NESTED_AIM)
    for number in range(1, 6):
        pattern = Pattern(mixed(number).within(ms=1_000), name=f"q{number}")
        yield Question(f"q{number}", STOCK_TICKS, pattern, "1000 ms")
    yield from _of_lengths(SMART_HOMES, HOME_TERMS, "s", 5)
    yield from _of_lengths(TAXI_TRIPS, TRIP_TERMS, "s", 100)


def _of_lengths(source: Source, terms: Terms, unit: str, window: int, suffix: str = "") -> Iterator[Question]:
    for kind, make in (("seq", terms.sequence), ("k", terms.kleene)):
        for length in LENGTHS:
            name = f"{kind}{length}{suffix}"
            pattern = Pattern(make(length).within(**{unit: window}), name=name)
            yield Question(name, source, pattern, f"{window} {unit}")
