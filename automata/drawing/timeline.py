"""The events of one stream key along time, with matches marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol, TypeAlias

import matplotlib
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from mnemata.automata.drawing import style
from mnemata.automata.drawing.errors import DrawingError
from mnemata.automata.drawing.plot import LOOK, Plot
from mnemata.theory.errors import suggestion

MATCH_COLOURS: Final = (style.RED, style.BLUE, "#2e7d32", "#b45309", "#6d28d9", "#0f766e")
MOST_NUMBERED: Final = 30
"""Events of a match that get their number written next to them; of more, the first and the last do."""


class Marked(Protocol):
    """Anything with the rows that it marks, such as a match."""

    @property
    def positions(self) -> tuple[int, ...]:
        """0-based rows of the table."""
        ...


Marks: TypeAlias = "Marked | Sequence[int]"


class Timeline(Plot):
    """A plot of events and matches; shows itself in notebooks and saves itself."""


def timeline(
    table: pa.Table,
    matches: Marks | Iterable[Marks],
    *,
    time: str,
    value: str,
    partition_by: Sequence[str] = (),
    title: str | None = None,
    context: float | None = 0.5,
) -> Timeline:
    """Plot the events of one stream key along time, with matches marked, connected and numbered.

    Parameters
    ----------
    table : pyarrow.Table
        The stream.
    matches : match, or iterable of matches
        Each marks 0-based rows of the table, as `positions` or as a sequence of whole numbers.
    time : str
        The column along the horizontal axis: timestamps, dates or numbers.
    value : str
        The column along the vertical axis: numbers, or texts, of which each gets a height. Events in which it
        is missing are crosses on the bottom line.
    partition_by : sequence of str
        Columns; only events that agree with the first match on all of them are shown.
    title : str, optional
        By default the key.
    context : float or None
        How much to show before and after the matches, as a multiple of their duration; ``None`` shows all.

    Raises
    ------
    DrawingError
        There is no such column or row, no match, or a match outside the key.
    """
    marked = _positions(matches, table)
    for column in (time, value, *partition_by):
        _check_column(table, column)
    rows = _rows_of_key(table, marked, partition_by)
    xs, ys, levels = _times(table, time, marked), *_heights(table, value)
    with matplotlib.rc_context(LOOK):
        figure = Figure(figsize=(8.6, 3.5), layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1))
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        _plot_events(axes, xs[rows], ys[rows])
        for number, positions in enumerate(marked):
            _plot_match(axes, xs, ys, positions, MATCH_COLOURS[number % len(MATCH_COLOURS)])
        _label(axes, time, value, levels, title or _key_text(table, marked, partition_by))
        if np.issubdtype(xs.dtype, np.datetime64):
            _date_axis(axes)
        _limit(axes, xs, ys, rows, marked, context)
        _hide_overlapping(figure, axes)
    count = f"{len(marked)} match{'' if len(marked) == 1 else 'es'}"
    return Timeline(figure, f"{count} among {len(rows):,} events")


def _positions(matches: Any, table: pa.Table) -> list[tuple[int, ...]]:
    single = hasattr(matches, "positions")
    listed = [matches] if single else list(matches)
    if listed and not single and all(isinstance(entry, int | np.integer) for entry in listed):
        listed = [listed]
    found = [tuple(getattr(match, "positions", match)) for match in listed]
    if not found or not all(found):
        raise DrawingError("a timeline needs at least one match, and a match at least one event")
    for row in (row for positions in found for row in positions):
        if not 0 <= row < table.num_rows:
            raise DrawingError(f"the match marks row {row}, but the table has rows 0 to {table.num_rows - 1}")
    return found


def _check_column(table: pa.Table, column: str) -> None:
    if column not in table.column_names:
        known = ", ".join(table.column_names)
        raise DrawingError(
            f"unknown column '{column}'; the table has {known}.{suggestion(column, table.column_names)}"
        )


def _rows_of_key(table: pa.Table, marked: Sequence[Sequence[int]], partition_by: Sequence[str]) -> Any:
    mask = np.ones(table.num_rows, dtype=bool)
    for column in partition_by:
        wanted = table[column][marked[0][0]]
        column_of_key: Any = table[column]
        equal: Any = pc.fill_null(pc.equal(column_of_key, wanted), False)
        mask &= equal.to_numpy().astype(bool)
    for row in (row for positions in marked for row in positions):
        if not mask[row]:
            raise DrawingError(
                f"row {row} is marked but belongs to another {', '.join(partition_by)} than row "
                f"{marked[0][0]}; a timeline shows one key"
            )
    return np.flatnonzero(mask)


def _times(table: pa.Table, column: str, marked: Sequence[Sequence[int]]) -> Any:
    kind = table.schema.field(column).type
    if not (pa.types.is_temporal(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise DrawingError(f"column '{column}' is {kind}; time is a timestamp, a date or a number")
    for row in (row for positions in marked for row in positions):
        if not table[column][row].is_valid:
            raise DrawingError(f"row {row} is marked but has no '{column}'")
    return table[column].to_numpy()


def _heights(table: pa.Table, column: str) -> tuple[Any, list[str]]:
    """Numbers to plot, NaN where missing, and the texts that they stand for, if they do."""
    values = table[column]
    kind = values.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        return pc.cast(values, pa.float64()).to_numpy(), []
    if pa.types.is_dictionary(kind):
        values = pc.cast(values, pa.string())
    texts = [None if entry is None else str(entry) for entry in values.to_pylist()]
    levels = sorted({entry for entry in texts if entry is not None})
    heights = {entry: float(i) for i, entry in enumerate(levels)}
    return np.array([np.nan if entry is None else heights[entry] for entry in texts]), levels


def _plot_events(axes: Axes, xs: Any, ys: Any) -> None:
    axes.plot(xs, ys, color=style.PALE, linewidth=1, zorder=1)
    axes.plot(xs, ys, "o", color=style.FAINT, markersize=4, markeredgewidth=0, zorder=2)
    missing = np.isnan(ys)
    if missing.any():
        bottom = np.full(int(missing.sum()), 0.025)
        transform = axes.get_xaxis_transform()
        axes.plot(xs[missing], bottom, "x", color=style.FAINT, markersize=5, transform=transform)


def _plot_match(axes: Axes, xs: Any, ys: Any, positions: Sequence[int], colour: str) -> None:
    marked = np.array(positions)
    x, y = xs[marked], ys[marked]
    axes.axvspan(x[0], x[-1], color=colour, alpha=0.06, linewidth=0, zorder=0)
    axes.plot(x, y, color=colour, linewidth=1.8, zorder=3)
    axes.plot(x, y, "o", color=colour, markersize=8, markeredgecolor="white", markeredgewidth=1, zorder=4)
    ends = [0, len(marked) - 1] if len(marked) > 1 else [0]
    inner = range(1, len(marked) - 1) if len(marked) <= MOST_NUMBERED else ()
    for i in (*ends, *inner):
        if not np.isnan(y[i]):
            slopes = (y[i] - y[i - 1] if i else np.nan, y[i + 1] - y[i] if i + 1 < len(y) else np.nan)
            _number(axes, (x[i], y[i]), str(marked[i]), slopes, colour)


def _number(
    axes: Axes, place: tuple[Any, Any], number: str, slopes: tuple[float, float], colour: str
) -> None:
    """Write the number of an event where the lines to its neighbours leave room."""
    before, after = slopes
    horizontal, vertical = "center", 9
    if before < 0 < after:
        vertical = -17
    elif after > 0:
        horizontal = "right"
    elif before < 0:
        horizontal = "left"
    offset = {"center": 0, "right": -5, "left": 5}[horizontal]
    axes.annotate(
        number,
        place,
        xytext=(offset, vertical if horizontal == "center" else 4),
        textcoords="offset points",
        horizontalalignment=horizontal,
        fontsize=10,
        color=colour,
        zorder=5,
    )


def _limit(
    axes: Axes, xs: Any, ys: Any, rows: Any, marked: Sequence[Sequence[int]], context: float | None
) -> None:
    """Show the matches and some time around them; heights follow from what is shown."""
    axes.margins(x=0.03, y=0.16)
    first = min(xs[row] for positions in marked for row in positions)
    last = max(xs[row] for positions in marked for row in positions)
    if context is None or first == last:
        return
    # At least a little, or the outermost events lie on the frame.
    around = (last - first) * max(context, 0.05)
    inside = (xs[rows] >= first - around) & (xs[rows] <= last + around)
    shown = ys[rows][inside & ~np.isnan(ys[rows])]
    axes.set_xlim(first - around, last + around)
    if len(shown) and shown.max() > shown.min():
        margin = 0.16 * float(shown.max() - shown.min())
        axes.set_ylim(float(shown.min()) - margin, float(shown.max()) + margin)


def _hide_overlapping(figure: Figure, axes: Axes) -> None:
    """Numbers that would cover an earlier one, or lie outside, are left out."""
    figure.draw_without_rendering()
    kept: list[Any] = []
    for number in axes.texts:
        box = number.get_window_extent()
        if any(box.overlaps(other) for other in kept):
            number.set_visible(False)
        else:
            kept.append(box)


def _label(axes: Axes, time: str, value: str, levels: Sequence[str], title: str) -> None:
    axes.set_xlabel(time)
    axes.set_ylabel(value)
    axes.set_title(title, loc="left", fontsize=12.5)
    axes.grid(axis="y", color="#ececec", linewidth=0.8)
    axes.set_axisbelow(True)
    if levels:
        axes.set_yticks(range(len(levels)), levels)
    else:
        axes.yaxis.set_major_locator(MaxNLocator(6))


def _date_axis(axes: Axes) -> None:
    locator = AutoDateLocator(minticks=4, maxticks=9)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]


def _key_text(table: pa.Table, marked: Sequence[Sequence[int]], partition_by: Sequence[str]) -> str:
    row = marked[0][0]
    return ", ".join(f"{column} = {table[column][row].as_py()}" for column in partition_by)
