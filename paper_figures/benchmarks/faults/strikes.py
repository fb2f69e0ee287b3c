"""What happens to a command that runs, and when."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from mnemata.paper_figures.benchmarks.faults.damage import DAMAGES
from mnemata.paper_figures.benchmarks.faults.places import RUN, STREAM, Command, Place
from mnemata.paper_figures.benchmarks.faults.running import Running, kill

Moment: TypeAlias = Callable[[Running, random.Random], bool]
"""Waits for a moment; whether the command still runs then."""

Strike: TypeAlias = Callable[[Place, Running, random.Random], bool]
"""Disturbs a command, and waits until it has ended if it cannot go on; whether it came in time."""

BATCH: Final = "batch "
"""How a line begins with which `mnemata stream` tells of a batch."""

PHASES: Final = ("Reading and checking rows", "Writing the quarantine", "Recognising and writing matches")
"""What `mnemata run` says of itself."""

UNREADABLE_FILE: Final = 6
"""The exit code that stands for a file that cannot be read."""


def after_a_batch(running: Running, chance: random.Random) -> bool:
    """Some time after one of the next batches."""
    return running.wait_for(BATCH, chance.randint(1, 3)) and running.wait(1.5 * chance.random())


def at_any_time(running: Running, chance: random.Random) -> bool:
    """While Spark starts, or some time after a batch."""
    return running.wait(8 * chance.random()) if chance.random() < 0.2 else after_a_batch(running, chance)


def in_a_phase(running: Running, chance: random.Random) -> bool:
    """Some time after a phase of a run over a finite stream began."""
    return running.wait_for(chance.choice(PHASES)) and running.wait(2 * chance.random())


def at_the_last(running: Running, _: random.Random) -> bool:
    """When its last phase begins."""
    return running.wait_for(PHASES[-1])


def killed(moment: Moment, place: Place, running: Running, chance: random.Random) -> bool:
    """Kill everything."""
    if not moment(running, chance):
        return False
    running.kill()
    running.end()
    return True


def stopped(moment: Moment, place: Place, running: Running, chance: random.Random) -> bool:
    """Press Ctrl-C."""
    if not moment(running, chance):
        return False
    running.interrupt()
    running.end()
    return True


def killed_while_writing(moment: Moment, place: Place, running: Running, chance: random.Random) -> bool:
    """Kill everything while files are written and not yet in their place."""
    begun = moment(running, chance) and running.wait_until(lambda: any(place.sink.glob(".*.partial")))
    return begun and killed(lambda *_: running.wait(0.3 * chance.random()), place, running, chance)


def done_again(moment: Moment, place: Place, running: Running, chance: random.Random) -> bool:
    """Kill everything, and undo what Spark noted of the last batch: it is done again."""
    if not killed(moment, place, running, chance):
        return False
    commits = sorted(place.commits.glob("[0-9]*"), key=lambda file: int(file.name))
    # Spark keeps the state before the last batch that it noted; of more than that it is not asked.
    for file in commits[-1:]:
        for one in (file, file.with_name(f".{file.name}.crc")):
            one.unlink(missing_ok=True)
    return bool(commits)


def program_killed(moment: Moment, place: Place, running: Running, chance: random.Random) -> bool:
    """Kill the Python process of the driver alone; what else there is ends by itself."""
    if not (moment(running, chance) and any(map(kill, running.program))):
        return False
    running.end_of_all()
    return True


def java_killed(moment: Moment, place: Place, running: Running, chance: random.Random) -> bool:
    """Kill the Java process of the driver alone; what else there is ends by itself."""
    if not (moment(running, chance) and any(map(kill, running.java))):
        return False
    running.end()
    running.end_of_all()
    return True


def worker_killed(moment: Moment, place: Place, running: Running, chance: random.Random) -> bool:
    """Kill one Python worker; then comes the next batch or the end."""
    if not (moment(running, chance) and running.wait_until(lambda: bool(running.workers))):
        return False
    found = running.workers
    if not (found and kill(chance.choice(found))):
        return False
    running.wait_for(BATCH)
    return True


def file_damaged(moment: Moment, place: Place, running: Running, chance: random.Random) -> bool:
    """Damage a file that a stream has taken in and not read; when the stream has said so, put it back."""
    if not moment(running, chance):
        return False
    done = len(list(place.commits.glob("[0-9]*")))
    # One file may be read just now, and the next one follows as soon as that batch is noted.
    files = sorted(place.source.iterdir())[done + 2 :]
    if not files:
        return False
    file = chance.choice(files)
    _damaged(file, running, chance)
    return True


def file_damaged_before(place: Place, running: Running, chance: random.Random) -> bool:
    """Damage a file before a run over a finite stream reads it; when the run has said so, put it back."""
    _damaged(chance.choice(sorted(place.source.iterdir())), running, chance)
    return True


def _damaged(file: Path, running: Running, chance: random.Random) -> None:
    content = file.read_bytes()
    chance.choice(DAMAGES).apply(file)
    code = running.end()
    file.write_bytes(content)
    if code != UNREADABLE_FILE or file.name not in running.said:
        raise RuntimeError(f"a damaged file is not what ended the command: {running.said}")


class Fault(NamedTuple):
    """Something that happens to a command.

    Parameters
    ----------
    name : str
        What it is called.
    strike : callable
        Makes it happen.
    trials : int
        How often it is tried.
    command : Command
        To which.
    master : str
        Where Spark runs.
    """

    name: str
    strike: Strike
    trials: int
    command: Command = STREAM
    master: str = "local[2]"


TRIED_AGAIN: Final = "local[2, 4]"
"""Where Spark tries a task four times."""

FAULTS: Final = (
    Fault("everything killed (SIGKILL)", partial(killed, at_any_time), 20),
    Fault("stopped (SIGINT)", partial(stopped, after_a_batch), 10),
    Fault("everything killed while a batch is written", partial(killed_while_writing, after_a_batch), 10),
    Fault("killed, and the last batch not noted as done", partial(done_again, after_a_batch), 5),
    Fault("the driver's Python process killed", partial(program_killed, after_a_batch), 5),
    Fault("the driver's Java process killed", partial(java_killed, after_a_batch), 5),
    Fault("a Python worker killed, tasks tried once", partial(worker_killed, after_a_batch), 5),
    Fault(
        "a Python worker killed, tasks tried four times",
        partial(worker_killed, after_a_batch),
        10,
        master=TRIED_AGAIN,
    ),
    Fault("a file damaged that was taken in, then put back", partial(file_damaged, after_a_batch), 5),
    Fault("everything killed (SIGKILL)", partial(killed, in_a_phase), 5, RUN),
    Fault("everything killed while matches are written", partial(killed_while_writing, at_the_last), 3, RUN),
    Fault("the driver's Python process killed", partial(program_killed, in_a_phase), 3, RUN),
    Fault("the driver's Java process killed", partial(java_killed, in_a_phase), 3, RUN),
    Fault("a Python worker killed, tasks tried once", partial(worker_killed, in_a_phase), 3, RUN),
    Fault(
        "a Python worker killed, tasks tried four times",
        partial(worker_killed, in_a_phase),
        3,
        RUN,
        TRIED_AGAIN,
    ),
    Fault("a file damaged, then put back", file_damaged_before, 5, RUN),
)
