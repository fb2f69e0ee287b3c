"""Whatever disturbs a command, in the end it finds what it finds undisturbed."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest

from mnemata.paper_figures.benchmarks.faults.differences import Differences
from mnemata.paper_figures.benchmarks.faults.disk import filled, may_mount
from mnemata.paper_figures.benchmarks.faults.disorder import DISORDERS, disordered
from mnemata.paper_figures.benchmarks.faults.events import DELAY
from mnemata.paper_figures.benchmarks.faults.places import RUN, STREAM, Command, Place, generated
from mnemata.paper_figures.benchmarks.faults.strikes import FAULTS, Fault
from mnemata.paper_figures.benchmarks.faults.trials import damaged, endured

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to find processes in"),
]

FEW = 12
"""Files of a command, instead of `FILES` of the page."""

Undisturbed: TypeAlias = Callable[[Command], Place]
COMMANDS = pytest.mark.parametrize("command", [STREAM, RUN], ids=lambda command: command.name)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The place of a command that nothing disturbed, and that found what is there in order."""

    @cache
    def made(command: Command) -> Place:
        place = generated(tmp_path_factory.mktemp("faults"), command, FEW)
        place.checked()
        return place

    return made


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.command.name}: {fault.name}")
def test_whatever_disturbs_it(fault: Fault, undisturbed: Undisturbed) -> None:
    whole = undisturbed(fault.command)
    place = whole.twin(f"fault {FAULTS.index(fault)}")
    found = endured(fault._replace(trials=2), place, whole, random.Random(1))
    assert found.struck > 0
    assert found.different == Differences()


def test_files_that_are_damaged(undisturbed: Undisturbed) -> None:
    assert damaged(undisturbed(STREAM).twin("damaged")).different == Differences()


@COMMANDS
def test_a_disk_that_is_full_again_and_again(command: Command, undisturbed: Undisturbed) -> None:
    if not may_mount():
        pytest.skip("this user may not mount a small file system in a namespace of its own (unshare --user)")
    whole = undisturbed(command)
    found = filled(whole.twin("full"), whole)
    assert found.struck > 0
    assert found.different == Differences()


@pytest.mark.parametrize("disorder", DISORDERS)
def test_only_what_is_too_late_is_in_quarantine(disorder: int, tmp_path: Path) -> None:
    outcome = disordered(tmp_path, disorder)
    assert outcome.different == Differences()
    assert outcome.matches > 0
    assert outcome.moved > 0
    assert (outcome.quarantined > 0) == (disorder > DELAY)
