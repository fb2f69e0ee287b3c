"""Bad texts give errors that name the culprit, the place and the remedy."""

from __future__ import annotations

import pickle

import pytest

from mnemata.theory.conditions.formulas import Relation
from mnemata.theory.errors import (
    ConditionTypeError,
    PatternError,
    PatternSyntaxError,
    UnknownAttributeError,
    UnknownRegisterError,
    UnknownRelationError,
)
from mnemata.theory.schema import Bool, Category, Float64, Int64, Schema, String, Timestamp
from mnemata.theory.syntax import parse

STOCKS = Schema.of(
    price=Float64(),
    name=String(),
    volume=Int64(),
    kind=Category(("BUY", "SELL")),
    urgent=Bool(),
    at=Timestamp("ms"),
    event_type="kind",
    time="at",
)

# Text, line, column, and what the message says.
SYNTAX = [
    ("", 1, 1, "the pattern is empty"),
    (" \n ", 1, 1, "the pattern is empty"),
    ("# nothing here\n", 1, 1, "only comments"),
    # words
    ("BUY were price > 3", 1, 5, "Did you mean 'where'?"),
    ("BUY WHERE price > 3", 1, 5, "Did you mean 'where'?"),
    ("BUY if price > 3", 1, 5, "Did you mean 'where'?"),
    ("BUY\n  wihtin 5 events", 2, 3, "Did you mean 'within'?"),
    ("BUY then SELL", 1, 5, "Did you mean ';'?"),
    ("BUY where price > 3 adn volume > 2", 1, 21, "Did you mean 'and'?"),
    ("BUY where price > 3 AND volume > 2", 1, 21, "Did you mean 'and'?"),
    ("skp BUY", 1, 5, "Did you mean 'skip'?"),
    ("anny(BUY, SELL)", 1, 5, "Did you mean 'any'?"),
    ("BUY partition name", 1, 5, "Did you mean 'partition by'?"),
    ("BUY as where", 1, 8, "in backquotes: `where`"),
    ("event where event > 3", 1, 13, "in backquotes: `event`"),
    ("BUY where price > 3 as b", 1, 21, "event as r where"),
    ("where price > 3", 1, 1, "event where"),
    # signs
    ("BUY where price ==> 3", 1, 17, "did you mean '>='?"),
    ("BUY where price => 3", 1, 17, "did you mean '>='?"),
    ("BUY where price =< 3", 1, 17, "did you mean '<='?"),
    ("BUY where price <> 3", 1, 17, "did you mean '!='?"),
    ("BUY where price > 3 && volume > 1", 1, 21, "did you mean 'and'?"),
    ("BUY where price > 3 || volume > 1", 1, 21, "did you mean 'or'?"),
    ("BUY where !(price > 3)", 1, 11, "did you mean 'not'?"),
    ("BUY where price / 2 > 3", 1, 17, "multiply"),
    ("BUY -> SELL", 1, 5, "';'"),
    ("(true ^ o) -> (true ^ o)", 1, 12, "'·'"),
    ("let P(x) = x.price > 3; BUY", 1, 10, "let Name(x, y) := ...;"),
    ("BUY where 1 < price < 3", 1, 21, "a < b and b < c"),
    ("BUY where -price > 3", 1, 12, "0 - price"),
    ("BUY $ SELL", 1, 5, "unexpected '$'"),
    # brackets
    ("any(BUY, SELL", 1, 14, "the '(' of line 1 column 4 is not closed"),
    ("any(BUY,\n  (SELL; BUY)", 2, 14, "the '(' of line 1 column 4 is not closed"),
    ("any(BUY, SELL partition by name", 1, 15, "the '(' of line 1 column 4 is not closed"),
    ("(~.price > 3 ^ o", 1, 17, "the '(' of line 1 column 1 is not closed"),
    ("(true ^ o)^[1..5", 1, 17, "the '[' of line 1 column 11 is not closed"),
    ("BUY where volume in {1, 2)", 1, 26, "')' instead of '}'"),
    ("BUY)", 1, 4, "')' closes nothing"),
    ("BUY where volume = 1}", 1, 21, "'}' closes nothing"),
    # something missing
    ("any(BUY SELL)", 1, 9, "Is a comma missing"),
    ("BUY where volume in {1 2}", 1, 24, "Is a comma missing"),
    ("BUY SELL", 1, 5, "Is ';' missing"),
    ("(true ^ o) (true ^ o)", 1, 12, "Is '·' (ASCII .) missing"),
    ("let P(x) := x.price > 3 event", 1, 25, "Is the ';' missing that ends the definition?"),
    ("BUY price > 3", 1, 5, "is 'where' missing"),
    ("price > 3", 1, 7, "event where price > ..."),
    ("BUY where price > 3 & volume > 3", 1, 30, "joined by 'and'"),
    ("BUY where price > 3 | volume > 3", 1, 30, "joined by 'or'"),
    ("BUY where (price > 3) | ((volume > 3))", 1, 34, "joined by 'or'"),
    ("BUY;", 1, 5, "unexpected end of the pattern at line 1 column 5; expected an event type"),
    ("BUY where price >", 1, 18, "expected an attribute, a number or a text in quotes"),
    ("BUY where", 1, 10, "expected a condition"),
    ("BUY within 5", 1, 13, "a window is a number of events or of ns, us, ms, s, min, h, d"),
    ("let P(x) := x.price > 1;", 1, 25, "expected an event type"),
    ("true ^", 1, 7, "expected • or ⊗ (ASCII: o or x)"),
    ("true ^ order", 1, 8, "unexpected 'order'"),
    ("~.price > 3 ^ p", 1, 15, "expected • or ⊗ (ASCII: o or x)"),
    ("(true ^ o) + ~.price > 3", 1, 25, "'↑' (ASCII ^)"),
    # repetition
    ("BUY where price < 5.0+", 1, 22, "in (BUY where price < 5)+"),
    ("any(BUY where price < 5.0+, SELL)", 1, 26, "in (BUY where price < 5)+"),
    ("BUY where price < 5*; SELL", 1, 20, "in (BUY where price < 5)*"),
    ("BUY where price < 5?", 1, 20, "in (BUY where price < 5)?"),
    ("BUY where price < 5{2,3}", 1, 20, "in (BUY where price < 5){1,3}"),
    ("BUY as b+", 1, 9, "in (BUY where price < 5)+"),
    ("skip BUY*", 1, 9, "in (BUY where price < 5)*"),
    (
        "(true)* · (true ^ o)",
        1,
        7,
        "that has no output at line 1 column 7; write (φ ↑ •)",
    ),
    # registers, attributes and relations where they do not belong
    ("r1 > 3 ^ o", 1, 1, "r1.price for that register or ~.r1 for the current event"),
    ("(~ = 3) ^ o", 1, 2, "~ is a whole event"),
    ("event where ~ > 3", 1, 13, "~ is a whole event"),
    ("TypeIsB(~)", 1, 8, "Relations are applied after where"),
    ("event where abs(price, 1) > 3", 1, 13, "abs() takes one argument, got 2"),
    ("event where `~`.price > 1", 1, 13, "write ~ without backquotes"),
    ("event as `~`", 1, 10, "write ~ without backquotes"),
    ("event as ``", 1, 10, "an empty name"),
    ("let time(x) := x.price > 1; event", 1, 5, "'time' is built in"),
    # texts, names and numbers
    ("BUY where name = 'INTC", 1, 18, "this quoted text has no end"),
    ("BUY where name = 'IN\nTC'", 1, 18, "this quoted text has no end"),
    ("BUY where `price > 3", 1, 11, "this quoted name has no end"),
    (r"BUY where name = 'a\qb'", 1, 20, r"unknown escape '\q'"),
    (r"BUY where name = 'a\ud800'", 1, 20, "is not a character"),
    (r"BUY where name = '\U00110000'", 1, 19, "is not a character"),
    (r"BUY where name = '\x4'", 1, 19, r"unknown escape '\x'"),
    ("BUY where name in {INTC}", 1, 20, "put a text in quotes: 'INTC'"),
    ("BUY where time(~) - time(~) < 500 msec", 1, 35, "Did you mean 'ms'?"),
    ("BUY where time(~) - time(~) < 500 secnds", 1, 35, "Did you mean 's'?"),
    ("BUY within 5 evnts", 1, 14, "Did you mean 'events'?"),
    ("BUY where time(~) - time(~) < 0.5 s", 1, 35, "whole number"),
    ("(true ^ o)^[2..5]", 1, 13, "a window is written [1..w]"),
    # characters
    ("BUY\x00", 1, 4, "U+0000"),
    ("BUY;\n\x1b[31m", 2, 1, "U+001B"),
    ("BUY where name = '\ud800'", 1, 19, "U+D800"),
    ("BUY\u202e", 1, 4, "unexpected"),
]


@pytest.mark.parametrize(("text", "line", "column", "says"), SYNTAX)
def test_syntax_errors(text: str, line: int, column: int, says: str) -> None:
    with pytest.raises(PatternSyntaxError) as caught:
        parse(text, schema=STOCKS)
    error = caught.value
    assert says in str(error)
    assert (error.line, error.column) == (line, column), str(error)
    assert f" at line {line} column {column}" in str(error)


def test_the_place_is_marked_by_a_caret() -> None:
    with pytest.raises(PatternSyntaxError) as caught:
        parse("any(BUY,\n  SELL wher price > 3)", schema=STOCKS)
    assert str(caught.value).splitlines()[1:] == ["    SELL wher price > 3)", "         ^"]


def test_syntax_errors_survive_pickling() -> None:
    with pytest.raises(PatternSyntaxError) as caught:
        parse("BUY where", schema=STOCKS)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)


MEANING = [
    (
        "BUY where prize > 3",
        UnknownAttributeError,
        "unknown attribute 'prize' at line 1 column 11; the schema has price, name, volume, kind, urgent, at."
        " Did you mean 'price'?",
    ),
    ("BUY where ~.prize > 3", UnknownAttributeError, "'prize' at line 1 column 13"),
    ("BUY as b;\nSELL where\n price > b.prize", UnknownAttributeError, "'prize' at line 3 column 12"),
    ("(~.prize > 3) ^ o", UnknownAttributeError, "'prize' at line 1 column 4"),
    ("let P(x) := x.prize > 3; BUY where P(~)", UnknownAttributeError, "'prize' at line 1 column 15"),
    ("BUY where name = INTC", UnknownAttributeError, "put it in quotes: 'INTC'"),
    (
        "BUY as b; SELL where b > 3",
        UnknownAttributeError,
        "'b' is a register, not an attribute at line 1 column 22",
    ),
    ("BUY partition by nam", UnknownAttributeError, "'nam' at line 1 column 18"),
    ("BUY where name > 3", ConditionTypeError, "cannot compare string > int64 at line 1 column 11"),
    (
        "BUY where price > 1 and (name + 1) > 3",
        ConditionTypeError,
        "cannot compute string + int64 at line 1 column 25",
    ),
    ("BUY where volume in {1, 'a'}", ConditionTypeError, "at line 1 column 11"),
    ("BUY where time(~) > 'noon'", ConditionTypeError, "at line 1 column 11"),
    ("BUY where at > 5 s", ConditionTypeError, "at line 1 column 11"),
    (
        "SEL where price > 1",
        ConditionTypeError,
        "'SEL' is not a value of category[BUY, SELL] at line 1 column 1",
    ),
    ("SEL where price > 1", ConditionTypeError, "Did you mean 'SELL'?"),
    ("BUY within 5 us", ConditionTypeError, "a window of 5 us is not a whole number of ms"),
    ("BUY where urgent", ConditionTypeError, "'urgent' alone is not a condition at line 1 column 11"),
    ("BUY where price + 1", ConditionTypeError, "not a condition at line 1 column 11"),
    (
        "BUY where price > 1 and price",
        ConditionTypeError,
        "'price' alone is not a condition at line 1 column 25",
    ),
    ("BUY where (price > 1) = true", ConditionTypeError, "a condition, not a value at line 1 column 12"),
    ("BUY where volume in {price}", PatternSyntaxError, "'price' is a name"),
    ("BUY where volume in {1 + 1}", ConditionTypeError, "a set holds constants only at line 1 column 22"),
    ("BUY where defined(price + 1)", ConditionTypeError, "applied to ~ and registers"),
    ("BUY where defined(price > 1)", ConditionTypeError, "applied to ~ and registers"),
    ("BUY where defined(true)", ConditionTypeError, "applied to ~ and registers"),
    ("BUY where price > 9223372036854775808", ConditionTypeError, "does not fit 64 bits at line 1 column 19"),
    (
        "BUY where price > -9223372036854775809",
        ConditionTypeError,
        "does not fit 64 bits at line 1 column 19",
    ),
    (f"BUY where price > 1{'0' * 5000}", ConditionTypeError, "does not fit 64 bits at line 1 column 19"),
    ("BUY where price > 1e999", ConditionTypeError, "infinity is written inf"),
    (f"BUY within 1{'0' * 5000} s", ConditionTypeError, "does not fit 64 bits"),
    ("BUY within 9223372036854775808 events", PatternError, "does not fit 64 bits at line 1 column 12"),
    ("BUY within 0 events", PatternError, "got 0 at line 1 column 12"),
    ("BUY length 0", PatternError, "got 0 at line 1 column 12"),
    ("BUY within 0 s", PatternError, "needs a positive duration at line 1 column 12"),
    ("BUY{3,2}", PatternError, "needs m <= n, got {3,2} at line 1 column 5"),
    (
        "BUY where at > @'2013-13-01'",
        PatternError,
        "'2013-13-01' is not a date or time in ISO 8601 at line 1 column 16",
    ),
    ("BUY partition by name, name", PatternError, "names 'name' twice at line 1 column 24"),
    ("BUY as a & (SELL where price > a.price)", PatternError, "register 'a' is written on one side"),
    ("not BUY", PatternError, "a negation contains a marked event at line 1 column 1"),
    ("BUY where price > b.price", UnknownRegisterError, "'b' that is read at line 1 column 19"),
    ("BUY as first; SELL where price > frist.price", UnknownRegisterError, "Did you mean 'first'?"),
    ("BUY as first; SELL where defined(frist)", UnknownRegisterError, "at line 1 column 34"),
    ("(~.price > r1.price) ^ o", UnknownRegisterError, "the pattern writes none"),
    (
        "let P(x) := y.price > 3; BUY where P(~)",
        UnknownRegisterError,
        "'y' is not a parameter at line 1 column 13",
    ),
    (
        "let P(x) := price > 3; BUY where P(~)",
        UnknownRegisterError,
        "~ is not a parameter at line 1 column 13",
    ),
    ("let P(x) := Q(~); BUY", UnknownRelationError, "unknown relation 'Q' at line 1 column 13"),
    ("let Q(x) := x.price > 1; let P(x) := Q(~); BUY", UnknownRegisterError, "~ is not a parameter"),
    ("let P(x) := P(x); BUY where P(~)", UnknownRelationError, "unknown relation 'P' at line 1 column 13"),
    ("let Rises(x) := x.price > 3; BUY where Rise(~)", UnknownRelationError, "Did you mean 'Rises'?"),
    ("BUY where postion(~) > 3", UnknownRelationError, "Did you mean 'position'?"),
    ("let P(x) := x.price > 3; BUY where P(~, ~)", PatternError, "got 2 at line 1 column 36"),
    ("let P(x) := x.price > 3; let P(y) := y.price > 1; BUY", PatternError, "declared twice"),
    ("let P(x, x) := x.price > 3; BUY", PatternError, "parameters with different names at line 1 column 5"),
]


@pytest.mark.parametrize(("text", "kind", "says"), MEANING)
def test_what_is_well_formed_and_means_nothing(text: str, kind: type[PatternError], says: str) -> None:
    with pytest.raises(PatternError) as caught:
        parse(text, schema=STOCKS)
    assert type(caught.value) is kind
    assert says in str(caught.value)
    assert "\n" in str(caught.value), "the excerpt is missing"
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_an_event_type_needs_a_schema_that_says_which_attribute_it_is() -> None:
    with pytest.raises(
        UnknownAttributeError, match="the event type 'BUY' cannot be resolved, since no schema"
    ):
        parse("BUY")
    with pytest.raises(UnknownAttributeError, match="the schema names no event type at line 1 column 8"):
        parse("event; BUY", schema=Schema.of(price=Float64()))
    with pytest.raises(UnknownAttributeError, match="event where type = 'BUY'"):
        parse("BUY")


def test_times_need_a_schema_with_a_time() -> None:
    timeless = Schema.of(price=Float64())
    with pytest.raises(ConditionTypeError, match="no time attribute at line 1 column 13"):
        parse("event where time(~) > time(~)", schema=timeless)
    with pytest.raises(ConditionTypeError, match="line 1 column 14"):
        parse("event within 5 s", schema=timeless)


def test_a_register_may_be_read_before_it_is_written() -> None:
    assert parse("event where price > late.price; event as late", schema=STOCKS)


def test_relations_that_read_unknown_attributes() -> None:
    rises = Relation("Rises", 1, lambda x: True, attributes=("prize",))
    with pytest.raises(
        UnknownAttributeError, match="relation 'Rises': unknown attribute 'prize' at line 1 column 13"
    ):
        parse("event where Rises(~)", relations=[rises], schema=STOCKS)


def test_relations_with_one_name() -> None:
    relations = [Relation("P", 1, lambda x: True), Relation("P", 2, lambda x, y: True)]
    with pytest.raises(PatternError, match="two relations are called 'P'"):
        parse("event where P(~)", relations=relations)
    with pytest.raises(PatternError, match="declared twice"):
        parse("let P(x) := x.a = 1; event where P(~)", relations=relations[:1])


def test_only_strings_are_read() -> None:
    with pytest.raises(PatternError, match="got bytes"):
        parse(b"event")  # type: ignore[arg-type]
    with pytest.raises(PatternError, match="unknown notation 'latex'"):
        parse("event", notation="latex")  # type: ignore[arg-type]
