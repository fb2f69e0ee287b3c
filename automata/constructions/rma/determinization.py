"""Determinization of RMA per output and regardless of output, as published and as repaired.

Thm 11 says that every RMA can be determinized per output (Def. 9), so that runs with the same outputs are
one. It cannot: such runs may need more and more registers between them (ERRATA C1). What can be done:

- `determinize` where finitely many registers suffice;
- `determinize_window` within a window, which bounds what must be remembered;
- `determinize_recogniser` within a window, regardless of output (Def. 12, Cor. 16).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mnemata.automata.compilation import automaton
from mnemata.automata.constructions import ring_buffer
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.exploration import Edge, edge, explore
from mnemata.automata.constructions.output_determinization import determinize_outputs
from mnemata.automata.constructions.powerset import Outputs, powerset
from mnemata.automata.constructions.registers import unused_prefix
from mnemata.automata.constructions.ring_buffer import acceptance
from mnemata.automata.constructions.trimming import trim
from mnemata.automata.constructions.unrolling import unroll
from mnemata.automata.rma.automaton import RMA, with_start
from mnemata.automata.rma.bridges import srt_of
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.budget import Budget, spending
from mnemata.theory.cepl.expressions import Expression
from mnemata.theory.conditions.formulas import TOP, Bottom, Condition
from mnemata.theory.conditions.simplification import negation
from mnemata.theory.conditions.terms import HEAD
from mnemata.theory.errors import PatternError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Output
from mnemata.theory.translation.sremo_of_cepl import expression_of_cepl


def determinize(rma: RMA, schema: Schema, *, budget: Budget | None = None) -> RMA:
    """The RMA with the same matches in which runs with the same outputs are one (Def. 9).

    States are sets of configurations with one history of outputs, and registers are shared among them.

    Raises
    ------
    LimitError
        When the budget is spent; always where no finite number of registers suffices (ERRATA C1).
    """
    with spending(budget):
        return with_start(determinize_outputs(eliminate_epsilon(srt_of(rma)), schema, at_first=True))


def determinize_as_published(rma: RMA, schema: Schema, *, eliminate: bool = True) -> RMA:
    """Alg. 5: the power set over marked minterms, with the registers of `rma`; wrong in general (ERRATA C1).

    Two runs of `rma` that share their outputs may hold different events in one register; here the later
    write wins for both.

    Parameters
    ----------
    eliminate : bool
        Whether epsilon transitions are eliminated first, which the algorithm does not say. Without it
        they are lost.
    """
    srt = eliminate_epsilon(rma.srt) if eliminate else rma.srt
    return with_start(powerset(srt, schema, outputs=Outputs.SEPARATE))


def unrolled(rma: RMA, window: int) -> RMA:
    """``A WINDOW w`` without loops, except one at the start state (Lemma 15, Alg. 6 and 7).

    Its matches are those of `rma` that lie among `window` consecutive events. Every transition that writes
    has registers of its own.
    """
    _check(window)
    srt = unroll(srt_of(rma), window=window)
    loop = Transition(srt.start, TOP, Output.SKIP, frozenset(), srt.start)
    return with_start(SRT(srt.size, srt.start, srt.finals, (loop, *srt.transitions), srt.registers))


def determinize_recogniser_as_published(rma: RMA, window: int, schema: Schema) -> RMA:
    """Cor. 16: the power set of the unrolled RMA, regardless of output; wrong from ``w = 3`` on (ERRATA C2).

    The loop at the start state lets a register be written again while a run that needs it goes on.
    """
    return with_start(powerset(unrolled(rma, window).srt, schema, outputs=Outputs.JOINED))


def determinize_recogniser(rma: RMA, window: int, *, budget: Budget | None = None) -> RMA:
    """An RMA with at most one run over any stream, that accepts where `rma` has a match (Cor. 16, repaired).

    Matches count if they lie among `window` consecutive events. The ring buffer of ERRATA A5: `window` - 1
    registers hold the last events. The event at which a match is complete is marked.

    Precondition: what `rma` matches depends on the events from the first marked one on only, as for RMA of
    core-CEPL.
    """
    _check(window)
    srt = ring_buffer.determinize(srt_of(rma), window=window, streaming=True, budget=budget)
    marking = tuple(
        Transition(t.source, t.condition, Output.MARK, t.writes, t.target) if t.target in srt.finals else t
        for t in srt.transitions
    )
    return with_start(SRT(srt.size, srt.start, srt.finals, marking, srt.registers))


class _Pattern(NamedTuple):
    """Which of the events since the first marked one are marked, and whether they are a match."""

    bits: tuple[bool, ...]
    accepted: bool


def determinize_window(
    expression: Expression, window: int, schema: Schema, *, budget: Budget | None = None
) -> RMA:
    """The RMA of ``e WINDOW w`` in which runs with the same outputs are one (Def. 9, ERRATA C1 repaired).

    `window` - 1 registers hold the events since the first marked one, and the state says which of them are
    marked; so one condition says whether they are a match. There are fewer than ``2 ** (w + 1)`` states.

    Raises
    ------
    UnsupportedError
        When the expression is not bounded.
    LimitError
        When the budget is spent.
    """
    _check(window)
    with spending(budget):
        srt = automaton(expression_of_cepl(expression, schema), schema)
        machine = _Marked(srt, window)
        return with_start(trim(explore(_Pattern((), False), machine.outgoing, lambda p: p.accepted)))


class _Marked:
    """Precondition: every match of the SRT marks its first and its last event."""

    def __init__(self, srt: SRT, window: int) -> None:
        self.srt, self.window = srt, window
        prefix = unused_prefix(srt.registers)
        self.slots = tuple(f"{prefix}{number}" for number in range(1, window))

    def outgoing(self, here: _Pattern) -> Iterator[Edge[_Pattern]]:
        read = len(here.bits)
        if read == self.window:
            return
        if not read:
            yield Edge(TOP, Output.SKIP, frozenset(), here)
        elif read + 1 < self.window:
            yield Edge(TOP, Output.SKIP, self.written(read), _Pattern((*here.bits, False), False))
        bits = (*here.bits, True)
        accepting = self.accepting(bits)
        for guard, accepted in ((accepting, True), (negation(accepting), False)):
            if not isinstance(guard, Bottom):
                yield Edge(guard, Output.MARK, self.written(read), _Pattern(bits, accepted))

    def written(self, read: int) -> frozenset[str]:
        return frozenset(self.slots[read : read + 1])

    def accepting(self, bits: tuple[bool, ...]) -> Condition:
        """That the events since the first marked one are a match when just these are marked."""
        return acceptance(self.marking(bits), (*self.slots[: len(bits) - 1], HEAD), (0,))

    def marking(self, bits: tuple[bool, ...]) -> SRT:
        """The runs of the SRT that mark just these events."""

        def outgoing(here: tuple[State, int]) -> Iterator[Edge[tuple[State, int]]]:
            state, read = here
            for t in self.srt.outgoing(state) if read < len(bits) else ():
                if (t.output is Output.MARK) == bits[read]:
                    yield edge(t, (t.target, read + 1))

        def is_final(here: tuple[State, int]) -> bool:
            return here[0] in self.srt.finals and here[1] == len(bits)

        return trim(explore((self.srt.start, 0), outgoing, is_final))


def _check(window: int) -> None:
    if window < 1:
        raise PatternError(f"a window needs at least one event, got {window}")
