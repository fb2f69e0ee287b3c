"""Many patterns found at once have the matches that they have one by one."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.engine import classes
from mnemata.automata.engine.recognition import recognise, recognise_all
from mnemata.proofs.generators import TICKS, patterns, streams
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.errors import PatternError, SchemaError
from mnemata.theory.schema import Event, Int64, Schema
from mnemata.theory.sremo.expressions import Pattern, mark
from mnemata.theory.syntax import parse

PRICES = pa.table({"kind": ["a", "b", "a", "b", None], "price": [3, 1, 2, 5, None]})


@settings(max_examples=50)
@given(st.lists(patterns(), min_size=1, max_size=5), streams(), st.sampled_from([0, 2, 128]))
def test_together_as_one_by_one(some: list[Pattern], stream: tuple[Event, ...], few: int) -> None:
    """However many classes of events patterns may share."""
    table = stream_to_arrow(stream, TICKS)
    named = {str(number): pattern for number, pattern in enumerate(some)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classes, "FEW_CLASSES", few)
        found = recognise_all(named, table, schema=TICKS)
        together = {name: list(matches) for name, matches in found.items()}
    assert together == {name: list(recognise(one, table, schema=TICKS)) for name, one in named.items()}


def test_names_are_those_of_the_mapping() -> None:
    found = recognise_all({"one": "event where price > 2", "two": mark()}, PRICES)
    assert list(found) == ["one", "two"]
    assert found["one"].to_arrow().column("pattern").to_pylist() == ["one", "one"]
    assert [match.positions for match in found["two"]] == [(n,) for n in range(5)]


def test_sub_streams_may_differ() -> None:
    texts = {"whole": "event; event", "kinds": "event; event partition by kind"}
    found = recognise_all(texts, PRICES)
    assert [match.positions for match in found["whole"]] == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert [(match.key, match.positions) for match in found["kinds"]] == [(("a",), (0, 2)), (("b",), (1, 3))]


def test_a_sequence_of_patterns_needs_names() -> None:
    one = Pattern(mark(), name="one")
    assert list(recognise_all([one, "event; event"], PRICES)) == ["one", "pattern"]
    with pytest.raises(PatternError, match="2 patterns are called 'pattern'; give a mapping from names"):
        recognise_all(["event", "event; event"], PRICES)
    with pytest.raises(PatternError, match="there is no pattern to find; give at least one"):
        recognise_all([], PRICES)


def test_a_schema_is_one_for_all() -> None:
    one = compile_pattern(parse("event", schema=Schema.of(price=Int64())), Schema.of(price=Int64()))
    with pytest.raises(SchemaError, match="patterns 'a' and 'b' were compiled for different schemas"):
        recognise_all({"a": one, "b": "event"}, PRICES)
