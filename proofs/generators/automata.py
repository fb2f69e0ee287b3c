"""Symbolic register transducers."""

from __future__ import annotations

from hypothesis import strategies as st

from mnemata.automata.srt.transducer import SRT, Transition, epsilon
from mnemata.proofs.generators.formulas import conditions
from mnemata.proofs.generators.signature import REGISTERS, TICKS, Registers
from mnemata.theory.schema import (
    Schema,
)
from mnemata.theory.sremo.expressions import (
    Output,
)


@st.composite
def srts(
    draw: st.DrawFn,
    schema: Schema = TICKS,
    registers: Registers = REGISTERS,
    *,
    max_states: int = 4,
    max_transitions: int = 6,
    epsilons: bool = True,
) -> SRT:
    """Symbolic register transducers of any shape; their conditions are not yet bound."""
    size = draw(st.integers(1, max_states))
    states = st.integers(0, size - 1)
    finals = draw(st.frozensets(states, max_size=size))
    writes = (
        st.lists(st.sampled_from(registers), max_size=2).map(frozenset) if registers else st.just(frozenset())
    )
    reading = st.builds(
        Transition,
        states,
        conditions(schema, registers, size=2),
        st.sampled_from(Output),
        writes,
        states,
    )
    # Reading transitions twice: epsilon ones should not be half of all.
    moves = reading | reading | st.builds(epsilon, states, states) if epsilons else reading
    transitions = draw(st.lists(moves, max_size=max_transitions))
    return SRT(size, draw(states), finals, tuple(transitions), frozenset(registers))
