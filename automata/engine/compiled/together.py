"""A single simple step that all entries of a state take together, where no graph is made."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mnemata.automata.engine.compiled.counting import HALF, NOTHING, ONE, TOP_BIT, add_to, copy_number, double
from mnemata.automata.engine.compiled.entries import drop_outside, order, segment
from mnemata.automata.engine.compiled.graph import EMPTY, NEVER
from mnemata.automata.engine.compiled.jit import inlined, natural
from mnemata.automata.engine.compiled.machine import (
    ALWAYS,
    FLOATS,
    INTS,
    Memory,
    Question,
    answers,
    outcome,
    question_of,
)
from mnemata.automata.engine.compiled.plan import (
    GOES_ON,
    KEEPS,
    LOOPS,
    MARKS,
    REPORTS,
    STAYS,
    TARGET,
    TEST,
    Mode,
    Tables,
)
from mnemata.automata.engine.compiled.steps import Source, arrive, report
from mnemata.automata.engine.compiled.store import FIRST, LIVE, N_REPORTS, NODE, WIDEN, WORDS, Ints, Store
from mnemata.automata.engine.compiled.stream import Now

ENUMERATE: Final = int(Mode.ENUMERATE)
COUNT: Final = int(Mode.COUNT)


@inlined
def visit_simply(
    store: Store,
    tables: Tables,
    memory: Memory,
    now: Now,
    state: int,
    of_row: int,
    step: int,
    later: int,
    mode: int,
) -> int:
    """The same for a single simple step where no graph is made: loops with little in them."""
    pair = natural(tables.pairs[of_row, state])
    fresh = state < len(tables.width) // 2
    drop_outside(store, now, state, tables, fresh)
    question = question_of(memory, tables.steps[step, TEST], now.row)
    if tables.steps[step, REPORTS]:
        report_those(store, memory, now, state, question, mode)
    if tables.steps[step, GOES_ON]:
        if tables.steps[step, LOOPS] and tables.remain[pair]:
            if mode == COUNT and question.kind == ALWAYS and later < 0:
                later = state
            elif mode == COUNT:
                double_those(store, memory, state, question)
        else:
            to = natural(tables.steps[step, TARGET])
            done = store.occupied[to, 1] > store.occupied[state, 1] or tables.pairs[of_row, to] == STAYS
            known = done and to != state and tables.steps[step, KEEPS] != 0
            later = move_those(store, tables, memory, now, state, step, question, known, later, mode)
    if not tables.remain[pair]:
        store.numbers[LIVE] -= store.segments[state, 2]
        store.segments[state, 2] = 0
    return later


@inlined
def report_those(store: Store, memory: Memory, now: Now, state: int, question: Question, mode: int) -> None:
    """Put down that matches of the entries for which a comparison holds end here."""
    place, end = segment(store, state)
    while place < end and not answers(memory, question, store.entries, place):
        place += 1
    if place == end:
        return
    report(store, now, Source(place, EMPTY, NEVER, NEVER), False, mode)
    if mode != COUNT:
        return
    number = store.numbers[N_REPORTS] - 1
    if question.kind == FLOATS and len(memory.float_missing) == 0:
        add_met(store, number, memory.floats, question, question.float_value, place + 1, end)
    elif question.kind == INTS and len(memory.int_missing) == 0:
        add_met(store, number, memory.ints, question, question.int_value, place + 1, end)
    else:
        for other in range(place + 1, end):
            if answers(memory, question, store.entries, other):
                add_to(store.reported, number, store.counts, other, store.numbers[WORDS])


@inlined
def add_met(
    store: Store, number: int, columns: Any, question: Question, value: Any, begin: int, end: int
) -> None:
    """Add to a report the numbers of the entries that hold what is asked for, in a column without gaps."""
    counts, entries, words = store.counts, store.entries, store.numbers[WORDS]
    part, column, wanted = np.uint64(question.part), np.uint64(question.column), question.wanted
    if words == 1:
        total = store.reported[number, 0]
        for place in range(begin, end):
            row = entries[np.uint64(place), part]
            # No branch: what a comparison says cannot be foreseen.
            met = np.uint64(outcome(value, columns[column, np.uint64(max(row, 0))]) & wanted != 0)
            total += counts[np.uint64(place), 0] * (met & np.uint64(row >= 0))
        store.reported[number, 0] = total
        return
    for place in range(begin, end):
        row = entries[np.uint64(place), part]
        if row >= 0 and outcome(value, columns[column, np.uint64(row)]) & wanted != 0:
            add_to(store.reported, number, counts, place, words)


@inlined
def double_those(store: Store, memory: Memory, state: int, question: Question) -> None:
    """Double the numbers of the entries for which a comparison holds."""
    begin, end = segment(store, state)
    counts, words, high = store.counts, store.numbers[WORDS], NOTHING
    for place in range(begin, end):
        if answers(memory, question, store.entries, place):
            double(counts, place, words)
            high |= counts[np.uint64(place), words - 1]
    if high >= HALF:
        store.numbers[WIDEN] = 1


@inlined
def double_all(store: Store, begin: int, end: int) -> None:
    """Double the numbers of some entries."""
    counts, words, high = store.counts, store.numbers[WORDS], NOTHING
    if words == 1:
        for place in range(begin, end):
            counts[np.uint64(place), 0] <<= ONE
            high |= counts[np.uint64(place), 0]
    else:
        for place in range(begin, end):
            double(counts, place, words)
            high |= counts[np.uint64(place), words - 1]
    if high >= HALF:
        store.numbers[WIDEN] = 1


@inlined
def move_those(
    store: Store,
    tables: Tables,
    memory: Memory,
    now: Now,
    state: int,
    step: int,
    question: Question,
    known: bool,
    later: int,
    mode: int,
) -> int:
    """Put down the entries that a step makes of those for which a comparison holds.

    If it is known that the entries of the target have taken their steps and that keys stay as they are, those
    that are there already are met at once, as both are in order. The numbers of the entries of `later` are
    still to be doubled, together with what is added to them; returns for which state that is so then.
    """
    begin, end = segment(store, state)
    to, half = natural(tables.steps[step, TARGET]), len(tables.width) // 2
    other, others_end = segment(store, to)
    fresh, marks, width = state < half, tables.steps[step, MARKS] != 0, tables.width[state]
    column, words, high = store.entries.shape[1] - 2, store.numbers[WORDS], NOTHING
    least, most = store.segments[to, 0], store.segments[to, 0] + store.segments[to, 1]
    if known and question.kind == ALWAYS and tables.ordered[to]:
        if later == to:
            met, high = double_and_add(store, other, begin, min(end - begin, others_end - other), width)
            double_all(store, other + met, others_end)
            later = -1
        else:
            met = alike(store.entries, begin, end, other, others_end, width)
            if mode == COUNT and to >= half:
                high = add_those(store, other, begin, met)
        begin, other = begin + met, other + met
    if later == to:
        double_all(store, other, others_end)
        later = -1
    for place in range(begin, end):
        if not answers(memory, question, store.entries, place):
            continue
        start = store.entries[place, column + FIRST]
        first = now.clock if fresh and marks else start
        if known:
            compared = 1
            while other < others_end:
                compared = order(store.entries, other, place, width)
                if compared >= 0:
                    break
                other += 1
            if compared == 0:
                if mode == COUNT and to >= half:
                    add_to(store.counts, other, store.counts, place, words)
                    high |= store.counts[other, words - 1]
                if first > store.entries[other, column + FIRST]:
                    store.entries[other, column + FIRST] = first
                other += 1
                continue
        if known and least < other == others_end < most:
            append(store, to, place, first, width, mode)
            other = others_end = other + 1
            continue
        source = Source(place, EMPTY, start, first)
        arrive(store, tables, now, step, source, EMPTY, first, mode)
    if high >= HALF:
        store.numbers[WIDEN] = 1
    return later


@inlined
def append(store: Store, to: int, place: int, first: int, width: int, mode: int) -> None:
    """Make an entry with the key of another behind all of a state, which has some and room for more."""
    entries, column = store.entries, store.entries.shape[1] - 2
    end = natural(store.segments[to, 0] + store.segments[to, 2])
    for part in range(width):
        entries[end, part] = entries[place, part]
    entries[end, column + NODE], entries[end, column + FIRST] = EMPTY, first
    if mode == COUNT:
        copy_number(store.counts, place, store.counts, end, store.numbers[WORDS])
    store.segments[to, 2] += 1
    store.numbers[LIVE] += 1


@inlined
def alike(entries: Ints, begin: int, end: int, other: int, others_end: int, width: int) -> int:
    """How many entries have the keys of as many others, the first ones of both."""
    most, met = min(end - begin, others_end - other), 0
    while met < most and order(entries, np.uint64(other + met), np.uint64(begin + met), width) == 0:
        met += 1
    return met


@inlined
def add_those(store: Store, to: int, begin: int, number: int) -> np.uint64:
    """Add the numbers of some entries to those of as many others; all most significant words together."""
    counts, words, high = store.counts, store.numbers[WORDS], NOTHING
    if words == 1:
        for place in range(number):
            one, other = np.uint64(to + place), np.uint64(begin + place)
            counts[one, 0] += counts[other, 0]
            high |= counts[one, 0]
    elif words == 2:
        for place in range(number):
            one, other = np.uint64(to + place), np.uint64(begin + place)
            low = counts[one, 0] + counts[other, 0]
            total = counts[one, 1] + counts[other, 1] + np.uint64(low < counts[other, 0])
            counts[one, 0], counts[one, 1] = low, total
            high |= total
    else:
        for place in range(number):
            add_to(counts, to + place, counts, begin + place, words)
            high |= counts[to + place, words - 1]
    return high


@inlined
def double_and_add(store: Store, to: int, begin: int, most: int, width: int) -> tuple[int, np.uint64]:
    """Double the numbers of some entries and add those of as many others, while keys agree.

    Returns how many these are, and all their most significant words together.
    """
    counts, words, high, met = store.counts, store.numbers[WORDS], NOTHING, 0
    while met < most:
        one, other = np.uint64(to + met), np.uint64(begin + met)
        if order(store.entries, one, other, width) != 0:
            break
        met += 1
        if words == 1:
            total = (counts[one, 0] << ONE) + counts[other, 0]
            counts[one, 0] = total
            high |= total
        elif words == 2:
            twice = counts[one, 0] << ONE
            low = twice + counts[other, 0]
            carry = (counts[one, 0] >> TOP_BIT) + np.uint64(low < twice)
            total = (counts[one, 1] << ONE) + counts[other, 1] + carry
            counts[one, 0], counts[one, 1] = low, total
            high |= total
        else:
            double(counts, to + met - 1, words)
            add_to(counts, to + met - 1, counts, begin + met - 1, words)
            high |= counts[to + met - 1, words - 1]
    return met, high
