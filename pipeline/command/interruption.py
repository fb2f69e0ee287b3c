"""Ctrl-C while Spark works: the command ends at once, with one line instead of stack traces."""

from __future__ import annotations

import logging
import signal
import threading
import time
from types import FrameType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXIT_CODE: Final = 130
"""What shells expect of a program that was interrupted."""

_SECONDS_TO_SETTLE: Final = 5.0
_happened: Final = threading.Event()


def expect() -> None:
    """Prepare for an interruption; to be called when Spark has started.

    Spark's own handler asks Java to cancel the jobs, in the middle of another question to it, and its
    bridge logs the confusion that follows.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _interrupt)
    if not logging.getLogger().handlers:
        logging.getLogger().addHandler(logging.NullHandler())


def happened() -> bool:
    """Whether the user interrupted; errors that arise afterwards are its consequences."""
    return _happened.is_set()


def settle(spark: SparkSession) -> None:
    """After an interruption, end Spark's jobs; stopping it while they run would show Java's stack traces."""
    if not happened():
        return
    from py4j.protocol import Py4JError

    end = time.monotonic() + _SECONDS_TO_SETTLE
    try:
        spark.sparkContext.cancelAllJobs()
        tracker = spark.sparkContext.statusTracker()
        while tracker.getActiveStageIds() and time.monotonic() < end:
            time.sleep(0.1)
    except Py4JError:
        return
    # A cancelled task reports its end a little later than its stage.
    time.sleep(1)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    _happened.set()
    raise KeyboardInterrupt
