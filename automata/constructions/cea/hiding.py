"""Complex events of which only some events are shown, or that are found after their last one.

Runs of a complex event automaton that have shown the same events are one *history*. Here a transducer gives
each history one run, which reports when one of those in it accepts, and not again before it shows more: so
each complex event is reported once, where it is first found.

Windows are about all marked events, shown or not. Where the first one is not shown, a register holds it. Of
runs in the same state the one that began to mark last has all the future that the others have, so a state of
the transducer needs a register for few of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from mnemata.automata.cea.automaton import CEA, State, Transition
from mnemata.automata.constructions.cea.types import Moves
from mnemata.automata.constructions.exploration import Edge, explore
from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.automata.reachability import reachable
from mnemata.automata.srt.transducer import SRT
from mnemata.theory.cel.formulas import Window
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import TOP, Condition, Not, conjunction
from mnemata.theory.conditions.terms import Register
from mnemata.theory.conditions.typing import bind
from mnemata.theory.satisfiability.answers import Signs
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Output
from mnemata.theory.sremo.windows import guard

Slot: TypeAlias = int
"""Where the first marked event of some runs is: a register's number, or one of these."""

NOTHING: Final[Slot] = -1
"""They have marked nothing, or nothing bounds what they mark."""
SHOWN: Final[Slot] = -2
"""It is the first event shown, which whoever runs the transducer bounds by the windows."""
NEW: Final[Slot] = -3
"""It is the event that is read."""


class History(NamedTuple):
    """What runs that have shown the same events may be.

    Parameters
    ----------
    runs : tuple of (Slot, frozenset of State)
        By where their first marked event is, the latest first; each state once.
    shown : bool
        Whether there are any events.
    told : bool
        Whether these were reported.
    reports : bool
        Whether they are reported now.
    """

    runs: tuple[tuple[Slot, frozenset[State]], ...]
    shown: bool
    told: bool
    reports: bool


class Hidden(NamedTuple):
    """A transducer, and the windows that bound what it shows.

    From the first event of a stream on it has one run for each history; entering a final state reports
    the events shown, also where that event is not one of them.
    """

    srt: SRT
    windows: tuple[Window, ...]


def showing(
    cea: CEA, shown: frozenset[Variable] | None, windows: tuple[Window, ...], schema: Schema
) -> Hidden:
    """The complex events of an automaton that fit windows, but for events that are not shown.

    Parameters
    ----------
    cea : CEA
        Trimmed.
    shown : frozenset of Variable or None
        The variables whose events are shown; ``None`` stands for all.
    windows : tuple of Window
        Bounds on all events that `cea` marks.
    schema : Schema
        What predicates range over.

    Raises
    ------
    LimitError
        When the budget of `mnemata.theory.budget` is spent.

    Examples
    --------
    >>> from mnemata.automata.constructions.cea.compilation import automaton
    >>> from mnemata.theory.cel.formulas import Relation
    >>> from mnemata.theory.schema import String
    >>> from mnemata.theory.sremo.expressions import EventWindow
    >>> schema = Schema.of(type=String(), event_type="type")
    >>> pair = automaton(Relation("A") >> Relation("B"), schema)
    >>> found = showing(pair, frozenset({"B"}), (EventWindow(5),), schema).srt
    >>> found.size, sorted(found.registers)
    (3, ['first0'])
    """
    machine = _Machine(cea, shown, windows, schema)
    srt = explore(machine.begin, machine.outgoing, lambda history: history.reports)
    written = frozenset(register for t in srt.transitions for register in t.writes)
    whole = SRT(srt.size, srt.start, srt.finals, srt.transitions, written)
    return Hidden(merge_equivalent(whole), () if machine.trails else windows)


def opens_hidden(cea: CEA, shown: frozenset[Variable] | None) -> bool:
    """Whether some run accepts and has marked an event before the first one that is shown, or shown none.

    Precondition: trimmed.
    """
    unmarked = reachable(cea.initials, _forward(t for t in cea.transitions if not t.marking))
    first = (t for t in cea.transitions if t.source in unmarked and t.marking)
    return bool(unmarked & cea.finals) or not all(_shows(t, shown) for t in first)


def _shows(transition: Transition, shown: frozenset[Variable] | None) -> bool:
    return transition.marking if shown is None else not transition.labels.isdisjoint(shown)


def _forward(transitions: Iterable[Transition]) -> Iterator[tuple[State, State]]:
    return ((t.source, t.target) for t in transitions)


def _backward(transitions: Iterable[Transition]) -> Iterator[tuple[State, State]]:
    return ((t.target, t.source) for t in transitions)


class _Move(NamedTuple):
    """A run's step: the slot before and after it, and whether its window is to be open."""

    before: Slot
    after: Slot
    target: State
    asks: bool


_Outcome: TypeAlias = tuple[Condition, frozenset[Register], History]


class _Machine:
    def __init__(
        self, cea: CEA, shown: frozenset[Variable] | None, windows: tuple[Window, ...], schema: Schema
    ) -> None:
        self._cea, self._shown, self._windows = cea, shown, windows
        self._moves, self._schema = Moves(cea, schema), schema
        unmarked = [t for t in cea.transitions if not t.marking]
        # Where complex events are found after all that they mark, windows close before that.
        self.trails = bool(windows) and any(t.target in cea.finals for t in unmarked)
        self._closing = reachable(cea.finals, _backward(unmarked))
        showing = (t.source for t in cea.transitions if _shows(t, shown))
        self._ahead = reachable(showing, _backward(cea.transitions))
        runs = ((NOTHING, cea.initials & self._ahead),) if cea.initials & self._ahead else ()
        self.begin = History(runs, shown=False, told=False, reports=False)

    def outgoing(self, here: History) -> Iterator[Edge[History]]:
        states = frozenset(state for _, some in here.runs for state in some)
        leaving = self._moves.leaving(states)
        for output in Output:
            some = [t for t in leaving if _shows(t, self._shown) is (output is Output.MARK)]
            types = self._moves.types(some)
            led: dict[tuple[_Outcome, ...], list[Signs]] = {}
            for kind in types.found:
                taken = [t for t in some if types.within(kind, t.predicate)]
                led.setdefault(tuple(self._outcomes(here, taken, output)), []).append(kind)
            for outcomes, kinds in led.items():
                event = types.covering(kinds) if outcomes else TOP
                for inside, writes, target in outcomes:
                    yield Edge(conjunction(event, inside), output, writes, target)

    def _outcomes(self, here: History, taken: list[Transition], output: Output) -> Iterator[_Outcome]:
        """Where an event leads that allows some transitions: a case for each window that may have closed."""
        moves = [
            self._move(slot, t, output) for slot, states in here.runs for t in taken if t.source in states
        ]
        asked = list(dict.fromkeys(move.before for move in moves if move.asks))
        for count in range(len(asked), -1, -1):
            inside = self._inside(asked[count - 1]) if count else TOP
            outside = Not(self._inside(asked[count])) if count < len(asked) else TOP
            open_moves = list(self._open(here, moves, set(asked[count:])))
            reached = self._settled(here, open_moves, output)
            if reached is not None:
                writes, target = reached
                yield conjunction(inside, outside), writes, target

    def _move(self, slot: Slot, t: Transition, output: Output) -> _Move:
        opens = t.marking and slot == NOTHING and bool(self._windows)
        if opens:
            return _Move(slot, SHOWN if output is Output.MARK and not self.trails else NEW, t.target, False)
        return _Move(slot, slot, t.target, slot >= 0 and t.marking and t.target in self._closing)

    def _open(self, here: History, moves: list[_Move], closed: set[Slot]) -> Iterator[_Move]:
        """The moves that are left when the windows of some slots have closed."""
        order = [slot for slot, _ in here.runs]
        latest = min((order.index(slot) for slot in closed), default=len(order))
        for move in moves:
            late = order.index(move.before) >= latest
            # What goes on after its last mark is not bounded any more.
            if not late or (self.trails and not move.asks):
                yield move

    def _settled(
        self, here: History, moves: list[_Move], output: Output
    ) -> tuple[frozenset[Register], History] | None:
        shown = here.shown or output is Output.MARK
        told = here.told and output is Output.SKIP
        accepts = any(move.target in self._cea.finals for move in moves)
        reports = accepts and shown and not told
        told = told or reports
        rank = {slot: place for place, slot in enumerate((NOTHING, NEW, SHOWN, *(s for s, _ in here.runs)))}
        found: dict[Slot, set[State]] = {}
        seen: set[State] = set()
        for move in sorted(moves, key=lambda move: (move.after != NOTHING, rank[move.after])):
            useful = move.target in self._ahead or (shown and not told)
            if useful and move.target not in seen:
                seen.add(move.target)
                found.setdefault(move.after, set()).add(move.target)
        if not found and not reports:
            return None
        new = next(number for number in range(len(found) + 1) if number not in found)
        runs = tuple((new if slot == NEW else slot, frozenset(states)) for slot, states in found.items())
        writes = frozenset({_register(new)} if NEW in found else ())
        return writes, History(runs, shown, told, reports)

    def _inside(self, slot: Slot) -> Condition:
        """Whether the windows that opened at the event in a slot are open."""
        conditions = (bind(guard(window, _register(slot)), self._schema) for window in self._windows)
        return conjunction(*conditions)


def _register(slot: Slot) -> Register:
    return f"first{slot}"
