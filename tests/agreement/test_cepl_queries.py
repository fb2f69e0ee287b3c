"""Core-CEPL queries on the engine that patterns are compiled for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemata.automata.engine.recognition import recognise
from mnemata.proofs.generators.cepl import cepl_expressions
from mnemata.proofs.generators.signature import TICKS, streams
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.cepl.query import Query, query_matches
from mnemata.theory.translation import sremo_of


@given(streams(), cepl_expressions(size=5), st.sampled_from(((), ("id",))))
def test_the_engine_finds_what_a_query_matches(stream, expression, keys):
    query = Query(expression, keys)
    found = recognise(sremo_of(query, TICKS), stream_to_arrow(stream, TICKS), schema=TICKS)
    assert {frozenset(match.positions) for match in found} == query_matches(query, stream)
