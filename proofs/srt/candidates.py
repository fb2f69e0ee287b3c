"""Automata that somebody might propose: over types and ids, with few registers, of any shape.

Types and ids range over infinitely many values here, and conditions compare them for equality with one
another and with constants; that is what the negative theorems are about (SRT Thm 35 and 38).
"""

from __future__ import annotations

from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.srt.transducer import SRT, State, Transition, epsilon
from mnemata.theory.conditions.formulas import TOP, Comparison, Condition, Not, conjunction, disjunction
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant, Register
from mnemata.theory.conditions.typing import bind
from mnemata.theory.schema import Int64, Schema, String
from mnemata.theory.sremo.expressions import Output

TAGGED: Final = Schema.of(type=String(), id=Int64(), event_type="type")
"""Events of a type and with an identifier."""

Registers: TypeAlias = tuple[Register, ...]


def same(name: str, register: Register) -> Condition:
    """The head and a register agree on an attribute."""
    return bind(Comparison("=", Attribute(HEAD, name), Attribute(register, name)), TAGGED)


def is_type(name: str) -> Condition:
    """The head has a type."""
    return bind(Comparison("=", Attribute(HEAD, "type"), Constant(name)), TAGGED)


def is_id(number: int) -> Condition:
    """The head has an id."""
    return bind(Comparison("=", Attribute(HEAD, "id"), Constant(number)), TAGGED)


IS_B, IS_S = is_type("B"), is_type("S")


def _atoms(registers: Registers) -> st.SearchStrategy[Condition]:
    with_registers = [same(name, register) for register in registers for name in ("id", "type")]
    return st.sampled_from([TOP, IS_B, IS_S, *with_registers, is_id(1)])


def _guards(registers: Registers) -> st.SearchStrategy[Condition]:
    literals = st.builds(
        lambda atom, negated: Not(atom) if negated and atom != TOP else atom, _atoms(registers), st.booleans()
    )
    pairs = st.builds(conjunction, literals, literals) | st.builds(disjunction, literals, literals)
    return literals | pairs


def _registers(draw: st.DrawFn) -> Registers:
    return tuple(f"r{n}" for n in range(1, 1 + draw(st.integers(0, 3))))


def _writes(registers: Registers) -> st.SearchStrategy[frozenset[Register]]:
    if not registers:
        return st.just(frozenset())
    return st.lists(st.sampled_from(registers), max_size=2).map(frozenset)


@st.composite
def automata(draw: st.DrawFn) -> tuple[SRT]:
    """Automata with up to three registers, epsilon transitions included."""
    registers, size = _registers(draw), draw(st.integers(1, 4))
    states = st.integers(0, size - 1)
    reading = st.builds(
        Transition, states, _guards(registers), st.sampled_from(Output), _writes(registers), states
    )
    moves = draw(st.lists(reading | reading | st.builds(epsilon, states, states), max_size=8))
    finals = draw(st.frozensets(states, max_size=size))
    return (SRT(size, 0, finals, tuple(moves), frozenset(registers)),)


@st.composite
def deterministic_automata(draw: st.DrawFn) -> tuple[SRT]:
    """Automata of which no two transitions can be taken together: guards are tried in order."""
    registers, size = _registers(draw), draw(st.integers(1, 4))
    states = st.integers(0, size - 1)
    found: list[Transition] = []
    for state in range(size):
        found += _in_order(draw, state, draw(st.lists(_guards(registers), max_size=4)), registers, states)
    finals = draw(st.frozensets(states, max_size=size))
    return (SRT(size, 0, finals, tuple(found), frozenset(registers)),)


def _in_order(
    draw: st.DrawFn,
    state: State,
    guards: list[Condition],
    registers: Registers,
    states: st.SearchStrategy[int],
) -> list[Transition]:
    """The first guard that holds decides, and what is done where none does may be left open."""
    last = [TOP] if draw(st.booleans()) else []
    return [
        Transition(
            state,
            conjunction(*map(Not, guards[:n]), guard),
            draw(st.sampled_from(Output)),
            draw(_writes(registers)),
            draw(states),
        )
        for n, guard in enumerate((*guards, *last))
    ]


@st.composite
def loop_free_automata(draw: st.DrawFn) -> tuple[SRT]:
    """Automata whose transitions only lead forwards."""
    (srt,) = draw(automata())
    forwards = tuple(t for t in srt.transitions if t.source < t.target)
    return (SRT(srt.size, srt.start, srt.finals, forwards, srt.registers),)
