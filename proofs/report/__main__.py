"""Write what is in the registry into a file: ``python -m mnemata.proofs.report proofs/README.md``."""

from __future__ import annotations

import sys
from pathlib import Path

from mnemata.proofs.registry import results
from mnemata.proofs.report.overview import overview

if __name__ == "__main__":
    Path(sys.argv[1]).write_text(overview(results()), encoding="utf-8")
