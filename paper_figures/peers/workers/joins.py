"""DuckDB on one thread; its arguments are a `Job` whose query is in SQL."""

from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.automata.engine.arrays import arrow, numbers
from mnemata.paper_figures.peers.relational import POSITION
from mnemata.paper_figures.peers.ticks import read_ticks
from mnemata.paper_figures.peers.workers.reporting import Job, Pass, rounds


def main(job: Job) -> None:
    """Run a query over the table of ticks, as often as the job says."""
    import duckdb  # an optional dependency

    query = job.query.read_text(encoding="utf-8")
    table = read_ticks(job.ticks)
    times = pc.cast(table["stock_time"], pa.int64())
    table = table.set_column(table.column_names.index("stock_time"), "stock_time", times)
    table = table.append_column(POSITION, arrow(np.arange(table.num_rows)))
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.register("stream", table)
    connection.execute("CREATE TABLE ticks AS SELECT * FROM stream")

    def run(current: Pass) -> None:
        with current.clock():
            found = connection.sql(query).to_arrow_table()
        current.events = table.num_rows
        for part in found.column("positions").chunks:
            offsets = numbers(part.offsets).astype(np.int64)
            current.found(offsets - offsets[0], numbers(part.flatten()))

    rounds(job, run)


if __name__ == "__main__":
    main(Job.of(sys.argv[1:]))
