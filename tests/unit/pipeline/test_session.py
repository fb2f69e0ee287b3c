"""Starting Spark, and using the session that runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from mnemata.pipeline.session import SessionOptionError, spark_session
from mnemata.theory.errors import EnvironmentProblem, MnemataError


def test_the_running_session_is_used(spark: SparkSession) -> None:
    assert spark_session() is spark
    assert spark_session("local[2]") is spark
    assert spark_session(cores=2) is spark


def test_another_master_is_refused(spark: SparkSession) -> None:
    with pytest.raises(EnvironmentProblem, match=r"already runs on local\[2\], not on local\[7\]"):
        spark_session(cores=7)


def test_a_running_session_takes_settings_that_can_change(spark: SparkSession) -> None:
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    spark_session(shuffle_partitions=5)
    assert spark.conf.get("spark.sql.shuffle.partitions") == "5"
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
    spark_session(extra_conf={"spark.sql.shuffle.partitions": str(before)})
    assert spark.conf.get("spark.sql.shuffle.partitions") == before


def test_a_running_session_refuses_settings_that_cannot_change(spark: SparkSession) -> None:
    memory = spark.conf.get("spark.driver.memory")
    assert spark_session(extra_conf={"spark.driver.memory": str(memory)}) is spark
    with pytest.raises(EnvironmentProblem, match=r"spark\.driver\.memory=.* cannot become 1g"):
        spark_session(extra_conf={"spark.driver.memory": "1g"})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cores": 0}, "cores must be at least 1, got 0"),
        ({"shuffle_partitions": -1}, "shuffle_partitions must be at least 1, got -1"),
        ({"master": "local[2]", "cores": 2}, r"write local\[2\] alone"),
        ({"master": "local[many]"}, r"'local\[many\]' is no master of Spark"),
        ({"master": "nonsense"}, r"'nonsense' is no master of Spark; use local\[4\]"),
    ],
)
def test_arguments_that_make_no_sense(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(SessionOptionError, match=message) as caught:
        spark_session(**arguments)  # type: ignore[arg-type]
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, MnemataError)


def test_a_session_of_this_machine(spark: SparkSession) -> None:
    conf = spark.sparkContext.getConf()
    assert conf.get("spark.driver.host") == "127.0.0.1"
    assert conf.get("spark.driver.bindAddress") == "127.0.0.1"
    assert spark.sparkContext.uiWebUrl is None
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
    assert spark.conf.get("spark.sql.execution.arrow.pyspark.enabled") == "true"
    assert 1024 <= int(str(conf.get("spark.driver.memory")).removesuffix("m")) <= 8192


def test_workers_run_this_python(spark: SparkSession) -> None:
    def describe(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import mnemata.theory

        for batch in batches:
            facts = [f"{sys.executable} {mnemata.theory.__file__}"] * batch.num_rows
            yield pa.RecordBatch.from_pydict({"facts": facts})

    import mnemata.theory

    rows = spark.range(4, numPartitions=2).mapInArrow(describe, "facts string").collect()
    assert {row.facts for row in rows} == {f"{sys.executable} {mnemata.theory.__file__}"}


WITHOUT_JAVA = """
import os
import pyarrow as pa
from mnemata.pipeline.session import spark_session

NAMES = ("JAVA_HOME", "PYSPARK_DRIVER_PYTHON", "PYSPARK_PYTHON", "SPARK_HOME", "SPARK_LOCAL_IP")
os.environ["SPARK_HOME"] = "/another"
spark = spark_session(cores=1, extra_conf={"spark.driver.extraJavaOptions": "-Dx.y=z"})
print(*(os.environ.get(name) for name in NAMES))
properties = spark._jvm.java.lang.System.getProperty
print(properties("java.vm.specification.version"), properties("x.y"))
print(spark.conf.get("spark.sql.shuffle.partitions"))

def count(table):
    return pa.table({"key": table["key"][:1], "n": [table.num_rows]})

def fail(batches):
    raise ValueError("a fault of the user's function")

events = spark.range(10).selectExpr("id % 3 as key")
events.write.saveAsTable("events")
grouped = spark.table("events").groupBy("key").applyInArrow(count, "key long, n long")
print(sorted(tuple(row) for row in grouped.collect()))
for mistake in (lambda: events.mapInArrow(fail, "key long").collect(),
                lambda: spark.sql("select missing from events")):
    try:
        mistake()
    except Exception as error:
        print(type(error).__name__)
"""


def test_spark_on_the_wheels_java(tmp_path: Path) -> None:
    """With no Java but the wheel's: a whole job, a quiet console and no trace in the folder."""
    broken = tmp_path / "bin" / "java"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    folder = tmp_path / "a folder"
    folder.mkdir()
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    environment["PATH"] = f"{broken.parent}{os.pathsep}{environment['PATH']}"
    environment["HOME"] = environment["XDG_CACHE_HOME"] = str(tmp_path / "home")
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_JAVA],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    assert run.stdout.splitlines() == [
        "None None None /another None",
        "25 z",
        "1",
        "[(0, 4), (1, 3), (2, 3)]",
        "PythonException",
        "AnalysisException",
    ]
    assert list(folder.iterdir()) == []
    # Spark mistakes a space in a path for "%20", so its traces may be beside the folder.
    assert {path.name for path in tmp_path.iterdir()} == {"a folder", "bin", "home"}


AFTER_A_FAILURE = """
from mnemata.pipeline.session import spark_session
try:
    spark_session("local[0]")
except Exception as error:
    print(type(error).__name__, error)
print(spark_session("local[1]").range(3).count())
"""


def test_a_start_that_fails() -> None:
    run = subprocess.run([sys.executable, "-c", AFTER_A_FAILURE], capture_output=True, text=True, check=True)
    failure, count = run.stdout.splitlines()
    assert failure.startswith("EnvironmentProblem Spark does not start on local[0]: ")
    assert failure.endswith("0 threads")
    assert count == "3"
