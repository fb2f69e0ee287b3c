"""Ways in which a Parquet file can be damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow.parquet as pq

_FOOTER: Final = 12
"""Bytes at the end of a file that are not enough for its footer."""


class Damage(NamedTuple):
    """A way to damage a file.

    Parameters
    ----------
    name : str
        What is wrong then.
    apply : callable
        Does it.
    """

    name: str
    apply: Callable[[Path], object]


def _replaced(file: Path) -> None:
    file.write_bytes(b"no Parquet")


def _emptied(file: Path) -> None:
    file.write_bytes(b"")


def _cut(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def _without_footer(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-_FOOTER:-4] = bytes(_FOOTER - 4)
    file.write_bytes(content)


def _with_zeros(file: Path) -> None:
    """In place of the first page of the last column."""
    begin, size = _last_column(file)
    content = bytearray(file.read_bytes())
    content[begin : begin + size] = bytes(size)
    file.write_bytes(content)


def _with_one_wrong_bit(file: Path) -> None:
    """In the last page; only its checksum tells."""
    begin, size = _last_column(file)
    content = bytearray(file.read_bytes())
    content[begin + size - 1] ^= 1
    file.write_bytes(content)


def _last_column(file: Path) -> tuple[int, int]:
    """Where it begins, and how long it is."""
    group = pq.read_metadata(file).row_group(0)
    column = group.column(group.num_columns - 1)
    return column.dictionary_page_offset or column.data_page_offset, column.total_compressed_size


DAMAGES: Final = (
    Damage("something else", _replaced),
    Damage("nothing", _emptied),
    Damage("its first half", _cut),
    Damage("no footer", _without_footer),
    Damage("zeros in place of a column", _with_zeros),
    Damage("one bit wrong", _with_one_wrong_bit),
)
