"""All mutants, in one place."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from mnemata.proofs.mutation import bounded, cel, own, rma, srt
from mnemata.proofs.mutation.mutant import Mutant
from mnemata.theory.errors import UnknownResultError, suggestion

MUTANTS: Final[tuple[Mutant, ...]] = (
    *srt.MUTANTS,
    *bounded.MUTANTS,
    *cel.MUTANTS,
    *rma.MUTANTS,
    *own.MUTANTS,
)


def named(name: str) -> Mutant:
    """The mutant of a name; `UnknownResultError` when there is none."""
    for mutant in MUTANTS:
        if mutant.name == name:
            return mutant
    names = [mutant.name for mutant in MUTANTS]
    raise UnknownResultError(f"there is no mutant '{name}'.{suggestion(name, names)}")


def concerning(results: Collection[str]) -> tuple[Mutant, ...]:
    """The mutants that the evidence of some results should notice.

    Parameters
    ----------
    results : collection of str
        Names of results, whole ones.
    """

    def concerned(mutant: Mutant) -> bool:
        begun = (name for name in mutant.results for result in results if _begins(result, name))
        return next(begun, None) is not None

    return tuple(filter(concerned, MUTANTS))


def _begins(result: str, name: str) -> bool:
    return result == name or result.startswith(f"{name}-")
