"""What ``mnemata prove`` prints: results and mutants, a row for each as soon as it is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mnemata.proofs.evidence import Evidence
from mnemata.proofs.mutation.table import caught_by, score, survivors
from mnemata.proofs.mutation.trials import Trial
from mnemata.proofs.report.accounts import Account
from mnemata.proofs.report.summary import (
    counted,
    evidence_text,
    left_out_text,
    unexpected,
    why_unexpected,
)
from mnemata.proofs.results import Result, Standing

T = TypeVar("T")

_COLOURS: Final = {
    Standing.HOLDS: "green",
    Standing.REPAIRED: "yellow",
    Standing.REFUTED: "magenta",
    Standing.UNKNOWN: "bright_black",
    None: "bright_black",
}
_VERDICT: Final = 19
_TIME: Final = 9
_WIDE: Final = 10_000
"""Where there is no terminal lines are as long as they are."""


class Ledger:
    """Rows under one another, each printed as soon as it is known.

    Parameters
    ----------
    names : sequence of str
        Of all rows, so that the first column is wide enough from the beginning.
    quiet : bool
        Do not say what is waited for. That is never said where there is no terminal.
    """

    def __init__(self, names: Sequence[str], *, quiet: bool = False) -> None:
        console = Console(highlight=False, markup=False)
        terminal = console.is_terminal
        self._console = console if terminal else Console(highlight=False, markup=False, width=_WIDE)
        self._names, self._quiet = names, quiet or not terminal
        self._width = max(map(len, names), default=0)

    def follow(self, found: Iterable[T], what: str) -> Iterator[T]:
        """Pass on what is found, one thing for each name; the last line says which is waited for."""
        if self._quiet:
            yield from found
            return
        with self._console.status("") as status:
            waiting = iter(found)
            for number, name in enumerate(self._names):
                status.update(Text(f"{what} {number + 1} of {len(self._names)}: {name}"))
                yield from _first(waiting)

    def row(self, name: str, verdict: Text, time: str, about: str) -> None:
        """A row: a name, what came of it, how long that took, and why."""
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=self._width, no_wrap=True)
        table.add_column(width=_VERDICT, no_wrap=True)
        table.add_column(width=_TIME, no_wrap=True, justify="right")
        table.add_column(overflow="fold")
        table.add_row(name, verdict, time, about)
        self._console.print(table)

    def line(self, text: str = "", style: str = "") -> None:
        """A line of its own."""
        self._console.print(Text(text, style))


def _first(waiting: Iterator[T]) -> Iterator[T]:
    for one in waiting:
        yield one
        return


def show_account(ledger: Ledger, account: Account) -> None:
    """The row of a result that was weighed."""
    colour = _COLOURS[account.standing] if account.as_expected else "bold red"
    about = "; ".join(filter(None, (evidence_text(account), left_out_text(account))))
    ledger.row(account.id, Text(account.verdict, colour), f"{account.seconds:,.1f} s", about)


def show_total(ledger: Ledger, accounts: Sequence[Account]) -> None:
    """What all results amount to, and what came out otherwise than known."""
    ledger.line()
    ledger.line(counted(accounts))
    left_out = sum(len(account.left_out) for account in accounts)
    if left_out:
        ledger.line(
            f"{left_out} pieces of evidence were left out, as asked; results that have some of them get no "
            "verdict"
        )
    wrong = unexpected(accounts)
    if wrong:
        ledger.line(f"not as expected: {', '.join(account.id for account in wrong)}", "bold red")
        for account in wrong:
            for line in why_unexpected(account):
                ledger.line(f"  {line}")


def show_trial(ledger: Ledger, trial: Trial) -> None:
    """The row of a mutant."""
    word = "caught" if trial.caught else "survived"
    colour = "bold red" if not trial.as_expected else "green" if trial.caught else "bright_black"
    ledger.row(trial.mutant.name, Text(word, colour), f"{trial.seconds:,.1f} s", caught_by(trial))


def show_score(ledger: Ledger, trials: Sequence[Trial]) -> None:
    """How many mutants were caught, and why the others were not."""
    ledger.line()
    ledger.line(score(trials), "" if all(trial.as_expected for trial in trials) else "bold red")
    for name, reason in survivors(trials):
        ledger.line(f"  {name}: {reason}")


def show_list(results: Sequence[Result]) -> None:
    """The results by name, with what they are known to amount to and the kinds of their evidence."""
    ledger = Ledger([result.id for result in results])
    for result in results:
        verdict = Text(result.expected.value, _COLOURS[result.expected])
        errata = f" ({', '.join(result.errata)})" if result.errata else ""
        ledger.row(result.id, verdict, "", f"{result.title}{errata}; {kinds(result.evidence)}")


def kinds(evidence: Iterable[Evidence]) -> str:
    """The kinds of some evidence, weakest first: ``search, bounded``."""
    return ", ".join(dict.fromkeys(one.strength.value for one in evidence))
