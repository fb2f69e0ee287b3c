"""Reading patterns from text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from mnemata.theory.conditions.formulas import Definition, Relation
from mnemata.theory.errors import PatternError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.syntax.grammar import LONGEST_TEXT, check_text, tree_of
from mnemata.theory.syntax.lexicon import Notation, notation_of
from mnemata.theory.syntax.located import Located
from mnemata.theory.syntax.pattern_reader import READERS

__all__ = ["LONGEST_TEXT", "parse", "parse_located"]


def parse(
    text: str,
    *,
    schema: Schema | None = None,
    relations: Iterable[Relation | Definition] = (),
    notation: Notation | Literal["auto"] = "auto",
    event_type: str | None = None,
) -> Pattern:
    """Read a pattern.

    Parameters
    ----------
    text : str
        At most `LONGEST_TEXT` characters; NOTATION.md describes both notations.
    schema : Schema, optional
        When given, attributes must exist and types must fit, and the names of event types are understood.
    relations : iterable of Relation or Definition
        Relations that the text applies and does not define itself.
    notation : {"auto", "paper", "readable"}
        ``"auto"`` tells the notation by its symbols (`notation_of`).
    event_type : str, optional
        The attribute that names event types, where there is no schema to tell.

    Returns
    -------
    Pattern
        Not yet bound to the schema: durations and instants are as written.

    Raises
    ------
    PatternSyntaxError
        With line, column and a caret, what was expected instead, and what was probably meant.
    UnknownAttributeError, UnknownRegisterError, UnknownRelationError, ConditionTypeError, PatternError
        When the text is well-formed and what it says is not; with the place.
    LimitError
        When the text is longer than `LONGEST_TEXT`, or its definitions rest on one another too deeply.

    Examples
    --------
    >>> parse("event as first; event where price > first.price").expression.parts[0].write
    'first'
    """
    located = parse_located(
        text, schema=schema, relations=relations, notation=notation, event_type=event_type
    )
    return located.pattern


def parse_located(
    text: str,
    *,
    schema: Schema | None = None,
    relations: Iterable[Relation | Definition] = (),
    notation: Notation | Literal["auto"] = "auto",
    event_type: str | None = None,
) -> Located:
    r"""Read a pattern, and remember where in the text its parts stand.

    Takes and raises the same as `parse`.

    >>> located = parse_located("event as r;\n  event where price > r.price")
    >>> second = located.pattern.expression.parts[1]
    >>> located.place(second), located.place(second.condition), located.reads
    ((2, 3), (2, 15), {'r': ((2, 23),)})
    """
    if notation not in ("auto", "paper", "readable"):
        raise PatternError(f"unknown notation {notation!r}; use 'auto', 'paper' or 'readable'")
    check_text(text)
    meant = notation_of(text) if notation == "auto" else notation
    reader = READERS[meant](text, schema, relations)
    reader.event_type_name = event_type
    located = reader.read(tree_of(text, meant))
    if not isinstance(located, Located):
        raise PatternError("the text is not a pattern")
    return located
