"""Registers that keep their contents while they are overwritten."""

from __future__ import annotations

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.constructions.saving import without_saves
from mnemata.automata.srt.runs import matches
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.generators import TICKS
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP, Condition
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Output, absent, mark, skip, skip_till_next

u, r1, old = head(TICKS), register("r1", TICKS), register("old", TICKS)
NOTHING: frozenset[str] = frozenset()


def step(source: int, condition: Condition, writes: frozenset[str]) -> Transition:
    return Transition(source, condition, Output.MARK, writes, source + 1)


SAVING = SRT(
    4,
    0,
    frozenset({3}),
    (
        step(0, TOP, frozenset({"r1"})),
        step(1, TOP, frozenset({"r1", "save"})),
        step(2, (u.id == r1.id) & (u.price > old.price), NOTHING),
    ),
)
"""Writes twice to the same register, then compares to both of what was written."""

THREE = mark(~(u.type == r1.type), r1) >> mark() >> mark(u.type == r1.type)


def test_an_automaton_that_saves_nothing_stays_as_it_is() -> None:
    plain = without_saves(SAVING, {"save": {"old": "r1"}})
    assert without_saves(plain, {"save": {"old": "r1"}}) is plain
    assert without_saves(SAVING, {}) is SAVING


def test_what_is_saved_stays_where_it_is_and_what_is_new_moves() -> None:
    plain = without_saves(SAVING, {"save": {"old": "r1"}})
    assert [t.writes for t in plain.transitions] == [frozenset({"r1"}), frozenset({"#r1'"}), NOTHING]
    assert plain.transitions[-1].condition == (
        (u.id == register("#r1'", TICKS).id) & (u.price > register("r1", TICKS).price)
    )
    rows = [("A", 1, 1.0, 0), ("A", 2, 5.0, 0)]
    assert matches(plain, TICKS.stream([*rows, ("A", 2, 2.0, 0)])) == {frozenset({1, 2, 3})}
    assert not matches(plain, TICKS.stream([*rows, ("A", 1, 2.0, 0)]))
    assert not matches(plain, TICKS.stream([*rows, ("A", 2, 1.0, 0)]))


def test_a_register_is_kept_only_while_it_is_needed() -> None:
    again = skip_till_next((THREE | mark((u.type == "A") & ~(u.type == r1.type), r1)).plus())
    compiled = compile_pattern(mark(write=r1) >> again, TICKS)
    contents = {r for r in compiled.srt.registers if "r1" in r}
    assert contents == {"r1", "#r1'"}  # however often it is overwritten


def test_an_absence_of_what_saves_registers() -> None:
    unmarked = skip_till_next(skip(), skip(~(u.type == r1.type), r1) >> skip() >> skip(u.type == r1.type))
    expression = mark(u.type == "A", r1) >> absent(unmarked.length(4)) >> mark(u.type == "C")
    made = compile_pattern(expression, TICKS).srt
    words = ("AC", "AABAAC", "AABBBC", "AABBCC", "AAABCC", "ABAABAC")
    for word in words:
        string = TICKS.stream([(letter, 1, 1.0, 0) for letter in word])
        assert matches(made, string) == semantics.matches(expression, string)
