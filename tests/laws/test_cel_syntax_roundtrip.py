"""Complex event logic: what is written is read back, for all kinds of nodes and any names."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.proofs.generators.cel import cel_formulas
from mnemata.proofs.generators.formulas import conditions
from mnemata.proofs.generators.signature import TICKS
from mnemata.theory.cel.formulas import (
    All,
    And,
    Contiguous,
    ContiguousIteration,
    Filter,
    In,
    Iteration,
    Last,
    Max,
    Nxt,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Strict,
    Unless,
    Within,
    variables_of,
)
from mnemata.theory.cel.predicates import (
    FUNCTIONS,
    AllOf,
    AnyOf,
    Compared,
    Each,
    ForAll,
    ForSome,
    Measure,
    Negated,
    SetRelation,
)
from mnemata.theory.cel.query import Consumption, Query, Selection, formula_of
from mnemata.theory.conditions.formulas import COMPARISONS, Apply, Definition, rename
from mnemata.theory.conditions.formulas import Relation as DeclaredRelation
from mnemata.theory.conditions.formulas import registers as registers_read
from mnemata.theory.conditions.terms import Attribute, Constant, Duration
from mnemata.theory.errors import MnemataError
from mnemata.theory.schema import INT64_MAX, NANOSECONDS
from mnemata.theory.sremo.bounds import EventWindow, TimeWindow
from mnemata.theory.syntax import parse_cel, show_cel
from mnemata.theory.syntax.filter_reader import BUILT_IN_FILTERS
from mnemata.theory.syntax.lexicon import RESERVED_IN_CEL, is_reserved
from mnemata.theory.trees import walk

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
names = st.one_of(
    st.sampled_from(["R", "S", "x", "y", "price", "größe", "max", "START", "PI_T", "pi_x", "next", "any"]),
    st.sampled_from([*RESERVED_IN_CEL, *(word.upper() for word in RESERVED_IN_CEL), *BUILT_IN_FILTERS]),
    st.sampled_from(
        ["stock price", "a`b", "a\\b", "#w", "--", "/*", "3d", "a.b", "é\n", "by", "events", "S>A"]
    ),
    texts,
).filter(lambda name: name != "~")
set_relations = (SetRelation("Wide", 1, lambda a: len(a) > 2), SetRelation("count", 2, lambda a, b: a == b))
durations = st.builds(Duration, st.integers(1, INT64_MAX), st.sampled_from(sorted(NANOSECONDS)))
windows = st.integers(1, INT64_MAX).map(EventWindow) | durations.map(TimeWindow)
of_one_event = conditions(TICKS, ())
of_registers = conditions(TICKS, ("r1", "r2"))
literals = st.one_of(st.integers(-9, 9), st.floats(allow_nan=False), texts, st.booleans()).map(Constant)


@st.composite
def predicates(draw, known, depth=2):
    """Any predicate over some of the variables `known`."""
    variables = st.sampled_from(known)
    kinds = ["each", "each", "all", "some", "measure", "set"] + (["and", "or", "not"] if depth else [])
    kind = draw(st.sampled_from(kinds))
    below = predicates(known, depth - 1)
    match kind:
        case "and" | "or":
            parts = tuple(draw(st.lists(below, min_size=2, max_size=3)))
            return AllOf(parts) if kind == "and" else AnyOf(parts)
        case "not":
            return Negated(draw(below))
        case "set":
            relation = draw(st.sampled_from(set_relations))
            return relation(*(draw(variables) for _ in range(relation.arity)))
        case "measure":
            measures = st.sampled_from(FUNCTIONS).flatmap(lambda f: _measure(f, variables))
            sides = (draw(measures), draw(literals | measures))
            return Compared(
                draw(st.sampled_from(COMPARISONS)), *(sides if draw(st.booleans()) else sides[::-1])
            )
        case "all" | "some":
            condition = _over(
                draw(of_registers), {"~": draw(variables), "r1": draw(variables), "r2": draw(variables)}
            )
            if registers_read(condition):
                return (ForAll if kind == "all" else ForSome)(condition)
    return Each(draw(variables), draw(of_one_event))


def _measure(function, variables):
    attributes = st.none() if function == "count" else names
    return st.builds(Measure, st.just(function), variables, attributes)


def _over(condition, variables):
    return rename(condition, variables)


@st.composite
def formulas(draw, depth=3):
    if depth == 0:
        return Relation(draw(names))
    kinds = (
        Relation,
        In,
        Filter,
        Filter,
        Sequencing,
        Contiguous,
        Or,
        And,
        All,
        Iteration,
        ContiguousIteration,
    )
    kinds += (Projection, Start, Unless, Strict, Nxt, Last, Max, Within)
    kind = draw(st.sampled_from(kinds))
    below = formulas(depth - 1)
    match kind.__name__:
        case "Relation":
            return Relation(draw(names))
        case "In":
            return In(draw(below), draw(names))
        case "Filter":
            body = draw(below)
            known = sorted(variables_of(body))
            return Filter(body, draw(predicates(known))) if known else body
        case "Projection":
            return Projection(draw(below), tuple(draw(st.lists(names, max_size=2))))
        case "Within":
            return Within(draw(below), draw(windows))
        case "Unless":
            return Unless(draw(below), draw(below))
        case "Sequencing" | "Contiguous" | "Or" | "And" | "All":
            return kind(tuple(draw(st.lists(below, min_size=2, max_size=3))))
    return kind(draw(below))


def relations_of(formula):
    """The Python functions that a formula applies; no text can declare them."""
    applied = {node.relation for node in walk(formula) if isinstance(node, Apply)}
    found = [r for r in applied if isinstance(r, DeclaredRelation)]
    for relation in applied:
        if isinstance(relation, Definition):
            found += [n.relation for n in walk(relation.body) if isinstance(n, Apply)]
    return [*found, *set_relations]


@st.composite
def queries(draw):
    formula = draw(formulas())
    known = sorted(variables_of(formula))
    shown = draw(st.none() | st.lists(st.sampled_from(known), min_size=1, unique=True)) if known else None
    return Query(
        formula,
        shown,
        draw(st.sampled_from(Selection)),
        tuple(draw(st.lists(names, max_size=2, unique=True))),
        tuple(draw(st.lists(names, max_size=2, unique=True))),
        draw(st.none() | windows),
        draw(st.sampled_from(Consumption)),
    )


@given(queries(), st.booleans())
def test_a_query_is_read_back_from_ceql(query, ascii):
    text = show_cel(query, notation="ceql", ascii=ascii)
    read = parse_cel(text, relations=relations_of(query.formula))
    assert read == query
    assert show_cel(read, notation="ceql", ascii=ascii) == text
    assert not ascii or text.isascii()


@given(queries(), st.booleans())
def test_a_query_is_read_back_as_one_formula(query, ascii):
    text = show_cel(query, ascii=ascii)
    read = parse_cel(text, relations=relations_of(query.formula))
    assert read == Query(formula_of(query), partition_by=query.partition_by, consume=query.consume)
    assert show_cel(read, ascii=ascii) == text
    assert not ascii or text.isascii()


@pytest.mark.parametrize("notation", ["paper", "ceql"])
@given(formula=cel_formulas(depth=4, unary=False))
def test_a_formula_with_a_schema_is_read_back(notation, formula):
    text = show_cel(formula, notation=notation)
    assert parse_cel(text, schema=TICKS, relations=relations_of(formula)).formula == formula


QUOTED = re.compile(r"('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)")


@given(queries())
def test_spaces_and_comments_say_nothing(query):
    pieces = QUOTED.split(show_cel(query, notation="ceql"))
    spaced = (
        re.sub(r"(?<!PARTITION)(?<!CONSUME)(?<!:) ", " -- so ' `\n /* ` */\t# '\n ", piece)
        for piece in pieces[::2]
    )
    text = "".join(outside + inside for outside, inside in zip(spaced, (*pieces[1::2], ""), strict=True))
    assert parse_cel(text, relations=relations_of(query.formula)) == query


@given(queries())
def test_keywords_are_read_in_any_case(query):
    pieces = QUOTED.split(show_cel(query, notation="ceql"))
    words = "SELECT|FROM|WHERE|WITHIN|PARTITION BY|CONSUME BY|FILTER|AS|AND|OR|NOT|ALL|UNLESS"
    keywords = rf"(?<!\.)\b(?:{words})\b"
    lowered = (re.sub(keywords, lambda found: found[0].lower(), piece) for piece in pieces[::2])
    text = "".join(outside + inside for outside, inside in zip(lowered, (*pieces[1::2], ""), strict=True))
    assert parse_cel(text, relations=relations_of(query.formula)) == query


@pytest.mark.parametrize("notation", ["paper", "ceql"])
@given(formula=cel_formulas(depth=3, unary=False))
def test_every_pair_of_parentheses_is_needed(notation, formula):
    text, relations = show_cel(formula, notation=notation), relations_of(formula)
    for start, end in _parentheses(text):
        without = f"{text[:start]} {text[start + 1 : end]} {text[end + 1 :]}"
        read = None
        with contextlib.suppress(MnemataError):
            read = parse_cel(without, relations=relations).formula
        assert read != formula, without


def _parentheses(text):
    """The pairs that group; not those around a binding that is repeated, which the paper writes too."""
    blank = QUOTED.sub(lambda found: "q" * len(found[0]), text)
    opened, pairs = [], []
    for place, sign in enumerate(blank):
        if sign == "(":
            opened.append(place)
        elif sign == ")":
            start = opened.pop()
            custom = re.search(r"(?:IN|AS) \w+$", blank[:place]) and re.match(
                r"\+| \(\+\)| :\+", blank[place + 1 :]
            )
            if not custom and not re.search(r"[\w}]$", blank[:start]) and blank[start:place] != "(+":
                pairs.append((start, place))
    return pairs


def test_reserved_words_are_those_of_the_grammar():
    for word in RESERVED_IN_CEL:
        assert is_reserved(word.upper(), "cel")
        with pytest.raises(MnemataError):
            parse_cel(f"A; {word}")
        assert parse_cel(f"A; `{word}`").formula == Sequencing((Relation("A"), Relation(word)))
        assert parse_cel(f"A; {word}x").formula == Sequencing((Relation("A"), Relation(f"{word}x")))


def test_attributes_have_any_name():
    text = "A FILTER A.`where x` > 1 AND A.where > 1 AND A[`where` > 2]"
    first, second, third = parse_cel(text).formula.predicate.operands
    assert [p.condition.left for p in (first, second, third)] == [
        Attribute("~", "where x"),
        Attribute("~", "where"),
        Attribute("~", "where"),
    ]
    assert show_cel(parse_cel(text)) == "A FILTER A.`where x` > 1 AND A.where > 1 AND A.where > 2"
