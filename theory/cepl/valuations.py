"""Valuations: which event of a stream each variable stands for (RMA Section 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mnemata.theory.cepl.expressions import Variable


@dataclass(frozen=True, slots=True)
class Valuation(Mapping[Variable, int]):
    """A partial function from variables to 0-based positions; variables it lacks stand for no event."""

    entries: tuple[tuple[Variable, int], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "entries", tuple(sorted(dict(self.entries).items())))

    def __getitem__(self, variable: Variable) -> int:
        return dict(self.entries)[variable]

    def __iter__(self) -> Iterator[Variable]:
        return (variable for variable, _ in self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def replaced(self, names: frozenset[Variable], other: Mapping[Variable, int]) -> Valuation:
        """``v[v' -> U]``: like `other` on `names`, also where that is undefined, and like this elsewhere."""
        kept = {name: place for name, place in self.entries if name not in names}
        return Valuation(tuple((kept | {n: other[n] for n in names if n in other}).items()))


NO_EVENTS = Valuation()
