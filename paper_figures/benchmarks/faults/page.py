"""The page of faults: how often each was tried, and what was different afterwards."""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mnemata.paper_figures.benchmarks.faults import disorder
from mnemata.paper_figures.benchmarks.faults.disk import filled, may_mount
from mnemata.paper_figures.benchmarks.faults.disorder import DISORDERS, disordered
from mnemata.paper_figures.benchmarks.faults.events import (
    DELAY,
    EVENTS_PER_FILE,
    KEYS,
    MATCH,
    PATTERN,
    Findings,
)
from mnemata.paper_figures.benchmarks.faults.places import RUN, STREAM, Place, generated
from mnemata.paper_figures.benchmarks.faults.strikes import FAULTS
from mnemata.paper_figures.benchmarks.faults.trials import Endured, damaged, endured
from mnemata.paper_figures.benchmarks.figures import Figure, Options
from mnemata.paper_figures.tables import Table

NAME: Final = "faults"
FILES: Final = 60
TEXT: Final = """\
*Stream* is `mnemata stream "{pattern}" --once --files-per-batch 1` over {files:,} files with {events:,}
events of {keys} keys, out of order, one event of them too late, and one file in the middle of them that is no
Parquet. *Run* is `mnemata run` with the same pattern over as many files in order, with one event that has no
time. In each line a fault is tried again and again at random points (seed {seed}); the command is started
again, a stream with the same checkpoint, whenever it ended, and in the end without a fault. *Struck* are the
trials in which the fault came while the command ran. *Missing* and *extra* compare all rows of matches and of
the quarantine, identifiers included, with those of a command that nothing disturbed; whenever the command
ended in between, a row that should not be there counts as extra, and where tables are to be written whole or
not at all, the rows that lack as missing. What is found undisturbed, {found}, is what `recognise` finds in
the sorted events, and the rows of the files that are no events or late."""
HEADS: Final = ("command", "fault", "trials", "struck", "rows missing", "rows extra")


def figure(options: Options) -> Figure:
    """The figure; `options.events` gives fewer files, and as many fewer trials."""
    files = FILES if options.events is None else max(4, options.events // EVENTS_PER_FILE)
    with tempfile.TemporaryDirectory(prefix="mnemata-faults-") as folder:
        wholes = [generated(Path(folder) / command.name, command, files) for command in (STREAM, RUN)]
        found = "; ".join(_told(whole.command.name, whole.checked()) for whole in wholes)
        rows = [row for whole in wholes for row in _rows(whole, files)]
        outcomes = [disordered(Path(folder) / f"shuffled-{ms}", ms) for ms in DISORDERS]
    text = TEXT.format(pattern=PATTERN, files=files, events=EVENTS_PER_FILE, keys=KEYS, seed=0, found=found)
    tables = (
        Table("Faults and what is different after them", HEADS, tuple(rows), "llrrrr"),
        Table("Disorder", disorder.HEADS, tuple(outcome.cells for outcome in outcomes), "r" * 8),
    )
    text = f"{text}\n\n{disorder.TEXT.format(delay=DELAY)}"
    return Figure(NAME, "Faults", text, tables, "with a session of two threads in each run")


def _rows(whole: Place, files: int) -> Iterator[tuple[str, ...]]:
    """The rows of the table that are about one command."""
    for number, fault in enumerate(FAULTS):
        if fault.command == whole.command:
            some = fault._replace(trials=-(-fault.trials * files // FILES))
            yield _row(
                whole, fault.name, endured(some, whole.twin(str(number)), whole, random.Random(number))
            )
    if whole.command.goes_on:
        yield _row(whole, "files damaged that come later", damaged(whole.twin("damaged")))
    if may_mount():
        yield _row(whole, "the disk of the matches full", filled(whole.twin("full"), whole))


def _told(name: str, found: Findings) -> str:
    matches = sum(kind == MATCH for kind, _ in found)
    bad = len(found) - matches
    return f"{matches:,} matches and {bad} bad row{'' if bad == 1 else 's'} by *{name}*"


def _row(whole: Place, name: str, endured: Endured) -> tuple[str, ...]:
    cells = (whole.command.name, name, *(f"{number:,}" for number in endured.numbers))
    sys.stderr.write(f"{' | '.join(cells)}\n")
    return cells
