"""Well-formed, safe and bounded, and what is said of those that are not."""

from __future__ import annotations

import pytest

from mnemata.theory.cepl.checks import (
    Rule,
    ill_formed_parts,
    is_bounded,
    is_safe,
    is_well_formed,
    unbounded_parts,
    unsafe_parts,
)
from mnemata.theory.cepl.expressions import Atom, Or, Sequence
from mnemata.theory.cepl.refusals import check_bounded, check_well_formed
from mnemata.theory.conditions.building import register
from mnemata.theory.errors import UnknownVariableError, UnsupportedError
from mnemata.theory.syntax import parse_cepl

UNBOUNDED = "(T AS x FILTER x.id = y.id)+; H AS y"
T, H = (lambda name: Atom("T", name)), (lambda name: Atom("H", name))


def read(text):
    return parse_cepl(text).expression


@pytest.mark.parametrize(
    "text",
    [
        "T AS x",
        "T AS x FILTER x.id = 1",
        "T AS x; H AS y FILTER x.id = y.id",
        "(T AS x)+; (H AS y)+",
        "(T AS x OR H AS x; T AS y) FILTER x.id = 1",
        "T AS x OR H AS y",
        "T AS x OR (T AS x)+",
        "((T AS x; H AS y FILTER x.id = y.id)+ OR T AS x) WINDOW 4",
        "(T AS x1; T AS x2 FILTER x1.value = x2.value)+",
    ],
)
def test_bounded(text):
    expression = read(text)
    assert is_bounded(expression)
    assert is_safe(expression)
    check_bounded(expression)


def test_the_expression_of_the_paper_is_well_formed_and_not_bounded():
    expression = read(UNBOUNDED)
    assert is_well_formed(expression)
    assert is_safe(expression)
    found, shared = unbounded_parts(expression)
    assert (shared.rule, shared.variable) == (Rule.SEPARATE, "y")
    assert found.rule is Rule.BOUND_INSIDE
    assert found.variable == "y"
    assert found.node == T("x").filter(register("x").id == register("y").id)
    with pytest.raises(UnsupportedError) as caught:
        check_bounded(expression)
    message = str(caught.value)
    assert message.startswith("in 'T AS x FILTER x.id = y.id': the filter reads 'y'")
    assert "bounded if 'y' was bound in the same round" in message
    assert "(bounded: whatever a filter reads is bound by what it filters)" in message


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("T AS x; (H AS y FILTER y.id = x.id)", "if it filtered the whole expression that binds 'x'"),
        ("T AS x; (H AS y FILTER y.id = x.id)+", "or the rounds were written out as a sequence"),
        ("(T AS x)+ FILTER x.id = 1", None),
        ("(T AS x OR H AS y) FILTER x.id = 1", None),
        ("T AS x; ((T AS y OR H AS z) FILTER x.id = 1)", "if it filtered the whole expression"),
    ],
)
def test_what_would_make_it_bounded(text, remedy):
    if remedy is None:
        with pytest.raises(UnknownVariableError, match="'x' is bound in an OR or an iteration only"):
            read(text)
        return
    first, *_ = unbounded_parts(read(text))
    assert remedy in first.remedy


def test_a_filter_that_belongs_into_a_disjunct():
    choice = (T("x") | H("y")).filter(register("y").id == 1)
    expression = Sequence((choice, T("z"))) | H("y")
    found = [v for v in unbounded_parts(expression) if v.rule is Rule.BOUND_INSIDE]
    assert "moved into the disjunct or iteration that binds 'y'" in found[0].remedy


def test_sequences_share_no_variables():
    expression = Sequence((T("x"), H("y"), T("x")))
    assert not is_safe(expression)
    assert [v.rule for v in unsafe_parts(expression)] == [Rule.SAFE]
    assert [v.rule for v in unbounded_parts(expression)] == [Rule.SEPARATE]
    with pytest.raises(UnsupportedError, match=r"two parts of a sequence share the variable 'x'; rename 'x'"):
        check_bounded(expression)


def test_what_is_repeated_may_not_be_shared_either():
    expression = T("x").plus() >> H("x")
    assert is_safe(expression)
    assert not is_bounded(expression)


def test_what_a_filter_reads_counts_as_shared():
    expression = read("(T AS x; (H AS y FILTER y.id = x.id))")
    assert {v.rule for v in unbounded_parts(expression)} == {Rule.BOUND_INSIDE, Rule.SEPARATE}


def test_ill_formed():
    expression = T("x").filter(register("z").id == 1)
    (found,) = ill_formed_parts(expression)
    assert found.rule is Rule.WELL_FORMED
    assert found.variable == "z"
    for check in (check_well_formed, check_bounded):
        with pytest.raises(UnknownVariableError, match="nothing around the filter binds the variable 'z'"):
            check(expression)


def test_bound_by_something_around_the_filter_is_enough():
    assert is_well_formed(read("((T AS x OR H AS z) FILTER y.id = 1); H AS y"))
    assert is_well_formed(Sequence((Or((T("x"), H("z"))).filter(register("x").id == 1), T("x"))))


def test_names_are_suggested():
    with pytest.raises(UnknownVariableError, match=r"Did you mean 'sensor'\?"):
        check_well_formed(T("sensor").filter(register("senser").id == 1))


def test_long_parts_are_shortened():
    long = Sequence(tuple(T(f"variable{n}") for n in range(30))).filter(register("z").id == 1)
    with pytest.raises(UnknownVariableError, match=r"varia \.\.\.': nothing") as caught:
        check_well_formed(long)
    assert "variable26, ... (well-formed" in str(caught.value)
