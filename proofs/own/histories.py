"""Claims about determinization with regard to outputs (`automata.constructions.output_determinization`)."""

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.output_determinization import determinize_outputs
from mnemata.automata.srt.runs import matches, runs
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim
from mnemata.proofs.generators import TICKS, Stream, remembering_srts, remembering_waits, srts, streams
from mnemata.proofs.generators.cel import words
from mnemata.theory.budget import Budget, spending
from mnemata.theory.errors import LimitError
from mnemata.theory.sremo.expressions import Output

Instance: TypeAlias = tuple[SRT, Stream]

SMALL: Final = Budget(states=40, transitions=200)
AUTOMATA: Final = (
    srts(TICKS, ("r1",), max_states=2, max_transitions=3, epsilons=False).map(
        lambda srt: bind_guards(srt, TICKS)
    )
    | remembering_srts()
    | remembering_srts((Output.MARK,))
)
STREAMS: Final = streams(TICKS, max_size=4) | words(min_size=2, max_size=4)
INSTANCES: Final[st.SearchStrategy[Instance]] = st.tuples(AUTOMATA, STREAMS)
OVERLAPPING: Final[st.SearchStrategy[Instance]] = st.tuples(
    remembering_waits(), words(min_size=4, max_size=5)
)
"""Runs that wait for an event while others begin, each with an event of its own in its register."""


@cache
def determinized(srt: SRT, at_first: bool) -> SRT | None:
    """The determinized automaton; ``None`` where there is no end in sight (ERRATA C1)."""
    try:
        with spending(SMALL):
            return determinize_outputs(srt, TICKS, at_first=at_first)
    except LimitError:
        return None


def histories_have_one_run() -> Claim[Instance]:
    """From the first event on: the same matches over every string, and no two runs mark the same events."""

    def holds(instance: Instance) -> bool:
        srt, string = instance
        made = determinized(srt, True)
        if made is None:
            return True
        marked = [run.marks for run in runs(made, string)]
        return matches(made, string) == matches(srt, string) and len(marked) == len(set(marked))

    return Claim("one run for each history of marks", "the project's own", INSTANCES, holds)


def over_streams_matches_are_kept(instances: st.SearchStrategy[Instance] = INSTANCES) -> Claim[Instance]:
    """Where runs begin at every event, a stream reports the same."""

    def holds(instance: Instance) -> bool:
        srt, stream = instance
        made = determinized(srt, False)
        return made is None or reported(made, stream) == reported(srt, stream)

    return Claim("over streams the same matches", "the project's own", instances, holds)


def reported(srt: SRT, stream: Stream) -> frozenset[frozenset[int]]:
    """The matches of all parts of a stream that mark their last event."""
    parts = (stream[b:k] for k in range(1, len(stream) + 1) for b in range(k))
    return frozenset(m for part in parts for m in matches(srt, part) if part[-1].position in m)
