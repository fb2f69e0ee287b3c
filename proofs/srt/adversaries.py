"""Programs that show where any automaton errs (SRT Thm 35, 38 and 41, Cor. 43, Lemma 46).

All but the last rest on one thing. Over a string of `k + 1` events that differ, an automaton with `k`
registers has forgotten one before it reads what comes next. Conditions made of equalities cannot tell an
event that agrees with the forgotten one from an event that agrees with none at all.

Nothing here has to be believed: what is answered is checked by running the candidate, and by Def. 17.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from typing import Final

from hypothesis import strategies as st

from mnemata.automata.srt.runs import Acceptance, Run, accepting_runs, accepts, matches, runs
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators import Stream
from mnemata.proofs.srt.candidates import IS_B, IS_S, TAGGED, automata, same
from mnemata.theory.conditions.formulas import (
    TOP,
    And,
    Bottom,
    Comparison,
    Condition,
    Defined,
    Membership,
    Not,
    Or,
    Top,
    conjunction,
    expand,
)
from mnemata.theory.conditions.terms import Attribute, Constant
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Event, Value
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Expression, mark, sequence, skip
from mnemata.theory.sremo.rewriting import ANYTHING
from mnemata.theory.trees import walk

FIGURE_4: Final[Expression] = sequence(
    ANYTHING, mark(IS_B, "r1"), ANYTHING, mark(conjunction(IS_S, same("id", "r1")))
)
"""At the end an S, and before it a B with the same id (SRT Fig. 4 and 13)."""

FIGURE_12: Final[Expression] = sequence(
    ANYTHING, mark(write="r1"), ANYTHING, mark(same("type", "r1")), ANYTHING
)
"""Two events of one type (SRT Fig. 12)."""

ONE_MARK: Final[Expression] = sequence(
    ANYTHING, skip(IS_B, "r1"), ANYTHING, mark(conjunction(IS_S, same("id", "r1")))
).within(events=1)
"""`FIGURE_4` with only the last event marked, in a window of one event, which changes nothing (ERRATA A5)."""


def against_determinism(candidate: SRT) -> Stream:
    """A stream about which a deterministic SRT errs that is said to recognise `FIGURE_4` (Thm 38).

    After ``B(1) B(2) ... B(k+1)`` it has one run, in which some id is in no register.
    """
    *known, unknown = _unused_ids(candidate, len(candidate.registers) + 2)
    before = _stream([("B", number) for number in known])
    run = next(runs(candidate, before), None)
    forgotten = before[0] if run is None else _forgotten(before, run, len(before), "id")
    seen, unseen = (_followed(before, ("S", number)) for number in (forgotten["id"], unknown))
    return unseen if accepts(candidate, seen) else seen


def against_complement(candidate: SRT) -> Stream:
    """A string about which an SRT errs that is said to be the complement of `FIGURE_12` (Thm 35).

    It accepts strings of `k + 2` events of different types, or errs there. Then it also accepts one whose
    last event has the type of an earlier one.
    """
    types = islice(_unused_types(candidate), _needed(candidate))
    return _confused(candidate, [(kind, 0) for kind in types], "type")


def against_windowed_complement(candidate: SRT) -> Stream:
    """The same for the complement of `FIGURE_4`, and so of `ONE_MARK` (Cor. 43)."""
    *known, unknown = _unused_ids(candidate, _needed(candidate))
    return _confused(candidate, [*(("B", number) for number in known), ("S", unknown)], "id")


def against_unrolling(candidate: SRT) -> Stream:
    """A string that `ONE_EVENT` accepts and an SRT without loops does not (Lemma 46): it is too long."""
    return _stream([("B", 1)] * candidate.size)


ONE_EVENT: Final[Expression] = sequence(ANYTHING, mark(TOP)).within(events=1)
"""Anything, of which the last event is marked, in a window of one event."""


def nothing_marked_is_no_match() -> Claim[tuple[SRT, SRT]]:
    """That no SRT is the complement of another in the sense of Def. 33, if runs accept as in Def. 24.

    The empty set should be a match of just one of them, and is a match of neither.
    """
    strings = [_stream([("B", 1)] * n) for n in range(3)]

    def holds(instance: tuple[SRT, SRT]) -> bool:
        found = (matches(srt, s, Acceptance.LAST_EVENT_MARKED) for srt in instance for s in strings)
        return all(frozenset() not in some for some in found)

    pairs = st.tuples(automata(), automata()).map(lambda pair: (pair[0][0], pair[1][0]))
    return Claim("the empty set is a match of no SRT", "Def. 33, Def. 24, ERRATA A7", pairs, holds)


def _needed(candidate: SRT) -> int:
    return len(candidate.registers) + 2


def _confused(candidate: SRT, rows: Sequence[tuple[str, int]], attribute: str) -> Stream:
    """The string, if the candidate refuses it; else one whose last event agrees with a forgotten one."""
    string = _stream(rows)
    run = next(accepting_runs(candidate, string), None)
    if run is None:
        return string
    forgotten = _forgotten(string[:-1], run, len(string) - 1, attribute)
    kind, number = rows[-1]
    row = (forgotten["type"], number) if attribute == "type" else (kind, forgotten["id"])
    return _followed(string[:-1], row)


def _forgotten(events: Stream, run: Run, read: int, attribute: str) -> Event:
    """One of `events` that no register holds after `read` events of a run."""
    contents = next(here.valuation for here in reversed(run.configurations) if here.index == read + 1)
    held = {event[attribute] for event in contents.values()}
    return next(event for event in events if event[attribute] not in held)


def _stream(rows: Sequence[tuple[Value, Value]]) -> Stream:
    return TAGGED.stream(rows)


def _followed(events: Stream, row: tuple[Value, Value]) -> Stream:
    return (*events, TAGGED.event(row, len(events) + 1))


def _unused_ids(candidate: SRT, how_many: int) -> list[int]:
    named = constants(candidate)
    return list(islice((n for n in count(1) if n not in named), how_many))


def _unused_types(candidate: SRT) -> Iterator[str]:
    named = constants(candidate)
    return (name for name in (f"type {n}" for n in count(1)) if name not in named)


def constants(candidate: SRT) -> frozenset[Value]:
    """The types and ids that the conditions of a candidate name.

    Raises
    ------
    UnsupportedError
        A condition is not made of equalities of types and ids.
    """
    conditions = [t.condition for t in candidate.transitions if t.condition is not None]
    return frozenset(value for condition in conditions for value in _named(expand(condition)))


def _named(condition: Condition) -> Iterator[Value]:
    for node in walk(condition):
        if isinstance(node, Condition) and not _harmless(node):
            raise UnsupportedError(
                f"the adversary is about equalities of types and ids, and this condition is not one: {node!r}"
            )
        if isinstance(node, Constant):
            yield node.value


def _harmless(node: Condition) -> bool:
    match node:
        case Comparison(operator="=" | "!=", left=left, right=right):
            return all(isinstance(side, Attribute | Constant) for side in (left, right))
        case Membership(term=term):
            return isinstance(term, Attribute)
    return isinstance(node, Top | Bottom | Defined | Not | And | Or)


def defeats(
    answer: Callable[[SRT], Stream],
    expression: Expression,
    candidates: st.SearchStrategy[tuple[SRT]],
    name: str,
    source: str,
    *,
    complement: bool = False,
) -> Claim[tuple[SRT]]:
    """That an adversary finds for every candidate a string about which it errs.

    Parameters
    ----------
    answer : callable
        The adversary.
    expression : Expression
        Whose language the candidate should recognise; with `complement`, all other strings.
    candidates : strategy
        Candidates.
    """

    def wanted(string: Stream) -> bool:
        return semantics.accepts(expression, string) != complement

    def holds(instance: tuple[SRT]) -> bool:
        string = answer(instance[0])
        return accepts(instance[0], string) != wanted(string)

    def exhibit(instance: tuple[SRT]) -> Exhibit:
        string = answer(instance[0])
        found = accepts(instance[0], string)
        return Exhibit(string, wanted(string), found, (("the candidate", instance[0]),))

    return Claim(name, source, candidates, holds, exhibit)
