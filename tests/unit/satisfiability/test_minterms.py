"""Minterms, their witnesses, and how many solver calls they take."""

from __future__ import annotations

from itertools import product

import pytest

from mnemata.theory.conditions.building import defined, head, position, register
from mnemata.theory.conditions.evaluation import models
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Condition, Relation
from mnemata.theory.errors import LimitError
from mnemata.theory.satisfiability import Minterm, Minterms, entails, equivalent, minterms
from mnemata.theory.schema import Float64, Int64, Schema, String

SCHEMA = Schema.of(id=Int64(), price=Float64(), volume=Int64(), name=String())
NOW, R1 = head(SCHEMA), register("r1", SCHEMA)


def intervals(count: int) -> list[Condition]:
    """Overlapping intervals of three attributes, in turn."""
    found = []
    for i in range(count):
        attribute = (NOW.id, NOW.price, NOW.volume)[i % 3]
        low = (37 * i) % 80
        found.append((attribute >= low) & (attribute < low + 10 + 7 * (i % 4)))
    return found


def check(found: Minterms) -> None:
    """Every certain minterm has a witness that satisfies exactly it; order and uniqueness."""
    assert list(found.vectors) == sorted(set(found.vectors), reverse=True)
    for minterm in found:
        if minterm.witness is not None:
            event, valuation = minterm.witness.event, minterm.witness.valuation
            assert tuple(models(event, valuation, c) for c in found.conditions) == minterm.signs


def test_an_interval_and_missing_values() -> None:
    found = minterms([NOW.price > 1.0, NOW.price < 3.0, NOW.price == NOW.price], SCHEMA)
    check(found)
    assert found.vectors == (
        (True, True, True),
        (True, False, True),
        (False, True, True),
        (False, False, False),  # missing
    )
    assert all(minterm.certain for minterm in found)


def test_empty_registers() -> None:
    found = minterms([NOW.id > R1.id, NOW.id <= R1.id, defined(R1)], SCHEMA)
    check(found)
    assert found.vectors == (
        (True, False, True),
        (False, True, True),
        (False, False, True),
        (False, False, False),
    )


def test_what_is_known_prunes() -> None:
    conditions = [NOW.id > R1.id, NOW.id <= R1.id]
    known = defined(R1) & (NOW.id == NOW.id) & (R1.id == R1.id)
    assert minterms(conditions, SCHEMA, known=known).vectors == ((True, False), (False, True))
    assert minterms(conditions, SCHEMA, known=BOTTOM).vectors == ()


def test_guards_partition() -> None:
    found = minterms([NOW.name == "A", NOW.name == R1.name, NOW.price > R1.price], SCHEMA)
    check(found)
    guards = [found.guard(minterm) for minterm in found]
    for i, one in enumerate(guards):
        assert all(entails(one, ~other, SCHEMA).yes for other in guards[:i])
    anything = guards[0]
    for guard in guards[1:]:
        anything = anything | guard
    assert equivalent(anything, TOP, SCHEMA).yes


def test_no_conditions() -> None:
    found = minterms([], SCHEMA)
    assert found.vectors == ((),)
    assert found.guard(found.found[0]) == TOP


@pytest.mark.parametrize("conditions", [[TOP, BOTTOM], [NOW.id > 1] * 3])
def test_degenerate_conditions(conditions: list[Condition]) -> None:
    found = minterms(conditions, SCHEMA)
    check(found)
    assert len(found) == (1 if conditions[0] == TOP else 2)


def test_arithmetic_over_doubles() -> None:
    found = minterms([NOW.price > R1.price * 1.1, NOW.price > R1.price, R1.price > 0.0, defined(R1)], SCHEMA)
    check(found)
    assert all(minterm.certain for minterm in found)
    assert (True, False, True, True) not in found.vectors  # above 1.1 times a positive price, yet below it
    assert (True, False, False, True) in found.vectors


def test_unknown_combinations_are_kept_and_flagged() -> None:
    odd = Relation("Odd", 1, lambda u: u["id"] % 2 == 1, ("id",))
    found = minterms([odd("~"), NOW.id == 4, NOW.id > 2], SCHEMA)
    check(found)
    kept = {minterm.signs: minterm.certain for minterm in found}
    assert kept[True, True, True] is False  # not so, but only the predicate knows
    assert (True, True, False) not in kept
    assert kept[False, True, True] is True
    assert found.statistics.unknown > 0


def test_a_timeout_keeps_the_combination() -> None:
    cubes = NOW.id * NOW.id * NOW.id + R1.id * R1.id * R1.id + NOW.volume * NOW.volume * NOW.volume
    found = minterms([cubes == 42, NOW.id > 100_000, BOTTOM], SCHEMA, timeout_ms=50)
    assert Minterm((True, True, False), None) in found.found
    assert (True, True, True) not in found.vectors


@pytest.mark.parametrize("count", [4, 8, 16])
def test_calls_are_proportional_to_minterms(count: int) -> None:
    found = minterms(intervals(count), SCHEMA)
    check(found)
    assert all(minterm.certain for minterm in found)
    assert found.statistics.calls <= len(found) + found.statistics.refuted
    assert found.statistics.refuted <= count**2  # pairs of intervals that miss or contain one another
    assert len(found) < 2**count or count == 4


def test_as_many_as_trying_all() -> None:
    conditions = intervals(6)
    tried = [
        signs
        for signs in product((True, False), repeat=6)
        if minterms([_signed(conditions, signs)], SCHEMA, known=_signed(conditions, signs)).vectors
    ]
    assert minterms(conditions, SCHEMA).vectors == tuple(tried)


def _signed(conditions: list[Condition], signs: tuple[bool, ...]) -> Condition:
    signed = [c if sign else ~c for c, sign in zip(conditions, signs, strict=True)]
    result = signed[0]
    for condition in signed[1:]:
        result = result & condition
    return result


@pytest.mark.parametrize("limit", [7, 15])
def test_too_many_minterms(limit: int) -> None:
    conditions = [NOW.id > R1.id, NOW.price > R1.price, NOW.volume > R1.volume, NOW.name == R1.name]
    with pytest.raises(LimitError, match=f"4 conditions have more than {limit} minterms"):
        minterms(conditions, SCHEMA, limit=limit)
    assert len(minterms(conditions, SCHEMA, limit=16)) == 16


def test_same_conditions_same_result() -> None:
    conditions = [NOW.price > R1.price, NOW.name == R1.name, position(NOW) - position(R1) < 5]
    once, again = (minterms(conditions, SCHEMA) for _ in range(2))
    assert once == again
    assert once.statistics == again.statistics
