"""Hypothesis strategies for streams, conditions, expressions and automata.

Values come from small pools, so that joins hit, ties in time occur and a few values are missing.
Simple examples come first in every choice (``T`` before an equality, an equality before arithmetic, a
terminal before an operator), so that counterexamples shrink to the size of those in ERRATA. Draw
streams before expressions: Hypothesis varies what it draws first more freely.

>>> from mnemata.theory.sremo.semantics import matches
>>> from hypothesis import given, settings
>>> @settings(max_examples=5, database=None)
... @given(streams(TICKS), expressions(TICKS))
... def every_match_lies_in_its_string(string, expression):
...     for marks in matches(expression, string):
...         if not marks <= {event.position for event in string}:
...             raise ValueError((string, expression))
>>> every_match_lies_in_its_string()
"""

from mnemata.proofs.generators.automata import srts
from mnemata.proofs.generators.formulas import Agree, atoms, conditions, relations, variables
from mnemata.proofs.generators.remembering import (
    remembering_chains,
    remembering_expressions,
    remembering_pairs,
    remembering_patterns,
    remembering_srts,
    remembering_waits,
)
from mnemata.proofs.generators.signature import (
    REGISTERS,
    TICKS,
    Registers,
    Stream,
    events,
    schemas,
    streams,
    values,
)
from mnemata.proofs.generators.sremo import expressions, patterns, window_bounds

__all__ = [
    "REGISTERS",
    "TICKS",
    "Agree",
    "Registers",
    "Stream",
    "atoms",
    "conditions",
    "events",
    "expressions",
    "patterns",
    "relations",
    "remembering_chains",
    "remembering_expressions",
    "remembering_pairs",
    "remembering_patterns",
    "remembering_srts",
    "remembering_waits",
    "schemas",
    "srts",
    "streams",
    "values",
    "variables",
    "window_bounds",
]
