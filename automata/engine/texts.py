"""Text as small integers: equal texts have equal codes, in whatever column they stand."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.automata.engine.compiled.jit import frozen
from mnemata.automata.engine.compiled.scans import translate

Codes: TypeAlias = npt.NDArray[np.int8] | npt.NDArray[np.int32]

MOST_IN_A_BYTE: Final = 128
"""With no more texts than these, their codes are bytes: there is less to write and to read."""


class Texts:
    """A growing table of texts and their codes.

    Examples
    --------
    >>> texts = Texts()
    >>> codes, missing = texts.encode(pa.chunked_array([["b", "a", "b", None]]))
    >>> codes.tolist(), missing.tolist(), texts.code("a"), texts.text(0)
    ([0, 1, 0, 0], [False, False, False, True], 1, 'b')
    """

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._texts: list[str] = []

    @property
    def all(self) -> tuple[str, ...]:
        """The texts in the order of their codes."""
        return tuple(self._texts)

    @property
    def size(self) -> int:
        """How many texts have a code."""
        return len(self._texts)

    def code(self, text: str) -> int:
        """The code of a text; a new one when it was not seen before."""
        code = self._codes.setdefault(text, len(self._texts))
        if code == len(self._texts):
            self._texts.append(text)
        return code

    def text(self, code: int) -> str:
        """The text of a code."""
        return self._texts[code]

    def encode(self, data: pa.ChunkedArray[Any]) -> tuple[Codes, npt.NDArray[np.bool_] | None]:
        """Codes of a column of text (int8 or int32) and where it is missing (``None``: nowhere)."""
        if pa.types.is_null(data.type):
            return np.zeros(len(data), np.int32), np.ones(len(data), np.bool_)
        chunks = _dictionaries(data)
        parts = [self._encode(chunk) for chunk in chunks]
        codes = parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, np.int32), *parts])
        if not data.null_count and not any(chunk.dictionary.null_count for chunk in chunks):
            return codes, None
        missing = codes < 0
        return (np.where(missing, np.int32(0), codes), missing) if missing.any() else (codes, None)

    def _encode(self, chunk: Any) -> Codes:
        """Codes of a chunk, -1 where it is missing; a dictionary may hold nulls and repeat itself."""
        texts = chunk.dictionary.to_pylist()
        known = [-1 if text is None else self.code(text) for text in texts]
        table = np.array([*known, -1], np.int8 if self.size <= MOST_IN_A_BYTE else np.int32)
        indices = chunk.indices
        if chunk.indices.null_count:
            indices = pc.fill_null(pc.cast(indices, pa.int64()), len(texts))
        codes: Codes = indices.to_numpy(zero_copy_only=False)
        if codes.dtype == np.int32 and np.array_equal(table[:-1], np.arange(len(texts))):
            return codes
        translated = np.empty(len(codes), table.dtype)
        translate(frozen(codes), frozen(table), translated)
        return translated


def _dictionaries(data: pa.ChunkedArray[Any]) -> list[Any]:
    """The chunks as dictionary arrays."""
    encoded = data if isinstance(data.type, pa.DictionaryType) else pc.dictionary_encode(data)
    return list(encoded.chunks)
