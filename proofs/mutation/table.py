"""Mutants and what noticed them, as a table; and how many were noticed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mnemata.proofs.mutation.trials import Trial

HEADER = ("mutant", "what is broken", "where", "caught by")


def score(trials: Sequence[Trial]) -> str:
    """How many mutants were caught, in a sentence."""
    caught = sum(trial.caught for trial in trials)
    no_mistake = sum(bool(trial.mutant.survives) for trial in trials)
    missed = [trial.mutant.name for trial in trials if not trial.as_expected]
    parts = [f"{caught} of {len(trials)} mutants are caught"]
    if no_mistake:
        parts.append(f"{no_mistake} change nothing that could be noticed")
    if missed:
        parts.append(f"not as expected: {', '.join(missed)}")
    return "; ".join(parts)


def rows(trials: Sequence[Trial]) -> Iterator[tuple[str, str, str, str]]:
    """A row for each mutant, in the order of `HEADER`."""
    return ((t.mutant.name, t.mutant.breaks, t.mutant.module, caught_by(t)) for t in trials)


def caught_by(trial: Trial) -> str:
    """What noticed a mutant, in words."""
    if not trial.caught:
        return "nothing, and nothing should" if trial.mutant.survives else "nothing"
    evidence = f"{trial.result}, {trial.strength}: " if trial.result else ""
    return f"{evidence}{trial.how}"


def survivors(trials: Sequence[Trial]) -> Iterator[tuple[str, str]]:
    """The mutants that were not caught, each with the reason."""
    return (
        (trial.mutant.name, trial.mutant.survives or "the evidence does not see it")
        for trial in trials
        if not trial.caught
    )
