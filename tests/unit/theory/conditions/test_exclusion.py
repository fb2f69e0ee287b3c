"""Conditions that exclude each other by the texts that they ask for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.evaluation import Valuation, models
from mnemata.theory.conditions.formulas import Condition, Not
from mnemata.theory.conditions.simplification import exclude_by_text
from mnemata.theory.conditions.terms import Register
from mnemata.theory.schema import Int64, Schema, String

SCHEMA = Schema.of(name=String(), kind=String(), size=Int64())
NAME, KIND, SIZE = head().name, head().kind, head().size
ATOMS = (
    NAME == "a",
    NAME == "b",
    NAME.isin(["a", "b"]),
    NAME.isin([]),
    KIND == "a",
    NAME != "a",
    SIZE == 1,
    SIZE.isin([1, 2]),
    NAME == KIND,
    register("r").name == "b",
    Not(NAME == "a"),
)


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    one, other = draw(st.sampled_from(ATOMS)), draw(st.sampled_from(ATOMS))
    return draw(st.sampled_from((one, one & other, one | other)))


@given(conditions(), conditions())
def test_no_event_satisfies_what_is_said_to_exclude_each_other(one: Condition, other: Condition) -> None:
    if exclude_by_text(one, other):
        values = [(n, k, s) for n in ("a", "b", None) for k in ("a", "b", None) for s in (1, None)]
        events = list(SCHEMA.stream(values))
        for event in events:
            for held in events:
                filled = Valuation(((Register("r"), held),))
                assert not (models(event, filled, one) and models(event, filled, other))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (NAME == "a", NAME == "b", True),
        (SIZE.isin([1]) & (NAME == "a"), NAME.isin(["b", "c"]) & (KIND == "a"), True),
        (NAME == "a", NAME.isin(["a", "b"]), False),
        (NAME == "a", KIND == "b", False),
        (NAME == "a", register("r").name == "b", False),
        (NAME == "a", Not(NAME == "a"), False),
        ((NAME == "a") | (NAME == "c"), NAME == "b", False),
    ],
    ids=str,
)
def test_what_is_seen(one: Condition, other: Condition, expected: bool) -> None:
    assert exclude_by_text(one, other) is expected
    assert exclude_by_text(other, one) is expected
