"""All mutants on trial, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from mnemata.proofs.mutation.mutant import Mutant
from mnemata.theory.errors import EnvironmentProblem

SECONDS: Final = 300.0
"""After which a mutant is given up; one that does not end is noticed."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a mutant.

    Parameters
    ----------
    mutant : Mutant
        The mutant.
    caught : bool
        Whether some evidence came out otherwise.
    result, strength, claim : str
        Which; empty when none did.
    how : str
        In which way: a counterexample was found, or is gone, or something was raised.
    asked : int
        How many pieces of evidence were weighed.
    seconds : float
        How long it took.
    """

    mutant: Mutant
    caught: bool
    result: str
    strength: str
    claim: str
    how: str
    asked: int
    seconds: float

    @property
    def as_expected(self) -> bool:
        """Whether it was caught, or else is known to be no mistake."""
        return self.caught != bool(self.mutant.survives)

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "mutant": self.mutant.name,
            "breaks": self.mutant.breaks,
            "module": self.mutant.module,
            "caught": self.caught,
            "by": {"result": self.result, "evidence": self.strength, "claim": self.claim, "how": self.how},
            "asked": self.asked,
            "survives because": self.mutant.survives,
            "seconds": round(self.seconds, 3),
        }


def trials(mutants: Iterable[Mutant], *, jobs: int = 1, seconds: float = SECONDS) -> Iterator[Trial]:
    """The trials of some mutants, in order; `jobs` of them at a time."""
    executor = ThreadPoolExecutor(max_workers=jobs)
    try:
        yield from executor.map(lambda mutant: trial(mutant, seconds=seconds), mutants)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def trial(mutant: Mutant, *, seconds: float = SECONDS) -> Trial:
    """The trial of one mutant, given up after some seconds.

    Raises
    ------
    EnvironmentProblem
        The process failed before it came to an answer.
    """
    start = time.perf_counter()
    found = _run(mutant, seconds)
    return Trial(
        mutant=mutant,
        caught=found["caught"],
        result=found.get("result", ""),
        strength=found.get("strength", ""),
        claim=found.get("claim", ""),
        how=found.get("how", ""),
        asked=found["asked"],
        seconds=time.perf_counter() - start,
    )


def _run(mutant: Mutant, seconds: float) -> dict[str, Any]:
    # -P: the folder of the module must not become a place to import from.
    command = [sys.executable, "-P", "-m", "mnemata.proofs.mutation.trial", mutant.name]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=seconds)
    except subprocess.TimeoutExpired:
        return {"caught": True, "how": f"does not end within {seconds:g} s", "asked": 0}
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        reason = (done.stderr.splitlines() or [f"status {done.returncode}"])[-1]
        raise EnvironmentProblem(f"the trial of mutant '{mutant.name}' failed: {reason}")
    found: dict[str, Any] = json.loads(lines[-1])
    return found
