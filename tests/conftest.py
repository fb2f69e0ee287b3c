"""What all tests share: profiles for generated examples, a Spark session, and the real stream."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parent.parent
STOCK_STREAM = ROOT.parent / "shared" / "data" / "stocks.stream.xz"

# The time of one example says little: kernels compile and Spark starts inside some of them.
COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples on every run, so that a change is judged by what it changes.
settings.register_profile("default", COMMON, max_examples=100, derandomize=True, database=None)
# New examples on every run; what they find is printed in a form that repeats it.
settings.register_profile("deep", COMMON, max_examples=2000, print_blob=True)
settings.load_profile("default")


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """Spark on two threads of this machine, one for all tests."""
    # Not above: tests that need no Spark need not wait for its import.
    from mnemata.pipeline.session import spark_session

    session = spark_session(cores=2)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def stock_stream_path() -> Path:
    """The stock stream of the papers' experiments: 224,473 ticks as text."""
    path = Path(os.environ.get("MNEMATA_STOCK_STREAM", STOCK_STREAM))
    if not path.is_file():
        pytest.skip(f"no stock stream at {path}; name it in MNEMATA_STOCK_STREAM")
    return path
