"""Asking every system every pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow as pa

from mnemata.paper_figures.benchmarks.patterns import kleene_of_stocks, questions, unary_of_stocks
from mnemata.paper_figures.peers.chains import bounded
from mnemata.paper_figures.peers.differences import smallest_difference
from mnemata.paper_figures.peers.outcomes import Outcome, Status, agree, read_outcomes, write_outcomes
from mnemata.paper_figures.peers.page import Answers, Asked
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.paper_figures.peers.running import Limits, run
from mnemata.paper_figures.peers.systems import System
from mnemata.paper_figures.peers.ticks import write_ticks
from mnemata.pipeline.datasets.arrivals import STOCK_TICKS
from mnemata.theory.conditions.formulas import registers
from mnemata.theory.errors import EnvironmentProblem, MnemataError
from mnemata.theory.sremo.expressions import Pattern, Plus, Terminal
from mnemata.theory.syntax import show
from mnemata.theory.trees import walk

WINDOWS_MS: Final = (500, 1_000, 2_000)


def patterns() -> dict[str, Pattern]:
    """What is asked, by name: eqs. (5), (7), (9) and (10), the first two also without relations."""
    named = {question.name: question.pattern for question in questions() if question.source is STOCK_TICKS}
    kept = {name: named[name] for name in ("seq3", "seq3 selective")}
    kept |= {f"k3 {window}": kleene_of_stocks(window) for window in WINDOWS_MS}
    kept |= {name: named[name] for name in (f"q{number}" for number in range(1, 6))}
    unary = (unary_of_stocks(500, iterated=False), unary_of_stocks(1_000, iterated=True))
    return kept | {pattern.name: pattern for pattern in unary}


class Bench(NamedTuple):
    """Where and how long to run.

    Parameters
    ----------
    table : pyarrow.Table
        The stream.
    cache : Path
        A folder for what is made once, and for what runs write.
    limits : Limits
        How long to run.
    record : Path
        Outcomes are appended to this file as they come, and not made again.
    """

    table: pa.Table
    cache: Path
    limits: Limits
    record: Path


def asked(name: str, pattern: Pattern) -> Asked:
    """A pattern as the page shows it."""
    nodes = list(walk(pattern.expression))
    iterates = any(isinstance(node, Plus) for node in nodes)
    relates = any(isinstance(node, Terminal) and registers(node.condition) for node in nodes)
    _, window_ns = bounded(pattern, "this comparison")
    return Asked(name, show(pattern), iterates, relates, window_ns // 1_000_000)


def answers(bench: Bench, chosen: dict[str, Pattern], systems: Sequence[System]) -> Iterator[Answers]:
    """Ask all systems, one pattern after the other."""
    ticks = bench.cache / "ticks.csv"
    bench.cache.mkdir(parents=True, exist_ok=True)
    write_ticks(bench.table, ticks)
    size = bench.table.num_rows
    known = {
        (outcome.system, outcome.question): outcome
        for outcome in read_outcomes(bench.record)
        if outcome.events == size
    }
    for name, pattern in chosen.items():
        outcomes = []
        for system in systems:
            outcome = known.get((system.name, name))
            if outcome is None:
                outcome = answer(system, name, pattern, ticks, bench)
                write_outcomes(bench.record, [outcome])
            outcomes.append(outcome)
        yield Answers(asked(name, pattern), tuple(outcomes))


def answer(system: System, name: str, pattern: Pattern, ticks: Path, bench: Bench) -> Outcome:
    """Ask one system for one pattern."""
    blank = Outcome(system.name, name, bench.table.num_rows, Status.FINISHED)
    try:
        launch = system.launch(pattern, bench.cache)
    except InexpressibleError as error:
        return replace(blank, status=Status.INEXPRESSIBLE, message=str(error))
    except EnvironmentProblem as error:
        return replace(blank, status=Status.UNAVAILABLE, message=str(error))
    folder = bench.cache / "runs" / system.name
    if system.keeps_code:
        run(launch, blank, ticks, folder, replace(bench.limits, rounds=1))
    outcome = run(launch, blank, ticks, folder, bench.limits)
    return outcome if system.enumerates else replace(outcome, digest=None)


def notes(bench: Bench, found: Sequence[Answers], systems: Sequence[System]) -> Iterator[str]:
    """For each system that finds another set, the smallest stream that shows it, once."""
    named, chosen = {system.name: system for system in systems}, patterns()
    told = set[str]()
    for one in found:
        for outcome in one.outcomes:
            if outcome.system in told or agree(outcome, one.own) is not False:
                continue
            told.add(outcome.system)
            system = named[outcome.system]
            folder = bench.cache / "runs" / f"{system.name}-words"
            try:
                seen = smallest_difference(system, chosen[one.asked.name], bench.table, bench.cache, folder)
            except MnemataError as error:
                yield f"{system.title} differs on {one.asked.name}; no small stream was found: {error}."
                continue
            where = "no stream of up to five ticks shows it" if seen is None else seen.described()
            yield f"{system.title} differs on {one.asked.name}: {where}."
