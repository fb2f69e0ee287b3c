"""The streams of Tables 1 and 4, and what the expressions around them match in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mnemata.paper_figures.reproductions import Tables
from mnemata.paper_figures.tables import Table, sets_of_positions, stream_table
from mnemata.theory.conditions.building import head, register
from mnemata.theory.schema import Category, Event, Int64, Schema
from mnemata.theory.sremo.expressions import Expression, mark, skip
from mnemata.theory.sremo.semantics import matches, matches_at

TICKS: Final = Schema.of(
    type=Category(("B", "S")), id=Int64(), price=Int64(), volume=Int64(), event_type="type"
)
TABLE_1: Final = TICKS.stream(
    [
        ("B", 1, 22, 300),
        ("B", 1, 24, 225),
        ("B", 2, 32, 1210),
        ("S", 1, 70, 760),
        ("S", 1, 68, 2000),
        ("B", 2, 33, 95),
    ]
)
TRADES: Final = Schema.of(type=Category(("B", "S")), id=Int64(), event_type="type")
TABLE_4: Final = TRADES.stream([("B", 1), ("B", 1), ("B", 1), ("S", 1), ("B", 1), ("S", 1)])

_tick, _bought = head(TICKS), register("r1", TICKS)
EXPRESSION_2: Final = (
    mark(_tick.type == "B", _bought) >> skip().star() >> mark((_tick.type == "S") & (_tick.id == _bought.id))
)
"""A stock is bought and, whatever happens in between, sold."""

_trade, _latest = head(TRADES), register("r1", TRADES)
_sold = mark((_trade.type == "S") & (_trade.id == _latest.id))
EXPRESSION_11: Final = mark(_trade.type == "B", _latest).plus() >> _sold
NESTED_11: Final = EXPRESSION_11.plus()
"""Expression (11) under another iteration."""


def table_1() -> Tables:
    """A stream of ticks, and what expression (2) matches of it."""
    return Tables((stream_table(TABLE_1, TICKS, first=1), _found("expression (2)", EXPRESSION_2, TABLE_1)))


def table_4() -> Tables:
    """A stream of trades, and what expression (11) and the one around it match of it."""
    tables = (
        _found("expression (11)", EXPRESSION_11, TABLE_4),
        _found("expression (11) under an iteration", NESTED_11, TABLE_4),
    )
    text = (
        "A register keeps the latest event that was written. So S, at indices 4 and 6, is compared with the "
        "latest B of the present round, at 3 and at 5, and not with all of them."
    )
    return Tables((stream_table(TABLE_4, TRADES, first=1), *tables), text)


def _found(name: str, expression: Expression, stream: Sequence[Event]) -> Table:
    """The matches of prefixes read as strings (Def. 18), and those that the stream reports (Sec. 4.3)."""
    rows: list[tuple[str, ...]] = []
    for k in range(1, len(stream) + 1):
        sets = (matches(expression, stream[:k]), matches_at(expression, stream, k))
        rows.append((str(k), *map(sets_of_positions, sets)))
    heads = ("up to index", "matches of the string", "reported by the stream")
    return Table(f"Matches of {name}", heads, tuple(rows), "rll")
