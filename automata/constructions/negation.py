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
from mnemata.automata.constructions.registers import live_registers, rename_registers
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.saving import Saves, without_saves
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.formulas import TOP, conjunction
from mnemata.theory.conditions.terms import Register
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.sremo.expressions import Absent, Expression, Negation, Output
from mnemata.theory.sremo.narrowing import LARGEST_MONITOR
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


class Earliest(NamedTuple):
    """The automaton of an earliest completion, and the registers that it saves (`saving`)."""

    srt: SRT
    saves: Saves


def earliest(body: SRT, expression: Expression, prefix: str, saves: Saves) -> Earliest:
    """``next(eps, e)``: anything skipped, then `body`, completed no later than it could have been.

    The product of a skipping automaton for `body` with its monitor: every step but the last is taken only
    where the monitor sees no completion. The monitor reads registers as they were when skipping began, so
    those that `body` overwrites are saved then. `saves` are those of `body` itself.
    """
    window = _bounded(expression, "taken at its earliest completion")
    if _accepts_nothing_read(body):
        return Earliest(_EPSILON, {})
    body = eliminate_epsilon(body)
    alone = without_saves(body, saves)
    copies = {register: f"{prefix}'{register}" for register in _overwritten(body, alone)}
    monitor = rename_registers(_monitor(alone, window, prefix), copies)
    if not copies:
        return Earliest(_skipping(body, monitor, _NOTHING), {})
    signal = f"{prefix}'"
    kept = {copy: register for register, copy in copies.items()}
    return Earliest(_skipping(body, monitor, frozenset({signal})), {signal: kept})


def _skipping(body: SRT, monitor: SRT, signals: frozenset[Register]) -> SRT:
    """Anything skipped, then `body`, every step but the last where `monitor` does not accept.

    `signals` are written by whatever leaves the start, where nothing of `body` has been written yet.
    """
    done = _Watched(monitor.start, body.size)
    start = _Watched(monitor.start, None)

    def outgoing(here: _Watched) -> Iterator[Edge[_Watched]]:
        leaving = signals if here == start else _NOTHING
        return (edge._replace(writes=edge.writes | leaving) for edge in _steps(here))

    def _steps(here: _Watched) -> Iterator[Edge[_Watched]]:
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
            "iterates or skips without limit, and no window around it bounds the string to "
            f"{LARGEST_MONITOR} events or less; bound it with a repetition {{m,n}} or a window on its length"
        )
    return bound


def _overwritten(body: SRT, alone: SRT) -> tuple[Register, ...]:
    """The registers read from before that `body` writes again, other than at its last event."""
    inner = (t for t in body.transitions if t.target not in body.finals)
    return tuple(sorted({r for t in inner for r in t.writes} & live_registers(alone)[alone.start]))
