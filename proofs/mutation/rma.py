"""Mutants of the constructions on register match automata."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.mutation.mutant import Mutant

_FOLDER: Final = "automata.constructions.rma"

MUTANTS: Final = (
    Mutant(
        name="filter-never-asked",
        breaks="a filter waits until its last variable was consumed before (as published)",
        module=f"{_FOLDER}.translation",
        original="read <= before | consumed",
        replacement="read <= before",
        results=("rma-theorem-8", "rma-algorithm-1", "rma-algorithm-3"),
    ),
    Mutant(
        name="filter-asked-too-early",
        breaks="a filter is asked when its first variable is consumed",
        module=f"{_FOLDER}.translation",
        original="bool(read & consumed) and read <= before | consumed",
        replacement="bool(read & consumed)",
        results=("rma-theorem-8", "rma-algorithm-1", "rma-algorithm-3"),
    ),
    Mutant(
        name="filter-compares-registers-only",
        breaks="a filter reads the register of the event that is only being consumed",
        module=f"{_FOLDER}.translation",
        original="test = rename(condition, dict.fromkeys(read & t.writes, HEAD))",
        replacement="test = condition",
        results=("rma-theorem-8", "rma-algorithm-1", "rma-algorithm-3"),
    ),
    Mutant(
        name="atom-without-idle-loop",
        breaks="an atom lets no events pass before its own",
        module=f"{_FOLDER}.translation",
        original="SRT(2, 0, frozenset({1}), (skip, mark))",
        replacement="SRT(2, 0, frozenset({1}), (mark,))",
        results=("rma-theorem-8", "rma-algorithm-1", "rma-algorithm-3"),
    ),
    Mutant(
        name="read-registers-dropped",
        breaks="registers are dropped although a transition reads them",
        module=f"{_FOLDER}.translation",
        original="t.writes & read, t.target",
        replacement="t.writes - read, t.target",
        results=("rma-theorem-8", "rma-algorithm-1", "rma-algorithm-3"),
    ),
    Mutant(
        name="union-of-starts-unshifted",
        breaks="runs of the right automaton begin in states of the left one",
        module=f"{_FOLDER}.closure",
        original="left.starts | {left.size + state for state in right.starts}",
        replacement="left.starts | right.starts",
        results=("rma-theorem-11-closure",),
    ),
    Mutant(
        name="unrolled-without-start-loop",
        breaks="the unrolled automaton finds matches that begin with the stream only",
        module=f"{_FOLDER}.determinization",
        original="(loop, *srt.transitions)",
        replacement="srt.transitions",
        results=("rma-lemma-15",),
    ),
    Mutant(
        name="recogniser-marks-nothing",
        breaks="the event at which a match is complete is not marked",
        module=f"{_FOLDER}.determinization",
        original="Transition(t.source, t.condition, Output.MARK, t.writes, t.target) if",
        replacement="Transition(t.source, t.condition, Output.SKIP, t.writes, t.target) if",
        results=("rma-corollary-16",),
    ),
    Mutant(
        name="window-without-unmarked-events",
        breaks="in a window, every event after the first marked one is marked",
        module=f"{_FOLDER}.determinization",
        original="        elif read + 1 < self.window:\n",
        replacement="        elif read + 1 < 0:\n",
        results=("rma-theorem-11-determinization",),
    ),
    Mutant(
        name="window-closed-one-early",
        breaks="a window of n events admits n - 1",
        module=f"{_FOLDER}.determinization",
        original="        if read == self.window:\n",
        replacement="        if read + 1 >= self.window:\n",
        results=("rma-theorem-11-determinization",),
    ),
    Mutant(
        name="acceptance-without-a-mark",
        breaks="a register match automaton as a transducer accepts after events that are not marked",
        module="automata.rma.bridges",
        original="return here.marked and here.state in rma.finals",
        replacement="return here.state in rma.finals",
        results=("rma-theorem-11-closure", "rma-lemma-15"),
    ),
)
