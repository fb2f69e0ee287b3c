"""Figures 6 to 10 of the SRT paper: plots and tables of what was measured.

The measurements that are part of the project are drawn, unless others are given.
``mnemata figures --measure`` makes new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemata.automata.drawing.plot import Plot
from mnemata.paper_figures.benchmarks.figures import exactly
from mnemata.paper_figures.experiments import growth, plots
from mnemata.paper_figures.experiments.measurements import Measured, Measurement
from mnemata.paper_figures.experiments.measuring import Effort, Tell, measure
from mnemata.paper_figures.experiments.worker import MOST_LISTED
from mnemata.paper_figures.reproductions import Product, Reproduction, Tables, saved
from mnemata.paper_figures.tables import Table
from mnemata.proofs.results import Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment(Reproduction):
    """A figure of measurements.

    Parameters
    ----------
    figure : int
        Its number in the SRT paper, by which `points` knows it.
    show : callable
        Draws measurements.
    """

    figure: int
    show: Callable[[Measured], Product]

    def measured(
        self, folder: Path, formats: Sequence[str], tell: Tell, effort: Effort | None = None
    ) -> list[Path]:
        """Measure it anew, keep the measurements in the folder, and write the files."""
        found = measure(self.figure, effort or Effort(), tell)
        kept = found.save(folder / "measurements" / f"{self.id}.parquet")
        return [*saved(self, self.show(found), folder, formats), kept]


KEPT: Final = Path(__file__).parents[1] / "results" / "measurements"
GROWING: Final = frozenset({6, 7, 8, 9})
"""The figures in which something grows: in Figure 10 the length is a number."""

HOW: Final = f"""\
The engine's modes run one after the other in a process, Algorithm 1 with its repairs (ERRATA A9) in
another, over streams in memory, and have read some events before. Seconds are of processor time for the
stream alone: the least of three runs of the engine, one of Algorithm 1. That one is stopped after some
seconds; its marks are then hollow, and the table has the events it had read. Where there are more than
{MOST_LISTED:,} matches, they are counted and not listed. Memory is what the process took at most beyond
what it had before; less than a megabyte is drawn as one. The measurements are in
`paper_figures/results/measurements`; `mnemata figures --measure` makes new ones. Other systems are
measured by `python -m mnemata.paper_figures.peers`."""


def figure_6(measured: Measured | None = None) -> Product:
    """Sequences, by length."""
    return _figure(6, measured, plots.by_length, "Sequences with a relational condition in each three terms")


def figure_7(measured: Measured | None = None) -> Product:
    """Sequences, by window."""
    return _figure(7, measured, plots.by_window, "Sequences of three terms, by window")


def figure_8(measured: Measured | None = None) -> Product:
    """Kleene-plus, by length."""
    return _figure(8, measured, plots.by_length, "A Kleene-plus in each three terms")


def figure_9(measured: Measured | None = None) -> Product:
    """Nested Kleene-plus, by length and window."""
    title = "Kleene-plus inside Kleene-plus; dashed: as the published engine compiled it"
    return _figure(9, measured, plots.by_length_and_window, title)


def figure_10(measured: Measured | None = None) -> Product:
    """Disjunction, filters and iteration."""
    return _figure(10, measured, plots.bars, "Disjunction, filters and iteration, within 1 s")


def kept(number: int) -> Path:
    """Where the project keeps the measurements of a figure."""
    return KEPT / f"srt-figure-{number}.parquet"


def _figure(
    number: int, measured: Measured | None, draw: Callable[[Measured, str], Plot], title: str
) -> Product:
    chosen = Measured.load(kept(number)) if measured is None else measured
    made = f"Made {chosen.made}. {chosen.machine}"
    if number not in GROWING:
        return draw(chosen, title), Tables((_table(chosen),), f"{HOW}\n\n{made}")
    text = f"{HOW}\n\n{growth.TEXT}\n\n{made}"
    return draw(chosen, title), Tables((growth.growth_table(chosen), _table(chosen)), text)


def _table(measured: Measured) -> Table:
    heads = ("data", "pattern", "window", "system", "events", "matches", "events/s", "memory, MB")
    return Table("Measurements", heads, tuple(map(_row, measured.rows)), "llrlrrrr")


def _row(row: Measurement) -> tuple[str, ...]:
    events = f"{row.events:,}{' (stopped)' if row.stopped else ''}"
    matches = "—" if row.matches is None else exactly(int(row.matches))
    speed = f"{row.throughput:,.0f}" if row.throughput < 1e6 else f"{row.throughput / 1e6:,.1f} million"
    window = f"{row.window:,} {row.unit}"
    return (row.data, row.pattern, window, row.system, events, matches, speed, f"{row.grown / 1e6:,.0f}")


EXPERIMENTS: Final = tuple(
    Experiment(
        paper=Paper.SRT,
        number=f"Figure {figure}",
        title=title,
        agreement=agreement,
        make=make,
        figure=figure,
        show=make,
    )
    for figure, make, title, agreement in (
        (6, figure_6, "sequences by length", "As published, length hardly matters."),
        (
            7,
            figure_7,
            "sequences by window",
            "Published: systems slow down as windows grow. The engine hardly does, far beyond their windows.",
        ),
        (
            8,
            figure_8,
            "a Kleene-plus in each three terms, by length",
            "Published: slower than sequences. The engine keeps one entry for each future.",
        ),
        (
            9,
            figure_9,
            "nested Kleene-plus by length, for several windows",
            "Dashed: what the published engine compiled, with its match frequency of 4.29 % (ERRATA E1). "
            "What its suite meant has 8,362 and 15,543 matches within 500 ms and 1 s, not 9,630 and 20,525.",
        ),
        (
            10,
            figure_10,
            "disjunction, filters and iteration",
            "The same patterns; q3, the most demanding as published, has the most matches.",
        ),
    )
)
"""Those of the SRT paper."""
