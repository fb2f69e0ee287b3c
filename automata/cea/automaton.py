"""Complex event automata (CEL Def. 5.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, TypeAlias

from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import Condition, expand, registers
from mnemata.theory.conditions.terms import Position
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import PatternError, brief
from mnemata.theory.schema import Schema
from mnemata.theory.trees import walk

State: TypeAlias = int
Labels: TypeAlias = frozenset[Variable]

UNMARKED: Final[Labels] = frozenset()


@dataclass(frozen=True, slots=True)
class Transition:
    """``source, predicate / labels -> target``.

    Parameters
    ----------
    source, target : State
        Where it leaves and where it leads.
    predicate : Condition
        A set of events: a condition over the values of the head alone.
    labels : frozenset of Variable
        The variables that mark the event; none for a transition that reads it without marking.

    Raises
    ------
    PatternError
        When the predicate reads a register or the event's position, or a label is not a variable.
    """

    source: State
    predicate: Condition
    labels: Labels
    target: State

    def __post_init__(self) -> None:
        _check_predicate(self.predicate)
        object.__setattr__(self, "labels", _checked_labels(self.labels))

    def __reduce__(self) -> tuple[type[Transition], tuple[object, ...]]:
        return (Transition, (self.source, self.predicate, self.labels, self.target))

    @property
    def marking(self) -> bool:
        """Whether it marks the event that it reads."""
        return bool(self.labels)


@dataclass(frozen=True, slots=True)
class CEA:
    """A complex event automaton ``(Q, Delta, I, F)`` (Def. 5.1).

    Parameters
    ----------
    size : int
        Number of states; they are ``0 .. size - 1``.
    transitions : tuple of Transition
        In a fixed order, without repetition.
    initials, finals : frozenset of State
        Where runs begin, and where they are accepting.

    Raises
    ------
    PatternError
        When a state is not among the ``size`` states.

    Examples
    --------
    The CEA of the formula ``H`` (Fig. 5):

    >>> from mnemata.theory.conditions.building import head
    >>> from mnemata.theory.conditions.formulas import TOP
    >>> skip = Transition(0, TOP, frozenset(), 0)
    >>> take = Transition(0, head().type == "H", frozenset({"H"}), 1)
    >>> CEA(2, (skip, take), {0}, {1}).label_sets
    (frozenset(), frozenset({'H'}))
    """

    size: int
    transitions: tuple[Transition, ...]
    initials: frozenset[State]
    finals: frozenset[State]
    _outgoing: tuple[tuple[Transition, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "transitions", tuple(dict.fromkeys(self.transitions)))
        object.__setattr__(self, "initials", frozenset(self.initials))
        object.__setattr__(self, "finals", frozenset(self.finals))
        self._check_states()
        outgoing: list[list[Transition]] = [[] for _ in range(self.size)]
        for transition in self.transitions:
            outgoing[transition.source].append(transition)
        object.__setattr__(self, "_outgoing", tuple(map(tuple, outgoing)))

    def _check_states(self) -> None:
        if not _is_count(self.size):
            raise PatternError(f"an automaton has a whole number of states from 0, got {brief(self.size)}")
        ends = (state for t in self.transitions for state in (t.source, t.target))
        for state in (*self.initials, *self.finals, *ends):
            if not _is_count(state) or state >= self.size:
                known = f"0..{self.size - 1}" if self.size else "none"
                raise PatternError(f"state {brief(state)} is not among the {self.size} states ({known})")

    def __reduce__(self) -> tuple[type[CEA], tuple[object, ...]]:
        return (CEA, (self.size, self.transitions, self.initials, self.finals))

    @property
    def states(self) -> range:
        """All states."""
        return range(self.size)

    @property
    def variables(self) -> frozenset[Variable]:
        """The variables that some transition marks with."""
        return frozenset(variable for t in self.transitions for variable in t.labels)

    @property
    def label_sets(self) -> tuple[Labels, ...]:
        """The sets of labels that occur on transitions, the empty one first."""
        return in_order(t.labels for t in self.transitions)

    def _repr_mimebundle_(self, **_wanted: object) -> dict[str, str]:
        from mnemata.automata.drawing import mimebundle

        return mimebundle(self)

    def outgoing(self, state: State) -> tuple[Transition, ...]:
        """The transitions that leave `state`."""
        return self._outgoing[state]

    def bind(self, schema: Schema) -> CEA:
        """The CEA with the literals of its predicates in the units of `schema`, as running it needs.

        Raises `UnknownAttributeError` or `ConditionTypeError` where a predicate does not fit.
        """
        bound = (replace(t, predicate=bind(t.predicate, schema)) for t in self.transitions)
        return CEA(self.size, tuple(bound), self.initials, self.finals)


def in_order(label_sets: Iterable[Labels]) -> tuple[Labels, ...]:
    """Different sets of labels: the smaller first, then by name."""
    return tuple(sorted(set(label_sets), key=lambda labels: (len(labels), sorted(labels))))


def moved(transitions: Iterable[Transition], offset: int) -> Iterable[Transition]:
    """`transitions` with every state increased by `offset`."""
    return (Transition(t.source + offset, t.predicate, t.labels, t.target + offset) for t in transitions)


def _is_count(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and given >= 0


def _check_predicate(predicate: object) -> None:
    if not isinstance(predicate, Condition):
        raise PatternError(f"{brief(predicate)} is not a condition; compare an attribute with something")
    if read := sorted(registers(predicate)):
        raise PatternError(
            f"a predicate of a CEA tests one event, but this one reads register '{read[0]}'; what compares "
            "events needs an SRT"
        )
    if _reads_position(predicate):
        raise PatternError("a predicate of a CEA tests the values of an event, not its position")


@lru_cache(maxsize=10_000)
def _reads_position(predicate: Condition) -> bool:
    return any(isinstance(node, Position) for node in walk(expand(predicate)))


def _checked_labels(labels: object) -> Labels:
    if isinstance(labels, str) or not isinstance(labels, Iterable):
        raise PatternError(f"labels are a set of variables such as {{'A'}}, got {brief(labels)}")
    for label in (checked := frozenset(labels)):
        if not isinstance(label, str) or not label:
            raise PatternError(f"a variable is a non-empty string, got {brief(label)}")
    return checked
