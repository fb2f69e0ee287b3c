"""Budgets of commands that reason, and what they show while they think."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from mnemata.theory.budget import Budget, Spending, spending

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

MOST_STATES: Final = 100_000
SECONDS: Final = 60.0
_TRANSITIONS_PER_STATE: Final = 10
_SECONDS_BETWEEN_LINES: Final = 10.0


@contextmanager
def thinking(what: str, most_states: int, seconds: float, *, quiet: bool) -> Iterator[Spending]:
    """A block with a budget, whose spending is shown: on a terminal as it changes, elsewhere now and then."""
    from rich.console import Console

    budget = Budget(most_states, most_states * _TRANSITIONS_PER_STATE, seconds)
    console = Console(stderr=True, highlight=False)
    with spending(budget) as spent:
        if quiet:
            yield spent
        elif console.is_terminal:
            with console.status(_Shown(what, spent)):
                yield spent
        else:
            with _lines(what, spent, console):
                yield spent


class _Shown:
    """What has been spent, at the moment when it is drawn."""

    def __init__(self, what: str, spent: Spending) -> None:
        self._what, self._spent = what, spent

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(f"{self._what}: {self._spent}")


@contextmanager
def _lines(what: str, spent: Spending, console: Console) -> Iterator[None]:
    ended = threading.Event()

    def report() -> None:
        while not ended.wait(_SECONDS_BETWEEN_LINES):
            console.print(f"{what}: {spent}")

    thread = threading.Thread(target=report, daemon=True, name="mnemata-thinking")
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
