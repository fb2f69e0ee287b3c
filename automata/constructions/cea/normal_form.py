"""One variable instead of many, and the normal form that evaluation needs (CEL Prop. 9.2, Thm 9.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.cea.automaton import CEA
from mnemata.automata.constructions.cea.determinization import determinize
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.theory.budget import Budget
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.schema import Schema

BULLET: Final[Variable] = "•"
"""The one variable of a CEA in normal form, unless another is asked for."""


def collapse(cea: CEA, variable: Variable = BULLET) -> CEA:
    """A complex-event-equivalent CEA that marks with one variable (Prop. 9.2).

    Each transition that marks, whatever its labels, marks with `variable`; the valuations are lost.
    """
    one = frozenset({variable})
    collapsed = (replace(t, labels=one if t.marking else t.labels) for t in cea.transitions)
    return CEA(cea.size, tuple(collapsed), cea.initials, cea.finals)


def normal_form(
    cea: CEA, schema: Schema, *, variable: Variable = BULLET, budget: Budget | None = None
) -> CEA:
    """A complex-event-equivalent CEA with one variable, one initial state, and I/O-deterministic (Thm 9.1).

    Only states on the way to a final state remain, and the initial one.

    Raises
    ------
    LimitError
        When the budget is spent.
    """
    narrowed = determinize(trim(collapse(cea, variable)), schema, budget=budget)
    found = trim(narrowed)
    return found if found.initials else CEA(1, (), frozenset({0}), frozenset())
