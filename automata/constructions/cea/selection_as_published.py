"""``NXT``, ``LAST`` and ``MAX`` on CEA as published (CEL Thm 7.2); wrong with more than one label set.

The sets R (`current`), W and T alone: runs with the same support and other labels are in none of them, so
what wins over those is not seen to win over this run (ERRATA B5). Right for CEA with a single variable.
"""

from __future__ import annotations

from mnemata.automata.cea.automaton import CEA, Labels
from mnemata.automata.constructions.cea.selection import (
    Race,
    Rule,
    Step,
    last_rule,
    max_rule,
    next_rule,
    race,
)
from mnemata.theory.budget import Budget
from mnemata.theory.schema import Schema


def next_as_published(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> CEA:
    """``A_NXT`` of Thm 7.2: states ``(R, W)``."""
    return _selected(cea, schema, next_rule, budget)


def last_as_published(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> CEA:
    """``A_LAST`` of Thm 7.2: states ``(R, W, T)``."""
    return _selected(cea, schema, last_rule, budget)


def max_as_published(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> CEA:
    """``A_MAX`` of Thm 7.2: states ``(R, W)``."""
    return _selected(cea, schema, max_rule, budget)


def _selected(cea: CEA, schema: Schema, rule: Rule, budget: Budget | None) -> CEA:
    def advanced(here: Race, step: Step, labels: Labels) -> Race:
        winners, losers = rule(here, step, labels)
        current = step.by(labels, here.current) - winners
        return Race(current, current, winners, losers - current - winners)

    return race(cea, schema, advanced, budget)
