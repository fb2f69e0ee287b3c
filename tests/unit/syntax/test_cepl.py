"""Core-CEPL as text: how it binds, and what is said of texts that cannot be read."""

from __future__ import annotations

import sys
import time

import pytest

from mnemata.theory.cepl.expressions import atom
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.formulas import Relation
from mnemata.theory.errors import (
    ConditionTypeError,
    LimitError,
    PatternError,
    PatternSyntaxError,
    UnknownAttributeError,
    UnknownEventTypeError,
    UnknownRelationError,
    UnknownVariableError,
    UnsupportedError,
)
from mnemata.theory.schema import Category, Int64, Schema
from mnemata.theory.syntax import LONGEST_TEXT, parse_cepl, show_cepl

SENSORS = Schema.of(type=Category(("T", "H")), id=Int64(), value=Int64(), event_type="type")
x, y = register("x"), register("y")
T, H = atom("T", "x"), atom("H", "y")
COLD, WARM = x.value < 0, x.value > 50


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("T AS x;H AS y FILTER x.id=y.id", (T >> H).filter(x.id == y.id)),
        ("T AS x; (H AS y FILTER y.id = 1)", T >> H.filter(y.id == 1)),
        ("T AS x FILTER x.value < 0 OR T AS x FILTER x.value > 50", T.filter(COLD) | T.filter(WARM)),
        ("(T AS x OR T AS x) FILTER x.value < 0", (T | T).filter(COLD)),
        ("T AS x FILTER x.value < 0 or x.value > 50", T.filter(COLD | WARM)),
        ("T AS x FILTER x.value < 0 FILTER x.value > 50", T.filter(COLD).filter(WARM)),
        ("T AS x OR T AS x; H AS y", T | (T >> H)),
        ("(T AS x)+; H AS y", T.plus() >> H),
        ("T AS x+", T.plus()),
        ("(T AS x)++", T.plus().plus()),
        ("T AS x OR H AS y WINDOW 3", (T | H).window(3)),
        ("T AS x WINDOW 3 WINDOW 2", T.window(3).window(2)),
        ("(T AS x WINDOW 3); H AS y", T.window(3) >> H),
        ("\ufeffT AS x # all of them\n", T),
    ],
)
def test_how_it_binds(text, expression):
    assert parse_cepl(text, schema=SENSORS).expression == expression
    assert parse_cepl(show_cepl(expression)).expression == expression


def test_definitions_and_relations():
    rises = Relation("Rises", 2, lambda a, b: a["value"] < b["value"], attributes=("value",))
    text = "let Same(a, b) := a.id = b.id;\nT AS x; H AS y FILTER Same(x, y) and Rises(x, y)"
    query = parse_cepl(text, schema=SENSORS, relations=[rises])
    assert show_cepl(query) == text
    assert show_cepl(query.expression.condition) == "Same(x, y) and Rises(x, y)"


def test_partitions():
    assert parse_cepl("T AS x PARTITION BY id, value").partition_by == ("id", "value")
    assert parse_cepl("T AS x partition by id").partition_by == ("id",)


MISTAKES = [
    ("T AS x or H AS y", PatternSyntaxError, "unexpected 'or' at line 1 column 8", "it is written 'OR'"),
    ("T as x", PatternSyntaxError, "unexpected 'as' at line 1 column 3", "it is written 'AS'"),
    ("T AS x filter x.id = 1", PatternSyntaxError, "unexpected 'filter'", "it is written 'FILTER'"),
    ("T AS x window 3", PatternSyntaxError, "unexpected 'window'", "it is written 'WINDOW'"),
    ("T; H AS y", PatternSyntaxError, "unexpected ';' at line 1 column 2; expected 'AS'", ""),
    ("T AS x;", PatternSyntaxError, "unexpected end of the pattern", ""),
    ("(T AS x", PatternSyntaxError, "'('", ""),
    ("T AS x FILTER x.id = 1; H AS y", PatternSyntaxError, "';' after a filter", "(... FILTER ...); ..."),
    ("(T AS x FILTER x.id = 1+)", PatternSyntaxError, "unexpected", ""),
    ("T AS x FILTER x", PatternSyntaxError, "'x' is no condition at line 1 column 15", "x.price > 1"),
    ("T AS x FILTER x = 3", PatternSyntaxError, "'x' is a variable, not a value", "x.price"),
    ("T AS x FILTER x.id", ConditionTypeError, "this is a value, not a condition at line 1 column 15", ""),
    ("T AS x FILTER ~.id = 1", PatternError, "~ is none at line 1 column 15", "name the variable"),
    ("T AS x FILTER true", PatternError, "reads no variable at line 1 column 15", ""),
    ("T AS x FILTER 1 = 1", PatternError, "reads no variable", ""),
    ("T AS x WINDOW 0", PatternError, "at least 1", ""),
    ("T AS x WINDOW 2.5", PatternSyntaxError, "unexpected '.' at line 1 column 16", ""),
    ("T AS x WINDOW 99999999999999999999", ConditionTypeError, "does not fit 64 bits", ""),
    ("S AS x", UnknownEventTypeError, "unknown event type 'S' at line 1 column 1", "has H, T"),
    ("T AS x FILTER x.sensor = 1", UnknownAttributeError, "'sensor' at line 1 column 17", ""),
    ("T AS x FILTER Same(x)", UnknownRelationError, "unknown relation 'Same'", "none is declared"),
    ("T AS x FILTER x.id = 'a'", ConditionTypeError, "cannot compare", ""),
    ("T AS x PARTITION BY sensor", UnknownAttributeError, "'sensor' at line 1 column 21", ""),
    ("T AS x PARTITION BY id, id", PatternError, "partition by names 'id' twice", ""),
    ("T AS x FILTER y.id = 1", UnknownVariableError, "variable 'y' that is read at line 1 column 15", "AS y"),
    (
        "(T AS x FILTER x.id = 1); (T AS x2 OR H AS y2) FILTER x.id = 1 and y2.id = x.id",
        UnknownVariableError,
        "variable 'y2' that is read at line 1 column 68",
        "in an OR or an iteration only",
    ),
    ("", PatternSyntaxError, "the pattern is empty", ""),
]


@pytest.mark.parametrize(("text", "kind", "said", "remedy"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_mistakes(text, kind, said, remedy):
    with pytest.raises(kind) as caught:
        parse_cepl(text, schema=SENSORS)
    assert said in str(caught.value)
    assert remedy in str(caught.value)


def test_what_is_not_bounded_is_shown_where_it_is():
    text = "(T AS x\n FILTER x.id = 1 and x.id = y.id)+; H AS y"
    parse_cepl(text, schema=SENSORS)
    with pytest.raises(UnsupportedError) as caught:
        parse_cepl(text, schema=SENSORS, bounded=True)
    message = str(caught.value)
    assert "the filter reads 'y', which is bound outside of what it filters at line 2 column 29" in message
    assert "it would be bounded if 'y' was bound in the same round" in message
    assert message.endswith("\n   FILTER x.id = 1 and x.id = y.id)+; H AS y\n" + " " * 30 + "^")


def test_shared_variables_are_shown_at_the_sequence():
    with pytest.raises(UnsupportedError, match=r"share the variable 'x' at line 1 column 18; rename 'x'"):
        parse_cepl("T AS y; (T AS x; T AS x)", schema=SENSORS, bounded=True)


def test_nesting_and_length():
    depth = 5_000
    chain = " OR H AS y; H AS z)" * depth
    for text in ("(" * depth + "T AS x" + ")+" * depth, "(" * depth + "T AS x" + chain):
        assert sys.getrecursionlimit() < depth
        started = time.process_time()
        query = parse_cepl(text)
        assert parse_cepl(show_cepl(query)) == query
        assert time.process_time() - started < 8
    with pytest.raises(LimitError):
        parse_cepl("T AS x" + " " * LONGEST_TEXT)


def test_only_text_is_read():
    with pytest.raises(PatternError, match="a pattern is read from a string"):
        parse_cepl(3)
