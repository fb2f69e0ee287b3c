"""From a pattern to the automaton that recognises it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.constructions.trimming import trim
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.cel.formulas import Strategy
from mnemata.theory.cel.query import Consumption, Query
from mnemata.theory.conditions.terms import Register
from mnemata.theory.conditions.typing import bind
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Expression, Pattern, Window, Windowed
from mnemata.theory.sremo.narrowing import narrowed
from mnemata.theory.sremo.rewriting import bound


class Begins(IntEnum):
    """Where in a stream runs begin.

    Anywhere: at every event. Alone: at every event at which none is on its way that has marked nothing, and
    that one stands for those that would begin. At first: before the first event, and never again.
    """

    ANYWHERE = 0
    ALONE = 1
    AT_FIRST = 2


@dataclass(frozen=True, slots=True)
class CompiledPattern:
    """A pattern, ready to be recognised in streams of one schema.

    Parameters
    ----------
    pattern : Pattern or Query
        Bound to `schema`.
    schema : Schema
        The schema of the streams.
    srt : SRT
        Of the expression inside the outermost windows; trimmed, without epsilon transitions.
    windows : tuple of Window
        The outermost windows, which whoever runs the automaton must enforce: it can forget a run when
        its window closes, which a guard cannot. Windows further inside are guards of `srt`.
    live : tuple of frozenset of Register
        For each state the registers that may still be read.
    begins : Begins
        Where in a stream runs of `srt` begin.
    choices : tuple of subclasses of Strategy
        What is kept of the matches that end at an event: selection strategies of CEL, applied in turn.
    consumes : Consumption
        Whether a match uses up all events up to where it is found, of its sub-stream or of all sub-streams.
    shows_less : bool
        Whether complex events have events that `srt` reads and does not mark. Then what is marked is found
        once, where a run that has marked something first enters a final state, and `windows` bound the
        whole string.
    told_apart : bool
        Whether `srt` was made so that each history of marks has one run, and what that has marked is found
        whenever it enters a final state, also by reading an event without marking it. Otherwise matches are
        found at marked events, and it is to be seen whether runs are told apart.
    """

    pattern: Pattern | Query
    schema: Schema
    srt: SRT
    windows: tuple[Window, ...]
    live: tuple[frozenset[Register], ...]
    begins: Begins = Begins.ANYWHERE
    choices: tuple[type[Strategy], ...] = ()
    consumes: Consumption = Consumption.NONE
    shows_less: bool = False
    told_apart: bool = False

    def __hash__(self) -> int:
        """Of little of it: what is known of patterns is looked up for each stream."""
        return hash((self.pattern, self.srt.size, len(self.srt.transitions), self.begins, self.told_apart))

    @property
    def consumes_across(self) -> bool:
        """Whether what is found in one sub-stream depends on others."""
        return self.consumes is Consumption.ANY and bool(self.pattern.partition_by)


def compile_pattern(pattern: Pattern | Expression, schema: Schema) -> CompiledPattern:
    """Compile a pattern against a schema.

    Raises
    ------
    PatternError
        One of its subclasses, when the pattern does not fit the schema.
    LimitError
        When the budget of `mnemata.theory.budget` is spent, by default a million transitions.
    """
    whole = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
    checked = bound(whole, schema)
    inner, windows = without_windows(checked.expression)
    srt = automaton(inner, schema)
    return CompiledPattern(checked, schema, srt, windows, live_registers(srt))


def automaton(expression: Expression, schema: Schema) -> SRT:
    """The SRT of a bound expression, all its windows as guards; trimmed, without epsilon transitions."""
    return merge_equivalent(trim(bind_guards(eliminate_epsilon(thompson(expression)), schema)))


def without_windows(expression: Expression) -> tuple[Expression, tuple[Window, ...]]:
    """The expression inside its outermost windows, and these windows from the outside in.

    What it needs of their bounds is left inside (`narrowed`).
    """
    windows: list[Window] = []
    expression = narrowed(expression)
    while isinstance(expression, Windowed):
        windows.append(expression.window)
        expression = expression.body
    return expression, tuple(windows)


def bind_guards(srt: SRT, schema: Schema) -> SRT:
    """`srt` with every condition bound to `schema`, those that constructions added included."""
    transitions = tuple(
        Transition(
            t.source,
            None if t.condition is None else bind(t.condition, schema),
            t.output,
            t.writes,
            t.target,
        )
        for t in srt.transitions
    )
    return SRT(srt.size, srt.start, srt.finals, transitions, srt.registers)
