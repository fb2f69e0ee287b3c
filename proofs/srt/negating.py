"""Claims about negation, absence and skip-till-next: SRT Sec. 5.1.2 and Def. 45, ERRATA A11."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.srt.runs import matches
from mnemata.proofs.claims import Claim, Refuted
from mnemata.proofs.generators import REGISTERS, TICKS, Stream, conditions, streams
from mnemata.theory.conditions.formulas import TOP, Comparison, Condition, Not
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant
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


def monitors_are_exact() -> Claim[Instance]:
    """Negation, absence and skip-till-next compile to automata with the same matches over every prefix."""

    def holds(instance: Instance) -> bool:
        expression, stream = instance
        made = compile_pattern(expression, TICKS).srt
        prefixes = (stream[:k] for k in range(len(stream) + 1))
        return all(matches(made, s) == semantics.matches(expression, s) for s in prefixes)

    return Claim("monitors keep all matches", "ERRATA A11", WATCHING, holds)


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
    parts = st.lists(_named_events(), min_size=2, max_size=2).map(tuple)

    def holds(instance: Parts) -> bool:
        events, string = instance
        published = semantics.matches(next_as_published(*events), string)
        return published == semantics.matches(SkipTillNext(events), string)

    return Claim("e1 . (!e2)* . e2 takes the next e2", "Def. 45", st.tuples(parts, STRINGS), holds)


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


CLAIMS: tuple[Claim[Instance] | Claim[Parts], ...] = (
    monitors_are_exact(),
    rewriting_next_is_exact(),
    absence_is_a_negation(),
    next_takes_one_completion(),
)
"""What holds, as repaired."""

REFUTED: tuple[Refuted[Parts], ...] = (
    Refuted(next_as_published_is_earliest_completion(), parts=2, events=4),
)
"""What does not hold, as published, with the size of the counterexample of ERRATA A11."""
