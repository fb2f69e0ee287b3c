"""Arrays of Arrow as arrays of NumPy, and the other way round, in the same memory.

Arrow's own conversions import pandas wherever it is installed, which takes more time and memory than most
searches.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

_TICKS: Final = np.dtype(np.int64)


def numbers(data: pa.ChunkedArray[Any] | pa.Array[Any]) -> npt.NDArray[Any]:
    """Numbers, truth values or timestamps of Arrow, as they are; entries are meaningless where one is null.

    They are copied only where they lie in several chunks, or in bits. Timestamps are int64 numbers of ticks.

    Examples
    --------
    >>> numbers(pa.chunked_array([[1, 2], [3]])), numbers(pa.array([True, False]))
    (array([1, 2, 3]), array([ True, False]))
    """
    chunks = data.chunks if isinstance(data, pa.ChunkedArray) else [data]
    parts = [_numbers(chunk) for chunk in chunks]
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, _dtype(data.type)), *parts])


def _numbers(data: pa.Array[Any]) -> npt.NDArray[Any]:
    if pa.types.is_boolean(data.type):
        return _numbers(pc.cast(data, pa.uint8())).view(np.bool_)
    dtype, buffer = _dtype(data.type), data.buffers()[1]
    if not len(data) or buffer is None:
        return np.zeros(len(data), dtype)
    return np.frombuffer(memoryview(buffer), dtype, len(data), data.offset * dtype.itemsize)


def _dtype(kind: pa.DataType) -> np.dtype[Any]:
    return _TICKS if pa.types.is_timestamp(kind) else np.dtype(kind.to_pandas_dtype())  # it means NumPy's


def arrow(values: npt.NDArray[Any], missing: npt.NDArray[np.bool_] | None = None) -> pa.Array[Any]:
    """Numbers or truth values of NumPy, of shape (n,); null where `missing`, of the same shape.

    Examples
    --------
    >>> arrow(np.array([1, 2]), np.array([False, True])).to_pylist()
    [1, None]
    """
    data = _bits(values) if values.dtype == np.bool_ else _buffer(values)
    present = None if missing is None else _bits(~missing)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [present, data])


def _bits(truth: npt.NDArray[np.bool_]) -> pa.Buffer:
    return _buffer(np.packbits(truth, bitorder="little"))


def _buffer(values: npt.NDArray[Any]) -> pa.Buffer:
    contiguous: Any = np.ascontiguousarray(values)
    return pa.py_buffer(contiguous)


def whole(data: pa.ChunkedArray[Any]) -> pa.Array[Any]:
    """All chunks as one array.

    >>> whole(pa.chunked_array([[1], [2, None]])).to_pylist()
    [1, 2, None]
    """
    return pa.concat_arrays(data.chunks) if data.num_chunks else pa.nulls(0, data.type)


def repeated(text: str, times: int) -> pa.Array[Any]:
    """A text, so many times.

    >>> repeated("rise", 2).to_pylist()
    ['rise', 'rise']
    """
    encoded = text.encode()
    bounds = np.arange(times + 1) * len(encoded)
    if bounds[-1] > np.iinfo(np.int32).max:
        raise ValueError(
            f"a text of {len(encoded):,} bytes, {times:,} times, is too long for one array; make less at once"
        )
    buffers = [None, _buffer(bounds.astype(np.int32)), pa.py_buffer(encoded * times)]
    return pa.Array.from_buffers(pa.string(), times, buffers)
