"""Where things stand in the text."""

from __future__ import annotations

from mnemata.theory.conditions.formulas import Apply, Comparison, Defined, Membership
from mnemata.theory.conditions.terms import Attribute
from mnemata.theory.sremo.expressions import Concatenation, Terminal
from mnemata.theory.syntax import parse, parse_located
from mnemata.theory.trees import walk

READABLE = """\
let Rises(x, y) := x.price > y.price;
event as first where name = 'A'
  and volume in {1, 2};
(event as next_one
   where Rises(~, first) or not defined(first))+;
event where (price < next_one.price) within 5 events"""


def test_places_of_nodes_in_the_readable_notation() -> None:
    located = parse_located(READABLE)
    expected = {
        Terminal: [(2, 1), (4, 2), (6, 1)],
        Comparison: [(2, 22), (6, 14)],
        Membership: [(3, 7)],
        Apply: [(5, 10)],
        Defined: [(5, 33)],
        Attribute: [(2, 22), (3, 7), (6, 14), (6, 22)],
    }
    for kind, places in expected.items():
        nodes = [node for node in walk(located.pattern.expression) if isinstance(node, kind)]
        assert [located.place(node) for node in nodes] == places, kind


def test_reads_and_writes_of_registers() -> None:
    located = parse_located(READABLE)
    assert located.reads == {"first": ((5, 19), (5, 41)), "next_one": ((6, 22),)}
    assert located.writes == {"first": ((2, 10),), "next_one": ((4, 11),)}
    assert located.text == READABLE
    assert located.pattern == parse(READABLE)


def test_places_in_the_papers_notation() -> None:
    located = parse_located("(⊤ ↑ • ↓ r1)\n · ((~.id = r1.id) ↑ •)*")
    first, second = located.pattern.expression.parts
    assert located.place(first) == (1, 2)
    assert located.place(second.body) == (2, 5)
    assert located.place(second.body.condition) == (2, 6)
    assert located.reads == {"r1": ((2, 13),)}
    assert located.writes == {"r1": ((1, 10),)}


def test_equal_nodes_stand_in_different_places() -> None:
    located = parse_located("event where price > 1; event where price > 1; event; event")
    parts = located.pattern.expression.parts
    assert parts[0] == parts[1]
    assert [located.place(part) for part in parts] == [(1, 1), (1, 24), (1, 47), (1, 54)]
    assert [located.place(part.condition) for part in parts] == [(1, 13), (1, 36), (1, 47), (1, 54)]


def test_flattened_chains_stand_where_they_begin() -> None:
    located = parse_located("event; (event; (event; event)) within 5 events")
    body = located.pattern.expression.body
    assert isinstance(body, Concatenation)
    assert located.place(body) == (1, 1)
    assert [located.place(part) for part in body.parts] == [(1, 1), (1, 9), (1, 17), (1, 24)]


def test_nodes_of_other_patterns_have_no_place() -> None:
    located = parse_located("event where price > 1")
    other = parse("event where price > 1")
    assert other == located.pattern
    assert located.place(other.expression) is None
    assert located.place(located.pattern.expression) == (1, 1)
