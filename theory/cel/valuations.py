"""Valuations of complex event logic: which positions each variable is bound to (CEL Section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import InitVar, dataclass, field
from typing import Final, TypeAlias

from mnemata.theory.errors import PatternError, brief

Variable: TypeAlias = str
Position: TypeAlias = int
"""0-based, as in the paper."""

ComplexEvent: TypeAlias = frozenset[Position]
Bindings: TypeAlias = Mapping[Variable, Iterable[Position]] | Iterable[tuple[Variable, Iterable[Position]]]


@dataclass(frozen=True, slots=True, repr=False)
class Valuation:
    """A total function from variables to sets of 0-based positions, empty almost everywhere.

    Parameters
    ----------
    bindings : mapping or pairs of a variable and its positions
        Variables bound to no position are left out: a valuation that binds ``A`` to nothing *is* the one
        that does not mention ``A``. Pairs of the same variable are joined.

    Attributes
    ----------
    contents : tuple of pairs
        The variables with at least one position, sorted by name, each with its positions.

    Raises
    ------
    PatternError
        When a variable is not a string or a position not a whole number from 0.

    Examples
    --------
    >>> mu = Valuation({"T": [1], "H": [0, 2], "X": []})
    >>> mu
    {H: {0, 2}, T: {1}}
    >>> sorted(mu.support), sorted(mu["H"]), mu["X"]
    ([0, 1, 2], [0, 2], frozenset())
    >>> mu.restrict({"T"}).union(Valuation({"T": [5]}))
    {T: {1, 5}}
    """

    bindings: InitVar[Bindings] = ()
    contents: tuple[tuple[Variable, ComplexEvent], ...] = field(init=False)

    def __post_init__(self, bindings: Bindings) -> None:
        joined: dict[Variable, set[Position]] = {}
        for variable, positions in bindings.items() if isinstance(bindings, Mapping) else bindings:
            joined.setdefault(_variable(variable), set()).update(map(_position, positions))
        kept = sorted((variable, frozenset(positions)) for variable, positions in joined.items() if positions)
        object.__setattr__(self, "contents", tuple(kept))

    def __reduce__(self) -> tuple[type[Valuation], tuple[object, ...]]:
        return (Valuation, (self.contents,))

    def __getitem__(self, variable: Variable) -> ComplexEvent:
        return dict(self.contents).get(variable, frozenset())

    def __iter__(self) -> Iterator[Variable]:
        return (variable for variable, _ in self.contents)

    def __repr__(self) -> str:
        bound = (f"{variable}: {{{', '.join(map(str, sorted(at)))}}}" for variable, at in self.contents)
        return f"{{{', '.join(bound)}}}"

    @property
    def variables(self) -> frozenset[Variable]:
        """The variables that are bound to at least one position."""
        return frozenset(self)

    @property
    def support(self) -> ComplexEvent:
        """``sup(mu)``: all positions that some variable is bound to."""
        return frozenset(position for _, positions in self.contents for position in positions)

    def union(self, other: Valuation) -> Valuation:
        """``mu | mu'``: each variable bound to its positions in either."""
        return Valuation((*self.contents, *other.contents))

    def restrict(self, variables: Iterable[Variable]) -> Valuation:
        """``mu|_L``: the bindings of `variables` alone; every other variable is bound to nothing."""
        kept = frozenset(variables)
        return Valuation(item for item in self.contents if item[0] in kept)

    def bind(self, variable: Variable, positions: Iterable[Position]) -> Valuation:
        """``mu[A -> C]``: `variable` bound to exactly `positions`, the others as before."""
        kept = (item for item in self.contents if item[0] != variable)
        return Valuation((*kept, (variable, positions)))


EMPTY: Final = Valuation()
"""Binds no variable."""


def _variable(given: object) -> Variable:
    if not isinstance(given, str) or not given:
        raise PatternError(f"a variable is a non-empty string, got {brief(given)}")
    return given


def _position(given: object) -> Position:
    if not isinstance(given, int) or isinstance(given, bool) or given < 0:
        raise PatternError(f"a position is a whole number from 0, got {brief(given)}")
    return given
