"""Decisions about conditions: satisfiable, entailed, equivalent.

A schema is required: whether ``x < y and y < x + 1`` is satisfiable depends on the types of `x` and `y`.
"""

from __future__ import annotations

from collections.abc import Sequence

from mnemata.theory.conditions.formulas import TOP, And, Condition, Not, Or
from mnemata.theory.satisfiability.answers import TIMEOUT, Answer, opposite
from mnemata.theory.satisfiability.asking import inquiry
from mnemata.theory.schema import Schema


def satisfiable(
    condition: Condition, schema: Schema, *, known: Condition = TOP, timeout_ms: int = TIMEOUT
) -> Answer:
    """Whether some event and valuation satisfy `condition` and `known`.

    Values are those the engine computes with (`mnemata.theory.conditions.values`): int64, IEEE doubles with
    infinities, missing values, empty registers. Registers hold events earlier than the head's; no order of
    timestamps is assumed.

    Parameters
    ----------
    condition, known : Condition
        Bound to `schema` or not.
    schema : Schema
        Types of the attributes.
    timeout_ms : int
        Bound on each of at most three calls of the solver, in milliseconds.

    Returns
    -------
    Answer
        Yes with a witness that was checked by Def. 13; no; or unknown with the reason.

    Raises
    ------
    ConditionTypeError, UnknownAttributeError
        When the condition does not fit the schema.

    Examples
    --------
    >>> from mnemata.theory.conditions.building import head
    >>> from mnemata.theory.schema import Float64, Int64, Schema
    >>> x, whole, double = head().x, Schema.of(x=Int64()), Schema.of(x=Float64())
    >>> satisfiable((x > 1) & (x < 2), whole).verdict
    <Verdict.NO: 'no'>
    >>> satisfiable((x > 1) & (x < 2), double).witness.event["x"]
    1.5
    """
    return inquiry((condition,), schema, known=known, timeout_ms=timeout_ms).ask(((0, True),)).answer


def entails(
    premise: Condition,
    conclusion: Condition,
    schema: Schema,
    *,
    known: Condition = TOP,
    timeout_ms: int = TIMEOUT,
) -> Answer:
    """Whether every event and valuation that satisfy `premise` (and `known`) satisfy `conclusion`.

    The witness of a *no* satisfies `premise` and not `conclusion`.
    """
    counterexample = And((premise, Not(conclusion)))
    return opposite(satisfiable(counterexample, schema, known=known, timeout_ms=timeout_ms))


def equivalent(
    left: Condition,
    right: Condition,
    schema: Schema,
    *,
    known: Condition = TOP,
    timeout_ms: int = TIMEOUT,
) -> Answer:
    """Whether the same events and valuations satisfy `left` and `right`, among those that satisfy `known`.

    The witness of a *no* satisfies exactly one of them.
    """
    differ = Or((And((left, Not(right))), And((right, Not(left)))))
    return opposite(satisfiable(differ, schema, known=known, timeout_ms=timeout_ms))


def implied(
    known: Condition,
    candidates: Sequence[Condition],
    schema: Schema,
    *,
    timeout_ms: int = TIMEOUT,
) -> tuple[Answer, ...]:
    """For each of `candidates`, whether `known` entails it: `entails` for many, with one solver.

    The counterexample to one candidate often serves for others, which then cost no solver call.
    """
    asked = inquiry(candidates, schema, known=known, timeout_ms=timeout_ms)
    answers: dict[int, Answer] = {}
    for i in range(len(candidates)):
        if i not in answers:
            finding = asked.ask(((i, False),))
            answers[i] = opposite(finding.answer)
            refuted = (j for j, holds in enumerate(finding.signs) if not holds)
            answers.update({j: answers[i] for j in refuted if j not in answers})
    return tuple(answers[i] for i in range(len(candidates)))
