"""Proofs for all attribute values, up to a length of strings.

``Match(e, S) = Match(T, S)`` for every string of a given length: the expression is evaluated by Def. 17 and
the automaton is run, both over symbolic events, and Z3 proves that for each set of marks the two
conditions are equivalent. Missing values, empty registers, overflow and rounding included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mnemata.automata.decisions.languages import language
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.automata.srt.transducer import SRT
from mnemata.theory.conditions.formulas import BOTTOM
from mnemata.theory.satisfiability.answers import Answer, Verdict
from mnemata.theory.satisfiability.decisions import equivalent
from mnemata.theory.schema import Event, Schema
from mnemata.theory.sremo import symbolic
from mnemata.theory.sremo.expressions import Expression
from mnemata.theory.sremo.rewriting import bound_expression


@dataclass(frozen=True, slots=True)
class Proof:
    """What was proved of one expression.

    Parameters
    ----------
    verdict : Verdict
        ``YES``: proved; ``NO``: refuted; ``UNKNOWN``: Z3 gave up on a formula.
    formulas : int
        How many equivalences were asked of Z3.
    undecided : int
        On how many it gave up.
    witness : tuple of Event or None
        A string on which expression and automaton differ.
    """

    verdict: Verdict
    formulas: int
    undecided: int = 0
    witness: tuple[Event, ...] | None = None


def compiled_exactly(
    expression: Expression, schema: Schema, *, up_to: int, automaton: SRT | None = None
) -> Proof:
    """Whether an expression and its automaton have the same matches over all strings of up to `up_to` events.

    The empty string is left out: nothing about it is symbolic. With `automaton` that one is asked about
    instead of the one that the compiler makes.
    """
    return proved(_equivalences(expression, schema, up_to, automaton))


def proved(equivalences: Iterable[tuple[SymbolicString, Answer]]) -> Proof:
    """What answers of Z3 about symbolic strings amount to; the first *no* ends it."""
    formulas = undecided = 0
    for string, answer in equivalences:
        formulas += 1
        undecided += answer.unknown
        if answer.no:
            found = None if answer.witness is None else string.decode(answer.witness)
            return Proof(Verdict.NO, formulas, undecided, found)
    return Proof(Verdict.UNKNOWN if undecided else Verdict.YES, formulas, undecided)


def _equivalences(
    expression: Expression, schema: Schema, up_to: int, made: SRT | None
) -> Iterator[tuple[SymbolicString, Answer]]:
    checked = bound_expression(expression, schema)
    automaton = language(checked if made is None else made, schema)
    for length in range(1, up_to + 1):
        string = SymbolicString(length, schema)
        denoted = symbolic.matches(checked, string.events)
        found = automaton.matches(string)
        for marks in sorted(denoted.keys() | found.keys(), key=sorted):
            one, other = denoted.get(marks, BOTTOM), found.get(marks, BOTTOM)
            yield string, equivalent(one, other, schema, known=string.known)
