"""Types of events made of the texts that each event of a pattern is asked for: ``SELL_INTC``.

Some systems look at the type of an event before any condition. Their drivers make the same types of ticks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from mnemata.theory.conditions.formulas import Comparison, Condition
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant

ANY_TYPE: Final = "tick"
"""The type of all events where no attribute makes it."""

Texts: TypeAlias = dict[str, str]
"""The texts that an event is asked for, by attribute."""


def text_asked(one: Condition) -> tuple[str, str] | None:
    """An attribute and the text that it is to be, if it can be part of a type.

    >>> text_asked(Comparison("=", Attribute(HEAD, "name"), Constant("INTC")))
    ('name', 'INTC')
    """
    match one:
        case Comparison(
            operator="=", left=Attribute(variable=variable, name=name), right=Constant(value=str(text))
        ):
            return (name, text) if variable == HEAD and text.isascii() and text.isalnum() else None
    return None


def texts_asked(conditions: Iterable[Condition]) -> Texts:
    """What can be part of the type of an event that satisfies all: the first text of each attribute."""
    found: Texts = {}
    for one in conditions:
        if (known := text_asked(one)) is not None:
            found.setdefault(*known)
    return found


def typing_of(texts: Sequence[Texts]) -> list[str]:
    """The attributes that make the type: those of which every event is asked for one text."""
    return [name for name in texts[0] if all(name in known for known in texts)]


def type_name(known: Texts, typing: Sequence[str]) -> str:
    """The type of an event.

    >>> type_name({"type": "SELL", "name": "INTC"}, ["type", "name"]), type_name({}, [])
    ('SELL_INTC', 'tick')
    """
    return "_".join(known[name] for name in typing) or ANY_TYPE
