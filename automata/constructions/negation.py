"""Negation, absence and earliest completion, by deterministic monitors (ERRATA A11).

What must not happen is watched by the ring buffer of `ring_buffer`, so it has to be of bounded length.
All three start in the middle of a pattern: the monitor reads the registers as they are at that moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mnemata.automata.constructions.complement import complement
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.exploration import Edge, explore
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.formulas import TOP, conjunction
from mnemata.theory.conditions.terms import Register
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.sremo.expressions import Absent, Expression, Negation, Output
from mnemata.theory.sremo.windows import longest

_NOTHING: frozenset[Register] = frozenset()
_EPSILON = SRT(1, 0, frozenset({0}), ())
_EMPTY = SRT(1, 0, frozenset(), ())


def negated(body: SRT, node: Negation, prefix: str) -> SRT:
    """``!e``: every string that `body` does not accept from the current registers."""
    window = max(1, _bounded(node.body, "negated"))
    return complement(body, window=window, free=body.registers, prefix=prefix)


def without(body: SRT, node: Absent, prefix: str) -> SRT:
    """``absent(e)``: every string no part of which `body` accepts from the current registers."""
    monitor = _monitor(body, _bounded(node.body, "watched for its absence"), prefix)
    if _accepts_nothing_read(body):
        return _EMPTY
    quiet = frozenset(monitor.states) - monitor.finals
    moves = tuple(t for t in monitor.transitions if t.target in quiet)
    return SRT(monitor.size, monitor.start, quiet, moves, monitor.registers)


class _Watched(NamedTuple):
    """What the monitor has seen, and where in its body the pattern is; ``None`` while it skips."""

    monitor: State
    body: State | None


def earliest(body: SRT, expression: Expression, prefix: str) -> SRT:
    """``next(eps, e)``: anything skipped, then `body`, completed no later than it could have been.

    The product of a skipping automaton for `body` with its monitor: every step but the last is taken only
    where the monitor sees no completion.
    """
    window = _bounded(expression, "taken at its earliest completion")
    if _accepts_nothing_read(body):
        return _EPSILON
    body = eliminate_epsilon(body)
    _check_registers(body)
    monitor = _monitor(body, window, prefix)
    done = _Watched(monitor.start, body.size)

    def outgoing(here: _Watched) -> Iterator[Edge[_Watched]]:
        if here == done:
            return
        for move in body.outgoing(body.start if here.body is None else here.body):
            if move.target in body.finals and move.condition is not None:
                yield Edge(move.condition, move.output, move.writes, done)
        for watch in monitor.outgoing(here.monitor):
            if watch.target not in monitor.finals:
                yield from _quiet_steps(here, watch)

    def _quiet_steps(here: _Watched, watch: Transition) -> Iterator[Edge[_Watched]]:
        guard = TOP if watch.condition is None else watch.condition
        if here.body is None:
            yield Edge(guard, Output.SKIP, watch.writes, _Watched(watch.target, None))
        for move in body.outgoing(body.start if here.body is None else here.body):
            if move.condition is not None and move.target not in body.finals:
                both = conjunction(move.condition, guard)
                there = _Watched(watch.target, move.target)
                yield Edge(both, move.output, move.writes | watch.writes, there)

    start = _Watched(monitor.start, None)
    return explore(start, outgoing, lambda here: here == done, body.registers | monitor.registers)


def _monitor(body: SRT, window: int, prefix: str) -> SRT:
    return determinize(body, window=max(1, window), streaming=True, free=body.registers, prefix=prefix)


def _accepts_nothing_read(body: SRT) -> bool:
    """Whether `body` accepts the empty string."""
    plain = eliminate_epsilon(body)
    return plain.start in plain.finals


def _bounded(expression: Expression, what: str) -> int:
    bound = longest(expression)
    if bound is None:
        raise UnsupportedError(
            f"only what has a longest match can be {what}, and this part of the pattern has none: it "
            "iterates or skips without limit; bound it with a repetition {m,n} or a window on its length"
        )
    return bound


def _check_registers(body: SRT) -> None:
    """The monitor reads registers as they were when skipping began, so `body` must not overwrite them."""
    needed = live_registers(body)[body.start]
    inner = (t for t in body.transitions if body.outgoing(t.target))
    for register in sorted({r for t in inner for r in t.writes} & needed):
        raise UnsupportedError(
            f"register '{register}' is read from before next(...) and written again inside it, before "
            "its last event; write to a register of another name there"
        )
