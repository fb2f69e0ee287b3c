"""Z3 is loaded when it is asked for the first time: much of what may ask it never does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mnemata.theory.conditions.formulas import TOP, Condition
from mnemata.theory.satisfiability.answers import TIMEOUT
from mnemata.theory.schema import Schema

if TYPE_CHECKING:
    from mnemata.theory.satisfiability.inquiry import Inquiry


def inquiry(
    conditions: Sequence[Condition], schema: Schema, *, known: Condition = TOP, timeout_ms: int = TIMEOUT
) -> Inquiry:
    """An `Inquiry` about conditions."""
    from mnemata.theory.satisfiability.inquiry import Inquiry

    return Inquiry(conditions, schema, known=known, timeout_ms=timeout_ms)
