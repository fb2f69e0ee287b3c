"""From unary CEL to complex event automata (CEL Thm 6.2, repaired by ERRATA B1, B2, B3 and B5)."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Final

from mnemata.automata.cea.automaton import CEA
from mnemata.automata.constructions.cea.compiled import CompiledFormula
from mnemata.automata.constructions.cea.filtering import satisfying
from mnemata.automata.constructions.cea.labelling import bound_to, event, projected
from mnemata.automata.constructions.cea.layers import windows_outward, without_layers
from mnemata.automata.constructions.cea.products import conjunction, interleaving, unless
from mnemata.automata.constructions.cea.selection import SELECTIONS
from mnemata.automata.constructions.cea.sequencing import (
    anchored,
    contiguous,
    contiguous_iteration,
    iteration,
    sequencing,
)
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.automata.constructions.cea.union import union
from mnemata.automata.constructions.cea.windowing import within_events
from mnemata.theory.budget import Budget, spending
from mnemata.theory.cel.binding import bind_formula, check_variables, not_unary_parts
from mnemata.theory.cel.formulas import (
    All,
    And,
    Contiguous,
    ContiguousIteration,
    Filter,
    Formula,
    In,
    Iteration,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Strategy,
    Unless,
    Within,
)
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.bounds import EventWindow
from mnemata.theory.syntax import show_cel
from mnemata.theory.trees import Node, fold

_NONE: Final = CEA(0, (), frozenset(), frozenset())


def compile_cel(formula: Formula, schema: Schema, *, budget: Budget | None = None) -> CompiledFormula:
    """Compile a unary formula against a schema.

    Parameters
    ----------
    formula : Formula
        Bound to `schema` or not.
    schema : Schema
        Of the streams.
    budget : Budget, optional
        What it may cost. ``AND``, ``ALL`` and windows in events multiply numbers of states; ``UNLESS`` and
        the selection strategies can be exponential.

    Returns
    -------
    CompiledFormula
        With the outermost windows aside. Windows in events further inside are counted by states.

    Raises
    ------
    UnsupportedError
        When a filter is not unary: which one, why, and what may serve instead; when a window in time lies
        under an operator that needs to know, event by event, whether it is still open.
    PatternError
        One of its subclasses, when the formula does not fit the schema or reads a variable bound nowhere.
    LimitError
        When the budget is spent.

    Warns
    -----
    ContradictionWarning
        For a filter that no event can pass, with an unsatisfiable core of its conditions.

    Examples
    --------
    >>> from mnemata.theory.schema import Schema, String
    >>> schema = Schema.of(type=String(), event_type="type")
    >>> compiled = compile_cel((Relation("T") >> Relation("H")).within(events=5), schema)
    >>> compiled.cea.size, compiled.windows
    (3, (EventWindow(size=5),))
    """
    bound = bind_formula(formula, schema)
    check_variables(bound)
    check_unary(bound)
    body, windows, layers = without_layers(windows_outward(bound))
    with spending(budget):
        return CompiledFormula(bound, schema, automaton(body, schema), windows, layers)


def automaton(formula: Formula, schema: Schema) -> CEA:
    """The CEA of a bound unary formula, windows in events included; trimmed.

    Over every interval of every stream it has the valuations of the formula.
    """
    return trim(fold(formula, lambda node, below: _construction(node, below, schema)))


def _construction(node: Node, below: tuple[CEA, ...], schema: Schema) -> CEA:
    match node:
        case Relation(name=name):
            return event(name, schema)
        case In(variable=variable):
            return bound_to(below[0], variable)
        case Filter(predicate=predicate):
            return satisfying(below[0], predicate, schema)
        case Projection(variables=kept):
            return projected(below[0], kept)
        case Within(window=window):
            if isinstance(window, EventWindow):
                return within_events(below[0], window)
            raise UnsupportedError(_TIME.format(amount=window.duration.amount, unit=window.duration.unit))
        case Strategy():
            return SELECTIONS[type(node)](below[0], schema)
        case Unless():
            return unless(below[0], below[1], schema)
        case Formula():
            return reduce(_binary(node, schema), below) if len(below) > 1 else _UNARY[type(node)](below[0])
    return _NONE  # predicates are read where they filter


def _binary(node: Formula, schema: Schema) -> Callable[[CEA, CEA], CEA]:
    match node:
        case Sequencing():
            return sequencing
        case Contiguous():
            return contiguous
        case Or():
            return union
        case And():
            return lambda left, right: conjunction(left, right, schema)
        case All():
            return lambda left, right: interleaving(left, right, schema)
    raise UnsupportedError(f"no automaton for {type(node).__name__}")


_UNARY: Final[dict[type[Node], Callable[[CEA], CEA]]] = {
    Iteration: iteration,
    ContiguousIteration: contiguous_iteration,
    Start: anchored,
}

_TIME: Final = (
    "a complex event automaton cannot measure time: WITHIN {amount} {unit} must be the outermost operator, "
    "under selection strategies and projections alone. Move it outwards, bound events instead, or "
    "translate the formula to SREMO, where windows may be anywhere"
)


def check_unary(formula: Formula) -> None:
    """Raise `UnsupportedError` for the first filter that is not unary (CEL Def. 4.1)."""
    for found in not_unary_parts(formula):
        raise UnsupportedError(
            f"the filter {show_cel(found.part)} is not unary: {found.reason}. A complex event automaton "
            "tests events one by one; a symbolic register transducer can compare them: see "
            "mnemata.theory.translation.expression_of_formula"
        )
