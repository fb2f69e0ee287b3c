"""Processor time, measured so that what else the machine does matters little."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

Run: TypeAlias = Callable[[], object]

LEAST_SECONDS: Final = 0.02
"""Runs shorter than this are repeated within one measurement, because the clock is coarse."""


def seconds(run: Run) -> float:
    """The processor time of one run, over as many as it takes to measure it."""
    times, spent = 1, 0.0
    while True:
        begin = time.process_time()
        for _ in range(times):
            run()
        spent = time.process_time() - begin
        if spent >= LEAST_SECONDS:
            return spent / times
        times = max(2 * times, int(1.2 * times * LEAST_SECONDS / max(spent, 1e-6)))


def least_seconds(runs: Sequence[Run], repetitions: int = 3) -> list[float]:
    """The least processor time of each run; they take turns, so that all see the machine at the same time.

    Each runs once before anything is measured: machine code is made or loaded then.
    """
    for run in runs:
        run()
    rounds = [[seconds(run) for run in runs] for _ in range(repetitions)]
    return [min(times) for times in zip(*rounds, strict=True)]


def slope(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The exponent with which costs grow, by least squares: 0 does not grow, 1 grows in proportion.

    >>> round(slope([1, 10, 100], [3, 30, 300]), 6)
    1.0
    """
    x, y = np.log(sizes), np.log(costs)
    x, y = x - x.mean(), y - y.mean()
    return float((x * y).sum() / (x * x).sum())
