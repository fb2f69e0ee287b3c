"""Claims about simplification: each of its laws, and all of them together, change no match."""

from __future__ import annotations

from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.simplification import Law
from mnemata.automata.srt.runs import matches
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim
from mnemata.proofs.generators import TICKS, Stream, remembering_srts, srts, streams
from mnemata.proofs.generators.cel import words

Instance: TypeAlias = tuple[tuple[Stream, ...], SRT]

AUTOMATA: Final = (
    srts(TICKS, ("r1", "r2"), max_states=3, max_transitions=6, epsilons=False).map(
        lambda srt: bind_guards(srt, TICKS)
    )
    | remembering_srts()
)
STRINGS: Final = st.lists(streams(TICKS, max_size=4) | words(max_size=3), min_size=1, max_size=6).map(tuple)
INSTANCES: Final[st.SearchStrategy[Instance]] = st.tuples(STRINGS, AUTOMATA)


def changes_no_match(law: Law) -> Claim[Instance]:
    """That an automaton has the same matches after a law was applied to it."""

    def holds(instance: Instance) -> bool:
        strings, srt = instance
        simpler = law(srt, TICKS)
        return all(matches(simpler, string) == matches(srt, string) for string in strings)

    name = getattr(law, "__name__", str(law))
    return Claim(f"{name} changes no match", "the project's own", INSTANCES, holds)
