"""Claims about decisions: what is decided of an automaton is what running it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.decisions.contents import known_contents
from mnemata.automata.decisions.determinism import Determinism, is_complete, is_deterministic
from mnemata.automata.srt.configurations import Configuration, initial, successors
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.claims import Claim
from mnemata.proofs.generators import TICKS, Stream, srts, streams
from mnemata.theory.conditions.evaluation import models
from mnemata.theory.conditions.formulas import Condition, Not, conjunction
from mnemata.theory.conditions.typing import bind
from mnemata.theory.sremo.expressions import Output

Instance: TypeAlias = tuple[tuple[Stream, ...], SRT]

AUTOMATA: Final = srts(TICKS, ("r1", "r2"), max_states=3, max_transitions=5, epsilons=False).map(
    lambda srt: bind_guards(srt, TICKS)
)
STREAMS: Final = st.lists(streams(TICKS, min_size=1, max_size=4), min_size=1, max_size=4).map(tuple)
INSTANCES: Final[st.SearchStrategy[Instance]] = st.tuples(STREAMS, AUTOMATA)
_EventsTo: TypeAlias = Callable[[SRT, Stream], int | None]


def _nearly_complete(srt: SRT, states: frozenset[int]) -> SRT:
    """`srt` and, for some of its states, what is taken where nothing else of them can be."""
    conditions = {q: [t.condition for t in srt.outgoing(q) if t.condition is not None] for q in states}
    others = tuple(
        Transition(q, conjunction(*map(Not, conditions[q])), Output.SKIP, frozenset(), q)
        for q in sorted(states)
    )
    return SRT(srt.size, srt.start, srt.finals, (*srt.transitions, *others), srt.registers)


COMPLETE_OR_NOT: Final[st.SearchStrategy[Instance]] = st.tuples(
    STREAMS,
    AUTOMATA.flatmap(
        lambda srt: st.frozensets(st.sampled_from(srt.states)).map(lambda some: _nearly_complete(srt, some))
    ),
)
"""Few automata are complete by chance."""


def events_to_choice(srt: SRT, stream: Stream) -> int | None:
    """After how many events of a stream two transitions can first be taken from one configuration."""
    return _events_to(srt, stream, lambda ways: ways > 1)


def events_to_standstill(srt: SRT, stream: Stream) -> int | None:
    """After how many events of a stream a configuration is first met from which nothing can be taken."""
    return _events_to(srt, stream, lambda ways: ways == 0)


def _events_to(srt: SRT, stream: Stream, sought: Callable[[int], bool]) -> int | None:
    reached = {initial(srt)}
    for read in range(1, len(stream) + 1):
        steps = [tuple(successors(srt, here, stream)) for here in reached]
        if any(sought(len(step)) for step in steps):
            return read
        reached = {following for step in steps for _, following in step}
    return None


def determinism_is_what_runs_show() -> Claim[Instance]:
    """*Yes* where no stream offers a choice; *no* with a stream that does, and none that does so sooner."""

    def holds(instance: Instance) -> bool:
        return _shown(is_deterministic(instance[1], TICKS), instance, events_to_choice)

    return Claim("determinism is what runs show", "Def. 36, ERRATA A8", INSTANCES, holds)


def completeness_is_what_runs_show() -> Claim[Instance]:
    """*Yes* where no stream comes to a standstill; *no* with a stream that does, and none sooner."""

    def holds(instance: Instance) -> bool:
        return _shown(is_complete(instance[1], TICKS), instance, events_to_standstill)

    return Claim("completeness is what runs show", "Alg. 8, ERRATA A7", COMPLETE_OR_NOT, holds)


def _shown(decision: Determinism, instance: Instance, events_to: _EventsTo) -> bool:
    tried, srt = instance
    shown = [events for stream in tried if (events := events_to(srt, stream)) is not None]
    if decision.yes:
        return not shown
    if decision.stream is None:
        return not decision.no
    first = events_to(srt, decision.stream)
    return decision.no and first == len(decision.stream) <= min(shown, default=len(decision.stream))


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
