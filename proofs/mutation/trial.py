"""A mutant on trial, in a process of its own: ``python -m mnemata.proofs.mutation.trial NAME``.

What the evidence of its results shows is printed as one line of JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mnemata.proofs.mutation.hook import install
from mnemata.proofs.mutation.mutant import Mutant
from mnemata.proofs.mutation.mutants import named

if TYPE_CHECKING:
    from mnemata.proofs.evidence import Evidence
    from mnemata.proofs.results import Result


def tried(mutant: Mutant) -> dict[str, Any]:
    """What notices a mutant; it must be installed. Everything else is imported only now."""
    from mnemata.proofs.evidence import SMALL, Outcome
    from mnemata.proofs.report.accounts import fits

    asked, effort = 0, replace(SMALL, shrinks=False)
    for result, evidence in _evidence(mutant):
        asked += 1
        about = {"result": result.id, "strength": evidence.strength.value, "claim": evidence.name}
        try:
            outcome = evidence.weigh(effort).outcome
        except Exception as error:
            return {"caught": True, **about, "how": f"{type(error).__name__} raised", "asked": asked}
        if outcome is not Outcome.UNKNOWN and not fits(evidence, outcome, result.expected):
            how = "counterexample" if outcome is Outcome.FAILS else "counterexample gone"
            return {"caught": True, **about, "how": how, "asked": asked}
    return {"caught": False, "asked": asked}


def _evidence(mutant: Mutant) -> Iterator[tuple[Result, Evidence]]:
    """The searches and bounded proofs of the results concerned."""
    from mnemata.proofs.evidence import Strength
    from mnemata.proofs.registry import chosen

    for result in chosen(mutant.results):
        for evidence in result.evidence:
            if evidence.strength in (Strength.SEARCH, Strength.BOUNDED):
                yield result, evidence


def main(name: str) -> None:
    """Put the mutant of this name on trial, and print what comes of it."""
    mutant = named(name)
    install(mutant)
    sys.stdout.write(f"{json.dumps(_outcome(mutant))}\n")


def _outcome(mutant: Mutant) -> dict[str, Any]:
    try:
        return tried(mutant)
    except ImportError:  # whatever is broken here, it is not by the mutant
        raise
    except Exception as error:  # the registry itself cannot be imported with this mutant in it
        return {"caught": True, "how": f"{type(error).__name__} raised on import", "asked": 0}


if __name__ == "__main__":
    main(sys.argv[1])
