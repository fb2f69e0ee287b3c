"""What a core-CEPL expression matches, by definition and as obvious code.

The paper only sketches the semantics and refers to Grez, Riveros and Ugarte, "Foundations of complex event
processing" (2017); this is theirs, with what the sketch leaves open decided as follows.

- One valuation is shared by the whole expression: where two parts define a variable, both mean the same
  event, and ``T AS x; H AS x`` matches nothing. A part of the expression may lie before or after the filter
  that reads its variable.
- Iteration: in each round of ``e+`` the variables that `e` defines outside of inner iterations (``vdef+``)
  stand for something else, and only there: a filter outside of the iteration reads the variable of the same
  name outside, if there is one, and a filter inside reads that of its own round. All other variables
  that `e` reads are those outside, the same in every round.
- A valuation may let a variable stand for an event that the match does not contain, if the way taken through
  an ``OR`` does not bind it: a filter that reads it then asks whether there is such an event at all, and may
  also find none (an atom over nothing is false, ERRATA A6). Only expressions whose filters read
  variables that are not bound on every way can tell; bounded ones cannot.
- Windows (Def. 14) are satisfied if ``max - min < w``; the paper's remark that a difference "no greater
  than w" says the same is off by one (ERRATA A5).

Positions are 0-based places in the given sequence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import TypeAlias

from mnemata.theory.cepl.binding import bind_expression
from mnemata.theory.cepl.expressions import Atom, Expression, Filter, Iteration, Or, Variable, Windowed
from mnemata.theory.cepl.expressions import Sequence as Sequencing
from mnemata.theory.cepl.valuations import NO_EVENTS, Valuation
from mnemata.theory.cepl.variables import rebound
from mnemata.theory.conditions.evaluation import Valuation as Contents
from mnemata.theory.conditions.evaluation import models
from mnemata.theory.conditions.formulas import Condition, variables
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Event

Match: TypeAlias = frozenset[int]
Matches: TypeAlias = frozenset[Match]


def matches_under(
    expression: Expression, stream: Sequence[Event], i: int = 0, valuation: Valuation = NO_EVENTS
) -> Matches:
    """``[[e]](S, i, v)``: the matches from position `i` on under one valuation, to the letter.

    Parameters
    ----------
    expression : Expression
        Bound to the schema of the events.
    stream : sequence of Event
        Finite; positions beyond it hold no event.
    i : int
        Where the match may begin.
    valuation : Valuation
        What the variables outside of iterations stand for.
    """

    @cache
    def under(e: Expression, i: int, v: Valuation) -> Matches:
        return frozenset(cases(e, i, v))

    def cases(e: Expression, i: int, v: Valuation) -> Iterable[Match]:
        match e:
            case Atom(variable=variable):
                at = v.get(variable)
                return () if at is None or not i <= at or not _is_a(e, stream, at) else {frozenset({at})}
            case Filter(body=body, condition=condition):
                return under(body, i, v) if _holds(condition, stream, v) else ()
            case Or(parts=parts):
                return (found for part in parts for found in under(part, i, v))
            case Sequencing(parts=parts):
                return _joined(parts, i, v, under)
            case Windowed(body=body):
                return (found for found in under(body, i, v) if _fits(e, found))
            case Iteration(body=body):
                return rounds(e, body, i, v)
        raise UnsupportedError(f"no semantics for {type(e).__name__}")

    def rounds(e: Iteration, body: Expression, i: int, v: Valuation) -> Iterator[Match]:
        fresh = rebound(body)
        for other in all_valuations(fresh, len(stream)):
            inside = v.replaced(fresh, other)
            yield from under(body, i, inside)
            yield from _joined((body, e), i, inside, under)

    return under(expression, i, valuation)


def all_valuations(names: Iterable[Variable], size: int) -> Iterator[Valuation]:
    """Every valuation of some variables over a stream of `size` events, undefined ones included."""
    ordered = sorted(names)
    for places in product((None, *range(size)), repeat=len(ordered)):
        known = zip(ordered, places, strict=True)
        yield Valuation(tuple((name, place) for name, place in known if place is not None))


def matches(expression: Expression, stream: Sequence[Event], start: int = 0) -> Matches:
    """``[[e]](S)``: the matches under some valuation.

    Equal to the union of `matches_under` over `all_valuations` of ``vdef+`` and what filters read, but values
    are chosen only where something depends on them.

    Examples
    --------
    >>> from mnemata.theory.cepl.expressions import atom
    >>> from mnemata.theory.schema import Schema, String
    >>> schema = Schema.of(type=String(), event_type="type")
    >>> found = matches(atom("T", "x") >> atom("H", "y"), schema.stream([("T",), ("T",), ("H",)]))
    >>> sorted(map(sorted, found))
    [[0, 2], [1, 2]]
    """
    if stream:
        expression = bind_expression(expression, stream[0].schema)
    return frozenset(match for match, _ in _choices(expression, stream, start))


_NOWHERE = -1
"""The place of a variable that was decided to stand for no event."""

_Found: TypeAlias = tuple[Match, Valuation]


def _choices(expression: Expression, stream: Sequence[Event], start: int) -> frozenset[_Found]:
    """Matches, each with what had to be decided about the valuation; variables it lacks may be anything."""
    size = len(stream)

    @cache
    def derive(e: Expression, i: int, v: Valuation) -> frozenset[_Found]:
        return frozenset(cases(e, i, v))

    def cases(e: Expression, i: int, v: Valuation) -> Iterable[_Found]:
        match e:
            case Atom(variable=variable):
                places = (v[variable],) if variable in v else range(i, size)
                good = (at for at in places if at >= i and _is_a(e, stream, at))
                return ((frozenset({at}), _decided(v, {variable: at})) for at in good)
            case Filter(body=body, condition=condition):
                return ((m, c) for m, b in derive(body, i, v) for c in satisfying(condition, b))
            case Or(parts=parts):
                return (found for part in parts for found in derive(part, i, v))
            case Sequencing(parts=parts):
                return chain(parts, i, v)
            case Windowed(body=body):
                return (found for found in derive(body, i, v) if _fits(e, found[0]))
            case Iteration(body=body):
                return rounds(e, body, i, v)
        raise UnsupportedError(f"no semantics for {type(e).__name__}")

    def satisfying(condition: Condition, v: Valuation) -> Iterator[Valuation]:
        open_ = sorted(variables(condition) - v.keys())
        for places in product((_NOWHERE, *range(size)), repeat=len(open_)):
            chosen = _decided(v, dict(zip(open_, places, strict=True)))
            if _holds(condition, stream, chosen):
                yield chosen

    def chain(parts: tuple[Expression, ...], i: int, v: Valuation) -> Iterator[_Found]:
        for first, after in derive(parts[0], i, v):
            if len(parts) == 1:
                yield first, after
                continue
            for rest, last in chain(parts[1:], max(first) + 1, after):
                yield first | rest, last

    def rounds(e: Iteration, body: Expression, i: int, v: Valuation) -> Iterator[_Found]:
        fresh = rebound(body)
        for first, inside in derive(body, i, v.replaced(fresh, NO_EVENTS)):
            after = inside.replaced(fresh, v)
            yield first, after
            for rest, last in derive(e, max(first) + 1, after):
                yield first | rest, last

    return derive(expression, start, NO_EVENTS)


_Under: TypeAlias = Callable[[Expression, int, Valuation], Matches]


def _joined(parts: tuple[Expression, ...], i: int, v: Valuation, under: _Under) -> Iterator[Match]:
    """Each part after the last event of the one before."""
    for first in under(parts[0], i, v):
        if len(parts) == 1:
            yield first
            continue
        for rest in _joined(parts[1:], max(first) + 1, v, under):
            yield first | rest


def _decided(v: Valuation, more: dict[Variable, int]) -> Valuation:
    return Valuation((*v.entries, *more.items()))


def _is_a(e: Atom, stream: Sequence[Event], at: int) -> bool:
    if not 0 <= at < len(stream):
        return False
    kind = stream[at].schema.event_type
    return kind is not None and stream[at][kind] == e.relation


def _holds(condition: Condition, stream: Sequence[Event], v: Valuation) -> bool:
    """Whether the events that variables stand for satisfy a condition; the head plays no part."""
    if not stream:
        return False
    read = variables(condition)
    held = tuple((n, stream[at]) for n, at in v.entries if n in read and 0 <= at < len(stream))
    return models(stream[0], Contents(held), condition)


def _fits(e: Windowed, found: Match) -> bool:
    return max(found) - min(found) < e.size.size
