"""Formulas of results as MathML, which browsers typeset by themselves."""

from __future__ import annotations

import re
from html import escape
from typing import Final
from xml.etree import ElementTree

from latex2mathml.converter import convert

_WORD: Final = re.compile(r'(?:<mi mathvariant="[a-z-]+">\w</mi>){2,}')
_LETTER: Final = re.compile(r'<mi mathvariant="(?P<look>[a-z-]+)">(?P<letter>\w)</mi>')
_MENDED: Final = tuple(
    (re.compile(pattern), mended)
    for pattern, mended in (
        (r"<mi>(&#x027E[6-9];)</mi>", r'<mo stretchy="false">\1</mo>'),
        (r"<mi>(&#x(?:027FA|0007E|000AC);)</mi>", r"<mo>\1</mo>"),
        (r"<mi>&#x029F5;</mi>", "<mo>&#x02216;</mo>"),
        (r"<mi>:</mi><mo>&#x0003D;</mo>", "<mo>:=</mo>"),
        (
            r'<mpadded width="0"><mtext>&#x029F8;</mtext></mpadded><mi>(&#x\w+;|\w)</mi>',
            r"<mi>\1&#x00338;</mi>",
        ),
    )
)
"""What the library takes for letters and are brackets and operators, and symbols that few fonts have."""


def mathml(latex: str) -> str:
    r"""A formula as a MathML element, or as code where LaTeX is used that is not understood.

    >>> mathml(r"\exists T").split("<mrow>")[1]
    '<mo>&#x02203;</mo><mi>T</mi></mrow></math>'
    >>> mathml(r"\unheardof{x}")
    '<code>\\unheardof{x}</code>'
    >>> mathml(r"[\![A]\!] \setminus B") == mathml(r"\llbracket A \rrbracket \setminus B")
    True
    >>> mathml(r"T_{\not\epsilon}").split("<mi>")[-1]
    '&#x003F5;&#x00338;</mi></mrow></msub></mrow></math>'
    """
    made = _converted(latex)
    for pattern, mended in _MENDED:
        made = pattern.sub(mended, made)
    return _WORD.sub(_joined, made) if _understood(made) else f"<code>{escape(latex)}</code>"


def _converted(latex: str) -> str:
    brackets = latex.replace(r"[\![", r"\llbracket ").replace(r"]\!]", r"\rrbracket ")
    try:
        return convert(brackets, display="block")
    except Exception:  # the library has no common class for what it does not understand
        return ""


def _understood(made: str) -> bool:
    try:
        ElementTree.fromstring(made)
    except ElementTree.ParseError:
        return False
    return "\\" not in made


def _joined(found: re.Match[str]) -> str:
    """The letters of a name as one identifier; apart they would stand too wide."""
    letters = list(_LETTER.finditer(found[0]))
    look = "name slanted" if letters[0]["look"] == "italic" else "name"
    return f'<mi class="{look}">{"".join(one["letter"] for one in letters)}</mi>'
