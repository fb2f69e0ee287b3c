"""From text to values: which texts are values of an attribute, and which are not.

Every text is judged on its own, so the outcome does not depend on how a file is cut into batches.

==============  ======================================================================================
attribute       texts, besides the missing one
==============  ======================================================================================
int64           digits with an optional sign, from -2**63 to 2**63 - 1
float64         decimal notation with an optional exponent, ``inf``, ``nan`` (missing); not what overflows
bool            ``true`` and ``false``, in any case
string          any
category        the declared values
timestamp       whole ticks, or ISO 8601 with a date: ``2013-01-01T05:00:00.123+02:00``; UTC without an
                offset; refused where it is not a whole number of ticks
==============  ======================================================================================

Blanks around numbers, truth values and times are ignored.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.theory.schema import (
    AttributeType,
    Bool,
    Category,
    Float64,
    Int64,
    Timestamp,
)

Mask: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.int64]
Values: TypeAlias = "pa.Array[Any]"
Texts: TypeAlias = "pa.Array[Any]"

INTEGER: Final = r"^[+-]?[0-9]+$"
NUMBER: Final = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
WORD_NUMBER: Final = r"(?i)^([+-]?inf(inity)?|nan)$"
INSTANT: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}(:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?)?)?$"
OFFSET: Final = r"(Z|[+-][0-9]{2}(:?[0-9]{2})?)$"
ZONED: Final = INSTANT.removesuffix("$") + OFFSET


def cast_texts(texts: Texts, kind: AttributeType) -> tuple[Values, Mask]:
    """The values that texts stand for, and which of them stand for none.

    Parameters
    ----------
    texts : pyarrow.StringArray
        A null is a missing value.
    kind : AttributeType
        The attribute's type.

    Returns
    -------
    pyarrow.Array, numpy bool array
        int64 (numbers and ticks), float64, bool or string, null where there is no value; and, of the same
        length, where a text is not a value of the type.
    """
    match kind:
        case Int64():
            return _integers(_trimmed(texts))
        case Float64():
            return _floats(_trimmed(texts))
        case Bool():
            return _truths(_trimmed(texts))
        case Timestamp(unit=unit):
            return _instants(_trimmed(texts), unit)
        case Category(values=values):
            known = pc.is_in(texts, value_set=pa.array(values, pa.string()))
            return _only(texts, mask_of(known)), ~(mask_of(known) | mask_of(texts.is_null()))
    return texts, np.zeros(len(texts), dtype=np.bool_)


def attempt(texts: pa.Array[Any], target: pa.DataType) -> tuple[Values, Mask]:
    """Cast each element that can be cast; the mask tells those that cannot.

    Arrow casts all or nothing, so a batch with misfits is halved until they are alone.
    """
    try:
        return texts.cast(target), np.zeros(len(texts), dtype=np.bool_)
    except pa.ArrowInvalid:
        if len(texts) == 1:
            return nothing(1, target), np.ones(1, dtype=np.bool_)
    half = len(texts) // 2
    (left, wrong_left), (right, wrong_right) = attempt(texts[:half], target), attempt(texts[half:], target)
    return pa.concat_arrays([left, right]), np.concatenate([wrong_left, wrong_right])


def mask_of(truth: pa.Array[Any]) -> Mask:
    """An Arrow array of truth values as numpy's; null is false."""
    return np.asarray(truth.fill_null(False).to_numpy(zero_copy_only=False), dtype=np.bool_)


def nothing(size: int, kind: pa.DataType) -> Values:
    """An array in which all is missing."""
    return pa.array([None] * size, kind)


def picked(values: Values, places: Places) -> Values:
    """The values at some places, null where a place is negative."""
    return values.take(pa.array(places, pa.int64(), mask=places < 0))


def matching(texts: Texts, pattern: str) -> Mask:
    """Where a regular expression (RE2) matches; not where a text is missing."""
    return mask_of(pc.match_substring_regex(texts, pattern))


def _trimmed(texts: Texts) -> Texts:
    return pc.ascii_trim_whitespace(texts)


def _only(values: Values, kept: Mask) -> Values:
    return values if kept.all() else pc.if_else(pa.array(kept), values, pa.scalar(None, values.type))


def _shaped(texts: Texts, shaped: Mask, target: pa.DataType) -> tuple[Values, Mask]:
    """Cast the texts that have the right shape; all others, but for missing ones, are wrong."""
    values, wrong = attempt(_only(texts, shaped), target)
    return values, wrong | ~(shaped | mask_of(texts.is_null()))


def _integers(texts: Texts) -> tuple[Values, Mask]:
    shaped = matching(texts, INTEGER)
    return _shaped(pc.utf8_ltrim(texts, "+"), shaped, pa.int64())


def _floats(texts: Texts) -> tuple[Values, Mask]:
    number = matching(texts, NUMBER)
    values, wrong = _shaped(pc.utf8_ltrim(texts, "+"), number | matching(texts, WORD_NUMBER), pa.float64())
    overflown = number & mask_of(pc.is_inf(values))
    return _only(values, ~overflown), wrong | overflown


def _truths(texts: Texts) -> tuple[Values, Mask]:
    lower = pc.utf8_lower(texts)
    true, false = (mask_of(pc.equal(lower, pa.scalar(word))) for word in ("true", "false"))
    return _only(pa.array(true), true | false), ~(true | false | mask_of(texts.is_null()))


def _instants(texts: Texts, unit: str) -> tuple[Values, Mask]:
    ticks, wrong = _integers(texts)
    for shape, zone in ((INSTANT, None), (ZONED, "UTC")):
        shaped = matching(texts, shape)
        if shaped.any():
            target = pa.timestamp(unit, tz=zone)  # type: ignore[call-overload]
            instants, misfits = attempt(_only(texts, shaped), target)
            ticks = pc.if_else(pa.array(shaped), instants.cast(pa.int64()), ticks)
            wrong = np.where(shaped, misfits, wrong)
    return ticks, wrong
