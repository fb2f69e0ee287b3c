"""What minterms cost: solver calls of the search, against asking about every combination of truth values.

``python -m mnemata.paper_figures.minterms`` prints a table in Markdown for 4 to 16 interval conditions over
three attributes; `results/minterms.md` holds one. Every combination is asked of the same incremental solver
as the search uses, which is the cheapest way to ask about all of them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple

from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.satisfiability.inquiry import Inquiry
from mnemata.theory.satisfiability.minterms import Minterms, minterms
from mnemata.theory.schema import Float64, Int64, Schema

SCHEMA: Final = Schema.of(price=Float64(), volume=Int64(), delay=Int64())
_u = head(SCHEMA)
SIZES: Final = range(4, 17, 2)


def intervals(count: int) -> tuple[Condition, ...]:
    """`count` half-open intervals of 10 to 31 units in 0 to 111, of three attributes in turn.

    Those of one attribute overlap, are nested or miss one another, as thresholds of many patterns do.
    """
    attributes = (_u.price, _u.volume, _u.delay)
    bounds = ((attributes[i % 3], *bounds_of(i)) for i in range(count))
    return tuple((attribute >= low) & (attribute < high) for attribute, low, high in bounds)


def bounds_of(number: int) -> tuple[int, int]:
    """The lower and upper bound of the interval with that number."""
    low = (37 * number) % 80
    return low, low + 10 + 7 * (number % 4)


class Cost(NamedTuple):
    """Solver calls and seconds."""

    calls: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Row:
    """Some number of conditions: their minterms, and what finding them costs in both ways."""

    conditions: int
    minterms: int
    search: Cost
    enumeration: Cost

    def markdown(self) -> str:
        """The row of a table in Markdown."""
        search, enumeration = self.search, self.enumeration
        cells = (
            str(self.conditions),
            f"{2**self.conditions:,}",
            f"{self.minterms:,}",
            f"{search.calls:,}",
            f"{search.seconds:.2f}",
            f"{search.calls / self.minterms:.2f}",
            f"{enumeration.calls:,}",
            f"{enumeration.seconds:.2f}",
            f"{enumeration.calls / search.calls:,.1f}",
            f"{enumeration.seconds / search.seconds:,.1f}",
        )
        return f"| {' | '.join(cells)} |"


HEADER: Final = (
    "| conditions | combinations | minterms | calls | seconds | calls per minterm "
    "| calls, enumerating | seconds, enumerating | times fewer calls | times faster |\n"
    "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def rows() -> Iterator[Row]:
    """All rows, each as soon as it is measured."""
    for count in SIZES:
        found, search = searched(intervals(count))
        number, enumeration = enumerated(intervals(count))
        if number != len(found):
            raise ArithmeticError(f"{number} combinations are possible, but {len(found)} were found")
        yield Row(count, len(found), search, enumeration)


def searched(conditions: tuple[Condition, ...]) -> tuple[Minterms, Cost]:
    """The minterms, and what the search for them costs."""
    start = time.perf_counter()
    found = minterms(conditions, SCHEMA)
    return found, Cost(found.statistics.calls, time.perf_counter() - start)


def enumerated(conditions: tuple[Condition, ...]) -> tuple[int, Cost]:
    """How many of all combinations of truth values are possible, and what asking about each costs."""
    start = time.perf_counter()
    inquiry = Inquiry(conditions, SCHEMA)
    combinations = product((True, False), repeat=len(conditions))
    possible = sum(inquiry.ask(tuple(enumerate(signs))).answer.yes for signs in combinations)
    return possible, Cost(inquiry.calls, time.perf_counter() - start)


def main() -> None:
    """Print the table."""
    sys.stdout.write(f"{HEADER}\n")
    for row in rows():
        sys.stdout.write(f"{row.markdown()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
