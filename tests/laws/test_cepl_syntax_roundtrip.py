"""Core-CEPL: what is written is read back, for all kinds of nodes and any names."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.proofs.generators.cepl import cepl_expressions
from mnemata.proofs.generators.formulas import conditions
from mnemata.proofs.generators.signature import TICKS
from mnemata.theory.cepl.checks import is_well_formed
from mnemata.theory.cepl.expressions import Atom, Filter, Iteration, Or, Sequence, Windowed
from mnemata.theory.cepl.query import Query
from mnemata.theory.conditions.formulas import Apply, Definition, Relation, rename, variables
from mnemata.theory.errors import MnemataError
from mnemata.theory.schema import INT64_MAX
from mnemata.theory.sremo.bounds import EventWindow
from mnemata.theory.syntax import parse_cepl, show_cepl
from mnemata.theory.syntax.lexicon import BUILT_IN, RESERVED_IN_CEL, RESERVED_IN_CEPL, is_reserved
from mnemata.theory.trees import walk

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
names = st.one_of(
    st.sampled_from(["R", "S", "x", "y", "price", "größe", "partition", "PARTITION", "by"]),
    st.sampled_from([*RESERVED_IN_CEPL, *RESERVED_IN_CEL, *BUILT_IN, "As", "Filter", "event"]),
    st.sampled_from(["stock price", "a`b", "a\\b", "#w", "--", "3d", "a.b", "é\n", "S>A"]),
    texts,
).filter(lambda name: name != "~")
pairs = conditions(TICKS, ("r1", "r2"))


@st.composite
def expressions(draw, depth=3):
    kinds = ("atom", "filter", "filter", "sequence", "or", "plus", "window") if depth else ("atom",)
    below = expressions(depth - 1)
    match draw(st.sampled_from(kinds)):
        case "filter":
            body = draw(below)
            known = sorted(_names(body))
            chosen = {name: draw(st.sampled_from(known)) for name in ("~", "r1", "r2")}
            condition = rename(draw(pairs), chosen)
            return Filter(body, condition) if variables(condition) else body
        case "sequence":
            return Sequence(tuple(draw(st.lists(below, min_size=2, max_size=3))))
        case "or":
            return Or(tuple(draw(st.lists(below, min_size=2, max_size=3))))
        case "plus":
            return Iteration(draw(below))
        case "window":
            return Windowed(draw(below), EventWindow(draw(st.integers(1, INT64_MAX))))
    return Atom(draw(names), draw(names))


def _names(expression):
    return {node.variable for node in walk(expression) if isinstance(node, Atom)}


def relations_of(expression):
    """The Python functions that an expression applies; no text can declare them."""
    applied = {node.relation for node in walk(expression) if isinstance(node, Apply)}
    found = [r for r in applied if isinstance(r, Relation)]
    for relation in applied:
        if isinstance(relation, Definition):
            found += [n.relation for n in walk(relation.body) if isinstance(n, Apply)]
    return found


well_formed = expressions().filter(is_well_formed)
queries = st.builds(Query, well_formed, st.lists(names, max_size=2, unique=True).map(tuple))


@given(queries, st.booleans())
def test_a_query_is_read_back(query, ascii):
    text = show_cepl(query, ascii=ascii)
    read = parse_cepl(text, relations=relations_of(query.expression))
    assert read == query
    assert show_cepl(read, ascii=ascii) == text
    assert not ascii or text.isascii()


@given(cepl_expressions(size=6))
def test_bounded_expressions_are_read_back_with_a_schema(expression):
    text = show_cepl(expression)
    again = parse_cepl(text, schema=TICKS, relations=relations_of(expression), bounded=True)
    assert again.expression == expression


QUOTED = re.compile(r"('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)")


@given(queries)
def test_spaces_and_comments_say_nothing(query):
    pieces = QUOTED.split(show_cepl(query))
    spaced = (re.sub(r"(?<!PARTITION) ", " # so ' `\n\t# '\n ", piece) for piece in pieces[::2])
    text = "".join(outside + inside for outside, inside in zip(spaced, (*pieces[1::2], ""), strict=True))
    assert parse_cepl(text, relations=relations_of(query.expression)) == query


@given(cepl_expressions(size=5))
def test_every_pair_of_parentheses_is_needed(expression):
    text, relations = show_cepl(expression), relations_of(expression)
    for start, end in _parentheses(text):
        without = f"{text[:start]} {text[start + 1 : end]} {text[end + 1 :]}"
        read = None
        with contextlib.suppress(MnemataError):
            read = parse_cepl(without, relations=relations).expression
        assert read != expression, without


def _parentheses(text):
    """The pairs that group; not those around one atom that is repeated, which the paper writes too."""
    blank = QUOTED.sub(lambda found: "q" * len(found[0]), text)
    opened, pairs = [], []
    for place, sign in enumerate(blank):
        if sign == "(":
            opened.append(place)
        elif sign == ")":
            start = opened.pop()
            custom = re.fullmatch(r"\(\w+ AS \w+\)\+?", blank[start : place + 2])
            if not custom and not re.search(r"\w$", blank[:start]):
                pairs.append((start, place))
    return pairs


@pytest.mark.parametrize("word", RESERVED_IN_CEPL)
def test_reserved_words_are_those_of_the_grammar(word):
    assert is_reserved(word, "cepl")
    for text in (f"{word} AS x", f"T AS {word}"):
        with pytest.raises(MnemataError):
            parse_cepl(text)
    assert parse_cepl(f"`{word}` AS `{word}`").expression == Atom(word, word)
    assert parse_cepl(f"{word}x AS {word}_").expression == Atom(f"{word}x", f"{word}_")
    assert parse_cepl(f"T AS x FILTER x.{word} = 1").expression.condition.left.name == word
