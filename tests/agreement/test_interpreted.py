"""The same agreement without machine code: every kernel is also the Python function that it is written as."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
FILES = (
    HERE / "test_engines.py",
    HERE / "test_incremental.py",
    HERE.parent / "unit" / "engine" / "test_relations.py",
    HERE.parent / "unit" / "engine" / "test_match_graph.py",
    HERE.parent / "unit" / "engine" / "test_conditions_in_columns.py",
)


def test_the_engine_agrees_with_the_semantics_without_machine_code() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", *map(str, FILES)],
        cwd=HERE.parent.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
    assert " passed" in run.stdout
