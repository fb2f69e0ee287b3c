"""A corpus of expressions over `TICKS` that together use every operator and kind of condition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mnemata.proofs.generators import TICKS
from mnemata.theory.conditions.building import defined, head, position, register, time
from mnemata.theory.conditions.formulas import TOP, Definition
from mnemata.theory.conditions.terms import Duration
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Expression,
    Intersection,
    absent,
    mark,
    skip,
    skip_till_any,
    skip_till_next,
)

_u, _r1, _r2, _r3 = head(TICKS), register("r1", TICKS), register("r2", TICKS), register("r3", TICKS)
_A, _B, _C = (_u.type == letter for letter in "ABC")
_SAME, _SAME_2 = _u.id == _r1.id, _u.id == _r2.id
_RISES, _FALLS = _u.price > _r1.price, _u.price < _r1.price
_ANY = skip().star()
_x, _y = head(), register("y")
_THREE = mark(~_SAME, _r1) >> mark(_A) >> mark(_SAME)
_JOIN = Definition("Join", ("~", "y"), (_x.id == _y.id) & (_x.price >= _y.price))


_BASIC: Final[dict[str, Expression]] = {
    "empty string": EPSILON,
    "nothing": EMPTY_SET,
    "marked": mark(_A),
    "skipped": skip(_A),
    "written": mark(_A, _r1),
    "negated condition": mark(~(_A & (_u.id == 1))),
    "unequal is not not equal": mark(_u.id != 1) | skip(~(_u.id == 1)),
    "disjunction": mark(_A | (_u.price > 1.0)),
    "membership": mark(_u.id.isin([1, 3])),
    "arithmetic": mark(_u.id + 1 == 3),
    "absolute difference": mark(_A, _r1) >> mark(abs(_u.id - _r1.id) <= 1),
    "overflow is missing": mark(_u.id * (2**62) > 0),
    "empty register": mark(_SAME),
    "empty register negated": mark(~_SAME),
    "defined": mark(_A, _r1).optional() >> mark(defined("r1")),
    "position": mark(_A, _r1) >> _ANY >> mark(position("~") - position("r1") == 2),
    "time": mark(_A, _r1) >> _ANY >> mark(time("~") - time("r1") <= Duration(1, "ms")),
    "definition": mark(_A, _r1) >> mark(_JOIN("~", "r1")),
    "definition negated": mark(_A, _r1).optional() >> mark(~_JOIN("~", "r1")),
}
_SEQUENCES: Final[dict[str, Expression]] = {
    "two": mark(_A) >> mark(_B),
    "mark then skip": mark(_A) >> skip(_B),
    "skip then mark": skip(_A) >> mark(_B),
    "equation 2": mark(_B, _r1) >> _ANY >> mark(_C & _SAME),
    "equation 4": (mark(_A & (_u.price < 2), _r1) | mark(_B & (_u.price > 2), _r1)) >> mark(_C & _SAME),
    "erratum A1, lost": mark(write=_r1) >> (mark(write=_r1) | mark()) >> mark(_SAME),
    "erratum A1, spurious": (mark(write=_r1) | mark(write=_r2)) >> mark(_SAME & _SAME_2),
    "two registers": mark(_A, _r1) >> mark(_B, _r2) >> mark(_SAME & _SAME_2),
    "three registers": mark(_A, _r1) >> mark(_B, _r2) >> mark(_C, _r3) >> mark(_u.id == _r3.id),
    "overwritten": mark(_A, _r1) >> mark(_B, _r1) >> mark(_SAME),
    "read while written": mark(_A, _r1) >> mark(_SAME, _r1) >> mark(_RISES),
    "registers compared": mark(_A, _r1) >> mark(_B, _r2) >> mark(_r1.price < _r2.price),
    "choice": mark(_A) | mark(_B) | skip(_C),
    "choice of lengths": mark(_A) | mark(_A) >> mark(_B),
    "ambiguous": mark(_A) | mark(),
    "optional": mark(_A).optional() >> mark(_B),
    "optional writer": mark(_A, _r1).optional() >> mark(_SAME),
    "empty in a sequence": EPSILON >> mark(_A) >> EPSILON,
    "nothing in a choice": EMPTY_SET | mark(_A),
}
_ITERATIONS: Final[dict[str, Expression]] = {
    "star": mark(_A).star(),
    "plus": mark(_A).plus() >> mark(_B),
    "nested stars": (mark(_A).star() >> mark(_B)).star(),
    "star of nullable": mark(_A).optional().star() >> mark(_B),
    "alternating": (mark(_A) >> skip(_B)).star(),
    "repetition": mark(_A).repeat(2, 3),
    "open repetition": mark(_A).repeat(1, None) >> mark(_B),
    "rising": mark(_A, _r1) >> mark(_RISES, _r1).plus(),
    "zigzag": (mark(_RISES, _r1) | mark(_FALLS, _r1) | mark(_A, _r1)).plus(),
    "last of many": mark(_A, _r1).plus() >> mark(_B & _SAME),
    "registers outlive rounds": (mark(_A, _r1) | mark(_SAME)).star(),
}
_STRATEGIES: Final[dict[str, Expression]] = {
    "any of two": skip_till_any(mark(_A), mark(_B)),
    "any of three": skip_till_any(mark(_A, _r1), mark(_B), mark(_C & _SAME)),
    "any iteration": skip_till_any(mark(_A), skip_till_any(mark(_B).plus()), mark(_C)),
    "any star": skip_till_any(mark(_A).star()),
    "any repetition": skip_till_any(mark(_A).repeat(0, 2)),
    "nested any": skip_till_any(mark(_A), mark(_B) | skip_till_any(mark(_A), mark(_C))),
    "next": skip_till_next(mark(_A, _r1), mark(_B & _SAME)),
    "next of two events": skip_till_next(mark(_A, _r1), mark(_B) >> mark(_C & _SAME)),
    "next iteration": skip_till_next((mark(_A) | mark(_B)).plus()),
    "next overwrites what it reads": skip_till_next(mark(_A, _r1), _THREE),
    "next overwrites, read afterwards": skip_till_next(mark(_A, _r1), _THREE) >> mark(_SAME),
    "next overwrites in an iteration": skip_till_next((_THREE | mark(_A & ~_SAME, _r1)).plus()),
    "next overwrites around next": skip_till_next(
        mark(_A, _r1), mark(~_SAME, _r1) >> skip_till_next(mark(), mark(_SAME)).length(3)
    ),
    "any, next": skip_till_any(mark(_A), skip_till_next(mark(_B), mark(_C))),
    "negation": mark(_A, _r1) >> skip(_B & _SAME).negate() >> mark(_C),
    "negation of two events": mark(_A) >> (skip(_B) >> skip(_C)).negate() >> mark(_A),
    "absence": mark(_A, _r1) >> absent(skip(_B & _SAME)) >> mark(_C),
    "absence of two events": mark(_A) >> absent(skip(_B) >> skip(_C)) >> mark(_A),
}
_WINDOWS: Final[dict[str, Expression]] = {
    "window of events": skip_till_any(mark(_A, _r1), mark(_B & _SAME)).within(events=3),
    "window of time": skip_till_any(mark(_A), mark(_B)).within(ms=2),
    "window on length": (_ANY >> mark(_A)).length(3),
    "window that bounds marks only": (skip(_A) >> mark(_B)).within(events=1),
    "window in a sequence": (mark(_A) >> _ANY >> mark(_B)).within(events=2) >> mark(_C),
    "window in an iteration": (mark(_A) >> skip().optional() >> mark(_B)).within(events=2).plus(),
    "windows in windows": skip_till_any(mark(_A), mark(_B).within(events=1)).within(ms=3).length(4),
    "window that reaches into next": skip_till_next(
        mark(_A, _r1), skip_till_any(mark(_B), mark(_C & _SAME))
    ).within(events=4),
    "window that reaches into absence": (
        mark(_A, _r1) >> absent(skip_till_any(skip(_B & _SAME), skip(_C))) >> mark(_A)
    ).within(events=5),
    "window that reaches into negation": (mark(_A) >> skip(_B).plus().negate() >> mark(_C)).length(4),
    "intersection": Intersection(mark(_A) >> mark(), mark() >> mark(_B)),
    "intersection with registers": Intersection(
        mark(_A, _r1) >> mark(_SAME), mark(TOP, _r2) >> mark(_SAME_2)
    ),
    "intersection in a star": Intersection(mark(_A) >> skip(), mark() >> skip(_B)).star(),
    "partial intersection": mark(_A, _r1) >> Intersection(mark(_SAME), mark(_RISES)),
}

CORPUS: Final[Mapping[str, Expression]] = {
    **_BASIC,
    **_SEQUENCES,
    **_ITERATIONS,
    **_STRATEGIES,
    **_WINDOWS,
}
"""Expressions by name."""
