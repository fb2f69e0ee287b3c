"""Claims about negation, absence and skip-till-next: SRT Sec. 5.1.2 and Def. 45, ERRATA A11."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards, compile_pattern
from mnemata.automata.constructions.complement import complement
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.runs import Marks, matches
from mnemata.automata.srt.transducer import SRT, Transition, epsilon, moved
from mnemata.proofs.bounded import compiled_exactly
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators import REGISTERS, TICKS, Stream, conditions, remembering_expressions, streams
from mnemata.proofs.generators.cel import words
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.conditions.formulas import TOP, Comparison, Condition, Not
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant
from mnemata.theory.conditions.typing import bind
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import (
    Absent,
    Expression,
    Intersection,
    Negation,
    Output,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    mark,
    sequence,
    skip,
)
from mnemata.theory.sremo.rewriting import ANYTHING, bound_expression, core
from mnemata.theory.trees import Node, transform

Instance: TypeAlias = tuple[Expression, Stream]
Parts: TypeAlias = tuple[tuple[Expression, ...], Stream]


def unmarked(expression: Expression) -> Expression:
    """`expression` with all of its marks removed."""

    def rewrite(node: Node) -> Node:
        return Terminal(node.condition, Output.SKIP, node.write) if isinstance(node, Terminal) else node

    rewritten = transform(expression, rewrite)
    return rewritten if isinstance(rewritten, Expression) else expression


def _terminals(output: Output) -> st.SearchStrategy[Expression]:
    writes = st.sampled_from((None, *REGISTERS[:2]))
    return st.builds(Terminal, conditions(TICKS, size=1), st.just(output), writes)


def bounded(output: Output) -> st.SearchStrategy[Expression]:
    """Expressions whose strings are of bounded length, with one output throughout."""
    return st.recursive(
        _terminals(output),
        lambda smaller: st.one_of(
            st.builds(lambda a, b: a >> b, smaller, smaller),
            st.builds(lambda a, b: a | b, smaller, smaller),
            smaller.map(Expression.optional),
            st.builds(Expression.repeat, smaller, st.just(1), st.just(2)),
        ),
        max_leaves=3,
    )


@st.composite
def watching(draw: st.DrawFn) -> Expression:
    """Sequences that contain a negation, an absence, or a part taken at its earliest completion."""
    before = draw(st.lists(_terminals(Output.MARK), max_size=2))
    after = draw(st.lists(_terminals(Output.MARK), max_size=1))
    return sequence(*before, draw(_watched()), *after)


def _watched() -> st.SearchStrategy[Expression]:
    unseen, seen = bounded(Output.SKIP), bounded(Output.MARK)
    return st.one_of(
        unseen.map(Negation),
        unseen.map(Absent),
        st.lists(seen, min_size=2, max_size=3).map(lambda parts: SkipTillNext(tuple(parts))),
        seen.map(lambda body: SkipTillNext((body.plus(),))),
        seen.map(lambda body: SkipTillNext((body.star(),))),
        seen.map(lambda body: SkipTillNext((body.repeat(0, 2),))),
    )


@st.composite
def overwriting(draw: st.DrawFn, depth: int = 2) -> Expression:
    """Parts taken at their earliest completion that write again, early on, a register that they read.

    In sequences, in iterations, inside one another, and followed by what reads the register afterwards.
    """
    one = SkipTillNext((draw(_writing()), draw(_rewritten(depth))))
    again = one.length(4).repeat(1, 2)
    whole = draw(st.sampled_from((one, one >> again, SkipTillNext((again,)))))
    return whole >> draw(_rewriting()) if draw(st.booleans()) else whole


def _rewritten(depth: int) -> st.SearchStrategy[Expression]:
    """Parts of up to three events: in shorter ones the monitor looks no more after the first is written."""
    two = st.builds(lambda one, other: one >> other, _rewriting(), _rewriting())
    three = st.builds(lambda one, rest: one >> rest, _rewriting(), two)
    choices = st.builds(lambda one, other: one | other, three, two | _rewriting())
    if depth <= 1:
        return three | choices
    inner = overwriting(depth - 1).map(lambda body: body.length(4))
    return three | choices | st.builds(lambda one, other: one >> other, _rewriting(), inner)


def _writing() -> st.SearchStrategy[Expression]:
    return st.sampled_from((mark(write="r1"), mark(_NAMED, "r1")))


def _rewriting() -> st.SearchStrategy[Expression]:
    """Events compared to a register or not, and most of them written to it."""
    guards: list[Condition] = [TOP, _SAME, Not(_SAME), _NAMED]
    return st.builds(mark, st.sampled_from(guards), st.sampled_from(("r1", "r1", None, "r2")))


_NAMED: Final[Condition] = Comparison("=", Attribute(HEAD, "type"), Constant("A"))
_SAME: Final[Condition] = Comparison("=", Attribute(HEAD, "type"), Attribute("r1", "type"))


def overwriting_anywhere() -> st.SearchStrategy[Expression]:
    """What `overwriting` makes, beside, inside and before whatever else works on automata."""
    return st.builds(lambda place, part, event: place(part, event), _PLACES, overwriting(1), _rewriting())


_FIRST: Final = mark(write="r1")
_PLACES: Final[st.SearchStrategy[Callable[[Expression, Expression], Expression]]] = st.sampled_from(
    (
        lambda part, event: Intersection(part, mark(write="r3") >> (mark() | skip()).plus()),
        lambda part, event: Intersection(mark(write="r3") >> (mark() | skip()).plus(), part),
        lambda part, event: part.within(events=4) >> event,
        lambda part, event: _FIRST >> unmarked(part).length(4).negate() >> event,
        lambda part, event: _FIRST >> Absent(unmarked(part).length(4)) >> event,
        lambda part, event: (part | event).star(),
        lambda part, event: SkipTillNext((_FIRST, part.length(4))),
        lambda part, event: part.optional() >> event,
        lambda part, event: SkipTillAny((event, part)).within(events=5),
    )
)

STRINGS = streams(TICKS, max_size=5)
WATCHING: st.SearchStrategy[Instance] = st.tuples(watching(), STRINGS)


REMEMBERED = remembering_expressions((Output.SKIP,), most=2).map(
    lambda body: mark(write="r1") >> Absent(body)
)
ABSENT: st.SearchStrategy[Instance] = st.tuples(REMEMBERED, words(min_size=4, max_size=4))
"""That two or more events do not occur, compared with the first one."""


def monitors_are_exact(instances: st.SearchStrategy[Instance] = WATCHING) -> Claim[Instance]:
    """Negation, absence and skip-till-next compile to automata with the same matches over every prefix."""

    def holds(instance: Instance) -> bool:
        expression, stream = instance
        made = compile_pattern(expression, TICKS).srt
        prefixes = (stream[:k] for k in range(len(stream) + 1))
        return all(matches(made, s) == semantics.matches(expression, s) for s in prefixes)

    return Claim("monitors keep all matches", "ERRATA A11", instances, holds)


def rewriting_next_is_exact() -> Claim[Instance]:
    """Reducing strategies to their core changes no match, for single events in particular."""

    def holds(instance: Instance) -> bool:
        expression, string = instance
        plain = bound_expression(expression, TICKS)
        return semantics.derivations(core(plain), string) == semantics.derivations(plain, string)

    return Claim("core keeps the meaning of watching expressions", "ERRATA A11", WATCHING, holds)


def absence_is_a_negation() -> Claim[Instance]:
    """``absent(e) = !(T* . e . T*)``."""

    def holds(instance: Instance) -> bool:
        body, string = instance
        return semantics.matches(Absent(body), string) == semantics.matches(
            Negation(ANYTHING >> body >> ANYTHING), string
        )

    return Claim("absent(e) = !(T* . e . T*)", "ERRATA A11", st.tuples(bounded(Output.SKIP), STRINGS), holds)


def next_as_published(*parts: Expression) -> Expression:
    """Def. 45 to the letter: ``e1 . (!e2)* . e2 ...``; not what it is meant to be (ERRATA A11)."""
    first, *rest = parts
    return sequence(first, *(part for e in rest for part in (Star(Negation(unmarked(e))), e)))


def next_as_published_is_earliest_completion() -> Claim[Parts]:
    """That Def. 45 takes the next match; it may skip it."""
    return _as_meant(
        lambda events: next_as_published(*events),
        lambda events: SkipTillNext(events),
        "e1 . (!e2)* . e2 takes the next e2",
        "Def. 45",
        2,
    )


def negation_of_terminals_is_logical() -> Claim[Parts]:
    """Sec. 5.2: that for terminals ``!`` can be replaced by a negated condition, without windows."""

    def logical(events: tuple[Expression, ...]) -> Expression:
        first, *rest = events
        return sequence(first, *(part for e in rest for part in (skip(Not(_condition(e))).star(), e)))

    return _as_meant(
        lambda events: next_as_published(*events),
        logical,
        "for terminals (!e)* . e is (not e)* . e",
        "Sec. 5.2",
        2,
    )


def logical_negation_takes_the_next() -> Claim[Parts]:
    """``e1 . (not e2)* . e2`` takes the next `e2`: what Def. 45 is meant to be, for terminals."""

    def holds(instance: Parts) -> bool:
        events, string = instance
        first, second = events
        logical = sequence(first, skip(Not(_condition(second))).star(), second)
        found = semantics.matches(logical, string)
        return found == semantics.matches(SkipTillNext(events), string) == _next(events, string)

    pairs = st.lists(_named_events(), min_size=2, max_size=2).map(tuple)
    name = "for terminals e1 . (not e2)* . e2 takes the next e2"
    return Claim(name, "Sec. 5.2, ERRATA A11", st.tuples(pairs, STRINGS), holds)


def _next(events: tuple[Expression, ...], string: Stream) -> frozenset[Marks]:
    """The first and the last event of a string, if they match and none between them matches the second."""
    if len(string) < 2:
        return frozenset()
    first, *between, last = string
    one, other = (bind(_condition(e), TICKS) for e in events)
    taken = models(first, EMPTY, one) and models(last, EMPTY, other)
    passed = any(models(event, EMPTY, other) for event in between)
    return frozenset({frozenset({first.position, last.position})} if taken and not passed else ())


def _condition(expression: Expression) -> Condition:
    return expression.condition if isinstance(expression, Terminal) else TOP


def negation_means_absence() -> Claim[Parts]:
    """Sec. 5.1.2: that ``e1 . !e2 . e3`` says that no `e2` happens between `e1` and `e3`."""
    return _as_meant(
        lambda events: sequence(events[0], Negation(unmarked(events[1])), events[2]),
        lambda events: sequence(events[0], Absent(unmarked(events[1])), events[2]),
        "e1 . !e2 . e3 says that no e2 happens",
        "Sec. 5.1.2",
        3,
    )


def absence_means_absence() -> Claim[Parts]:
    """``e1 . absent(e2) . e3`` says so: in what lies between, no event matches `e2`."""

    def holds(instance: Parts) -> bool:
        events, string = instance
        found = semantics.matches(sequence(events[0], Absent(unmarked(events[1])), events[2]), string)
        one, never, other = (bind(_condition(e), TICKS) for e in events)
        wanted = (
            len(string) > 1
            and models(string[0], EMPTY, one)
            and models(string[-1], EMPTY, other)
            and not any(models(event, EMPTY, never) for event in string[1:-1])
        )
        return found == (frozenset({frozenset({1, len(string)})}) if wanted else frozenset())

    triples = st.lists(_named_events(), min_size=3, max_size=3).map(tuple)
    name = "e1 . absent(e2) . e3 says that no e2 happens"
    return Claim(name, "Sec. 5.1.2, ERRATA A11", st.tuples(triples, STRINGS), holds)


def complement_stands_alone() -> Claim[Parts]:
    """Sec. 5.1.2: that an automaton for ``!e2``, made from empty registers, can be put in a sequence.

    What it should be is the negation from the registers as they are when its turn comes.
    """

    def alone(events: tuple[Expression, ...]) -> SRT:
        first, second, third = (eliminate_epsilon(bind_guards(thompson(e), TICKS)) for e in events)
        return in_sequence(first, complement(second, window=1), third)

    def wanted(instance: Parts) -> frozenset[Marks]:
        first, second, third = instance[0]
        return semantics.matches(sequence(first, Negation(unmarked(second)), third), instance[1])

    def exhibit(instance: Parts) -> Exhibit:
        made = alone(instance[0])
        shown = (("the three automata in sequence", made),)
        return Exhibit(instance[1], wanted(instance), matches(made, instance[1]), shown)

    same = Comparison("=", Attribute(HEAD, "id"), Attribute("r1", "id"))
    guards = st.sampled_from((TOP, same, Not(same)))
    events = st.builds(mark, guards, st.sampled_from((None, "r1")))
    return Claim(
        "the complement made on its own can be put in a sequence",
        "Sec. 5.1.2",
        st.tuples(st.tuples(events, events, events), streams(TICKS, max_size=3)),
        lambda i: matches(alone(i[0]), i[1]) == wanted(i),
        exhibit,
        ("e", "stream"),
    )


def in_sequence(*parts: SRT) -> SRT:
    """Concatenation as in Fig. 11d, over registers that the parts share."""
    size, transitions, ends = 0, list[Transition](), frozenset[int]()
    for part in parts:
        transitions += [
            *moved(part.transitions, size),
            *(epsilon(q, size + part.start) for q in sorted(ends)),
        ]
        ends = frozenset(size + final for final in part.finals)
        size += part.size
    return SRT(size, parts[0].start, ends, tuple(transitions))


def _as_meant(
    published: Callable[[tuple[Expression, ...]], Expression],
    meant: Callable[[tuple[Expression, ...]], Expression],
    name: str,
    source: str,
    length: int,
) -> Claim[Parts]:
    """That an expression made of single events has the matches of another one."""

    def exhibit(instance: Parts) -> Exhibit:
        events, string = instance
        wrong, right = published(events), meant(events)
        shown = tuple(
            (title, compile_pattern(e, TICKS).srt)
            for title, e in (("as published", wrong), ("as meant", right))
        )
        return Exhibit(string, semantics.matches(right, string), semantics.matches(wrong, string), shown)

    parts = st.lists(_named_events(), min_size=length, max_size=length).map(tuple)
    return Claim(
        name,
        source,
        st.tuples(parts, STRINGS),
        lambda i: semantics.matches(published(i[0]), i[1]) == semantics.matches(meant(i[0]), i[1]),
        exhibit,
        ("e", "stream"),
    )


def _named_events() -> st.SearchStrategy[Expression]:
    return st.builds(mark, conditions(TICKS, (), size=1))


def next_takes_one_completion() -> Claim[Parts]:
    """Of single events, ``next(e1, e2)`` finds at most one match for each first event."""
    pairs = st.lists(_named_events(), min_size=2, max_size=2).map(tuple)

    def holds(instance: Parts) -> bool:
        events, string = instance
        found = semantics.stream_matches(SkipTillNext(events), string)
        return len({min(marks) for marks in found}) == len(found)

    return Claim("one match for each first event", "Sec. 5.2", st.tuples(pairs, STRINGS), holds)


def proved_for_all_values(
    expressions: st.SearchStrategy[Expression], name: str, *, up_to: int
) -> Claim[tuple[Expression]]:
    """That Z3 proves of each expression that its automaton has its matches, up to a length of strings."""

    def holds(instance: tuple[Expression]) -> bool:
        return compiled_exactly(instance[0], TICKS, up_to=up_to).verdict is not Verdict.NO

    title = f"{name}: compiled exactly, for all values up to {up_to} events"
    return Claim(title, "Def. 45, ERRATA A11", st.tuples(expressions), holds)
