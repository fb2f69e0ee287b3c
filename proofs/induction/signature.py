"""The sorts and symbols in which one step of a run is written.

Everything is uninterpreted: states, transitions, registers, what registers hold, sets of marks. So what Z3
shows holds of all automata over all conditions and events, of any size. What is interpreted is only what the
definitions say: a transition fires if its guard holds, it writes the event it read to some registers and
leaves the others, and it adds the position of the event to the marks or not.

An induction over the length of a string goes from a prefix to the prefix with one event more. Valuations and
marks *before* and *after* that event have sorts of their own, so that no symbol leads from a sort back to
itself and quantified definitions stay decidable in practice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import z3

Formula: TypeAlias = Any
Term: TypeAlias = Any
Sort: TypeAlias = Any
Reached: TypeAlias = Callable[[Term, Term, Term], Formula]
"""Whether a run over a prefix can be in a state, with a valuation and marks."""

REGISTER: Final[Sort] = z3.DeclareSort("Register")
CONTENT: Final[Sort] = z3.DeclareSort("Content")
EMPTY: Final[Term] = z3.Const("nothing", CONTENT)
"""What an empty register holds."""

EVENT: Final[Term] = z3.Const("event", CONTENT)
"""The event that is read in the step."""


@dataclass(frozen=True)
class Moment:
    """Before or after the event: sorts of valuations and sets of marks, and what registers hold."""

    name: str
    register: Sort = REGISTER
    valuation: Sort = field(init=False)
    marks: Sort = field(init=False)
    content: Any = field(init=False)

    def __post_init__(self) -> None:
        valuation = z3.DeclareSort(f"Valuation {self.name}")
        object.__setattr__(self, "valuation", valuation)
        object.__setattr__(self, "marks", z3.DeclareSort(f"Marks {self.name}"))
        content = z3.Function(f"content {self.name}", valuation, self.register, CONTENT)
        object.__setattr__(self, "content", content)

    def reached(self, name: str, state: Sort) -> Reached:
        """What some automaton can have reached at this moment: an uninterpreted relation."""
        relation: Reached = z3.Function(name, state, self.valuation, self.marks, z3.BoolSort())
        return relation

    def extensional(self) -> Formula:
        """Valuations that agree on all registers are one."""
        v, w, r = fresh(self.valuation, self.valuation, self.register)
        alike = every(r, self.content(v, r) == self.content(w, r))
        return every(v, w, z3.Implies(alike, v == w))

    def agree(self, v: Term, w: Term, among: Callable[[Term], Formula]) -> Formula:
        """Two valuations agree on some registers."""
        (r,) = fresh(self.register)
        return every(r, z3.Implies(among(r), self.content(v, r) == self.content(w, r)))

    def empty(self, v: Term, among: Callable[[Term], Formula] = lambda _: z3.BoolVal(True)) -> Formula:
        """Some registers, or all of them, are empty."""
        (r,) = fresh(self.register)
        return every(r, z3.Implies(among(r), self.content(v, r) == EMPTY))

    def valuations(self, names: str) -> list[Term]:
        """Variables for valuations."""
        return constants(names, self.valuation)

    def marked(self, names: str) -> list[Term]:
        """Variables for sets of marks."""
        return constants(names, self.marks)


BEFORE: Final = Moment("before")
AFTER: Final = Moment("after")

EXTENDED: Final = z3.Function("extended", BEFORE.marks, z3.BoolSort(), AFTER.marks)
"""A set of marks with the position of the event, or without."""


def positions_are_new() -> Formula:
    """Marks before the event do not contain its position: what was added can be told from the result."""
    m, n = BEFORE.marked("m n")
    one, other = z3.Bools("one other")
    same = z3.And(m == n, one == other)
    return every(m, n, one, other, z3.Implies(EXTENDED(m, one) == EXTENDED(n, other), same))


@dataclass(frozen=True)
class Automaton:
    """An automaton: uninterpreted states and transitions, and what a transition is made of (Def. 21)."""

    name: str
    state: Sort = field(init=False)
    transition: Sort = field(init=False)
    start: Term = field(init=False)
    final: Any = field(init=False)
    source: Any = field(init=False)
    target: Any = field(init=False)
    guard: Any = field(init=False)
    marks: Any = field(init=False)
    writes: Any = field(init=False)
    write: Any = field(init=False)

    def __post_init__(self) -> None:
        state = z3.DeclareSort(f"State {self.name}")
        transition = z3.DeclareSort(f"Transition {self.name}")
        symbols = {
            "state": state,
            "transition": transition,
            "start": z3.Const(f"start {self.name}", state),
            "final": self._symbol("final", state, z3.BoolSort()),
            "source": self._symbol("source", transition, state),
            "target": self._symbol("target", transition, state),
            "guard": self._symbol("guard", transition, BEFORE.valuation, z3.BoolSort()),
            "marks": self._symbol("marks", transition, z3.BoolSort()),
            "writes": self._symbol("writes", transition, REGISTER, z3.BoolSort()),
            "write": self._symbol("write", transition, BEFORE.valuation, AFTER.valuation),
        }
        for name, symbol in symbols.items():
            object.__setattr__(self, name, symbol)

    def _symbol(self, name: str, *signature: Sort) -> Any:
        return z3.Function(f"{name} {self.name}", *signature)

    def states(self, names: str) -> list[Term]:
        """Variables for states."""
        return constants(names, self.state)

    def transitions(self, names: str) -> list[Term]:
        """Variables for transitions."""
        return constants(names, self.transition)

    def writing(self) -> Formula:
        """Registers written hold the event, the others what they held."""
        (t,), (v,), (r,) = self.transitions("t"), BEFORE.valuations("v"), constants("r", REGISTER)
        held = z3.If(self.writes(t, r), EVENT, BEFORE.content(v, r))
        return every(t, v, r, AFTER.content(self.write(t, v), r) == held)

    def fired(self, reached: Reached, t: Term, v: Term, m: Term) -> Formula:
        """Some run that is at the source of a transition, with `v` and `m`, can take it."""
        return z3.And(reached(self.source(t), v, m), self.guard(t, v))

    def stepped(self, reached: Reached) -> Reached:
        """What is reached after one more event (Def. 24)."""

        def after(q: Term, w: Term, marks: Term) -> Formula:
            t, v, m = fresh(self.transition, BEFORE.valuation, BEFORE.marks)
            led = z3.And(self.target(t) == q, self.write(t, v) == w, EXTENDED(m, self.marks(t)) == marks)
            return some(t, v, m, z3.And(self.fired(reached, t, v, m), led))

        return after


def constants(names: str, sort: Sort) -> list[Term]:
    """Variables of a sort."""
    return [z3.Const(name, sort) for name in names.split()]


def fresh(*sorts: Sort) -> list[Term]:
    """New variables, one of each sort, for what a formula about other terms binds: none is captured."""
    return [z3.FreshConst(sort) for sort in sorts]


def every(*bound: Term) -> Formula:
    """``for all``: variables first, the formula last."""
    return z3.ForAll(list(bound[:-1]), bound[-1])


def some(*bound: Term) -> Formula:
    """``there is``: variables first, the formula last."""
    return z3.Exists(list(bound[:-1]), bound[-1])
