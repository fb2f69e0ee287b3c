"""Core-CEPL and SREMO, one as the other: examples, and what is outside the fragments."""

from __future__ import annotations

import pytest

from mnemata.theory.cepl.query import Query
from mnemata.theory.errors import LimitError, UnknownEventTypeError, UnsupportedError
from mnemata.theory.schema import Category, Int64, Schema, String
from mnemata.theory.syntax import parse, parse_cepl, show, show_cepl
from mnemata.theory.translation import query_of, sremo_of

SENSORS = Schema.of(type=Category(("T", "H")), id=Int64(), value=Int64(), event_type="type")
OPEN = Schema.of(type=String(), id=Int64(), event_type="type")


@pytest.mark.parametrize(
    ("cepl", "sremo"),
    [
        ("T AS x", "T"),
        ("T AS x; H AS y FILTER x.id = y.id", "any(T as x, H where x.id = id)"),
        ("T AS x; H AS y FILTER x.id = 1 and y.id = 2", "any(T as x, H where x.id = 1 and id = 2)"),
        ("(T AS x FILTER x.id = 1); H AS y", "any(T where id = 1, H)"),
        ("(T AS x)+; H AS y WINDOW 4", "any(any(T+), H) within 4 events"),
        ("(T AS x OR H AS x); H AS y FILTER x.id = y.id", "any(T as x | H as x, H where x.id = id)"),
        ("(T AS x; H AS y FILTER x.id = y.id)+", "any(any(T as x, H where x.id = id)+)"),
        ("T AS x; H AS y PARTITION BY id", "any(T, H) partition by id"),
    ],
)
def test_sremo_of_core_cepl(cepl, sremo):
    pattern = sremo_of(parse_cepl(cepl, schema=SENSORS), SENSORS)
    assert show(pattern, schema=SENSORS) == sremo
    assert pattern.partition_by == query_of(pattern, SENSORS).partition_by


def test_names_stay():
    assert sremo_of(Query(parse_cepl("T AS x").expression, (), "pairs"), SENSORS).name == "pairs"
    assert query_of(parse("T", schema=SENSORS), SENSORS).name == "pattern"


@pytest.mark.parametrize(
    ("sremo", "cepl"),
    [
        ("T as x", "T AS x"),
        ("event where id = 1", "(H AS e1 OR T AS e1) FILTER e1.id = 1"),
        ("any(T as x, any(H+), H where id = x.id)", "T AS x; (H AS e1)+; H AS e2 FILTER e2.id = x.id"),
        (
            "any(T as x, H where id = x.id | T)",
            "T AS x; T AS e2 OR T AS x; H AS e1 FILTER e1.id = x.id",
        ),
        ("any(T as e1, H) within 3 events", "T AS e1; H AS e2 WINDOW 3"),
    ],
)
def test_core_cepl_of_sremo(sremo, cepl):
    assert show_cepl(query_of(parse(sremo, schema=SENSORS), SENSORS)) == cepl


@pytest.mark.parametrize(
    ("sremo", "reason"),
    [
        ("T; H", "Concatenation is no operator of core-CEPL"),
        ("any(T, skip H)", "must be passed over"),
        ("any(T, H+)", "repeats without gaps"),
        ("T+", "repeats without gaps"),
        ("any(T, H) & any(T, H)", "Intersection is no operator"),
        ("any(T, H) length 3", "Windowed is no operator"),
        ("any(T*)", "Star is no operator"),
        ("any(T as x, any((H where id = x.id)+))", "a condition over e1, x reads a register"),
        ("any(T where id = x.id, H as x)", "not written before on every way"),
        ("any(T as x | H, H where id = x.id)", "not written before on every way"),
        ("any(T as x, H as x where id = x.id)", "compared with what 'x' held before"),
        ("any(T as x, H as x)", "share the variable 'x'"),
    ],
)
def test_sremo_that_is_no_core_cepl(sremo, reason):
    with pytest.raises(UnsupportedError) as caught:
        query_of(parse(sremo, schema=SENSORS), SENSORS)
    assert reason in str(caught.value)


def test_open_event_types():
    pattern = parse("any(T as x, H where id = x.id)", schema=OPEN)
    assert show_cepl(query_of(pattern, OPEN)) == "T AS x; H AS e1 FILTER e1.id = x.id"
    with pytest.raises(UnsupportedError, match="event type of any string"):
        query_of(parse("event", schema=OPEN), OPEN)


def test_too_many_ways():
    part = "(T where id = x.id | H where id = x.id)"
    with pytest.raises(LimitError, match="in more than 1,000 ways"):
        query_of(parse(f"any(T as x, any({', '.join([part] * 11)}))", schema=SENSORS), SENSORS)


def test_unknown_event_types():
    with pytest.raises(UnknownEventTypeError, match="unknown event type 'S'"):
        sremo_of(parse_cepl("S AS x"), SENSORS)
