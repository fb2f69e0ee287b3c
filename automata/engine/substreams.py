"""``partition by``: the rows of a stream, sub-stream by sub-stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from mnemata.automata.engine.arrays import arrow, numbers
from mnemata.automata.engine.columns import Column, Columns, Rows
from mnemata.automata.engine.compiled.jit import frozen
from mnemata.automata.engine.compiled.scans import count_codes, place_by_code


class Substreams(NamedTuple):
    """The sub-streams of a stream, in the order in which their keys first appear.

    Parameters
    ----------
    order : int64 array or None
        The rows of the stream, one sub-stream after the other and each in stream order; rows whose key is
        missing are left out. ``None`` stands for all rows as they are.
    bounds : int64 array of shape (n_substreams + 1,)
        Where in `order` each sub-stream begins, and the last one ends.
    """

    order: Rows | None
    bounds: Rows


def substreams(columns: Columns, names: Sequence[str]) -> Substreams:
    """The sub-streams of the rows that agree on the attributes `names`."""
    if not names:
        return Substreams(None, np.array([0, columns.size] if columns.size else [0], np.int64))
    first, *others = names
    keys = _codes(columns[first])
    for name in others:
        codes = _codes(columns[name])
        pairs = np.where((keys < 0) | (codes < 0), -1, keys * (codes.max(initial=0) + 1) + codes)
        keys = _codes(Column(pairs, pairs < 0))
    counts = np.zeros(int(keys.max(initial=-1)) + 1, np.int64)
    count_codes(frozen(keys), counts)
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    order: Rows = np.empty(bounds[-1], np.int64)
    place_by_code(frozen(keys), bounds[:-1].copy(), order)
    return Substreams(order, bounds)


def begins_of(found: Substreams) -> Rows:
    """For each row of `order` where its sub-stream begins."""
    return np.repeat(found.bounds[:-1], np.diff(found.bounds))


def _codes(column: Column) -> Rows:
    """Values as ``0, 1, ...`` in the order in which they first appear, -1 where missing."""
    values = column.values + 0.0 if column.values.dtype.kind == "f" else column.values  # -0.0 equals 0.0
    known: Any = pc.dictionary_encode(arrow(values, column.missing))
    codes: Rows = numbers(known.indices).astype(np.int64)
    if column.missing is not None:
        codes[column.missing] = -1
    return codes
