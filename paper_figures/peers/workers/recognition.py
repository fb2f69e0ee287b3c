"""The engine of mnemata; its arguments are ``count`` or ``enumerate`` and a `Job`."""

from __future__ import annotations

import sys
from typing import Any

import pyarrow as pa

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.engine.arrays import numbers
from mnemata.automata.engine.recognition import recognise
from mnemata.paper_figures.peers.ticks import read_ticks
from mnemata.paper_figures.peers.workers.reporting import Job, Pass, rounds
from mnemata.pipeline.datasets.arrivals import STOCKS
from mnemata.theory.syntax import parse


def main(mode: str, job: Job) -> None:
    """Recognise a pattern in a stream, as often as the job says."""
    table = read_ticks(job.ticks)
    compiled = compile_pattern(parse(job.query.read_text(encoding="utf-8"), schema=STOCKS), STOCKS)

    def count(current: Pass) -> None:
        with current.clock():
            current.matches = recognise(compiled, table).count()
        current.events = table.num_rows

    def enumerate_all(current: Pass) -> None:
        with current.clock():
            batches = recognise(compiled, table).to_batches()
            batch = next(batches, None)
        while batch is not None:
            _note(batch, current)
            with current.clock():
                batch = next(batches, None)
        current.events = table.num_rows

    rounds(job, count if mode == "count" else enumerate_all)


def _note(batch: pa.RecordBatch, current: Pass) -> None:
    lists: Any = batch.column("positions")
    offsets = numbers(lists.offsets).astype("int64")
    current.found(offsets - offsets[0], numbers(lists.flatten()))


if __name__ == "__main__":
    main(sys.argv[1], Job.of(sys.argv[2:]))
