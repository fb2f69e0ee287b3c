"""Ticks of a schema's time and milliseconds of Spark's watermark.

The watermark promises that events before it have come. An event is before a watermark of w milliseconds when
its time is, however fine its ticks are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mnemata.theory.errors import SchemaError
from mnemata.theory.schema import NANOSECONDS, Schema, Timestamp

_MILLISECOND: Final = NANOSECONDS["ms"]


@dataclass(frozen=True, slots=True)
class Clock:
    """How time is measured.

    Parameters
    ----------
    unit : str
        Of ticks.
    """

    unit: str

    @classmethod
    def of(cls, schema: Schema) -> Clock | None:
        """The clock of a schema, if it has a time."""
        if schema.time is None:
            return None
        kind = schema[schema.time]
        if not isinstance(kind, Timestamp):
            raise SchemaError(f"'{schema.time}' cannot order the stream: it is {kind}, not a timestamp")
        return cls(kind.unit)

    def first_after(self, watermark: int) -> int:
        """The first tick that is not before a watermark in milliseconds.

        >>> Clock("ms").first_after(5), Clock("us").first_after(5), Clock("s").first_after(1001)
        (5, 5000, 2)
        """
        return -(-watermark * _MILLISECOND // NANOSECONDS[self.unit])

    def passed(self, tick: int) -> int:
        """The first watermark, in milliseconds, that a tick is before.

        >>> Clock("ms").passed(5), Clock("us").passed(5999), Clock("s").passed(2)
        (6, 6, 2001)
        """
        return self.milliseconds(tick) + 1

    def milliseconds(self, tick: int) -> int:
        """The millisecond that a tick lies in.

        >>> Clock("ms").milliseconds(5), Clock("us").milliseconds(5999), Clock("s").milliseconds(2)
        (5, 5, 2000)
        """
        return tick * NANOSECONDS[self.unit] // _MILLISECOND
