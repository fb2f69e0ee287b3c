"""What speaks for a claim or against it, in rising strength.

1. `Search`: generated instances, and the smallest found that breaks the claim;
2. `Bounded`: Z3, for all attribute values at once, up to a length of strings and a size of expressions;
3. `Induction`: Z3 on the step of an induction, over uninterpreted states, events and valuations;
4. `Adversary`: for claims that nothing of some kind exists: a program that shows where a candidate errs.

Each piece of evidence concerns a claim as published or as repaired, and is weighed with some effort.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Final

import z3

from mnemata.proofs.bounded import Proof
from mnemata.proofs.claims import Claim, counterexample, size
from mnemata.theory.satisfiability.answers import Verdict


class Strength(Enum):
    """How much a piece of evidence can show, weakest first."""

    SEARCH = "search"
    BOUNDED = "bounded"
    INDUCTION = "induction"
    ADVERSARY = "adversary"


class Reading(Enum):
    """Which form of a claim evidence is about."""

    STATED = "as stated"
    REPAIRED = "as repaired"


class Outcome(Enum):
    """What a piece of evidence shows of a claim."""

    HOLDS = "holds"
    FAILS = "fails"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is tried.

    Parameters
    ----------
    tries : int
        Generated instances of a claim that is expected to hold.
    searches, tries_per_search : int
        Searches for a counterexample of a claim that is expected to fail, and instances of each. Shrinking
        can get stuck on a larger one, so there may be several.
    length : int
        Of the strings of bounded proofs, in events.
    parts : int
        Of the expressions that bounded proofs go through exhaustively, in terminals.
    timeout_ms : int
        Of Z3, for each formula.
    seed : int
        Of the searches.
    shrinks : bool
        Whether searches go on for a smaller counterexample when they found one.
    """

    tries: int
    searches: int
    tries_per_search: int
    length: int
    parts: int
    timeout_ms: int
    seed: int = 1
    shrinks: bool = True


SMALL: Final = Effort(150, searches=4, tries_per_search=4_000, length=3, parts=2, timeout_ms=10_000)
"""For every change of the code."""

DEEP: Final = Effort(5_000, searches=12, tries_per_search=20_000, length=5, parts=3, timeout_ms=120_000)
"""For an evening."""

EFFORTS: Final = {"small": SMALL, "deep": DEEP}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found when evidence was weighed.

    Parameters
    ----------
    outcome : Outcome
        Of the claim.
    tried : int
        How many instances, formulas, obligations or candidates.
    detail : str
        What they were, in words after a number: ``"instances"``, ``"formulas"``.
    counterexample : object, optional
        What breaks the claim, as small as it was found.
    """

    outcome: Outcome
    tried: int
    detail: str
    counterexample: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(ABC):
    """Something that speaks for a claim or against it.

    Parameters
    ----------
    reading : Reading
        Which form of the claim it is about; as stated unless told.
    """

    strength: ClassVar[Strength]
    reading: Reading = Reading.STATED

    @property
    @abstractmethod
    def name(self) -> str:
        """What is claimed, in a line."""

    @abstractmethod
    def weigh(self, effort: Effort) -> Finding:
        """Gather it: run the search, ask the solver."""


@dataclass(frozen=True, slots=True)
class Search(Evidence):
    """A search among generated instances.

    Parameters
    ----------
    claim : Claim
        What is claimed of every instance.
    breaks : tuple of int, optional
        Where the claim is known to be false, the size of a smallest counterexample: parts and events, as by
        `size`. The searches end as soon as one as small is found.
    """

    strength: ClassVar[Strength] = Strength.SEARCH
    claim: Claim[Any]
    breaks: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        return self.claim.name

    def weigh(self, effort: Effort) -> Finding:
        found = self._sought(effort) if self.breaks is None else self._smallest(effort, self.breaks)
        outcome = Outcome.HOLDS if found is None else Outcome.FAILS
        return Finding(outcome, effort.tries if self.breaks is None else 0, "instances", found)

    def _sought(self, effort: Effort) -> Any | None:
        return counterexample(self.claim, tries=effort.tries, seed=effort.seed, shrink=effort.shrinks)

    def _smallest(self, effort: Effort, small: tuple[int, int]) -> Any | None:
        best = None
        for seed in range(effort.searches):
            found = counterexample(
                self.claim, tries=effort.tries_per_search, seed=seed, shrink=effort.shrinks
            )
            if found is not None and not effort.shrinks:
                return found
            if found is not None and (best is None or size(found) < size(best)):
                best = found
            if best is not None and all(n <= most for n, most in zip(size(best), small, strict=True)):
                break
        return best


@dataclass(frozen=True, slots=True)
class Bounded(Evidence):
    """Proofs by Z3 for all attribute values, of each of several things.

    Parameters
    ----------
    title : str
        What is proved of each of them.
    proofs : callable
        Given the effort, the proofs, made one by one as they are asked for.
    """

    strength: ClassVar[Strength] = Strength.BOUNDED
    title: str
    proofs: Callable[[Effort], Iterable[Proof]]

    @property
    def name(self) -> str:
        return self.title

    def weigh(self, effort: Effort) -> Finding:
        formulas = undecided = 0
        for proof in self.proofs(effort):
            formulas += proof.formulas
            undecided += proof.undecided
            if proof.verdict is Verdict.NO:
                return Finding(Outcome.FAILS, formulas, "formulas", proof.witness)
        return Finding(Outcome.UNKNOWN if undecided else Outcome.HOLDS, formulas, "formulas")


@dataclass(frozen=True, slots=True)
class Obligation:
    """A formula without free meaning, to be shown valid: a case of an induction.

    Parameters
    ----------
    name : str
        Which case: the base, the step over an epsilon transition, ...
    hypotheses : tuple of z3.BoolRef
        Definitions and the hypothesis of the induction.
    conclusion : z3.BoolRef
        What follows from them.
    """

    name: str
    hypotheses: tuple[z3.BoolRef, ...]
    conclusion: z3.BoolRef

    def discharge(self, timeout_ms: int) -> Outcome:
        """Whether Z3 shows it: that the hypotheses without the conclusion are unsatisfiable."""
        solver = z3.Solver()
        solver.set("timeout", timeout_ms)
        solver.add(*self.hypotheses, z3.Not(self.conclusion))
        answer = solver.check()
        if answer == z3.unsat:
            return Outcome.HOLDS
        return Outcome.FAILS if answer == z3.sat else Outcome.UNKNOWN

    def consistent(self, timeout_ms: int) -> Outcome:
        """Whether the hypotheses have a model; what contradicts itself proves anything."""
        solver = z3.Solver()
        solver.set("timeout", timeout_ms)
        solver.add(*self.hypotheses)
        answer = solver.check()
        if answer == z3.sat:
            return Outcome.HOLDS
        return Outcome.FAILS if answer == z3.unsat else Outcome.UNKNOWN


@dataclass(frozen=True, slots=True)
class Induction(Evidence):
    """The cases of a proof by induction, each discharged by Z3 without bounds.

    Parameters
    ----------
    title : str
        What is proved, and by induction on what.
    obligations : callable
        Makes the cases.
    """

    strength: ClassVar[Strength] = Strength.INDUCTION
    title: str
    obligations: Callable[[], Iterable[Obligation]]

    @property
    def name(self) -> str:
        return self.title

    def weigh(self, effort: Effort) -> Finding:
        tried, undecided = 0, list[str]()
        for obligation in self.obligations():
            tried += 1
            outcome = obligation.discharge(effort.timeout_ms)
            if outcome is Outcome.FAILS:
                return Finding(Outcome.FAILS, tried, "obligations", obligation.name)
            if outcome is Outcome.UNKNOWN:
                undecided.append(obligation.name)
        detail = f"obligations, undecided: {', '.join(undecided)}" if undecided else "obligations"
        return Finding(Outcome.UNKNOWN if undecided else Outcome.HOLDS, tried, detail)


@dataclass(frozen=True, slots=True)
class Adversary(Evidence):
    """A program that shows of every candidate that it is not what is claimed not to exist.

    Parameters
    ----------
    claim : Claim
        That the adversary defeats an instance: a candidate. What it answers is checked inside the claim.
    by_hand : tuple
        Candidates that somebody thought of, tried before the generated ones.
    """

    strength: ClassVar[Strength] = Strength.ADVERSARY
    claim: Claim[Any]
    by_hand: tuple[Any, ...] = field(default=())

    @property
    def name(self) -> str:
        return self.claim.name

    def weigh(self, effort: Effort) -> Finding:
        undefeated = next((c for c in self.by_hand if not self.claim.holds(c)), None)
        if undefeated is None:
            undefeated = counterexample(self.claim, tries=effort.tries, seed=effort.seed)
        outcome = Outcome.HOLDS if undefeated is None else Outcome.FAILS
        return Finding(outcome, effort.tries + len(self.by_hand), "candidates", undefeated)
