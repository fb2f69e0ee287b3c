"""The automata of SREMO do what Def. 17 says, operator by operator (SRT Thm 27, Fig. 11).

A *situation* is a position in the string, a valuation, and the marks so far. Def. 17 relates situations:
write ``D(e; x, y)`` if `e` leads from `x` to `y`, that is, if ``(e, S[i..j), M, v) |- v'`` where `y` has the
later position ``j``, the valuation ``v'``, and the marks of `x` together with ``M``. In this form the cases
of Def. 17 read

    ``D(eps) = identity``,  ``D(a + b) = D(a) | D(b)``,  ``D(a . b) = D(a) ; D(b)``,
    ``D(a*) = D(a)``, repeated,

with registers shared throughout. A *fragment* is an automaton with one start and one final state. Let
``R(x0; q, x)`` be the least relation that holds of its start in the situation ``x0`` and is closed under its
transitions, epsilon or not: what its runs from ``x0`` reach.

Assumed of the fragments of `a` and `b`: ``D(a; x, y) <=> R_a(x; final, y)`` (the hypothesis of the induction
on the expression), and that they share no state. Proved for the fragment that Fig. 11 makes of them: the
same, by induction on its runs. What its runs reach is described by a relation `I`; `I` holds at the start and
is closed under the transitions of the new fragment, so it holds of everything reached (*forwards*); and the
new fragment does all that its parts do (*backwards*). At the final state the description is what Def. 17
says.

Outside: that the situations of a terminal are what its one transition does, which is Def. 17 (2) word for
word; and that the order of the rounds of an iteration, first and rest or last and what was before, makes no
difference (both describe finite sequences of rounds).

With `keep_apart` false the fragments may share states, and nothing of this can be proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import z3

from mnemata.proofs.evidence import Induction, Obligation, Reading
from mnemata.proofs.induction.signature import Formula, Sort, Term, constants, every, fresh, some

_SITUATION: Final[Sort] = z3.DeclareSort("Situation")
_WHOLE: Final[Sort] = z3.DeclareSort("State")
_X0, _X, _Y, _Z = constants("x0 x y z", _SITUATION)
_Q, _P = constants("q p", _WHOLE)
_BEGIN, _END = constants("begin end", _WHOLE)
"""The states that a figure adds."""

_Relation = Any


@dataclass(frozen=True)
class _Fragment:
    """A part: its states and their places in the whole, its transitions, its runs, and what it stands for."""

    name: str
    state: Sort = field(init=False)
    start: Term = field(init=False)
    final: Term = field(init=False)
    place: Any = field(init=False)
    moves: _Relation = field(init=False)
    runs: _Relation = field(init=False)
    denoted: _Relation = field(init=False)

    def __post_init__(self) -> None:
        state, truth = z3.DeclareSort(f"State {self.name}"), z3.BoolSort()
        symbols = {
            "state": state,
            "start": z3.Const(f"start {self.name}", state),
            "final": z3.Const(f"final {self.name}", state),
            "place": z3.Function(f"place {self.name}", state, _WHOLE),
            "moves": z3.Function(f"moves {self.name}", state, _SITUATION, state, _SITUATION, truth),
            "runs": z3.Function(f"R {self.name}", _SITUATION, state, _SITUATION, truth),
            "denoted": z3.Function(f"D {self.name}", _SITUATION, _SITUATION, truth),
        }
        for name, symbol in symbols.items():
            object.__setattr__(self, name, symbol)

    def hypotheses(self) -> tuple[Formula, ...]:
        """Its runs are closed under its transitions, and it does what its expression says."""
        a, b = constants("a b", self.state)
        first = every(_X0, self.runs(_X0, self.start, _X0))
        reached = z3.And(self.runs(_X0, a, _X), self.moves(a, _X, b, _Y))
        closed = every(_X0, a, _X, b, _Y, z3.Implies(reached, self.runs(_X0, b, _Y)))
        exact = every(_X, _Y, self.denoted(_X, _Y) == self.runs(_X, self.final, _Y))
        return first, closed, exact

    def one_to_one(self) -> Formula:
        """No two of its states have one place."""
        a, b = constants("a b", self.state)
        return every(a, b, z3.Implies(self.place(a) == self.place(b), a == b))

    def inside(self, q: Term, x: Term, p: Term, y: Term) -> Formula:
        """A transition of this part, as one of the whole."""
        a, b = fresh(self.state, self.state)
        placed = z3.And(self.place(a) == q, self.place(b) == p)
        return some(a, b, z3.And(placed, self.moves(a, x, b, y)))

    def somewhere(self, q: Term, reached: Any) -> Formula:
        """`q` is the place of a state of which `reached` holds."""
        (a,) = fresh(self.state)
        return some(a, z3.And(self.place(a) == q, reached(a)))


_A: Final = _Fragment("A")
_B: Final = _Fragment("B")
_RUNS: Final = z3.Function("R", _SITUATION, _WHOLE, _SITUATION, z3.BoolSort())
"""What the whole can reach."""

_ROUNDS: Final = z3.Function("rounds", _SITUATION, _SITUATION, z3.BoolSort())
"""``D(a*)``."""


def _disjoint(keep_apart: bool) -> tuple[Formula, ...]:
    (a,), (b,) = constants("a", _A.state), constants("b", _B.state)
    added = every(a, z3.And(_A.place(a) != _BEGIN, _A.place(a) != _END))
    also = every(b, z3.And(_B.place(b) != _BEGIN, _B.place(b) != _END))
    apart = (every(a, b, _A.place(a) != _B.place(b)),) if keep_apart else ()
    return (_A.one_to_one(), _B.one_to_one(), _BEGIN != _END, added, also, *apart)


def _epsilon(source: Term, target: Term) -> Any:
    return lambda q, x, p, y: z3.And(q == source, p == target, x == y)


@dataclass(frozen=True)
class _Figure:
    """A figure: the transitions of the whole, what its runs are claimed to reach, its ends, its meaning."""

    name: str
    parts: tuple[_Fragment, ...]
    links: tuple[Any, ...]
    reach: Any
    start: Term
    final: Term
    meaning: Any
    more: tuple[Formula, ...] = ()

    def moves(self, q: Term, x: Term, p: Term, y: Term) -> Formula:
        inside = [part.inside(q, x, p, y) for part in self.parts]
        return z3.Or(*inside, *(link(q, x, p, y) for link in self.links))

    def forwards(self, hypotheses: tuple[Formula, ...]) -> Iterator[Obligation]:
        """What runs reach is as described."""
        yield Obligation(
            f"{self.name}, at the start", hypotheses, every(_X0, self.reach(_X0, self.start, _X0))
        )
        step = z3.Implies(
            z3.And(self.reach(_X0, _Q, _X), self.moves(_Q, _X, _P, _Y)), self.reach(_X0, _P, _Y)
        )
        yield Obligation(f"{self.name}, forwards", hypotheses, every(_X0, _Q, _X, _P, _Y, step))

    def closed(self) -> tuple[Formula, ...]:
        """The runs of the whole are closed under its transitions."""
        reached = z3.And(_RUNS(_X0, _Q, _X), self.moves(_Q, _X, _P, _Y))
        step = every(_X0, _Q, _X, _P, _Y, z3.Implies(reached, _RUNS(_X0, _P, _Y)))
        return every(_X0, _RUNS(_X0, self.start, _X0)), step

    def accepts(self, hypotheses: tuple[Formula, ...]) -> Obligation:
        """At the final state the description is the meaning."""
        same = every(_X0, _X, self.reach(_X0, self.final, _X) == self.meaning(_X0, _X))
        return Obligation(f"{self.name}, at the end", hypotheses, same)


def thompson(*, keep_apart: bool = True) -> Iterator[Obligation]:
    """The cases of the induction: union, concatenation and iteration."""
    known = (*_disjoint(keep_apart), *_A.hypotheses(), *_B.hypotheses())
    for figure in (_union(), _concatenation(), _star()):
        yield from figure.forwards((*known, *figure.more))
        yield figure.accepts((*known, *figure.more))
    yield from _backwards(_union(), known, (_A, _X0), (_B, _X0))
    yield from _backwards(_concatenation(), known, (_A, _X0), (_B, _Y))
    yield from _backwards(_star(), known, (_A, _Y))
    yield from _rounds_backwards(known)


def _union() -> _Figure:
    def reach(x0: Term, q: Term, x: Term) -> Formula:
        inside = [part.somewhere(q, lambda a, part=part: part.runs(x0, a, x)) for part in (_A, _B)]
        ended = z3.And(q == _END, z3.Or(_A.denoted(x0, x), _B.denoted(x0, x)))
        return z3.Or(z3.And(q == _BEGIN, x == x0), *inside, ended)

    starts = (_epsilon(_BEGIN, part.place(part.start)) for part in (_A, _B))
    ends = (_epsilon(part.place(part.final), _END) for part in (_A, _B))

    def meaning(x: Term, y: Term) -> Formula:
        return z3.Or(_A.denoted(x, y), _B.denoted(x, y))

    return _Figure("union", (_A, _B), (*starts, *ends), reach, _BEGIN, _END, meaning)


def _concatenation() -> _Figure:
    def reach(x0: Term, q: Term, x: Term) -> Formula:
        (z,) = fresh(_SITUATION)
        second = some(z, z3.And(_A.denoted(x0, z), _B.somewhere(q, lambda b: _B.runs(z, b, x))))
        return z3.Or(_A.somewhere(q, lambda a: _A.runs(x0, a, x)), second)

    def meaning(x: Term, y: Term) -> Formula:
        (z,) = fresh(_SITUATION)
        return some(z, z3.And(_A.denoted(x, z), _B.denoted(z, y)))

    link = _epsilon(_A.place(_A.final), _B.place(_B.start))
    ends = _A.place(_A.start), _B.place(_B.final)
    return _Figure("concatenation", (_A, _B), (link,), reach, *ends, meaning)


def _star() -> _Figure:
    def reach(x0: Term, q: Term, x: Term) -> Formula:
        (z,) = fresh(_SITUATION)
        inside = some(z, z3.And(_ROUNDS(x0, z), _A.somewhere(q, lambda a: _A.runs(z, a, x))))
        ended = z3.And(q == _END, _ROUNDS(x0, x))
        return z3.Or(z3.And(q == _BEGIN, x == x0), inside, ended)

    begin, end = _A.place(_A.start), _A.place(_A.final)
    links = (_epsilon(_BEGIN, begin), _epsilon(_BEGIN, _END), _epsilon(end, begin), _epsilon(end, _END))
    none = every(_X, _ROUNDS(_X, _X))
    more = z3.Implies(z3.And(_ROUNDS(_X, _Y), _A.denoted(_Y, _Z)), _ROUNDS(_X, _Z))
    repeated = (none, every(_X, _Y, _Z, more))
    return _Figure("iteration", (_A,), links, reach, _BEGIN, _END, _ROUNDS, repeated)


def _backwards(
    figure: _Figure, known: tuple[Formula, ...], *parts: tuple[_Fragment, Term]
) -> Iterator[Obligation]:
    """Where the whole reaches the start of a part it does all that the part does, one transition more."""
    for part, since in parts:
        a, b = constants("a b", part.state)
        does = z3.Implies(part.runs(since, a, _X), _RUNS(_X0, part.place(a), _X))
        step = z3.And(part.runs(since, a, _X), part.moves(a, _X, b, _Z))
        also = z3.Implies(step, _RUNS(_X0, part.place(b), _Z))
        hypotheses = (*known, *figure.closed(), *figure.more, every(a, _X, does))
        yield Obligation(f"{figure.name}, backwards in {part.name}", hypotheses, every(a, _X, b, _Z, also))
    if figure.name != "iteration":
        yield _joined_backwards(figure, known, parts)


def _joined_backwards(
    figure: _Figure, known: tuple[Formula, ...], parts: tuple[tuple[_Fragment, Term], ...]
) -> Obligation:
    """What the expression means is reached, given that the parts are done where their starts are reached."""
    done = []
    for part, _ in parts:
        (a,) = constants("a", part.state)
        reached = z3.And(_RUNS(_X0, part.place(part.start), _Y), part.runs(_Y, a, _X))
        done.append(every(_X0, _Y, a, _X, z3.Implies(reached, _RUNS(_X0, part.place(a), _X))))
    goal = every(_X0, _X, z3.Implies(figure.meaning(_X0, _X), _RUNS(_X0, figure.final, _X)))
    return Obligation(f"{figure.name}, backwards", (*known, *figure.closed(), *done), goal)


def _rounds_backwards(known: tuple[Formula, ...]) -> Iterator[Obligation]:
    """After any number of rounds the whole can be at its end and at the start of another one."""
    star = _star()
    (a,) = constants("a", _A.state)
    reached = z3.And(_RUNS(_X0, _A.place(_A.start), _Y), _A.runs(_Y, a, _X))
    done = every(_X0, _Y, a, _X, z3.Implies(reached, _RUNS(_X0, _A.place(a), _X)))

    def ready(x: Term) -> Formula:
        return z3.And(_RUNS(_X0, _A.place(_A.start), x), _RUNS(_X0, _END, x))

    hypotheses = (*known, *star.closed(), done)
    yield Obligation("iteration, backwards, no round", hypotheses, every(_X0, ready(_X0)))
    once_more = z3.Implies(z3.And(ready(_Y), _A.denoted(_Y, _Z)), ready(_Z))
    yield Obligation("iteration, backwards, one more round", hypotheses, every(_X0, _Y, _Z, once_more))


INDUCTION: Final = Induction(
    "fragments do what Def. 17 says, by induction on the expression and on runs",
    thompson,
    reading=Reading.REPAIRED,
)
