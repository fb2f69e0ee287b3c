"""Which states paths lead to.

Not by networkx: recognition needs this and nothing else of it, and would take longer to begin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable


def reachable(begin: Iterable[int], steps: Iterable[tuple[int, int]]) -> frozenset[int]:
    """The states at the ends of all paths, those of no step included.

    Parameters
    ----------
    begin : iterable of int
        The states where paths begin.
    steps : iterable of (int, int)
        From where to where a step leads; turned round, the states are those that paths come from.

    Examples
    --------
    >>> sorted(reachable({0}, [(0, 1), (1, 2), (3, 2)])), sorted(reachable({2}, [(1, 0), (2, 1), (2, 3)]))
    ([0, 1, 2], [0, 1, 2, 3])
    """
    after: defaultdict[int, list[int]] = defaultdict(list)
    for here, there in steps:
        after[here].append(there)
    found = set(begin)
    waiting = list(found)
    while waiting:
        for there in after[waiting.pop()]:
            if there not in found:
                found.add(there)
                waiting.append(there)
    return frozenset(found)
