"""Emptiness, inclusion, equivalence, universality and disjointness of patterns.

Strings are decided length by length. Where the matches of a pattern are of bounded length, as under a
window on length, all of them are covered and the answer is about all strings; otherwise it is about
strings of up to `up_to` events, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from mnemata.automata.compilation import automaton, bind_guards
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.trimming import trim
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.automata.decisions.symbolic import matches
from mnemata.automata.decisions.usefulness import dead_transitions
from mnemata.automata.srt.paths import longest as longest_path
from mnemata.automata.srt.runs import matches as matches_over
from mnemata.automata.srt.transducer import SRT
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Condition, Not, conjunction, disjunction
from mnemata.theory.errors import LimitError
from mnemata.theory.satisfiability.answers import Answer, Verdict
from mnemata.theory.satisfiability.decisions import satisfiable
from mnemata.theory.schema import Event, Schema
from mnemata.theory.sremo.expressions import Expression
from mnemata.theory.sremo.rewriting import bound_expression
from mnemata.theory.sremo.symbolic import Marks, Matches
from mnemata.theory.sremo.windows import longest

UP_TO: Final = 5
Question: TypeAlias = Callable[[SymbolicString | None], Iterable[tuple[Marks | None, Condition]]]


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to a question about patterns.

    Parameters
    ----------
    verdict : Verdict
        ``YES`` and ``NO`` are certain for the strings that were covered.
    witness : tuple of Event or None
        A shortest string that proves a *no*, or that proves a *yes* where one example does.
    marks : frozenset of int or None
        The match in question on the witness, where the question is about matches.
    up_to : int or None
        The strings covered have up to this many events; ``None``: all strings.
    reason : str
        Why the answer is unknown; empty otherwise.
    """

    verdict: Verdict
    witness: tuple[Event, ...] | None = None
    marks: Marks | None = None
    up_to: int | None = None
    reason: str = ""

    @property
    def yes(self) -> bool:
        """Whether the answer is yes, for the strings that were covered."""
        return self.verdict is Verdict.YES

    @property
    def no(self) -> bool:
        """Whether the answer is certainly no."""
        return self.verdict is Verdict.NO

    @property
    def unknown(self) -> bool:
        """Whether nothing was decided."""
        return self.verdict is Verdict.UNKNOWN


@dataclass(frozen=True, slots=True)
class Language:
    """A pattern or automaton as a set of strings and their matches, under a schema."""

    srt: SRT
    schema: Schema
    longest: int | None

    def matches(self, string: SymbolicString | None) -> Matches:
        """Each possible match over a symbolic string with its condition; ``None`` is the empty string."""
        if string is None:
            return {frozenset(): TOP} if self.srt.start in self.srt.finals else {}
        return matches(self.srt, string.events)

    def accepts(self, string: SymbolicString | None) -> Condition:
        """The condition that a symbolic string is accepted."""
        ways = tuple(self.matches(string).values())
        return TOP if TOP in ways else disjunction(*ways)


def language(pattern: Expression | SRT, schema: Schema) -> Language:
    """A pattern as what decisions work on."""
    if isinstance(pattern, SRT):
        srt = trim(eliminate_epsilon(bind_guards(pattern, schema)))
        return Language(srt, schema, longest_path(srt))
    checked = bound_expression(pattern, schema)
    return Language(automaton(checked, schema), schema, longest(checked))


def decided(budget: Budget | None, question: Callable[[], Decision]) -> Decision:
    """The answer to a question, or *unknown* when the budget is spent, with what was reached."""
    with spending(budget):
        try:
            return question()
        except LimitError as error:
            return Decision(Verdict.UNKNOWN, reason=str(error))


def empty(
    pattern: Expression | SRT, schema: Schema, *, up_to: int = UP_TO, budget: Budget | None = None
) -> Decision:
    """Whether no string matches; the witness of a *no* is a shortest string that does.

    Where what can be taken of the automaton has no loops, the answer is about strings of any length.

    Parameters
    ----------
    pattern : Expression or SRT
        What is asked about.
    schema : Schema
        Of the events.
    up_to : int
        The longest strings to try where the pattern sets no bound.
    budget : Budget, optional
        What the answer may cost; it is unknown when that is spent.
    """

    def question() -> Decision:
        one = _alive(language(pattern, schema))
        return _search(schema, one.longest, up_to, lambda s: one.matches(s).items())

    return decided(budget, question)


def member(pattern: Expression | SRT, string: Sequence[Event], schema: Schema) -> Decision:
    """Whether a string matches as a whole, found by running; *yes* comes with one of its matches.

    Parameters
    ----------
    pattern : Expression or SRT
        What is asked about.
    string : sequence of Event
        At positions 1, 2, ...; it is the witness of both answers.
    schema : Schema
        Of the events.

    Examples
    --------
    >>> from mnemata.theory.schema import String
    >>> from mnemata.theory.sremo.expressions import mark, skip
    >>> letters = Schema.of(letter=String())
    >>> found = member(skip() >> mark(), letters.stream([("a",), ("b",)]), letters)
    >>> found.yes, sorted(found.marks)
    (True, [2])
    """
    found = sorted(matches_over(language(pattern, schema).srt, string), key=sorted)
    verdict = Verdict.YES if found else Verdict.NO
    return Decision(verdict, tuple(string), found[0] if found else None, len(string))


def _alive(one: Language) -> Language:
    """The same matches, without transitions that can never be taken: what is left may be bounded."""
    dead = set(dead_transitions(one.srt, one.schema))
    alive = tuple(t for t in one.srt.transitions if t not in dead)
    srt = trim(SRT(one.srt.size, one.srt.start, one.srt.finals, alive))
    return Language(srt, one.schema, longest_path(srt) if one.longest is None else one.longest)


def included(
    left: Expression | SRT,
    right: Expression | SRT,
    schema: Schema,
    *,
    up_to: int = UP_TO,
    marks: bool = True,
    budget: Budget | None = None,
) -> Decision:
    """Whether every match of `left` is one of `right`; with ``marks=False``, every string.

    The witness of a *no* is a shortest string on which it fails.
    """

    def question() -> Decision:
        one, other = language(left, schema), language(right, schema)
        return _search(schema, one.longest, up_to, lambda s: _missing(one, other, s, marks))

    return decided(budget, question)


def equivalent(
    left: Expression | SRT,
    right: Expression | SRT,
    schema: Schema,
    *,
    up_to: int = UP_TO,
    marks: bool = True,
    budget: Budget | None = None,
) -> Decision:
    """Whether both have the same matches on every string; with ``marks=False``, the same strings.

    The witness of a *no* is a shortest string that separates them.
    """

    def question() -> Decision:
        one, other = language(left, schema), language(right, schema)
        return _search(schema, _furthest(one, other), up_to, lambda s: _differing(one, other, s, marks))

    return decided(budget, question)


def universal(
    pattern: Expression | SRT,
    schema: Schema,
    *,
    up_to: int = UP_TO,
    empty_string: bool = True,
    budget: Budget | None = None,
) -> Decision:
    """Whether every string of up to `up_to` events is accepted; the witness of a *no* is one that is not.

    With ``empty_string=False`` the empty string may be accepted or not, as in the paper's ``U^+``.
    """

    def question() -> Decision:
        one = language(pattern, schema)
        return _search(schema, None, up_to, lambda s: _refused(one, s) if s or empty_string else ())

    return decided(budget, question)


def _refused(one: Language, string: SymbolicString | None) -> Iterator[tuple[None, Condition]]:
    yield None, Not(one.accepts(string))


def disjoint(
    left: Expression | SRT,
    right: Expression | SRT,
    schema: Schema,
    *,
    up_to: int = UP_TO,
    budget: Budget | None = None,
) -> Decision:
    """Whether no string is accepted by both; the witness of a *no* is a shortest one that is."""

    def question() -> Decision:
        one, other = language(left, schema), language(right, schema)
        bounds = [side.longest for side in (one, other) if side.longest is not None]
        last = min(bounds, default=None)
        return _search(schema, last, up_to, lambda s: iter([(None, _both(one, other, s))]))

    return decided(budget, question)


def _both(one: Language, other: Language, string: SymbolicString | None) -> Condition:
    return conjunction(one.accepts(string), other.accepts(string))


def _differing(
    one: Language, other: Language, string: SymbolicString | None, marks: bool
) -> Iterator[tuple[Marks | None, Condition]]:
    yield from _missing(one, other, string, marks)
    yield from _missing(other, one, string, marks)


def _furthest(one: Language, other: Language) -> int | None:
    if one.longest is None or other.longest is None:
        return None
    return max(one.longest, other.longest)


def _missing(
    one: Language, other: Language, string: SymbolicString | None, marks: bool
) -> Iterator[tuple[Marks | None, Condition]]:
    if not marks:
        yield None, conjunction(one.accepts(string), Not(other.accepts(string)))
        return
    found = other.matches(string)
    for match, condition in one.matches(string).items():
        yield match, conjunction(condition, Not(found.get(match, BOTTOM)))


def _search(schema: Schema, bound: int | None, up_to: int, question: Question) -> Decision:
    """*No* with the shortest string for which a condition in question is satisfiable; *yes* if there is none.

    `bound` is the length past which no string can be in question, if there is one.
    """
    last = up_to if bound is None else bound
    doubt = ""
    for length in range(last + 1):
        try:
            found = _of_length(length, schema, question)
        except LimitError as error:
            return Decision(Verdict.UNKNOWN, reason=_so_far(error, length, doubt))
        if found.no:
            return found
        doubt = doubt or found.reason
    covered = None if bound is not None else last
    if doubt:
        return Decision(Verdict.UNKNOWN, up_to=covered, reason=doubt)
    return Decision(Verdict.YES, up_to=covered)


def _of_length(length: int, schema: Schema, question: Question) -> Decision:
    string = SymbolicString(length, schema) if length else None
    doubt = ""
    for marks, condition in question(string):
        answer = _possible(condition, string)
        if answer.yes:
            witness = () if string is None or answer.witness is None else string.decode(answer.witness)
            return Decision(Verdict.NO, witness, marks)
        doubt = doubt or answer.reason
    return Decision(Verdict.UNKNOWN if doubt else Verdict.YES, reason=doubt)


def _so_far(error: LimitError, length: int, doubt: str) -> str:
    if doubt or not length:
        return str(error)
    return f"{error}. Strings of up to {length - 1} events were all covered"


def _possible(condition: Condition, string: SymbolicString | None) -> Answer:
    if string is not None:
        return satisfiable(condition, string.schema, known=string.known)
    nothing = Schema(())
    return satisfiable(condition, nothing)
