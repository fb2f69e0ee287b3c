"""Budgets: what is counted, and how it ends."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from mnemata.theory.budget import Budget, current, spending
from mnemata.theory.conditions.building import head
from mnemata.theory.errors import LimitError
from mnemata.theory.satisfiability import minterms, satisfiable
from mnemata.theory.schema import Int64, Schema

NUMBERS = Schema.of(x=Int64(), y=Int64(), z=Int64())
_u = head(NUMBERS)
# Whether 33 + z**3 is a sum of two large cubes keeps a solver busy.
HARD = (_u.x * _u.x * _u.x + _u.y * _u.y * _u.y == _u.z * _u.z * _u.z + 33) & (_u.x > 1000) & (_u.y > 1000)


@pytest.mark.parametrize("name", ["states", "transitions", "seconds"])
def test_a_budget_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(LimitError, match=f"more than 0 {name}, got 0"):
        Budget(**{name: 0})


def test_the_size_reached_is_in_the_message() -> None:
    message = (
        r"limit of 10 states was reached \(11 states, 20 transitions, 0 solver calls, .* allow more states"
    )
    with spending(Budget(states=10)) as spent, pytest.raises(LimitError, match=message):
        spent.size(11, 20)
    with (
        spending(Budget(transitions=19)) as spent,
        pytest.raises(LimitError, match="limit of 19 transitions"),
    ):
        spent.size(10, 20)


def test_a_block_without_a_budget_spends_from_the_one_around_it() -> None:
    with spending(Budget(states=10)) as outer:
        with spending() as inner:
            assert inner is outer
        assert current() is outer
    assert current() is not outer


def test_a_block_inside_another_is_bound_by_both() -> None:
    with spending(Budget(states=10, seconds=0.01)), spending(Budget(states=20, seconds=60)) as inner:
        assert inner.budget.states == 10
        with pytest.raises(LimitError, match="11 states"):
            inner.size(11, 0)
        time.sleep(0.02)
        with pytest.raises(LimitError, match=r"limit of 0\.01 s was reached"):
            inner.check()


def test_calls_of_a_part_count_for_the_whole() -> None:
    with spending() as outer:
        with spending(Budget(states=5)):
            satisfiable(_u.x > 1, NUMBERS)
        assert outer.calls == 1


def test_the_time_of_all_solver_calls_together_is_bounded() -> None:
    start = time.monotonic()

    def ask_often() -> None:
        for k in range(100):
            satisfiable(HARD & (_u.z > k), NUMBERS)

    with spending(Budget(seconds=0.3)), pytest.raises(LimitError, match="solver call"):
        ask_often()
    assert time.monotonic() - start < 5


def test_a_search_for_minterms_stops_instead_of_keeping_what_it_could_not_decide() -> None:
    with spending(Budget(seconds=0.2)), pytest.raises(LimitError, match=r"limit of 0\.2 s"):
        minterms([HARD & (_u.z > k) for k in range(8)], NUMBERS)


def test_an_interruption_while_the_solver_works_is_not_mistaken_for_a_timeout() -> None:
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        satisfiable(HARD, NUMBERS)
    timer.join()
