"""Judging many results: one after the other, or several at a time in processes of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from mnemata.proofs.evidence import Effort, Strength
from mnemata.proofs.registry import chosen
from mnemata.proofs.report.accounts import Account, weighed
from mnemata.proofs.results import Result


def judged(
    results: Sequence[Result],
    effort: Effort,
    strengths: Collection[Strength] = tuple(Strength),
    *,
    pictures: bool = False,
    jobs: int = 1,
) -> Iterator[Account]:
    """Accounts of results, in order, each as soon as it is known and those before it are.

    Parameters
    ----------
    results : sequence of Result
        Of the registry.
    effort : Effort
        How much is tried.
    strengths : collection of Strength
        Which evidence is weighed.
    pictures : bool
        Whether counterexamples are drawn.
    jobs : int
        How many processes; with one, all is done in this process.
    """
    weigh = partial(_weighed, effort=effort, strengths=tuple(strengths), pictures=pictures)
    names = [result.id for result in results]
    if jobs == 1 or len(names) < 2:
        yield from map(weigh, names)
        return
    # Not forked: the solver and compiled kernels have threads, which a copy of this process would lack.
    executor = ProcessPoolExecutor(min(jobs, len(names)), get_context("spawn"))
    try:
        yield from executor.map(weigh, names)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _weighed(name: str, *, effort: Effort, strengths: Collection[Strength], pictures: bool) -> Account:
    """The account of the result of a name; names travel between processes, results do not."""
    (result,) = (result for result in chosen([name]) if result.id == name)
    return weighed(result, effort, strengths, pictures=pictures)
