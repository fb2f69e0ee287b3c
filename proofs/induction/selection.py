"""Where runs with greater support are (CEL Thm 7.2, ``NXT``, ``LAST`` and ``MAX`` as repaired in ERRATA B5).

A run of ``A_NXT``, ``A_LAST`` or ``A_MAX`` follows one history ``h``: what a run of the CEA ``A`` has
labelled so far. ``N(q, g)`` says that a run of ``A`` over the prefix reaches ``q`` with history ``g``. Write
``g > h`` if the support of ``g`` is greater than that of ``h`` in the order of the strategy, ``g ~ h`` if
both supports are the same.

*The orders.* Supports are sets of positions. ``>`` is defined by the first position in just one of them
(``NXT``), by the last (``LAST``), or by inclusion (``MAX``). Proved for all sets: how ``>`` goes on when both
read one event more.

*The invariant.* Proved for all CEA, by induction on the length of the prefix: the four sets of states are

    ``winners = {q : N(q, g), g > h}``,     ``equal = {q : N(q, g), g ~ h} - winners``,
    ``current = {q : N(q, h)} - winners``,  ``losers = {q : N(q, g), h > g} - winners - equal``  (``LAST``).

*Acceptance*: a current state is final and no winner is, exactly if ``h`` is accepted and no greater history
is. So what is kept is what the strategy selects. A state in which nothing is current is left out; it never
accepts, now or later, since its successors are computed from `current`.

Outside: finitely many types of events, as for Prop. 5.5 (`subsets`), and that each history has one run.

With `published`, `current` is used for `equal`, as in the paper; then the invariant of `winners` cannot be
proved. It can if all marked events carry the same labels (`one_label`): then ``g ~ h`` only if ``g = h``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import z3

from mnemata.proofs.evidence import Induction, Obligation, Reading
from mnemata.proofs.induction.signature import Formula, Sort, Term, constants, every, fresh, some

_TRUTH: Final = z3.BoolSort()
_STATE: Final[Sort] = z3.DeclareSort("State")
_LABELS: Final[Sort] = z3.DeclareSort("Labels")
_HISTORY: Final[Sort] = z3.DeclareSort("History")
_DELTA: Final = z3.Function("delta", _STATE, _LABELS, _STATE, _TRUTH)
_NO_LABELS: Final = z3.Const("no labels", _LABELS)
_N: Final = z3.Function("N", _STATE, _HISTORY, _TRUTH)
_GREATER: Final = z3.Function(">", _HISTORY, _HISTORY, _TRUTH)
_SAME: Final = z3.Function("~", _HISTORY, _HISTORY, _TRUTH)
_FINAL: Final = z3.Function("final", _STATE, _TRUTH)
_HERE: Final = z3.Const("h", _HISTORY)
"""The history that a run of the selecting automaton follows."""

_NOW: Final = z3.Const("labels now", _LABELS)
"""With what it labels the event that is read."""

_Q, _P = constants("q p", _STATE)
(_L,), (_G,) = constants("l", _LABELS), constants("g", _HISTORY)

States = Callable[[Term], Formula]
"""A set of states."""


def _set(name: str) -> States:
    found: States = z3.Function(name, _STATE, _TRUTH)
    return found


class Race(NamedTuple):
    """What a state of the selecting automaton holds."""

    current: States
    equal: States
    winners: States
    losers: States


_BEFORE: Final = Race(_set("current"), _set("equal"), _set("winners"), _set("losers"))


def _is_marked(labels: Term) -> Formula:
    return labels != _NO_LABELS


def _led(states: States, chosen: Callable[[Term], Formula]) -> States:
    """Where transitions lead from some states, with labels of some kind."""

    def led(q: Term) -> Formula:
        p, labels = fresh(_STATE, _LABELS)
        return some(p, labels, z3.And(states(p), chosen(labels), _DELTA(p, labels, q)))

    return led


def _marked(states: States) -> States:
    return _led(states, _is_marked)


def _unmarked(states: States) -> States:
    return _led(states, lambda labels: labels == _NO_LABELS)


def _anyhow(states: States) -> States:
    return _led(states, lambda _: z3.BoolVal(True))


def _either(*sets: States) -> States:
    return lambda q: z3.Or(*(states(q) for states in sets))


def _without(states: States, *others: States) -> States:
    return lambda q: z3.And(states(q), *(z3.Not(other(q)) for other in others))


class Rivals(NamedTuple):
    """The next winners and losers."""

    winners: States
    losers: States


@dataclass(frozen=True, slots=True)
class Strategy:
    """An order of supports, one event after the other, and what the construction computes for it.

    Parameters
    ----------
    name : str
        Of the operator.
    defined : callable
        Of two sets of positions, whether the first is greater, by definition.
    further : callable
        Whether one history is greater than another after an event: given whether it was, whether their
        supports were the same, and which of the two marks the event.
    rivals : callable
        The next winners and losers, when the event is marked and when it is not.
    total : bool
        Whether of two histories with other supports one is greater.
    """

    name: str
    defined: Callable[[States, States], Formula]
    further: Callable[[Formula, Formula, Formula, Formula], Formula]
    rivals: Callable[[Race, bool], Rivals]
    total: bool = False


_NOBODY: Final[States] = lambda _: z3.BoolVal(False)  # noqa: E731


def _next_rivals(race: Race, marked: bool) -> Rivals:
    ahead = _anyhow(race.winners)
    return Rivals(ahead if marked else _either(ahead, _marked(race.equal)), _NOBODY)


def _last_rivals(race: Race, marked: bool) -> Rivals:
    if marked:
        losers = _either(_anyhow(race.losers), _unmarked(_either(race.equal, race.winners)))
        return Rivals(_marked(race.winners), losers)
    winners = _either(_anyhow(race.winners), _marked(_either(race.equal, race.losers)))
    return Rivals(winners, _unmarked(race.losers))


def _max_rivals(race: Race, marked: bool) -> Rivals:
    if marked:
        return Rivals(_marked(race.winners), _NOBODY)
    return Rivals(_either(_anyhow(race.winners), _marked(race.equal)), _NOBODY)


_AT, _BY = z3.Ints("at by")


def _first_differs(one: Any, other: Any) -> Formula:
    same = every(_BY, z3.Implies(_BY < _AT, one(_BY) == other(_BY)))
    return some(_AT, z3.And(one(_AT), z3.Not(other(_AT)), same))


def _last_differs(one: Any, other: Any) -> Formula:
    same = every(_BY, z3.Implies(_BY > _AT, one(_BY) == other(_BY)))
    return some(_AT, z3.And(one(_AT), z3.Not(other(_AT)), same))


def _contains(one: Any, other: Any) -> Formula:
    more = some(_AT, z3.And(one(_AT), z3.Not(other(_AT))))
    return z3.And(every(_BY, z3.Implies(other(_BY), one(_BY))), more)


def _only(one: Formula, other: Formula) -> Formula:
    return z3.And(one, z3.Not(other))


NXT: Final = Strategy(
    "NXT", _first_differs, lambda gt, eq, x, y: z3.Or(gt, z3.And(eq, _only(x, y))), _next_rivals
)
LAST: Final = Strategy(
    "LAST",
    _last_differs,
    lambda gt, eq, x, y: z3.Or(_only(x, y), z3.And(x == y, gt)),
    _last_rivals,
    total=True,
)
MAX: Final = Strategy(
    "MAX",
    _contains,
    lambda gt, eq, x, y: z3.Or(z3.And(gt, z3.Implies(y, x)), z3.And(eq, _only(x, y))),
    _max_rivals,
)
STRATEGIES: Final = (NXT, LAST, MAX)


def selection(*, published: bool = False, one_label: bool = False) -> Iterator[Obligation]:
    """The cases of the induction for all three; with `published`, of the sets of the paper."""
    for strategy in STRATEGIES:
        yield _order(strategy)
        yield from _step(strategy, published, one_label)
        yield _acceptance(strategy)
    yield _total_order()
    yield _base()


def _order(strategy: Strategy) -> Obligation:
    """How the order goes on at a position after all others."""
    g, h = (z3.Function(name, z3.IntSort(), _TRUTH) for name in ("g", "h"))
    new, (x, y) = z3.Int("new"), z3.Bools("x y")
    earlier = every(_AT, z3.Implies(z3.Or(g(_AT), h(_AT)), _AT < new))

    def with_new(marks: Any, marked: Formula) -> Any:
        return lambda at: z3.Or(marks(at), z3.And(at == new, marked))

    same = every(_AT, g(_AT) == h(_AT))
    goal = strategy.further(strategy.defined(g, h), same, x, y)
    after = strategy.defined(with_new(g, x), with_new(h, y))
    return Obligation(f"{strategy.name}, the order of supports", (earlier,), after == goal)


def _histories(related: Callable[[Term], Formula]) -> States:
    """Where runs are whose history is related to the one followed."""

    def reached(q: Term) -> Formula:
        (g,) = fresh(_HISTORY)
        return some(g, z3.And(_N(q, g), related(g)))

    return reached


def _described(race: Race, cases: Race, total: bool) -> tuple[Formula, ...]:
    """That the sets of `race` are those described."""
    equal = _without(cases.equal, race.winners)
    current = _without(cases.current, race.winners)
    pairs = [(race.winners, cases.winners), (race.equal, equal), (race.current, current)]
    if total:
        pairs.append((race.losers, _without(cases.losers, race.winners, race.equal)))
    return tuple(every(_Q, one(_Q) == other(_Q)) for one, other in pairs)


def _before() -> Race:
    return Race(
        _histories(lambda g: g == _HERE),
        _histories(lambda g: _SAME(g, _HERE)),
        _histories(lambda g: _GREATER(g, _HERE)),
        _histories(lambda g: _GREATER(_HERE, g)),
    )


def _after(strategy: Strategy) -> Race:
    """Where runs are after the event, by the relation of their histories to the one followed."""

    def histories(related: Callable[[Term, Term], Formula]) -> States:
        def reached(q: Term) -> Formula:
            p, g, labels = fresh(_STATE, _HISTORY, _LABELS)
            return some(p, g, labels, z3.And(_N(p, g), _DELTA(p, labels, q), related(g, labels)))

        return reached

    now, further = _is_marked(_NOW), strategy.further
    return Race(
        histories(lambda g, x: z3.And(g == _HERE, x == _NOW)),
        histories(lambda g, x: z3.And(_SAME(g, _HERE), _is_marked(x) == now)),
        histories(lambda g, x: further(_GREATER(g, _HERE), _SAME(g, _HERE), _is_marked(x), now)),
        histories(lambda g, x: further(_GREATER(_HERE, g), _SAME(_HERE, g), now, _is_marked(x))),
    )


def _step(strategy: Strategy, published: bool, one_label: bool) -> Iterator[Obligation]:
    known = (*_described(_BEFORE, _before(), strategy.total), *_supports(strategy, one_label))
    race = _BEFORE._replace(equal=_BEFORE.current) if published else _BEFORE
    for marked, how in ((True, "marked"), (False, "not marked")):
        winners, losers = strategy.rivals(race, marked)
        by_now = _led(race.current, lambda labels: labels == _NOW)
        equal = _marked(race.equal) if marked else _unmarked(race.equal)
        current = _without(by_now, winners)
        kept = current if published else _without(equal, winners)
        after = Race(current, kept, winners, _without(losers, kept, winners))
        goals = _described(after, _after(strategy), strategy.total)
        hypotheses = (*known, _is_marked(_NOW) if marked else _NOW == _NO_LABELS)
        for name, goal in zip(("winners", "equal", "current", "losers"), goals, strict=False):
            yield Obligation(f"{strategy.name}, an event that is {how}: {name}", hypotheses, goal)


def _supports(strategy: Strategy, one_label: bool) -> tuple[Formula, ...]:
    """What is known of supports: the same as itself, and the order may be total."""
    found = [every(_G, z3.And(_SAME(_G, _G), _SAME(_G, _HERE) == _SAME(_HERE, _G)))]
    if strategy.total:
        ordered = z3.Or(_GREATER(_G, _HERE), _SAME(_G, _HERE), _GREATER(_HERE, _G))
        found.append(every(_G, ordered))
    if one_label:
        (k,) = constants("k", _LABELS)
        both = z3.And(_is_marked(_L), _is_marked(k))
        found += [every(_L, k, z3.Implies(both, _L == k)), every(_G, _SAME(_G, _HERE) == (_G == _HERE))]
    return tuple(found)


def _total_order() -> Obligation:
    """Of two histories with other supports the order of ``LAST`` puts one first, also after an event."""
    gt, eq, lt, x, y = z3.Bools("gt eq lt x y")
    after = z3.Or(LAST.further(gt, eq, x, y), z3.And(eq, x == y), LAST.further(lt, eq, y, x))
    return Obligation("LAST, the order is total", (z3.Or(gt, eq, lt),), after)


def _base() -> Obligation:
    """Before the first event there is one history; all runs are current and equal, and none wins."""
    alone = every(_G, z3.And(_G == _HERE, _SAME(_G, _HERE), z3.Not(_GREATER(_G, _G))))
    reached = every(_Q, _N(_Q, _HERE) == _BEFORE.current(_Q))
    others = z3.And(
        _BEFORE.equal(_Q) == _BEFORE.current(_Q), z3.Not(_BEFORE.winners(_Q)), z3.Not(_BEFORE.losers(_Q))
    )
    goal = z3.And(*_described(_BEFORE, _before(), True))
    return Obligation("before the first event", (alone, reached, every(_Q, others)), goal)


def _acceptance(strategy: Strategy) -> Obligation:
    """A current state is final and no winner is: the history is accepted and no greater one is."""
    won = some(_Q, z3.And(_BEFORE.winners(_Q), _FINAL(_Q)))
    kept = z3.And(some(_Q, z3.And(_BEFORE.current(_Q), _FINAL(_Q))), z3.Not(won))
    better = some(_Q, _G, z3.And(_N(_Q, _G), _FINAL(_Q), _GREATER(_G, _HERE)))
    selected = z3.And(some(_Q, z3.And(_N(_Q, _HERE), _FINAL(_Q))), z3.Not(better))
    known = _described(_BEFORE, _before(), strategy.total)
    return Obligation(f"{strategy.name}, acceptance", known, kept == selected)


def _single() -> Iterator[Obligation]:
    return selection(published=True, one_label=True)


INDUCTION: Final = Induction(
    "states say where greater supports are, by induction on the length of the stream",
    selection,
    reading=Reading.REPAIRED,
)
SINGLE: Final = Induction(
    "as published, if all marked events carry the same labels",
    _single,
    reading=Reading.REPAIRED,
)
