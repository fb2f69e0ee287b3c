"""Determinization with regard to outputs: one run for each history of marks, where registers suffice.

A state of the result is the set of all configurations that one history of marks may have led to. What they
hold is kept in *slots*: registers of the result, of which those configurations share one that hold the same
event. RMA Def. 9 names this determinism, CEA Prop. 5.5 is the case without registers. With registers it is
not always possible (ERRATA C1): then there is no end of slots, and the budget stops the search.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from mnemata.automata.constructions.exploration import Edge, explore
from mnemata.automata.constructions.registers import live_registers, unused_prefix
from mnemata.automata.srt.marking import states_before_marks
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.formulas import TOP, Condition, conjunction, rename
from mnemata.theory.conditions.simplification import assume_empty, negation
from mnemata.theory.conditions.terms import Register, Variable
from mnemata.theory.satisfiability import minterms
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Output

Slot: TypeAlias = int
EMPTY: Final[Slot] = -1
NEW: Final[Slot] = -2
"""In place of a slot: nothing, and the event that is read."""


class Configuration(NamedTuple):
    """A state and the slots of its live registers, in the order of their names."""

    state: State
    slots: tuple[Slot, ...]


class History(NamedTuple):
    """What runs with one history of marks may be; `marked` says whether there are any marks."""

    configurations: frozenset[Configuration]
    marked: bool
    told: bool = False
    """Whether what is marked was found, where that is to happen once."""
    reports: bool = False
    """Whether it is found now."""


def determinize_outputs(srt: SRT, schema: Schema, *, at_first: bool = False, once: bool = False) -> SRT:
    """The SRT of a stream in which no two runs mark the same events.

    Parameters
    ----------
    srt : SRT
        Without epsilon transitions.
    schema : Schema
        What the conditions range over; needed for the minterms.
    at_first : bool
        Whether runs begin before the first event only, and not at every event.
    once : bool
        Whether a match is found once, where a run that has marked something first enters a final state,
        whether or not it marks that event. Else it is found wherever a run that enters one marks the event.

    Returns
    -------
    SRT
        Over a stream it has the same matches as `srt`, and each history of marks has one run. Where runs of
        `srt` begin at every event, a run of the result begins at every event at which none is on its way that
        has marked nothing: those on their way stand for the ones that would begin.

    Raises
    ------
    LimitError
        When the budget of `mnemata.theory.budget` is spent; also where no finite SRT exists.
    """
    machine = _Machine(srt, schema, at_first, once)
    return explore(machine.begin, machine.outgoing, machine.is_final)


class _Move(NamedTuple):
    condition: Condition
    configuration: Configuration
    transition: Transition


class _Machine:
    def __init__(self, srt: SRT, schema: Schema, at_first: bool, once: bool) -> None:
        self._srt, self._schema, self._once = srt, schema, once
        self._ahead = states_before_marks(srt)
        self._live = [tuple(sorted(live)) for live in live_registers(srt)]
        start = frozenset({Configuration(srt.start, (EMPTY,) * len(self._live[srt.start]))})
        self._always = frozenset() if at_first else start
        self.begin = History(start - self._always, marked=False)
        self._prefix = unused_prefix(srt.registers)

    def is_final(self, history: History) -> bool:
        if self._once:
            return history.reports
        return any(c.state in self._srt.finals for c in self._all(history))

    def _all(self, history: History) -> list[Configuration]:
        """The configurations of a history; while nothing is marked a run may begin at any event."""
        return sorted(history.configurations if history.marked else history.configurations | self._always)

    def outgoing(self, history: History) -> Iterator[Edge[History]]:
        moves = [move for here in self._all(history) for move in self._moves(here)]
        for output in Output:
            some = [move for move in moves if move.transition.output is output]
            marked = history.marked or output is Output.MARK
            for guard, taken in self._together(some):
                reached = frozenset(self._target(move) for move in taken)
                if not marked:
                    reached -= self._always
                told = history.told and output is Output.SKIP
                reports = (
                    self._once and marked and not told and any(c.state in self._srt.finals for c in reached)
                )
                if told or reports:
                    reached = frozenset(c for c in reached if c.state in self._ahead)
                if reached or reports:
                    slot = _unused(reached)
                    writes = frozenset({self._name(slot)} if any(NEW in c.slots for c in reached) else ())
                    target = frozenset(Configuration(q, _placed(slots, slot)) for q, slots in reached)
                    yield Edge(guard, output, writes, History(target, marked, told or reports, reports))

    def _moves(self, here: Configuration) -> Iterator[_Move]:
        held = dict(zip(self._live[here.state], here.slots, strict=True))
        empty = {register for register, slot in held.items() if slot == EMPTY}
        names: dict[Variable, Variable] = {r: self._name(s) for r, s in held.items() if s != EMPTY}
        for t in self._srt.outgoing(here.state):
            condition = TOP if t.condition is None else t.condition
            yield _Move(rename(assume_empty(condition, empty), names), here, t)

    def _together(self, moves: list[_Move]) -> Iterator[tuple[Condition, list[_Move]]]:
        """What may be taken at once, and when exactly that is."""
        conditions = tuple(dict.fromkeys(m.condition for m in moves if m.condition != TOP))
        for minterm in minterms(conditions, self._schema):
            signs = dict(zip(conditions, minterm.signs, strict=True))
            taken = [m for m in moves if signs.get(m.condition, True)]
            if taken:
                yield conjunction(*(c if sign else negation(c) for c, sign in signs.items())), taken

    def _target(self, move: _Move) -> Configuration:
        held = dict(zip(self._live[move.configuration.state], move.configuration.slots, strict=True))
        t = move.transition
        slots = (NEW if r in t.writes else held.get(r, EMPTY) for r in self._live[t.target])
        return Configuration(t.target, tuple(slots))

    def _name(self, slot: Slot) -> Register:
        return f"{self._prefix}{slot}"


def _unused(configurations: frozenset[Configuration]) -> Slot:
    """The first slot in which nothing is kept."""
    used = {slot for c in configurations for slot in c.slots}
    return next(slot for slot in range(len(used) + 1) if slot not in used)


def _placed(slots: tuple[Slot, ...], new: Slot) -> tuple[Slot, ...]:
    return tuple(new if slot == NEW else slot for slot in slots)
