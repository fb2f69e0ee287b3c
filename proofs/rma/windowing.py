"""Claims about windows: that they add no expressive power to core-CEPL (RMA Def. 14 and the remark on it)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final, NamedTuple, TypeAlias

from hypothesis import strategies as st

from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators.cepl import cepl_expressions
from mnemata.proofs.generators.signature import Stream
from mnemata.theory.cepl import semantics
from mnemata.theory.cepl.expressions import (
    Atom,
    Expression,
    Filter,
    Iteration,
    Or,
    Sequence,
    Variable,
    either,
    sequence,
)
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.formulas import Condition, conjunction, rename
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Category, Int64, Schema

Instance: TypeAlias = tuple[Expression, int, Stream]

INDEXED: Final = Schema.of(type=Category(("A", "B", "C")), id=Int64(), index=Int64(), event_type="type")
"""Events that carry their index in the stream."""


@st.composite
def _streams(draw: st.DrawFn) -> Stream:
    rows = draw(st.lists(st.tuples(st.sampled_from("AAB"), st.integers(1, 2)), max_size=5))
    return INDEXED.stream([(kind, number, index) for index, (kind, number) in enumerate(rows)])


INSTANCES: Final[st.SearchStrategy[Instance]] = st.tuples(
    cepl_expressions(INDEXED, size=3, windows=False), st.integers(1, 3), _streams()
)


class _Unwound(NamedTuple):
    """A sequence of events that an expression may match: their types, what filters ask, and names in use."""

    atoms: tuple[Atom, ...]
    filters: tuple[Condition, ...]
    names: tuple[tuple[Variable, Variable], ...]

    def then(self, other: _Unwound) -> _Unwound:
        return _Unwound(
            (*self.atoms, *other.atoms), (*self.filters, *other.filters), (*self.names, *other.names)
        )


def unwound(expression: Expression, events: int) -> list[_Unwound]:
    """All sequences of up to so many events that a bounded expression without windows may match."""
    fresh = (f"v{n}" for n in count(1))

    def of(e: Expression, left: int) -> Iterator[_Unwound]:
        match e:
            case Atom(relation=relation, variable=variable) if left > 0:
                name = next(fresh)
                yield _Unwound((Atom(relation, name),), (), ((variable, name),))
            case Or(parts=parts):
                yield from (found for part in parts for found in of(part, left))
            case Sequence(parts=parts):
                yield from chain(parts, left)
            case Iteration(body=body):
                yield from (found._replace(names=()) for found in rounds(body, left))
            case Filter(body=body, condition=condition):
                for found in of(body, left):
                    asked = rename(condition, dict(found.names))
                    yield found._replace(filters=(*found.filters, asked))
            case Atom():
                return
            case _:
                raise UnsupportedError(f"{type(e).__name__} is not unwound")

    def chain(parts: tuple[Expression, ...], left: int) -> Iterator[_Unwound]:
        for first in of(parts[0], left):
            if len(parts) == 1:
                yield first
                continue
            yield from (first.then(rest) for rest in chain(parts[1:], left - len(first.atoms)))

    def rounds(body: Expression, left: int) -> Iterator[_Unwound]:
        for first in of(body, left):
            yield first
            yield from (first.then(rest) for rest in rounds(body, left - len(first.atoms)))

    return list(of(expression, events))


def without_window(expression: Expression, window: int, *, strict: bool = True) -> Expression | None:
    """``e WINDOW w`` with filters on the index instead; ``None`` when nothing can match.

    A match within `window` has at most so many events, so the expression unwinds to finitely many sequences,
    and in each of these the first and the last event have names.
    """
    longest = window if strict else window + 1
    parts = [_bounded(found, window, strict) for found in unwound(expression, longest)]
    return either(*parts) if parts else None


def _bounded(found: _Unwound, window: int, strict: bool) -> Expression:
    whole = sequence(*found.atoms) if len(found.atoms) > 1 else found.atoms[0]
    first, last = register(found.atoms[0].variable), register(found.atoms[-1].variable)
    span = last.index - first.index
    inside = span < window if strict else span <= window
    return whole.filter(conjunction(*found.filters, inside))


def windows_are_filters(*, strict: bool) -> Claim[Instance]:
    """A window is a filter on the indices of the first and last event: ``< w``, or ``<= w`` as remarked."""

    def found(instance: Instance) -> frozenset[frozenset[int]]:
        plain = without_window(instance[0], instance[1], strict=strict)
        return frozenset() if plain is None else semantics.matches(plain, instance[2])

    def wanted(instance: Instance) -> frozenset[frozenset[int]]:
        return semantics.matches(instance[0].window(instance[1]), instance[2])

    sign = "less than" if strict else "no greater than"
    return Claim(
        f"WINDOW w is a filter: last index - first index is {sign} w",
        "RMA Def. 14",
        INSTANCES,
        lambda i: found(i) == wanted(i),
        lambda i: Exhibit(i[2], wanted(i), found(i)),
        ("expression", "window", "stream"),
    )
