"""Which registers are certainly empty, and which certainly filled, in each state."""

from __future__ import annotations

from dataclasses import dataclass

from mnemata.automata.srt.transducer import SRT, State
from mnemata.theory.conditions.formulas import Condition, Defined, Not, conjunction
from mnemata.theory.conditions.terms import Register


@dataclass(frozen=True, slots=True)
class Occupancy:
    """What every run that is in some state knows of its registers.

    Parameters
    ----------
    filled : frozenset of Register
        Written on every way to the state.
    empty : frozenset of Register
        Written on no way to the state.
    """

    filled: frozenset[Register]
    empty: frozenset[Register]

    @property
    def known(self) -> Condition:
        """The same as a condition."""
        facts = [Defined(register) for register in sorted(self.filled)]
        return conjunction(*facts, *(Not(Defined(register)) for register in sorted(self.empty)))


def occupancies(srt: SRT) -> tuple[Occupancy | None, ...]:
    """For each state what is known of the registers there; ``None`` for states that cannot be reached.

    Registers start empty. Conditions are taken to be satisfiable.
    """
    found: list[Occupancy | None] = [None] * srt.size
    found[srt.start] = Occupancy(frozenset(), srt.registers)
    pending: list[State] = [srt.start]
    while pending:
        state = pending.pop()
        here = found[state]
        if here is None:
            continue
        for t in srt.outgoing(state):
            there = Occupancy(here.filled | t.writes, here.empty - t.writes)
            joined = _joined(found[t.target], there)
            if joined != found[t.target]:
                found[t.target] = joined
                pending.append(t.target)
    return tuple(found)


def _joined(known: Occupancy | None, other: Occupancy) -> Occupancy:
    if known is None:
        return other
    return Occupancy(known.filled & other.filled, known.empty & other.empty)
