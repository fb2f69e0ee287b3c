"""What went wrong where a text stops making sense, said in the words of the notation."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from lark import Token
from lark.exceptions import UnexpectedInput, UnexpectedToken

from mnemata.theory.errors import PatternSyntaxError, suggestion
from mnemata.theory.schema import NANOSECONDS
from mnemata.theory.syntax.expectations import SPELLING, spelled_words, words
from mnemata.theory.syntax.lexicon import Grammar, brief, is_reserved
from mnemata.theory.syntax.located import Place
from mnemata.theory.syntax.reader import place_of

_WORD: Final = re.compile(r"[^\W\d]\w*")
_SIGNS: Final = "=<>!&|:/%~-"
_COMPARISON: Final = re.compile(r"[=<>≠≤≥∈]|!=|in\b|not\s+in\b")
_MEANT: Final = {
    **{"=>": ">=", "==>": ">=", "=<": "<=", "==<": "<=", "<>": "!=", "===": "=", "!==": "!=", "~=": "!="},
    **{"&&": "and", "||": "or", "!": "not"},
}
_WORDS_MEANT: Final = {
    **{"is": "=", "eq": "=", "when": "where", "if": "where", "with": "where", "into": "as", "for": "within"},
    **{"during": "within", "then": ";", "followedby": ";", "seq": "any", "every": "any"},
}
_BRACKETS: Final = {
    "LPAR": ("(", ")", "RPAR"),
    "LBRACE": ("{", "}", "RBRACE"),
    "_CARET_BRACKET": ("[", "]", "RSQB"),
    "LSQB": ("[", "]", "RSQB"),
}
_ENDS_OF_ITEMS: Final = frozenset(("", ",", ")", ";", "|", "&", "?", "*", "+", "·", "⋅", ".", "∩", "within"))
_JOINS: Final = ("_OR", "_AND", "_ALL", "_UNLESS", "SEMICOLON", "COLON")
_OPENS: Final = (
    *("_WHERE", "_AS", "_SKIP", "LPAR", "LBRACE", "COMMA", "SEMICOLON", "VBAR", "AMPERSAND", "_LET"),
)

Explanation: TypeAlias = tuple[str, Place]
"""What is the matter, and where."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Where reading stopped.

    Attributes
    ----------
    found : str
        The word or sign that does not fit; empty at the end of the text.
    offset : int
        How many characters are before it.
    place : Place
        Its line and column.
    expected : frozenset of str
        Terminals of the grammar that would have fitted.
    unfinished : tuple
        Tokens and trees that are not yet part of something complete, in the order of the text.
    text, notation
        What was being read.
    """

    found: str
    offset: int
    place: Place
    expected: frozenset[str]
    unfinished: tuple[Any, ...]
    text: str
    notation: Grammar

    def last(self, *kinds: str) -> str:
        """Which of these kinds of token was opened last; empty if none."""
        types = (part.type for part in reversed(self.unfinished) if isinstance(part, Token))
        return next((kind for kind in types if kind in kinds), "")

    def kind(self, back: int) -> str:
        """The kind of the last part, or of the one `back` before it; trees are of no kind."""
        part = self.unfinished[-1 - back] if back < len(self.unfinished) else None
        return part.type if isinstance(part, Token) else ""

    @property
    def event_type(self) -> str:
        """The name just before what was found, when it is read as the name of an event type."""
        inside = self.last("_WHERE", "_LET") or self.kind(1) in ("_AS", "_PARTITION_BY", "DOT")
        named = self.notation == "readable" and self.kind(0) in ("NAME", "QUOTED_NAME") and not inside
        return str(self.unfinished[-1]) if named else ""

    @property
    def joint(self) -> str:
        """The kind of the token before the last part, opening parentheses aside."""
        kinds = (self.kind(back) for back in range(1, len(self.unfinished)))
        return next((kind for kind in kinds if kind != "LPAR"), "")

    @property
    def rest(self) -> str:
        """A piece of the text after what was found."""
        end = self.offset + len(self.found)
        return self.text[end : end + 40].lstrip()

    @property
    def unexpected(self) -> str:
        """How to name what was found."""
        if not self.found:
            return "unexpected end of the pattern"
        shown = brief(self.found)
        return f"unexpected {shown}" if shown[0] in "'\"`" else f"unexpected '{shown}'"


def explained(error: UnexpectedInput, text: str, notation: Grammar) -> PatternSyntaxError:
    """The error to raise for what the parser could not read."""
    situation = _situation(error, text, notation)
    explanations = (explain(situation) for explain in EXPLANATIONS)
    reason, place = next((e for e in explanations if e), (_plainly(situation), situation.place))
    return PatternSyntaxError(reason, line=place[0], column=place[1], text=text)


def _situation(error: UnexpectedInput, text: str, notation: Grammar) -> Situation:
    parser: Any = error.interactive_parser
    stack = parser.parser_state.value_stack
    offset, place = error.pos_in_stream or 0, (error.line, error.column)
    found = text[offset : offset + 1]
    if _ends_in_no_unit(stack):
        token = stack.pop()
        parser.parser_state.state_stack.pop()
        found, offset, place = str(token), token.start_pos, (token.line, token.column)
    elif isinstance(error, UnexpectedToken) and error.token.type == "$END":
        end = error.token
        found, offset, place = "", end.end_pos or 0, (end.end_line or 1, end.end_column or 1)
    elif isinstance(error, UnexpectedToken):
        found = str(error.token)
    return Situation(found, offset, place, frozenset(parser.accepts()), tuple(stack), text, notation)


def _ends_in_no_unit(stack: list[Any]) -> bool:
    """``3 adn``: a word after a number is read as a unit of time, and the next word does not fit."""
    kinds = [part.type for part in stack[-2:] if isinstance(part, Token)]
    return kinds == ["INT", "NAME"] and stack[-1] not in (*NANOSECONDS, "events")


def _unclosed_text(at: Situation) -> Explanation | None:
    if at.found not in ("'", '"', "`"):
        return None
    what = "name" if at.found == "`" else "text"
    return f"this quoted {what} has no end; put {at.found} where it ends, on the same line", at.place


def _unclosed_bracket(at: Situation) -> Explanation | None:
    kind = at.last(*_BRACKETS)
    if not kind or at.found[:9] not in ("", ")", "}", "]", "partition"):
        return None
    opening, closing, terminal = _BRACKETS[kind]
    if terminal not in at.expected:
        return None
    token = next(p for p in reversed(at.unfinished) if isinstance(p, Token) and p.type == kind)
    instead = at.found in (")", "}", "]")
    missing = f"'{at.found}' instead of '{closing}'" if instead else f"'{closing}' is missing"
    return f"{missing}; the '{opening}' of line {token.line} column {token.column} is not closed", at.place


def _closes_nothing(at: Situation) -> Explanation | None:
    opened = {closing: kind for kind, (_, closing, _) in _BRACKETS.items()}
    if at.found not in opened or at.last(opened[at.found]):
        return None
    return f"'{at.found}' closes nothing; remove it, or open it before", at.place


def _foreign_sign(at: Situation) -> Explanation | None:
    if at.found[:1] not in _SIGNS or not at.found:
        return None
    start, sign = _sign_around(at.text, at.offset)
    place = (at.place[0], at.place[1] - at.offset + start)
    if sign in _MEANT:
        return f"unexpected '{sign}'; did you mean '{_MEANT[sign]}'?", place
    if "_ASSIGN" in at.expected:
        return f"unexpected '{sign}'; a definition is written let Name(x, y) := ...;", place
    if sign in ("->", "-->", ">>"):
        joint = "'·' (ASCII .)" if at.notation == "paper" else "';'"
        return f"unexpected '{sign}'; a sequence is written with {joint}", place
    if sign in ("/", "//"):
        return f"unexpected '{sign}'; there is no division, so multiply the other side instead", place
    return None


def _sign_around(text: str, offset: int) -> tuple[int, str]:
    start, end = offset, offset
    while start > 0 and text[start - 1] in _SIGNS:
        start -= 1
    while end < len(text) and text[end] in _SIGNS:
        end += 1
    return start, text[start:end]


def _chained_comparison(at: Situation) -> Explanation | None:
    if not _COMPARISON.match(at.found) or at.kind(1) != "COMPARISON":
        return None
    return "comparisons do not chain; write a < b and b < c", at.place


def _repeated_conditions(at: Situation) -> Explanation | None:
    """``BUY where price < 500+``: the sign was taken for arithmetic, or does not fit at all."""
    if at.notation != "readable" or at.last(*_OPENS) not in ("_WHERE", "_AS", "_SKIP"):
        return None
    sign, place = at.found, at.place
    if at.kind(0) in ("PLUS", "STAR") and at.found in _ENDS_OF_ITEMS:
        sign, place = str(at.unfinished[-1]), place_of(at.unfinished[-1])
    if sign not in ("?", "{", "*", "+"):
        return None
    how = f"(BUY where price < 5){'{1,3}' if sign == '{' else sign}"
    reason = f"'{sign}' after conditions; put parentheses around the event that it repeats, as in {how}"
    return reason, place


def _no_output(at: Situation) -> Explanation | None:
    """``(true)*``: the sign was taken for arithmetic, because a condition alone is no expression."""
    if at.notation != "paper" or at.kind(0) not in ("PLUS", "STAR"):
        return None
    if at.found not in _ENDS_OF_ITEMS:
        return None
    how = "write (φ ↑ •) or (φ ↑ ⊗), in ASCII (phi ^ o) or (phi ^ x)"
    sign = at.unfinished[-1]
    return f"'{sign}' follows a condition that has no output; {how}", place_of(sign)


def _misplaced_clause(at: Situation) -> Explanation | None:
    if at.found == "as" and at.last(*_OPENS) == "_WHERE":
        return f"{at.unexpected} after conditions; write event as r where ...", at.place
    if at.found == "where" and "EVENT" in at.expected:
        return f"{at.unexpected}; an event comes before it, as in event where ...", at.place
    return None


def _missing_where(at: Situation) -> Explanation | None:
    """``SELL price > 3``, ``SELL where a = 1 & b = 2``: a comparison outside a where."""
    if at.event_type and _COMPARISON.match(at.found):
        if at.joint in ("VBAR", "AMPERSAND"):
            word = "or" if at.joint == "VBAR" else "and"
            return f"{at.unexpected}; conditions of one event are joined by '{word}'", at.place
        how = f"event where {brief(at.event_type)} {at.found} ..."
        return f"{at.unexpected}; conditions belong to an event: {how}", at.place
    if "_WHERE" in at.expected and _is_word(at.found) and _COMPARISON.match(at.rest):
        return f"{at.unexpected}; is 'where' missing before it?", at.place
    return None


def _applied_event_type(at: Situation) -> Explanation | None:
    if at.found != "(" or not at.event_type:
        return None
    reason = f"{at.unexpected}; '{brief(at.event_type)}' is read as an event type here"
    where = "Relations are applied after where, and in the paper's notation before ↑ •"
    return f"{reason}. {where}.{suggestion(at.event_type, ['any', 'skip'])}", at.place


def _missing_unit(at: Situation) -> Explanation | None:
    units = ", ".join(NANOSECONDS)
    if at.kind(0) == "FLOAT" and at.found in NANOSECONDS:
        return f"{at.unexpected}; a duration is a whole number of {units}, as in 500 ms", at.place
    if at.kind(0) == "INT" and at.kind(1) in ("_WITHIN", "LESSTHAN"):
        return f"{at.unexpected}; a window is a number of events or of {units}, as in 500 ms", at.place
    return None


def _missing_formula(at: Situation) -> Explanation | None:
    """``A OR``, ``OR A``, ``A OR ()``: an operator of complex event logic without an operand."""
    if at.notation != "cel" or "_START" not in at.expected:
        return None
    if at.kind(0) == "LPAR" and at.found == ")":
        return "these parentheses are empty; write a formula between them", place_of(at.unfinished[-1])
    if at.kind(0) in _JOINS and at.found in ("", ")"):
        sign = SPELLING[at.kind(0)].upper()
        return f"there is nothing after '{sign}'; it joins at least two formulas", place_of(at.unfinished[-1])
    if at.found.lower() in ("or", "and", "all", "unless", ";", ":"):
        return f"there is nothing before '{at.found}'; it joins at least two formulas", at.place
    return None


def _after_filter(at: Situation) -> Explanation | None:
    """``A FILTER x.p > 1 ; B``: a filter applies to all that is before it."""
    if at.notation != "cel" or at.last("_FILTER", "_WHERE", "LPAR") != "_FILTER":
        return None
    if at.found in (";", ":") or at.found.lower() in ("all", "unless"):
        how = f"(... FILTER ...) {at.found} ..."
        return (
            f"unexpected '{at.found}' after a filter; put parentheses around what is filtered: {how}",
            at.place,
        )
    if at.found.lower() == "like":
        return "there is no LIKE; declare a relation and apply it, as in Like(x)", at.place
    return None


def _after_filter_of_cepl(at: Situation) -> Explanation | None:
    """``T AS x FILTER x.p > 1; H AS y``: a filter applies to the whole sequence before it."""
    if at.notation != "cepl" or at.found not in (";", "+"):
        return None
    if at.last("_FILTERED_BY", "LPAR") != "_FILTERED_BY":
        return None
    how = "(... FILTER ...)+" if at.found == "+" else "(... FILTER ...); ..."
    return f"{at.unexpected} after a filter; put parentheses around what is filtered: {how}", at.place


def _in_capitals(at: Situation) -> Explanation | None:
    """``T as x or H as y``: the words of core-CEPL are in capitals, those of conditions are not."""
    if at.notation != "cepl" or at.found == at.found.upper():
        return None
    if at.found.upper() in spelled_words(at.expected):
        return f"{at.unexpected}; outside of conditions it is written '{at.found.upper()}'", at.place
    return None


def _negative(at: Situation) -> Explanation | None:
    if at.kind(0) != "MINUS" or "NAME" in at.expected or not at.found:
        return None
    return (
        f"{at.unexpected}; a minus sign in front belongs to a number: write 0 - {brief(at.found)}",
        at.place,
    )


def _plainly(at: Situation) -> str:
    expected = at.expected
    if at.kind(0) == "INT" and "NAME" in expected:
        expected = expected - {"NAME", "QUOTED_NAME"} | {"UNIT"}
    return f"{at.unexpected}; expected {words(expected)}{_hint(at)}"


def _hint(at: Situation) -> str:
    keywords = spelled_words(at.expected)
    if _is_word(at.found):
        meant = _WORDS_MEANT.get(at.found.lower(), "")
        if meant in (SPELLING.get(terminal) for terminal in at.expected):
            return f". Did you mean '{meant}'?"
        if close := suggestion(at.found.lower(), keywords):
            return f".{close}"
        if close := suggestion(at.event_type, ["skip", "let"]):
            return f". '{brief(at.event_type)}' is read as an event type.{close}"
    if at.last("_LET", "SEMICOLON") == "_LET" and "SEMICOLON" in at.expected and at.found:
        return ". Is the ';' missing that ends the definition?"
    if is_reserved(at.found, at.notation) and {"NAME", "FIELD"} & at.expected:
        return f". '{at.found}' is a reserved word; as a name it is written in backquotes: `{at.found}`"
    return _missing_joint(at)


def _missing_joint(at: Situation) -> str:
    starts = _is_word(at.found) or at.found[:1] in ("(", "~", "'", '"', "`") or at.found.isdigit()
    if not starts:
        return ""
    bracket = at.last(*_BRACKETS)
    if "COMMA" in at.expected and bracket:
        return ". Is a comma missing before it?"
    joint = "'·' (ASCII .)" if at.notation == "paper" else "';'"
    return f". Is {joint} missing before it?" if {"SEMICOLON", "_CDOT"} & at.expected else ""


def _is_word(found: str) -> bool:
    return _WORD.fullmatch(found) is not None


EXPLANATIONS: Final[tuple[Callable[[Situation], Explanation | None], ...]] = (
    _unclosed_text,
    _unclosed_bracket,
    _closes_nothing,
    _chained_comparison,
    _repeated_conditions,
    _no_output,
    _foreign_sign,
    _misplaced_clause,
    _missing_where,
    _applied_event_type,
    _missing_unit,
    _missing_formula,
    _after_filter,
    _after_filter_of_cepl,
    _in_capitals,
    _negative,
)
"""What may be the matter, the most particular first; each says so, or returns ``None``."""
