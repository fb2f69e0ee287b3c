"""The command ``python -m mnemata.paper_figures.peers``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mnemata.paper_figures.benchmarks import streams
from mnemata.paper_figures.benchmarks.streams import StockStream, stock_stream
from mnemata.paper_figures.peers import features, table_3
from mnemata.paper_figures.peers.comparison import Bench, answers, notes, patterns
from mnemata.paper_figures.peers.given import variable_of
from mnemata.paper_figures.peers.java_programs import HEAP
from mnemata.paper_figures.peers.outcomes import write_outcomes
from mnemata.paper_figures.peers.page import NAME, TEXT, page
from mnemata.paper_figures.peers.running import TIMEOUT, Limits
from mnemata.paper_figures.peers.systems import COLUMNS, NAMED, OWN, given_columns
from mnemata.paper_figures.peers.workers.reporting import LEAST_SECONDS

MODULE: Final = "mnemata.paper_figures.peers"
KEPT: Final = (
    "What earlier runs had found was kept where it was there (`--resume`); their rounds may have been others."
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the systems, print the page, and write it to a file if asked to."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if chosen.figure == table_3.NAME:
        _probe(chosen.cache, chosen.output)
        return
    systems = tuple(NAMED[name] for name in _known(chosen.systems, list(NAMED), parser))
    asked = patterns()
    wanted = _known(chosen.patterns, list(asked), parser)
    if OWN not in {system.name for system in systems}:
        parser.error(f"ratios are to {OWN}, which must be among the systems")
    stocks = _stream(chosen.events)
    limits = Limits(timeout=chosen.timeout)
    bench = Bench(stocks.table, chosen.cache, limits, chosen.cache / "outcomes.jsonl")
    if not chosen.resume:
        bench.record.unlink(missing_ok=True)
    found = []
    for one in answers(bench, {name: asked[name] for name in wanted}, systems):
        sys.stderr.write(f"{one.asked.name}: {', '.join(f'{o.system} {o.status}' for o in one.outcomes)}\n")
        found.append(one)
    text = TEXT.format(
        stream=stocks.described,
        rounds=limits.rounds,
        budget=limits.budget,
        least=LEAST_SECONDS,
        heap=HEAP,
        timeout=limits.timeout,
    )
    told = (*chosen.note, *((KEPT,) if chosen.resume else ()), *notes(bench, found, systems))
    made = page(text, _command(chosen), found, systems, told)
    _deliver(made, chosen.name, chosen.output)
    if chosen.output is not None:
        kept = chosen.output / "measurements" / f"{chosen.name}.jsonl"
        kept.unlink(missing_ok=True)
        write_outcomes(kept, (outcome for one in found for outcome in one.outcomes))


def _probe(cache: Path, folder: Path | None) -> None:
    findings = features.probe_all({**COLUMNS, **given_columns()}, cache)
    probed = table_3.Probed.now(findings, determinizes=features.determinizes())
    _deliver(table_3.tables(probed).markdown(table_3.TITLE), table_3.NAME, folder)
    if folder is not None:
        probed.save(folder / "measurements" / table_3.KEPT.name)


def _deliver(page: str, name: str, folder: Path | None) -> None:
    sys.stdout.write(page)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.md").write_text(page, encoding="utf-8")


def _stream(events: int | None) -> StockStream:
    stocks = stock_stream(streams.DAY if events is None else events)
    return stocks if events is None else StockStream(stocks.table.slice(0, events), stocks.copies)


def _command(chosen: argparse.Namespace) -> str:
    parts = [f"python -m {MODULE}"]
    if chosen.events is not None:
        parts.append(f"--events {chosen.events}")
    for name in ("systems", "patterns"):
        if getattr(chosen, name):
            parts.append(f"--{name} '{getattr(chosen, name)}'")
    if chosen.timeout != TIMEOUT:
        parts.append(f"--timeout {chosen.timeout:g}")
    if chosen.resume:
        parts.append("--resume")
    if chosen.name != NAME:
        parts.append(f"--name {chosen.name}")
    return " ".join(parts)


def _known(text: str | None, known: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    wanted = list(known) if text is None else [name.strip() for name in text.split(",")]
    for name in wanted:
        if name not in known:
            parser.error(f"there is no '{name}'; there are {', '.join(known)}")
    return wanted


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m {MODULE}",
        description="Run the same patterns over the same stream in other systems, and compare.",
        epilog="Wayeb, SASE and CORE, which are in no package registry, are run where "
        f"{variable_of('wayeb')}, {variable_of('sase')} and {variable_of('core')} name their jars and those "
        f"they need (files and folders, separated by '{os.pathsep}').",
    )
    parser.add_argument(
        "figure",
        nargs="?",
        choices=(NAME, table_3.NAME),
        default=NAME,
        help=f"{NAME}: speed, unless told otherwise; {table_3.NAME}: which features of SRT Table 3 each has",
    )
    names = ", ".join(NAMED)
    parser.add_argument("--systems", metavar="A,B", help=f"which of {names}; all unless told")
    parser.add_argument(
        "--patterns", metavar="A,B", help=f"which of {', '.join(patterns())}; all unless told"
    )
    parser.add_argument("--events", type=_positive, help="only so many events of the stock stream")
    parser.add_argument(
        "--timeout",
        type=float,
        default=TIMEOUT,
        metavar="S",
        help="seconds of processor time that a pass may take",
    )
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path("build/peers"),
        metavar="DIR",
        help="where libraries, drivers and outcomes are kept (build/peers)",
    )
    parser.add_argument("--resume", action="store_true", help="keep the outcomes that are in the cache")
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="where to write the page, as its name with .md"
    )
    parser.add_argument("--name", default=NAME, help=f"the name of the page ({NAME})")
    parser.add_argument(
        "--note",
        action="append",
        default=[],
        metavar="TEXT",
        help="what the page is to say as well, for instance of which build a system is; any number of times",
    )
    return parser


def _positive(text: str) -> int:
    number = int(text.replace("_", ""))
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


if __name__ == "__main__":
    main()
