"""From a compiled pattern to one that the kernel can recognise, where there is one."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from mnemata.automata.compilation import Begins, CompiledPattern
from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.automata.constructions.output_determinization import determinize_outputs
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.engine.compiled.plan import Mode, plan_of
from mnemata.automata.engine.grouping import grouped
from mnemata.automata.engine.unambiguity import told_apart_by_marks
from mnemata.theory.budget import Budget, spending
from mnemata.theory.errors import LimitError, UnsupportedError
from mnemata.theory.sremo.expressions import LengthWindow, Output

EFFORT: Final = Budget(states=256, transitions=1024, seconds=20)
"""What determinization may cost. Time should not decide: a pattern must always be prepared alike."""

LITTLE_EFFORT: Final = Budget(states=48, transitions=192, seconds=20)
"""The same where events that are not shown are held in registers: often there is no end of them."""

AMBIGUOUS: Final = "different runs of its automaton may mark the same events"


class Prepared(NamedTuple):
    """A pattern as it is to be run, and why the kernel cannot run it; ``None`` when it can."""

    compiled: CompiledPattern
    obstacle: str | None


@lru_cache(maxsize=256)
def prepared(compiled: CompiledPattern) -> Prepared:
    """Make the automaton small; where its runs are not told apart by what they mark, determinize its outputs.

    A pattern whose runs begin alone was prepared before, and stays as it is, as does one whose automaton was
    made so that they are told apart.
    """
    if compiled.told_apart:
        return Prepared(compiled, _relation_without_program(compiled))
    if compiled.shows_less:
        return _showing_less(grouped(compiled))
    prepared_before = compiled.begins is Begins.ALONE
    small = compiled if prepared_before else grouped(compiled)
    obstacle = _relation_without_program(small)
    if prepared_before:
        return Prepared(small, obstacle)
    if obstacle is not None or told_apart_by_marks(small):
        return Prepared(small, obstacle)
    if not _begins_with_mark(small) and any(isinstance(w, LengthWindow) for w in small.windows):
        reason = "and a window bounds unmarked events before the first mark"
        return Prepared(small, f"{AMBIGUOUS}, {reason}")
    begins = Begins.AT_FIRST if small.begins is Begins.AT_FIRST else Begins.ALONE
    try:
        with spending(EFFORT):
            srt = determinize_outputs(small.srt, small.schema, at_first=begins is Begins.AT_FIRST)
            srt = merge_equivalent(srt)
    except LimitError:
        return Prepared(small, f"{AMBIGUOUS}, and no small automaton was found that tells them apart")
    return Prepared(replace(small, srt=srt, live=live_registers(srt), begins=begins), None)


def _showing_less(compiled: CompiledPattern) -> Prepared:
    obstacle = _relation_without_program(compiled)
    if obstacle is None and compiled.windows and not _begins_with_mark(compiled):
        obstacle = "it does not show the first event that it matches, from which its window is measured"
    if obstacle is not None:
        return Prepared(compiled, obstacle)
    try:
        with spending(LITTLE_EFFORT):
            srt = merge_equivalent(determinize_outputs(compiled.srt, compiled.schema, once=True))
    except LimitError:
        return Prepared(compiled, "no small automaton was found that tells apart what it shows")
    made = replace(compiled, srt=srt, live=live_registers(srt), begins=Begins.ALONE)
    return Prepared(replace(made, shows_less=False, told_apart=True), None)


def _relation_without_program(compiled: CompiledPattern) -> str | None:
    try:
        plan_of(compiled, Mode.DETECT).programs  # noqa: B018
    except UnsupportedError as error:
        return str(error)
    return None


def _begins_with_mark(compiled: CompiledPattern) -> bool:
    srt = compiled.srt
    return all(t.output is Output.MARK for t in srt.outgoing(srt.start))
