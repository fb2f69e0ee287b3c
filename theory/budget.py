"""What a construction or a decision may cost: stated once, counted in one place.

Automata can grow exponentially, and a solver can think for hours. Whatever can blow up counts what it does
here, and stops with a `LimitError` that says how far it came. A budget covers everything that its
block does, however deep:

>>> from mnemata.theory.budget import Budget, spending
>>> with spending(Budget(states=100)) as spent:
...     spent.size(3, 7)
>>> str(spent).startswith("3 states, 7 transitions, 0 solver calls")
True
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Final

from mnemata.theory.errors import LimitError


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a construction or a decision may cost.

    Parameters
    ----------
    states : int
        Of any one automaton on the way. What a symbolic run can reach counts as a state too.
    transitions : int
        Of any one automaton on the way.
    seconds : float
        In total, the solver's included. Each call of the solver has a bound of its own besides.
    """

    states: int = 1_000_000
    transitions: int = 1_000_000
    seconds: float = math.inf

    def __post_init__(self) -> None:
        for name in ("states", "transitions", "seconds"):
            given = getattr(self, name)
            if not given > 0:
                raise LimitError(f"a budget needs more than 0 {name}, got {given}")


class Spending:
    """What has been spent of a budget.

    Attributes
    ----------
    budget : Budget
        What may be spent.
    states, transitions : int
        Size of the automaton that was worked on last.
    calls : int
        Calls of the solver.
    """

    __slots__ = ("_deadline", "_start", "budget", "calls", "states", "transitions")

    def __init__(self, budget: Budget, deadline: float = math.inf) -> None:
        self._start = monotonic()
        self._deadline = min(deadline, self._start + budget.seconds)
        self.budget, self.states, self.transitions, self.calls = budget, 0, 0, 0

    @property
    def seconds(self) -> float:
        """Time since the block began."""
        return monotonic() - self._start

    def __str__(self) -> str:
        counted = ((self.states, "state"), (self.transitions, "transition"), (self.calls, "solver call"))
        counts = (f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in counted)
        return f"{', '.join(counts)}, {self.seconds:.1f} s"

    def size(self, states: int, transitions: int) -> None:
        """The automaton under construction is this large now; raises `LimitError` when that is too much."""
        self.states, self.transitions = states, transitions
        for reached, most, noun in (
            (states, self.budget.states, "states"),
            (transitions, self.budget.transitions, "transitions"),
        ):
            if reached > most:
                raise LimitError(
                    f"the limit of {most:,} {noun} was reached ({self}); shorten the pattern, its "
                    f"repetitions {{m,n}} or its window, or allow more {noun}"
                )
        self.check()

    def check(self) -> None:
        """Raise `LimitError` when the time is over."""
        if monotonic() > self._deadline:
            allowed = round(self._deadline - self._start, 3)
            raise LimitError(
                f"the limit of {allowed:g} s was reached ({self}); shorten the pattern or its window, or "
                "allow more time"
            )

    def solver_call(self, most_ms: int) -> int:
        """Count a call of the solver; returns how many milliseconds it may take, at most `most_ms`."""
        self.check()
        self.calls += 1
        left = self._deadline - monotonic()
        return most_ms if left > most_ms / 1000 else max(1, math.ceil(left * 1000))

    def within(self, budget: Budget) -> Spending:
        """What is spent by a part of the work that has a budget of its own."""
        mine = self.budget
        narrower = Budget(
            min(mine.states, budget.states), min(mine.transitions, budget.transitions), budget.seconds
        )
        return Spending(narrower, self._deadline)


_current: Final[ContextVar[Spending | None]] = ContextVar("spending", default=None)


def current() -> Spending:
    """What is being spent by the innermost block; where there is none, a budget without a bound on time."""
    return _current.get() or Spending(Budget())


@contextmanager
def spending(budget: Budget | None = None) -> Iterator[Spending]:
    """Count what the block costs.

    Parameters
    ----------
    budget : Budget, optional
        What it may cost. A block inside another is bound by both budgets; without a budget of its own it
        spends from the other's.

    Raises
    ------
    LimitError
        From inside the block, when the budget is spent.
    """
    outer = _current.get()
    if budget is None and outer is not None:
        yield outer
        return
    spent = Spending(budget or Budget()) if outer is None else outer.within(budget or Budget())
    token = _current.set(spent)
    try:
        yield spent
    finally:
        _current.reset(token)
        if outer is not None:
            outer.calls += spent.calls
