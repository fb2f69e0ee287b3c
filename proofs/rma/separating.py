"""RMA are not determinizable per output, with any number of registers (ERRATA C1, against RMA Thm 11).

All matches of `EXPRESSION` that mark every event of ``T(1) T(2) ... T(m) H(i)`` have the same outputs, so an
automaton in which runs with the same outputs are one (Def. 9) has one run over the T events that marks them
all. What it does at H depends on the state and on what its registers hold. With k registers and m = k + 3
some T that could be x, neither the first nor the last, is not held. The automaton cannot tell an H with the
id of that T, over which there is such a match, from one with an id that did not occur, over which there is
none: all conditions, made of types and equalities of ids and constants, have the same truth value.

The argument is about configurations, so it covers automata of any size. `unseparated` goes through all
register contents.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations, count, islice, product
from typing import Final

from mnemata.theory.cepl import semantics
from mnemata.theory.cepl.expressions import Expression, atom, sequence
from mnemata.theory.conditions.building import defined, head, register
from mnemata.theory.conditions.evaluation import Valuation, models
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.terms import HEAD, Register
from mnemata.theory.errors import PatternError
from mnemata.theory.schema import Category, Event, Int64, Schema

SENSORS: Final = Schema.of(type=Category(("T", "H")), id=Int64(), event_type="type")
"""Sensors that measure temperature and humidity."""

EXPRESSION: Final[Expression] = sequence(
    atom("T", "u").plus(), atom("T", "x"), atom("T", "w").plus(), atom("H", "y")
).filter(register("x").id == register("y").id)
"""Some T, later an H from the same sensor, with T before, between and after."""


@dataclass(frozen=True, slots=True)
class Unseparated:
    """Register contents with which two streams look alike, although they have different matches.

    Parameters
    ----------
    contents : Valuation
        What k registers hold after the T events.
    matched, unmatched : tuple of Event
        All events of the first are a match, those of the second are not; they differ in the last event.
    """

    contents: Valuation
    matched: tuple[Event, ...]
    unmatched: tuple[Event, ...]


def unseparated(k: int, constants: Collection[int] = ()) -> Iterator[Unseparated]:
    """For all contents of `k` registers, two streams that no automaton in this configuration separates.

    Parameters
    ----------
    k : int
        How many registers; ``(k + 4) ** k`` contents are gone through.
    constants : collection of int
        Ids that the conditions of the automaton name.
    """
    if k < 0:
        raise PatternError(f"there cannot be {k} registers")
    ids = list(islice((n for n in count(1) if n not in constants), k + 4))
    *known, unknown = ids
    events = SENSORS.stream([("T", number) for number in known])
    unmatched = _followed(events, unknown)
    for choice in product((None, *events), repeat=k):
        contents = Valuation(tuple((f"r{n}", e) for n, e in enumerate(choice, start=1) if e is not None))
        missing = next(event for event in events[1:-1] if event not in choice)
        number = missing["id"]
        yield Unseparated(contents, _followed(events, number if isinstance(number, int) else 0), unmatched)


def _followed(events: tuple[Event, ...], number: int) -> tuple[Event, ...]:
    return (*events, SENSORS.event(("H", number), len(events) + 1))


def look_alike(pair: Unseparated, constants: Collection[int] = ()) -> bool:
    """Whether all conditions have the same truth value at the last event of both streams."""
    registers = sorted(pair.contents)
    left, right = pair.matched[-1], pair.unmatched[-1]
    return pair.matched[:-1] == pair.unmatched[:-1] and all(
        models(left, pair.contents, atom) == models(right, pair.contents, atom)
        for atom in conditions(registers, constants)
    )


def conditions(registers: Collection[Register], constants: Collection[int] = ()) -> Iterator[Condition]:
    """The atoms of which all conditions over the head and some registers are made."""
    held = {name: head() if name == HEAD else register(name) for name in (HEAD, *registers)}
    for name, one in held.items():
        yield from (one.type == kind for kind in ("T", "H"))
        yield from (one.id == number for number in constants)
        yield defined(name)
    for (_, one), (_, other) in combinations(held.items(), 2):
        yield from (one.id == other.id, one.type == other.type)


def is_match(stream: tuple[Event, ...]) -> bool:
    """Whether all events of a stream together are a match of `EXPRESSION`."""
    return frozenset(range(len(stream))) in semantics.matches(EXPRESSION, stream)


def not_determinizable_with(k: int, constants: Collection[int] = ()) -> bool:
    """Whether `k` registers are too few: some pair of streams is not separated, whatever they hold."""
    pairs = list(unseparated(k, constants))
    streams = {pair.matched: True for pair in pairs} | {pair.unmatched: False for pair in pairs}
    as_said = all(is_match(stream) == wanted for stream, wanted in streams.items())
    return as_said and all(look_alike(pair, constants) for pair in pairs)
