"""`Recogniser`: batches, snapshots, limits, and what is forgotten."""

from __future__ import annotations

import hashlib
import inspect
import os
import struct
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.engine import incremental
from mnemata.automata.engine.compiled.packing import Packed
from mnemata.automata.engine.compiled.plan import Mode
from mnemata.automata.engine.compiled.search import Limits
from mnemata.automata.engine.incremental import Recogniser
from mnemata.automata.engine.queries import keeping
from mnemata.automata.engine.recognition import recognise
from mnemata.theory.cel.formulas import Max
from mnemata.theory.conditions.building import head, position, register
from mnemata.theory.conditions.formulas import Relation
from mnemata.theory.errors import LimitError, SchemaError, SnapshotError, StreamError, UnsupportedError
from mnemata.theory.schema import Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import Pattern, mark, skip_till_any
from mnemata.theory.syntax import parse

SCHEMA = Schema.of(kind=String(), key=Int64(), n=Int64(), at=Timestamp("ms"), time="at")
u, r = head(SCHEMA), register("r", SCHEMA)
RISING = skip_till_any(mark(u.kind == "A", write="r"), mark((u.kind == "B") & (u.n > r.n)))
NEAR = RISING.within(ms=10)


def events(kinds: str, begin: int = 0) -> pa.Table:
    rows = range(begin, begin + len(kinds))
    return pa.table(
        {"kind": list(kinds), "key": [n % 2 for n in rows], "n": list(rows), "at": [5 * n for n in rows]}
    ).cast(pa.schema([("kind", pa.string()), ("key", pa.int64()), ("n", pa.int64()), ("at", pa.int64())]))


def three_names() -> Recogniser:
    """A pattern with three registers that live at once."""
    from mnemata.automata.engine.incremental import Recogniser
    from mnemata.theory.schema import Int64, Schema
    from mnemata.theory.syntax import parse

    text = "any(event as a, event as b, event as c, event where n < a.n and n < b.n and n < c.n)"
    return Recogniser(parse(text), Schema.of(n=Int64()))


TAKES_A_SNAPSHOT = f"""
import pyarrow as pa

{inspect.getsource(three_names).replace("-> Recogniser", "")}
recogniser = three_names()
recogniser.push(pa.table({{"n": [3, 2, 1]}}))
print(recogniser.snapshot().hex())
"""


def test_matches_across_batches() -> None:
    recogniser = Recogniser(RISING, SCHEMA)
    assert recogniser.push(events("AA")).count == 0
    batch = recogniser.push(events("CB", 2))
    assert {match.positions for match in batch.matches} == {(0, 3), (1, 3)}
    assert (batch.ends.tolist(), batch.counts, recogniser.events) == ([3], (2,), 4)
    assert recogniser.push(events("", 4)).count == 0
    assert recogniser.push(events("B", 4).to_batches()[0]).count == 2


def test_flush_begins_anew() -> None:
    recogniser = Recogniser(RISING, SCHEMA)
    recogniser.push(events("A", 7))
    assert recogniser.flush().count == 0
    assert (recogniser.events, recogniser.live) == (0, 0)
    assert recogniser.push(events("B")).count == 0


def test_windows_bound_what_is_kept() -> None:
    recogniser = Recogniser(NEAR, SCHEMA)
    sizes = []
    for turn in range(300):
        recogniser.push(events("A" * 10, 10 * turn))
        sizes.append(len(recogniser.snapshot()))
    assert recogniser.live <= 128
    assert max(sizes[30:]) < 1.2 * max(sizes[:30])


def test_the_graph_is_collected() -> None:
    recogniser = Recogniser(skip_till_any(mark(u.kind == "A"), mark(u.kind == "B")).within(events=5), SCHEMA)
    most = 0
    for turn in range(40):
        recogniser.push(events("A" * 100_000, 100_000 * turn))
        most = max(most, recogniser.nodes)
    assert most < 2_000_000
    assert {match.positions for match in recogniser.push(events("B", 4_000_000)).matches} == {
        (n, 4_000_000) for n in range(3_999_996, 4_000_000)
    }


def test_substreams_with_nothing_left_are_dropped() -> None:
    recogniser = Recogniser(Pattern(mark(u.kind == "A") >> mark(u.kind == "B"), ("n",)), SCHEMA)
    recogniser.push(events("C" * 1000))
    assert len(recogniser._lanes) == 0
    recogniser.push(events("A" * 10, 1000))
    assert len(recogniser._lanes) == 10


def test_substreams_long_out_of_use_are_dropped() -> None:
    recogniser = Recogniser(Pattern(NEAR, ("n",)), SCHEMA)
    for turn in range(30):
        recogniser.push(events("A" * 200, 200 * turn))
        assert len(recogniser._lanes) <= 1024 + 200


def test_what_begins_before_its_first_mark_is_not_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    # The window bounds the marked span, which the unmarked first event lies before.
    monkeypatch.setattr(incremental, "FEWEST_TO_SWEEP", 1)
    pattern = parse("(skip event where kind = 'A'; event where kind = 'B') within 3 ms partition by key")
    recogniser = Recogniser(pattern, SCHEMA)
    stream = events("AAB")
    found = [match for row in range(3) for match in recogniser.push(stream.slice(row, 1)).matches]
    assert [match.positions for match in found] == [(2,)]
    assert recogniser.closes is None
    recogniser.advance(10**9)
    assert not recogniser.idle


def test_time_that_passes_without_events() -> None:
    recogniser = Recogniser(Pattern(NEAR, ("key",)), SCHEMA)
    recogniser.push(events("AA"))
    assert (recogniser.closes, recogniser.live) == (10, 2)
    recogniser.advance(9)
    assert recogniser.live == 2
    recogniser.advance(10)
    assert (recogniser.closes, recogniser.live) == (15, 1)
    recogniser.advance(15)
    assert recogniser.idle


def test_the_events_that_may_be_marked() -> None:
    recogniser = Recogniser(NEAR, SCHEMA)
    assert recogniser.marked().tolist() == []
    recogniser.push(events("CACA"))
    assert recogniser.marked().tolist() == [1, 3]
    assert {match.positions for match in recogniser.push(events("B", 4)).matches} == {(3, 4)}
    recogniser.advance(30)
    assert recogniser.marked().tolist() == []


def test_positions_count_on() -> None:
    recogniser = Recogniser(Pattern(mark(position("~") == 3), ("key",)), SCHEMA)
    found = [recogniser.push(events("C", n)).matches for n in range(8)]
    assert [[match.positions for match in some] for some in found] == [[]] * 4 + [[(4,)], [(5,)], [], []]


def test_a_batch_that_fails_changes_nothing() -> None:
    few = Limits(configurations=5)
    recogniser = Recogniser(NEAR.body.within(ms=10_000), SCHEMA, limits=few)
    recogniser.push(events("AAA"))
    before = recogniser.snapshot()
    with pytest.raises(LimitError, match=r"pattern 'pattern' has 6 configurations in a batch after event 3"):
        recogniser.push(events("BAAAAA", 3))
    with pytest.raises(StreamError, match="event 3 is out of order: its 'at' is 5, that of"):
        recogniser.push(events("B", 1))
    with pytest.raises(StreamError, match="row 1 is out of order"):
        recogniser.push(pa.concat_tables([events("B", 9), events("B", 8)]))
    with pytest.raises(SchemaError, match="the table has no column 'n'"):
        recogniser.push(events("B", 3).drop_columns(["n"]))
    with pytest.raises(SchemaError, match="column 'n' is string"):
        recogniser.push(events("B", 3).set_column(2, "n", pa.array(["x"])))
    assert recogniser.snapshot() == before
    assert recogniser.push(events("B", 3)).count == 3


def test_a_limit_after_the_graph_was_collected_changes_nothing() -> None:
    pair = skip_till_any(mark(u.kind == "A"), mark(u.kind == "B"))
    recogniser = Recogniser(pair.within(events=3), SCHEMA, limits=Limits(nodes=1_500_000))
    recogniser.push(events("A" * 10))
    before = recogniser.snapshot()
    unbounded = Recogniser(pair, SCHEMA, limits=Limits(nodes=1_500_000))
    unbounded.push(events("A" * 10))
    kept = unbounded.snapshot()
    with pytest.raises(LimitError, match="nodes of the match graph"):
        unbounded.push(events("A" * 1_600_000, 10))
    assert unbounded.snapshot() == kept
    assert unbounded.push(events("B", 10)).count == 10
    assert recogniser.snapshot() == before


def test_patterns_for_python_are_refused() -> None:
    odd = Relation("Odd", 2, lambda left, right: left["n"] != right["n"])
    pattern = skip_till_any(mark(write="r"), mark(odd("~", "r")))
    with pytest.raises(UnsupportedError, match="batch by batch: relation 'Odd' is a Python"):
        Recogniser(pattern, SCHEMA)


@pytest.mark.parametrize("mode", Mode)
def test_a_batch_that_fails_consumes_nothing(mode: Mode) -> None:
    taken = keeping(compile_pattern(NEAR.body.within(ms=10_000), SCHEMA), consume=True)
    recogniser = Recogniser(taken, SCHEMA, mode=mode, limits=Limits(configurations=5))
    recogniser.push(events("AAA"))
    before = recogniser.snapshot()
    with pytest.raises(LimitError, match="6 configurations"):
        recogniser.push(events("BAAAAA", 3))
    assert recogniser.snapshot() == before
    batch = recogniser.push(events("BAB", 3))
    numbers = () if mode is Mode.DETECT else (3, 1)
    assert (batch.ends.tolist(), batch.counts, len(batch.matches)) == (
        [3, 5],
        numbers,
        4 if mode is Mode.ENUMERATE else 0,
    )


class TestSnapshots:
    @pytest.fixture
    def snapshot(self) -> bytes:
        recogniser = Recogniser(NEAR, SCHEMA)
        recogniser.push(events("CAAB"))
        return recogniser.snapshot()

    @pytest.mark.parametrize("mode", Mode)
    def test_going_on(self, mode: Mode) -> None:
        one, other = Recogniser(RISING, SCHEMA, mode=mode), Recogniser(RISING, SCHEMA, mode=mode)
        one.push(events("AACA"))
        other.restore(one.snapshot())
        assert other.snapshot() == one.snapshot()
        assert one.push(events("BB", 4)).count == other.push(events("BB", 4)).count > 0

    def test_large_counts(self) -> None:
        pattern = skip_till_any(mark().plus())
        one, other = (Recogniser(pattern, SCHEMA, mode=Mode.COUNT) for _ in range(2))
        one.push(events("A" * 200))
        other.restore(one.snapshot())
        assert other.push(events("A", 200)).counts == (2**200,)

    @pytest.mark.parametrize("seed", ["1", "2"])
    def test_another_process_may_go_on(self, seed: str) -> None:
        """However it hashes the names of registers."""
        hexadecimal = subprocess.run(
            [sys.executable, "-c", TAKES_A_SNAPSHOT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        recogniser = three_names()
        recogniser.restore(bytes.fromhex(hexadecimal))
        assert [m.positions for m in recogniser.push(pa.table({"n": [0]})).matches] == [(0, 1, 2, 3)]

    def test_substreams_stay_bytes_until_their_next_event(self) -> None:
        """Their texts too, whatever codes the texts of others take; and windows close on them unread."""
        schema = Schema.of(key=Int64(), name=String(), at=Timestamp("ms"), time="at")
        same = skip_till_any(mark(write="r"), mark(head().name == register("r").name)).within(ms=10)
        pattern = Pattern(same, ("key",))

        def rows(*some: tuple[int, str | None, int]) -> pa.Table:
            columns = zip(("key", "name", "at"), map(list, zip(*some, strict=True)), strict=True)
            return pa.table(dict(columns))

        one, other = Recogniser(pattern, schema), Recogniser(pattern, schema)
        one.push(rows((1, "a", 0), (2, "b", 0), (2, None, 1), (3, "c", 5)))
        other.restore(one.snapshot())
        assert other.closes == 10
        assert [m.positions for m in other.push(rows((3, "d", 6), (3, "c", 7))).matches] == [(3, 5)]
        assert [key for key, lane in other._lanes.items() if isinstance(lane, Packed)] == [(1,), (2,)]
        assert other.marked().tolist() == [0, 1, 2, 3, 4, 5]
        found = other.push(rows((2, "a", 8), (2, None, 8), (2, "b", 8), (1, "a", 9))).matches
        assert {m.positions for m in found} == {(1, 8), (0, 9)}
        other.restore(one.snapshot())
        other.advance(11)
        assert list(other._lanes) == [(3,)]
        assert (one.live, one.nodes, one.events) == (4, 7, 4)

    def test_every_flipped_byte_is_noticed(self, snapshot: bytes) -> None:
        recogniser = Recogniser(NEAR, SCHEMA)
        for place in range(0, len(snapshot), 7):
            damaged = bytearray(snapshot)
            damaged[place] ^= 4
            with pytest.raises(SnapshotError):
                recogniser.restore(bytes(damaged))
        for length in (0, 7, 79, 80, len(snapshot) - 1):
            with pytest.raises(SnapshotError):
                recogniser.restore(snapshot[:length])
        assert recogniser.events == 0

    def test_other_patterns_schemas_modes_and_versions(self, snapshot: bytes) -> None:
        wider = Schema((*SCHEMA.attributes, *Schema.of(x=Int64()).attributes), SCHEMA.event_type, SCHEMA.time)
        for other in (
            Recogniser(RISING, SCHEMA),
            Recogniser(NEAR, wider),
            Recogniser(NEAR, SCHEMA, mode=Mode.COUNT),
        ):
            with pytest.raises(SnapshotError, match="another pattern, schema or mode"):
                other.restore(snapshot)
        with pytest.raises(SnapshotError, match="has version 5, this is version 4"):
            Recogniser(NEAR, SCHEMA).restore(snapshot[:7] + b"\x05" + snapshot[8:])

    def test_what_is_kept_of_the_matches_is_part_of_the_pattern(self, snapshot: bytes) -> None:
        compiled = compile_pattern(NEAR, SCHEMA)
        for other in (keeping(compiled, consume=True), keeping(compiled, Max)):
            with pytest.raises(SnapshotError, match="another pattern"):
                Recogniser(other, SCHEMA).restore(snapshot)

    def test_events_cannot_be_consumed_before_they_came(self) -> None:
        recogniser = Recogniser(keeping(compile_pattern(RISING, SCHEMA), consume=True), SCHEMA)
        recogniser.push(events("AABA"))
        forged = bytearray(recogniser.snapshot())
        (length,) = struct.unpack_from("<Q", forged, 72)
        head = 80 + length
        assert struct.unpack_from("<3q", forged, head) == (4, 15, 2)
        struct.pack_into("<q", forged, head + 16, 5)
        forged[8:40] = hashlib.sha256(bytes(forged[40:])).digest()
        with pytest.raises(SnapshotError, match="consumed before they came"):
            recogniser.restore(bytes(forged))

    def test_what_is_false_under_a_right_checksum_is_refused(self, snapshot: bytes) -> None:
        """Machine code would read and write wherever the numbers point."""
        (length,) = struct.unpack_from("<Q", snapshot, 72)
        refused = 0
        for place in range(80 + length, len(snapshot) - 7, 8):
            for value in (10**9, -7):
                forged = bytearray(snapshot)
                forged[place : place + 8] = struct.pack("<q", value)
                forged[8:40] = hashlib.sha256(bytes(forged[40:])).digest()
                recogniser = Recogniser(NEAR, SCHEMA)
                try:
                    recogniser.restore(bytes(forged))
                    recogniser.push(events("ABAB", 4))
                except SnapshotError:
                    refused += 1
        assert refused > 20


def test_a_long_stream_in_uneven_batches() -> None:
    chance = np.random.default_rng(5)
    stream = events("".join(chance.choice(list("ABC"), 3000)))
    whole = recognise(NEAR, stream, schema=SCHEMA)
    for mode in (Mode.ENUMERATE, Mode.COUNT):
        recogniser, total, place = Recogniser(NEAR, SCHEMA, mode=mode), 0, 0
        while place < 3000:
            size = int(chance.integers(0, 200))
            total += recogniser.push(stream.slice(place, size)).count
            place += size
        assert total == whole.count() > 300


def test_texts_that_no_register_holds_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incremental, "FEWEST_TEXTS", 64)
    schema = Schema.of(name=String())
    same = mark(head().name == register("r").name)
    pattern = skip_till_any(mark(write="r"), same).within(events=10)
    names = [f"name {(row + 1) // 2 * 2 % 1500}" if row % 5 - 3 else "every fifth" for row in range(3000)]
    recogniser, found = Recogniser(pattern, schema), []
    for begin in range(0, 3000, 10):
        some = pa.table({"name": names[begin : begin + 10]})
        found += [match.positions for match in recogniser.push(some).matches]
        assert len(recogniser._texts.all) < 200
    assert found == [match.positions for match in recognise(pattern, pa.table({"name": names}))]
    assert len(found) > 1000
