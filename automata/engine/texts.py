"""Text as small integers: equal texts have equal codes, in whatever column they stand."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Codes: TypeAlias = npt.NDArray[np.int32]


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

    def code(self, text: str) -> int:
        """The code of a text; a new one when it was not seen before."""
        code = self._codes.setdefault(text, len(self._texts))
        if code == len(self._texts):
            self._texts.append(text)
        return code

    def text(self, code: int) -> str:
        """The text of a code."""
        return self._texts[code]

    def encode(
        self, data: pa.ChunkedArray[Any]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_] | None]:
        """Codes of a column of text (int32) and where it is missing (``None``: nowhere)."""
        if pa.types.is_null(data.type):
            return np.zeros(len(data), np.int32), np.ones(len(data), np.bool_)
        parts = [self._encode(chunk) for chunk in _dictionaries(data)]
        codes = np.concatenate([np.zeros(0, np.int32), *parts])
        missing = codes < 0
        return (np.where(missing, 0, codes).astype(np.int32), missing) if missing.any() else (codes, None)

    def _encode(self, chunk: Any) -> Codes:
        """Codes of a chunk, -1 where it is missing; a dictionary may hold nulls and repeat itself."""
        texts = chunk.dictionary.to_pylist()
        table = np.array([-1 if text is None else self.code(text) for text in texts] + [-1], np.int32)
        indices: Any = pc.cast(chunk.indices, pa.int64())
        places = pc.fill_null(indices, len(texts))
        codes: Codes = table[places.to_numpy(zero_copy_only=False)]
        return codes


def _dictionaries(data: pa.ChunkedArray[Any]) -> list[Any]:
    """The chunks as dictionary arrays."""
    encoded = data if isinstance(data.type, pa.DictionaryType) else pc.dictionary_encode(data)
    return list(encoded.chunks)
