"""Registers whose contents are kept while they are overwritten.

A monitor reads the registers as they were when it began, also after the pattern beside it has written them
again. An SRT can write the event it reads and nothing else, so contents cannot be copied. But a state can
know which register holds what: then a copy costs nothing, and an event is written to a register that
nothing needs any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Final, NamedTuple, TypeAlias

from mnemata.automata.constructions.exploration import Edge, explore
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.formulas import rename
from mnemata.theory.conditions.terms import Register

Saves: TypeAlias = Mapping[Register, Mapping[Register, Register]]
"""What is saved when a signal is written: for each signal, the copies and what each is a copy of.

A transition that writes a signal first copies, then reads its condition, then writes.
"""

_MOVED: Final = re.compile(r"#([^#].*?)'+")
_Places: TypeAlias = tuple[tuple[Register, Register], ...]


class _Placed(NamedTuple):
    """A state, and for each register that may still be read where its contents are."""

    state: State
    places: _Places


def without_saves(srt: SRT, saves: Saves) -> SRT:
    """An SRT with the same matches that saves nothing; it is `srt` itself when nothing is saved.

    Registers hold their own contents at the start. Later on they may be found in others, whose names begin
    with a ``#``, and registers that nothing reads are not written. Each state comes once for every
    arrangement of its registers in which it can be reached.
    """
    if saves.keys().isdisjoint(srt.registers):
        return srt
    live = live_registers(srt, lambda t, after: _needed(t, after, saves))

    def outgoing(here: _Placed) -> Iterator[Edge[_Placed]]:
        for t in srt.outgoing(here.state):
            held = dict(here.places)
            held |= {copy: held[kept] for copy, kept in _copies(t, saves).items() if kept in held}
            condition = None if t.condition is None else rename(t.condition, held)
            places = _written(held, t.writes - saves.keys(), live[t.target])
            writes = frozenset(place for register, place in places if register in t.writes)
            yield Edge(condition, t.output, writes, _Placed(t.target, places))

    start = _Placed(srt.start, tuple((r, r) for r in sorted(live[srt.start])))
    registers = srt.registers - saves.keys() - {copy for copies in saves.values() for copy in copies}
    return explore(start, outgoing, lambda here: here.state in srt.finals, registers)


def _copies(transition: Transition, saves: Saves) -> dict[Register, Register]:
    signals = sorted(transition.writes & saves.keys())
    return {copy: kept for signal in signals for copy, kept in saves[signal].items()}


def _needed(transition: Transition, after: frozenset[Register], saves: Saves) -> frozenset[Register]:
    copies = _copies(transition, saves)
    return frozenset(copies.get(r, r) for r in transition.reads | (after - transition.writes))


def _written(
    held: dict[Register, Register], writes: frozenset[Register], live: frozenset[Register]
) -> _Places:
    """Where everything is after an event was written: what is still needed stays where it is."""
    places = {r: place for r, place in held.items() if r in live and r not in writes}
    for register in sorted(writes & live):
        taken = set(places.values())
        places[register] = next(place for place in _homes(register) if place not in taken)
    return tuple(sorted(places.items()))


def moved_from(place: Register) -> Register:
    """The register that is kept in `place`: another one where `without_saves` moved it, else itself.

    >>> moved_from("#s'"), moved_from("s"), moved_from("#1.2")
    ('s', 's', '#1.2')
    """
    moved = _MOVED.fullmatch(place)
    return place if moved is None else moved[1]


def _homes(register: Register) -> Iterator[Register]:
    """Where a register may be kept, its own name first."""
    yield register
    yield from (f"#{register}" + "'" * n for n in count(1))
