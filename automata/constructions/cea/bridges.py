"""Between CEA and SREMO, string for string.

A CEA marks positions counted from 0 and begins at the first event of the stream; the matches of a SREMO over
a whole string are counted from 1. Here the complex events of the CEA at position n are the matches
(`mnemata.theory.sremo.semantics.matches`) over the first n + 1 events, all positions one greater, even when
position n is not marked. `mnemata.theory.translation` has readable translations of smaller fragments.
"""

from __future__ import annotations

from mnemata.automata.cea.automaton import CEA, UNMARKED
from mnemata.automata.cea.automaton import Transition as Labelled
from mnemata.automata.compilation import automaton
from mnemata.automata.constructions.cea.elimination import Language, eliminated
from mnemata.automata.constructions.cea.normal_form import BULLET
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.budget import Budget
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    Expression,
    Output,
    Star,
    Terminal,
    mark,
    sequence,
    skip,
    union,
)
from mnemata.theory.sremo.rewriting import bound_expression


def expression_of(cea: CEA, *, budget: Budget | None = None) -> Expression:
    """A SREMO without registers with the complex events of a CEA, by state elimination.

    Parameters
    ----------
    cea : CEA
        Any. Together with `compile_cel` this translates every unary formula without windows in time.
    budget : Budget, optional
        What it may cost.

    Raises
    ------
    LimitError
        When the budget is spent.

    Examples
    --------
    >>> from mnemata.theory.conditions.formulas import TOP
    >>> take = Labelled(0, TOP, frozenset({"X"}), 1)
    >>> expression_of(CEA(2, (take,), {0}, {1}))
    Terminal(Top(), •, None)
    """
    language: Language[Expression] = Language(_terminal, union, sequence, lambda loop, way: Star(loop) >> way)
    found = eliminated(cea, language, budget=budget)
    return EMPTY_SET if found is None else found


def _terminal(transition: Labelled) -> Terminal:
    return mark(transition.predicate) if transition.marking else skip(transition.predicate)


def cea_of(expression: Expression, schema: Schema, *, variable: Variable = BULLET) -> CEA:
    """A CEA with one variable and the matches of a SREMO.

    Parameters
    ----------
    expression : Expression
        Of any operators; it may not compare events with one another. Windows do, other than as a length of
        the string that was written out.
    schema : Schema
        Of the streams.
    variable : str
        What the CEA marks with.

    Raises
    ------
    UnsupportedError
        When its transducer needs registers or positions.
    """
    return cea_of_transducer(automaton(bound_expression(expression, schema), schema), variable=variable)


def cea_of_transducer(srt: SRT, *, variable: Variable = BULLET) -> CEA:
    """A CEA with one variable and the matches of a transducer without registers and epsilon transitions.

    Raises `UnsupportedError` when it has any, and `PatternError` when a condition reads the position.
    """
    used = sorted(srt.registers.union(*(t.reads for t in srt.transitions)))
    if used:
        raise UnsupportedError(
            f"the transducer compares events through the register '{used[0]}', which complex event automata "
            "do not have"
        )
    transitions = tuple(_labelled(t, variable) for t in srt.transitions)
    return trim(CEA(srt.size, transitions, frozenset({srt.start}), srt.finals))


def _labelled(transition: Transition, variable: Variable) -> Labelled:
    if transition.condition is None:
        raise UnsupportedError("the transducer has epsilon transitions; eliminate them first")
    labels = frozenset({variable}) if transition.output is Output.MARK else UNMARKED
    return Labelled(transition.source, transition.condition, labels, transition.target)
