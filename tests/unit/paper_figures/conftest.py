"""What tests of other systems share: a folder for what is made once, and whether a system is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from mnemata.paper_figures.peers.systems import System
from mnemata.theory.errors import EnvironmentProblem
from mnemata.theory.sremo.expressions import Pattern

Launched: TypeAlias = Callable[[System, Pattern, Path], None]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where libraries, drivers and answers are kept for a module."""
    return tmp_path_factory.mktemp("peers")


@pytest.fixture(scope="session")
def launched() -> Launched:
    """Skips a test when a system cannot be started here."""

    def launch(system: System, pattern: Pattern, cache: Path) -> None:
        try:
            system.launch(pattern, cache)
        except EnvironmentProblem as problem:
            pytest.skip(str(problem))

    return launch
