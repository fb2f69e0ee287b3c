"""CSV: a header line with the names, then one row in each line.

Cells may be quoted with ``"`` (doubled inside); a line break inside quotes is not supported, its row is
faulty. An empty cell is a missing value.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.pipeline.sources.casting import Places, Texts, mask_of, picked
from mnemata.pipeline.sources.columns import Column, TextColumn
from mnemata.pipeline.sources.event_text import without_missing
from mnemata.pipeline.sources.faults import Faults
from mnemata.theory.errors import SourceError

BAD_QUOTES: Final = "quotes that do not end in this line, or end inside a cell"


@dataclass(frozen=True, slots=True)
class CsvText:
    """Lines of cells.

    Parameters
    ----------
    names : tuple of str
        The header.
    delimiter : str
        What separates cells.
    missing : frozenset of str
        Cells that mean a missing value, besides the empty one.
    """

    names: tuple[str, ...]
    delimiter: str = ","
    missing: frozenset[str] = frozenset()

    def fields(self, lines: Texts, faults: Faults, declared: Collection[str] | None) -> Mapping[str, Column]:
        """Fields of each line, by name; see `mnemata.pipeline.sources.formats.TextFormat`."""
        width = len(self.names)
        cells = pc.split_pattern(lines, self.delimiter)
        simple = ~mask_of(pc.match_substring(lines, '"'))
        fitting = mask_of(pc.equal(pc.list_value_length(cells), pa.scalar(width))) & simple & ~faults.mask
        quoted = self._quoted(lines, np.flatnonzero(~(simple | faults.mask)), faults)
        self._check_width(cells, simple & ~fitting, faults)
        flat = pa.concat_arrays([cells.filter(pa.array(fitting)).flatten(), quoted.flat])
        place = np.full(len(lines), -1, dtype=np.int64)
        rows = np.concatenate([np.flatnonzero(fitting), quoted.rows])
        place[rows] = np.arange(len(rows)) * width
        return {
            name: TextColumn(
                without_missing(picked(flat, np.where(place < 0, place, place + i)), self.missing)
            )
            for i, name in enumerate(self.names)
            if declared is None or name in declared
        }

    def _quoted(self, lines: Texts, rows: Places, faults: Faults) -> _Cells:
        kept: list[int] = []
        flat: list[str] = []
        for row in map(int, rows):
            try:
                cells = split_line(str(lines[row]), self.delimiter)
            except csv.Error:
                faults.add_one(row, BAD_QUOTES)
                continue
            if len(cells) == len(self.names):
                kept.append(row)
                flat += cells
            else:
                faults.add_one(row, self._wrong_width, f"{len(cells)} cells")
        return _Cells(np.array(kept, dtype=np.int64), pa.array(flat, pa.string()))

    def _check_width(self, cells: pa.Array, wrong: np.ndarray, faults: Faults) -> None:  # type: ignore[type-arg]
        widths = pc.list_value_length(cells)
        faults.add(wrong, self._wrong_width, lambda row: f"{widths[row]} cells")

    @property
    def _wrong_width(self) -> str:
        return f"not {len(self.names)} cells as in the header"


@dataclass(frozen=True, slots=True)
class _Cells:
    rows: Places
    flat: Texts


def split_line(line: str, delimiter: str) -> list[str]:
    """The cells of a line; raises `csv.Error` where quotes do not fit.

    >>> split_line('a,"b ""c"", d"', ",")
    ['a', 'b "c", d']
    """
    return next(csv.reader([line], delimiter=delimiter, strict=True), [])


def header_of(line: bytes, delimiter: str, file: str) -> tuple[str, ...]:
    """The names in a header line; raises `SourceError` when it cannot be one."""
    try:
        text = line.decode("utf-8-sig")
        names = tuple(split_line(text, delimiter)) if text.replace(delimiter, "").isprintable() else ()
    except (UnicodeDecodeError, csv.Error):
        names = ()
    if not any(names):
        raise SourceError(f"'{file}' is not CSV: its first line is not a header of column names in UTF-8")
    for name in names:
        if not name:
            raise SourceError(f"column {names.index('') + 1} of '{file}' has no name in the header line")
        if names.count(name) > 1:
            raise SourceError(f"the header of '{file}' names column '{name}' twice")
    return names
