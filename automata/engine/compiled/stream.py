"""The rows that the kernel reads, and what windows say at each of them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from mnemata.automata.engine.compiled.jit import inlined
from mnemata.automata.engine.compiled.store import Ints

LEAST: Final = np.iinfo(np.int64).min


class Stream(NamedTuple):
    """The rows to read, one sub-stream after the other, or only parts of them.

    Parameters
    ----------
    classes : uint8 or int32 array of shape (n_rows,)
        The event class of each row.
    parts : int64 array of shape (n_parts, 2)
        Where each part to read begins and ends; what is read of one is forgotten before the next.
    clock : int64 array of shape (n_rows,)
        By which windows on marks are measured: positions, or timestamps; of length 0 without one.
    cutoffs : int64 array of shape (n_rows,)
        The earliest clock inside the window at each row; of length 0 when it is `span` before the row's own.
    span : int64
        A mark whose clock is so much earlier, or more, is outside the window.
    length : int64
        The longest string of a match; 0 without a window on length.
    offset : int64
        What to add to a row to get its number in its sub-stream.
    labels : int64 array of shape (n_rows,)
        What rows are called in matches; of length 0 when they are called by their number.
    """

    classes: Any
    parts: Ints
    clock: Ints
    cutoffs: Ints
    span: int
    length: int
    offset: int
    labels: Ints


class Now(NamedTuple):
    """The event that is read: row, number, label and clock; the earliest clock and number inside windows."""

    row: int
    number: int
    label: int
    clock: int
    cutoff: int
    earliest: int


@inlined
def present(stream: Stream, row: int) -> Now:
    """The event of a row and what windows say about it."""
    clock, cutoff, earliest = 0, LEAST, 0
    if len(stream.clock):
        clock = stream.clock[row]
        if len(stream.cutoffs):
            cutoff = stream.cutoffs[row]
        elif clock >= LEAST + stream.span:
            cutoff = clock - stream.span + 1
    number = row + stream.offset
    if stream.length > 0:
        earliest = number - stream.length + 1
    label = stream.labels[row] if len(stream.labels) else number
    return Now(row, number, label, clock, cutoff, earliest)
