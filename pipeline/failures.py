"""Errors across the border between Spark's workers and the program that started them.

A worker's exception reaches Python inside a Java stack trace. What mnemata raises on purpose in a worker
is packed into the message of the exception and unpacked where the job was started, so that users see the
same class and message as without Spark.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final, TypeVar

from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark.errors import PySparkException
from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812

from mnemata.theory import errors
from mnemata.theory.errors import EnvironmentProblem, MnemataError, SourceError

T = TypeVar("T")

_PACKED: Final = re.compile(r"mnemata-error\[([A-Za-z0-9+/=\s]*)\]")
_FILE: Final = re.compile(r"\[FAILED_READ_FILE[^\]]*\] .* file (\S+)\.\s+(?:.*\s)?SQLSTATE")
_UNREADABLE: Final = ("FAILED_READ_FILE", "CANNOT_READ_FILE", "FAILED_TO_READ")
_LONGEST_REASON: Final = 300
_KNOWN: Final[tuple[tuple[tuple[str, ...], type[MnemataError], str], ...]] = (
    (("No space left on device",), SourceError, "the disk is full: no space left on device"),
    (
        ("Python worker exited unexpectedly", "(crashed)"),
        EnvironmentProblem,
        "a Python worker of Spark died; the machine may be short of memory (use more --partitions)",
    ),
    (
        ("Python worker failed to connect back", "Timed out while waiting for the Python worker"),
        EnvironmentProblem,
        "a Python worker of Spark did not start in the time that Spark gives it; the machine may have too "
        "much to do: run it again with fewer cores (--master local[1]), let tasks be tried again (--master "
        "'local[2, 4]'), or wait until less else runs",
    ),
    (
        ("OutOfMemoryError",),
        EnvironmentProblem,
        "Spark ran out of memory; give it more with spark.driver.memory",
    ),
)
"""What failures of Spark say of themselves, and what they are called here."""


SPARK_IS_GONE: Final = (Py4JNetworkError, ConnectionRefusedError, ConnectionResetError)
"""What every question to Spark raises when its Java process has ended."""


class WorkerFailure(MnemataError, RuntimeError):  # noqa: N818 - it failed; what raised is in the message
    """A worker of Spark failed in a way that is nobody's stated error: a relation of the user, or a bug."""


class _PackedError(RuntimeError):
    """How an error travels."""


def reported(work: Callable[[Iterable[Any]], Iterator[T]]) -> Callable[[Iterable[Any]], Iterator[T]]:
    """Make what a worker does with its batches raise errors that `translated` understands."""

    @wraps(work)
    def packing(batches: Iterable[Any]) -> Iterator[T]:
        with packed():
            yield from work(batches)

    return packing


@contextmanager
def packed() -> Iterator[None]:
    """Make what the block raises travel from a worker of Spark so that `translated` understands it."""
    try:
        yield
    except Exception as error:
        raise _PackedError(_pack(error)) from error


def _pack(error: Exception) -> str:
    kind = type(error).__name__
    known = isinstance(error, MnemataError) and getattr(errors, kind, None) is type(error)
    content = {"kind": kind if known else None, "message": str(error) if known else f"{kind}: {error}"}
    return f"mnemata-error[{base64.b64encode(json.dumps(content).encode()).decode()}]"


def raising(kind: str, message: Column) -> Column:
    """A column whose use raises an error of mnemata, by the name of its class, with a computed message."""
    content = F.to_json(F.struct(F.lit(kind).alias("kind"), message.alias("message")))
    packed = F.base64(F.encode(content, "UTF-8"))
    return F.raise_error(F.concat(F.lit("mnemata-error["), packed, F.lit("]")))


@contextmanager
def translated() -> Iterator[None]:
    """Raise what goes wrong in Spark jobs started here as an error of mnemata.

    Raises
    ------
    MnemataError
        The class and message of the worker's error; `SourceError` for files that cannot be read or
        written; `EnvironmentProblem` when Spark or a worker died; else `WorkerFailure`.
    """
    try:
        yield
    except (PySparkException, Py4JError, *SPARK_IS_GONE) as error:
        raise translation(error) from error


def translation(error: Exception) -> MnemataError:
    """The error of mnemata that an exception of Spark stands for."""
    texts = list(_texts(error))
    for text in texts:
        if packed := _PACKED.search(text):
            return _unpack(packed[1])
    if isinstance(error, SPARK_IS_GONE):
        return EnvironmentProblem("Spark stopped while it worked; the machine may be short of memory")
    return _by_message(error, texts)


def _unpack(packed: str) -> MnemataError:
    content = json.loads(base64.b64decode(packed))
    if content["kind"] is None:
        return WorkerFailure(f"a worker failed with {content['message']}")
    kind: type[MnemataError] = getattr(errors, content["kind"])
    # Classes with further parameters, such as places in a text, are rebuilt from their finished message.
    failure = kind.__new__(kind)
    Exception.__init__(failure, content["message"])
    return failure


def _by_message(error: Exception, texts: list[str]) -> MnemataError:
    whole = "\n".join(texts)
    reason = _first_line(texts[-1] if texts else str(error))
    for words, kind, message in _KNOWN:
        if any(word in whole for word in words):
            return kind(message)
    if file := _FILE.search(whole):
        from mnemata.pipeline.sources.location import local_path  # sources use this module

        return SourceError(f"'{local_path(file[1])}' cannot be read: {reason}")
    condition = error.getCondition() if isinstance(error, PySparkException) else None
    if (condition or "").startswith(_UNREADABLE) or "Parquet" in reason or "FileNotFound" in whole:
        return SourceError(f"a file cannot be read: {reason}")
    return WorkerFailure(f"Spark failed: {reason}")


def _texts(error: Exception) -> Iterator[str]:
    """What an exception and its causes on Java's side say, from the outside in."""
    yield str(error)
    cause = getattr(error, "_origin", None) or getattr(error, "java_exception", None)
    while cause is not None:
        try:
            message, cause = cause.getMessage(), cause.getCause()
        except (Py4JError, AttributeError):
            return
        if message:
            yield str(message)


def _first_line(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "no reason given")
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}..."
