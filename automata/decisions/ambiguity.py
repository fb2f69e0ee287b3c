"""Whether two different runs can mark the same events: then a match would be found twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from mnemata.automata.constructions.exploration import Edge, explore
from mnemata.automata.constructions.registers import rename_registers
from mnemata.automata.constructions.trimming import trim
from mnemata.automata.decisions.languages import UP_TO, Decision, Language, decided, empty, language
from mnemata.automata.srt.transducer import SRT, State
from mnemata.theory.budget import Budget
from mnemata.theory.conditions.formulas import conjunction
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Expression

SECOND: Final = "'"


class _Pair(NamedTuple):
    """Where two runs with the same marks are, and whether they have taken different transitions."""

    one: State
    other: State
    parted: bool


def unambiguous(
    pattern: Expression | SRT, schema: Schema, *, up_to: int = UP_TO, budget: Budget | None = None
) -> Decision:
    """Whether no string has two accepting runs with the same marks.

    The product of the automaton with itself, on equal outputs, is asked whether it accepts anything after
    the two runs have parted. The witness of a *no* is a shortest string with two such runs.

    Parameters
    ----------
    pattern : Expression or SRT
        An expression stands for the automaton that is compiled from it.
    schema : Schema
        Of the events.
    up_to : int
        How long strings to try, unless no string of any length is left.
    budget : Budget, optional
        What the answer may cost; it is unknown when that is spent.
    """
    return decided(budget, lambda: _unambiguous(language(pattern, schema), up_to))


def _unambiguous(one: Language, up_to: int) -> Decision:
    twice = trim(parting(one.srt))
    if not twice.finals:
        return Decision(Verdict.YES)
    if one.longest is None:
        return empty(twice, one.schema, up_to=up_to)
    # No string is longer, so all of them are covered.
    return replace(empty(twice, one.schema, up_to=one.longest), up_to=None)


def parting(srt: SRT) -> SRT:
    """The SRT of the strings over which `srt` has two different runs with the same marks."""
    twin = rename_registers(srt, {register: register + SECOND for register in srt.registers})

    def outgoing(here: _Pair) -> Iterator[Edge[_Pair]]:
        for i, one in enumerate(srt.outgoing(here.one)):
            for j, other in enumerate(twin.outgoing(here.other)):
                if one.output is other.output and one.condition is not None and other.condition is not None:
                    parted = here.parted or i != j
                    guard = conjunction(one.condition, other.condition)
                    there = _Pair(one.target, other.target, parted)
                    yield Edge(guard, one.output, one.writes | other.writes, there)

    start = _Pair(srt.start, srt.start, False)
    both = srt.registers | twin.registers
    return explore(
        start, outgoing, lambda p: p.parted and p.one in srt.finals and p.other in srt.finals, both
    )
