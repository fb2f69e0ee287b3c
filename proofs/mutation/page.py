"""The committed page about mutants, ``proofs/mutants.md``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mnemata.proofs.mutation.table import HEADER, rows, score, survivors
from mnemata.proofs.mutation.trials import Trial
from mnemata.proofs.report.tables import table

_ABOUT: Final = """\
# The check of the checkers

Constructions broken on purpose, one small mistake at a time. Each runs in a process of its own, nothing on
disk is touched, and the searches and bounded proofs of the results that it concerns are weighed with the
effort `small`. A mutant is caught when one of them comes out otherwise than it is known to: a
counterexample where there is none, or none where there is one, or an error.

The page is made by `python -m mnemata.proofs.mutation proofs/mutants.md`, and `mnemata prove --mutants`
shows the same."""


def page(trials: Sequence[Trial]) -> str:
    """The page in Markdown; nothing in it changes from run to run."""
    lines = [_ABOUT, "", f"**{score(trials)}.**", "", *table(HEADER, map(_row, rows(trials)))]
    left = [f"- `{name}`: {reason}." for name, reason in survivors(trials)]
    if left:
        lines += ["", "## Survivors", "", *left]
    return "\n".join(lines) + "\n"


def _row(row: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
    name, breaks, module, caught = row
    return f"`{name}`", breaks, f"`{module}`", caught
