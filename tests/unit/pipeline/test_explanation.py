"""The run behind a match, without Spark."""

from __future__ import annotations

from mnemata.automata.compilation import compile_pattern
from mnemata.pipeline.explanation import explained
from mnemata.proofs.generators import TICKS
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import registers
from mnemata.theory.sremo.expressions import mark, skip_till_next
from mnemata.theory.syntax import show

u, r1 = head(TICKS), register("r1", TICKS)
AGAIN = mark(~(u.type == r1.type), r1) >> mark() >> mark(u.type == r1.type)


def test_a_register_that_was_moved_is_shown_under_its_own_name() -> None:
    srt = compile_pattern(skip_till_next(mark(write=r1), AGAIN), TICKS).srt
    stream = TICKS.stream([(letter, 1, 1.0, 0) for letter in "AABCB"])
    steps = explained(srt, stream, {1, 3, 4, 5})
    assert steps is not None
    # The monitor of what began at the second event still reads what the register held before.
    assert "r1" not in steps[2].transition.writes
    assert [step.writes for step in steps] == [("r1",), (), ("r1",), (), ()]
    last = steps[-1]
    assert last.transition.condition is not None
    assert any(name.startswith("#") for name in registers(last.transition.condition))
    assert last.condition is not None
    assert show(last.condition) == "type = r1.type"
    assert [(show(asked), show(found)) for asked, found in last.reasons()] == [
        ("type = r1.type", "'B' = 'B'")
    ]
