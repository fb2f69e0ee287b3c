"""The stream of Figure 1, and the formulas of Section 3 over it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mnemata.paper_figures.reproductions import Tables
from mnemata.paper_figures.tables import Table, sets_of_positions, stream_table
from mnemata.theory.cel.binding import bind_formula, is_unary
from mnemata.theory.cel.formulas import Formula
from mnemata.theory.cel.query import formula_of
from mnemata.theory.cel.semantics import complex_events_along
from mnemata.theory.schema import Category, Event, Int64, Schema
from mnemata.theory.syntax import parse_cel

SENSORS: Final = Schema.of(type=Category(("H", "T")), id=Int64(), value=Int64(), event_type="type")
"""Temperature and humidity are both called value."""

_IDS: Final = (2, 0, 0, 1, 1, 0, 1, 1, 0)
_VALUES: Final = (25, 45, 20, 25, 40, 42, 25, 70, 18)
FIGURE_1: Final[tuple[Event, ...]] = tuple(SENSORS.stream(list(zip("HTHHTTTHH", _IDS, _VALUES, strict=True))))

_FIRE: Final = "T.value > 40 AND H.value <= 25 AND T.id = 0 AND H.id = 0"
_RISE: Final = "H1.value < 30 AND H2.value > 60"
_AT_1: Final = "H.id = 1 AND T.id = 1"
SECTION_3: Final[Mapping[str, str]] = {
    "φ1": f"(T; H) FILTER {_FIRE}",
    "φ1'": f"(T : H) FILTER {_FIRE}",
    "φ2": f"((T; H) OR (H; T)) FILTER {_FIRE}",
    "φ2'": f"(T ALL H) FILTER {_FIRE}",
    "φ3": f"(H IN H1; T+; H IN H2) FILTER {_RISE} AND {_AT_1}",
    "φ3'": f"(H IN H1; T (+); H IN H2) FILTER {_RISE} AND {_AT_1}",
    "φ4": f"PI_{{T}}((H IN H1; T+; H IN H2) FILTER {_RISE} AND {_AT_1})",
    "φ5": f"(H IN H1; T+; H IN H2) FILTER {_RISE} AND H.id = T.id",
}
"""Each formula under its name, with the one name `value` for degrees and humidity."""


def formula(text: str) -> Formula:
    """A formula over the sensors."""
    return bind_formula(formula_of(parse_cel(text)), SENSORS)


def found(text: str) -> str:
    """The complex events of a formula over Figure 1, whenever they end."""
    ends = complex_events_along(formula(text), FIGURE_1)
    return sets_of_positions({event for events in ends for event in events})


def figure_1() -> Tables:
    """The stream, and the complex events of the formulas of Section 3."""
    rows = [
        (name, text, "yes" if is_unary(formula(text)) else "no", found(text))
        for name, text in SECTION_3.items()
    ]
    heads = ("name", "formula", "unary", "complex events")
    events = Table("The formulas of Section 3 over it", heads, tuple(rows), "llll")
    return Tables((stream_table(FIGURE_1, SENSORS, first=0), events))
