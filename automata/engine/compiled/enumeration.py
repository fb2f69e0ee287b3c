"""Enumeration of the match graph with output-linear delay.

Between one match and the next there are at most three unions for each mark of the two. Nothing is copied at
a union: matches are written from their last mark to their first, and what two of them have in common at the
end stays where it is.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.compiled.graph import LABEL, LEAF, LEFT, RIGHT, START, Nodes
from mnemata.automata.engine.compiled.jit import compiled, inlined

Rows: TypeAlias = npt.NDArray[np.int64]

REPORT_ROW, REPORT_NODE, REPORT_CUTOFF = 0, 1, 2
REPORT_COLUMNS = 3

AT_REPORT, AT_STACK, AT_MATCH = 0, 1, 2
"""Where an enumeration stands: the next report, the pending nodes, the matches with this last mark so far."""


DONE, BUFFERS_FULL, NEED_STACK, NEED_PATH = 0, 1, 2, 3


@inlined
def descend(
    nodes: Nodes, node: int, depth: int, cutoff: int, stack: Rows, pending: int, path: Rows
) -> tuple[int, int, int, int]:
    """Go to the left until the empty match; marks go to the path, what lies to the right goes to the stack.

    Returns why it stopped, at which node, and how much of the path and of the stack is in use.
    """
    while nodes[node, LABEL] != LEAF:
        if nodes[node, LABEL] >= 0:
            if depth == len(path):
                return NEED_PATH, node, depth, pending
            path[depth] = nodes[node, LABEL]
            depth += 1
        elif nodes[nodes[node, RIGHT], START] >= cutoff:
            if pending + 2 > len(stack):
                return NEED_STACK, node, depth, pending
            stack[pending, 0], stack[pending, 1] = nodes[node, RIGHT], depth
            pending += 1
        node = nodes[node, LEFT]
    return DONE, node, depth, pending


@inlined
def row_of(report: int) -> int:
    """The row at which a report was made."""
    return report if report >= 0 else -1 - report


@compiled
def enumerate_into(
    nodes: Nodes,
    reports: Rows,
    n_reports: int,
    most: int,
    cursor: Rows,
    stack: Rows,
    path: Rows,
    positions: Rows,
    ends: Rows,
) -> tuple[int, int]:
    """Write matches until the buffers are full or there are no more.

    Parameters
    ----------
    nodes : int64 array of shape (n, 4)
        The match graph.
    reports : int64 array of shape (n, 3)
        For each set of matches its last mark, or ``-1 - row`` when it is found at a row that it does not
        mark, the node of what was marked before, and the earliest start inside the window.
    n_reports : int
        How many there are.
    most : int
        How many matches to write for each last mark; those of one stand together in `reports`.
    cursor : int64 array of shape (3,)
        Where to go on; zeros at first. Changed in place.
    stack, path : int64 arrays of shapes (n, 2) and (n,)
        Pending nodes, each with how much of the path was written before it; the marks from the last one on.
    positions : int64 array of shape (n,)
        Filled with the marks of one match after the other, each in increasing order.
    ends : int64 array of shape (n,)
        Filled with the places in `positions` where matches end.

    Returns
    -------
    tuple of int
        Why it stopped, and the number of matches written.
    """
    report, pending, alike = cursor[AT_REPORT], cursor[AT_STACK], cursor[AT_MATCH]
    used, written, code = 0, 0, DONE
    while True:
        if pending == 0:
            if report == n_reports:
                break
            row = reports[report, REPORT_ROW]
            if report == 0 or row_of(row) != row_of(reports[report - 1, REPORT_ROW]):
                alike = 0
            if alike == most:
                report += 1
                continue
            path[0] = row
            stack[0, 0], stack[0, 1] = reports[report, REPORT_NODE], 1 if row >= 0 else 0
            pending = 1
            report += 1
        cutoff = reports[report - 1, REPORT_CUTOFF]
        node, depth = stack[pending - 1, 0], stack[pending - 1, 1]
        pending -= 1
        code, node, depth, pending = descend(nodes, node, depth, cutoff, stack, pending, path)
        if code == DONE and (written == len(ends) or used + depth > len(positions)):
            code = BUFFERS_FULL
        if code != DONE:
            stack[pending, 0], stack[pending, 1] = node, depth
            pending += 1
            break
        for place in range(depth):
            positions[used + place] = path[depth - 1 - place]
        used += depth
        ends[written] = used
        written += 1
        alike += 1
        if alike == most:
            pending = 0
    cursor[AT_REPORT], cursor[AT_STACK], cursor[AT_MATCH] = report, pending, alike
    return code, written
