"""Algorithm 1 of the SRT paper, one object for each run; its arguments are a `Job`."""

from __future__ import annotations

import sys

from mnemata.automata.compilation import automaton
from mnemata.automata.engine.algorithm_1 import algorithm_1_as_published
from mnemata.paper_figures.following import Followed, events_of
from mnemata.paper_figures.peers.ticks import read_ticks
from mnemata.paper_figures.peers.workers.reporting import Job, Pass, flat, rounds
from mnemata.pipeline.datasets.arrivals import STOCKS
from mnemata.theory.sremo.rewriting import bound
from mnemata.theory.syntax import parse


def main(job: Job) -> None:
    """Run Algorithm 1 over a stream, as often as the job says; windows are guards of the automaton."""
    pattern = bound(parse(job.query.read_text(encoding="utf-8"), schema=STOCKS), STOCKS)
    srt = automaton(pattern.expression, STOCKS)
    stream = events_of(read_ticks(job.ticks), STOCKS)

    def run(current: Pass) -> None:
        with current.clock():
            reports = algorithm_1_as_published(srt, Followed(stream, current))
            found = [sorted(p - 1 for p in marks) for report in reports for marks in report]
        current.found(*flat(found))

    rounds(job, run)


if __name__ == "__main__":
    main(Job.of(sys.argv[1:]))
