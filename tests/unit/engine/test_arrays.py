"""Arrays of NumPy and of Arrow in the same memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mnemata.automata.engine.arrays import arrow, numbers, repeated

KINDS = (np.bool_, np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float16, np.float32, np.float64)


@st.composite
def some(draw: st.DrawFn) -> npt.NDArray[Any]:
    shape = draw(st.integers(0, 20))
    return draw(arrays.arrays(draw(st.sampled_from(KINDS)), shape))


@given(some(), st.data())
def test_both_ways_are_those_of_arrow(values: npt.NDArray[Any], data: st.DataObject) -> None:
    missing = data.draw(st.none() | arrays.arrays(np.bool_, len(values)))
    made, wanted = arrow(values, missing), pa.array(values, mask=missing)
    made.validate(full=True)
    # Text, since NaN is not equal to itself.
    assert made.type == wanted.type
    assert str(made.to_pylist()) == str(wanted.to_pylist())
    begin = data.draw(st.integers(0, len(values)))
    cut = data.draw(st.integers(begin, len(values)))
    present = np.ones(cut - begin, np.bool_) if missing is None else ~missing[begin:cut]
    for pieces in (
        made.slice(begin, cut - begin),
        pa.chunked_array([made[begin:cut]]),
        two(made, begin, cut),
    ):
        found = numbers(pieces)
        assert found.dtype == values.dtype
        np.testing.assert_array_equal(found[present], values[begin:cut][present])


def two(made: pa.Array[Any], begin: int, cut: int) -> pa.ChunkedArray[Any]:
    middle = (begin + cut) // 2
    return pa.chunked_array([made[begin:middle], made[middle:cut]])


def test_numbers_are_not_copied() -> None:
    values = np.arange(5)
    assert np.shares_memory(values, numbers(arrow(values)))


@pytest.mark.parametrize("kind", [pa.int64(), pa.float32(), pa.bool_()], ids=str)
def test_no_chunks_and_nothing_but_nulls(kind: pa.DataType) -> None:
    none: pa.ChunkedArray[Any] = pa.chunked_array([], kind)
    assert numbers(none).dtype == numbers(pa.nulls(2, kind)).dtype
    assert len(numbers(none)) == 0
    assert len(numbers(pa.nulls(2, kind))) == 2


@pytest.mark.parametrize("text", ["", "rise", "Ανάβαση 📈"])
@pytest.mark.parametrize("times", [0, 1, 3])
def test_repeated(text: str, times: int) -> None:
    made = repeated(text, times)
    made.validate(full=True)
    assert made.equals(pa.array([text] * times, pa.string()))


def test_repeated_too_often() -> None:
    with pytest.raises(ValueError, match=r"a text of 4,000 bytes, 600,000 times, is too long"):
        repeated("rise" * 1000, 600_000)
