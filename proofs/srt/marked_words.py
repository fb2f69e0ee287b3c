"""Matches of expressions without registers, by Python's regular expressions.

A string becomes two letters for each event, one for "skipped" and one for "marked", and an expression a
pattern over these letters; a match is a word with one of the two for each event.
"""

from __future__ import annotations

import re
from itertools import product

from mnemata.automata.srt.runs import Marks
from mnemata.proofs.generators import Stream
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import (
    Concatenation,
    Epsilon,
    Expression,
    Optional,
    Output,
    Plus,
    Repeat,
    SkipTillAny,
    Star,
    Terminal,
    Union,
)
from mnemata.theory.trees import fold


def matched_words(expression: Expression, stream: Stream) -> frozenset[Marks]:
    """The matches of a bound expression without registers, windows, intersections or negations."""
    pattern = re.compile(fold(expression, lambda node, below: _pattern(node, below, stream)))
    words = (
        outputs
        for outputs in product(Output, repeat=len(stream))
        if pattern.fullmatch("".join(map(_letter, stream, outputs)))
    )
    return frozenset(_marks(stream, outputs) for outputs in words)


def _marks(stream: Stream, outputs: tuple[Output, ...]) -> Marks:
    pairs = zip(stream, outputs, strict=True)
    return frozenset(event.position for event, output in pairs if output is Output.MARK)


def _pattern(node: object, below: tuple[str, ...], stream: Stream) -> str:
    match node:
        case Epsilon():
            return ""
        case Terminal(condition=condition, output=output):
            found = "".join(_letter(u, output) for u in stream if models(u, EMPTY, condition))
            return f"[{found}]" if found else "(?!)"
        case Concatenation():
            return "".join(below)
        case Union():
            return f"(?:{'|'.join(below)})"
        case Star() | Plus() | Optional():
            return f"(?:{below[0]}){ {Star: '*', Plus: '+', Optional: '?'}[type(node)] }"
        case Repeat(minimum=minimum, maximum=maximum):
            return f"(?:{below[0]}){{{minimum},{'' if maximum is None else maximum}}}"
        case SkipTillAny():
            gap = "".join(_letter(u, Output.SKIP) for u in stream)
            return (f"[{gap}]*" if gap else "").join(below)
    return "(?!)"


def _letter(event: Event, output: Output) -> str:
    return chr(0x4E00 + 2 * event.position + (output is Output.MARK))
