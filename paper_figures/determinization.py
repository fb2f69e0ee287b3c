"""How large deterministic automata get with the window: the ring buffer against the published construction.

``python -m mnemata.paper_figures.determinization`` prints tables in Markdown for the automaton of SRT Fig. 4
and three others; `results/determinization.md` holds them. Both constructions make a deterministic automaton
for the same language, the strings of up to so many events, over windows from 1 to 10 and by ring buffer up
to 50. The ring buffer for streams, which has no published counterpart, has a table of its own.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

from mnemata.automata.constructions.powerset import Effort, determinize_as_published
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.constructions.trimming import trim
from mnemata.automata.srt.transducer import SRT
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.building import head, register
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Float64, Int64, Schema, String
from mnemata.theory.sremo.expressions import Expression, mark, skip
from mnemata.theory.trees import Node, children

SCHEMA: Final = Schema.of(type=String(), id=Int64(), price=Float64())
_u, _r1, _r2 = head(SCHEMA), register("r1", SCHEMA), register("r2", SCHEMA)
_BUY, _SELL, _SAME = _u.type == "B", _u.type == "S", _u.id == _r1.id

AUTOMATA: Final[Mapping[str, Expression]] = {
    "Fig. 4": skip().star() >> mark(_BUY, _r1) >> skip().star() >> mark(_SELL & _SAME),
    "Fig. 4 without its first loop": mark(_BUY, _r1) >> skip().star() >> mark(_SELL & _SAME),
    "rising prices": mark(_BUY, _r1) >> mark(_u.price > _r1.price, _r1).plus(),
    "two registers": mark(_BUY, _r1)
    >> skip().star()
    >> mark(_SELL, _r2)
    >> skip().star()
    >> mark(_SAME & (_u.price > _r2.price)),
}
PUBLISHED_WINDOWS: Final = range(1, 11)
RING_WINDOWS: Final = (*range(1, 11), 20, 30, 40, 50)
STREAM_WINDOWS: Final = (5, 10, 20, 30, 40, 50)
FITTED_FROM: Final = 10
PER_CELL: Final = Budget(states=20_000, seconds=240)

RING: Final = "ring buffer"
PUBLISHED: Final = "as published"
STREAMS: Final = "ring buffer, streams"


@dataclass(frozen=True, slots=True)
class Row:
    """One automaton, window and construction.

    Parameters
    ----------
    states, transitions, registers : int
        Of the deterministic automaton; where the budget was spent, as far as it came.
    nodes : int
        Distinct nodes of all its conditions, which share what they have in common.
    combinations, minterms, calls : int
        Combinations of truth values in question, those of them that are possible, and solver calls. The ring
        buffer asks about none.
    seconds : float
        Of processor time.
    refused : bool
        Whether the budget was spent.
    """

    automaton: str
    construction: str
    window: int
    states: int
    transitions: int
    registers: int = 0
    nodes: int = 0
    combinations: int = 0
    minterms: int = 0
    calls: int = 0
    seconds: float = 0.0
    refused: bool = False

    @property
    def pruned(self) -> int:
        """The combinations that are impossible, none of which became a transition."""
        return self.combinations - self.minterms

    def markdown(self) -> str:
        """The row of a table in Markdown."""
        more = "> " if self.refused else ""
        known = [f"{more}{self.states:,}", f"{more}{self.transitions:,}"]
        known += ["", ""] if self.refused else [f"{self.registers:,}", f"{self.nodes:,}"]
        asked = (self.combinations, self.minterms, self.pruned, self.calls)
        cells = (self.automaton, self.construction, str(self.window), *known, *(f"{n:,}" for n in asked))
        return f"| {' | '.join(cells)} | {more}{self.seconds:.2f} |"


HEADER: Final = (
    "| automaton | construction | window | states | transitions | registers | nodes of conditions "
    "| combinations | minterms | pruned | solver calls | seconds |\n"
    "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)
GROWTH: Final = (
    "| automaton | construction | windows | states | transitions | registers | nodes of conditions "
    "| minterms | seconds |\n|---|---|---|---:|---:|---:|---:|---:|---:|"
)


def automaton(name: str) -> SRT:
    """What is determinized: trimmed, without epsilon transitions."""
    return trim(thompson(AUTOMATA[name]).without_epsilon())


def bounded_rows() -> Iterator[Row]:
    """Both constructions for strings, each row as soon as it is measured."""
    for name in AUTOMATA:
        srt = automaton(name)
        yield from (ring(name, srt, window) for window in RING_WINDOWS)
        for window in PUBLISHED_WINDOWS:
            row = published(name, srt, window)
            yield row
            if row.refused:
                break


def stream_rows() -> Iterator[Row]:
    """The ring buffer for streams."""
    for name in AUTOMATA:
        srt = automaton(name)
        yield from (ring(name, srt, window, streaming=True) for window in STREAM_WINDOWS)


def ring(name: str, srt: SRT, window: int, *, streaming: bool = False) -> Row:
    """The row of the ring buffer."""
    start = time.process_time()
    made = determinize(srt, window=window, streaming=streaming)
    seconds = time.process_time() - start
    construction = STREAMS if streaming else RING
    return Row(name, construction, window, *_sizes(made), seconds=seconds)


def published(name: str, srt: SRT, window: int, budget: Budget = PER_CELL) -> Row:
    """The row of Alg. 7, which may be refused."""
    effort, start = Effort(), time.process_time()
    with spending(budget) as spent:
        try:
            made = determinize_as_published(srt, SCHEMA, window=window, effort=effort)
            sizes, refused = _sizes(made), False
        except LimitError:
            sizes, refused = (spent.states, spent.transitions, 0, 0), True
        seconds = time.process_time() - start
    asked = (effort.possible, effort.minterms, effort.calls)
    return Row(name, PUBLISHED, window, *sizes, *asked, seconds=seconds, refused=refused)


def _sizes(srt: SRT) -> tuple[int, int, int, int]:
    conditions = (t.condition for t in srt.transitions if t.condition is not None)
    return srt.size, len(srt.transitions), len(srt.registers), distinct_nodes(conditions)


def distinct_nodes(conditions: Iterable[Node]) -> int:
    """How many nodes some conditions have, those that they share counted once."""
    seen: set[int] = set()
    waiting = list(conditions)
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            waiting.extend(children(node))
    return len(seen)


def growth(rows: Sequence[Row]) -> Iterator[str]:
    """How each number of one automaton and construction grows with the window, as rows in Markdown.

    Fitted from `FITTED_FROM` on by ring buffer, and over the upper half of what was reached as published.
    """
    for name, construction in dict.fromkeys((row.automaton, row.construction) for row in rows):
        reached = [r for r in rows if (r.automaton, r.construction, r.refused) == (name, construction, False)]
        least = max(r.window for r in reached) // 2 if construction == PUBLISHED else FITTED_FROM
        fitted = [row for row in reached if row.window >= least]
        windows = [row.window for row in fitted]
        laws = (law(windows, [float(getattr(row, field)) for row in fitted]) for field in FITTED)
        yield f"| {name} | {construction} | {windows[0]} to {windows[-1]} | {' | '.join(laws)} |"


FITTED: Final = ("states", "transitions", "registers", "nodes", "minterms", "seconds")


def law(windows: Sequence[int], values: Sequence[float]) -> str:
    """The power of the window, or the exponential in it, to which some values are closer.

    >>> law([1, 2, 4], [3, 12, 48]), law([1, 2, 3], [6, 18, 54]), law([1, 2, 3], [0, 0, 0])
    ('w^2.00', '3.00^w', '')
    """
    if min(values) <= 0:
        return ""
    logarithms = [log(value) for value in values]
    power, off_power = line([log(window) for window in windows], logarithms)
    base, off_base = line([float(window) for window in windows], logarithms)
    return f"w^{power:.2f}" if off_power <= off_base else f"{exp(base):.2f}^w"


def line(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float]:
    """The slope of the line of least squares, and the sum of these squares."""
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    pairs = list(zip(xs, ys, strict=True))
    slope = sum((a - x) * (b - y) for a, b in pairs) / sum((a - x) ** 2 for a in xs)
    return slope, sum((b - y - slope * (a - x)) ** 2 for a, b in pairs)


def main() -> None:
    """Print the tables, and how their numbers grow."""
    everything: list[Row] = []
    for rows in (bounded_rows(), stream_rows()):
        _write(HEADER)
        for row in rows:
            everything.append(row)
            _write(row.markdown())
        _write("")
    _write(GROWTH, *growth(everything))


def _write(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
