"""The folders of a command, and how it is called there."""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow.parquet as pq

from mnemata.paper_figures.benchmarks.faults.events import (
    DELAY,
    EVENTS_PER_FILE,
    PATTERN,
    SCHEMA,
    Findings,
    arrived,
    closing,
    findings,
    late,
    random_events,
    shuffled,
    truth,
    written,
)
from mnemata.paper_figures.benchmarks.faults.running import Running

PROGRAM: Final = (
    sys.executable,
    "-P",
    "-c",
    "import sys; from mnemata.pipeline.command import main; main(sys.argv[1:])",
)
QUICK_START: Final = "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""What spares Java work that pays in long runs only."""

TABLES: Final = ("out", "bad")
"""The folders of matches and of the quarantine."""


class Command(NamedTuple):
    """A command that finds `PATTERN` in the files of a folder.

    Parameters
    ----------
    name : str
        By which it is called.
    options : callable
        What it is called with in a folder.
    goes_on : bool
        Whether it goes on where it was when it is called again, and its tables grow, rather than begin
        again, with tables that are there whole or not at all.
    """

    name: str
    options: Callable[[Path], list[str]]
    goes_on: bool


def _stream_options(root: Path) -> list[str]:
    places = {"source": "in", "sink": "out", "quarantine": "bad", "checkpoint": "state"}
    options = [text for name, folder in places.items() for text in (f"--{name}", str(root / folder))]
    return [*options, "--watermark", f"{DELAY} ms", "--groups", "3", "--once", "--files-per-batch", "1"]


def _run_options(root: Path) -> list[str]:
    tables = ["--output", str(root / "out" / "m.parquet"), "--quarantine", str(root / "bad" / "q.parquet")]
    return [str(root / "in"), *tables, "--overwrite", "--partitions", "4"]


STREAM: Final = Command("stream", _stream_options, goes_on=True)
RUN: Final = Command("run", _run_options, goes_on=False)


class Place(NamedTuple):
    """The folders of a command."""

    root: Path
    command: Command = STREAM

    @property
    def source(self) -> Path:
        """Where its files are."""
        return self.root / "in"

    @property
    def sink(self) -> Path:
        """Where matches go."""
        return self.root / "out"

    @property
    def commits(self) -> Path:
        """Where Spark notes which batches of a stream are done."""
        return self.root / "state" / "spark" / "commits"

    def twin(self, name: str) -> Place:
        """A place beside this one with the same files."""
        made = self._replace(root=self.root.parent / name)
        shutil.copytree(self.source, made.source)
        return made

    def call(self, master: str = "local[2]") -> list[str]:
        """What is run."""
        schema = self.root / "schema.json"
        schema.write_text(SCHEMA.to_json(), encoding="utf-8")
        options = [*self.command.options(self.root), "--schema", str(schema), "--format", "parquet"]
        options += ["--name", "rise", "--master", master, "--conf", QUICK_START]
        return [*PROGRAM, self.command.name, PATTERN, *options]

    def undisturbed(self) -> None:
        """Run to the end; raises `RuntimeError` unless it gets there."""
        with Running(self.call()) as running:
            if running.end() != 0:
                raise RuntimeError(f"a command that nothing disturbs fails: {running.said}")

    def rows(self, *folders: str) -> Counter[str]:
        """All rows of some tables, by default of both, each with how often it is there."""
        files = [file for folder in folders or TABLES for file in (self.root / folder).glob("*.parquet")]
        rows = (row for file in sorted(files) for row in pq.read_table(file).to_pylist())
        texts = (json.dumps(row, default=str, sort_keys=True) for row in rows)
        # A file that cannot be read is told of by its path.
        return Counter(text.replace(str(self.source), "in") for text in texts)

    def findings(self) -> Findings:
        """What was found."""
        rows: list[dict[str, Any]] = [json.loads(row) for row in self.rows().elements()]
        return findings(
            (tuple(row["positions"]) for row in rows if "positions" in row),
            (row["row"] for row in rows if "positions" not in row),
        )

    def truth(self) -> Findings:
        """What is to be found here."""
        stream = self.command.goes_on
        return truth(arrived(self.source, DELAY if stream else None), closed=not stream)

    def checked(self) -> Findings:
        """What was found; raises `RuntimeError` unless it is `truth`."""
        found, right = self.findings(), self.truth()
        if found != right:
            raise RuntimeError(
                f"'mnemata {self.command.name}' finds what it should not, {sorted(found - right)}, and not "
                f"what it should, {sorted(right - found)}"
            )
        return found


def generated(root: Path, command: Command, files: int, seed: int = 0) -> Place:
    """Files for a command, and what it finds in them undisturbed."""
    place, chance = Place(root / "undisturbed", command), random.Random(seed)
    events = random_events(chance, files * EVENTS_PER_FILE)
    middle = len(events) // 2
    if command.goes_on:
        events = shuffled(events, DELAY - 1, chance)
        events[middle:middle] = [late()]
        names = written(place.source, [*events, closing()])
        names[len(names) // 2].with_suffix(".bad.parquet").write_bytes(b"no Parquet")
    else:
        events[middle:middle] = [late() | {"at": None}]
        written(place.source, events)
    place.undisturbed()
    return place
