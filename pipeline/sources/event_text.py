"""The text form of the benchmark's streams: ``BUY(id=8,name=INTC,volume=100,price=27.8500)``.

One event in each line: its type, then its fields in any order. A value is what lies between ``=`` and the
next comma, or the last parenthesis; an empty one is missing, and so is a field that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.pipeline.sources.casting import Places, Texts, mask_of, picked
from mnemata.pipeline.sources.columns import Column, TextColumn
from mnemata.pipeline.sources.faults import Faults

UNLIKE_AN_EVENT: Final = "not of the form TYPE(name=value,...)"
UNKNOWN_FIELD: Final = "a field that the schema does not have"
REPEATED_FIELD: Final = "a field that occurs twice"
_BLANKS: Final = " \t"
_MOST_SHAPES: Final = 16
_LONGEST_SHAPE: Final = 10_000

Group: TypeAlias = tuple[Places, Mapping[str, Texts]]


class _FaultyLineError(ValueError):
    def __init__(self, reason: str, detail: str | None = None) -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True, slots=True)
class EventText:
    """Lines of the form ``TYPE(name=value,...)``.

    Parameters
    ----------
    event_type : str
        The attribute that holds what stands before the parenthesis.
    missing : frozenset of str
        Values that mean a missing value, besides the empty one.
    """

    event_type: str = "type"
    missing: frozenset[str] = frozenset()

    def fields(self, lines: Texts, faults: Faults, declared: Collection[str] | None) -> Mapping[str, Column]:
        """Fields of each line, by name; see `mnemata.pipeline.sources.formats.TextFormat`."""
        groups = self._groups(lines, faults)
        names = dict.fromkeys(name for _, columns in groups for name in columns)
        if declared is not None:
            _check_names(groups, faults, frozenset(declared))
            names = dict.fromkeys(name for name in names if name in declared)
        return {name: TextColumn(self._column(name, groups, len(lines))) for name in names}

    def _groups(self, lines: Texts, faults: Faults) -> list[Group]:
        """Lines grouped by their shape (the names of their fields, in order), most of them at once."""
        groups: list[Group] = []
        left = np.flatnonzero(~faults.mask)
        while len(left):
            row = int(left[0])
            try:
                names, values = self._names_and_values(str(lines[row]))
            except _FaultyLineError as fault:
                faults.add_one(row, fault.reason, fault.detail)
                left = left[1:]
                continue
            same = self._same_shape(lines, left, names) if len(groups) < _MOST_SHAPES else None
            if same is None:
                alone = (pa.array([value], pa.string()) for value in values)
                groups.append((left[:1], dict(zip(names, alone, strict=True))))
                left = left[1:]
            else:
                groups.append(same)
                left = np.setdiff1d(left, same[0], assume_unique=True)
        return groups

    def _names_and_values(self, line: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        split = split_event(line)
        if split is None:
            raise _FaultyLineError(UNLIKE_AN_EVENT)
        names = (self.event_type, *split[0])
        if len(set(names)) < len(names):
            raise _FaultyLineError(REPEATED_FIELD, next(n for n in names if names.count(n) > 1))
        return names, split[1]

    def _same_shape(self, lines: Texts, left: Places, names: tuple[str, ...]) -> Group | None:
        """The lines of `left` with these fields; ``None`` when the first cannot be told by a pattern."""
        shape = _shape(names[1:])
        if len(shape) > _LONGEST_SHAPE:
            return None
        found = pc.extract_regex(picked(lines, left), shape)
        same = mask_of(found.is_valid())
        if not same[0]:
            return None
        columns = found.filter(pa.array(same)).flatten()
        return left[same], dict(zip(names, columns, strict=True))

    def _column(self, name: str, groups: list[Group], size: int) -> Texts:
        parts = [(rows, columns[name]) for rows, columns in groups if name in columns]
        if len(parts) == 1 and len(parts[0][0]) == size:
            texts = parts[0][1]
        else:
            place = np.full(size, -1, dtype=np.int64)
            rows = np.concatenate([rows for rows, _ in parts])
            place[rows] = np.arange(len(rows))
            together = pa.concat_arrays([texts for _, texts in parts])
            texts = picked(together, place)
        return without_missing(texts, self.missing)


def without_missing(texts: Texts, missing: frozenset[str]) -> Texts:
    """`texts` with null for the empty text and those in `missing`."""
    absent = pc.is_in(texts, value_set=pa.array(["", *sorted(missing)], pa.string()))
    present: Texts = pc.if_else(absent, pa.scalar(None, pa.string()), texts)
    return present


def split_event(line: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The names of a line's fields; its event type and then their values. ``None`` if it has no such form.

    >>> split_event("BUY(id=8,name=INTC)")
    (('id', 'name'), ('BUY', '8', 'INTC'))
    """
    head, _, rest = line.strip(_BLANKS).partition("(")
    if not head.strip(_BLANKS) or not rest.endswith(")"):
        return None
    body = rest[:-1]
    pieces = [piece.partition("=") for piece in body.split(",")] if body.strip(_BLANKS) else []
    names = tuple(name.strip(_BLANKS) for name, _, _ in pieces)
    if not all(equals for _, equals, _ in pieces) or not all(names):
        return None
    return names, (head.strip(_BLANKS), *(value for _, _, value in pieces))


def _shape(names: tuple[str, ...]) -> str:
    """A regular expression that matches the lines which `split_event` splits into these names."""
    blanks = r"[ \t]*"
    fields = (rf"{blanks}{re.escape(name)}{blanks}=(?P<f{number}>[^,]*)" for number, name in enumerate(names))
    head = r"(?P<head>[^( \t]|[^( \t][^(]*[^( \t])"
    return rf"(?s)^{blanks}{head}{blanks}\({','.join(fields) or blanks}\){blanks}$"


def _check_names(groups: list[Group], faults: Faults, declared: frozenset[str]) -> None:
    for rows, columns in groups:
        for name in columns:
            if name not in declared:
                for row in rows:
                    faults.add_one(int(row), UNKNOWN_FIELD, name)
