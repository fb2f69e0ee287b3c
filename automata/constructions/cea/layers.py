"""Which outer operators of a formula are kept aside of its automaton."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import takewhile
from typing import Final, NamedTuple

from mnemata.automata.constructions.cea.compiled import Layer
from mnemata.theory.cel.formulas import (
    And,
    Filter,
    Formula,
    In,
    Projection,
    Start,
    Strategy,
    Strict,
    Unless,
    Window,
    Within,
)
from mnemata.theory.sremo.bounds import EventWindow
from mnemata.theory.trees import Node, children, replace_children, transform

MOST_COUNTED: Final = 100
"""A window of more events than this is put aside rather than counted by states, where it can be."""


def windows_outward(formula: Formula) -> Formula:
    """Windows moved out of operators that only choose among the valuations of their operand.

    ``(f WITHIN w) FILTER p == (f FILTER p) WITHIN w``, and so with ``IN``, ``START``, ``STRICT``, the parts
    of ``AND`` and the left side of ``UNLESS``. Valuations are equal.
    """
    moved = transform(formula, _outward)
    return moved if isinstance(moved, Formula) else formula


def _outward(node: Node) -> Node:
    below = children(node)
    match node:
        case And():
            held = len(below)
        case In() | Filter() | Start() | Strict() | Unless():
            held = 1
        case _:
            return node
    windows: list[Window] = []
    bare = (_bared(part, windows) for part in below[:held])
    found = replace_children(node, (*bare, *below[held:]))
    return reduce(_within, windows, found)


def _bared(part: Node, windows: list[Window]) -> Node:
    """`part` without its outermost windows, which are added to `windows`."""
    while isinstance(part, Within):
        windows.append(part.window)
        part = part.body
    return part


def _within(node: Node, window: Window) -> Node:
    return Within(node, window) if isinstance(node, Formula) else node


class Peeled(NamedTuple):
    """A formula, the windows around it, and what is around these, from the inside out."""

    body: Formula
    windows: tuple[Window, ...]
    layers: tuple[Layer, ...]


def without_layers(formula: Formula) -> Peeled:
    """The part of a formula that its automaton is made of, and what is kept aside.

    Aside are the outermost windows. Under selection strategies and projections a window stays inside when
    states can count it, since the automaton then need not find what the strategy discards.
    """
    outer: list[Layer] = []
    while isinstance(formula, Projection | Strategy | Within):
        outer.append(formula)
        formula = formula.body
    kept = max((n + 1 for n, layer in enumerate(outer) if _is_aside(layer)), default=0)
    kept = max(kept, _leading_windows(outer))
    begin = kept - _leading_windows(outer[:kept][::-1])
    body = outer[kept - 1].body if kept else outer[0] if outer else formula
    windows = tuple(layer.window for layer in outer[begin:kept] if isinstance(layer, Within))
    return Peeled(body, windows[::-1], tuple(outer[:begin][::-1]))


def _is_aside(layer: Layer) -> bool:
    """Whether it is a window that states cannot count, or not cheaply."""
    if not isinstance(layer, Within):
        return False
    return not isinstance(layer.window, EventWindow) or layer.window.size > MOST_COUNTED


def _leading_windows(layers: Sequence[Layer]) -> int:
    return sum(1 for _ in takewhile(lambda layer: isinstance(layer, Within), layers))
