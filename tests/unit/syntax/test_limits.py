"""Large and deep texts: what must work works, and what is refused is refused at once."""

from __future__ import annotations

import random
import sys
import time

import pytest

from mnemata.theory.errors import LimitError, PatternSyntaxError
from mnemata.theory.syntax import LONGEST_TEXT, parse, parse_located, show
from mnemata.theory.syntax.grammar import grammar_text, parser
from mnemata.theory.syntax.lexicon import notation_of

DEPTH = 5_000
HALF = DEPTH // 2
DEEP = {
    "parentheses": "(" * DEPTH + "event" + ")" * DEPTH,
    "stars": "(" * DEPTH + "event where price > 3" + ")*" * DEPTH,
    "strategies": "any(" * HALF + "next(" * HALF + "event" + ")" * DEPTH,
    "alternation": "(event;(event|" * HALF + "event" + "))" * HALF,
    "sequences to the left": "(" * DEPTH + "event" + ";event)" * DEPTH,
    "sequences to the right": "(event;" * DEPTH + "event" + ")" * DEPTH,
    "intersections": "(" * DEPTH + "event" + "&event)" * DEPTH,
    "windows": "(" * DEPTH + "event" + " within 5 events)" * DEPTH,
    "negations": "not (" * DEPTH + "nothing" + ")" * DEPTH,
    "conditions": "event where " + "(" * DEPTH + "price > 3" + ")" * DEPTH,
    "not": "event where " + "not (" * DEPTH + "price > 3" + ")" * DEPTH,
    "and": "event where " + "(" * DEPTH + "a > 3" + " and b > 4)" * DEPTH,
    "and, or": "event where " + "(a > 3 and (b > 4 or " * HALF + "c > 5" + "))" * HALF,
    "abs": "event where " + "abs(" * DEPTH + "price" + ")" * DEPTH + " > 3",
    "differences": "event where " + "(1 - " * DEPTH + "price" + ")" * DEPTH + " > 3",
    "paper: parentheses": "(" * DEPTH + "true ^ o" + ")" * DEPTH,
    "paper: stars": "(" * DEPTH + "⊤ ↑ •" + ")*" * DEPTH,
    "paper: plus": "(" * DEPTH + "⊤ ↑ •" + ")⁺" * DEPTH,
    "paper: strategies": "↻(" * DEPTH + "⊤ ↑ •" + ")" * DEPTH,
    "paper: windows": "(" * DEPTH + "⊤ ↑ •" + ")^[1..5]" * DEPTH,
    "paper: alternation": "((⊤ ↑ •) + ((⊤ ↑ ⊗) · " * HALF + "(⊤ ↑ •)" + "))" * HALF,
    "paper: negations": "!" * DEPTH + "ε",
}


@pytest.mark.parametrize("name", DEEP)
def test_five_thousand_levels(name: str) -> None:
    text = DEEP[name]
    notation = notation_of(text)
    assert sys.getrecursionlimit() < DEPTH
    started = time.process_time()
    pattern = parse(text)
    shown = show(pattern, notation=notation)
    assert time.process_time() - started < 4
    assert parse(shown) == pattern


def test_wide_texts_take_linear_time() -> None:
    text = ";".join(["event where price > 3 and volume < 4"] * 3_000)
    assert len(text) > 100_000
    started = time.process_time()
    assert len(parse(text).expression.parts) == 3_000
    assert time.process_time() - started < 4


def test_texts_have_a_longest_length() -> None:
    parse("event" + " " * (LONGEST_TEXT - 5))
    for text in ("event" + " " * (LONGEST_TEXT - 4), "(" * 1_000_000, "\x00" * 1_000_000):
        with pytest.raises(LimitError, match=f"the limit is {LONGEST_TEXT} characters"):
            parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 200_000,
        "any(" * 50_000,
        "event where " + "(" * 200_000,
        "event where " + "not " * 50_000,
        "event where price > " + "9" * 200_000 + "x y",
        "event where name = '" + "a" * 200_000,
        "x" * 200_000 + " y",
        "(true ^ o) + " * 5_000,
        "event" + ")" * 200_000,
        "event where price " + "=" * 200_000,
        "event where price " + "-" * 200_000,
        "# " * 100_000 + "\n)",
        "event where r." + "# " * 100_000 + "\n1",
        "'" * 100_001,
        "event where name = '" + "\\'" * 100_000,
    ],
    ids=lambda text: text[:30],
)
def test_long_mistakes_are_found_quickly(text: str) -> None:
    started = time.process_time()
    with pytest.raises(PatternSyntaxError) as caught:
        parse(text)
    assert time.process_time() - started < 5
    assert len(str(caught.value)) < 2_000


def test_definitions_may_not_explode() -> None:
    doubling = "let f0(x) := x.a = 1; " + " ".join(
        f"let f{i}(x) := f{i - 1}(x) and f{i - 1}(x);" for i in range(1, 40)
    )
    with pytest.raises(LimitError, match="definition 'f15' is too large at line 1 column"):
        parse(f"{doubling} event where f39(~)")


def test_definitions_may_not_rest_on_too_many_others() -> None:
    def chain(length: int) -> str:
        lets = [f"let f{i}(x) := f{i - 1}(x);" for i in range(1, length)]
        return f"let f0(x) := x.a = 1; {' '.join(lets)} event where f{length - 1}(~)"

    pattern = parse(chain(100))
    assert parse(show(pattern)) == pattern
    with pytest.raises(LimitError, match="it is number 101 of a chain"):
        parse(chain(101))


def test_the_grammars_have_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    from lark import Lark, logger

    caplog.set_level("DEBUG", logger=logger.name)
    for notation in ("paper", "readable", "cel", "cepl"):
        Lark(grammar_text(notation), parser="lalr", lexer="contextual", start="pattern", debug=True)
    assert not caplog.records


def test_a_parser_is_built_once_in_a_process() -> None:
    assert parser("paper") is parser("paper")


def test_everything_has_a_place_even_when_it_is_deep() -> None:
    located = parse_located("(" * DEPTH + "event" + ")*" * DEPTH)
    node = located.pattern.expression
    while hasattr(node, "body"):
        node = node.body
    assert located.place(node) == (1, DEPTH + 1)


def test_random_bytes_never_escape() -> None:
    source = random.Random(7)
    for _ in range(200):
        text = bytes(source.randrange(256) for _ in range(source.randrange(80))).decode("latin-1")
        with pytest.raises(PatternSyntaxError):
            parse(text + "\x00")
