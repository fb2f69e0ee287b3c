"""Numbers of matches: as many words as the largest needs, least significant first.

All counts have room for the same number of words, of which ``Store.numbers[WORDS]`` are in use; what lies
beyond means nothing until `settle_width` takes it into use. Before each event the most significant word in
use of every count is less than 2**32, so that the sums of 2**31 of them fit.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from mnemata.automata.engine.compiled.entries import segment
from mnemata.automata.engine.compiled.jit import inlined
from mnemata.automata.engine.compiled.store import (
    DONE,
    N_OCCUPIED,
    NARROWED,
    NEED_LIMBS,
    TOP,
    WIDEN,
    WORDS,
    Counts,
    Store,
)

HALF: Final = np.uint64(1 << 32)
NOTHING: Final = np.uint64(0)
ONE: Final = np.uint64(1)
TOP_BIT: Final = np.uint64(63)
HALF_BITS: Final = np.uint64(32)
EVENTS_TO_NARROW: Final = 64


@inlined
def settle_width(store: Store) -> int:
    """Use another word where a count has outgrown those in use, and one less where none needs the last."""
    numbers = store.numbers
    if numbers[WIDEN]:
        words = numbers[WORDS]
        if words == store.counts.shape[1]:
            return NEED_LIMBS
        for place in range(numbers[TOP]):
            store.counts[place, words] = NOTHING
        numbers[WORDS], numbers[WIDEN], numbers[NARROWED] = words + 1, 0, 0
    elif numbers[WORDS] > 1:
        numbers[NARROWED] += 1
        if numbers[NARROWED] >= EVENTS_TO_NARROW:
            numbers[NARROWED] = 0
            narrow(store)
    return DONE


@inlined
def narrow(store: Store) -> None:
    """Use one word less if all counts do without it."""
    words, high = store.numbers[WORDS], NOTHING
    for listed in range(store.numbers[N_OCCUPIED]):
        state = store.occupied[listed, 0]
        begin, end = segment(store, state)
        for place in range(begin, end):
            high |= store.counts[place, words - 1] | store.counts[place, words - 2] >> HALF_BITS
    if high == NOTHING:
        store.numbers[WORDS] = words - 1


@inlined
def add_count(store: Store, place: int, counts: Counts, other: int) -> None:
    """Add another number to that of an entry."""
    words = store.numbers[WORDS]
    add_to(store.counts, place, counts, other, words)
    if store.counts[place, words - 1] >= HALF:
        store.numbers[WIDEN] = 1


@inlined
def add_to(sums: Counts, place: int, counts: Counts, other: int, words: int) -> None:
    """Add a number of some words to another."""
    if words == 1:
        sums[place, 0] += counts[other, 0]
        return
    if words == 2:
        total = sums[place, 0] + counts[other, 0]
        sums[place, 1] += counts[other, 1] + np.uint64(total < counts[other, 0])
        sums[place, 0] = total
        return
    carry = NOTHING
    for word in range(words):
        if counts[other, word] | carry == NOTHING:
            continue
        before = sums[place, word]
        total = before + counts[other, word]
        after = total + carry
        # No branch: whether the words of large numbers carry cannot be foreseen.
        carry = np.uint64(total < before) | np.uint64(after < total)
        sums[place, word] = after


@inlined
def add_number(sums: Counts, place: int, counts: Counts, other: int, words: int) -> None:
    """Add the number of matches of an entry; a run that begins has one, the empty one."""
    if other >= 0:
        add_to(sums, place, counts, other, words)
        return
    carry = ONE
    for word in range(words):
        sums[place, word] += carry
        carry = ONE if carry == ONE and sums[place, word] == NOTHING else NOTHING


@inlined
def double(counts: Counts, place: int, words: int) -> None:
    """Double a number."""
    if words == 1:
        counts[place, 0] <<= ONE
        return
    if words == 2:
        counts[place, 1] = counts[place, 1] << ONE | counts[place, 0] >> TOP_BIT
        counts[place, 0] <<= ONE
        return
    carry = NOTHING
    for word in range(words):
        before = counts[place, word]
        counts[place, word] = before << ONE | carry
        carry = before >> TOP_BIT


@inlined
def copy_number(counts: Counts, place: int, copies: Counts, to: int, words: int) -> None:
    """Copy the number of matches of an entry; a run that begins has one, the empty one."""
    if place >= 0:
        for word in range(words):
            copies[to, word] = counts[place, word]
        return
    copies[to, 0] = ONE
    for word in range(1, words):
        copies[to, word] = NOTHING
