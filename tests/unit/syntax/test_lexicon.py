"""Names and quoted texts."""

from __future__ import annotations

import re

import pytest

from mnemata.theory.errors import PatternError
from mnemata.theory.syntax.grammar import parser
from mnemata.theory.syntax.lexicon import RESERVED, BadEscape, field_text, name_text, quoted, unquoted


@pytest.mark.parametrize("notation", ["paper", "readable"])
def test_the_grammar_leaves_out_the_reserved_words(notation: str) -> None:
    (name,) = (terminal for terminal in parser(notation).terminals if terminal.name == "NAME")
    pattern = re.compile(name.pattern.to_regexp())
    assert not [word for word in RESERVED if pattern.fullmatch(word)]
    assert all(pattern.fullmatch(f"{word}s") for word in RESERVED)
    listed = re.search(r"\(\?:([^)]*)\)", name.pattern.value)
    assert listed is not None
    assert sorted(listed[1].split("|")) == sorted(RESERVED)


@pytest.mark.parametrize(
    "text", ["", "INTC", "it's", 'say "so"', "`", "\\", "\n\r\t\x00\x7f", "é\u2028😀", "a\\nb"]
)
@pytest.mark.parametrize("quote", ["'", '"', "`"])
@pytest.mark.parametrize("ascii", [False, True])
def test_quoting_is_undone(text: str, quote: str, ascii: bool) -> None:
    written = quoted(text, quote, ascii=ascii)
    assert unquoted(written) == text
    assert written.isprintable()
    assert not ascii or written.isascii()


@pytest.mark.parametrize(("token", "offset"), [(r"'ab\q'", 3), (r"'\ud9ff'", 1), (r"'a\U00200000'", 2)])
def test_bad_escapes(token: str, offset: int) -> None:
    with pytest.raises(BadEscape) as caught:
        unquoted(token)
    assert caught.value.offset == offset


def test_names() -> None:
    assert name_text("größe") == "größe"
    assert name_text("größe", ascii=True) == "`gr\\u00f6\\u00dfe`"
    assert name_text("2nd") == "`2nd`"
    assert name_text("next") == "`next`"
    assert field_text("next") == "next"
    with pytest.raises(PatternError, match="empty name"):
        name_text("")
