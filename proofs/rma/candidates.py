"""RMA that somebody might propose for what none can do: generated ones, and some made by hand."""

from __future__ import annotations

from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.rma.closure import plus, plus_as_published
from mnemata.automata.constructions.rma.determinization import (
    determinize_as_published,
    determinize_recogniser,
    determinize_recogniser_as_published,
    determinize_window,
)
from mnemata.automata.constructions.rma.translation import translate, without_epsilon
from mnemata.automata.rma.automaton import RMA, with_start
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.generators.automata import srts
from mnemata.proofs.generators.formulas import conditions
from mnemata.proofs.rma.separating import EXPRESSION, SENSORS
from mnemata.theory.cepl.expressions import Expression, atom, sequence
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP, Condition, Not, conjunction
from mnemata.theory.conditions.terms import Register
from mnemata.theory.sremo.expressions import Output

One: TypeAlias = tuple[RMA]
MARK, SKIP = Output.MARK, Output.SKIP
_NONE: Final[frozenset[Register]] = frozenset()
IS_T, IS_H = head().type == "T", head().type == "H"
SAME: Final[Condition] = head().id == register("r1").id
_KEEP: Final = frozenset({"r1"})

FIGURE_1: Final[Expression] = sequence(atom("T", "x"), atom("H", "y")).filter(
    register("x").id == register("y").id
)
"""A T, later an H from the same sensor (expression (1) of the paper)."""


def _rma(size: int, *transitions: Transition) -> RMA:
    return with_start(bind_guards(SRT(size, 0, frozenset({size - 1}), transitions), SENSORS))


REPEATING: Final = _rma(
    3,
    Transition(0, IS_T, MARK, _NONE, 0),
    Transition(0, IS_T, MARK, _KEEP, 1),
    Transition(1, IS_T, MARK, _NONE, 1),
    Transition(1, conjunction(IS_T, SAME), MARK, _NONE, 2),
    Transition(2, IS_T, MARK, _NONE, 2),
)
"""Marks all of a string of T, two of which are from the same sensor."""

OWED: Final = _rma(
    3,
    Transition(0, TOP, SKIP, _NONE, 0),
    Transition(0, IS_T, SKIP, _KEEP, 1),
    Transition(1, TOP, SKIP, _NONE, 1),
    Transition(1, conjunction(IS_H, SAME), MARK, _NONE, 2),
)
"""Marks one H, after a T from the same sensor that it does not mark."""


UNBOUNDED_RMA: Final = _rma(
    3,
    Transition(0, TOP, SKIP, _NONE, 0),
    Transition(0, IS_T, MARK, _KEEP, 1),
    Transition(1, TOP, SKIP, _NONE, 1),
    Transition(1, conjunction(IS_H, SAME), MARK, _NONE, 2),
    Transition(2, TOP, SKIP, _NONE, 2),
    Transition(2, conjunction(IS_H, SAME), MARK, _NONE, 2),
)
"""Marks a T, and later any number of H from the same sensor."""


@st.composite
def automata(draw: st.DrawFn, *, size: int = 4, moves: int = 6) -> One:
    """Any RMA with up to two registers, with one start state or several."""
    drawn = draw(srts(SENSORS, ("r1", "r2"), max_states=size, max_transitions=moves))
    srt = bind_guards(drawn, SENSORS)
    more = draw(st.frozensets(st.sampled_from(srt.states), max_size=1))
    return (RMA(srt.size, more | {srt.start}, srt.finals, srt.transitions, srt.registers),)


def ordered(transitions: list[Transition]) -> list[Transition]:
    """The same transitions, each taken only where none before it can be."""
    earlier: list[Condition] = []
    found: list[Transition] = []
    for t in transitions:
        own = TOP if t.condition is None else t.condition
        found.append(Transition(t.source, conjunction(*earlier, own), t.output, t.writes, t.target))
        earlier.append(Not(own))
    return found


@st.composite
def deterministic(draw: st.DrawFn, *, per_output: bool = False) -> One:
    """RMA with one start state of which no two transitions can be taken together, or none with one output."""
    size = draw(st.integers(1, 3))
    states, names = st.integers(0, size - 1), ("r1", "r2")
    writes = st.lists(st.sampled_from(names), max_size=2).map(frozenset)
    found: list[Transition] = []
    for state in range(size):
        source = st.just(state)
        move = st.builds(
            Transition, source, conditions(SENSORS, names, size=2), st.sampled_from(Output), writes, states
        )
        moves = draw(st.lists(move, max_size=3))
        groups = [[t for t in moves if t.output is o] for o in Output] if per_output else [moves]
        found += [t for group in groups for t in ordered(group)]
    finals = draw(st.frozensets(states, max_size=size))
    return (with_start(bind_guards(SRT(size, 0, finals, tuple(found), frozenset(names)), SENSORS)),)


def _different(registers: int) -> RMA:
    """Marks T whose ids differ from those of the first few."""
    names = [f"r{n}" for n in range(1, registers + 1)]
    new = [
        conjunction(IS_T, *(Not(head().id == register(r).id) for r in names[:n]))
        for n in range(registers + 1)
    ]
    writing = [Transition(n, new[n], MARK, frozenset({name}), n + 1) for n, name in enumerate(names)]
    rest = Transition(registers, new[registers], MARK, _NONE, registers)
    finals = frozenset(range(registers + 1))
    return with_start(bind_guards(SRT(registers + 1, 0, finals, (*writing, rest)), SENSORS))


RECOGNISERS: Final = tuple(
    (rma,)
    for rma in (
        *(determinize_recogniser(translate(FIGURE_1, SENSORS), w) for w in (2, 3, 4)),
        determinize_recogniser_as_published(without_epsilon(translate(FIGURE_1, SENSORS)), 3, SENSORS),
    )
)
"""For `FIGURE_1`, regardless of output: right within windows, and Cor. 16 as published."""

DETERMINIZED: Final = tuple(
    (rma,)
    for rma in (
        determinize_as_published(translate(EXPRESSION, SENSORS), SENSORS),
        *(determinize_window(EXPRESSION, w, SENSORS) for w in (4, 5)),
    )
)
"""For `separating.EXPRESSION`, per output: Alg. 5 as published, and what is right within windows."""

COMPLEMENTS: Final = tuple((_different(registers),) for registers in (0, 1, 2, 3))
"""For what `REPEATING` does not match: right next to the first few ids."""

ITERATIONS: Final = tuple((rma,) for rma in (plus(OWED), plus_as_published(OWED), OWED))
"""For the Kleene-plus of `OWED`: both constructions, and one round."""
