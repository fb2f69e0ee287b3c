"""Patterns as users write them, whichever language they are in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from mnemata.theory.cel.query import Query
from mnemata.theory.errors import PatternError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Expression, Pattern
from mnemata.theory.syntax.cel_parsing import parse_cel
from mnemata.theory.syntax.parsing import parse

AnyPattern: TypeAlias = Pattern | Expression | Query | str
"""What can be looked for; a text is read by `parse_either`."""

_SELECT: Final = re.compile(r"(?:\s|#[^\n\r]*)*select\b", re.IGNORECASE)


def is_query(text: str) -> bool:
    """Whether a text is a query of complex event logic: it begins with ``SELECT``, comments aside.

    >>> is_query("select * where SELL"), is_query("SELL; BUY")
    (True, False)
    """
    return bool(_SELECT.match(text))


def parse_either(text: str, *, schema: Schema | None = None) -> Pattern | Query:
    """A query of complex event logic, or a pattern in either notation.

    Raises
    ------
    PatternError
        As `parse` and `parse_cel` do.
    """
    return parse_cel(text, schema=schema) if is_query(text) else parse(text, schema=schema)


def named(
    patterns: Mapping[str, AnyPattern] | Iterable[AnyPattern], schema: Schema | None = None
) -> list[Pattern | Query]:
    """Patterns under different names, their texts read; the keys of a mapping are the names.

    Raises
    ------
    PatternError
        A text is no pattern, two patterns have one name, or there is none.

    Examples
    --------
    >>> [pattern.name for pattern in named({"one": "event; event", "two": "event"})]
    ['one', 'two']
    """
    if isinstance(patterns, Mapping):
        found = [replace(_read(pattern, schema), name=name) for name, pattern in patterns.items()]
    else:
        found = [_read(pattern, schema) for pattern in patterns]
    if not found:
        raise PatternError("there is no pattern to find; give at least one")
    name, number = Counter(pattern.name for pattern in found).most_common(1)[0]
    if number > 1:
        raise PatternError(f"{number} patterns are called '{name}'; give a mapping from names to patterns")
    return found


def _read(pattern: AnyPattern, schema: Schema | None) -> Pattern | Query:
    read = parse_either(pattern, schema=schema) if isinstance(pattern, str) else pattern
    return Pattern(read) if isinstance(read, Expression) else read
