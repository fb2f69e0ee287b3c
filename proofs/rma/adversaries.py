"""Programs that show where any RMA errs that is said to do what none can (RMA Thm 11 and 13, Def. 10).

All rest on one counting argument. Over events whose ids are chosen among ``2n``, ``n`` at a time, there are
more choices than an automaton has configurations, once ``n`` is large enough: a configuration is a state and
``k`` events, so there are polynomially many in ``n``, and the choices grow exponentially. Two choices that
lead to one configuration are not told apart by anything that follows. Nothing is assumed of conditions: they
may be any relations between events, positions included.

Nothing here has to be believed: what is answered is checked by running the candidate, and by definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from mnemata.automata.rma.automaton import RMA
from mnemata.automata.srt.configurations import Configuration, initial, successors
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.rma.separating import SENSORS
from mnemata.theory.cepl.semantics import Match
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import Output

Stream: TypeAlias = tuple[Event, ...]
Ids: TypeAlias = tuple[int, ...]
Reached: TypeAlias = frozenset[Configuration]

MARK, SKIP = Output.MARK, Output.SKIP
LARGEST: Final = 12
"""How large ``n`` may become before an adversary gives up; small candidates need 2 or 3."""


class Mistake(NamedTuple):
    """A stream, and a set of positions about which a candidate errs after its last event."""

    stream: Stream
    marks: Match


def against_recogniser(candidate: RMA) -> Mistake:
    """Where an RMA errs that has at most one run and is said to recognise what Fig. 1 does (Thm 13).

    After some T it is to accept at an H exactly if one of them had the same id. Two choices of ids with one
    configuration have the same answer to an H whose id is in one of them only.
    """
    for ids, others in _confused(lambda ids: _along(candidate.srt, _of("T", ids), [None] * len(ids))):
        number = next(n for n in ids if n not in others)
        for chosen, wanted in ((ids, True), (others, False)):
            stream = SENSORS.stream([*(("T", n) for n in chosen), ("H", number)])
            if _recognised(candidate, stream) != wanted:
                return Mistake(stream, frozenset({len(stream) - 1}))
    raise LimitError("no two choices of ids are confused, which cannot be of an RMA with at most one run")


def against_determinization(candidate: RMA) -> Mistake:
    """Where an RMA errs in which runs with the same outputs are one (Thm 11, against it).

    It is said to be equivalent to `separating.EXPRESSION`. A T, some T, a T and an H are a match
    together if one of those in between has the id of the H. The run that marks them all is one.
    """
    for ids, others in _confused(lambda ids: _along(candidate.srt, _between(ids), [MARK] * (len(ids) + 2))):
        number = next(n for n in ids if n not in others)
        for chosen, wanted in ((ids, True), (others, False)):
            stream = (*_between(chosen), SENSORS.event(("H", number), len(chosen) + 3))
            marks = frozenset(range(len(stream)))
            if is_match(candidate, stream, marks) != wanted:
                return Mistake(stream, marks)
    raise LimitError("no two choices of ids are confused, which cannot be of an RMA as in Def. 9")


def against_complement(candidate: RMA) -> Mistake:
    """Where an RMA errs that is said to have the other matches, among those not empty (Thm 11).

    `REPEATING` matches if two marked events have one id. The candidate has to accept each choice of ``n``
    ids followed by the ``n`` other ones, through some configuration; where two choices share one, it also
    accepts the first followed by what belongs to the second, and ids occur twice.
    """
    return _fooled(candidate, lambda ids: _of("T", ids), lambda ids, n: ("T", _others(ids, n)))


def against_iteration(candidate: RMA) -> Mistake:
    """Where an RMA errs that is said to be the Kleene-plus of `OWED`, in the sense of Def. 10.

    There each H of a match needs a T of its id somewhere before it, and T are not marked. So it has to
    accept any choice of T followed by their H, and confuses two of them.
    """
    return _fooled(candidate, lambda ids: _of("T", ids), lambda ids, _: ("H", ids), marked_first=False)


def _fooled(
    candidate: RMA,
    first: Callable[[Ids], Stream],
    second: Callable[[Ids, int], tuple[str, Ids]],
    *,
    marked_first: bool = True,
) -> Mistake:
    """The fooling set: a choice that is refused, or two whose halves can be exchanged."""
    for n in range(2, LARGEST):
        seen: dict[Configuration, Ids] = {}
        for ids in combinations(range(1, 2 * n + 1), n):
            mistake = _tried(candidate, first(ids), second(ids, n), marked_first)
            middles = _middles(candidate.srt, mistake, n)
            if not middles:
                return mistake
            shared = next((seen[here] for here in middles if here in seen), None)
            if shared is not None:
                return _tried(candidate, first(shared), second(ids, n), marked_first)
            seen |= dict.fromkeys(middles, ids)
    raise LimitError(f"choices of up to {LARGEST} ids are not confused; there are more configurations")


def _tried(candidate: RMA, before: Stream, after: tuple[str, Ids], marked_first: bool) -> Mistake:
    kind, ids = after
    stream = (*before, *(SENSORS.event((kind, i), at) for at, i in enumerate(ids, start=len(before) + 1)))
    return Mistake(stream, frozenset(range(0 if marked_first else len(before), len(stream))))


def _middles(srt: SRT, tried: Mistake, n: int) -> list[Configuration]:
    """Where accepting runs with the given marks are after `n` events, in some fixed order."""
    outputs = [MARK if at in tried.marks else SKIP for at in range(len(tried.stream))]
    reached = sorted(_along(srt, tried.stream, outputs[:n]), key=repr)
    return [here for here in reached if _accepts_from(srt, here, tried.stream, outputs[n:])]


def _accepts_from(srt: SRT, here: Configuration, stream: Stream, outputs: Sequence[Output | None]) -> bool:
    return any(end.state in srt.finals for end in _onwards(srt, frozenset({here}), stream, outputs))


def is_match(candidate: RMA, stream: Stream, marks: Match) -> bool:
    """Whether a set of places is a match of an RMA at the end of a stream; its last event is marked."""
    outputs = [MARK if at in marks else SKIP for at in range(len(stream))]
    ended = any(here.state in candidate.finals for here in _along(candidate.srt, stream, outputs))
    return ended and len(stream) - 1 in marks


def _confused(reached: Callable[[Ids], Reached]) -> Iterator[tuple[Ids, Ids]]:
    """Choices of ids, of one size, after which a candidate cannot tell which it was."""
    for n in range(1, LARGEST):
        seen: dict[Reached, Ids] = {}
        for ids in combinations(range(1, 2 * n + 1), n):
            here = reached(ids)
            if here in seen:
                yield ids, seen[here]
            seen[here] = ids


def _of(kind: str, ids: Ids) -> Stream:
    return SENSORS.stream([(kind, n) for n in ids])


def _between(ids: Ids) -> Stream:
    """Some T between two others, whose ids are not among those chosen from."""
    return SENSORS.stream([("T", 0), *(("T", n) for n in ids), ("T", -1)])


def _others(ids: Ids, n: int) -> Ids:
    return tuple(i for i in range(1, 2 * n + 1) if i not in ids)


def _along(srt: SRT, stream: Stream, outputs: Sequence[Output | None]) -> Reached:
    """What runs from the start reach with the given outputs, or with any."""
    return _onwards(srt, frozenset({initial(srt)}), stream, outputs)


def _onwards(srt: SRT, here: Reached, stream: Stream, outputs: Sequence[Output | None]) -> Reached:
    for output in outputs:
        moved = (
            after
            for configuration in _closed(srt, here, stream)
            for t, after in successors(srt, configuration, stream)
            if not t.is_epsilon and output in (None, t.output)
        )
        here = frozenset(moved)
    return _closed(srt, here, stream)


def _closed(srt: SRT, here: Iterable[Configuration], stream: Stream) -> Reached:
    reached = set(here)
    frontier = list(reached)
    while frontier:
        for t, after in successors(srt, frontier.pop(), stream):
            if t.is_epsilon and after not in reached:
                reached.add(after)
                frontier.append(after)
    return frozenset(reached)


def _recognised(candidate: RMA, stream: Stream) -> bool:
    """Whether some run accepts at the last event."""
    outputs: list[Output | None] = [*[None] * (len(stream) - 1), MARK]
    return any(here.state in candidate.finals for here in _along(candidate.srt, stream, outputs))
