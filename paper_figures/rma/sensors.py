"""The stream of Table 1, and what expression (1) recognises in it."""

from __future__ import annotations

from typing import Final

from mnemata.paper_figures.reproductions import Tables
from mnemata.paper_figures.tables import Table, sets_of_positions, stream_table
from mnemata.theory.cepl.expressions import Expression
from mnemata.theory.cepl.semantics import matches
from mnemata.theory.schema import Category, Float64, Int64, Schema
from mnemata.theory.syntax import parse_cepl

SENSORS: Final = Schema.of(type=Category(("T", "H")), id=Int64(), value=Float64(), event_type="type")
"""Sensors that measure temperature and humidity."""

TABLE_1: Final = tuple(
    SENSORS.stream(list(zip("TTTHHT", (1, 1, 2, 1, 1, 2), (22.0, 24.0, 32.0, 70.0, 68.0, 33.0), strict=True)))
)
EXPRESSION_1: Final = "T AS x; H AS y FILTER x.id = y.id"


def expression(text: str) -> Expression:
    """An expression of the paper, over the sensors."""
    return parse_cepl(text, schema=SENSORS, bounded=True).expression


def table_1() -> Tables:
    """The stream, and the matches of expression (1)."""
    rows = (("(1)", EXPRESSION_1, sets_of_positions(matches(expression(EXPRESSION_1), TABLE_1))),)
    events = Table("What is recognised in it", ("expression", "as text", "matches"), rows, "lll")
    return Tables((stream_table(TABLE_1, SENSORS, first=0), events))
