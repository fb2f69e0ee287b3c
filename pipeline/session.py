"""The Spark session that the pipeline works in.

A session on this machine is made to need nothing but Python: its Java comes from
`mnemata.pipeline.java`, it listens on the loopback interface only, and it leaves nothing in the
current folder. On another master only what the pipeline's results depend on is set.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyspark
from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from mnemata.pipeline.failures import SPARK_IS_GONE
from mnemata.pipeline.java import find_java, launcher_home
from mnemata.pipeline.requirements import check_versions
from mnemata.theory.errors import EnvironmentProblem, MnemataError

_JAVA_OPTIONS = "spark.driver.extraJavaOptions"
_SHUFFLE_PARTITIONS = "spark.sql.shuffle.partitions"
_RESULTS_DEPEND_ON = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}
_THIS_MACHINE_ONLY = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
}
_REPEATING_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")
"""They print every exception that Spark raises a second time, as JSON."""

_MASTER = re.compile(r"local(\[(\d+|\*)(, *\d+)?\])?|local-cluster\[.+\]|spark://.+|k8s://.+|yarn")
_GIB = 2**30


class SessionOptionError(MnemataError, ValueError):
    """An option for the Spark session has a value that cannot be meant."""


def spark_session(
    master: str | None = None,
    app_name: str = "mnemata",
    *,
    cores: int | None = None,
    shuffle_partitions: int | None = None,
    extra_conf: Mapping[str, str] | None = None,
) -> SparkSession:
    """Return the running Spark session, or start one.

    Parameters
    ----------
    master : str, optional
        Where Spark runs: ``local[4]``, ``spark://host:7077``, ``yarn``. Without it, where the
        running session runs, else this machine.
    app_name : str
        The name that a new session shows.
    cores : int, optional
        Threads of a session on this machine, by default one for each processor that this process
        may use. Not together with `master`.
    shuffle_partitions : int, optional
        Partitions after a shuffle, by default as many as a session on this machine has threads.
    extra_conf : mapping of str to str, optional
        Further settings of Spark. They take precedence over those made here; options for Java are
        appended to them.

    Returns
    -------
    SparkSession
        With UTC as its time zone and Arrow between Java and Python. On this machine Java gets a
        quarter of the memory (1 to 8 GiB), there is no web page, and the console shows errors only.

    Raises
    ------
    EnvironmentProblem
        There is no Java 17 or later, Spark or pandas is of a version that does not fit, Spark does not
        start, or a running session has another master or another value of a setting that cannot change
        while it runs.
    SessionOptionError
        `master` is none of Spark's, `cores` or `shuffle_partitions` is not positive, or `cores`
        comes together with `master`.

    Notes
    -----
    Starting takes about 5 s on two processors, nearly all of it inside Java. Python workers run the
    interpreter that calls this function, so that they can import what it can.
    """
    check_versions()
    wanted = _master(master, cores)
    settings = _RESULTS_DEPEND_ON | dict(extra_conf or {})
    if shuffle_partitions is not None:
        settings[_SHUFFLE_PARTITIONS] = str(_positive(shuffle_partitions, "shuffle_partitions"))
    running = SparkSession.getActiveSession()
    if running is not None:
        return _reuse(running, wanted, settings)
    return _start(wanted or f"local[{_processors()}]", app_name, settings)


def stop(spark: SparkSession) -> None:
    """Stop a session for good, be it that its Java process has ended already."""
    with suppress(Py4JError, *SPARK_IS_GONE), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        spark.stop()


def _master(master: str | None, cores: int | None) -> str | None:
    if master is not None and not _MASTER.fullmatch(master):
        raise SessionOptionError(
            f"'{master}' is no master of Spark; use local[4], spark://host:7077, yarn or k8s://host"
        )
    if cores is None:
        return master
    if master is not None:
        raise SessionOptionError(
            f"cores={cores} does not go with the master {master}; write local[{cores}] alone"
        )
    return f"local[{_positive(cores, 'cores')}]"


def _positive(number: int, name: str) -> int:
    if number < 1:
        raise SessionOptionError(f"{name} must be at least 1, got {number}")
    return number


def _processors() -> int:
    # The set of processors that this process may use is unknown to macOS.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _reuse(running: SparkSession, master: str | None, settings: dict[str, str]) -> SparkSession:
    present = running.sparkContext.master
    if master is not None and master != present:
        raise EnvironmentProblem(f"Spark already runs on {present}, not on {master}; stop that session first")
    for key, value in settings.items():
        if running.conf.isModifiable(key):
            running.conf.set(key, value)
        elif running.conf.get(key, None) != value:
            raise EnvironmentProblem(
                f"the running Spark session has {key}={running.conf.get(key, None)}, which cannot "
                f"become {value} while it runs; stop that session first"
            )
    return running


def _start(master: str, app_name: str, settings: dict[str, str]) -> SparkSession:
    local = master.startswith("local")
    defaults = _console() | (_this_machine() if local else {})
    merged: dict[str, bool | float | int | str | None] = {**defaults, **settings}
    if _JAVA_OPTIONS in settings:
        merged[_JAVA_OPTIONS] = f"{defaults[_JAVA_OPTIONS]} {settings[_JAVA_OPTIONS]}"
    builder = SparkSession.builder.master(master).appName(app_name).config(map=merged)
    try:
        with _environment(local):
            session = builder.getOrCreate()
    except (PySparkException, Py4JError) as error:
        raise EnvironmentProblem(f"Spark does not start on {master}: {_reason(error)}") from error
    # When Java ends, the server that it sends numbers to would print a stack trace beside the error.
    server: Any = session.sparkContext._accumulatorServer
    server.handle_error = lambda *_: None
    if local and _SHUFFLE_PARTITIONS not in merged:
        session.conf.set(_SHUFFLE_PARTITIONS, str(session.sparkContext.defaultParallelism))
    return session


def _reason(error: PySparkException | Py4JError) -> str:
    if isinstance(error, PySparkException) and error.getCondition() == "JAVA_GATEWAY_EXITED":
        return "Java ended at once; what it printed says why"
    # The first line of a failed call names the call, not the failure.
    text = error.java_exception.toString() if isinstance(error, Py4JJavaError) else str(error)
    return str(text).strip().splitlines()[0]


def _console() -> dict[str, str]:
    for name in _REPEATING_LOGGERS:
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL)
    properties = Path(str(files("mnemata.pipeline") / "log4j2.properties")).as_uri()
    return {
        _JAVA_OPTIONS: f"-Dlog4j2.configurationFile={properties}",
        "spark.ui.showConsoleProgress": "false",
    }


def _this_machine() -> dict[str, str]:
    # Spark's own places for these are in the current folder.
    scratch = Path(tempfile.mkdtemp(prefix="mnemata-spark-"))
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    console = _console()
    console[_JAVA_OPTIONS] += f' "-Dderby.system.home={scratch}"'
    return (
        _THIS_MACHINE_ONLY
        | console
        | {
            "spark.driver.memory": f"{_driver_memory_mib()}m",
            "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        }
    )


def _driver_memory_mib() -> int:
    """Return a quarter of the memory in MiB, at least 1 GiB and at most 8 GiB."""
    return min(max(_memory() // 4, _GIB), 8 * _GIB) // 2**20


def _memory() -> int:
    """Return the bytes of memory that this process may use: the machine's, or its container's."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
    except OSError:
        return machine
    return min(machine, int(limit)) if limit.isdecimal() else machine


@contextmanager
def _environment(local: bool) -> Iterator[None]:
    """Set, while Spark starts, the variables that it reads then; the process keeps its own."""
    variables = {"JAVA_HOME": str(launcher_home(find_java()))}
    python = dict.fromkeys(("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"), sys.executable)
    if local:
        # Another Spark's jars would not fit this Python side, nor another Python these packages.
        home = str(Path(pyspark.__file__).parent)
        variables |= python | {"SPARK_HOME": home, "SPARK_LOCAL_IP": "127.0.0.1"}
    else:
        variables |= {name: os.environ.get(name, value) for name, value in python.items()}
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
