"""What a store reports: rows, numbers of matches, and the matches themselves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from mnemata.automata.engine.blocks import Block
from mnemata.automata.engine.compiled.enumeration import (
    BUFFERS_FULL,
    DONE,
    NEED_PATH,
    NEED_STACK,
    REPORT_ROW,
    enumerate_into,
)
from mnemata.automata.engine.compiled.graph import Nodes
from mnemata.automata.engine.compiled.store import N_REPORTS, Counts, Ints, Store

POSITIONS_AT_ONCE: Final = 1 << 15
"""What is written fits in a cache, and so do the columns made of it: fresh memory costs more than matches."""


def reports_from(store: Store, row: int) -> Ints:
    """The reports of a store, but for those of earlier rows; a copy."""
    reports = store.reports[: store.numbers[N_REPORTS]]
    return reports[reports[:, REPORT_ROW] >= row]


def totals(store: Store) -> Iterator[tuple[int, int]]:
    """The rows of the reports, each with the sum of its counts."""
    reported = store.reported[: store.numbers[N_REPORTS]]
    rows = store.reports[: store.numbers[N_REPORTS], 0]
    bounds = np.append(np.flatnonzero(np.diff(rows, prepend=-1)), len(rows))
    for begin, end in pairwise(bounds.tolist()):
        yield int(rows[begin]), total(reported[begin:end])


def total(reported: Counts) -> int:
    """The sum of counts."""
    low, found = np.uint64(0xFFFFFFFF), 0
    for limb, words in enumerate(reported.T):
        part = int((words >> np.uint64(32)).sum()) * 2**32 + int((words & low).sum())
        found += part << (64 * limb)
    return found


def enumerated(nodes: Nodes, reports: Ints, first: int | None = None) -> Iterator[Block]:
    """The matches of reports, see `mnemata.automata.engine.compiled.enumeration.enumerate_into`.

    Where some do not mark the row at which they are found, those of each row come in blocks of their own.

    Parameters
    ----------
    nodes : int64 array of shape (capacity, 4)
        The match graph.
    reports : int64 array of shape (n_reports, 3)
        As in `mnemata.automata.engine.compiled.store.Store`.
    first : int, optional
        The most matches of each row; all unless told.
    """
    rows = reports[:, REPORT_ROW]
    if (rows >= 0).all():
        yield from _enumerated(nodes, reports, first)
        return
    rows = np.where(rows < 0, -1 - rows, rows)
    bounds = np.append(np.flatnonzero(np.diff(rows, prepend=-1)), len(rows))
    for begin, end in pairwise(bounds.tolist()):
        for block in _enumerated(nodes, reports[begin:end], first):
            yield block._replace(found=np.full(len(block.ends), rows[begin], np.int64))


def _enumerated(nodes: Nodes, reports: Ints, first: int | None) -> Iterator[Block]:
    n_reports = len(reports)
    if not n_reports:
        return
    most = np.iinfo(np.int64).max if first is None else first
    cursor, stack, path = np.zeros(3, np.int64), np.zeros((64, 2), np.int64), np.zeros(64, np.int64)
    positions, ends = (np.empty(POSITIONS_AT_ONCE, np.int64) for _ in range(2))
    code = BUFFERS_FULL
    while code != DONE:
        code, written = enumerate_into(nodes, reports, n_reports, most, cursor, stack, path, positions, ends)
        if written:
            yield Block(positions[: ends[written - 1]].copy(), ends[:written].copy())
        elif code == BUFFERS_FULL:
            positions = np.empty(2 * len(positions), np.int64)
        if code == NEED_STACK:
            stack = np.concatenate([stack, np.zeros_like(stack)])
        elif code == NEED_PATH:
            path = np.concatenate([path, np.zeros_like(path)])
