"""The grammars, and from text to parse tree."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from mnemata.theory.errors import LimitError, PatternError, PatternSyntaxError
from mnemata.theory.syntax.lexicon import Grammar
from mnemata.theory.syntax.mistakes import explained

LONGEST_TEXT: Final = 256 * 1024
"""How many characters the text of a pattern may have."""

_FOLDER: Final = Path(__file__).parent
_NOT_TEXT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_NOTHING: Final = re.compile(r"(?:[\s\uFEFF]|#[^\n\r]*+)*+")


def grammar_text(notation: Grammar) -> str:
    """The grammar of a notation: the conditions that all notations share, and what is its own."""
    parts = ("conditions.lark", f"{notation}.lark")
    return "\n".join((_FOLDER / part).read_text(encoding="utf-8") for part in parts)


@cache
def parser(notation: Grammar) -> Lark:
    """The parser of a notation; built once in a process, which takes some 50 ms."""
    return Lark(
        grammar_text(notation),
        parser="lalr",
        lexer="contextual",
        start="pattern",
        propagate_positions=True,
        maybe_placeholders=False,
    )


def tree_of(text: str, notation: Grammar) -> Tree[Token]:
    """The parse tree of a text.

    Raises
    ------
    PatternSyntaxError
        Where the text stops making sense in this notation.
    """
    try:
        return parser(notation).parse(text)
    except UnexpectedInput as error:
        mistake = explained(error, text, notation)
    raise mistake


def check_text(text: str) -> None:
    """Refuse what is no text of a pattern in any notation.

    Raises
    ------
    LimitError
        When it is longer than `LONGEST_TEXT`.
    PatternSyntaxError
        When it is empty, or has control characters or halves of surrogate pairs.
    """
    if not isinstance(text, str):
        raise PatternError(f"a pattern is read from a string, got {type(text).__name__}")
    if len(text) > LONGEST_TEXT:
        raise LimitError(
            f"the text of the pattern has {len(text)} characters; the limit is {LONGEST_TEXT} characters"
        )
    if _NOTHING.fullmatch(text):
        reason = "the pattern is empty"
        reason += "; there are only comments" if "#" in text else ""
        raise PatternSyntaxError(reason, line=1, column=1, text=text)
    found = _NOT_TEXT.search(text)
    if found is not None:
        code = f"U+{ord(found[0]):04X}"
        reason = f"the character {code} is not allowed; between quotes an escape may stand for a character"
        before = text[: found.start()]
        line, column = before.count("\n") + 1, found.start() - before.rfind("\n")
        raise PatternSyntaxError(reason, line=line, column=column, text=text)
