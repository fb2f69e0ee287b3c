"""The ``*``-semantics of a CEA as an ordinary CEA (CEL Def. 8.7, ERRATA B9)."""

from __future__ import annotations

from mnemata.automata.cea.automaton import CEA, UNMARKED, Transition
from mnemata.automata.constructions.cea.sequencing import with_single_ends
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.theory.conditions.formulas import TOP


def star_automaton(cea: CEA) -> CEA:
    """A CEA whose valuations are those of `cea` under the ``*``-semantics.

    Its marking transitions alone, and any events read in between; the last event read is marked.
    """
    marking = tuple(t for t in cea.transitions if t.marking)
    ends = with_single_ends(CEA(cea.size, marking, cea.initials, cea.finals))
    waiting = (Transition(q, TOP, UNMARKED, q) for q in ends.states if q not in ends.finals)
    return trim(CEA(ends.size, (*ends.transitions, *waiting), ends.initials, ends.finals))
