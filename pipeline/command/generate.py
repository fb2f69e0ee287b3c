"""``mnemata generate``: a stream like those of the papers' experiments, of any length."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from typing import Annotated

import typer

from mnemata.pipeline.command import arguments as given
from mnemata.pipeline.command.inputs import session


class DataSet(StrEnum):
    """What can be generated."""

    STOCKS = "stocks"
    HOMES = "homes"
    TRIPS = "trips"


def generate(
    dataset: Annotated[
        DataSet,
        typer.Argument(
            help="stocks: ticks of ten shares, ordered by stock_time; homes: loads of plugs in smart homes, "
            "by plug_time; trips: rides in taxis, by pickup_time.",
            show_default=False,
        ),
    ],
    output: Annotated[
        str, typer.Argument(metavar="OUT", help="The folder for the Parquet files.", show_default=False)
    ],
    events: Annotated[int, typer.Option("--events", metavar="N", min=1, help="How many events.")] = 1_000_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed gives another stream.")] = 0,
    overwrite: given.Overwrite = False,
    master: given.Master = None,
    conf: given.Settings = None,
    quiet: given.Quiet = False,
) -> None:
    """Generate a stream with the schema and the statistics of one of the papers' data sets.

    The same events and the same bytes each time, and the first ones are the same however many follow.

    **Example**

    - `mnemata generate stocks ticks --events 100000000`
    """
    from mnemata.pipeline.datasets.arrivals import SMART_HOMES, STOCK_TICKS, TAXI_TRIPS
    from mnemata.pipeline.datasets.generation import Generation, check_folder
    from mnemata.pipeline.progress import Watch, reporter
    from mnemata.pipeline.sinks import check_new, sink

    target = sink(output, overwrite=overwrite)
    check_folder(target)
    check_new(target)
    sources = {DataSet.STOCKS: STOCK_TICKS, DataSet.HOMES: SMART_HOMES, DataSet.TRIPS: TAXI_TRIPS}
    job = Generation(sources[dataset], events, seed)
    with Watch(reporter(quiet=quiet)) as watch, ExitStack() as ending:
        with watch.phase("Starting Spark"):
            spark = ending.enter_context(session(master, conf or []))
        job.write(spark, target, watch)
    typer.echo(f"wrote {output}: {events:,} events in {job.files:,} {'files' if job.files > 1 else 'file'}")
