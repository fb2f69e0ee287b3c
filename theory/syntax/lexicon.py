"""Words, names and quoted text: how they are spelled and how they are read back."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from mnemata.theory.errors import PatternError

Notation: TypeAlias = Literal["paper", "readable"]
"""The notations of SREMO."""

Grammar: TypeAlias = Notation | Literal["cel", "cepl"]
"""What a text is read by: a notation of SREMO, or the grammar of complex event logic or of core-CEPL."""

RESERVED: Final = (
    *("and", "or", "not", "in", "true", "false", "inf", "let", "any", "eps", "ε", "ϵ", "empty"),
    *("event", "skip", "as", "where", "within", "nothing", "never", "next", "absent"),
)
"""Words that are names only in backquotes or after a dot; the same in both notations."""

RESERVED_IN_CEL: Final = (
    *("and", "or", "not", "in", "as", "all", "unless", "filter", "within", "where", "select", "from"),
    *("let", "true", "false", "inf"),
)
"""Words that are names in complex event logic only in backquotes or after a dot, in upper and lower case."""

RESERVED_IN_CEPL: Final = (
    *("and", "or", "not", "in", "true", "false", "inf", "let", "AS", "OR", "FILTER", "WINDOW"),
)
"""Words that are names in core-CEPL only in backquotes or after a dot."""

BUILT_IN: Final = ("abs", "position", "time", "defined")
"""What may be applied like a relation without being declared."""

_LONGEST_SHOWN: Final = 40
_WORD: Final = re.compile(r"[^\W\d]\w*")
_ESCAPE: Final = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
_SHORT: Final = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"', "`": "`"}
_SPELLED: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
_QUOTED: Final = r"'(?:[^'\\\n\r]|\\.)*'?|\"(?:[^\"\\\n\r]|\\.)*\"?|`(?:[^`\\\n\r]|\\.)*`?|#[^\n\r]*"
_FIELD: Final = r"\.(?:\s|#[^\n\r]*+)*+[^\W\d]\w*"
_SIGN_OF_PAPER: Final = re.compile(
    rf"{_QUOTED}|{_FIELD}|(?P<sign>[\^↑•⊗↓·⋅⁺∩∅↻↺]|(?<!\w)(?:eps|empty|ε|ϵ)(?!\w))"
)


class BadEscape(ValueError):  # noqa: N818 - becomes a PatternSyntaxError once its place is known
    """An escape that means nothing, `offset` characters into the quoted text."""

    def __init__(self, reason: str, offset: int) -> None:
        self.reason, self.offset = reason, offset
        super().__init__(reason)


def notation_of(text: str) -> Notation:
    """The notation in which a pattern is written, told by its symbols.

    Every terminal of the paper's notation has an ``↑`` (or ``^``), and what has no terminal is written with
    ``ε``, ``∅``, ``eps`` or ``empty``; the readable notation uses none of these outside
    quotes and comments, save as a name after a dot, where the paper's notation has more before the dot.
    So any of them, or another symbol of the paper's alone, decides.

    >>> notation_of("true ^ o"), notation_of("event where name = '^'")
    ('paper', 'readable')
    """
    found = any(match["sign"] for match in _SIGN_OF_PAPER.finditer(text))
    return "paper" if found else "readable"


def quoted(text: str, quote: str = "'", *, ascii: bool = False) -> str:
    r"""`text` between quotes, with escapes for what cannot stand there as it is.

    >>> print(quoted("O'Neil\n"))
    'O\'Neil\n'
    """
    return f"{quote}{''.join(_spelled(character, quote, ascii) for character in text)}{quote}"


def _spelled(character: str, quote: str, ascii: bool) -> str:
    if character == quote:
        return "\\" + quote
    if character in _SPELLED:
        return _SPELLED[character]
    if character.isprintable() and not (ascii and ord(character) > 127):
        return character
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


def unquoted(token: str) -> str:
    """The text that a quoted token stands for; raises `BadEscape`."""
    return _ESCAPE.sub(_unescaped, token)[1:-1]


def _unescaped(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if digits is None:
        if match[4] not in _SHORT:
            raise BadEscape(f"unknown escape '{match[0]}'", match.start())
        return _SHORT[match[4]]
    code = int(digits, 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise BadEscape(f"'{match[0]}' is not a character", match.start())
    return chr(code)


def brief(text: str) -> str:
    """The beginning of a text that may be long, fit for a message."""
    shown = "".join(character if character.isprintable() else " " for character in text[:_LONGEST_SHOWN])
    return shown + ("..." if len(text) > _LONGEST_SHOWN else "")


def is_reserved(name: str, grammar: Grammar = "readable") -> bool:
    """Whether a word is a name only in backquotes."""
    if grammar == "cel":
        return name.lower() in RESERVED_IN_CEL
    return name in (RESERVED_IN_CEPL if grammar == "cepl" else RESERVED)


def name_text(name: str, *, ascii: bool = False, grammar: Grammar = "readable") -> str:
    """A name as it is written: in backquotes when it is no word, or a reserved one.

    >>> name_text("price"), name_text("where"), name_text("stock price")
    ('price', '`where`', '`stock price`')
    """
    if is_reserved(name, grammar):
        return quoted(name, "`", ascii=ascii)
    return field_text(name, ascii=ascii)


def field_text(name: str, *, ascii: bool = False) -> str:
    """A name as it is written after a dot, where no word is reserved."""
    if not name:
        raise PatternError("an empty name cannot be written as text; give the attribute or register a name")
    word = _WORD.fullmatch(name) and name.isprintable() and not (ascii and not name.isascii())
    return name if word else quoted(name, "`", ascii=ascii)
