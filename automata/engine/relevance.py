"""Which events matter: the others may be left out of a stream, and what is found stays the same.

An event does not matter where all runs that wait for an event pass it by: nothing that they could do with
it is enabled, whatever registers hold, and a loop is that neither marks, writes nor asks anything of
registers. What is strictly contiguous therefore needs every event that would break it. Where events are
counted, by windows or by positions, all of them matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from mnemata.automata.compilation import Begins, CompiledPattern
from mnemata.automata.engine.classes import condition_of
from mnemata.automata.engine.preparation import prepared
from mnemata.automata.engine.relations import needs_events
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    And,
    Apply,
    Condition,
    Not,
    Or,
    Relation,
    conjunction,
    disjunction,
    expand,
    registers,
)
from mnemata.theory.conditions.simplification import simplified
from mnemata.theory.conditions.terms import Position
from mnemata.theory.sremo.expressions import Output, TimeWindow
from mnemata.theory.trees import Node, fold, walk

MOST_PARTS: Final = 1000
"""Where a condition on events has more nodes, all of them are said to matter."""


class Bounds(NamedTuple):
    """Conditions on the event alone: `may` is implied by a condition, and `must` implies it."""

    may: Condition
    must: Condition


def relevant(patterns: Iterable[CompiledPattern]) -> Condition:
    """A condition on events alone that holds for all that matter to some of these patterns.

    Every stream has the same matches as what is left of it without the events of which the condition is
    false, but for their positions.

    Examples
    --------
    >>> from mnemata.automata.compilation import compile_pattern
    >>> from mnemata.theory.schema import Int64, Schema
    >>> from mnemata.theory.syntax import parse, show
    >>> schema = Schema.of(a=Int64(), b=Int64())
    >>> text = "any(event as r where a = 1, event where a = 2 and b > r.b) within 9 events"
    >>> relevant([compile_pattern(parse(text, schema=schema), schema)])
    Top()
    >>> text = text.removesuffix(" within 9 events")
    >>> show(relevant([compile_pattern(parse(text, schema=schema), schema)]))
    'a = 1 or a = 2'
    """
    found = simplified(disjunction(*map(_relevant, patterns)))
    return TOP if sum(1 for _ in walk(found)) > MOST_PARTS else found


def _relevant(pattern: CompiledPattern) -> Condition:
    compiled = prepared(pattern).compiled
    srt = compiled.srt
    conditions = [expand(condition_of(t)) for t in srt.transitions]
    if any(map(_counts_events, conditions)) or not all(isinstance(w, TimeWindow) for w in compiled.windows):
        return TOP
    waiting = _waiting(srt, at_first=compiled.begins is Begins.AT_FIRST)
    parts = (_matters_in(state, compiled, waits=state in waiting) for state in srt.states)
    return simplified(disjunction(*parts))


def _counts_events(condition: Condition) -> bool:
    """Whether positions of events are read, or a Python function is given whole events, which have them."""
    return any(
        isinstance(node, Position)
        or (isinstance(node, Apply) and isinstance(node.relation, Relation) and needs_events(node.relation))
        for node in walk(condition)
    )


def _waiting(srt: SRT, *, at_first: bool) -> frozenset[State]:
    """The states in which a run may be when an event comes that it could as well do without.

    Not the start state if no transition leads to it: runs begin at the next event, too, unless all of them
    begin with the stream.
    """
    entered = {t.target for t in srt.transitions} | ({srt.start} if at_first else set())
    return frozenset(state for state in entered if srt.outgoing(state))


def _matters_in(state: State, compiled: CompiledPattern, *, waits: bool) -> Condition:
    """Which events change something for the runs of a state."""
    bounds = [(t, bounded(expand(condition_of(t)))) for t in compiled.srt.outgoing(state)]
    moves = disjunction(*(known.may for t, known in bounds if not _stays(t, compiled)))
    if not waits:
        return moves
    stays = disjunction(*(known.must for t, known in bounds if _stays(t, compiled)))
    return disjunction(moves, Not(stays))


def _stays(t: Transition, compiled: CompiledPattern) -> bool:
    """Whether runs that take a transition are as they were."""
    late = (compiled.told_apart or compiled.shows_less) and t.target in compiled.srt.finals
    changes = t.output is Output.MARK or t.writes & compiled.live[t.target]
    return t.source == t.target and not changes and not late


def bounded(condition: Condition, known: Callable[[Condition], bool] | None = None) -> Bounds:
    """What a condition comes to whatever the truth of its parts is that are not known.

    Parameters
    ----------
    condition : Condition
        Without definitions, see `mnemata.theory.conditions.formulas.expand`.
    known : callable, optional
        Says which of its atoms to keep; by default those that read no register.
    """
    keeps = known or _reads_no_register

    def visit(node: Node, below: tuple[Bounds, ...]) -> Bounds:
        match node:
            case Not():
                return Bounds(Not(below[0].must), Not(below[0].may))
            case And():
                return Bounds(conjunction(*(p.may for p in below)), conjunction(*(p.must for p in below)))
            case Or():
                return Bounds(disjunction(*(p.may for p in below)), disjunction(*(p.must for p in below)))
        kept = isinstance(node, Condition) and (node in (TOP, BOTTOM) or keeps(node))
        return Bounds(node, node) if kept and isinstance(node, Condition) else Bounds(TOP, BOTTOM)

    return fold(condition, visit)


def _reads_no_register(condition: Condition) -> bool:
    return not registers(condition)
