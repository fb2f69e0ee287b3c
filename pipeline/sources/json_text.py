"""JSON lines: one object in each line.

A member that is ``null``, or not there, is a missing value. Objects must not name a member twice.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mnemata.pipeline.sources.casting import Texts
from mnemata.pipeline.sources.columns import Column, JsonColumn
from mnemata.pipeline.sources.event_text import REPEATED_FIELD, UNKNOWN_FIELD
from mnemata.pipeline.sources.faults import Faults

NOT_JSON: Final = "not JSON"
NOT_AN_OBJECT: Final = "JSON, but not an object"
TOO_LARGE: Final = "a number that no float64 holds"


class _RepeatedError(ValueError):
    """A member occurs twice."""


class _TooLargeError(ValueError):
    """A number overflows."""


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        raise _RepeatedError(next(name for name in names if names.count(name) > 1))
    return members


def _finite(literal: str) -> float:
    number = float(literal)
    if math.isinf(number):
        raise _TooLargeError(literal)
    return number


_decode = json.JSONDecoder(object_pairs_hook=_members).decode
_decode_strictly = json.JSONDecoder(object_pairs_hook=_members, parse_float=_finite).decode


@dataclass(frozen=True, slots=True)
class JsonText:
    """Lines that are JSON objects."""

    def fields(self, lines: Texts, faults: Faults, declared: Collection[str] | None) -> Mapping[str, Column]:
        """Fields of each line, by name; see `mnemata.pipeline.sources.formats.TextFormat`."""
        sound = ~faults.mask
        texts = [line or "" for line in lines.to_pylist()]
        rows = [_row(i, line, faults) if sound[i] else {} for i, line in enumerate(texts)]
        found = dict.fromkeys(name for row in rows for name in row)
        unknown = set() if declared is None else found.keys() - set(declared)
        if unknown:
            _refuse(rows, unknown, faults)
        columns = {name: [row.get(name) for row in rows] for name in found if name not in unknown}
        for values in columns.values():
            _check_overflow(values, texts, faults)
        return {name: JsonColumn(values) for name, values in columns.items()}


def _row(number: int, line: str, faults: Faults) -> Mapping[str, Any]:
    try:
        row = _decode(line)
    except _RepeatedError as error:
        faults.add_one(number, REPEATED_FIELD, str(error))
    except (ValueError, RecursionError):
        faults.add_one(number, NOT_JSON)
    else:
        if isinstance(row, dict):
            return row
        faults.add_one(number, NOT_AN_OBJECT)
    return {}


def _refuse(rows: list[Mapping[str, Any]], unknown: set[str], faults: Faults) -> None:
    for number, row in enumerate(rows):
        for name in row:
            if name in unknown:
                faults.add_one(number, UNKNOWN_FIELD, name)


def _check_overflow(values: list[Any], lines: list[str], faults: Faults) -> None:
    """An infinity was written as such, or is a literal that overflowed; the latter is a fault."""
    if math.inf not in values and -math.inf not in values:
        return
    for number, value in enumerate(values):
        if isinstance(value, float) and math.isinf(value):
            try:
                _decode_strictly(lines[number])
            except _TooLargeError as error:
                faults.add_one(number, TOO_LARGE, str(error))
