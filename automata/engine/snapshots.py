"""Snapshots: the state of recognition as bytes.

=============  =====================================================================================
bytes          meaning
=============  =====================================================================================
0 to 7         ``mnemata`` and the version of the format, one byte: 4
8 to 39        SHA-256 of all that follows
40 to 71       SHA-256 of pattern, schema and mode, for which alone the state means something
72 to 79       length of the header, little-endian
then           the header, JSON: numbers, keys, up to where events are consumed in all, and how many bytes
               each sub-stream has
then           the sub-streams one after the other, see `mnemata.automata.engine.compiled.packing`
=============  =====================================================================================

A sub-stream stays bytes until its next event comes. Nothing in them is executed. What is read is checked
before it is used.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from mnemata.automata.engine.compiled.packing import Packed, damaged
from mnemata.automata.engine.compiled.plan import Plan
from mnemata.automata.engine.matches import Key
from mnemata.theory.errors import SnapshotError

MAGIC: Final = b"mnemata"
VERSION: Final = 4
_PREFIX: Final = struct.Struct("<7sB32s32sQ")


class State(NamedTuple):
    """What a recogniser keeps.

    Parameters
    ----------
    events : int
        How many events were read.
    last : int or None
        The time of the last one.
    consumed : int
        The last event that a match used up, where one uses up those of all sub-streams; else -1.
    lanes : mapping of keys to Packed
        The sub-streams.
    """

    events: int
    last: int | None
    consumed: int
    lanes: Mapping[Key, Packed]


def to_bytes(state: State, meaning: bytes) -> bytes:
    """A snapshot of `state`; `meaning` is the `fingerprint` of the plan."""
    parts = [lane.content for lane in state.lanes.values()]
    header = {
        "events": state.events,
        "last": state.last,
        "consumed": state.consumed,
        "keys": [list(key) for key in state.lanes],
        "sizes": list(map(len, parts)),
    }
    text = json.dumps(header, ensure_ascii=False).encode()
    body = b"".join((text, *parts))
    checked = hashlib.sha256(meaning + struct.pack("<Q", len(text)))
    checked.update(body)
    return _PREFIX.pack(MAGIC, VERSION, checked.digest(), meaning, len(text)) + body


def from_bytes(snapshot: bytes, meaning: bytes) -> State:
    """The state of which a snapshot was taken; raises `SnapshotError` when it cannot be used."""
    if len(snapshot) < _PREFIX.size or not snapshot.startswith(MAGIC):
        raise SnapshotError("this is no snapshot; it does not begin with 'mnemata'")
    _, version, digest, meant, length = _PREFIX.unpack_from(snapshot)
    if version != VERSION:
        raise SnapshotError(f"the snapshot has version {version}, this is version {VERSION}; take a new one")
    if hashlib.sha256(memoryview(snapshot)[len(MAGIC) + 1 + 32 :]).digest() != digest:
        raise SnapshotError("the snapshot is damaged: its checksum is wrong; use an older one")
    if meant != meaning:
        raise SnapshotError("the snapshot was taken for another pattern, schema or mode; restore it there")
    header = json.loads(snapshot[_PREFIX.size : _PREFIX.size + length])
    bounds = pairwise(accumulate(header["sizes"], initial=_PREFIX.size + length))
    parts = (Packed.of(snapshot[begin:end]) for begin, end in bounds)
    lanes = dict(zip(map(tuple, header["keys"]), parts, strict=True))
    state = State(header["events"], header["last"], header["consumed"], lanes)
    _check(state)
    return state


def _check(state: State) -> None:
    """Raise `SnapshotError` where events were read or consumed before they came."""
    if any(not 0 <= lane.events <= state.events for lane in state.lanes.values()):
        raise damaged()
    consumed = (state.consumed, *(lane.consumed for lane in state.lanes.values()))
    if not all(-1 <= event < state.events for event in consumed):
        raise SnapshotError("the snapshot is damaged: events are consumed before they came; use an older one")


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
