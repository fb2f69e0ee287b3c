"""What compiling a formula gives, and what it means by runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA
from mnemata.theory.cel.formulas import Formula, Projection, Strategy, Window, Within
from mnemata.theory.cel.semantics import fits_window, select
from mnemata.theory.cel.valuations import Valuation
from mnemata.theory.schema import Event, Schema

Layer: TypeAlias = Projection | Strategy | Within
"""What may be applied to the valuations of each position after the automaton has found them."""


@dataclass(frozen=True, slots=True)
class CompiledFormula:
    """A unary formula, ready to be recognised in streams of one schema.

    Parameters
    ----------
    formula : Formula
        Bound to `schema`.
    schema : Schema
        The schema of the streams.
    cea : CEA
        Of what is inside `windows`; trimmed.
    windows : tuple of EventWindow or TimeWindow
        Bounds on the support of what `cea` finds. Whoever runs the automaton must enforce them: it can
        forget what no longer fits, which states cannot.
    layers : tuple of Formula
        The operators outside of `windows`, from the inside out, that cannot be part of the automaton because
        `windows` lie under them. Each stands for itself alone, not for its operand.
    """

    formula: Formula
    schema: Schema
    cea: CEA
    windows: tuple[Window, ...] = ()
    layers: tuple[Layer, ...] = ()


def valuations_along(compiled: CompiledFormula, stream: Sequence[Event]) -> list[frozenset[Valuation]]:
    """At each position of the stream the valuations of a compiled formula, by runs of its automaton.

    By definition and slow; equal to `mnemata.theory.cel.semantics.valuations_along` of the formula.
    """
    found = runs.valuations_along(compiled.cea, stream)
    return [frozenset(_layered(compiled, here, stream)) for here in found]


def _layered(
    compiled: CompiledFormula, found: Iterable[Valuation], stream: Sequence[Event]
) -> Iterable[Valuation]:
    for window in compiled.windows:
        found = [mu for mu in found if fits_window(mu.support, window, stream)]
    for layer in compiled.layers:
        found = applied(layer, found, stream)
    return found


def applied(layer: Layer, found: Iterable[Valuation], stream: Sequence[Event]) -> list[Valuation]:
    """What an operator makes of all the valuations at one position."""
    match layer:
        case Projection(variables=kept):
            return [mu.restrict(kept) for mu in found]
        case Within(window=window):
            return [mu for mu in found if fits_window(mu.support, window, stream)]
    given = list(found)
    best = select(layer, (mu.support for mu in given))
    return [mu for mu in given if mu.support in best]
