"""Complex event automata."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from mnemata.automata.cea.automaton import CEA, UNMARKED, Labels, Transition
from mnemata.proofs.generators.formulas import conditions
from mnemata.proofs.generators.signature import TICKS, choices
from mnemata.theory.conditions.formulas import TOP, Condition, expand
from mnemata.theory.conditions.terms import Position
from mnemata.theory.conditions.typing import bind
from mnemata.theory.schema import Schema
from mnemata.theory.translation.event_types import is_of_type
from mnemata.theory.trees import walk

X: Final[Labels] = frozenset({"X"})
Y: Final[Labels] = frozenset({"Y"})
LABEL_SETS: Final = (UNMARKED, X, Y, X | Y)
ONE_VARIABLE: Final = (UNMARKED, X)


def predicates(schema: Schema = TICKS, *, size: int = 2) -> st.SearchStrategy[Condition]:
    """Conditions on the values of one event, bound to `schema`; often ``true``."""
    of_values = conditions(schema, (), size=size).filter(_position_free)
    return st.just(TOP) | of_values.map(lambda condition: bind(condition, schema))


def event_types(schema: Schema = TICKS) -> st.SearchStrategy[Condition]:
    """Nothing, or that the event is of type A."""
    return choices((TOP, TOP, is_of_type("A", schema)))


def _position_free(condition: Condition) -> bool:
    return not any(isinstance(node, Position) for node in walk(expand(condition)))


@st.composite
def ceas(
    draw: st.DrawFn,
    schema: Schema = TICKS,
    label_sets: tuple[Labels, ...] = LABEL_SETS,
    *,
    states: tuple[int, int] = (1, 4),
    transitions: tuple[int, int] = (1, 8),
    asked: st.SearchStrategy[Condition] | None = None,
) -> CEA:
    """Complex event automata of any shape, bound to `schema`; several initial states at times.

    `states` and `transitions` are the least and the most of each; `asked` makes the predicates, where they
    are not of all kinds.
    """
    size = draw(st.integers(*states))
    places = st.integers(0, size - 1)
    # Few different predicates, so that transitions compete for events.
    pool = tuple(draw(st.lists(predicates(schema) if asked is None else asked, min_size=1, max_size=3)))
    moves = st.builds(Transition, places, choices(pool), choices(label_sets), places)
    drawn = tuple(draw(moves) for _ in range(draw(st.integers(*transitions))))
    initials = draw(st.frozensets(places, min_size=1, max_size=2))
    finals = draw(st.frozensets(places, min_size=1, max_size=size))
    return CEA(size, drawn, initials, finals)
