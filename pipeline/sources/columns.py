"""The fields of one name in a batch of rows, before they are values of an attribute."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa

from mnemata.pipeline.sources.casting import Mask, Texts, Values, attempt, cast_texts
from mnemata.pipeline.sources.inference import Tally, tally_texts
from mnemata.theory.schema import (
    INT64_MAX,
    INT64_MIN,
    AttributeType,
    Bool,
    Category,
    Float64,
    Int64,
    String,
    Timestamp,
)


class Entries(Protocol):
    """What is found under one name, one entry for each row."""

    def cast(self, kind: AttributeType) -> tuple[Values, Mask]:
        """The entries as values of an attribute, and which of them are not."""

    def show(self, row: int) -> str | None:
        """An entry as text, for those who look for the fault in it."""


class Column(Entries, Protocol):
    """Entries of a format that does not say of which type they are."""

    def tally(self) -> Tally:
        """What the entries look like, for those who infer a schema."""


class TextColumn:
    """Entries of a format that writes everything as text; null is missing."""

    __slots__ = ("_texts",)

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def cast(self, kind: AttributeType) -> tuple[Values, Mask]:
        return cast_texts(self._texts, kind)

    def show(self, row: int) -> str | None:
        text: str | None = self._texts[row].as_py()
        return text

    def tally(self) -> Tally:
        return tally_texts(self._texts)


_ALLOWED: Final[Mapping[type[AttributeType], frozenset[type]]] = {
    Int64: frozenset({int}),
    Float64: frozenset({int, float}),
    Bool: frozenset({bool}),
    String: frozenset({str}),
    Category: frozenset({str}),
    Timestamp: frozenset({int, str}),
}


class JsonColumn:
    """Entries that are JSON values: text is text and not a number, ``1.0`` is not a whole number."""

    __slots__ = ("_values",)

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = values

    def cast(self, kind: AttributeType) -> tuple[Values, Mask]:
        wrong = self._misfits(kind)
        values = (
            [None if bad else v for v, bad in zip(self._values, wrong, strict=True)]
            if wrong.any()
            else self._values
        )
        match kind:
            case Bool():
                return pa.array(values, pa.bool_()), wrong
            case Float64():
                return pa.array(values, pa.float64()), wrong
            case Int64():
                return pa.array(values, pa.int64()), wrong
        texts = pa.array([v if v is None or isinstance(v, str) else str(v) for v in values], pa.string())
        cast, misfits = cast_texts(texts, kind)
        return cast, wrong | misfits

    def _misfits(self, kind: AttributeType) -> Mask:
        values, allowed = self._values, _ALLOWED[type(kind)] | {type(None)}
        if set(map(type, values)) <= allowed:
            wrong = np.zeros(len(values), dtype=np.bool_)
        else:
            wrong = np.fromiter((type(v) not in allowed for v in values), np.bool_, len(values))
        if isinstance(kind, Int64 | Float64 | Timestamp):
            wrong |= np.fromiter(
                (type(v) is int and not _fits(v, kind) for v in values), np.bool_, len(values)
            )
        return wrong

    def show(self, row: int) -> str | None:
        value = self._values[row]
        return None if value is None else value if isinstance(value, str) else json.dumps(value)

    def tally(self) -> Tally:
        numbers = [v for v in self._values if type(v) in (int, float)]
        texts = [v for v in self._values if isinstance(v, str)]
        tally = tally_texts(pa.array(texts, pa.string()))
        whole = sum(type(v) is int and _fits(v, Int64()) for v in numbers)
        truths = sum(isinstance(v, bool) for v in self._values)
        other = sum(isinstance(v, list | dict) for v in self._values)
        return Tally(
            whole=whole,
            fractional=len(numbers) - whole,
            truths=truths,
            instants=tally.instants,
            digits=tally.digits,
            other=len(texts) - tally.instants + other,
        )


class ArrowColumn:
    """Entries that have an Arrow type already, one that the engine takes for the attribute."""

    __slots__ = ("_values",)

    def __init__(self, values: Values) -> None:
        self._values = values

    def cast(self, kind: AttributeType) -> tuple[Values, Mask]:
        values = self._values
        if isinstance(values, pa.DictionaryArray):
            values = values.dictionary_decode()
        match kind:
            case Timestamp(unit=unit) if not pa.types.is_integer(values.type):
                zone = getattr(values.type, "tz", None)
                instants, wrong = attempt(values, pa.timestamp(unit, tz=zone))
                return instants.cast(pa.int64()), wrong
            case Int64() | Timestamp():
                return attempt(values, pa.int64())
            case Float64():
                return values.cast(pa.float64(), safe=False), np.zeros(len(values), dtype=np.bool_)
            case Bool():
                return values.cast(pa.bool_()), np.zeros(len(values), dtype=np.bool_)
        return cast_texts(values.cast(pa.string()), kind)

    def show(self, row: int) -> str | None:
        value = self._values[row].as_py()
        return None if value is None else str(value)


def _fits(value: int, kind: AttributeType) -> bool:
    if isinstance(kind, Float64):
        try:
            return math.isfinite(float(value))
        except OverflowError:
            return False
    return INT64_MIN <= value <= INT64_MAX
