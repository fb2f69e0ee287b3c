"""Plots of measurements, in one style: throughput above memory, a column for each data set or window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from mnemata.automata.drawing import style
from mnemata.automata.drawing.plot import LOOK, Plot
from mnemata.paper_figures.experiments.measurements import Measured, Measurement

Value = Callable[[Measurement], float]

MEGABYTE: Final = 1e6
LOOKS: Final = {
    "count": {"color": style.BLUE, "marker": "o", "label": "count"},
    "detect": {"color": "#2e7d32", "marker": "v", "label": "detect (no output)"},
    "enumerate": {"color": style.RED, "marker": "s", "label": "enumerate"},
    "Algorithm 1": {"color": "#7a7a7a", "marker": "D", "label": "Algorithm 1"},
}
"""How each system is drawn."""


def by_length(measured: Measured, title: str) -> Plot:
    """Lines over the length of patterns, a column for each data set."""
    return _lines(measured, title, "pattern length", lambda row: row.length)


def by_window(measured: Measured, title: str) -> Plot:
    """Lines over the window, a column for each data set."""
    return _lines(measured, title, "window", lambda row: row.window, logarithmic=True)


def by_length_and_window(measured: Measured, title: str) -> Plot:
    """Lines over the length, a column for each window; dashed what the published engine compiled."""
    return _lines(measured, title, "pattern length", lambda row: row.length, column=lambda row: row.series)


def bars(measured: Measured, title: str) -> Plot:
    """Bars for each pattern."""
    with matplotlib.rc_context(LOOK):
        figure = _figure(1)
        axes = figure.subplots()
        names = list(dict.fromkeys(row.pattern for row in measured.rows))
        systems = [system for system in LOOKS if any(row.system == system for row in measured.rows)]
        width = 0.8 / len(systems)
        for place, system in enumerate(systems):
            rows = {row.pattern: row for row in measured.rows if row.system == system}
            xs = [number + place * width for number, name in enumerate(names) if name in rows]
            ys = [rows[name].throughput for name in names if name in rows]
            axes.bar(xs, ys, width, color=LOOKS[system]["color"], label=LOOKS[system]["label"])
        axes.set_xticks([n + 0.4 - width / 2 for n in range(len(names))], names)
        _scaled(axes, "events a second")
        _finish(figure, [axes], title)
    return Plot(figure, f"throughput of {len(names)} patterns")


def _lines(
    measured: Measured,
    title: str,
    axis: str,
    x: Value,
    *,
    column: Callable[[Measurement], str] = lambda row: row.data,
    logarithmic: bool = False,
) -> Plot:
    columns = list(dict.fromkeys(map(column, measured.rows)))
    with matplotlib.rc_context(LOOK):
        figure = _figure(len(columns))
        grid = figure.subplots(2, len(columns), sharex="col", sharey="row", squeeze=False)
        for upper, lower, name in zip(*grid, columns, strict=True):
            rows = [row for row in measured.rows if column(row) == name]
            _draw(upper, rows, x, lambda row: row.throughput)
            _draw(lower, rows, x, lambda row: max(row.grown / MEGABYTE, 1.0))
            upper.set_title(name)
            lower.set_xlabel(axis + (f" ({rows[0].unit})" if logarithmic else ""))
            if logarithmic:
                lower.set_xscale("log")
            lower.set_xticks(sorted({x(row) for row in rows}), [f"{x(row):g}" for row in _by(x, rows)])
            lower.xaxis.set_minor_formatter(NullFormatter())
            lower.tick_params(axis="x", labelsize=9.5)
        _scaled(grid[0][0], "events a second")
        _scaled(grid[1][0], "memory, MB")
        _finish(figure, list(grid[0]), title)
    return Plot(figure, f"throughput and memory over {axis}, {len(columns)} columns")


def _by(x: Value, rows: Iterable[Measurement]) -> list[Measurement]:
    """One row for each place on the axis, in order."""
    return sorted({x(row): row for row in rows}.values(), key=x)


def _draw(axes: Axes, rows: Sequence[Measurement], x: Value, y: Value) -> None:
    """A line for each system; hollow where its time was up, dashed what was compiled otherwise."""
    for compiled in (False, True):
        for system, look in LOOKS.items():
            line = [r for r in rows if r.system == system and r.pattern.startswith("compiled") == compiled]
            if not line:
                continue
            dashes, label = ("--", None) if compiled else ("-", look["label"])
            xs, ys = [x(row) for row in line], [max(y(row), 1e-3) for row in line]
            axes.plot(xs, ys, dashes, color=look["color"], lw=1.2, label=label)
            for row, place, height in zip(line, xs, ys, strict=True):
                face = "white" if row.stopped else look["color"]
                axes.plot(place, height, look["marker"], color=look["color"], mfc=face, ms=5)


def _figure(columns: int) -> Figure:
    figure = Figure(figsize=(max(3.1 * columns, 7.0), 5.2 if columns > 1 else 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _scaled(axes: Axes, label: str) -> None:
    axes.set_yscale("log")
    axes.set_ylabel(label)


def _finish(figure: Figure, axes: Sequence[Axes], title: str) -> None:
    for one in figure.axes:
        one.grid(axis="y", color="#dddddd", lw=0.6)
        one.set_axisbelow(True)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    figure.suptitle(title, fontsize=12)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # it moves a little whenever the figure is drawn
