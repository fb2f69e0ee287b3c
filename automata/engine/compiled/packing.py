"""One sub-stream as bytes that mean the same elsewhere, and that tell a little without being read.

A packed sub-stream is a sequence of 64-bit words, little-endian: those of `HEAD`; the numbers of its store;
segments, occupied states, entries and their counts; the match graph; the events that registers hold, and
times; and then as bytes what is missing of these events, and as JSON the texts among them, filled up to a
whole word. The shapes of all this follow from the plan and from numbers that come before.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.compiled.graph import COLUMNS, LABEL
from mnemata.automata.engine.compiled.lane import Kept, Lane
from mnemata.automata.engine.compiled.plan import Plan
from mnemata.automata.engine.compiled.soundness import is_sound
from mnemata.automata.engine.compiled.store import (
    LIVE,
    N_ARRIVALS,
    N_NODES,
    SETTLED,
    TOP,
    WORDS,
    Store,
)
from mnemata.automata.engine.texts import Texts
from mnemata.theory.errors import SnapshotError
from mnemata.theory.schema import Category, String

Ints = npt.NDArray[np.int64]
Truth = npt.NDArray[np.bool_]

WORD: Final = 8
HEAD: Final = ("events", "last", "consumed", "graph", "held", "times", "texts")
"""How many events were read, the time of the last, the last that is consumed; the word at which the match
graph begins; how many events are held, times kept, and bytes of texts there are."""

_HEAD: Final = struct.Struct(f"<{len(HEAD)}q")
_NUMBERS: Final = struct.Struct("<16q")


class Packed(NamedTuple):
    """A sub-stream as bytes.

    Parameters
    ----------
    content : bytes
        What `lane_of` reads.
    events, last, consumed
        As in `mnemata.automata.engine.compiled.lane.Lane`.
    live, nodes : int
        How many distinct futures it has, and how many nodes its match graph.
    graph : int
        The word at which the match graph begins.
    held : int
        How many events its registers hold.
    """

    content: bytes
    events: int
    last: int
    consumed: int
    live: int
    nodes: int
    graph: int
    held: int

    @classmethod
    def of(cls, content: bytes) -> Packed:
        """Bytes of which only the first numbers are read; raises `SnapshotError` when these cannot be."""
        if len(content) < _HEAD.size + _NUMBERS.size or len(content) % WORD:
            raise damaged()
        events, last, consumed, graph, held, *_ = _HEAD.unpack_from(content)
        numbers = _NUMBERS.unpack_from(content, _HEAD.size)
        nodes = numbers[N_NODES]
        if min(graph, nodes) < 0 or graph + COLUMNS * nodes > len(content) // WORD:
            raise damaged()
        return cls(content, events, last, consumed, numbers[LIVE], nodes, graph, held)

    @property
    def marked(self) -> Ints:
        """The labels of the nodes of its match graph, as they come."""
        size = COLUMNS * self.nodes
        graph: Ints = np.frombuffer(self.content, np.int64, size, WORD * self.graph)
        return graph.reshape(-1, COLUMNS)[:, LABEL]


def packed(lane: Lane, texts: Texts) -> Packed:
    """A sub-stream without what its windows have closed on; `texts` are those that it refers to."""
    collected = lane.collected()
    before, (kept, held) = _of_store(collected.store), _with_own_texts(collected.kept, lane.plan, texts)
    told = json.dumps(held, ensure_ascii=False).encode() if held else b""
    graph = len(HEAD) + sum(part.size for part in before)
    head = _HEAD.pack(lane.events, lane.last, lane.consumed, graph, _size(kept), len(kept.times), len(told))
    words = [*before, collected.store.nodes[: collected.nodes], kept.ints, kept.floats, kept.times]
    parts = [np.ascontiguousarray(part).tobytes() for part in (*words, kept.int_missing, kept.float_missing)]
    content = b"".join(map(_filled, (head, *parts, told)))
    return Packed(
        content, lane.events, lane.last, lane.consumed, lane.live, collected.nodes, graph, _size(kept)
    )


def lane_of(found: Packed, plan: Plan, texts: Texts) -> Lane:
    """The sub-stream; `texts` get its own. Raises `SnapshotError` when its numbers contradict each other."""
    reader, new = _Reader(found.content), Lane.new(plan)
    *_, graph, held, times, told = reader.words(len(HEAD)).tolist()
    store = _store(reader, new, graph)
    kept = _kept(reader, new, held, times, told, texts)
    lane = Lane(plan, store, kept, found.events, found.last, found.consumed)
    if not is_sound(lane):
        raise damaged()
    return lane


def damaged() -> SnapshotError:
    """What is raised when the numbers of a sub-stream cannot be."""
    return SnapshotError("the snapshot is damaged: its numbers contradict each other; use an older one")


def _of_store(store: Store) -> list[np.ndarray[Any, Any]]:
    """The parts of a store that mean something between batches, but for the match graph."""
    top, numbers = store.numbers[TOP], store.numbers.copy()
    numbers[[N_ARRIVALS, SETTLED]] = 0
    counts = store.counts[:top, : numbers[WORDS]]
    return [numbers, store.segments, store.occupied, store.entries[:top], counts]


def _store(reader: _Reader, new: Lane, graph: int) -> Store:
    like, states = new.store, new.plan.size
    numbers = reader.words(len(like.numbers))
    top, nodes, limbs = numbers[[TOP, N_NODES, WORDS]].tolist()
    if limbs < 1:
        raise damaged()
    segments, occupied = reader.table(states, 4), reader.table(states, 2)
    entries, counts = reader.table(top, like.entries.shape[1]), reader.table(top, limbs)
    if reader.place != graph:
        raise damaged()
    return like._replace(
        numbers=numbers,
        entries=entries,
        counts=counts.view(np.uint64),
        segments=segments,
        occupied=occupied,
        nodes=reader.table(nodes, COLUMNS),
        # Working space that holds nothing between batches is made anew, as wide as the counts are.
        arrived=np.zeros((len(like.arrivals), limbs), np.uint64),
        reported=np.zeros((len(like.reports), limbs), np.uint64),
    )


def _kept(reader: _Reader, new: Lane, held: int, times: int, told: int, texts: Texts) -> Kept:
    n_ints, n_floats = len(new.kept.ints), len(new.kept.floats)
    ints, floats = reader.table(n_ints, held), reader.table(n_floats, held).view(np.float64)
    ticks = reader.words(times)
    kept = Kept(ints, floats, reader.truth(n_ints, held), reader.truth(n_floats, held), ticks)
    _take_texts(kept, new.plan, reader.texts(told), texts)
    return kept


def _size(kept: Kept) -> int:
    return int(kept.ints.shape[1] if len(kept.ints) else kept.floats.shape[1])


def _filled(part: bytes) -> bytes:
    return part + b"\0" * (-len(part) % WORD)


def _text_columns(plan: Plan) -> Iterator[int]:
    """The columns of `Kept.ints` that hold codes of texts; the one without a name holds positions."""
    schema = plan.compiled.schema
    for name, number in plan.programs.ints.items():
        if name and isinstance(schema[name], String | Category):
            yield number


def _with_own_texts(kept: Kept, plan: Plan, texts: Texts) -> tuple[Kept, list[str]]:
    """Events with codes that count the texts in them, and these texts."""
    columns = list(_text_columns(plan))
    if not columns or not _size(kept):
        return kept, []
    ints, present = kept.ints.copy(), ~kept.int_missing[columns]
    codes, own = np.unique(ints[columns][present], return_inverse=True)
    counted = np.zeros(present.shape, np.int64)
    counted[present] = own
    ints[columns] = counted
    return kept._replace(ints=ints), [texts.text(code) for code in codes.tolist()]


def _take_texts(kept: Kept, plan: Plan, held: Sequence[str], texts: Texts) -> None:
    """Replace the codes that count the texts of a sub-stream by those of `texts`."""
    columns = list(_text_columns(plan))
    if not columns or not _size(kept):
        return
    own = np.where(kept.int_missing[columns], len(held), kept.ints[columns])
    if not ((own >= 0) & (own <= len(held))).all():
        raise damaged()
    kept.ints[columns] = np.array([*map(texts.code, held), 0], np.int64)[own]


class _Reader:
    """Parts of a copy of some bytes, one after the other."""

    def __init__(self, content: bytes) -> None:
        # A copy: arrays that cannot be written are another type to the compiler, and the kernel writes.
        self._words: Ints = np.frombuffer(bytearray(content), np.int64)
        self.place = 0

    def words(self, size: int) -> Ints:
        begin, self.place = self.place, self.place + size
        if size < 0 or self.place > len(self._words):
            raise damaged()
        return self._words[begin : self.place]

    def table(self, rows: int, columns: int) -> Ints:
        if not (0 <= rows <= len(self._words) and 0 <= columns <= len(self._words)):
            raise damaged()
        return self.words(rows * columns).reshape(rows, columns)

    def truth(self, rows: int, columns: int) -> Truth:
        found: Truth = self._bytes(rows * columns).reshape(rows, columns) != 0
        return found

    def texts(self, size: int) -> list[str]:
        try:
            found: Any = json.loads(self._bytes(size).tobytes()) if size else []
        except ValueError:
            raise damaged() from None
        if not (isinstance(found, list) and all(isinstance(text, str) for text in found)):
            raise damaged()
        return found

    def _bytes(self, size: int) -> npt.NDArray[np.uint8]:
        return self.words(-(-size // WORD)).view(np.uint8)[:size]
