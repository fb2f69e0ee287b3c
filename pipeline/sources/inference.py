"""A schema from data that carries none: what the entries of a field look like decides its type.

A type is chosen when at least `SHARE` of the entries that are not missing are of it, so that a few
garbled rows do not turn a column of numbers into text; those rows are then found to be faulty and end in
the quarantine. Whole numbers among fractional ones make the attribute a float64. Text that has the form
of a number with leading zeros, or past 64 bits, is an identifier and stays text.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.pipeline.sources.casting import (
    INSTANT,
    NUMBER,
    WORD_NUMBER,
    ZONED,
    Texts,
    attempt,
    mask_of,
    matching,
)
from mnemata.theory.schema import AttributeType, Bool, Float64, Int64, String, Timestamp

SHARE: Final = 0.9
_IDENTIFIER: Final = r"^[+-]?0[0-9]+$"
_WHOLE: Final = r"^[+-]?[0-9]+$"


@dataclass(frozen=True, slots=True)
class Tally:
    """How many entries of a field look like what; `digits` are the decimals of seconds that times need."""

    whole: int = 0
    fractional: int = 0
    truths: int = 0
    instants: int = 0
    other: int = 0
    digits: int = 0

    def __add__(self, other: Tally) -> Tally:
        sums = {f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)}
        return Tally(**{**sums, "digits": max(self.digits, other.digits)})

    @property
    def size(self) -> int:
        """The number of entries that are not missing."""
        return self.whole + self.fractional + self.truths + self.instants + self.other

    def type(self) -> AttributeType:
        """The type of an attribute with such entries; text when all are missing."""
        enough = max(1.0, SHARE * self.size)
        if self.whole + self.fractional >= enough:
            return Float64() if self.fractional else Int64()
        if self.truths >= enough:
            return Bool()
        if self.instants >= enough:
            return Timestamp("ms" if self.digits <= 3 else "us" if self.digits <= 6 else "ns")
        return String()


def tally_texts(texts: Texts) -> Tally:
    """What some texts look like."""
    present = len(texts) - texts.null_count
    whole = _whole(texts)
    number = matching(texts, NUMBER) | matching(texts, WORD_NUMBER)
    fractional = number & ~matching(texts, _WHOLE)
    lower = pc.utf8_lower(texts)
    truths = mask_of(pc.is_in(lower, value_set=pa.array(["true", "false"])))
    instants = matching(texts, INSTANT) | matching(texts, ZONED)
    counts = [int(np.count_nonzero(mask)) for mask in (whole, fractional, truths, instants)]
    digits = _decimals(texts) if counts[3] else 0
    return Tally(counts[0], counts[1], counts[2], counts[3], present - sum(counts), digits)


def _whole(texts: Texts) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    shaped = matching(texts, _WHOLE) & ~matching(texts, _IDENTIFIER)
    if not shaped.any():
        return shaped
    bare = pc.if_else(pa.array(shaped), pc.utf8_ltrim(texts, "+"), pa.scalar(None, pa.string()))
    return shaped & ~attempt(bare, pa.int64())[1]


def _decimals(texts: Texts) -> int:
    found = pc.extract_regex(texts, r":[0-9]{2}\.(?P<decimals>[0-9]{1,9})")
    longest = pc.max(pc.utf8_length(pc.struct_field(found, "decimals"))).as_py()
    return int(longest or 0)
