"""Claims about decisions: what is decided of an automaton is what running it shows."""

from __future__ import annotations

from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.decisions.contents import known_contents
from mnemata.automata.decisions.determinism import is_deterministic
from mnemata.automata.srt.configurations import Configuration, initial, successors
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim
from mnemata.proofs.generators import TICKS, Stream, srts, streams
from mnemata.theory.conditions.evaluation import models
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.typing import bind

Instance: TypeAlias = tuple[tuple[Stream, ...], SRT]

AUTOMATA: Final = srts(TICKS, ("r1", "r2"), max_states=3, max_transitions=5, epsilons=False).map(
    lambda srt: bind_guards(srt, TICKS)
)
STREAMS: Final = st.lists(streams(TICKS, min_size=1, max_size=4), min_size=1, max_size=4).map(tuple)
INSTANCES: Final[st.SearchStrategy[Instance]] = st.tuples(STREAMS, AUTOMATA)


def events_to_choice(srt: SRT, stream: Stream) -> int | None:
    """After how many events of a stream two transitions can first be taken from one configuration."""
    reached = {initial(srt)}
    for read in range(1, len(stream) + 1):
        steps = [tuple(successors(srt, here, stream)) for here in reached]
        if any(len(step) > 1 for step in steps):
            return read
        reached = {following for step in steps for _, following in step}
    return None


def determinism_is_what_runs_show() -> Claim[Instance]:
    """*Yes* where no stream offers a choice; *no* with a stream that does, and none that does so sooner."""

    def holds(instance: Instance) -> bool:
        tried, srt = instance
        decision = is_deterministic(srt, TICKS)
        shown = [events for stream in tried if (events := events_to_choice(srt, stream)) is not None]
        if decision.yes:
            return not shown
        if decision.stream is None:
            return not decision.no
        first = events_to_choice(srt, decision.stream)
        return decision.no and first == len(decision.stream) <= min(shown, default=len(decision.stream))

    return Claim("determinism is what runs show", "Def. 36, ERRATA A8", INSTANCES, holds)


def facts_hold_of_contents() -> Claim[Instance]:
    """What is said to be known of the registers in a state holds whenever a run is there."""

    def holds(instance: Instance) -> bool:
        tried, srt = instance
        known = known_contents(srt, TICKS)
        return all(
            _holds(known[here.state], here, stream) for stream in tried for here in visited(srt, stream)
        )

    return Claim("facts hold of register contents", "the project's own", INSTANCES, holds)


def visited(srt: SRT, stream: Stream) -> frozenset[Configuration]:
    """The configurations of all runs over all prefixes of a stream; without epsilon transitions."""
    seen = frontier = frozenset({initial(srt)})
    for _ in stream:
        frontier = frozenset(after for here in frontier for _, after in successors(srt, here, stream))
        seen |= frontier
    return seen


def _holds(known: Condition | None, here: Configuration, stream: Stream) -> bool:
    return known is not None and models(stream[-1], here.valuation, bind(known, TICKS))


CLAIMS: Final[tuple[Claim[Instance], ...]] = (determinism_is_what_runs_show(), facts_hold_of_contents())
"""What holds."""
