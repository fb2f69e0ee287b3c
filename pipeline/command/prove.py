"""``mnemata prove``: the papers' results, weighed anew."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from mnemata.pipeline.command import arguments as given

if TYPE_CHECKING:
    from mnemata.proofs.evidence import Effort, Strength
    from mnemata.proofs.mutation.trials import Trial
    from mnemata.proofs.report.accounts import Account
    from mnemata.proofs.results import Result

_STRENGTHS: Final = ("search", "bounded", "induction", "adversary")
"""What `mnemata.proofs.evidence.Strength` has, known without importing it."""


class Size(StrEnum):
    """How much may be tried."""

    SMALL = "small"
    DEEP = "deep"


def prove(
    results: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RESULT]...",
            help="Results by name, or by the beginning of names: srt-theorem-27, srt-algorithm, cel. "
            "All by default.",
            show_default=False,
        ),
    ] = None,
    evidence: Annotated[
        str | None,
        typer.Option(
            "--evidence",
            metavar="KINDS",
            help="Only evidence of these kinds, separated by commas: search, bounded, induction, adversary.",
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        Size,
        typer.Option(
            "--size", help="How much is tried: small takes seconds for each result, deep up to minutes."
        ),
    ] = Size.SMALL,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="DIR",
            help="Write a report with pictures of counterexamples into this folder, in HTML and Markdown.",
            rich_help_panel="Output",
            show_default=False,
        ),
    ] = None,
    mutants: Annotated[
        bool,
        typer.Option(
            "--mutants",
            help="Check the checks, too: break constructions on purpose; does the evidence notice?",
        ),
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", min=1, help="How many processes share the work.")
    ] = 1,
    listing: Annotated[
        bool, typer.Option("--list", help="List the results instead, with what is known of them.")
    ] = False,
    as_json: given.AsJson = False,
    quiet: given.Quiet = False,
) -> None:
    """Weigh the evidence for what the papers state: theorems, lemmas, definitions, algorithms.

    Each result holds as stated, holds as repaired, is refuted, or its standing is unknown. Four kinds of
    evidence speak for or against it:

    - **search**: generated instances, and a smallest one that breaks the claim

    - **bounded**: proofs by Z3 for all attribute values, up to a length of strings

    - **induction**: proofs by Z3 of the steps of an induction, without bounds

    - **adversary**: for what is claimed not to exist, a program that defeats every candidate

    A result of which some evidence is left out gets no verdict. Exit code 1 when something came out
    otherwise than it is known to.

    **Examples**

    - `mnemata prove srt-theorem-27 srt-lemma-29`

    - `mnemata prove srt --evidence search,bounded --report report`
    """
    from mnemata.proofs.registry import chosen
    from mnemata.proofs.registry import results as registered

    strengths = _strengths(evidence)
    picked = chosen(results) if results else registered()
    if listing:
        _list(picked, as_json=as_json)
        return
    if report is not None:
        from mnemata.proofs.report.folder import prepared

        prepared(report)
    run = _Run(picked, strengths, size, jobs, silent=as_json, quiet=quiet)
    accounts = run.accounts(pictures=report is not None)
    trials = run.trials() if mutants else []
    if report is not None:
        from mnemata.proofs.report.folder import write_report

        for path in write_report(report, accounts, run.effort, trials):
            typer.echo(f"wrote {path}", err=as_json)
    if as_json:
        typer.echo(_json(accounts, trials, mutants=mutants))
    if not (all(one.as_expected for one in accounts) and all(one.as_expected for one in trials)):
        raise typer.Exit(1)


def _strengths(text: str | None) -> Collection[Strength]:
    """The kinds of evidence that are named; all when none are."""
    from mnemata.proofs.evidence import Strength
    from mnemata.theory.errors import suggestion

    if text is None:
        return tuple(Strength)
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in _STRENGTHS:
            known = ", ".join(_STRENGTHS)
            raise typer.BadParameter(
                f"'{name}' is no kind of evidence; there are {known}.{suggestion(name, _STRENGTHS)}",
                param_hint="--evidence",
            )
    if not names:
        raise typer.BadParameter("name at least one kind of evidence", param_hint="--evidence")
    return tuple(Strength(name) for name in names)


class _Run:
    """One run over some results, shown row by row unless it is `silent`."""

    def __init__(
        self,
        picked: Sequence[Result],
        strengths: Collection[Strength],
        size: Size,
        jobs: int,
        *,
        silent: bool,
        quiet: bool,
    ) -> None:
        from mnemata.proofs.evidence import EFFORTS

        self.picked, self.strengths, self.jobs = picked, strengths, jobs
        self.effort: Effort = EFFORTS[size.value]
        self.silent, self.quiet = silent, quiet

    def accounts(self, *, pictures: bool) -> list[Account]:
        """The results, weighed."""
        from mnemata.pipeline.command.verdicts import Ledger, show_account, show_total
        from mnemata.proofs.judging import judged

        found = judged(self.picked, self.effort, self.strengths, pictures=pictures, jobs=self.jobs)
        if self.silent:
            return list(found)
        ledger = Ledger([result.id for result in self.picked], quiet=self.quiet)
        accounts = []
        for account in ledger.follow(found, "Result"):
            show_account(ledger, account)
            accounts.append(account)
        show_total(ledger, accounts)
        return accounts

    def trials(self) -> list[Trial]:
        """The mutants that concern the results, on trial."""
        from mnemata.pipeline.command.verdicts import Ledger, show_score, show_trial
        from mnemata.proofs.mutation.mutants import concerning
        from mnemata.proofs.mutation.trials import trials

        mutants = concerning([result.id for result in self.picked])
        found = trials(mutants, jobs=self.jobs)
        if self.silent:
            return list(found)
        ledger = Ledger([mutant.name for mutant in mutants], quiet=self.quiet)
        ledger.line()
        tried = []
        for trial in ledger.follow(found, "Mutant"):
            show_trial(ledger, trial)
            tried.append(trial)
        show_score(ledger, tried)
        return tried


def _list(picked: Sequence[Result], *, as_json: bool) -> None:
    from mnemata.pipeline.command.verdicts import kinds, show_list

    if not as_json:
        show_list(picked)
        return
    found = [
        {
            "id": result.id,
            "paper": result.paper.value,
            "place": result.place,
            "title": result.title,
            "expected": result.expected.value,
            "evidence": kinds(result.evidence).split(", "),
            "errata": list(result.errata),
        }
        for result in picked
    ]
    typer.echo(json.dumps(found, ensure_ascii=False, indent=2))


def _json(accounts: Sequence[Account], trials: Sequence[Trial], *, mutants: bool) -> str:
    found: dict[str, Any] = {"results": [account.to_json() for account in accounts]}
    if mutants:
        found["mutants"] = [trial.to_json() for trial in trials]
    return json.dumps(found, ensure_ascii=False, indent=2)
