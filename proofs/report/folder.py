"""Writing a report into a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mnemata.proofs.evidence import Effort
from mnemata.proofs.mutation.trials import Trial
from mnemata.proofs.report.accounts import Account
from mnemata.proofs.report.html import html
from mnemata.proofs.report.markdown import markdown, picture_files
from mnemata.theory.errors import SourceError


def prepared(folder: Path) -> Path:
    """A folder for a report, made if need be; `SourceError` when that is impossible."""
    try:
        (folder / "pictures").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"cannot make the folder '{folder}': {error.strerror}") from None
    return folder


def write_report(
    folder: Path, accounts: Sequence[Account], effort: Effort, trials: Sequence[Trial] = ()
) -> list[Path]:
    """Write a report as ``index.html`` and as ``report.md`` with the folder ``pictures``.

    Parameters
    ----------
    folder : Path
        Made if need be; files of these names are replaced.
    accounts, effort : sequence of Account, Effort
        What is reported.
    trials : sequence of Trial
        The mutants, if they were put on trial.

    Raises
    ------
    SourceError
        The files cannot be written.
    """
    prepared(folder)
    texts = {
        "index.html": html(accounts, effort, trials),
        "report.md": markdown(accounts, effort, trials),
        **picture_files(accounts),
    }
    try:
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot write the report into '{folder}': {error.strerror}") from None
    return [folder / "index.html", folder / "report.md"]
