"""Write what is in the registry into a file: ``python -m mnemata.proofs.report proofs/README.md``."""

from __future__ import annotations

import argparse
from pathlib import Path

from mnemata.proofs.registry import results
from mnemata.proofs.report.overview import overview


def main() -> None:
    """Write the page to the file that the command line names."""
    parser = argparse.ArgumentParser(
        prog="python -m mnemata.proofs.report", description="Write the table of all results."
    )
    parser.add_argument("file", type=Path, help="the page, in Markdown; it is replaced")
    parser.parse_args().file.write_text(overview(results()), encoding="utf-8")


if __name__ == "__main__":
    main()
