"""What an event does to the entries of a state: each takes the steps that are open to it.

What results is put down as arrivals, still to be settled, and as reports. Where no graph is made, and a state
has a single simple step, loops with little in them do the same for all its entries at once.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from mnemata.automata.engine.compiled.counting import (
    HALF,
    NOTHING,
    ONE,
    TOP_BIT,
    add_count,
    add_number,
    add_to,
    copy_number,
    double,
)
from mnemata.automata.engine.compiled.entries import drop_outside, order, outside, segment
from mnemata.automata.engine.compiled.graph import EMPTY, NEVER, merge, put
from mnemata.automata.engine.compiled.jit import inlined, natural
from mnemata.automata.engine.compiled.machine import (
    ALWAYS,
    FLOATS,
    INTS,
    Memory,
    Question,
    answers,
    holds,
    outcome,
    question_of,
)
from mnemata.automata.engine.compiled.plan import (
    CLOCK,
    GOES_ON,
    KEEPS,
    LATE,
    LOOPS,
    MARKS,
    REPORTS,
    ROW,
    STAYS,
    TARGET,
    TEST,
    TEST_END,
    Mode,
    Tables,
)
from mnemata.automata.engine.compiled.store import (
    FIRST,
    LIVE,
    N_ARRIVALS,
    N_NODES,
    N_REPORTS,
    NODE,
    WIDEN,
    WORDS,
    Ints,
    Store,
)
from mnemata.automata.engine.compiled.stream import Now

ENUMERATE: Final = int(Mode.ENUMERATE)
COUNT: Final = int(Mode.COUNT)


class Source(NamedTuple):
    """What takes a step: an entry, at place -1 a run that begins.

    Then the node of what it has marked; when that, or else its string, began; and when it begins if it
    marks the event.
    """

    place: int
    node: int
    start: int
    first: int


@inlined
def visit(
    store: Store,
    tables: Tables,
    memory: Memory,
    now: Now,
    state: int,
    of_row: int,
    held: Ints,
    later: int,
    mode: int,
) -> int:
    """Let the entries of a state take their steps; keep those that stay and are inside the windows.

    The numbers of the entries of `later` are still to be doubled; returns for which state that is so then.
    """
    pair = natural(tables.pairs[of_row, state])
    if mode != ENUMERATE and tables.single[pair] >= 0:
        return visit_simply(
            store, tables, memory, now, state, of_row, natural(tables.single[pair]), later, mode
        )
    fresh = state < len(tables.width) // 2
    drop_outside(store, now, state, tables, fresh)
    begin, end = segment(store, state)
    if tables.first[pair] < tables.first[pair + 1]:
        column = store.entries.shape[1] - 2
        for place in range(begin, end):
            for part in range(tables.width[state]):
                held[part] = store.entries[place, part]
            start = store.entries[place, column + FIRST]
            source = Source(place, store.entries[place, column + NODE], start, now.clock if fresh else start)
            marked = take(store, tables, memory, now, pair, held, source, mode)
            if marked >= 0:
                repeat(store, place, marked, mode)
    if not tables.remain[pair]:
        store.numbers[LIVE] -= end - begin
        store.segments[state, 2] = 0
    return later


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


@inlined
def visit_joined(
    store: Store, tables: Tables, memory: Memory, now: Now, state: int, pair: int, held: Ints, mode: int
) -> None:
    """Let those entries take their steps whose first register holds a row on the chain of the event."""
    begin, end = segment(store, state)
    width, began = tables.width[state], tables.began[state]
    fresh = state < len(tables.width) // 2
    entries = store.entries
    column = entries.shape[1] - 2
    chain = memory.chains[tables.joined[pair]]
    row, found = chain[now.row], end
    while begin < end and row >= 0 and row >= entries[begin, 0]:
        found = first_with(entries, begin, found, row)
        place = found
        while place < end and entries[place, 0] == row:
            if not outside(store, now, place, began, fresh):
                for part in range(width):
                    held[part] = entries[place, part]
                start = entries[place, column + FIRST]
                source = Source(place, entries[place, column + NODE], start, now.clock if fresh else start)
                marked = take(store, tables, memory, now, pair, held, source, mode)
                if marked >= 0:
                    repeat(store, place, marked, mode)
            place += 1
        row = chain[row]


@inlined
def first_with(entries: Ints, begin: int, end: int, row: int) -> int:
    """The first entry whose first register holds a row, or a later one; it is likely near the end."""
    low, high, step = end - 1, end, 1
    while low >= begin and entries[low, 0] >= row:
        low, high = low - step, low
        step *= 2
    low = max(low, begin)
    while low < high:
        middle = (low + high) // 2
        if entries[middle, 0] < row:
            low = middle + 1
        else:
            high = middle
    return low


@inlined
def take(
    store: Store,
    tables: Tables,
    memory: Memory,
    now: Now,
    pair: int,
    held: Ints,
    source: Source,
    mode: int,
) -> int:
    """Take the steps that are open to an entry.

    One that leads back to the entry, which stays, is left to `repeat`: then the node of what it has marked
    with this event is returned, else -1.
    """
    marked, again = EMPTY, -1
    for number in range(tables.first[pair], tables.first[pair + 1]):
        step = tables.steps_of[number]
        test = tables.steps[step, TEST]
        if test >= 0 and not holds(memory, test, tables.steps[step, TEST_END], now.row, held):
            continue
        if tables.steps[step, REPORTS]:
            report(store, now, source, tables.steps[step, REPORTS] == LATE, mode)
        if not tables.steps[step, GOES_ON]:
            continue
        node, start = source.node, source.start
        if tables.steps[step, MARKS]:
            if mode == ENUMERATE and marked == EMPTY:
                marked = store.numbers[N_NODES]
                store.numbers[N_NODES] = put(store.nodes, marked, now.label, node, EMPTY, source.first)
            node, start = marked, source.first
        if tables.steps[step, LOOPS] and tables.remain[pair]:
            again = marked
            continue
        arrive(store, tables, now, step, source, node, start, mode)
    return again


@inlined
def repeat(store: Store, place: int, marked: int, mode: int) -> None:
    """Add to the matches of an entry the same with this event."""
    if mode == ENUMERATE:
        column = store.entries.shape[1] - 2
        node = store.entries[place, column + NODE]
        node, size = merge(store.nodes, store.numbers[N_NODES], node, marked)
        store.entries[place, column + NODE] = node
        store.numbers[N_NODES] = size
    elif mode == COUNT:
        add_count(store, place, store.counts, place)


@inlined
def arrive(
    store: Store,
    tables: Tables,
    now: Now,
    step: int,
    source: Source,
    node: int,
    start: int,
    mode: int,
) -> None:
    """Put down the entry that a step makes."""
    arrival = store.numbers[N_ARRIVALS]
    arrivals = store.arrivals
    target = tables.steps[step, TARGET]
    arrivals[arrival, 0] = target
    for part in range(tables.width[target]):
        origin = tables.keys[step, part]
        if origin >= 0:
            arrivals[arrival, 1 + part] = store.entries[source.place, origin] if source.place >= 0 else -1
        elif origin == ROW:
            arrivals[arrival, 1 + part] = now.row
        else:
            arrivals[arrival, 1 + part] = now.clock if origin == CLOCK else source.start
    column = arrivals.shape[1] - 2
    arrivals[arrival, column + NODE] = node
    arrivals[arrival, column + FIRST] = start
    if mode == COUNT:
        copy_number(store.counts, source.place, store.arrived, arrival, store.numbers[WORDS])
    store.numbers[N_ARRIVALS] = arrival + 1


@inlined
def report(store: Store, now: Now, source: Source, late: bool, mode: int) -> None:
    """Put down that matches are found here; where they are not told apart, on top of those already found.

    If they do not mark the event and are to be enumerated, its row is put down as ``-1 - row``.
    """
    number = store.numbers[N_REPORTS]
    if mode != ENUMERATE and number > 0 and store.reports[number - 1, 0] == now.label:
        if mode == COUNT:
            add_number(store.reported, number - 1, store.counts, source.place, store.numbers[WORDS])
        return
    store.reports[number, 0] = -1 - now.label if late and mode == ENUMERATE else now.label
    store.reports[number, 1] = source.node
    store.reports[number, 2] = now.cutoff
    if mode == COUNT:
        words = store.numbers[WORDS]
        copy_number(store.counts, source.place, store.reported, number, words)
        for word in range(words, store.reported.shape[1]):
            store.reported[number, word] = NOTHING
    store.numbers[N_REPORTS] = number + 1
