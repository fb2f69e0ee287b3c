"""A cluster of Spark of a master and two workers on this machine finds what one process finds."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pyspark
import pytest

from mnemata.automata.engine.recognition import recognise
from mnemata.pipeline.datasets.arrivals import STOCK_TICKS
from mnemata.pipeline.java import find_java, launcher_home

ROOT = Path(__file__).parents[2]
SPARK = Path(pyspark.__file__).parent
PATTERN = "any(SELL as s where volume > 1000, BUY where price > s.price) within 9 events partition by name"
EVENTS = 60_000
PARTITIONS = 12
SECONDS = 300

DRIVER = """\
import sys
from mnemata.pipeline.command import main
from mnemata.pipeline.session import spark_session

def places(batches):
    import pyarrow as pa
    import mnemata.theory.schema as module
    for batch in batches:
        yield pa.RecordBatch.from_pydict({"place": [module.__file__] * batch.num_rows})

master, *arguments = sys.argv[1:]
settings = dict(pair.split("=", 1) for pair in arguments[arguments.index("--") + 1:])
spark = spark_session(master, extra_conf=settings)
found = spark.range(0, 4, 1, 4).mapInArrow(places, "place string").collect()
print("PLACES", *sorted({row[0] for row in found}), flush=True)
main(arguments[:arguments.index("--")])
"""


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@contextmanager
def server(name: str, log: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A daemon of Spark in a process group of its own, which ends with the block."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    log4j = (ROOT / "pipeline" / "log4j2.properties").as_uri()
    environment |= {
        "JAVA_HOME": str(launcher_home(find_java())),
        "SPARK_HOME": str(SPARK),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": f"-Dlog4j2.configurationFile={log4j}",
    }
    command = [str(SPARK / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *arguments]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env=environment, stdout=output, stderr=output, start_new_session=True, cwd=log.parent
        )
        try:
            yield process
        finally:
            end(process)


def worker(master: str, folder: Path, number: int) -> AbstractContextManager[subprocess.Popen[bytes]]:
    place = ("--host", "127.0.0.1", "--webui-port", "0", "--work-dir", str(folder / f"work{number}"))
    log = folder / f"worker{number}.log"
    return server("worker.Worker", log, *place, "--cores", "1", "--memory", "1g", master)


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def started(master: str, shipped: Path, folder: Path, out: Path) -> subprocess.Popen[bytes]:
    """The command line on the cluster, whose workers have the package from the archive alone."""
    settings = {
        "spark.archives": f"{shipped.as_uri()}#site",
        "spark.executorEnv.PYTHONPATH": "site",
        # Compiling would take most of the time of this test.
        "spark.executorEnv.NUMBA_DISABLE_JIT": "1",
        "spark.executor.memory": "512m",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.caseSensitive": "true",
    }
    arguments = ["run", PATTERN, str(folder / "ticks.parquet"), "-o", str(out), "--time", "stock_time"]
    arguments += ["--event-type", "type", "--partitions", str(PARTITIONS), "--json"]
    command = [sys.executable, str(folder / "driver.py"), master, *arguments, "--"]
    command += [f"{key}={value}" for key, value in settings.items()]
    with (folder / f"{out.stem}.log").open("wb") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, cwd=folder)


def begun(work: Path) -> list[str]:
    """The tasks that a worker began for the last application, as ``task.attempt in stage number.attempt``."""
    last = max(work.glob("app-*"), default=None, key=lambda folder: folder.name)
    logs = [] if last is None else last.glob("*/stderr")
    found = (re.findall(r"Running task (\S+ in stage \S+)", log.read_text(errors="replace")) for log in logs)
    return [task for some in found for task in some]


def recognising(work: Path, applications: int) -> bool:
    """Whether a worker recognises for the last of so many applications; only then are tasks many."""
    started = len(list(work.glob("app-*"))) == applications
    return started and any(int(task.partition(".")[0]) >= PARTITIONS // 2 for task in begun(work))


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a daemon and the executors that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=60)


def until(true: Callable[[], bool], what: str, seconds: float = SECONDS) -> None:
    stop = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < stop, f"{what} took more than {seconds} s"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as an archive that Spark unpacks."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True, timeout=SECONDS)
    (wheel,) = folder.glob("*.whl")
    return wheel.rename(folder / "mnemata.zip")


@pytest.mark.slow
def test_a_worker_may_die_in_the_middle(shipped: Path, tmp_path: Path) -> None:
    table = STOCK_TICKS.table(EVENTS)
    pq.write_table(table, tmp_path / "ticks.parquet", row_group_size=10_000)
    (tmp_path / "driver.py").write_text(DRIVER)
    expected = sorted(
        match.positions for match in recognise(PATTERN, table, event_type="type", time="stock_time")
    )
    assert len(expected) > 1000
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    with ExitStack() as running:
        local = ("--host", "127.0.0.1", "--webui-port", "0")
        running.enter_context(server("master.Master", tmp_path / "master.log", *local, "--port", str(port)))
        until(lambda: answers(port), "starting the master", 60)
        workers = [running.enter_context(worker(master, tmp_path, n)) for n in range(2)]
        for number, killed in enumerate([None, workers[0]], start=1):
            out = tmp_path / f"matches-{number}.parquet"
            job = started(master, shipped, tmp_path, out)
            running.callback(end, job)
            log = tmp_path / f"{out.stem}.log"
            if killed is not None:
                until(partial(recognising, tmp_path / "work0", number), "recognising")
                assert job.poll() is None
                end(killed)
            assert job.wait(timeout=SECONDS) == 0, log.read_text()[-3000:]
            told = log.read_text().splitlines()
            places = next(line for line in told if line.startswith("PLACES")).split()[1:]
            assert places
            assert all(Path(place).is_relative_to(tmp_path) for place in places)
            assert json.loads(told[-1])["matches"] == len(expected)
            assert sorted(tuple(row["positions"]) for row in pq.read_table(out).to_pylist()) == expected
            again = [
                task for task in begun(tmp_path / "work1") if not re.fullmatch(r"\d+\.0 .* \d+\.0", task)
            ]
            assert bool(again) == (killed is not None)
