"""The ring buffer holds the last events, and one condition says whether a suffix is accepted (ERRATA A5).

This is the determinization that holds in place of Thm 41. Let ``A`` be an SRT without epsilon transitions and
``w`` a window; ``s = w - 1`` registers are the slots. A state says how many slots are *filled*, which is
*next*, and whether what was read is accepted; two transitions leave it, with guards ``phi`` and ``not phi``,
and write the event read to the slot that is next.

*The slots.* Proved for all ``s`` and all streams, by induction on the number ``i`` of events read:
``min(i, s)`` slots are filled; each holds what was written to it last; from the oldest on, in the order of
`_Buffer.streaming`, they hold the last ``min(i, s)`` events. So together with the event read these are all
suffixes of up to ``w`` events.

*The condition.* ``phi`` is true of the held events exactly if a run of ``A`` over one of these suffixes ends
in a final state: see `assignments`.

*One run.* Exactly one of ``phi`` and ``not phi`` is true.

Together: over any stream there is one run, and after each event its state says whether a suffix of up to
``w`` events, ending there, is accepted. The bounded automaton is the same without the way round. Outside:
that there are finitely many states, ``filled`` and ``next`` being at most ``s``.

With `short` the buffer has a slot too few; with `overwrites_newest` the event goes to the slot before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import z3

from mnemata.proofs.evidence import Induction, Obligation, Reading
from mnemata.proofs.induction.assignments import assignments
from mnemata.proofs.induction.signature import Formula, Sort, Term, every

_EVENT: Final[Sort] = z3.DeclareSort("Event")
_STREAM: Final = z3.Function("stream", z3.IntSort(), _EVENT)
_SLOTS: Final = z3.Array("slots", z3.IntSort(), _EVENT)
_SIZE, _READ, _FILLED, _NEXT, _K = z3.Ints("size read filled next k")


def ring_buffer(*, short: bool = False, overwrites_newest: bool = False) -> Iterator[Obligation]:
    """The cases of both inductions; with an option, of a buffer that forgets too much."""
    yield from _slots(overwrites_newest)
    yield _suffixes(short)
    yield from assignments()
    phi = z3.Bool("phi")
    one = z3.And(z3.Or(phi, z3.Not(phi)), z3.Not(z3.And(phi, z3.Not(phi))))
    yield Obligation("one of two transitions", (), one)


def _slots(overwrites_newest: bool) -> Iterator[Obligation]:
    known = _invariant(_READ, _FILLED, _NEXT, _SLOTS)
    zero = z3.IntVal(0)
    yield Obligation("an empty buffer", (_SIZE >= 1,), z3.And(*_invariant(zero, zero, zero, _SLOTS)))
    place = z3.If(_NEXT == 0, _SIZE - 1, _NEXT - 1) if overwrites_newest else _NEXT
    slots = z3.Store(_SLOTS, place, _STREAM(_READ))
    filled = z3.If(_FILLED + 1 < _SIZE, _FILLED + 1, _SIZE)
    following = z3.If(_NEXT + 1 == _SIZE, 0, _NEXT + 1)
    counted, held = _invariant(_READ + 1, filled, following, slots)
    yield Obligation("an event: counters", known[:1], counted)
    yield Obligation("an event: slots", known, held)
    yield Obligation("from the oldest on", known, _in_order())


def _invariant(read: Term, filled: Term, following: Term, slots: Term) -> tuple[Formula, Formula]:
    """Counters are right, and each slot holds what was written to it last."""
    counted = filled == z3.If(read < _SIZE, read, _SIZE)
    inside = z3.And(0 <= following, following < _SIZE, read >= 0, _SIZE >= 1)
    in_turn = z3.Implies(filled < _SIZE, following == filled)
    this_round = z3.Implies(_K < following, z3.Select(slots, _K) == _STREAM(read - following + _K))
    before = z3.Implies(_K >= following, z3.Select(slots, _K) == _STREAM(read - following - _SIZE + _K))
    held = z3.Implies(z3.And(0 <= _K, _K < filled), z3.And(this_round, before))
    return z3.And(counted, inside, in_turn), every(_K, held)


def _in_order() -> Formula:
    """The ``k``-th slot from the oldest on holds the event ``k`` after the oldest."""
    at = z3.If(_FILLED == _SIZE, _NEXT, 0) + _K
    slot = z3.Select(_SLOTS, z3.If(at < _SIZE, at, at - _SIZE))
    event = _STREAM(_READ - _FILLED + _K)
    return every(_K, z3.Implies(z3.And(0 <= _K, _K < _FILLED), slot == event))


def _suffixes(short: bool) -> Obligation:
    """What is held, and the event read: where suffixes of up to ``w`` events begin, and no others."""
    window, begin = z3.Ints("window begin")
    size = window - 2 if short else window - 1
    counted = _FILLED == z3.If(_READ < size, _READ, size)
    known = z3.And(window >= 2, _READ >= 0, counted)
    fits = z3.And(0 <= begin, begin <= _READ, _READ - begin + 1 <= window)
    held = z3.And(_READ - _FILLED <= begin, begin <= _READ)
    return Obligation("every short suffix is held", (known,), every(begin, fits == held))


INDUCTION: Final = Induction(
    "slots hold the last events and the condition follows all runs, by induction on events read and held",
    ring_buffer,
    reading=Reading.REPAIRED,
)
