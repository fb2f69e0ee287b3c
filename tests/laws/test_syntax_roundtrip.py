"""What is written is read back: in both notations, with and without a schema, for all kinds of nodes."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from typing import TypeAlias, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemata.theory.conditions.formulas import (
    BOTTOM,
    COMPARISONS,
    HEAD,
    TOP,
    And,
    Apply,
    Comparison,
    Condition,
    Defined,
    Definition,
    Membership,
    Not,
    Or,
    Relation,
)
from mnemata.theory.conditions.formulas import registers as registers_read
from mnemata.theory.conditions.terms import (
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Duration,
    Instant,
    Position,
    Term,
    Time,
)
from mnemata.theory.errors import MnemataError, PatternError, PatternSyntaxError
from mnemata.theory.schema import (
    INT64_MAX,
    INT64_MIN,
    NANOSECONDS,
    Bool,
    Category,
    Float64,
    Int64,
    Schema,
    String,
    Timestamp,
)
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Absent,
    Concatenation,
    EventWindow,
    Expression,
    Intersection,
    LengthWindow,
    Negation,
    Optional,
    Output,
    Pattern,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    TimeWindow,
    Union,
    Window,
    Windowed,
    registers_written,
    sequence,
    skip,
)
from mnemata.theory.sremo.rewriting import bound
from mnemata.theory.syntax import parse, parse_located, show
from mnemata.theory.syntax.lexicon import BUILT_IN, RESERVED
from mnemata.theory.trees import Node, transform, walk

N = TypeVar("N", bound=Node)
Style: TypeAlias = tuple[str, bool]
STYLES: tuple[Style, ...] = (("paper", False), ("paper", True), ("readable", False), ("readable", True))

RISES = Relation("Rises", 2, lambda x, y: x["price"] > y["price"], attributes=("price",))
FLAT = Relation("Flat", 1, lambda x: x["price"] == 0, attributes=("price",))
ANY_RELATION = {arity: Relation(f"any {arity}", arity, lambda *_: False) for arity in (1, 2)}
SCHEMA = Schema.of(
    type=String(),
    name=Category(("INTC", "RIMM", "it's")),
    price=Float64(),
    volume=Int64(),
    where=Bool(),
    at=Timestamp("ms"),
    event_type="type",
    time="at",
)

# Everything that has a place in Unicode: halves of surrogate pairs are not text.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
names = st.one_of(
    st.sampled_from(["price", "name", "r1", "o", "x", "v", "length", "größe", "time", "abs"]),
    st.sampled_from(RESERVED),
    st.sampled_from(["", "stock price", "a`b", "a\\b", "#w", "3d", "~", "a.b", "é\n", "\u2028", "x'y"]),
    texts,
).filter(bool)
registers = names.filter(lambda name: name != HEAD)
variables = st.one_of(st.just(HEAD), st.sampled_from(["r1", "r2", "where", "my register"]))

durations = st.builds(Duration, st.integers(0, INT64_MAX), st.sampled_from(sorted(NANOSECONDS)))
constants = st.one_of(
    st.integers(INT64_MIN, INT64_MAX),
    st.sampled_from([INT64_MIN, INT64_MAX, 0, float("inf"), float("-inf"), -0.0, 1e-320, 1e22, True, False]),
    st.floats(allow_nan=False),
    texts,
    st.sampled_from(
        ["O'Neil", '"', "`", "\\", "\\n", "\n\t\r\x00", "\U0001f600", "let x := ^ ↑", "# no comment"]
    ),
).map(Constant)
instants = st.one_of(st.datetimes().map(lambda at: at.isoformat()), st.just("2013-01-01T10:00")).map(Instant)


def terms(variables: st.SearchStrategy[str]) -> st.SearchStrategy[Term]:
    leaves = st.one_of(
        st.builds(Attribute, variables, names),
        st.builds(Attribute, variables, st.sampled_from(["price", "type"])),
        variables.map(Position),
        variables.map(Time),
        constants,
        durations,
        instants,
    )
    operators = st.sampled_from(["+", "-", "*"])
    return st.recursive(
        leaves,
        lambda below: st.one_of(below.map(Absolute), st.builds(Arithmetic, operators, below, below)),
        max_leaves=5,
    )


def conditions(variables: st.SearchStrategy[str]) -> st.SearchStrategy[Condition]:
    some = terms(variables)
    atoms = st.one_of(
        st.sampled_from([TOP, BOTTOM]),
        *[st.builds(Comparison, st.sampled_from(COMPARISONS), some, some)] * 4,
        st.builds(Membership, some, st.lists(constants, max_size=3).map(tuple)),
        variables.map(Defined),
        *(
            st.tuples(*[variables] * relation.arity).map(lambda found, of=relation: Apply(of, found))
            for relation in (RISES, *ANY_RELATION.values())
        ),
    )
    return st.recursive(atoms, _boolean, max_leaves=5)


def _boolean(below: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
    several = st.lists(below, min_size=2, max_size=3).map(tuple)
    return st.one_of(below.map(Not), several.map(And), several.map(Or))


windows = st.one_of(
    st.integers(1, INT64_MAX).map(EventWindow),
    st.integers(1, 100).map(LengthWindow),
    durations.filter(lambda duration: duration.amount > 0).map(TimeWindow),
)


def expressions(
    terminals: st.SearchStrategy[Terminal], windows: st.SearchStrategy[Window] = windows
) -> st.SearchStrategy[Expression]:
    leaves = st.one_of(terminals, terminals, terminals, st.sampled_from([EPSILON, EMPTY_SET]))
    return st.recursive(leaves, lambda below: _compound(below, windows), max_leaves=8)


def _compound(
    below: st.SearchStrategy[Expression], windows: st.SearchStrategy[Window]
) -> st.SearchStrategy[Expression]:
    several = st.lists(below, min_size=2, max_size=3).map(tuple)
    parts = st.lists(below, min_size=1, max_size=3).map(tuple)
    unmarked = below.map(_unmarked)
    return st.one_of(
        *(below.map(kind) for kind in (Star, Plus, Optional)),
        st.tuples(below, st.integers(0, 3), st.none() | st.integers(0, 3)).map(_repeat),
        several.map(Union),
        several.map(Concatenation),
        st.tuples(below, below).map(_intersection),
        *(parts.map(kind) for kind in (SkipTillAny, SkipTillNext)),
        *(unmarked.map(kind) for kind in (Negation, Absent)),
        *[st.builds(Windowed, below, windows)] * 4,
    )


def _repeat(drawn: tuple[Expression, int, int | None]) -> Expression:
    body, minimum, more = drawn
    return Repeat(body, minimum, None if more is None else minimum + more)


def _intersection(sides: tuple[Expression, Expression]) -> Expression:
    try:
        return Intersection(*sides)
    except PatternError:  # they share a register
        return Union(sides)


def _unmarked(expression: Expression) -> Expression:
    def skipped(node: Node) -> Node:
        return Terminal(node.condition, Output.SKIP, node.write) if isinstance(node, Terminal) else node

    found = transform(expression, skipped)
    assert isinstance(found, Expression)
    return found


PARAMETERS = (("x",), ("x", "y"), (HEAD,), (HEAD, "y"), ("y", "where"), ("my register", "x"))
parameters = st.sampled_from(PARAMETERS)
bodies = {chosen: conditions(st.sampled_from(chosen)) for chosen in PARAMETERS}
called = st.one_of(names, st.sampled_from([*BUILT_IN, "EqualId", "TypeIsB"])).filter(
    lambda name: name not in ("Rises", "Flat")
)


@st.composite
def definitions(draw: st.DrawFn) -> dict[int, Relation | Definition]:
    """Relations by arity: Python's, or definitions that may rest on one another."""
    known: dict[int, Relation | Definition] = {1: FLAT, 2: RISES}
    for name in draw(st.lists(called, max_size=3, unique=True)):
        chosen = draw(parameters)
        body = _relating(draw(bodies[chosen]), known)
        known[len(chosen)] = Definition(name, chosen, body)
    return known


def _relating(condition: N, known: dict[int, Relation | Definition]) -> N:
    """`condition` with known relations for those that stand for any of their arity."""

    def related(node: Node) -> Node:
        is_any = isinstance(node, Apply) and node.relation in ANY_RELATION.values()
        return Apply(known[len(node.arguments)], node.arguments) if is_any else node

    return transform(condition, related)


written = st.none() | st.sampled_from(["r1", "r2", "where"]) | registers
terminals = st.builds(Terminal, conditions(variables), st.sampled_from(Output), written)
any_expressions = expressions(terminals)
partitions = st.lists(names, max_size=2, unique=True).map(tuple)


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    """Any pattern that can be written as text; every register that is read is written somewhere."""
    expression = _relating(draw(any_expressions), draw(definitions()))
    read = {r for n in walk(expression) if isinstance(n, Terminal) for r in registers_read(n.condition)}
    missing = sorted(read - registers_written(expression))
    whole = sequence(expression, *(skip(write=register) for register in missing))
    return Pattern(whole, draw(partitions))


@given(patterns())
def test_a_pattern_is_read_back_from_its_text(pattern: Pattern) -> None:
    for notation, ascii in STYLES:
        text = show(pattern, notation=notation, ascii=ascii)
        read = parse(text, relations=[RISES, FLAT])
        assert read == pattern
        assert show(read, notation=notation, ascii=ascii) == text
        assert not ascii or text.isascii()


@given(patterns())
def test_spaces_and_comments_say_nothing(pattern: Pattern) -> None:
    pieces = QUOTED.split(show(pattern))
    spaced = (re.sub(r"(?<!partition) ", "  # so ↑ ' ` \n\t", piece) for piece in pieces[::2])
    quoted = (*pieces[1::2], "")
    text = "".join(outside + inside for outside, inside in zip(spaced, quoted, strict=True))
    assert parse(text, relations=[RISES, FLAT]) == pattern


@pytest.mark.parametrize("notation", ["paper", "readable"])
@given(pattern=patterns())
def test_every_pair_of_parentheses_is_needed(notation: str, pattern: Pattern) -> None:
    text = show(pattern, notation=notation)
    for start, end in _parentheses(text):
        without = f"{text[:start]} {text[start + 1 : end]} {text[end + 1 :]}"
        read = None
        with contextlib.suppress(MnemataError):
            read = parse(without, relations=[RISES, FLAT], notation=notation)
        assert read != pattern, without


QUOTED = re.compile(r"('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)")
TERMINAL = re.compile(r" ↑ [•⊗](?: ↓ \w+)?$")


def _parentheses(text: str) -> list[tuple[int, int]]:
    """The pairs that group, rather than belong to a name before them.

    Left out are those that the paper's custom asks for: around a terminal that is an operand, and around
    its condition.
    """
    blank = QUOTED.sub(lambda found: "q" * len(found[0]), text)
    opened: list[int] = []
    pairs: list[tuple[int, int]] = []
    for place, sign in enumerate(blank):
        if sign == "(":
            opened.append(place)
        elif sign == ")":
            start = opened.pop()
            custom = TERMINAL.search(blank[start + 1 : place]) or blank.startswith(" ↑", place + 1)
            if not custom and not re.search(r"[\w↻@]$", blank[:start]):
                pairs.append((start, place))
    return pairs


# With a schema.

events = st.sampled_from(["BUY", "SELL", "buy order", "where", "any"])
typed_atoms = st.one_of(
    events.map(lambda kind: Comparison("=", Attribute(HEAD, "type"), Constant(kind))),
    events.map(lambda kind: Comparison("!=", Attribute(HEAD, "type"), Constant(kind))),
    st.floats(allow_nan=False).map(lambda x: Comparison("<", Attribute(HEAD, "price"), Constant(x))),
    st.integers(0, 99).map(lambda x: Comparison(">=", Attribute("s", "volume"), Constant(x))),
    st.sampled_from(["INTC", "it's"]).map(lambda x: Membership(Attribute(HEAD, "name"), (Constant(x),))),
    st.booleans().map(lambda x: Comparison("=", Attribute(HEAD, "where"), Constant(x))),
    st.integers(0, 99).map(
        lambda x: Comparison("<", Arithmetic("-", Time(HEAD), Attribute("s", "at")), Duration(x, "s"))
    ),
    st.sampled_from([TOP, BOTTOM]),
)
typed_conditions = st.recursive(typed_atoms, _boolean, max_leaves=4)
seconds = st.integers(1, 99).map(lambda amount: TimeWindow(Duration(amount, "s")))
typed = st.builds(Terminal, typed_conditions, st.sampled_from(Output), st.none() | st.just("s"))


@given(expressions(typed, seconds))
def test_with_a_schema_event_types_are_read_back(expression: Expression) -> None:
    pattern = Pattern(expression >> skip(write="s"), ("name",))
    for notation, ascii in STYLES:
        text = show(pattern, notation=notation, ascii=ascii, schema=SCHEMA)
        assert parse(text, schema=SCHEMA) == pattern
        assert show(parse(text, schema=SCHEMA), notation=notation, ascii=ascii, schema=SCHEMA) == text


@given(expressions(typed))
def test_what_is_read_under_a_schema_can_be_bound_to_it(expression: Expression) -> None:
    pattern = Pattern(expression >> skip(write="s"))
    assert _refusal(lambda: parse(show(pattern, schema=SCHEMA), schema=SCHEMA)) == _refusal(
        lambda: bound(pattern, SCHEMA)
    )


def _refusal(make: Callable[[], Pattern]) -> type[Exception] | None:
    """The kind of error that is raised, such as for windows finer than the timestamps."""
    try:
        make()
    except MnemataError as error:
        return type(error)
    return None


# What is not a pattern.


@given(
    patterns(),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.sampled_from(list(" ()*+;,|&^o.~'`{}<=#\\\n")),
)
def test_a_damaged_text_gives_a_pattern_or_an_error_with_its_place(
    pattern: Pattern, at: int, length: int, sign: str
) -> None:
    for notation in ("paper", "readable"):
        text = show(pattern, notation=notation)
        start = at % (len(text) + 1)
        damaged = text[:start] + sign + text[start + length % 3 :]
        _read_or_refuse(damaged)


@given(st.text(st.characters(), max_size=30))
def test_any_text_gives_a_pattern_or_an_error(text: str) -> None:
    _read_or_refuse(text)


def _read_or_refuse(text: str) -> None:
    error = None
    try:
        parse(text, relations=[RISES, FLAT])
    except PatternError as refused:
        error = refused
    if isinstance(error, PatternSyntaxError):
        lines = text.split("\n")
        assert 1 <= error.line <= len(lines)
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    assert error is None or re.search(r"at line \d+ column \d+", str(error)), error


@given(patterns())
@settings(max_examples=50)
def test_every_node_has_a_place_inside_the_text(pattern: Pattern) -> None:
    located = parse_located(show(pattern), relations=[RISES, FLAT])
    lines = located.text.split("\n")
    for node in walk(located.pattern.expression):
        place = located.place(node)
        assert place is not None, node
        line, column = place
        assert 1 <= column <= len(lines[line - 1])
