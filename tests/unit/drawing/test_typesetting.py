"""Names, events and conditions as labels: escaped, indexed, broken over lines."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.automata.drawing.typesetting import (
    WIDEST_VALUE,
    broken,
    condition_text,
    event_text,
    in_order,
    name,
    names,
    paragraph,
    state_name,
    text,
    value_text,
    words,
)
from mnemata.theory.schema import Float64, Int64, Schema, String

FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def read(label: str) -> str:
    """The text of a label, as an XML parser (which Graphviz uses) reads it."""
    return "".join(ElementTree.fromstring(f"<label>{label}</label>".encode()).itertext())


@given(st.text(st.characters()))
def test_any_text_is_read_back(plain: str) -> None:
    shown = read(text(plain))
    assert len(shown) == len(plain)
    for character, original in zip(shown, plain, strict=True):
        assert character == original or FORBIDDEN.match(original)


@given(st.text(st.characters()), st.frozensets(st.text(st.characters(), min_size=1)))
def test_any_condition_is_read_back(printed: str, registers: frozenset[str]) -> None:
    assert read(condition_text(printed, registers, ascii=False)) is not None
    assert read(paragraph(printed)) is not None


@pytest.mark.parametrize(
    ("plain", "label"),
    [
        ("r", "<i>r</i>"),
        ("r12", "<i>r</i><sub>12</sub>"),
        ("q_f", "<i>q</i><sub>f</sub>"),
        ("q_{f,2}", "<i>q</i><sub>f,2</sub>"),
        ("last_price", "<i>last_price</i>"),
        ("#1", "<i>#1</i>"),
        ("<r>1", "<i>&lt;r&gt;1</i>"),
        ("", ""),
    ],
)
def test_names(plain: str, label: str) -> None:
    assert name(plain) == label


def test_names_of_sets_of_states() -> None:
    q = "<i>q</i><sub>{}</sub>"
    assert state_name("{q_s, q_{1,2}}") == f"{{{q.format('s')}, {q.format('1,2')}}}"
    assert state_name("sink <1>") == "sink &lt;1&gt;"


def test_names_are_ordered_as_people_count() -> None:
    assert in_order({"r10", "r2", "a", "r1", "2", "r", ""}) == ["", "2", "a", "r", "r1", "r2", "r10"]
    assert read(names({"r2", "r10", "r1"})) == "{r1, r2, r10}"
    assert read(names({"r2"})) == "r2"


def test_registers_are_variables_except_in_quotes_and_as_attributes() -> None:
    label = condition_text("~.r1 = r1.id ∧ `a b`.x = 'r1 ~' ∧ r12 < 1", {"r1", "a b"}, ascii=False)
    assert label == ("∼.r1 = <i>r</i><sub>1</sub>.id ∧ <i>a b</i>.x = &#39;r1 ~&#39; ∧ r12 &lt; 1")
    assert condition_text("~.a", (), ascii=True) == "~.a"


@pytest.mark.parametrize(
    ("condition", "width", "lines"),
    [
        ("~.a = 1 ∧ ~.b < 2 ∨ ~.c = 3", 20, ["~.a = 1 ∧ ~.b < 2 ", "∨ ~.c = 3"]),
        ("~.a = 'x y z' ∧ ~.b = 1", 12, ["~.a = ", "'x y z' ", "∧ ~.b = 1"]),
        ("'a b c d e f g'", 3, ["'a b c d e f g'"]),
        ("", 12, []),
    ],
)
def test_conditions_break_before_connectives_and_never_in_quotes(
    condition: str, width: int, lines: list[str]
) -> None:
    assert [read(line) for line in broken(words(condition, (), ascii=True), width)] == lines


def test_events_and_values() -> None:
    schema = Schema.of(type=String(), price=Float64(), id=Int64())
    event = schema.event(("B<", 22.5, None))
    assert event_text(event) == "(B&lt;, 22.5, <i>null</i>)"
    assert event_text(event, ["id", "type"]) == "(<i>null</i>, B&lt;)"
    assert value_text(True) == "True"
    assert value_text(2.0) == "2"
    assert len(value_text("x" * 100)) == WIDEST_VALUE
