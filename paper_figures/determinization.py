"""How large deterministic automata get with the window: the ring buffer against the published construction.

``python -m mnemata.paper_figures.determinization`` prints a table in Markdown for the automaton of SRT Fig. 4
and three others, over windows from 1 to 10, and for the ring buffer up to 50.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from mnemata.automata.constructions.powerset import Effort, determinize_as_published
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.constructions.trimming import trim
from mnemata.automata.srt.transducer import SRT
from mnemata.theory.conditions.building import head, register
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Float64, Int64, Schema, String
from mnemata.theory.sremo.expressions import Expression, mark, skip
from mnemata.theory.trees import walk

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
RING_WINDOWS: Final = (*range(1, 11), 20, 50)
MOST_STATES: Final = 500


@dataclass(frozen=True, slots=True)
class Row:
    """One automaton, window and construction: sizes, minterms kept and pruned, solver calls, seconds."""

    automaton: str
    construction: str
    window: int
    states: int | None
    transitions: int = 0
    registers: int = 0
    nodes: int = 0
    minterms: int = 0
    pruned: int = 0
    calls: int = 0
    seconds: float = 0.0

    def markdown(self) -> str:
        """The row of a table in Markdown."""
        size = f"more than {MOST_STATES:,}" if self.states is None else f"{self.states:,}"
        numbers = (self.transitions, self.registers, self.nodes, self.minterms, self.pruned, self.calls)
        cells = (self.automaton, self.construction, self.window, size, *(f"{n:,}" for n in numbers))
        return f"| {' | '.join(map(str, cells))} | {self.seconds:.2f} |"


HEADER: Final = (
    "| automaton | construction | window | states | transitions | registers | nodes of conditions "
    "| minterms | pruned | solver calls | seconds |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def rows() -> Iterator[Row]:
    """All rows, each as soon as it is measured."""
    for name, expression in AUTOMATA.items():
        srt = trim(thompson(expression).without_epsilon())
        yield from (_ring(name, srt, window) for window in RING_WINDOWS)
        for window in PUBLISHED_WINDOWS:
            row = _published(name, srt, window)
            yield row
            if row.states is None:
                break


def _ring(name: str, srt: SRT, window: int) -> Row:
    start = time.perf_counter()
    made = determinize(srt, window=window, streaming=True)
    seconds = time.perf_counter() - start
    return Row(name, "ring buffer", window, *_sizes(made), seconds=seconds)


def _published(name: str, srt: SRT, window: int) -> Row:
    effort, start = Effort(), time.perf_counter()
    try:
        made = determinize_as_published(srt, SCHEMA, window=window, largest=MOST_STATES, effort=effort)
    except LimitError:
        seconds = time.perf_counter() - start
        return Row(name, "as published", window, None, seconds=seconds, calls=effort.calls)
    seconds = time.perf_counter() - start
    pruned = effort.possible - effort.minterms
    return Row(
        name, "as published", window, *_sizes(made), effort.minterms, pruned, effort.calls, seconds=seconds
    )


def _sizes(srt: SRT) -> tuple[int, int, int, int]:
    nodes = sum(1 for t in srt.transitions if t.condition is not None for _ in walk(t.condition))
    return srt.size, len(srt.transitions), len(srt.registers), nodes


def main() -> None:
    """Print the table."""
    sys.stdout.write(f"{HEADER}\n")
    for row in rows():
        sys.stdout.write(f"{row.markdown()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
