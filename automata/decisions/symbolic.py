"""Running an SRT over a symbolic string.

Register contents are positions, so for strings of bounded length there are finitely many configurations;
each is reached under a condition over the symbolic events. `mnemata.theory.sremo.symbolic` does the same for
expressions from Def. 17, without automata: comparing both proves a construction right for all values at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.srt.transducer import SRT, State
from mnemata.theory.budget import current
from mnemata.theory.conditions.formulas import TOP, Bottom, Condition, conjunction
from mnemata.theory.conditions.terms import Register, Variable
from mnemata.theory.errors import PatternError
from mnemata.theory.sremo.expressions import Output
from mnemata.theory.sremo.symbolic import Matches, Slots, by_marks, either, read


class _Reached(NamedTuple):
    state: State
    slots: Slots
    marks: tuple[int, ...]


def matches(srt: SRT, events: Sequence[Variable]) -> Matches:
    """``Match(T, S)`` over a symbolic string: each possible match with the condition that it is one.

    Parameters
    ----------
    srt : SRT
        Without epsilon transitions.
    events : sequence of Variable
        The events of the string, in order, at positions 1, 2, ...; the last one is the head.

    Raises
    ------
    LimitError
        The budget is spent; what runs can reach, marks included, counts as states.
    """
    live, spent = live_registers(srt), current()
    reached: dict[_Reached, Condition] = {_Reached(srt.start, (), ()): TOP}
    for position, event in enumerate(events, start=1):
        ways: dict[_Reached, list[Condition]] = {}
        taken = 0
        for here, condition in reached.items():
            for there, guard in _steps(srt, here, position, event, live):
                ways.setdefault(there, []).append(conjunction(condition, guard))
                taken += 1
            spent.size(len(ways), taken)
        reached = {there: either(conditions) for there, conditions in ways.items()}
    return by_marks((frozenset(h.marks), c) for h, c in reached.items() if h.state in srt.finals)


def _steps(
    srt: SRT, here: _Reached, position: int, event: Variable, live: Sequence[frozenset[Register]]
) -> Iterator[tuple[_Reached, Condition]]:
    for transition in srt.outgoing(here.state):
        if transition.condition is None:
            raise PatternError("symbolic runs need an SRT without epsilon transitions; eliminate them first")
        guard = read(transition.condition, here.slots, event)
        if not isinstance(guard, Bottom):
            held = dict(here.slots) | dict.fromkeys(transition.writes, event)
            slots = tuple((r, held[r]) for r in sorted(held) if r in live[transition.target])
            marks = (*here.marks, position) if transition.output is Output.MARK else here.marks
            yield _Reached(transition.target, slots, marks), guard
