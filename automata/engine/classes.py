"""Event classes: which guards an event can satisfy as far as the event alone decides it.

Every guard is a conjunction of a part that reads only the head and a rest that also reads registers. The
first parts are evaluated for whole columns; events on which all of them agree form a class.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.columns import Array, Column, Columns
from mnemata.automata.engine.compiled.jit import frozen
from mnemata.automata.engine.compiled.scans import (
    add_digit,
    extremes,
    look_up,
    look_up_pairs,
    translate,
)
from mnemata.automata.engine.dividing import (
    Classes,
    Conditions,
    EventClasses,
    divided_by,
    numbered,
    one_class,
)
from mnemata.automata.engine.texts import Texts
from mnemata.automata.srt.transducer import Transition
from mnemata.theory.conditions.formulas import TOP, And, Apply, Condition, Top, conjunction, expand, registers
from mnemata.theory.conditions.terms import Attribute, Position, Time
from mnemata.theory.errors import PatternError
from mnemata.theory.schema import Bool, Category, Int64, Schema, String
from mnemata.theory.trees import walk

Codes: TypeAlias = npt.NDArray[np.int32]

MOST_COMBINATIONS: Final = 1 << 14
"""Of codes of text, truth values and integers, to be looked up."""

FEWEST_ASKED: Final = 3
"""So many parts ask about an attribute of integers when its values are looked up."""

FEW_CLASSES: Final = 128
"""Patterns share the classes of events when the first rows have no more of them."""

SAMPLE: Final = 1 << 14
"""How many rows are looked at for that."""

_ROWS_AT_ONCE: Final = 1 << 16


class Guard(NamedTuple):
    """A condition as the conjunction of `head`, which reads the head only, and `rest`.

    ``None`` stands for true.
    """

    head: Condition | None
    rest: Condition | None


def condition_of(transition: Transition) -> Condition:
    """The condition of a transition that reads an event; raises `PatternError` for one that reads none."""
    if transition.condition is None:
        raise PatternError(
            "recognition needs an automaton without epsilon transitions; see without_epsilon()"
        )
    return transition.condition


def split(condition: Condition) -> Guard:
    """The two parts of a guard; their conjunction is equivalent to it.

    >>> from mnemata.theory.conditions.building import head, register
    >>> split((head().id == 1) & (head().id > register("r").id)).head
    Comparison('=', Attribute('~', 'id'), Constant(1))
    """
    parts = condition.operands if isinstance(condition, And) else (condition,)
    own = [part for part in parts if not registers(part)]
    joint = [part for part in parts if registers(part)]
    return Guard(_joined(own), _joined(joint))


def _joined(parts: Sequence[Condition]) -> Condition | None:
    whole = conjunction(*parts)
    return None if isinstance(whole, Top) else whole


def classify(conditions: Sequence[Condition], columns: Columns) -> EventClasses:
    """The classes of all rows with regard to `conditions`, which read the head only.

    Parts that ask about text, truth values and integers of a small range alone are looked up by the codes of
    a row, where these have few combinations; the others are evaluated on whole columns.
    """
    asked = tuple(conditions)
    codes = _coded(asked, columns)
    if not codes:
        return divided_by(one_class(columns), asked, columns)
    divided = _divided(asked, frozenset(name for name, _ in codes))
    table = _tabulated(divided.coded, codes, columns.schema, columns.texts.all)
    found = EventClasses(_looked_up(codes, columns, table.of_rows), table.holds)
    if divided.others:
        found = divided_by(found, divided.others, columns)
    holds = dict(zip([*divided.coded, *divided.others], found.holds.T, strict=True))
    holds[TOP] = np.ones(len(found.holds), np.bool_)
    columns_of_truth = [holds[one] & holds[other] for one, other in divided.halves]
    return EventClasses(found.of_rows, np.stack(columns_of_truth, axis=1))


def classify_together(asked: Sequence[Conditions], columns: Columns) -> list[EventClasses]:
    """The classes of all rows with regard to the conditions of each of some patterns.

    What patterns have in common is evaluated once, and rows are numbered once for all of them; not for all at
    once where that would divide events into too many classes. Some classes of a pattern may then be alike.
    """
    conditions = tuple(dict.fromkeys(condition for some in asked for condition in some))
    half = len(asked) // 2
    if half and len(classify(conditions, columns.head(SAMPLE)).holds) > FEW_CLASSES:
        return classify_together(asked[:half], columns) + classify_together(asked[half:], columns)
    found = classify(conditions, columns)
    places = {condition: place for place, condition in enumerate(conditions)}
    return [EventClasses(found.of_rows, found.holds[:, [places[c] for c in some]]) for some in asked]


class _Codes(NamedTuple):
    """The values of an attribute as codes: the least value, and how many; the last is for what is missing."""

    least: int
    size: int


_Coded: TypeAlias = tuple[tuple[str, _Codes], ...]


def _coded(conditions: Conditions, columns: Columns) -> _Coded:
    """The codes of attributes that some parts read and nothing else, if they have few combinations."""
    read = _readings(conditions)
    texts = {name: codes for name in columns.by_name if (codes := _codes_of_text(columns, name))}
    asked = Counter(name for some in read for name in some)
    # For integers a lookup pays when several parts ask about them.
    often = [n for n, times in asked.items() if times >= FEWEST_ASKED and n in columns.by_name]
    integers = {name: codes for name in often if (codes := _codes_of_integers(columns, name))}
    for known in ({**texts, **integers}, texts):
        names = sorted({name for some in read if some and some <= known.keys() for name in some})
        if math.prod(known[name].size for name in names) <= min(MOST_COMBINATIONS, columns.size):
            return tuple((name, known[name]) for name in names)
    return ()


@lru_cache(maxsize=256)
def _readings(conditions: Conditions) -> tuple[frozenset[str], ...]:
    """The attributes that each part of the conditions reads."""
    return tuple(_reads(part) for condition in conditions for part in _parts(condition))


def _parts(condition: Condition) -> tuple[Condition, ...]:
    operands = condition.operands if isinstance(condition, And) else (condition,)
    return tuple(operand for operand in operands if isinstance(operand, Condition))


class _Divided(NamedTuple):
    """Conditions as conjunctions of what reads only attributes with codes, and the rest.

    Parameters
    ----------
    halves : tuple of pairs of Condition
        Both for each condition.
    coded, others : tuple of Condition
        The different ones of each kind; of the others those that say something.
    """

    halves: tuple[tuple[Condition, Condition], ...]
    coded: Conditions
    others: Conditions


@lru_cache(maxsize=256)
def _divided(conditions: Conditions, coded: frozenset[str]) -> _Divided:
    halves = tuple(_halves(condition, coded) for condition in conditions)
    others = dict.fromkeys(half for _, half in halves if half != TOP)
    return _Divided(halves, tuple(dict.fromkeys(half for half, _ in halves)), tuple(others))


def _halves(condition: Condition, coded: frozenset[str]) -> tuple[Condition, Condition]:
    """A conjunction of what reads only attributes with codes, and the rest."""
    parts = _parts(condition)
    return (
        conjunction(*(part for part in parts if _reads(part) <= coded)),
        conjunction(*(part for part in parts if not _reads(part) <= coded)),
    )


def _codes_of_text(columns: Columns, name: str) -> _Codes | None:
    match columns.schema[name]:
        case Bool():
            return _Codes(0, 3)
        case String() | Category():
            return _Codes(0, columns.texts.size + 1)
    return None


def _codes_of_integers(columns: Columns, name: str) -> _Codes | None:
    """Of an attribute of integers with a small range."""
    if not isinstance(columns.schema[name], Int64):
        return None
    values, missing = columns[name].values, columns[name].missing
    present = values if missing is None else values[~missing]
    if not len(present):
        return None
    least, most = map(int, extremes(frozen(present)))
    return _Codes(least, most - least + 2) if most - least < MOST_COMBINATIONS else None


@lru_cache(maxsize=1024)
def _reads(condition: Condition) -> frozenset[str]:
    """The attributes that a condition reads; one that cannot exist for what else it depends on."""
    names = set()
    for node in walk(expand(condition)):
        if isinstance(node, Attribute):
            names.add(node.name)
        elif isinstance(node, Position | Time | Apply):
            names.add("")
    return frozenset(names)


@lru_cache(maxsize=64)
def _tabulated(conditions: Conditions, codes: _Coded, schema: Schema, texts: tuple[str, ...]) -> EventClasses:
    """The classes of all combinations of codes, in the order of mixed-radix numbers."""
    sizes = [size for _, (_, size) in codes]
    by_name = {}
    for (name, (least, size)), digits in zip(codes, np.indices(sizes), strict=True):
        values = digits.reshape(-1)
        kept = values.astype(np.bool_) if isinstance(schema[name], Bool) else values + least
        by_name[name] = Column(kept, values == size - 1)
    columns = Columns(schema, math.prod(sizes), by_name, Texts(texts))
    return numbered(one_class(columns), conditions, columns)


def _looked_up(codes: _Coded, columns: Columns, table: Classes) -> Classes:
    """What a table of all combinations has for the codes of each row."""
    read = [columns[name] for name, _ in codes]
    places = table.reshape([size for _, (_, size) in codes])
    for axis, column in enumerate(read):
        if column.meaning is not None:  # a table for places instead of codes spares the rows a translation
            places = places.take(column.meaning, axis)
    leasts, sizes = [least for _, (least, _) in codes], places.shape
    found = frozen(places.reshape(-1))
    of_rows = np.empty(columns.size, table.dtype)
    if any(column.missing is not None for column in read) or len(read) > 2:
        _looked_up_slowly(read, leasts, sizes, found, of_rows)
    elif len(read) == 1:
        look_up(frozen(read[0].given), leasts[0], found, of_rows)
    else:
        one, other = (frozen(column.given) for column in read)
        look_up_pairs(one, other, leasts[0], leasts[1], sizes[1], found, of_rows)
    return of_rows


def _looked_up_slowly(
    read: Sequence[Column], leasts: Sequence[int], sizes: Sequence[int], table: Array, of_rows: Classes
) -> None:
    """The same for any number of columns, some values of which may be missing; some rows at once."""
    keys: Codes = np.empty(min(_ROWS_AT_ONCE, len(of_rows)), np.int32)
    nowhere = frozen(np.zeros(0, np.bool_))
    for begin in range(0, len(of_rows), _ROWS_AT_ONCE):
        rows = slice(begin, min(begin + _ROWS_AT_ONCE, len(of_rows)))
        some = keys[: rows.stop - begin]
        some[:] = 0
        for column, least, size in zip(read, leasts, sizes, strict=True):
            absent = nowhere if column.missing is None else frozen(column.missing[rows])
            add_digit(some, size, least, frozen(column.given[rows]), absent)
        translate(frozen(some), table, of_rows[rows])
