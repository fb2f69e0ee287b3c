"""Put all mutants on trial and write the table: ``python -m mnemata.proofs.mutation FILE``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mnemata.proofs.mutation.mutants import MUTANTS
from mnemata.proofs.mutation.page import page
from mnemata.proofs.mutation.trials import trials


def main() -> None:
    """Write the page to the file that the command line names."""
    parser = argparse.ArgumentParser(
        prog="python -m mnemata.proofs.mutation",
        description="Put all mutants on trial; takes some 20 minutes.",
    )
    parser.add_argument("file", type=Path, help="the page, in Markdown; it is replaced")
    target: Path = parser.parse_args().file
    found = []
    for trial in trials(MUTANTS):
        found.append(trial)
        caught = "caught" if trial.caught else "survived"
        sys.stderr.write(f"{trial.mutant.name}: {caught}, {trial.seconds:.1f} s\n")
    target.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
