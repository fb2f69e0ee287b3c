"""Streams that are killed, stopped and disturbed find in the end what they find undisturbed.

The stream is the command ``mnemata stream`` in processes of its own. After each fault it is started again
with the same checkpoint.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from mnemata.automata.engine.recognition import recognise
from mnemata.paper_figures.benchmarks.figures import Figure, Options
from mnemata.paper_figures.tables import Table
from mnemata.theory.schema import Float64, Int64, Schema, String, Timestamp
from mnemata.theory.syntax import parse

NAME: Final = "faults"
MODULE: Final = "mnemata.paper_figures.benchmarks.faults"
PATTERN: Final = "any(A as r, B where x > r.x) within 12 ms partition by key"
SCHEMA: Final = Schema.of(
    kind=String(), key=Int64(), x=Float64(), at=Timestamp("ms"), event_type="kind", time="at"
)
FILES: Final = 60
EVENTS_PER_FILE: Final = 60
KEYS: Final = 12
DELAY: Final = 10
SECONDS: Final = 600.0
"""More than any run of the command takes."""

PROGRAM: Final = (
    sys.executable,
    "-P",
    "-c",
    "import sys; from mnemata.pipeline.command import main; main(sys.argv[1:])",
    "stream",
    PATTERN,
)
"""The command as far as it is the same for all streams."""

_FULL: Final = "the disk is full"
_STEP: Final = 96 * 1024
TEXT: Final = """\
`mnemata stream "{pattern}" --once --files-per-batch 1` over {files:,} files with {events:,} events of {keys}
keys, out of order, one event of them too late, and one file in the middle of them that is no Parquet. Each
line is one stream, in which a fault is tried again and again at random points (seed {seed}); the command is
started again with the same checkpoint whenever it ended, and in the end without a fault. *Struck* are the
trials in which the fault came while the stream ran. *Missing* and *extra* compare all rows of matches and of
the quarantine, identifiers included, with those of a run that nothing disturbed; its {matches:,} matches and
{bad} rows in quarantine are those that `recognise` finds in the sorted stream, and that the files hold."""


class Place(NamedTuple):
    """The folders of a stream."""

    root: Path

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
        """Where Spark notes which batches are done."""
        return self.root / "state" / "spark" / "commits"

    def twin(self, name: str) -> Place:
        """A place beside this one with the same files."""
        made = Place(self.root.parent / name)
        shutil.copytree(self.source, made.source)
        return made

    def command(self, master: str = "local[2]") -> list[str]:
        """What is run."""
        (self.root / "schema.json").write_text(SCHEMA.to_json(), encoding="utf-8")
        folders = {"source": "in", "sink": "out", "quarantine": "bad", "checkpoint": "state"}
        options = [
            text for name, folder in folders.items() for text in (f"--{name}", str(self.root / folder))
        ]
        options += ["--schema", str(self.root / "schema.json"), "--format", "parquet", "--name", "rise"]
        options += ["--watermark", f"{DELAY} ms", "--groups", "3", "--once", "--files-per-batch", "1"]
        return [*PROGRAM, *options, "--master", master]

    def rows(self) -> Counter[str]:
        """All rows of matches and of the quarantine, each with how often it is there."""
        files = [file for folder in ("out", "bad") for file in (self.root / folder).glob("*.parquet")]
        rows = (row for file in sorted(files) for row in pq.read_table(file).to_pylist())
        texts = (json.dumps(row, default=str, sort_keys=True) for row in rows)
        # A file that cannot be read is told of by its path.
        return Counter(text.replace(str(self.source), "in") for text in texts)


class Running:
    """The command while it runs, in a session of its own, whose processes end with it.

    Parameters
    ----------
    place : Place
        Of the stream.
    command : list of str, optional
        By default that of the place.
    """

    def __init__(self, place: Place, command: list[str] | None = None) -> None:
        self.place = place
        self._process = subprocess.Popen(
            command or place.command(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Running:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self.end()

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    @property
    def said(self) -> str:
        """What it has printed."""
        return "".join(self._lines)

    def wait_until(self, true: Callable[[], bool]) -> bool:
        """Wait until something is so, or the command has ended; whether it still runs."""
        end = time.monotonic() + SECONDS
        while self.runs and not true():
            if time.monotonic() > end:
                raise RuntimeError(f"the stream still runs after {SECONDS:.0f} s: {self.said}")
            time.sleep(0.002)
        return self.runs

    def wait_for(self, batches: int, seconds: float = 0.0) -> bool:
        """Wait until so many batches were written, and a little more; whether it still runs."""
        if not self.wait_until(lambda: sum(line.startswith("batch ") for line in self._lines) >= batches):
            return False
        end = time.monotonic() + seconds
        return self.wait_until(lambda: time.monotonic() >= end)

    def kill(self) -> None:
        """Kill all its processes at once, as when the machine loses power."""
        for process in processes_of(self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def workers(self, word: str) -> list[int]:
        """Its processes that have a word in their command line, and a parent that has it too."""
        found = {
            process for process in processes_of(self._process.pid) if word in told_of(process, "cmdline")
        }
        return sorted(process for process in found if parent_of(process) in found)

    def end(self) -> int:
        """Wait for the end; the exit code."""
        code = self._process.wait(SECONDS)
        self._reader.join(SECONDS)
        if self._process.stderr is not None:
            self._process.stderr.close()
        return code

    def _read(self) -> None:
        for line in self._process.stderr or ():
            self._lines.append(line)


def processes_of(session: int) -> Iterator[int]:
    """The processes of a session."""
    for folder in Path("/proc").glob("[0-9]*"):
        process = int(folder.name)
        if _numbers(process)[3:4] == [session]:
            yield process


def parent_of(process: int) -> int:
    """The process that began another; 0 when that has ended."""
    return (_numbers(process)[1:2] or [0])[0]


def _numbers(process: int) -> list[int]:
    """State, parent, group and session; the name before them may contain anything."""
    fields = told_of(process, "stat").rpartition(")")[2].split()
    return [0, *map(int, fields[1:4])] if fields else []


def told_of(process: int, file: str) -> str:
    """What the system tells of a process; nothing when it has ended."""
    try:
        return (Path("/proc") / str(process) / file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


Strike = Callable[[Running, random.Random], bool]


def killed(running: Running, chance: random.Random) -> bool:
    """Kill everything: while Spark starts, or some time after a batch."""
    early = chance.random() < 0.2
    batches, seconds = (0, 8 * chance.random()) if early else (chance.randint(1, 3), 1.5 * chance.random())
    if not running.wait_for(batches, seconds):
        return False
    running.kill()
    return True


def stopped(running: Running, chance: random.Random) -> bool:
    """Press Ctrl-C some time after a batch."""
    if not running.wait_for(chance.randint(1, 3), chance.random()):
        return False
    running.interrupt()
    return True


def killed_while_writing(running: Running, chance: random.Random) -> bool:
    """Kill everything while the files of a batch are written and not yet in their place."""
    if not running.wait_for(chance.randint(1, 3)):
        return False
    if not running.wait_until(lambda: any(running.place.sink.glob(".*.partial"))):
        return False
    time.sleep(0.3 * chance.random())
    running.kill()
    return True


def done_again(running: Running, chance: random.Random) -> bool:
    """Kill everything, and undo what Spark noted of the last batches: they are done again."""
    if not killed(running, chance):
        return False
    running.end()
    commits = sorted(running.place.commits.glob("[0-9]*"), key=lambda file: int(file.name))
    # Spark keeps the state before the last batch that it noted; of more than that it is not asked.
    for file in commits[-1:]:
        for one in (file, file.with_name(f".{file.name}.crc")):
            one.unlink(missing_ok=True)
    return bool(commits)


def without_a(word: str) -> Strike:
    """Kill one process among the workers with a word in their command line."""

    def strike(running: Running, chance: random.Random) -> bool:
        if not running.wait_for(chance.randint(1, 2), chance.random()):
            return False
        if not running.wait_until(lambda: bool(running.workers(word))):
            return False
        found = running.workers(word)
        if not found:
            return False
        with suppress(ProcessLookupError):
            os.kill(chance.choice(found), signal.SIGKILL)
            return True
        return False

    return strike


class Fault(NamedTuple):
    """Something that happens to a stream.

    Parameters
    ----------
    name : str
        What it is called.
    strike : callable
        Makes it happen to a command that runs; whether it did.
    trials : int
        How often it is tried.
    master : str
        Where Spark runs.
    """

    name: str
    strike: Strike
    trials: int
    master: str = "local[2]"


FAULTS: Final = (
    Fault("everything killed (SIGKILL)", killed, 20),
    Fault("stopped (SIGINT)", stopped, 5),
    Fault("everything killed while a batch is written", killed_while_writing, 10),
    Fault("killed, and the last batch not noted as done", done_again, 5),
    Fault("a Python worker killed, tasks tried once", without_a("pyspark.daemon"), 10),
    Fault("a Python worker killed, tasks tried four times", without_a("pyspark.daemon"), 10, "local[2, 4]"),
)


class Endured(NamedTuple):
    """What came of trials: how many, how many struck, rows that are missing, and that should not be there."""

    trials: int
    struck: int
    missing: int
    extra: int


def endured(fault: Fault, place: Place, expected: Counter[str], chance: random.Random) -> Endured:
    """Disturb a stream again and again, let it end, and compare."""
    trials, struck, ended = 0, 0, False
    while not ended and trials < fault.trials:
        with Running(place, place.command(fault.master)) as running:
            while running.runs and trials < fault.trials:
                trials += 1
                struck += fault.strike(running, chance)
                # After a fault that it survives the same process is tried again.
                running.wait_for(0, seconds=1.0)
            ended = running.end() == 0
    if not ended:
        undisturbed(place)
    return Endured(trials, struck, *_differences(expected, place.rows()))


def _differences(expected: Counter[str], found: Counter[str]) -> tuple[int, int]:
    return (expected - found).total(), (found - expected).total()


def undisturbed(place: Place) -> None:
    """Run to the end; raises `RuntimeError` unless it gets there."""
    with Running(place) as running:
        if running.end() != 0:
            raise RuntimeError(f"a stream that nothing disturbs fails: {running.said}")


def generate(place: Place, files: int, seed: int = 0) -> None:
    """Files of random events, out of order by less than `DELAY`; in the middle a late one, and a bad file."""
    place.source.mkdir(parents=True)
    chance = random.Random(seed)
    events = [_event(chance, number) for number in range(files * EVENTS_PER_FILE)]
    events.sort(key=lambda event: event["at"] + chance.random() * (DELAY - 1))
    for number in range(files):
        some = events[number * EVENTS_PER_FILE : (number + 1) * EVENTS_PER_FILE]
        if number == files // 2:
            (place.source / f"{number:04}-a.parquet").write_bytes(b"no Parquet")
            some = [*some, {"kind": "A", "key": 0, "x": 0.5, "at": 1}]
        if number == files - 1:
            some = [*some, {"kind": "C", "key": 0, "x": None, "at": 10**6}]
        pq.write_table(pa.Table.from_pylist(some, _ARROW), place.source / f"{number:04}.parquet")


def _event(chance: random.Random, number: int) -> dict[str, Any]:
    x = chance.choice([0.5, 1.5, 2.5, None])
    return {"kind": chance.choice("ABB"), "key": chance.randrange(KEYS), "x": x, "at": number // 3}


_FIELDS: Final[list[pa.Field[Any]]] = [
    pa.field("kind", pa.string()),
    pa.field("key", pa.int64()),
    pa.field("x", pa.float64()),
    pa.field("at", pa.timestamp("ms")),
]
_ARROW: Final = pa.schema(_FIELDS)


def in_order(place: Place) -> tuple[set[tuple[int, ...]], int]:
    """The positions of matches in the files of a place, sorted; and how many rows are no events or late."""
    rows: list[dict[str, Any]] = []
    number = newest = bad = 0
    for file in sorted(place.source.iterdir(), key=lambda file: file.parts):
        try:
            some = (
                pq.read_table(file)
                .set_column(3, "at", pq.read_table(file)["at"].cast(pa.int64()))
                .to_pylist()
            )
        except pa.ArrowInvalid:
            number, bad = number + 1, bad + 1
            continue
        numbered = [event | {"row": number + place} for place, event in enumerate(some)]
        kept = [event for event in numbered if event["at"] >= newest - DELAY]
        rows, number, bad = rows + kept, number + len(some), bad + len(some) - len(kept)
        newest = max(event["at"] for event in some)
    # The last event is still waiting when the stream ends.
    ordered = sorted(rows, key=lambda event: (event["at"], event["row"]))[:-1]
    table = pa.Table.from_pylist(ordered)
    found = recognise(parse(PATTERN, schema=SCHEMA), table, schema=SCHEMA)
    return {tuple(ordered[p]["row"] for p in match.positions) for match in found}, bad


def namespaces() -> bool:
    """Whether this user may mount a small file system for a process of its own."""
    command = ["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    try:
        return subprocess.run(command, capture_output=True, timeout=SECONDS).returncode == 0
    except OSError:
        return False


def filled(place: Place, expected: Counter[str]) -> Endured:
    """Let a stream write to a file system that is full again and again, and grows by a little each time."""
    command = ["unshare", "--user", "--map-root-user", "--mount", sys.executable, "-P", "-m", MODULE]
    done = subprocess.run([*command, str(place.root)], stdout=subprocess.PIPE, text=True, check=True)
    struck = int(done.stdout)
    return Endured(struck, struck, *_differences(expected, place.rows()))


def main(root: str) -> None:
    """What `filled` does where it may mount; prints how often the disk was full."""
    place = Place(Path(root))
    place.sink.mkdir()
    size, struck, how = _STEP, 0, "size={}"
    while True:
        command = ["mount", "-t", "tmpfs", "-o", how.format(size), "tmpfs", str(place.sink)]
        subprocess.run(command, check=True)
        with Running(place) as running:
            if running.end() == 0:
                break
        if _FULL not in running.said:
            raise RuntimeError(f"the disk is not what ended the stream: {running.said}")
        size, struck, how = size + _STEP, struck + 1, "remount,size={}"
    # What is mounted here ends with this process.
    shutil.copytree(place.sink, place.root / "kept")
    subprocess.run(["umount", str(place.sink)], check=True)
    shutil.copytree(place.root / "kept", place.sink, dirs_exist_ok=True)
    sys.stdout.write(f"{struck}\n")


def figure(options: Options) -> Figure:
    """The figure; `options.events` gives fewer files, and as many fewer trials."""
    files = FILES if options.events is None else max(4, options.events // EVENTS_PER_FILE)
    with tempfile.TemporaryDirectory(prefix="mnemata-faults-") as folder:
        whole = Place(Path(folder) / "undisturbed")
        generate(whole, files)
        undisturbed(whole)
        expected = whole.rows()
        matches, bad = checked(whole, expected)
        rows = []
        for number, fault in enumerate(FAULTS):
            some = fault._replace(trials=-(-fault.trials * files // FILES))
            rows.append(_row(fault.name, _tried(some, number, whole, expected)))
        if namespaces():
            rows.append(_row("the disk of the matches full", filled(whole.twin("full"), expected)))
    text = TEXT.format(
        pattern=PATTERN, files=files, events=EVENTS_PER_FILE, keys=KEYS, seed=0, matches=matches, bad=bad
    )
    heads = ("fault", "trials", "struck", "rows missing", "rows extra")
    table = Table("Faults and what is different after them", heads, tuple(rows))
    return Figure(NAME, "Faults", text, (table,), "with a session of two threads in each run")


def _tried(fault: Fault, number: int, whole: Place, expected: Counter[str]) -> Endured:
    return endured(fault, whole.twin(str(number)), expected, random.Random(number))


def checked(whole: Place, expected: Counter[str]) -> tuple[int, int]:
    """How many matches and bad rows there are; raises `RuntimeError` if they are not those of `in_order`."""
    rows: list[Mapping[str, Any]] = [json.loads(row) for row in expected.elements()]
    found = [tuple(row["positions"]) for row in rows if "positions" in row]
    right, bad = in_order(whole)
    if len(set(found)) != len(found) or set(found) != right or len(rows) - len(found) != bad:
        raise RuntimeError(
            f"the stream has {len(found)} matches and {len(rows) - len(found)} bad rows, and should have "
            f"{len(right)} and {bad}"
        )
    return len(found), bad


def _row(name: str, endured: Endured) -> tuple[str, ...]:
    return (name, *(f"{number:,}" for number in endured))


if __name__ == "__main__":
    main(*sys.argv[1:])
