"""Expressions of core-CEPL."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from mnemata.proofs.generators.formulas import conditions
from mnemata.proofs.generators.signature import TICKS, choices
from mnemata.theory.cepl.expressions import (
    Atom,
    Expression,
    Filter,
    Iteration,
    Or,
    Sequence,
    Variable,
    Windowed,
)
from mnemata.theory.cepl.variables import bound
from mnemata.theory.conditions.formulas import Comparison, Condition, Not, rename, variables
from mnemata.theory.conditions.terms import HEAD, Attribute
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.bounds import EventWindow

RELATIONS: Final = ("A", "B", "C")
VARIABLES: Final = ("x", "y", "z", "u")


@st.composite
def cepl_expressions(
    draw: st.DrawFn,
    schema: Schema = TICKS,
    *,
    size: int = 5,
    bounded: bool = True,
    windows: bool = True,
    names: tuple[Variable, ...] = VARIABLES,
) -> Expression:
    """Expressions over the event types A, B, C, of up to `size` atoms; not bound to `schema`.

    Parameters
    ----------
    schema : Schema
        With an event type whose values include A, B and C.
    bounded : bool
        Whether only bounded expressions are made (Def. 2). Disjuncts may define different variables then, and
        the parts of a sequence none in common. Otherwise any variable may occur anywhere.
    windows : bool
        Whether `Windowed` may occur, anywhere.
    names : tuple of str
        The variables to choose from; there are no more atoms in a sequence than these if bounded.
    """
    kinds = ("atom", "sequence", "sequence", "sequence", "or", "plus") if size > 1 else ("atom",)
    kind = draw(choices((*kinds, "window") if windows and size > 1 else kinds))
    if kind == "sequence" and bounded and len(names) < 2:
        kind = "or"
    left, right = size - size // 2, size // 2
    found: Expression
    match kind:
        case "sequence":
            cut = draw(st.integers(1, len(names) - 1)) if bounded else 0
            one, other = (names[:cut], names[cut:]) if bounded else (names, names)
            found = Sequence(
                (
                    draw(_below(schema, left, bounded, windows, one)),
                    draw(_below(schema, right, bounded, windows, other)),
                )
            )
        case "or":
            below = _below(schema, left, bounded, windows, names)
            found = Or((draw(below), draw(_below(schema, right, bounded, windows, names))))
        case "plus":
            found = Iteration(draw(_below(schema, size - 1, bounded, windows, names)))
        case "window":
            body = draw(_below(schema, size - 1, bounded, windows, names))
            found = Windowed(body, EventWindow(draw(choices((3, 2, 4, 5, 1)))))
        case _:
            found = Atom(draw(choices(("A", "B", "A", "C"))), draw(choices(names)))
    return _filtered(draw, found, schema, tuple(sorted(bound(found))) if bounded else names)


def _below(
    schema: Schema, size: int, bounded: bool, windows: bool, names: tuple[Variable, ...]
) -> st.SearchStrategy[Expression]:
    return cepl_expressions(schema, size=max(1, size), bounded=bounded, windows=windows, names=names)


def _filtered(draw: st.DrawFn, body: Expression, schema: Schema, known: tuple[Variable, ...]) -> Expression:
    """Perhaps with a filter over some of the variables `known`, the likelier the more there are."""
    wanted = (False, True, True, True) if len(known) > 1 else (False, False, False, True)
    if not known or not draw(choices(wanted)):
        return body
    condition = draw(filters(known, schema))
    return Filter(body, condition) if variables(condition) else body


@st.composite
def filters(draw: st.DrawFn, known: tuple[Variable, ...], schema: Schema = TICKS) -> Condition:
    """Conditions over some of the variables `known`: often that two events agree or do not."""
    left = draw(choices(known))
    right = draw(choices(tuple(name for name in known if name != left) or known))
    kind = draw(choices(("agree", "differ", "agree", "any")))
    if kind == "any" or "id" not in schema:
        condition = draw(conditions(schema, ("r1", "r2"), size=2))
        return rename(condition, {HEAD: left, "r1": right, "r2": draw(choices(known))})
    same = Comparison("=", Attribute(left, "id"), Attribute(right, "id"))
    return same if kind == "agree" else Not(same)
