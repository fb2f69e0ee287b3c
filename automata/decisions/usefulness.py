"""Transitions that no accepting run takes, and registers that nothing needs."""

from __future__ import annotations

from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.reachability import reachable
from mnemata.automata.srt.occupancy import occupancies
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.terms import Register
from mnemata.theory.satisfiability.decisions import satisfiable
from mnemata.theory.schema import Schema


def dead_transitions(srt: SRT, schema: Schema, *, budget: Budget | None = None) -> tuple[Transition, ...]:
    """Transitions certain never to be taken on the way to a final state.

    Those whose condition is impossible, given which registers are empty or filled, and those that
    without these lie on no path from the start to a final state. Register contents beyond that are not
    followed, so a transition that is not listed may be dead all the same. `LimitError` when the budget
    is spent.
    """
    known = occupancies(srt)
    with spending(budget):
        possible = tuple(
            t
            for t in srt.transitions
            if (here := known[t.source]) is not None
            and (t.condition is None or not satisfiable(t.condition, schema, known=here.known).no)
        )
    after_start = reachable({srt.start}, ((t.source, t.target) for t in possible))
    before_final = reachable(srt.finals, ((t.target, t.source) for t in possible))
    useful = {t for t in possible if t.source in after_start and t.target in before_final}
    return tuple(t for t in srt.transitions if t not in useful)


def redundant_registers(srt: SRT) -> frozenset[Register]:
    """Registers that are never read after they were written, or never written at all."""
    live = live_registers(srt)
    needed = frozenset(r for t in srt.transitions for r in t.writes if r in live[t.target])
    return srt.registers - needed
