"""A filter is asked once, where its last variable is bound (RMA Thm 8, Alg. 1; ERRATA C3).

Let ``A`` be the automaton of an expression ``e`` and ``f`` a condition over some of the variables that `e`
binds. A transition that consumes the event of a variable ``x`` writes it to a register of that name. ``A``
has the property (Property 1 of the paper) that every walk from the start to a final state consumes each
variable that ``f`` reads exactly once. A state *knows* ``x`` if every walk to it has consumed ``x``. In the
automaton of ``e FILTER f``, a transition ``t`` also asks for ``f``, with the event read for the variable that
``t`` consumes, if ``t`` consumes one of the variables of ``f`` and its source knows all others.

A walk is a sequence of transitions; ``at(k)`` is the state before the ``k``-th. Proved, for all automata with
that property and all walks to a final state:

- if one walk to a state has consumed ``x``, then all have, where a final state can be reached from it: else
  one of the walks on through this state would consume ``x`` twice, or not at all;
- exactly one transition of the walk asks for ``f``, the one that consumes the last of its variables;
- there, each variable of ``f`` is read as the event that the walk consumed for it: it was written to the
  register of the variable and not overwritten since.

So a run of ``e FILTER f`` is a run of ``e`` that satisfies ``f``, which is the semantics of ``FILTER``. The
other operators add nothing to what `thompson` says of them. Outside: Property 1 itself (part of the induction
on the expression; `proofs.rma` checks it), and that what is known is computed (`automata.srt.occupancy`).

With `published`, a transition asks only if its source knows *all* variables of ``f``, as in line 5 of Alg. 3;
then no transition does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import z3

from mnemata.proofs.evidence import Induction, Obligation, Reading
from mnemata.proofs.induction.signature import Formula, Sort, constants, every, some

_TRUTH: Final = z3.BoolSort()
_STATE: Final[Sort] = z3.DeclareSort("State")
_VARIABLE: Final[Sort] = z3.DeclareSort("Variable")
_CONTENT: Final[Sort] = z3.DeclareSort("Content")
_WALK: Final[Sort] = z3.DeclareSort("Walk")
_READ: Final = z3.Function("read by f", _VARIABLE, _TRUTH)
_KNOWS: Final = z3.Function("knows", _STATE, _VARIABLE, _TRUTH)
_X, _Y, _LAST = constants("x y last", _VARIABLE)
_K, _J = z3.Ints("k j")


def filters(*, published: bool = False) -> Iterator[Obligation]:
    """The parts of the proof; with `published`, of Alg. 3 to the letter."""
    yield from _agreement()
    yield from _asking(published)
    yield from _contents()


_TO: Final = z3.Function("leads to", _WALK, _STATE)
_ONWARDS: Final = z3.Function("leads on from", _WALK, _STATE)
_TIMES: Final = z3.Function("times", _WALK, _VARIABLE, z3.IntSort())
"""How often a walk consumes a variable."""


def _agreement() -> Iterator[Obligation]:
    """All walks to a state, and all walks from it to a final state, consume the same variables."""
    v, w, u = constants("v w u", _WALK)
    counted = every(v, _X, _TIMES(v, _X) >= 0)
    both = z3.And(_TO(v) == _ONWARDS(u), _READ(_X))
    once = every(v, u, _X, z3.Implies(both, _TIMES(v, _X) + _TIMES(u, _X) == 1))
    (q,) = constants("q", _STATE)
    useful = z3.And(_TO(v) == q, _TO(w) == q, _ONWARDS(u) == q, _READ(_X))
    same = every(v, w, u, _X, q, z3.Implies(useful, _TIMES(v, _X) == _TIMES(w, _X)))
    yield Obligation("all walks to a state consume the same", (counted, once), same)
    knows = every(q, _X, _KNOWS(q, _X) == every(v, z3.Implies(_TO(v) == q, _TIMES(v, _X) >= 1)))
    told = z3.And(_TO(v) == q, _ONWARDS(u) == q, _READ(_X))
    goal = every(v, u, _X, q, z3.Implies(told, _KNOWS(q, _X) == (_TIMES(v, _X) == 1)))
    yield Obligation("a state knows what a walk to it consumed", (counted, once, knows, same), goal)


_WHEN: Final = z3.Function("when", _VARIABLE, z3.IntSort())
"""The transition of the walk that consumes a variable."""

_KNOWN: Final = z3.Function("known", _VARIABLE, _TRUTH)
"""Whether the ``k``-th state of the walk knows a variable."""


def _walk() -> tuple[Formula, ...]:
    """A walk to a final state: each variable is consumed once, and states know the earlier ones."""
    known = every(_X, z3.Implies(_READ(_X), _KNOWN(_X) == (_WHEN(_X) < _K)))
    apart = z3.Implies(z3.And(_READ(_X), _READ(_Y), _WHEN(_X) == _WHEN(_Y)), _X == _Y)
    last = z3.And(_READ(_LAST), every(_X, z3.Implies(_READ(_X), _WHEN(_X) <= _WHEN(_LAST))))
    return known, every(_X, _Y, apart), last


def _asks(published: bool) -> Formula:
    """Whether the ``k``-th transition of the walk asks for the filter."""
    consumes = z3.And(_READ(_Y), _WHEN(_Y) == _K)
    others = _KNOWN(_X) if published else z3.Or(_KNOWN(_X), _WHEN(_X) == _K)
    return z3.And(some(_Y, consumes), every(_X, z3.Implies(_READ(_X), others)))


def _asking(published: bool) -> Iterator[Obligation]:
    only = _asks(published) == (_K == _WHEN(_LAST))
    yield Obligation("one transition asks, at the last variable", _walk(), only)


_CONTENTS: Final = z3.Function("register", z3.IntSort(), _VARIABLE, _CONTENT)
"""What the register of a variable holds before a transition of the walk."""

_EVENT: Final = z3.Function("event", z3.IntSort(), _CONTENT)
"""The event that a transition of the walk consumes."""


def _contents() -> Iterator[Obligation]:
    """A register holds the event of its variable from the next transition on, by induction on the walk."""
    written = _CONTENTS(_K + 1, _X) == z3.If(_WHEN(_X) == _K, _EVENT(_K), _CONTENTS(_K, _X))
    step = every(_X, z3.Implies(_READ(_X), written))
    held = z3.Implies(z3.And(_READ(_X), _WHEN(_X) < _K), _CONTENTS(_K, _X) == _EVENT(_WHEN(_X)))
    after = z3.Implies(z3.And(_READ(_X), _WHEN(_X) < _K + 1), _CONTENTS(_K + 1, _X) == _EVENT(_WHEN(_X)))
    yield Obligation("a register keeps its event", (step, every(_X, held)), every(_X, after))
    asked = z3.If(_WHEN(_X) == _K, _EVENT(_K), _CONTENTS(_K, _X))
    right = z3.Implies(_READ(_X), asked == _EVENT(_WHEN(_X)))
    hypotheses = (*_walk(), every(_X, held), _K == _WHEN(_LAST))
    yield Obligation("the filter is asked of the right events", hypotheses, every(_X, right))


INDUCTION: Final = Induction(
    "a filter is asked once, of the events of its variables, by induction on walks",
    filters,
    reading=Reading.REPAIRED,
)
