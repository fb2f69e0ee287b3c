"""Mutants of the project's own constructions."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.mutation.mutant import Mutant

_FOLDER: Final = "automata.constructions"

MUTANTS: Final = (
    Mutant(
        name="merging-forgets-finality",
        breaks="states are merged of which one is final and the other not",
        module=f"{_FOLDER}.merging",
        original="return state in srt.finals, moves",
        replacement="return False, moves",
        results=("mnemata-merging",),
    ),
    Mutant(
        name="trimming-into-final-states-only",
        breaks="of the states on the way to a final one only the final ones are kept",
        module=f"{_FOLDER}.trimming",
        original="useful = reachable(srt.finals, ((t.target, t.source) for t in possible))",
        replacement="useful = set(srt.finals) | {srt.start}",
        results=("mnemata-trimming",),
    ),
    Mutant(
        name="dead-at-the-source",
        breaks="writes are dropped that are needed after the transition but not before it",
        module=f"{_FOLDER}.simplification",
        original="t.writes & live[t.target]",
        replacement="t.writes & live[t.source]",
        results=("mnemata-simplification",),
    ),
    Mutant(
        name="parallel-transitions-intersect",
        breaks="transitions that differ in their conditions alone are joined by the first condition",
        module=f"{_FOLDER}.simplification",
        original="simplify_under(disjunction(*conditions), TOP, schema)",
        replacement="simplify_under(conditions[0], TOP, schema)",
        results=("mnemata-simplification",),
    ),
    Mutant(
        name="difference-without-its-registers",
        breaks="the registers of what is taken away are not written",
        module=f"{_FOLDER}.complement",
        original="one.output, one.writes | other.writes, (one.target, other.target)",
        replacement="one.output, one.writes, (one.target, other.target)",
        results=("mnemata-difference",),
    ),
    Mutant(
        name="slots-in-use-taken",
        breaks="an event is kept in a slot that another configuration still needs",
        module=f"{_FOLDER}.output_determinization",
        original="for slot in range(len(used) + 1) if slot not in used)",
        replacement="for slot in range(len(used) + 1) if used is not None)",
        results=("mnemata-output-determinization",),
    ),
    Mutant(
        name="histories-of-any-output",
        breaks="marking and unmarked transitions are taken together",
        module=f"{_FOLDER}.output_determinization",
        original="[move for move in moves if move.transition.output is output]",
        replacement="moves",
        results=("mnemata-output-determinization",),
    ),
    Mutant(
        name="liveness-over-estimated",
        breaks="a register counts as needed before a transition that writes it, if it is needed after it",
        module=f"{_FOLDER}.registers",
        original="return transition.reads | (after - transition.writes)",
        replacement="return transition.reads | after",
        results=("mnemata-live-registers",),
    ),
    Mutant(
        name="liveness-under-estimated",
        breaks="registers that are needed later do not count as needed",
        module=f"{_FOLDER}.registers",
        original="return transition.reads | (after - transition.writes)",
        replacement="return transition.reads",
        results=("mnemata-live-registers",),
    ),
)
