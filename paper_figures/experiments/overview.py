"""Throughput over windows, beside other systems: the experiments in one picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from mnemata.automata.drawing import style
from mnemata.automata.drawing.plot import LOOK, Plot
from mnemata.paper_figures.experiments.figures import KEPT, kept
from mnemata.paper_figures.experiments.measurements import Measured, Measurement
from mnemata.paper_figures.peers.outcomes import Outcome, Status, read_outcomes
from mnemata.pipeline.datasets.arrivals import STOCK_TICKS

PEERS: Final[Path] = KEPT / "peers.jsonl"
QUESTION: Final = "seq3"
WINDOW_MS: Final = 500
"""What the other systems were asked."""

GREY: Final = "#6b6b6b"


class Line(NamedTuple):
    """How a system of the experiments is drawn."""

    system: str
    label: str
    color: str


class Peer(NamedTuple):
    """How another system is called, and by what names it was asked; the fastest of them is drawn."""

    systems: tuple[str, ...]
    label: str


LINES: Final = (
    Line("count", "mnemata, counting matches", style.BLUE),
    Line("enumerate", "mnemata, listing all of them", style.RED),
    Line("Algorithm 1", "Algorithm 1 in Python,\none object for each run", GREY),
)
OTHERS: Final = (
    Peer(("duckdb",), "DuckDB"),
    Peer(("sase",), "SASE"),
    Peer(("wayeb",), "Wayeb"),
    Peer(("esper", "esper-pattern"), "Esper"),
    Peer(("flink-cep",), "FlinkCEP"),
)
CLOSE: Final = 2.0
"""The names of systems whose speeds differ less than so many times would touch."""
TITLE: Final = "A sequence of three with a relational condition, over the papers' stock ticks"


def section_7(measured: Measured | None = None, outcomes: Iterable[Outcome] | None = None) -> Plot:
    """Throughput of the engine, of Algorithm 1 and of other systems; hollow where a system was stopped."""
    chosen = Measured.load(kept(7)) if measured is None else measured
    others = read_outcomes(PEERS) if outcomes is None else outcomes
    with matplotlib.rc_context({**LOOK, "font.size": 13}):
        figure = Figure(figsize=(8.6, 4.5), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        for line in LINES:
            rows = [row for row in chosen.of(line.system) if row.data == STOCK_TICKS.name]
            _draw(axes, line, sorted(rows, key=lambda row: row.window))
        found = {one.system: one for one in others if one.question == QUESTION}
        fastest = {
            peer.label: max((found[s] for s in peer.systems if s in found), key=_speed, default=None)
            for peer in OTHERS
        }
        _place(axes, {label: one for label, one in fastest.items() if one is not None and _speed(one)})
        _finish(axes)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # it moves a little whenever the figure is drawn
    return Plot(figure, "throughput over windows of the engine, Algorithm 1 and other systems")


def _draw(axes: Axes, line: Line, rows: list[Measurement]) -> None:
    xs, ys = [row.window / 1e3 for row in rows], [row.throughput for row in rows]
    axes.plot(xs, ys, color=line.color, lw=1.8, zorder=2)
    for x, y, row in zip(xs, ys, rows, strict=True):
        axes.plot(x, y, "o", color=line.color, mfc="white" if row.stopped else line.color, ms=6, zorder=3)
    if rows:
        said = f"{line.label}{', stopped' * any(row.stopped for row in rows)}"
        _name(axes, said, xs[-1], ys[-1], line.color)


def _name(axes: Axes, text: str, x: float, y: float, color: str) -> None:
    beside: Any = {"textcoords": "offset points", "va": "center", "annotation_clip": False}
    axes.annotate(text, (x, y), (9, 0), color=color, **beside)


def _place(axes: Axes, outcomes: Mapping[str, Outcome]) -> None:
    """Systems that were asked for one window only; those that are close have one line of names."""
    x, groups = WINDOW_MS / 1e3, list[list[str]]()
    for label in sorted(outcomes, key=lambda label: -_speed(outcomes[label])):
        y = _speed(outcomes[label])
        face = "white" if outcomes[label].status is Status.TIMEOUT else "black"
        axes.plot(x, y, "D", color="black", mfc=face, ms=6, zorder=3)
        if groups and y * CLOSE > _speed(outcomes[groups[-1][-1]]):
            groups[-1].append(label)
        else:
            groups.append([label])
    for group in groups:
        middle = float(np.exp(np.mean([np.log(_speed(outcomes[label])) for label in group])))
        _name(axes, ", ".join(group), x, middle, "black")


def _speed(outcome: Outcome) -> float:
    """Events a second."""
    if outcome.seconds:
        return outcome.events / outcome.seconds
    return outcome.reached / outcome.stopped if outcome.stopped else 0.0


def _finish(axes: Axes) -> None:
    axes.set(xscale="log", yscale="log", xlabel="window, seconds", ylabel="events a second, one core")
    ticks = (0.5, 1, 2, 5, 10, 30)
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlim(0.42, 36)
    axes.set_ylim(bottom=30)
    axes.grid(axis="y", color="#dddddd", lw=0.6)
    axes.set_axisbelow(True)
    axes.set_title(TITLE, loc="left", fontsize=13)
