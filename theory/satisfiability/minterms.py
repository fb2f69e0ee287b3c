"""Minterms: the combinations of truth values that conditions can have together.

Depth-first search over sign vectors, one incremental solver for the whole tree. Two things make the
number of solver calls proportional to the number of minterms found rather than to ``2 ** n``:

- A witness of a prefix satisfies a whole sign vector, so it decides the prefix's continuation along
  that vector for free; a call that finds a witness always finds a new minterm.
- The unsatisfiable core of a prefix, often two conditions, prunes every other prefix that contains
  it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from mnemata.theory.conditions.formulas import TOP, Condition, Not, conjunction
from mnemata.theory.errors import LimitError
from mnemata.theory.satisfiability.answers import TIMEOUT, Finding, Literal, Signs, Witness
from mnemata.theory.satisfiability.asking import inquiry
from mnemata.theory.schema import Schema

if TYPE_CHECKING:
    from mnemata.theory.satisfiability.inquiry import Inquiry

LIMIT: Final = 10_000
Prefix: TypeAlias = Signs


@dataclass(frozen=True, slots=True)
class Minterm:
    """One combination of truth values.

    Parameters
    ----------
    signs : tuple of bool
        A truth value for each condition, in order.
    witness : Witness or None
        An event and valuation that give the conditions these values; ``None`` where it is unknown
        whether there are any.
    """

    signs: Signs
    witness: Witness | None

    @property
    def certain(self) -> bool:
        """Whether the minterm is known to be satisfiable."""
        return self.witness is not None


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a search for minterms did.

    Parameters
    ----------
    calls : int
        Calls of the solver.
    refuted : int
        Prefixes that the solver proved impossible.
    pruned : int
        Prefixes known to be impossible from an earlier core, without a call.
    reused : int
        Prefixes known to be possible from an earlier witness, without a call.
    unknown : int
        Prefixes that could not be decided; they were kept.
    """

    calls: int = 0
    refuted: int = 0
    pruned: int = 0
    reused: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Minterms:
    """All sign vectors of `conditions` that were not proved unsatisfiable, positive signs first.

    Every event and valuation that satisfy what was known satisfy exactly one of them.
    """

    conditions: tuple[Condition, ...]
    found: tuple[Minterm, ...]
    statistics: Statistics = field(compare=False)

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Minterm]:
        return iter(self.found)

    @property
    def vectors(self) -> tuple[Signs, ...]:
        """The sign vectors alone."""
        return tuple(minterm.signs for minterm in self.found)

    def guard(self, minterm: Minterm) -> Condition:
        """The minterm as a condition: each of `conditions` or its negation."""
        signed = zip(self.conditions, minterm.signs, strict=True)
        return conjunction(*(c if sign else Not(c) for c, sign in signed))


def minterms(
    conditions: Sequence[Condition],
    schema: Schema,
    *,
    known: Condition = TOP,
    timeout_ms: int = TIMEOUT,
    limit: int = LIMIT,
) -> Minterms:
    """The combinations of truth values of `conditions` that may be possible.

    Parameters
    ----------
    conditions : sequence of Condition
        Bound to `schema` or not.
    schema : Schema
        Types of the attributes.
    known : Condition
        What may be taken for granted of every event and valuation.
    timeout_ms : int
        Bound on each call of the solver; a combination not decided in that time is kept, without a witness.
    limit : int
        The most minterms to return.

    Returns
    -------
    Minterms
        With ``n`` conditions and ``m`` minterms, all decided: at most ``m`` calls that find a witness and
        ``m * n`` that find none, usually far fewer of the latter.

    Raises
    ------
    LimitError
        When there are more than `limit` minterms.

    Examples
    --------
    >>> from mnemata.theory.conditions.building import head
    >>> from mnemata.theory.schema import Int64, Schema
    >>> x = head().x
    >>> minterms([x > 1, x < 5], Schema.of(x=Int64())).vectors
    ((True, True), (True, False), (False, True), (False, False))

    The last is possible because `x` may be missing.
    """
    search = _Search(inquiry(conditions, schema, known=known, timeout_ms=timeout_ms), len(conditions))
    found = tuple(search.run(limit))
    return Minterms(tuple(conditions), found, search.statistics())


class _Search:
    """The state of one depth-first search."""

    def __init__(self, inquiry: Inquiry, size: int) -> None:
        self._inquiry, self._size = inquiry, size
        self._witnesses: dict[Prefix, Witness] = {}
        self._cores: dict[Literal, list[frozenset[Literal]]] = {}
        self._refuted = self._pruned = self._reused = self._unknown = 0

    def statistics(self) -> Statistics:
        counts = (self._refuted, self._pruned, self._reused, self._unknown)
        return Statistics(self._inquiry.calls, *counts)

    def run(self, limit: int) -> Iterator[Minterm]:
        """Minterms in order; raises `LimitError` instead of the one after the last allowed."""
        count, stack = 0, [Prefix()]
        while stack:
            prefix = stack.pop()
            if not self._possible(prefix):
                continue
            if len(prefix) < self._size:
                stack += [(*prefix, False), (*prefix, True)]
                continue
            count += 1
            if count > limit:
                raise LimitError(self._too_many(limit))
            yield Minterm(prefix, self._witnesses.get(prefix))

    def _possible(self, prefix: Prefix) -> bool:
        if prefix in self._witnesses:
            self._reused += 1
            return True
        if self._contains_core(prefix):
            self._pruned += 1
            return False
        return self._asked(prefix)

    def _asked(self, prefix: Prefix) -> bool:
        finding = self._inquiry.ask(tuple(enumerate(prefix)))
        self._learn(finding)
        self._refuted += finding.answer.no
        self._unknown += finding.answer.unknown
        return not finding.answer.no

    def _learn(self, finding: Finding) -> None:
        if finding.answer.witness is not None:
            for length in range(self._size + 1):
                self._witnesses.setdefault(finding.signs[:length], finding.answer.witness)
        elif finding.core:
            self._cores.setdefault(max(finding.core), []).append(finding.core)

    def _contains_core(self, prefix: Prefix) -> bool:
        """Only cores that end in the last sign matter: others would have pruned a shorter prefix."""
        literals = tuple(enumerate(prefix))
        cores = self._cores.get(literals[-1], ()) if literals else ()
        return any(all(prefix[i] == sign for i, sign in core) for core in cores)

    def _too_many(self, limit: int) -> str:
        return (
            f"{self._size} conditions have more than {limit} minterms (found in {self._inquiry.calls} "
            "solver calls); raise the limit or use fewer conditions"
        )
