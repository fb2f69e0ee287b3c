"""Runs that take equally labelled transitions go on as one: fewer states, fewer runs.

This is the subset construction over whole labels (condition, output and registers written), which
ERRATA A1 names as one repair of Alg. 2. It changes neither matches nor register contents. After it the states
that skip-till-any leaves behind, one for each way to go on, fall together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from mnemata.automata.compilation import CompiledPattern
from mnemata.automata.constructions.exploration import Edge, explore
from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.srt.transducer import SRT, State
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.terms import Register
from mnemata.theory.errors import LimitError
from mnemata.theory.sremo.expressions import Output

MOST_GROWTH: Final = 2
"""How many times the states of the original the grouped automaton may have."""

_Group: TypeAlias = frozenset[State]
_Label: TypeAlias = tuple[Condition | None, Output, frozenset[Register]]


def grouped(compiled: CompiledPattern) -> CompiledPattern:
    """The same pattern with an automaton that has fewer runs, where that does not make it much larger."""
    srt = merge_equivalent(group_by_label(compiled.srt))
    return replace(compiled, srt=srt, live=live_registers(srt))


def group_by_label(srt: SRT) -> SRT:
    """An SRT in which no two transitions of a state have the same label; `srt` itself if it grew too large.

    `srt` has no epsilon transitions. For every string it has the same matches, and the same register
    contents with them.
    """
    seen: set[_Group] = set()

    def outgoing(group: _Group) -> Iterator[Edge[_Group]]:
        seen.add(group)
        if len(seen) > MOST_GROWTH * srt.size:
            raise _TooLargeError("the grouped automaton")
        for label, targets in _by_label(srt, group).items():
            yield Edge(*label, frozenset(targets))

    try:
        return explore(
            frozenset({srt.start}), outgoing, lambda group: not group.isdisjoint(srt.finals), srt.registers
        )
    except LimitError:
        return srt


class _TooLargeError(LimitError):
    pass


def _by_label(srt: SRT, group: _Group) -> dict[_Label, set[State]]:
    targets: dict[_Label, set[State]] = {}
    for state in sorted(group):
        for t in srt.outgoing(state):
            targets.setdefault((t.condition, t.output, t.writes), set()).add(t.target)
    return targets
