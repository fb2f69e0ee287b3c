"""Which texts are values of which types."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemata.pipeline.sources.casting import cast_texts
from mnemata.theory.errors import SchemaError
from mnemata.theory.schema import (
    AttributeDeclaration,
    AttributeType,
    Bool,
    Category,
    Float64,
    Int64,
    String,
    Timestamp,
    normalise,
)

SECOND = 1_000
DAY = 86_400 * SECOND

GOOD: list[tuple[AttributeType, str | None, object]] = [
    (Int64(), "0", 0),
    (Int64(), " -12 ", -12),
    (Int64(), "+7", 7),
    (Int64(), "007", 7),
    (Int64(), "9223372036854775807", 2**63 - 1),
    (Int64(), "-9223372036854775808", -(2**63)),
    (Int64(), None, None),
    (Float64(), "27.8500", 27.85),
    (Float64(), "+.5", 0.5),
    (Float64(), "5.", 5.0),
    (Float64(), "1e-400", 0.0),
    (Float64(), "-1E3", -1000.0),
    (Float64(), "-Infinity", -math.inf),
    (Float64(), "inf", math.inf),
    (Bool(), "TRUE", True),
    (Bool(), "false", False),
    (String(), " x ", " x "),
    (Category(("a", "b")), "a", "a"),
    (Timestamp("ms"), "1500", 1500),
    (Timestamp("ms"), "1970-01-02", DAY),
    (Timestamp("ms"), "1970-01-02T00:00:01.5Z", DAY + 1500),
    (Timestamp("ms"), "1970-01-02 02:00:00+02:00", DAY),
    (Timestamp("s"), "1970-01-01T00:01", 60),
    (Timestamp("ns"), "1970-01-01T00:00:00.000000001", 1),
]
BAD: list[tuple[AttributeType, str]] = [
    (Int64(), "9223372036854775808"),
    (Int64(), "1.0"),
    (Int64(), "1_000"),
    (Int64(), "0x10"),
    (Int64(), "--1"),
    (Int64(), ""),
    (Int64(), "٣"),
    (Float64(), "1e400"),
    (Float64(), "abc"),
    (Float64(), "1,5"),
    (Float64(), "1d"),
    (Bool(), "yes"),
    (Category(("a", "b")), "A"),
    (Timestamp("ms"), "2013-02-30"),
    (Timestamp("ms"), "2013-01-01T00:00:00.0001"),
    (Timestamp("ms"), "yesterday"),
    (Timestamp("ns"), "9999-01-01"),
]


def name(case: tuple[AttributeType, *tuple[object, ...]]) -> str:
    return f"{case[0]}:{case[1]}"


@pytest.mark.parametrize("case", GOOD, ids=name)
def test_texts_that_are_values(case: tuple[AttributeType, str | None, object]) -> None:
    kind, text, value = case
    values, wrong = cast_texts(pa.array([text], pa.string()), kind)
    assert not wrong.any()
    assert values.to_pylist() == [value]


@pytest.mark.parametrize("case", BAD, ids=name)
def test_texts_that_are_none(case: tuple[AttributeType, str]) -> None:
    values, wrong = cast_texts(pa.array([case[1]], pa.string()), case[0])
    assert wrong.all()
    assert values.null_count == 1


def test_nan_is_a_float_and_means_missing() -> None:
    values, wrong = cast_texts(pa.array(["NaN"], pa.string()), Float64())
    assert not wrong.any()
    assert math.isnan(values[0].as_py())


KINDS = st.sampled_from([kind for kind, *_ in GOOD])
TEXTS = st.one_of(st.none(), st.sampled_from([str(c[1]) for c in [*GOOD, *BAD]]), st.text(max_size=6))


@given(KINDS, st.lists(TEXTS, max_size=12))
@example(Int64(), ["1", "9223372036854775808", "2", "3"])
@example(Timestamp("ms"), ["2013-01-01", "2013-02-30", "2013-01-02T00:00:00.0001Z", "5", "2013-01-03"])
def test_a_text_is_judged_by_itself(kind: AttributeType, texts: list[str | None]) -> None:
    """The batch that a text comes in makes no difference."""
    together, wrong = cast_texts(pa.array(texts, pa.string()), kind)
    alone = [cast_texts(pa.array([text], pa.string()), kind) for text in texts]
    assert np.array_equal(wrong, np.array([bad[0] for _, bad in alone], dtype=bool))
    assert str(together.to_pylist()) == str([value.to_pylist()[0] for value, _ in alone])


@given(KINDS, TEXTS)
@example(Float64(), "1e400")
def test_what_is_cast_is_a_value_of_the_attribute(kind: AttributeType, text: str | None) -> None:
    values, wrong = cast_texts(pa.array([text], pa.string()), kind)
    value = values.to_pylist()[0]
    normalise(value, AttributeDeclaration("x", kind))
    assert (value is None) == (text is None or bool(wrong[0]))
    with pytest.raises(SchemaError):
        normalise("no value", AttributeDeclaration("x", Int64()))
