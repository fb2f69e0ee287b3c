"""Text as small integers: equal texts have equal codes, in whatever column they stand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.automata.engine.arrays import numbers
from mnemata.automata.engine.compiled.jit import frozen
from mnemata.automata.engine.compiled.scans import translate

Codes: TypeAlias = npt.NDArray[np.int8] | npt.NDArray[np.int32]

MOST_IN_A_BYTE: Final = 128
"""With no more texts than these, their codes are bytes: there is less to write and to read."""


class Encoded(NamedTuple):
    """A column of text as integers.

    Parameters
    ----------
    given : integer array of shape (n_rows,)
        Codes, or else places in `meaning`, as they were given.
    missing : bool array of shape (n_rows,), or None
        Where there is no text; ``None``: nowhere.
    meaning : int8 or int32 array, or None
        The codes that `given` points to. What is asked about codes can be asked about these few, and the rows
        be spared a translation.
    """

    given: npt.NDArray[np.integer[Any]]
    missing: npt.NDArray[np.bool_] | None
    meaning: Codes | None


class Texts:
    """A growing table of texts and their codes.

    Examples
    --------
    >>> texts = Texts()
    >>> codes, missing, _ = texts.encode(pa.chunked_array([["b", "a", "b", None]]))
    >>> codes.tolist(), missing.tolist(), texts.code("a"), texts.text(0)
    ([0, 1, 0, 0], [False, False, False, True], 1, 'b')
    """

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._texts = list(known)
        self._codes = {text: code for code, text in enumerate(self._texts)}

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

    def encode(self, data: pa.ChunkedArray[Any]) -> Encoded:
        """The codes of a column of text."""
        if pa.types.is_null(data.type):
            return Encoded(np.zeros(len(data), np.int32), np.ones(len(data), np.bool_), None)
        chunks = _dictionaries(data)
        complete = not data.null_count and not any(chunk.dictionary.null_count for chunk in chunks)
        if complete and len(chunks) == 1:
            return Encoded(numbers(chunks[0].indices), None, self._meaning(chunks[0]))
        parts = [self._codes_of(chunk) for chunk in chunks]
        codes = parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, np.int32), *parts])
        missing = None if complete else codes < 0
        if missing is None or not missing.any():
            return Encoded(codes, None, None)
        return Encoded(np.where(missing, np.int32(0), codes), missing, None)

    def _meaning(self, chunk: Any) -> Codes:
        """The codes of a dictionary, which may hold nulls and repeat itself; and -1 for what is missing."""
        known = [-1 if text is None else self.code(text) for text in chunk.dictionary.to_pylist()]
        known.append(-1)
        narrow = self.size <= MOST_IN_A_BYTE
        return np.array(known, np.int8) if narrow else np.array(known, np.int32)

    def _codes_of(self, chunk: Any) -> Codes:
        """Codes of a chunk, -1 where it is missing."""
        meaning, indices = self._meaning(chunk), numbers(chunk.indices)
        if chunk.indices.null_count:
            indices = np.where(numbers(pc.is_null(chunk.indices)), len(meaning) - 1, indices.astype(np.int64))
        return translated(indices, meaning)


def translated(indices: npt.NDArray[np.integer[Any]], meaning: Codes) -> Codes:
    """What each index stands for."""
    codes: Codes = np.empty_like(meaning, shape=len(indices))
    translate(frozen(indices), frozen(meaning), codes)
    return codes


def _dictionaries(data: pa.ChunkedArray[Any]) -> list[Any]:
    """The chunks as dictionary arrays."""
    encoded = data if isinstance(data.type, pa.DictionaryType) else pc.dictionary_encode(data)
    return list(encoded.chunks)
