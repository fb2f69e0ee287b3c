"""All claims, in one place."""

from __future__ import annotations

from typing import Any, Final

from mnemata.proofs import (
    closure,
    compiling,
    deciding,
    determinizing,
    matching,
    negating,
    nesting,
    simplifying,
)
from mnemata.proofs.claims import Claim, Refuted

CLAIMS: Final[tuple[Claim[Any], ...]] = (
    *compiling.CLAIMS,
    *closure.CLAIMS,
    *negating.CLAIMS,
    *determinizing.CLAIMS,
    *nesting.CLAIMS,
    *deciding.CLAIMS,
    *simplifying.CLAIMS,
    *matching.CLAIMS,
)
"""What holds, with every construction as repaired."""

REFUTED: Final[tuple[Refuted[Any], ...]] = (
    *compiling.REFUTED,
    *closure.REFUTED,
    *negating.REFUTED,
    *determinizing.REFUTED,
    *matching.REFUTED,
)
"""What does not hold as published."""
