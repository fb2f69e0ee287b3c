"""Tables in Markdown and LaTeX."""

from __future__ import annotations

import pytest

from mnemata.paper_figures.tables import Table, latex_text, sets_of_positions, stream_table
from mnemata.theory.schema import Int64, Schema, String


def test_what_is_special_in_latex_is_escaped_and_symbols_have_names() -> None:
    assert latex_text("50 % of a_b & {1}") == r"50 \% of a\_b \& \{1\}"
    assert latex_text("⟦φ⟧") == r"\ensuremath{\llbracket}\ensuremath{\varphi}\ensuremath{\rrbracket}"
    assert latex_text("⊨ ✓ `code`") == r"\ensuremath{\models} {\checkmark} code"


def test_a_sign_that_latex_does_not_know_is_not_left_out() -> None:
    with pytest.raises(ValueError, match="U\\+2603"):
        latex_text("☃")


def test_alignment_is_by_columns() -> None:
    table = Table("T", ("a", "b", "c"), (("1", "2", "3"),))
    assert table.alignment == "lrr"
    assert table._replace(align="llc").markdown().splitlines()[3] == "|---|---|---|"


def test_streams_stand_in_columns_as_in_the_papers() -> None:
    schema = Schema.of(type=String(), id=Int64())
    table = stream_table(schema.stream([("B", 1), ("S", 2)]), schema, first=1)
    assert table.columns == ("index", "1", "2")
    assert table.rows == (("type", "B", "S"), ("id", "1", "2"))


def test_no_sets_are_a_dash() -> None:
    assert sets_of_positions([]) == "—"
    assert sets_of_positions([frozenset({10, 2}), frozenset({2})]) == "{2} {2, 10}"
