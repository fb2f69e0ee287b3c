"""Snapshots: the state of recognition as bytes.

=============  =====================================================================================
bytes          meaning
=============  =====================================================================================
0 to 7         ``mnemata`` and the version of the format, one byte: 3
8 to 39        SHA-256 of all that follows
40 to 71       SHA-256 of pattern, schema and mode, for which alone the state means something
72 to 79       length of the header, little-endian
then           the header, JSON: numbers, texts, keys, up to where events are consumed in all and in each
               sub-stream, and for each array its type and shape
then           the arrays one after the other, little-endian, in row order
=============  =====================================================================================

Nothing in them is executed. What is read is checked before it is used.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from mnemata.automata.engine.compiled.lane import Kept, Lane
from mnemata.automata.engine.compiled.plan import Plan
from mnemata.automata.engine.compiled.soundness import is_sound
from mnemata.automata.engine.compiled.store import N_ARRIVALS, N_NODES, SETTLED, TOP, WORDS, Store
from mnemata.automata.engine.matches import Key
from mnemata.automata.engine.texts import Texts
from mnemata.theory.errors import SnapshotError

MAGIC: Final = b"mnemata"
VERSION: Final = 3
_PREFIX: Final = struct.Struct("<7sB32s32sQ")


class State(NamedTuple):
    """What a recogniser keeps."""

    events: int
    last: int | None
    texts: Texts
    lanes: dict[Key, Lane]
    consumed: int
    """The last event that a match used up, where one uses up those of all sub-streams; else -1."""


def to_bytes(state: State, plan: Plan) -> bytes:
    """A snapshot of `state`."""
    arrays: list[np.ndarray[Any, Any]] = []
    lanes = []
    for key, lane in ((key, lane.collected()) for key, lane in state.lanes.items()):
        parts = [*_used(lane.store), *lane.kept]
        lanes.append(
            {
                "key": list(key),
                "events": lane.events,
                "last": lane.last,
                "consumed": lane.consumed,
                "arrays": [_described(a) for a in parts],
            }
        )
        arrays += parts
    header = {
        "events": state.events,
        "last": state.last,
        "consumed": state.consumed,
        "texts": state.texts.all,
        "lanes": lanes,
    }
    text = json.dumps(header, ensure_ascii=False).encode()
    body = b"".join([text, *(np.ascontiguousarray(array).tobytes() for array in arrays)])
    checked = fingerprint(plan) + struct.pack("<Q", len(text)) + body
    return _PREFIX.pack(MAGIC, VERSION, hashlib.sha256(checked).digest(), fingerprint(plan), len(text)) + body


def from_bytes(snapshot: bytes, plan: Plan) -> State:
    """The state of which a snapshot was taken; raises `SnapshotError` when it cannot be used."""
    if len(snapshot) < _PREFIX.size or not snapshot.startswith(MAGIC):
        raise SnapshotError("this is no snapshot; it does not begin with 'mnemata'")
    _, version, digest, meant, length = _PREFIX.unpack_from(snapshot)
    if version != VERSION:
        raise SnapshotError(f"the snapshot has version {version}, this is version {VERSION}; take a new one")
    if hashlib.sha256(snapshot[len(MAGIC) + 1 + 32 :]).digest() != digest:
        raise SnapshotError("the snapshot is damaged: its checksum is wrong; use an older one")
    if meant != fingerprint(plan):
        raise SnapshotError("the snapshot was taken for another pattern, schema or mode; restore it there")
    header = json.loads(snapshot[_PREFIX.size : _PREFIX.size + length])
    texts = Texts()
    for text in header["texts"]:
        texts.code(text)
    reader = _Reader(snapshot, _PREFIX.size + length)
    lanes = {tuple(lane["key"]): _lane(plan, lane, reader) for lane in header["lanes"]}
    consumed = (header["consumed"], *(lane.consumed for lane in lanes.values()))
    if not all(-1 <= event < header["events"] for event in consumed):
        raise SnapshotError("the snapshot is damaged: events are consumed before they came; use an older one")
    return State(header["events"], header["last"], texts, lanes, header["consumed"])


def fingerprint(plan: Plan) -> bytes:
    """SHA-256 of what the numbers in a state refer to."""
    found = hashlib.sha256()
    compiled, srt = plan.compiled, plan.compiled.srt
    transitions = [(t.source, t.condition, t.output, sorted(t.writes), t.target) for t in srt.transitions]
    automaton = (srt.size, srt.start, sorted(srt.finals), transitions, compiled.begins)
    keys = compiled.pattern.partition_by
    kept = ([strategy.__name__ for strategy in compiled.choices], compiled.consumes.name, compiled.told_apart)
    for part in (plan.mode.name, compiled.schema.to_json(), keys, automaton, compiled.windows, kept):
        found.update(repr(part).encode())
    return found.digest()


def _described(array: np.ndarray[Any, Any]) -> list[Any]:
    return [array.dtype.newbyteorder("<").str, list(array.shape)]


def _used(store: Store) -> Iterator[np.ndarray[Any, Any]]:
    """The parts of a store that mean something between batches."""
    top, numbers = store.numbers[TOP], store.numbers.copy()
    numbers[[N_ARRIVALS, SETTLED]] = 0
    yield numbers
    yield store.entries[:top]
    yield store.counts[:top, : numbers[WORDS]]
    yield store.segments
    yield store.occupied
    yield store.nodes[: store.numbers[N_NODES]]


class _Reader:
    def __init__(self, data: bytes, place: int) -> None:
        self._data, self._place = data, place

    def next(self, described: list[Any]) -> np.ndarray[Any, Any]:
        kind, shape = np.dtype(described[0]), tuple(described[1])
        size = int(np.prod(shape, dtype=np.int64))
        found = np.frombuffer(self._data, kind, size, self._place).reshape(shape).copy()
        self._place += size * kind.itemsize
        return found


def _lane(plan: Plan, described: dict[str, Any], reader: _Reader) -> Lane:
    arrays = [reader.next(one) for one in described["arrays"]]
    new = Lane.new(plan)
    names = ("numbers", "entries", "counts", "segments", "occupied", "nodes")
    found = dict(zip(names, arrays, strict=False))
    limbs = found["counts"].shape[1]
    # Working space that holds nothing between batches is made anew, as wide as the counts are.
    store = new.store._replace(
        **found,
        arrived=np.zeros((len(new.store.arrivals), limbs), np.uint64),
        reported=np.zeros((len(new.store.reports), limbs), np.uint64),
    )
    kept, numbers = Kept(*arrays[len(names) :]), (described[name] for name in ("events", "last", "consumed"))
    lane = Lane(plan, store, kept, *numbers)
    if not is_sound(lane):
        raise SnapshotError("the snapshot is damaged: its numbers contradict each other; use an older one")
    return lane
