"""All expressions of a fragment, up to a size, and proofs about each of them for all attribute values.

The fragment has one register and the guards ``T``, ``~.type = 'A'``, ``~.id = r1.id`` and its negation; a
terminal marks its event or not, and writes it or not. Expressions are made of these by union,
concatenation and Kleene-star. Left out is what only repeats others: unions in another order or with equal
parts, other ways to put brackets, ``(e*)*`` and ``(a* | b)*``, and expressions whose first terminal is not
marked, because all of this is symmetric in the two outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations, product
from typing import Final, TypeAlias

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.complement import complement
from mnemata.automata.constructions.epsilon import closure, eliminate_epsilon
from mnemata.automata.constructions.powerset import determinize_as_published
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.constructions.unrolling import unroll
from mnemata.automata.decisions import symbolic as runs
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.automata.srt.transducer import SRT, State
from mnemata.proofs.bounded import Proof, proved
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Comparison, Condition, Not, conjunction
from mnemata.theory.conditions.simplification import negation
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant, Variable
from mnemata.theory.conditions.typing import bind
from mnemata.theory.satisfiability.answers import Answer, Verdict
from mnemata.theory.satisfiability.decisions import equivalent
from mnemata.theory.sremo import symbolic
from mnemata.theory.sremo.expressions import Concatenation, Expression, Output, Star, Terminal, Union
from mnemata.theory.sremo.symbolic import Matches, Slots, by_marks, either, read

SAME: Final[Condition] = Comparison("=", Attribute(HEAD, "id"), Attribute("r1", "id"))
GUARDS: Final = tuple(
    bind(guard, TICKS)
    for guard in (TOP, Comparison("=", Attribute(HEAD, "type"), Constant("A")), SAME, Not(SAME))
)
TERMINALS: Final = tuple(
    Terminal(guard, output, write) for output, guard, write in product(Output, GUARDS, (None, "r1"))
)
COUNTS: Final = {1: 16, 2: 1_428, 3: 190_696}
"""How many expressions there are of each number of terminals."""

COVERED: Final = (
    f"Exhaustive for a fragment with one register: {COUNTS[1] + COUNTS[2]:,} expressions of up to two "
    f"terminals, and with much effort another {COUNTS[3]:,} of three."
)
"""What that amounts to, for the table."""


def expressions(terminals: int) -> Iterator[Expression]:
    """All expressions of the fragment with that many terminals."""
    return (e for e in _of(terminals) if _first(e).output is Output.MARK)


def _first(expression: Expression) -> Terminal:
    match expression:
        case Terminal():
            return expression
        case Union(parts=parts) | Concatenation(parts=parts):
            return _first(parts[0])
        case Star(body=body):
            return _first(body)
    raise TypeError(f"{expression!r} is not in the fragment")


@cache
def _of(size: int) -> tuple[Expression, ...]:
    return (*_terminals(size), *_concatenations(size), *_unions(size), *_stars(size))


def _terminals(size: int) -> tuple[Expression, ...]:
    return TERMINALS if size == 1 else ()


def _concatenations(size: int) -> Iterator[Expression]:
    for sizes in _compositions(size):
        parts = (tuple(e for e in _of(n) if not isinstance(e, Concatenation)) for n in sizes)
        yield from map(Concatenation, product(*parts))


def _unions(size: int) -> Iterator[Expression]:
    for sizes in _compositions(size):
        if sorted(sizes) == list(sizes):
            yield from map(Union, _choices(sizes, ()))


def _choices(sizes: tuple[int, ...], chosen: tuple[Expression, ...]) -> Iterator[tuple[Expression, ...]]:
    """Parts of the given sizes, in the order of `_of`, none of them twice."""
    if not sizes:
        yield chosen
        return
    alike = sum(1 for n in sizes if n == sizes[0])
    parts = tuple(e for e in _of(sizes[0]) if not isinstance(e, Union))
    for some in combinations(parts, alike):
        yield from _choices(sizes[alike:], chosen + some)


def _stars(size: int) -> Iterator[Expression]:
    for body in (*_terminals(size), *_concatenations(size), *_unions(size)):
        if not (isinstance(body, Union) and any(isinstance(part, Star) for part in body.parts)):
            yield Star(body)


@cache
def _compositions(size: int) -> tuple[tuple[int, ...], ...]:
    """All ways to write a number as a sum of two or more."""
    longer = (
        (first, *rest) for first in range(1, size) for rest in ((size - first,), *_compositions(size - first))
    )
    return tuple(longer)


Equivalences: TypeAlias = Iterator[tuple[SymbolicString, Condition, Condition]]
Question: TypeAlias = Callable[[Expression, int], Equivalences]
"""What has to be equivalent, about one expression over strings of up to some length."""


def proofs(question: Question, effort: Effort, *, parts: int | None = None) -> Iterator[Proof]:
    """The answers to a question about each expression; one asked before is not asked of Z3 again.

    Of up to `effort.parts` terminals, or `parts` if that is less; over strings of up to `effort.length`
    events, and for expressions of three terminals and more of up to as many events as these have.
    """

    @cache
    def asked(string: SymbolicString, one: Condition, other: Condition) -> Answer:
        return equivalent(one, other, TICKS, known=string.known, timeout_ms=effort.timeout_ms)

    def answers(expression: Expression, length: int) -> Iterator[tuple[SymbolicString, Answer]]:
        for string, one, other in question(expression, length):
            yield string, _SAME if one == other else asked(string, one, other)

    for size in range(1, 1 + (effort.parts if parts is None else min(parts, effort.parts))):
        length = effort.length if size < 3 else min(effort.length, size)
        yield from (proved(answers(expression, length)) for expression in expressions(size))


_SAME: Final = Answer(Verdict.YES)


def _strings(length: int) -> Iterator[SymbolicString]:
    return (SymbolicString(n, TICKS) for n in range(1, length + 1))


def compiled(expression: Expression, length: int) -> Equivalences:
    """``Match(e, S) = Match(T, S)``, with the epsilon transitions of `T` taken as Def. 23 says (Thm 27)."""
    srt = _with_epsilon(expression)
    for string in _strings(length):
        yield from _matched(string, _denoted(expression, string), matches_with_epsilon(srt, string.events))


def without_epsilon(
    expression: Expression, length: int, eliminate: Callable[[SRT], SRT] = eliminate_epsilon
) -> Equivalences:
    """The same matches before and after the elimination of epsilon transitions (Lemma 29)."""
    before = _with_epsilon(expression)
    after = eliminate(before)
    for string in _strings(length):
        wanted = matches_with_epsilon(before, string.events)
        yield from _matched(string, wanted, runs.matches(after, string.events))


def unrolled(expression: Expression, length: int) -> Equivalences:
    """The matches over strings of up to `w` events, and no others, for each `w` below `length` (Lemma 46)."""
    srt = _without_epsilon(expression)
    made = {window: unroll(srt, window=window) for window in range(1, length)}
    for string in _strings(length):
        denoted = _denoted(expression, string)
        for window, found in made.items():
            short = string.length <= window
            yield from _matched(string, denoted if short else {}, runs.matches(found, string.events))


def in_ring_buffer(expression: Expression, length: int) -> Equivalences:
    """The strings of up to `w` events, and no others, for each `w` below `length` (ERRATA A5)."""
    return _accepted(expression, length, lambda srt, window: determinize(srt, window=window), inside=True)


def in_power_set(expression: Expression, length: int) -> Equivalences:
    """The strings of up to `w` events, and no others, for each `w` below `length` (Alg. 7)."""
    return _accepted(
        expression,
        length,
        lambda srt, window: determinize_as_published(srt, TICKS, window=window),
        inside=True,
    )


def complemented(expression: Expression, length: int) -> Equivalences:
    """All strings but those of up to `w` events that are accepted, for each `w` below `length` (Cor. 43)."""
    return _accepted(expression, length, lambda srt, window: complement(srt, window=window), inside=False)


def _accepted(
    expression: Expression, length: int, make: Callable[[SRT, int], SRT], *, inside: bool
) -> Equivalences:
    srt = _without_epsilon(expression)
    made = {window: make(srt, window) for window in range(1, length)}
    for string in _strings(length):
        accepted = either(_denoted(expression, string).values())
        for window, automaton in made.items():
            wanted = accepted if string.length <= window else BOTTOM
            found = either(runs.matches(automaton, string.events).values())
            yield string, wanted if inside else negation(wanted), found


def _denoted(expression: Expression, string: SymbolicString) -> Matches:
    """Def. 17; what `symbolic.matches` gives for expressions without derived operators."""
    ways = symbolic.ways_to_match(expression, string.events)
    return by_marks((way.marks, condition) for way, condition in ways.items())


def _matched(string: SymbolicString, denoted: Matches, found: Matches) -> Equivalences:
    for marks in sorted(denoted.keys() | found.keys(), key=sorted):
        yield string, denoted.get(marks, BOTTOM), found.get(marks, BOTTOM)


def _with_epsilon(expression: Expression) -> SRT:
    return bind_guards(thompson(expression), TICKS)


def _without_epsilon(expression: Expression) -> SRT:
    return eliminate_epsilon(_with_epsilon(expression))


_Reached: TypeAlias = tuple[State, Slots, frozenset[int]]


def matches_with_epsilon(srt: SRT, events: Iterable[Variable]) -> Matches:
    """``Match(T, S)`` over a symbolic string, by Def. 23, epsilon transitions included."""
    closures = {state: closure(srt, (state,)) for state in srt.states}
    reached: dict[_Reached, Condition] = {(q, (), frozenset()): TOP for q in closures[srt.start]}
    for position, event in enumerate(events, start=1):
        ways: dict[_Reached, list[Condition]] = {}
        for (state, slots, marks), condition in reached.items():
            for t in srt.outgoing(state):
                if t.condition is not None:
                    guard = conjunction(condition, read(t.condition, slots, event))
                    held = tuple(sorted({**dict(slots), **dict.fromkeys(t.writes, event)}.items()))
                    more = marks | {position} if t.output is Output.MARK else marks
                    for q in closures[t.target]:
                        ways.setdefault((q, held, more), []).append(guard)
        reached = {here: either(conditions) for here, conditions in ways.items()}
    return by_marks((marks, condition) for (q, _, marks), condition in reached.items() if q in srt.finals)
