"""Accounts in a line: evidence with numbers, and how many results hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mnemata.proofs.evidence import Outcome, Strength
from mnemata.proofs.report.accounts import Account, Weighing
from mnemata.proofs.report.wording import amount
from mnemata.proofs.results import Standing


def evidence_text(account: Account) -> str:
    """All evidence of an account: ``search: 2 counterexamples, 150 instances; bounded: 402 formulas``."""
    parts = []
    for strength in Strength:
        some = [one for one in account.weighings if one.strength is strength]
        if some:
            parts.append(f"{strength.value}: {', '.join(_counted(some))}")
    return "; ".join(parts)


def _counted(some: Sequence[Weighing]) -> Iterator[str]:
    broken = sum(one.outcome is Outcome.FAILS for one in some)
    if broken:
        yield amount(broken, "counterexamples")
    held: Counter[str] = Counter()
    for one in some:
        if one.outcome is Outcome.HOLDS:
            held[one.detail] += one.tried
    yield from (amount(number, detail) for detail, number in held.items())
    undecided = sum(one.outcome is Outcome.UNKNOWN for one in some)
    if undecided:
        yield f"{undecided} unknown"


def left_out_text(account: Account) -> str:
    """What was not asked for: ``left out: 2 search, 1 bounded``; nothing if nothing was."""
    counts = Counter(account.left_out)
    named = ", ".join(f"{number} {strength}" for strength, number in counts.items())
    return f"left out: {named}" if named else ""


def counted(accounts: Sequence[Account]) -> str:
    """How many results came out how."""
    standings = Counter(one.standing for one in accounts)
    parts = [f"{standings[standing]} {standing.value}" for standing in Standing if standings[standing]]
    if standings[None]:
        parts.append(f"{standings[None]} in part or not weighed")
    return f"{amount(len(accounts), 'results')}: {', '.join(parts)}"


def unexpected(accounts: Iterable[Account]) -> list[Account]:
    """The accounts in which something came out otherwise than known."""
    return [one for one in accounts if not one.as_expected]


def why_unexpected(account: Account) -> Iterator[str]:
    """What came out otherwise, a line for each."""
    if account.standing not in (None, account.expected):
        verdict = account.verdict
        yield f"{account.id}: {verdict}, but expected was: {account.expected.value}"
    for one in account.weighings:
        if not one.fits:
            found = f" ({one.numbers})" if one.numbers else ""
            kind = f"{one.strength.value}, {one.reading.value}"
            yield f"{account.id}: {kind}: {one.name}: {one.outcome.value}{found}"
