"""A stream may be cut into overlapping slices when a window bounds the strings of matches (ERRATA A5).

Let ``cut(0) = 0 < cut(1) < ...`` be positions in a stream and ``w`` a window. Slice ``s`` *owns* the events
from ``cut(s)`` up to, not including, ``cut(s + 1)``, and *reads* from ``max(0, cut(s) - (w - 1))``. It
reports the matches whose last event it owns. What is a match of the string from ``b`` to ``k`` depends on its
events alone, and matches are of strings of at most ``w`` events. Proved, for all cuts, windows and streams:

- every event is owned by exactly one slice (by induction on the number of slices);
- a string of at most ``w`` events that ends in a slice's own event lies in what the slice reads (*nothing is
  lost*), so that slice finds it; and what it finds is a string of the stream (*nothing is made up*).

So each match is reported by exactly one slice, and the union of all reports is that of the whole stream. The
same holds for windows in time, if a slice reads all events less than the window before its first own one and
time does not decrease.

The condition is on strings, not on marks: where an unmarked event may come before the first mark, a match
whose marks fit the window may come of a longer string. (One after the last mark does no harm, as a stream
reports at marks.) Outside: what bounds strings, and what else keeps a match from depending on its string
alone, such as conditions on absolute positions and greedy consumption (`automata.engine.reach`).

With `overlap_short`, slices overlap by one event less; with `marks_only`, only the marks are known to fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import z3

from mnemata.proofs.evidence import Induction, Obligation, Reading
from mnemata.proofs.induction.signature import Formula, Term, every

_NUMBER: Final = z3.IntSort()
_CUT: Final = z3.Function("cut", _NUMBER, _NUMBER)
_S, _R, _N, _K, _B, _M, _W = z3.Ints("s r n k b m w")


def slices(*, overlap_short: bool = False, marks_only: bool = False) -> Iterator[Obligation]:
    """The parts of the proof; with an option, of slices that lose matches."""
    yield from _owners()
    yield _nothing_lost(overlap_short, marks_only)
    yield _nothing_made_up()
    yield _in_time()


def _owns(s: Term, k: Term) -> Formula:
    return z3.And(0 <= s, _CUT(s) <= k, k < _CUT(s + 1))


def _owners() -> Iterator[Obligation]:
    """Of the events before the ``n``-th cut, each has an owner; none has two."""
    owner = z3.Int("owner")
    nothing = z3.Not(z3.And(0 <= _K, _K < _CUT(0)))
    yield Obligation("no slice, no event", (_CUT(0) == 0,), nothing)
    before = z3.Implies(z3.And(0 <= _K, _K < _CUT(_N)), z3.And(owner < _N, _owns(owner, _K)))
    after = z3.Or(z3.And(owner < _N + 1, _owns(owner, _K)), _owns(_N, _K))
    inside = z3.And(0 <= _K, _K < _CUT(_N + 1))
    yield Obligation("one more slice: an owner", (_N >= 0, before), z3.Implies(inside, after))
    risen = z3.And(0 <= _R, _R <= _N, _CUT(_R) <= _CUT(_N), _CUT(_N) < _CUT(_N + 1))
    yield Obligation("cuts rise", (risen,), _CUT(_R) <= _CUT(_N + 1))
    apart = z3.Implies(_N < _S, _CUT(_N + 1) <= _CUT(_S))
    two = z3.And(_owns(_S, _K), _owns(_N, _K), _N < _S)
    yield Obligation("one owner", (apart,), z3.Not(two))


def _reads_from(overlap: Term) -> Term:
    begin = _CUT(_S) - overlap
    return z3.If(begin < 0, 0, begin)


def _nothing_lost(overlap_short: bool, marks_only: bool) -> Obligation:
    """A string from ``b`` to ``k``, whose first mark is at ``m``."""
    string = z3.And(0 <= _B, _B <= _M, _M <= _K, _W >= 1)
    fits = _K - _M + 1 <= _W if marks_only else _K - _B + 1 <= _W
    overlap = _W - 2 if overlap_short else _W - 1
    inside = z3.And(_reads_from(overlap) <= _B, _K < _CUT(_S + 1))
    return Obligation("nothing is lost", (string, fits, _owns(_S, _K)), inside)


def _nothing_made_up() -> Obligation:
    """What a slice reads, from its beginning on, are the same events at places that differ by a constant."""
    i, j = z3.Ints("i j")
    begin = _reads_from(_W - 1)
    inside = z3.And(0 <= i, i <= j, begin + j < _CUT(_S + 1), 0 <= _CUT(_S), _W >= 1)
    string = z3.And(0 <= begin + i, begin + i <= begin + j, (begin + j) - (begin + i) == j - i)
    return Obligation("nothing is made up", (inside,), string)


def _in_time() -> Obligation:
    """With a window in time a slice reads what is less than the window before its first own event."""
    time = z3.Function("time", _NUMBER, _NUMBER)
    i, j, span = z3.Ints("i j span")
    ordered = every(i, j, z3.Implies(i <= j, time(i) <= time(j)))
    string = z3.And(_B <= _K, time(_K) - time(_B) < span, _owns(_S, _K))
    read = z3.Or(_B >= _CUT(_S), time(_CUT(_S)) - time(_B) < span)
    return Obligation("nothing is lost in time", (ordered, string), read)


INDUCTION: Final = Induction(
    "each match is reported by one slice, by induction on the number of slices",
    slices,
    reading=Reading.REPAIRED,
)
