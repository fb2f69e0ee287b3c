"""Names, events and conditions as the HTML-like labels of Graphviz.

Everything that comes from a user goes through `text`, which escapes it; what the functions here
return is safe to put together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Final, NamedTuple, NewType

from mnemata.theory.conditions.terms import HEAD, Register
from mnemata.theory.schema import Event, Value

Html = NewType("Html", str)
NOTHING: Final = Html("")

WIDEST_LINE: Final = 110
MOST_LINES: Final = 6
WIDEST_VALUE: Final = 24
"""Characters of a string value that are shown."""

_ENTITIES: Final = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
    "[": "&#91;",
    "]": "&#93;",
}
_CONNECTIVES: Final = frozenset({"∧", "∨", "·", "+", "and", "or", "."})
_UNSAFE: Final = re.compile(r"[&<>\"'\[\]]|[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_INDEXED: Final = re.compile(r"([^\W\d_]+)(\d+)|([^\W\d_])_(?:\{([^{}]+)\}|(\w+))")
_IN_STATE_NAME: Final = re.compile(r"(?<!\w)[^\W\d_]_(?:\{[^{}]+\}|\w+)|.", re.DOTALL)
_TOKEN: Final = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`\\]|\\.)*`|\s+|[^\W\d]\w*|\d+(?:\.\d+)?|.", re.DOTALL
)


def text(plain: str) -> Html:
    """`plain` escaped; characters that XML forbids become visible stand-ins.

    >>> text('a < "b" & c')
    'a &lt; &quot;b&quot; &amp; c'
    """
    return Html(_UNSAFE.sub(_escaped, plain))


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    if character in _ENTITIES:
        return _ENTITIES[character]
    # Unicode has a picture of each ASCII control character.
    return chr(0x2400 + ord(character)) if ord(character) < 0x20 else "\N{REPLACEMENT CHARACTER}"


def joined(parts: Iterable[Html], between: str = "") -> Html:
    """`parts` one after the other; `between` is trusted."""
    return Html(between.join(parts))


def paragraph(plain: str) -> Html:
    """Text that someone else wrote, on a few lines of bearable length."""
    wrapped = [
        line for part in plain[: WIDEST_LINE * MOST_LINES].splitlines() for line in wrap(part, WIDEST_LINE)
    ]
    lines = [text(line) for line in wrapped[:MOST_LINES]]
    if len(wrapped) > MOST_LINES or len(plain) > WIDEST_LINE * MOST_LINES:
        lines.append(text(f"({len(plain):,} characters)"))
    return stacked(lines, "left") if lines else NOTHING


def stacked(lines: Sequence[Html], align: str = "center") -> Html:
    """`lines` one below the other; rows, because line breaks leave indices no room."""
    if len(lines) == 1:
        return lines[0]
    rows = joined(Html(f'<tr><td align="{align}">{line}</td></tr>') for line in lines)
    return Html(f'<table border="0" cellborder="0" cellspacing="0" cellpadding="1">{rows}</table>')


def coloured(content: Html, colour: str) -> Html:
    """`content` in a colour."""
    return Html(f'<font color="{colour}">{content}</font>')


def name(plain: str) -> Html:
    """A name in italics, with its index set low.

    >>> name("r1"), name("q_s"), name("q_{s,1}"), name("price")
    ('<i>r</i><sub>1</sub>', '<i>q</i><sub>s</sub>', '<i>q</i><sub>s,1</sub>', '<i>price</i>')
    """
    found = _INDEXED.fullmatch(plain)
    if found is None:
        return Html(f"<i>{text(plain)}</i>") if plain else NOTHING
    stem, index = found[1] or found[3], found[2] or found[4] or found[5]
    return Html(f"<i>{text(stem)}</i><sub>{text(index)}</sub>")


def state_name(plain: str) -> Html:
    """The name of a state, which may be made of the names of others: ``{q_s, q_1}``."""
    parts = (found[0] for found in _IN_STATE_NAME.finditer(plain))
    return joined(name(part) if "_" in part[1:] else text(part) for part in parts)


def names(registers: Iterable[Register]) -> Html:
    """One register as its name, more of them as a set."""
    shown = [name(register) for register in in_order(registers)]
    return shown[0] if len(shown) == 1 else Html(f"{{{joined(shown, ', ')}}}")


def in_order(registers: Iterable[str]) -> list[str]:
    """Names sorted as people count: ``r2`` before ``r10``."""

    def key(register: str) -> list[tuple[int, int, str]]:
        parts = re.split(r"([0-9]+)", register)
        return [(1, int(part), "") if i % 2 else (0, 0, part) for i, part in enumerate(parts)]

    return sorted(registers, key=lambda register: (key(register), register))


class Word(NamedTuple):
    """A piece of a condition that is not broken over lines."""

    html: Html
    length: int


def words(condition: str, registers: Collection[Register], *, ascii: bool) -> Iterator[Word]:
    """A printed condition in pieces, with registers and the head typeset as variables."""
    previous = ""
    for found in _TOKEN.finditer(condition):
        token = found[0]
        plain = token[1:-1] if token[0] == "`" else token
        if plain in registers and previous != ".":
            yield Word(name(plain), len(plain))
        elif token == HEAD and not ascii:
            yield Word(Html("∼"), 1)
        else:
            yield Word(text(" " if token.isspace() else token), 1 if token.isspace() else len(token))
        previous = token


def condition_text(condition: str, registers: Collection[Register], *, ascii: bool) -> Html:
    """A printed condition on one line."""
    return joined(word.html for word in words(condition, registers, ascii=ascii))


def broken(pieces: Iterable[Word], width: int) -> list[Html]:
    """The pieces on lines of at most `width` characters, broken before connectives where that is possible."""
    lines: list[list[Html]] = [[]]
    used = 0
    for chunk in _chunks(list(pieces), width):
        length = sum(word.length for word in chunk)
        if used and used + length > width:
            lines.append([])
            used = 0
        lines[-1] += [word.html for word in chunk]
        used += length
    return [joined(line) for line in lines if line]


def _chunks(pieces: Sequence[Word], width: int) -> Iterator[Sequence[Word]]:
    """What stays on one line: operands of connectives, and of those that are too long the words."""
    for operand in _cut(pieces, lambda following: following in _CONNECTIVES):
        if sum(word.length for word in operand) <= width:
            yield operand
        else:
            yield from _cut(operand, lambda _following: True)


def _cut(pieces: Sequence[Word], where: Callable[[str], bool]) -> Iterator[Sequence[Word]]:
    """Cut after each space that is followed by a word which fits."""
    start = 0
    for i in range(1, len(pieces)):
        if pieces[i - 1].html == " " and where(pieces[i].html):
            yield pieces[start:i]
            start = i
    if pieces:
        yield pieces[start:]


def event_text(event: Event, attributes: Sequence[str] | None = None) -> Html:
    """An event as the paper writes it: ``(B, 1, 22, 300)``."""
    chosen = event.schema.names if attributes is None else attributes
    return Html(f"({joined((value_text(event[attribute]) for attribute in chosen), ', ')})")


def value_text(value: Value) -> Html:
    """A value without quotes, shortened; ``null`` when missing."""
    if value is None:
        return Html("<i>null</i>")
    plain = f"{value:.12g}" if isinstance(value, float) else str(value)
    return text(plain if len(plain) <= WIDEST_VALUE else plain[: WIDEST_VALUE - 1] + "…")
