"""``mnemata convert``: the public data sets of the papers' experiments, as streams."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from mnemata.pipeline.command import arguments as given


class PublicData(StrEnum):
    """What can be converted."""

    HOMES = "homes"
    TRIPS = "trips"


def convert(
    dataset: Annotated[
        PublicData,
        typer.Argument(
            help="homes: loads of plugs in smart homes, the CSV of the DEBS 2014 Grand Challenge (id, "
            "timestamp, value, property, plug_id, household_id, house_id; no header). trips: rides in "
            "yellow taxis of New York, the Parquet or CSV trip records of the Taxi and Limousine Commission; "
            "they are sorted in memory.",
            show_default=False,
        ),
    ],
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILES", help="A file, or a folder of files, in the order of names.", show_default=False
        ),
    ],
    output: Annotated[
        str, typer.Argument(metavar="OUT", help="The folder for the Parquet files.", show_default=False)
    ],
    overwrite: given.Overwrite = False,
) -> None:
    """Convert a public data set to the schema of the streams that `generate` makes.

    Rows that are no events go to OUT.quarantine.parquet, with the reason. Where to get the files, and what
    becomes of their fields, is told in pipeline/datasets/originals.py.

    **Example**

    - `mnemata convert trips yellow_tripdata_2022-01.parquet trips`
    """
    from mnemata.pipeline.datasets.generation import check_folder
    from mnemata.pipeline.datasets.originals import HOUSES, RIDES, convert
    from mnemata.pipeline.sinks import check_sink, draft, sink
    from mnemata.pipeline.sources.location import locate

    target = sink(output, overwrite=overwrite)
    check_folder(target)
    location = locate(source)
    check_sink(target, source)
    bad = sink(f"{output.rstrip('/')}.quarantine.parquet", overwrite=overwrite)
    check_sink(bad, source)
    originals = {PublicData.HOMES: HOUSES, PublicData.TRIPS: RIDES}
    with draft(target) as made, draft(bad) as rest:
        folder = made.folder()
        found = convert(originals[dataset], location.files, folder, rest.folder() / "part-000000.parquet")
        made.publish()
        if found.faulty:
            rest.publish()
    typer.echo(f"wrote {output}: {found.events:,} events")
    for reason, number in found.faulty.items():
        typer.echo(f"left out {number:,} x {reason}")
    if found.faulty:
        typer.echo(f"these rows are kept in {bad.path}")
