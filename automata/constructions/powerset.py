"""Determinization as published: unrolling, then the power set over minterms (SRT Alg. 7).

Built on the fly: only the sets of states that some minterm leads to exist, and combinations of conditions
that Z3 proves impossible are not followed. The ring buffer (`ring_buffer`) is the default; this
construction is here to be compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from mnemata.automata.constructions.bounding import Bound
from mnemata.automata.constructions.exploration import Edge, explored
from mnemata.automata.constructions.unrolling import unroll
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.satisfiability.minterms import Minterm, Minterms, minterms
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Output

Subset: TypeAlias = frozenset[State]


@dataclass(slots=True)
class Effort:
    """What a determinization cost.

    Parameters
    ----------
    unrolled : int
        States of the unrolled automaton.
    minterms : int
        Minterms kept, over all states.
    possible : int
        How many there would be without pruning: the sum of ``2 ** n``.
    calls : int
        Calls of the solver.
    """

    unrolled: int = 0
    minterms: int = 0
    possible: int = 0
    calls: int = 0


class Outputs(Enum):
    """What becomes of the outputs of transitions that are taken together."""

    IGNORED = "every transition is unmarked (SRT Alg. 7)"
    JOINED = "a transition is marked if one of those it stands for is (RMA Cor. 16)"
    SEPARATE = "marked and unmarked transitions are taken by different runs (RMA Alg. 5)"


@dataclass(slots=True)
class _PowerSet:
    srt: SRT
    schema: Schema
    effort: Effort
    outputs: Outputs

    def outgoing(self, here: Subset) -> Iterator[Edge[Subset]]:
        leaving = [t for state in sorted(here) for t in self.srt.outgoing(state)]
        conditions = tuple(dict.fromkeys(t.condition for t in leaving if t.condition is not None))
        found = minterms(conditions, self.schema)
        self.effort.minterms += len(found)
        self.effort.possible += 2 ** len(conditions)
        self.effort.calls += found.statistics.calls
        return (edge for minterm in found for edge in self.edges(found, minterm, leaving))

    def edges(self, found: Minterms, minterm: Minterm, leaving: list[Transition]) -> Iterator[Edge[Subset]]:
        true = {c for c, sign in zip(found.conditions, minterm.signs, strict=True) if sign}
        taken = [t for t in leaving if t.condition in true]
        guard: Condition = found.guard(minterm)
        if self.outputs is Outputs.SEPARATE:
            for output in Output:
                some = [t for t in taken if t.output is output]
                if some:
                    yield _merged(guard, output, some)
            return
        marked = self.outputs is Outputs.JOINED and any(t.output is Output.MARK for t in taken)
        yield _merged(guard, Output.MARK if marked else Output.SKIP, taken)


def _merged(guard: Condition, output: Output, taken: list[Transition]) -> Edge[Subset]:
    writes = frozenset(register for t in taken for register in t.writes)
    return Edge(guard, output, writes, frozenset(t.target for t in taken))


def determinize_as_published(
    srt: SRT,
    schema: Schema,
    *,
    window: Bound = None,
    any_copy: bool = False,
    largest: int | None = None,
    budget: Budget | None = None,
    effort: Effort | None = None,
) -> SRT:
    """The output-agnostic deterministic SRT of the strings of up to `window` events (Alg. 7).

    Parameters
    ----------
    srt : SRT
        Any; its outputs are ignored.
    schema : Schema
        What the conditions range over; needed for the minterms.
    window : int, Window or None
        The longest string, in events, or what else `bounded` understands.
    any_copy : bool
        As for `unroll`.
    largest : int, optional
        The most states of the power set, when that is less than the budget allows.
    budget : Budget, optional
        What it may cost.
    effort : Effort, optional
        Filled in with what it cost.

    Notes
    -----
    All-negative minterms are kept: they lead to the empty set of states, from which nothing is accepted.
    """
    cost = Effort() if effort is None else effort
    with spending(budget):
        unrolled = unroll(srt, window=window, any_copy=any_copy)
        cost.unrolled = unrolled.size
        with spending(None if largest is None else Budget(states=largest)):
            return powerset(unrolled, schema, effort=cost)


def powerset(
    srt: SRT, schema: Schema, *, effort: Effort | None = None, outputs: Outputs = Outputs.IGNORED
) -> SRT:
    """The deterministic SRT over sets of states of `srt` (Alg. 7, after its first line).

    Precondition: unrolled; transitions that may be taken together write different registers.
    """
    return powerset_with_subsets(srt, schema, effort=effort, outputs=outputs)[0]


def powerset_with_subsets(
    srt: SRT, schema: Schema, *, effort: Effort | None = None, outputs: Outputs = Outputs.IGNORED
) -> tuple[SRT, tuple[Subset, ...]]:
    """What `powerset` makes, and for each of its states the set of states of `srt` that it stands for."""
    machine = _PowerSet(srt, schema, Effort() if effort is None else effort, outputs)
    return explored(frozenset({srt.start}), machine.outgoing, lambda here: bool(here & srt.finals))
