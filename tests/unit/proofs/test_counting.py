"""How many runs are made: the numbers of the paper, and those that are counted."""

from __future__ import annotations

import pytest

from mnemata.proofs.generators import TICKS
from mnemata.proofs.srt.counting import geometric, looping, runs_made, streaming_automaton, work
from mnemata.theory.sremo.expressions import Expression, mark, sequence, skip_till_any

SIXTEEN = TICKS.stream([("A", 1, 1.0, 0)] * 16)
ITERATING = skip_till_any(mark(), skip_till_any(mark().plus()), mark())


def test_three_events_in_a_window_of_sixteen() -> None:
    srt = streaming_automaton(skip_till_any(mark(), mark(), mark()))
    assert (runs_made(srt, SIXTEEN), geometric(16, 3)) == (697, 4_369)


def test_an_iteration_among_them() -> None:
    """ERRATA A13, which does not count the first run."""
    assert runs_made(looping(ITERATING), SIXTEEN) == 1 + 130_934
    assert geometric(16, 2) * 2 * 16 == 8_736


@pytest.mark.parametrize(("expression", "clones"), [(mark(), 16), (sequence(mark(), mark()), 16)])
def test_contiguous_sequences(expression: Expression, clones: int) -> None:
    assert runs_made(streaming_automaton(expression), SIXTEEN) == 1 + clones


def test_nothing_happens_without_events() -> None:
    assert list(work(streaming_automaton(mark()), ())) == []


def test_the_work_at_an_event() -> None:
    [first, *_] = work(streaming_automaton(mark() >> mark()), SIXTEEN)
    assert first == (1, 2, 1, 2)
