"""Patterns as users write them, whichever language they are in."""

from __future__ import annotations

import re
from typing import Final

from mnemata.theory.cel.query import Query
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.syntax.cel_parsing import parse_cel
from mnemata.theory.syntax.parsing import parse

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
