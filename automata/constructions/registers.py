"""Registers of an SRT: renaming them apart, and which of them a state still needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.formulas import rename
from mnemata.theory.conditions.terms import Register

Needed: TypeAlias = Callable[[Transition, frozenset[Register]], frozenset[Register]]
"""The registers needed before a transition, given those that are needed after it."""


def rename_registers(srt: SRT, names: dict[Register, Register]) -> SRT:
    """`srt` with its registers renamed; those not in `names` stay. `names` must be one-to-one on them."""
    transitions = tuple(
        Transition(
            t.source,
            None if t.condition is None else rename(t.condition, names),
            t.output,
            frozenset(names.get(r, r) for r in t.writes),
            t.target,
        )
        for t in srt.transitions
    )
    renamed = frozenset(names.get(r, r) for r in srt.registers)
    return SRT(srt.size, srt.start, srt.finals, transitions, renamed)


def apart(left: SRT, right: SRT) -> tuple[SRT, SRT]:
    """Both SRT with no register in common: those of `right` that clash get primes.

    The proofs of Thm 31 and 34 assume this without loss of generality.
    """
    taken = left.registers | right.registers
    names: dict[Register, Register] = {}
    for register in sorted(left.registers & right.registers):
        fresh = register + "'"
        while fresh in taken:
            fresh += "'"
        taken |= {fresh}
        names[register] = fresh
    return left, rename_registers(right, names) if names else right


def needed_before(transition: Transition, after: frozenset[Register]) -> frozenset[Register]:
    """What a transition reads, and what is needed after it unless it is written there."""
    return transition.reads | (after - transition.writes)


def unused_prefix(registers: frozenset[Register]) -> str:
    """A prefix of which no register name begins; names made with it are hidden from users by a ``#``."""
    prefix = "#"
    while any(register.startswith(prefix) for register in registers):
        prefix += "#"
    return prefix


def live_registers(srt: SRT, needed: Needed = needed_before) -> tuple[frozenset[Register], ...]:
    """For each state the registers that some run from it reads before it writes them.

    What the other registers hold cannot influence the future: two configurations that agree on the state
    and its live registers accept the same continuations with the same marks.
    """
    live: list[frozenset[Register]] = [frozenset()] * srt.size
    into: list[list[Transition]] = [[] for _ in srt.states]
    for transition in srt.transitions:
        into[transition.target].append(transition)
    pending: list[State] = list(srt.states)
    while pending:
        state = pending.pop()
        before = frozenset(r for t in srt.outgoing(state) for r in needed(t, live[t.target]))
        if before != live[state]:
            live[state] = before
            pending += [t.source for t in into[state]]
    return tuple(live)
