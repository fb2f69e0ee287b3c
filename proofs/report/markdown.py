"""The report in Markdown: one page, with the pictures in a folder beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mnemata.proofs.evidence import Effort, Outcome
from mnemata.proofs.mutation.table import HEADER, rows, score, survivors
from mnemata.proofs.mutation.trials import Trial
from mnemata.proofs.report.accounts import Account, Weighing
from mnemata.proofs.report.specimens import Specimen
from mnemata.proofs.report.summary import counted, evidence_text, left_out_text
from mnemata.proofs.report.tables import prose, table

TITLE: Final = "What the papers prove, checked by machine"
MUTANTS_TITLE: Final = "The check of the checkers"
MUTANTS_ABOUT: Final = (
    "Constructions broken on purpose, one small mistake at a time; the searches and bounded proofs above "
    "should notice."
)


def markdown(accounts: Sequence[Account], effort: Effort, trials: Sequence[Trial] = ()) -> str:
    """The whole report; pictures are named as by `picture_files`."""
    lines = [f"# {TITLE}", "", f"{counted(accounts)}.", "", effort_text(effort), ""]
    header = ("result", "about", "verdict", "evidence", "errata", "s")
    overview = (
        (
            f"[{one.paper} {one.place}](#{one.id})",
            prose(one.title),
            verdict_text(one),
            "; ".join(filter(None, (evidence_text(one), left_out_text(one)))),
            ", ".join(one.errata),
            f"{one.seconds:.1f}",
        )
        for one in accounts
    )
    lines += [*table(header, overview), ""]
    for one in accounts:
        lines += _section(one)
    lines += _mutants(trials)
    return "\n".join(lines).rstrip() + "\n"


def picture_files(accounts: Iterable[Account]) -> dict[str, str]:
    """The names of all pictures, and their contents."""
    return {
        f"pictures/{picture_name(one.id, i, j)}": picture.svg
        for one in accounts
        for i, weighing in enumerate(one.weighings)
        if weighing.specimen is not None
        for j, picture in enumerate(weighing.specimen.pictures)
        if picture.svg
    }


def picture_name(name: str, evidence: int, picture: int) -> str:
    """``srt-theorem-27-1.svg``: the name of a picture, by its result and evidence."""
    return f"{name}-{evidence + 1}{chr(ord('a') + picture)}.svg"


def effort_text(effort: Effort) -> str:
    """How much was tried, in a sentence."""
    return (
        f"Claims that hold were tried on {effort.tries:,} generated instances each (seed {effort.seed}); "
        f"for counterexamples there were up to {effort.searches} searches of {effort.tries_per_search:,} "
        "instances. "
        f"Bounded proofs are about strings of up to {effort.length} events and, where they are exhaustive, "
        f"expressions of up to {effort.parts} parts; Z3 had {effort.timeout_ms / 1000:g} s for each formula."
    )


def verdict_text(account: Account) -> str:
    """The verdict, and what it should have been if it is another."""
    if account.standing in (None, account.expected):
        return account.verdict
    return f"{account.verdict} (expected: {account.expected.value})"


def _section(account: Account) -> Iterator[str]:
    yield f'<a id="{account.id}"></a>'
    yield ""
    yield f"## {account.paper} {account.place}: {prose(account.title)}"
    yield ""
    about = [f"**{verdict_text(account)}**", left_out_text(account)]
    about += [f"errata {', '.join(account.errata)}"] if account.errata else []
    yield "; ".join(filter(None, about))
    yield ""
    yield prose(account.statement)
    yield from ("", "$$", account.latex, "$$", "")
    if account.constructions:
        yield f"Constructions: {', '.join(f'`{name}`' for name in account.constructions)}"
        yield ""
    if account.weighings:
        header = ("evidence", "reading", "claim", "outcome", "tried, or size")
        yield from table(header, (_row(one) for one in account.weighings))
        yield ""
    if account.remark:
        yield from (prose(account.remark), "")
    for i, one in enumerate(account.weighings):
        if one.specimen is not None:
            yield from _specimen(account.id, i, one, one.specimen)


def _row(one: Weighing) -> tuple[str, ...]:
    name = f"{one.name} ({one.source})" if one.source else one.name
    return one.strength.value, one.reading.value, prose(name), outcome_text(one), one.numbers


def outcome_text(one: Weighing) -> str:
    """What a piece of evidence shows, in a word or two."""
    if one.outcome is Outcome.FAILS:
        return "counterexample" if one.specimen is not None else "fails"
    return str(one.outcome.value)


def _specimen(name: str, number: int, one: Weighing, found: Specimen) -> Iterator[str]:
    yield f"### A counterexample to “{prose(one.name)}”"
    yield ""
    yield from (f"- {kind}: {code(text)}" for kind, text in found.parts)
    if found.parts:
        yield ""
    for stream in found.streams:
        yield from table((stream.title, *stream.columns[1:]), stream.rows)
        yield ""
    yield from (f"- {kind}: {code(text)}" for kind, text in found.verdicts)
    if found.expected or found.found:
        yield ""
    for j, picture in enumerate(found.pictures):
        yield from (f"*{prose(picture.caption)}*", "")
        if picture.svg:
            yield from (f"![{prose(picture.caption)}](pictures/{picture_name(name, number, j)})", "")


def _mutants(trials: Sequence[Trial]) -> Iterator[str]:
    if trials:
        yield from (f"## {MUTANTS_TITLE}", "", MUTANTS_ABOUT, "", f"{score(trials)}.", "")
        yield from table(HEADER, rows(trials))
        yield ""
        yield from (f"- `{name}`: {reason}." for name, reason in survivors(trials))


def code(text: str) -> str:
    """A text as code, whatever backticks it has."""
    longest = max((len(run[0]) for run in re.finditer("`+", text)), default=0)
    fence = "`" * int(longest + 1)
    return f"{fence} {text} {fence}" if longest else f"`{text}`"
