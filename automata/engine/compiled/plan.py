"""From a compiled pattern to the arrays that drive the kernel.

States of the plan are the SRT's states twice over: first those of runs that have marked nothing yet, then
those of runs that have. What an entry holds besides its matches is its *key*: the rows in the live
registers of its state, where its string began when a window bounds that, and the clock of the first mark
when matches are counted, because then a window must be able to take back what it closes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mnemata.automata.compilation import Begins, CompiledPattern
from mnemata.automata.engine.classes import condition_of, split
from mnemata.automata.engine.columns import Truth
from mnemata.automata.engine.compiled.jit import frozen
from mnemata.automata.engine.compiled.joins import Join, joins_of
from mnemata.automata.engine.compiled.programs import REQUIRE_INT, Programs
from mnemata.automata.srt.marking import marked_states, unmarked_states
from mnemata.automata.srt.transducer import State, Transition
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.terms import Register
from mnemata.theory.sremo.expressions import EventWindow, LengthWindow, Output, TimeWindow

Ints = npt.NDArray[np.int64]


class Mode(IntEnum):
    """What is kept of the matches: whether there are any, how many, or all of them."""

    DETECT = 0
    COUNT = 1
    ENUMERATE = 2


ROW: Final = -1
"""In a key, in place of a part of the source's key: the row of the event."""

BEGIN: Final = -2
"""Likewise: where the string of a run that has marked nothing yet began; of others, the first mark."""

CLOCK: Final = -3
"""Likewise: the clock of the event."""

TARGET, MARKS, REPORTS, GOES_ON, TEST, TEST_END, LOOPS, KEEPS, STEP_COLUMNS = range(9)
LATE: Final = 2
CLASSES_KNOWN: Final = 8
STAYS: Final = -1
DIES: Final = 0
BEGINNING: Final = np.uint64(1 << 63)
"""The bit of `Tables.moving` that is no state's."""


class Tables(NamedTuple):
    """What runs do on the events of each class.

    Parameters
    ----------
    pairs : int64 array of shape (n_classes, n_states)
        `STAYS` where an event changes nothing for the runs of a state, else the number of what it does.
    first : int64 array of shape (n_pairs + 1,)
        Where the steps of each pair of class and state begin in `steps_of`; pair 0 has none.
    steps_of : int64 array
        Numbers of steps.
    remain : bool array of shape (n_pairs,)
        Whether the runs also stay as they are.
    starting : int64 array of shape (n_classes,)
        The pair of the runs that begin at an event; `STAYS` when none does anything.
    opening : int64 array of shape (n_classes,)
        The step with which runs begin when it is the only one, asks and reports nothing, marks, and puts the
        row of the event first in the key; else -1.
    moving : uint64 array of shape (n_classes,)
        Has the bits of the states for whose runs an event changes something, and `BEGINNING` when runs that
        begin there do something.
    bits : uint64 array of shape (n_states,)
        One of 63 bits for each state.
    steps : int64 array of shape (n_steps, 8)
        Target, whether it marks, reports a match (`LATE`: one without the event) and goes on, where its
        program begins and ends, whether it marks and leads back to the same state with the same key, and
        whether it keeps the key.
    keys : int64 array of shape (n_steps, widest)
        How the key of the target is made.
    single : int64 array of shape (n_pairs,)
        The only step of a pair, when it asks nothing or compares the event with one that is held; else -1.
    joined : int64 array of shape (n_pairs,)
        Which chain of rows leads to the entries that can take steps, by the first part of their keys; -1
        where all entries are to be asked.
    width : int64 array of shape (n_states,)
        How many parts the key of each state has.
    began : int64 array of shape (n_states,)
        Which part of the key says where the string began; -1: none.
    ordered : bool array of shape (n_states,)
        Whether the entries of each state, which are in the order of their keys, are so by latest start too.
    most_steps : int
        The most steps of a pair.
    mortal : bool
        Whether an event may end the runs of a state that a step of `opening` leads to.
    begins : int
        Where runs begin, see `mnemata.automata.compilation.Begins`.
    start : int
        The start state.
    """

    pairs: Ints
    first: Ints
    steps_of: Ints
    remain: Truth
    starting: Ints
    opening: Ints
    moving: npt.NDArray[np.uint64]
    bits: npt.NDArray[np.uint64]
    steps: Ints
    keys: Ints
    single: Ints
    joined: Ints
    width: Ints
    began: Ints
    ordered: Truth
    most_steps: int
    mortal: bool
    begins: int
    start: int


class _Labelled(NamedTuple):
    source: State
    head: int | None
    stays: bool
    transition: Transition
    marked: bool


@dataclass(frozen=True)
class Plan:
    """What is known of the execution of a pattern before any event is seen.

    Parameters
    ----------
    compiled : CompiledPattern
        The pattern; its automaton is unambiguous.
    mode : Mode
        What to keep of the matches.
    """

    compiled: CompiledPattern
    mode: Mode

    @cached_property
    def heads(self) -> tuple[Condition, ...]:
        """The conditions on events alone, which make event classes."""
        found = (split(condition_of(t)).head for t in self.compiled.srt.transitions)
        return tuple(dict.fromkeys(head for head in found if head is not None))

    @cached_property
    def size(self) -> int:
        """How many states there are."""
        return 2 * self.compiled.srt.size

    @cached_property
    def bounds_length(self) -> bool:
        """Whether a window bounds the strings of matches, not only their marks."""
        return any(isinstance(window, LengthWindow) for window in self.compiled.windows)

    @cached_property
    def bounds_marks(self) -> bool:
        """Whether a window bounds what matches mark."""
        return any(isinstance(window, EventWindow | TimeWindow) for window in self.compiled.windows)

    @cached_property
    def programs(self) -> Programs:
        """The programs of the conditions that read registers."""
        return self._compiled_steps[0]

    @cached_property
    def _live(self) -> list[tuple[Register, ...]]:
        """The live registers of each state, the one that is joined on first."""
        first = [None if join is None else join.register for join in self._joins]
        return [
            tuple(sorted(live, key=lambda register: (register != first[state], register)))
            for state, live in enumerate(self.compiled.live)
        ]

    @cached_property
    def joined(self) -> tuple[str, ...]:
        """The attributes whose equal values are to be linked, see `joins.chains`."""
        return tuple(sorted({join.attribute for join in self._joins if join is not None}))

    @cached_property
    def _joins(self) -> list[Join | None]:
        """For each state an equality that all its steps ask for."""
        found: list[Join | None] = []
        srt, schema = self.compiled.srt, self.compiled.schema
        for state in srt.states:
            steps = [split(condition_of(t)).rest for t in srt.outgoing(state) if not self._stays(t)]
            common = frozenset.intersection(*(joins_of(rest, schema) for rest in steps)) if steps else None
            found.append(min(common) if common else None)
        return found

    def _stays(self, t: Transition) -> bool:
        """Whether runs that take a transition are as they were."""
        changes = t.output is Output.MARK or split(condition_of(t)).rest is not None
        return t.source == t.target and not changes and not t.writes & self.compiled.live[t.target]

    def _parts(self, state: State, marked: bool) -> list[str | int]:
        """The parts of the key of a state."""
        parts: list[str | int] = list(self._live[state])
        if marked and self.bounds_length:
            parts.append(BEGIN)
        if marked and self.mode is Mode.COUNT and self.bounds_marks and not self._holds_first(state):
            parts.append(CLOCK)
        return parts

    def _holds_first(self, state: State) -> bool:
        """Whether the live registers of a state tell the first mark, because one of them holds it."""
        return not self._first_marks.isdisjoint(self.compiled.live[state])

    @cached_property
    def _first_marks(self) -> frozenset[Register]:
        """The registers that hold the first mark while they live: first marks write them, and only they."""
        srt, fresh = self.compiled.srt, self._fresh
        first = [t for t in srt.transitions if t.source in fresh and t.output is Output.MARK]
        # A state may be reached with and without marks, so what leaves it counts as a later transition too.
        later = [t for t in srt.transitions if t.source in self._marked]
        written = frozenset.intersection(*(t.writes for t in first)) if first else frozenset()
        return written - frozenset(r for t in later for r in t.writes)

    @cached_property
    def _fresh(self) -> frozenset[State]:
        """The states of runs that have marked nothing."""
        return unmarked_states(self.compiled.srt)

    @cached_property
    def _marked(self) -> frozenset[State]:
        """The states of runs that have marked something."""
        return marked_states(self.compiled.srt)

    @cached_property
    def _labelled(self) -> list[_Labelled]:
        srt, numbers = self.compiled.srt, {head: i for i, head in enumerate(self.heads)}
        found = []
        for marked in (False, True):
            for state in srt.states:
                for t in srt.outgoing(state):
                    guard = split(condition_of(t))
                    head = None if guard.head is None else numbers[guard.head]
                    found.append(_Labelled(state + marked * srt.size, head, self._stays(t), t, marked))
        return found

    @cached_property
    def _compiled_steps(self) -> tuple[Programs, Ints, Ints]:
        programs = Programs(self.compiled.schema)
        srt = self.compiled.srt
        steps = np.full((len(self._labelled), STEP_COLUMNS), -1, np.int64)
        keys = np.full((len(self._labelled), self.widest), ROW, np.int64)
        for number, (_, _, _, t, marked) in enumerate(self._labelled):
            marks = t.output is Output.MARK
            goes_on = bool(srt.outgoing(t.target))
            target = t.target + (marked or marks) * srt.size
            steps[number, :TEST] = target, marks, self._reports(t), goes_on
            rest = split(condition_of(t)).rest
            if rest is not None:
                places = {register: place for place, register in enumerate(self._live[t.source])}
                steps[number, TEST : TEST_END + 1] = programs.add(rest, places)
            made = self._key(t, marked, marked or marks)
            keys[number, : len(made)] = made
            keeps = made == list(range(len(self._parts(t.source, marked))))
            steps[number, LOOPS] = keeps and marked and marks and t.target == t.source
            steps[number, KEEPS] = keeps
        return programs, steps, keys

    def _reports(self, t: Transition) -> int:
        """Whether matches are found here; `LATE` when they do not mark the event."""
        if t.target not in self.compiled.srt.finals:
            return 0
        return 1 if t.output is Output.MARK else LATE * self.compiled.told_apart

    def _key(self, t: Transition, before: bool, after: bool) -> list[int]:
        source = self._parts(t.source, before)
        made = []
        for part in self._parts(t.target, after):
            if part in t.writes:
                made.append(ROW)
            elif part in source:
                made.append(source.index(part))
            else:
                # The register that told the first mark may be dead from here on.
                made.append(BEGIN if before and part == CLOCK else int(part))
        return made

    @cached_property
    def widest(self) -> int:
        """The width of the widest key, at least 1."""
        return max(1, int(self._widths.max(initial=1)))

    @cached_property
    def held(self) -> Ints:
        """How many parts of the key of each state, the first ones, are rows: those of its registers."""
        return frozen(np.array(2 * [len(live) for live in self._live], np.int64))

    @cached_property
    def _widths(self) -> Ints:
        srt = self.compiled.srt
        return np.array(
            [len(self._parts(s, marked)) for marked in (False, True) for s in srt.states], np.int64
        )

    def tables(self, classes: Truth) -> Tables:
        """The tables for event classes.

        Parameters
        ----------
        classes : bool array of shape (n_classes, n_heads)
            Which of `heads` the events of each class satisfy.
        """
        return self._known_tables(classes.shape, classes.tobytes())

    @cached_property
    def _known_tables(self) -> Callable[[tuple[int, ...], bytes], Tables]:
        """Streams of one source have the same classes as a rule, and are many where they are short."""

        def made(shape: tuple[int, ...], held: bytes) -> Tables:
            return self._tables(np.frombuffer(held, np.bool_).reshape(shape))

        return lru_cache(maxsize=CLASSES_KNOWN)(made)

    def _tables(self, classes: Truth) -> Tables:
        _, steps, keys = self._compiled_steps
        sources = np.array([label.source for label in self._labelled], np.int64)
        stays = np.array([label.stays for label in self._labelled], np.bool_)
        enabled = np.ones((len(classes), len(self._labelled)), np.bool_)
        for number, label in enumerate(self._labelled):
            if label.head is not None:
                enabled[:, number] = classes[:, label.head]
        remaining = np.zeros((len(classes), self.size), np.bool_)
        of_class, of_step = np.nonzero(enabled & stays)
        remaining[of_class, sources[of_step]] = True
        of_class, of_step = np.nonzero(enabled & ~stays)
        places, first = np.unique(of_class * self.size + sources[of_step], return_index=True)
        pairs = np.where(remaining, STAYS, DIES)
        pairs.reshape(-1)[places] = np.arange(1, len(places) + 1)
        states = np.concatenate([np.zeros(1, np.int64), places % self.size])
        remain = np.concatenate([[False], remaining.reshape(-1)[places]])
        starting = pairs[:, self.compiled.srt.start].copy()
        starting[starting == DIES] = STAYS
        if self.compiled.begins is Begins.AT_FIRST:
            starting[:] = STAYS
        opening = self._opening(starting, first, of_step)
        return Tables(
            pairs,
            np.concatenate([[0], first, [len(of_step)]]).astype(np.int64),
            of_step.astype(np.int64),
            remain,
            starting,
            opening,
            _moving(pairs != STAYS, starting != STAYS),
            _bits(self.size),
            steps,
            keys,
            self._single(first, of_step),
            np.where(remain, self._chains[states], -1),
            self._widths,
            self._began,
            self._ordered,
            int(np.diff(np.append(first, len(of_step))).max(initial=1)),
            self._mortal(pairs, opening),
            int(self.compiled.begins),
            self.compiled.srt.start,
        )

    def _single(self, first: Ints, of_step: Ints) -> Ints:
        """For each pair its step where that is a simple one; all pairs but the first have steps."""
        programs, steps, _ = self._compiled_steps
        length = np.where(steps[:, TEST] < 0, 0, steps[:, TEST_END] - steps[:, TEST])
        code = np.array(programs.instructions or [(0,) * 5], np.int64)[steps[:, TEST]]
        # Of the event that is read with one that an entry holds, whichever is on the left.
        compares = (code[:, 0] >= REQUIRE_INT) & ((code[:, 2] < 0) != (code[:, 4] < 0))
        plain = (length == 0) | ((length == 1) & compares)
        alone = np.diff(np.append(first, len(of_step))) == 1
        step = of_step[first]
        return np.concatenate([[-1], np.where(alone & plain[step], step, -1)]).astype(np.int64)

    def _opening(self, starting: Ints, first: Ints, of_step: Ints) -> Ints:
        """For each class the step with which runs begin, where that is a plain one."""
        _, steps, keys = self._compiled_steps
        plain = (steps[:, TEST] < 0) & (steps[:, REPORTS] == 0) & (steps[:, GOES_ON] == 1)
        plain &= (steps[:, MARKS] == 1) & (keys[:, 0] == ROW) & (self._widths[steps[:, TARGET]] > 0)
        alone = np.diff(np.append(first, len(of_step))) == 1
        step = np.concatenate([[-1], np.where(alone & plain[of_step[first]], of_step[first], -1)])
        return np.where(starting == STAYS, -1, step[starting]).astype(np.int64)

    def _mortal(self, pairs: Ints, opening: Ints) -> bool:
        """Whether an event may end the runs of a state that one of these steps leads to."""
        _, steps, _ = self._compiled_steps
        return bool((pairs[:, steps[opening[opening >= 0], TARGET]] == DIES).any())

    @cached_property
    def _chains(self) -> Ints:
        """The number of the chain of each state; -1 where none leads to its entries."""
        numbers = {name: number for number, name in enumerate(self.joined)}
        found = [-1 if join is None else numbers[join.attribute] for join in self._joins]
        return np.array(2 * found, np.int64)

    @cached_property
    def _ordered(self) -> Truth:
        """Whether the first part of a key is the row of the first mark, and no string is bounded."""
        found = np.zeros(self.size, np.bool_)
        for state, live in enumerate(self._live):
            first = live[0] if live else None
            found[self.compiled.srt.size + state] = first in self._first_marks and not self.bounds_length
        return found

    @cached_property
    def _began(self) -> Ints:
        srt = self.compiled.srt
        found = np.full(self.size, -1, np.int64)
        if self.bounds_length:
            found[srt.size :] = [self._parts(s, True).index(BEGIN) for s in srt.states]
        return found


@lru_cache(maxsize=256)
def plan_of(compiled: CompiledPattern, mode: Mode) -> Plan:
    """The plan of a pattern, made once: for long automata it takes longer than reading many events."""
    return Plan(compiled, mode)


def _bits(states: int) -> npt.NDArray[np.uint64]:
    return np.uint64(1) << np.arange(states, dtype=np.uint64) % np.uint64(63)


def _moving(moves: Truth, starts: Truth) -> npt.NDArray[np.uint64]:
    moved = np.bitwise_or.reduce(np.where(moves, _bits(moves.shape[1]), 0), axis=1)
    found: npt.NDArray[np.uint64] = moved | np.where(starts, BEGINNING, 0)
    return found
