"""The terminals of the grammars in words that the author of a pattern knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

_VALUE: Final = frozenset(
    (
        *("NAME", "QUOTED_NAME", "STRING", "INT", "FLOAT", "INFINITY", "HEAD"),
        *("TRUE", "FALSE", "MINUS", "LPAR", "AT"),
    )
)
_ITEM: Final = frozenset(
    (
        *("NAME", "QUOTED_NAME", "EVENT", "LPAR", "_SKIP", "_ANY", "_NEXT", "_ABSENT"),
        *("_NOTHING", "_NEVER", "_NOT", "_LET"),
    )
)
_FORMULA: Final = frozenset(
    ("NAME", "QUOTED_NAME", "LPAR", "_START", "STRATEGY", "_PI", "_LET", "_SELECT"),
)
_COMPARISON: Final = frozenset(("COMPARISON", "_IN", "_NOT", "_NOT_IN"))

# What must all be expected, what that covers, and how it is called; the first that fits speaks.
_GROUPS: Final = (
    (("_START", "STRATEGY"), _FORMULA, "a formula such as R, (R; S) or START(R)"),
    (("EVENT", "_ANY"), _ITEM, "an event type, event, skip, any(...) or '('"),
    (
        ("_EPSILON", "_NOT"),
        _VALUE | {"_NOT", "_ANY", "_NEXT", "_ABSENT", "BANG", "_EPSILON", "_EMPTY_SET", "_LET"},
        "an expression such as (~.price > 1 ↑ •)",
    ),
    (("_NOT", "STRING"), _VALUE | {"_NOT"}, "a condition"),
    (("INT", "STRING", "HEAD"), _VALUE, "an attribute, a number or a text in quotes"),
    (("COMPARISON", "_IN"), _COMPARISON, "a comparison"),
    (("NAME",), frozenset(("NAME", "QUOTED_NAME")), "a name"),
    (("FIELD",), frozenset(("FIELD", "QUOTED_NAME")), "the name of an attribute"),
    (("MARK", "SKIP"), frozenset(("MARK", "SKIP")), "• or ⊗ (ASCII: o or x)"),
)

# In the order in which they are listed.
SPELLING: Final = {
    **{"_WHERE": "where", "_AS": "as", "EVENT": "event", "_SKIP": "skip", "_ANY": "any", "_NEXT": "next"},
    **{"_ABSENT": "absent", "BANG": "!"},
    **{"_NOTHING": "nothing", "_NEVER": "never", "_LET": "let", "_ASSIGN": ":=", "_UP": "↑", "_DOWN": "↓"},
    **{"RPAR": ")", "RBRACE": "}", "RSQB": "]", "LPAR": "(", "LBRACE": "{", "COMMA": ",", "SEMICOLON": ";"},
    **{"_AND": "and", "_OR": "or", "_NOT": "not", "_IN": "in", "COMPARISON": "=", "DOT": ".", "_DOTS": ".."},
    **{"TRUE": "true", "FALSE": "false", "INFINITY": "inf", "HEAD": "~", "AT": "@", "LESSTHAN": "<"},
    **{"_STANDS_AS": "AS", "_OR_ELSE": "OR", "_FILTERED_BY": "FILTER", "_WINDOW": "WINDOW"},
    **{"_FILTER": "filter", "_UNLESS": "unless", "_ALL": "all", "COLON": ":", "_CONTIGUOUS_PLUS": "(+)"},
    **{"_SELECT": "select", "_FROM": "from", "_WITHIN": "within", "_LENGTH": "length"},
    **{"_PARTITION_BY": "partition by", "_CONSUME_BY": "consume by", "LSQB": "["},
    **{"_EPSILON": "eps", "_EMPTY_SET": "empty", "VBAR": "|", "AMPERSAND": "&", "_CDOT": "·", "_CAP": "∩"},
    **{"_CARET_PLUS": "⁺", "_CARET_BRACKET": "^[", "_QUESTION": "?", "STAR": "*", "PLUS": "+", "MINUS": "-"},
    **{"_CARET_STAR": "^*", "_NOT_IN": "∉"},
}
_DESCRIBED: Final = {
    **{"INT": "a whole number", "FLOAT": "a number", "UNIT": "a unit such as ms"},
    **{"STRING": "a text in quotes"},
}
_ASCII: Final = {"_UP": "^", "_DOWN": "v", "_CDOT": ".", "_CAP": "&", "_CARET_PLUS": "^+"}
_ARITHMETIC: Final = frozenset(("STAR", "PLUS", "MINUS", "_CARET_STAR", "_NOT_IN"))
_LONGEST_LIST: Final = 9


def words(expected: Iterable[str]) -> str:
    """What is expected, as a list in words.

    >>> words({"_AS", "_WHERE", "SEMICOLON", "$END"})
    "'where', 'as', ';' or the end"
    """
    names = list(_described(set(expected)))
    if len(names) > _LONGEST_LIST:
        names = [*names[:_LONGEST_LIST], "the like"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def spelled_words(expected: Iterable[str]) -> list[str]:
    """The keywords among what is expected."""
    return [SPELLING[name] for name in expected if SPELLING.get(name, "").replace(" ", "").isalpha()]


def _described(expected: set[str]) -> Iterator[str]:
    for needed, covered, called in _GROUPS:
        if expected.issuperset(needed):
            expected = expected - covered
            yield called
    yield from (called for name, called in _DESCRIBED.items() if name in expected)
    if expected - _ARITHMETIC:
        expected = expected - _ARITHMETIC
    for name, sign in SPELLING.items():
        if name in expected:
            yield f"'{sign}' (ASCII {_ASCII[name]})" if name in _ASCII else f"'{sign}'"
    if "$END" in expected:
        yield "the end"
