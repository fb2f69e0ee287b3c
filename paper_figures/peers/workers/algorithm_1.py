"""Algorithm 1 of the SRT paper, one object for each run; its arguments are a `Job`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import overload

from mnemata.automata.compilation import automaton
from mnemata.automata.engine.algorithm_1 import algorithm_1_as_published
from mnemata.paper_figures.peers.ticks import events_of, read_ticks
from mnemata.paper_figures.peers.workers.reporting import Job, Round, flat, rounds
from mnemata.pipeline.datasets.arrivals import STOCKS
from mnemata.theory.schema import Event
from mnemata.theory.sremo.rewriting import bound
from mnemata.theory.syntax import parse


class Followed(Sequence[Event]):
    """A stream that notes how far it was read."""

    def __init__(self, stream: Sequence[Event], current: Round) -> None:
        self._stream, self._current = stream, current

    def __len__(self) -> int:
        return len(self._stream)

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Event]: ...
    def __getitem__(self, place: int | slice) -> Event | Sequence[Event]:
        return self._stream[place]

    def __iter__(self) -> Iterator[Event]:
        for number, event in enumerate(self._stream):
            self._current.events = number
            yield event
        self._current.events = len(self._stream)


def main(job: Job) -> None:
    """Run Algorithm 1 over a stream, as often as the job says; windows are guards of the automaton."""
    pattern = bound(parse(job.query.read_text(encoding="utf-8"), schema=STOCKS), STOCKS)
    srt = automaton(pattern.expression, STOCKS)
    stream = events_of(read_ticks(job.ticks))

    def run(current: Round) -> None:
        with current.clock():
            reports = algorithm_1_as_published(srt, Followed(stream, current))
            found = [sorted(p - 1 for p in marks) for report in reports for marks in report]
        current.found(*flat(found))

    rounds(job, run)


if __name__ == "__main__":
    main(Job.of(sys.argv[1:]))
