"""Systems that are in no package registry: what is written for them, and what they make of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pytest

from mnemata.paper_figures.benchmarks.patterns import kleene_of_stocks
from mnemata.paper_figures.peers import features
from mnemata.paper_figures.peers.comparison import patterns
from mnemata.paper_figures.peers.core import core_query
from mnemata.paper_figures.peers.differences import found_in, smallest_difference
from mnemata.paper_figures.peers.given import class_path_of
from mnemata.paper_figures.peers.java_programs import class_path
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.paper_figures.peers.sase import sase_query
from mnemata.paper_figures.peers.systems import (
    NAMED,
    System,
)
from mnemata.paper_figures.peers.wayeb import wayeb_expression
from mnemata.pipeline.datasets.arrivals import STOCK_TICKS, STOCKS
from mnemata.theory.errors import EnvironmentProblem, StreamError
from mnemata.theory.schema import Bool, Category, Float64, Schema, Timestamp
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.sremo.rewriting import bound
from mnemata.theory.syntax import parse

Launched: TypeAlias = Callable[[System, Pattern, Path], None]


def ticks() -> pa.Table:
    return STOCK_TICKS.table(3_000)


def read(text: str) -> Pattern:
    return bound(parse(f"{text} within 1 s", schema=STOCKS), STOCKS)


def wayeb(text: str) -> str:
    return wayeb_expression(read(text), STOCKS)


def test_wayeb_gets_prefix_notation() -> None:
    pattern = patterns()["q5"]
    assert wayeb_expression(bound(pattern, STOCKS), STOCKS) == (
        '#(;(^(IsEventTypePredicate(SELL),EQStr(name,MSFT))["r1"],'
        "#(*(^(|(IsEventTypePredicate(BUY),IsEventTypePredicate(SELL)),EQStr(name,QQQ),EQ(volume,4000.0)))),"
        "^(|(IsEventTypePredicate(BUY),IsEventTypePredicate(SELL)),EQStr(name,QQQ),EQ(volume,4000.0)),"
        '^(IsEventTypePredicate(SELL),EQStr(name,AMAT),LTAttr(price,"r1")))){window:1000}{windowType:time}'
    )


WAYEB = {
    "event where id = 1": "EQ(id,1.0)",
    "(event where price <= 2.0; event where name != 'A')": ";(LTE(price,2.0),-EQStr(name,A))",
    "any((event where id = 1)+)": "#(;(#(*(EQ(id,1.0))),EQ(id,1.0)))",
    "any(event where id = 1, (event where id = 2; event where id = 3), event where id = 4)": (
        "#(;(EQ(id,1.0),;(EQ(id,2.0),EQ(id,3.0)),EQ(id,4.0)))"
    ),
    "(event where id = 1; any((event where id = 2)+))": (
        ";(EQ(id,1.0),+(EQ(id,2.0),#(;(EQ(id,2.0),#(*(EQ(id,2.0))),EQ(id,2.0)))))"
    ),
    "any(event as r, event where type = r.type and name = r.name and volume = r.volume)": (
        '#(;(|(IsEventTypePredicate(X),-IsEventTypePredicate(X))["r"],'
        '^(EQAttrStr(EventType,"r"),EQAttrStr(name,"r"),EQAttr(volume,"r"))))'
    ),
    "any(event as r, event where stock_time > r.stock_time and price <= r.price and price > 1e-7)": (
        '#(;(|(IsEventTypePredicate(X),-IsEventTypePredicate(X))["r"],'
        '^(GTAttr(Timestamp,"r"),-GTAttr(price,"r"),GT(price,0.0000001))))'
    ),
    "event where not true": "-|(IsEventTypePredicate(X),-IsEventTypePredicate(X))",
}


@pytest.mark.parametrize("text", WAYEB)
def test_wayeb_gets_parts_and_predicates_that_it_has(text: str) -> None:
    assert wayeb(text) == f"{WAYEB[text]}{{window:1000}}{{windowType:time}}"


NOT_IN_WAYEB = {
    "(event as r where id = 1; event where price > r.price + 1.0)": "a comparison by `>` of these two terms",
    "event where name = 'A B'": "a comparison by `=` with 'A B'",
    "event where price < inf": "the number inf",
    "next(event where id = 1, event where id = 2)": "a register automaton of Wayeb cannot .* skip-till-next",
    "(event; absent(skip event where id = 1); event)": "absence between marked events",
    "any(event as r where id = 1, event as r where id = 2)": "the register 'r' written twice",
}


@pytest.mark.parametrize("text", NOT_IN_WAYEB)
def test_wayeb_refuses_what_it_has_no_word_for(text: str) -> None:
    with pytest.raises(InexpressibleError, match=NOT_IN_WAYEB[text]):
        wayeb(text)


def test_windows_of_wayeb_are_numbers_of_32_bits() -> None:
    with pytest.raises(InexpressibleError, match="a window of more than 2147483647 ms"):
        wayeb_expression(bound(parse("any(event, event) within 30 d", schema=STOCKS), STOCKS), STOCKS)


@pytest.mark.slow
@pytest.mark.parametrize("question", ["seq3", "k3 500", "q3", "seq3 selective"])
def test_wayeb_finds_what_the_pattern_means(question: str, cache: Path, launched: Launched) -> None:
    pattern, system = patterns()[question], NAMED["wayeb"]
    launched(system, pattern, cache)
    assert smallest_difference(system, pattern, ticks(), cache, cache / "wayeb", 4) is None


@pytest.mark.slow
@pytest.mark.parametrize("text", WAYEB)
def test_wayeb_reads_all_that_is_written_for_it(text: str, cache: Path, launched: Launched) -> None:
    pattern, system = parse(f"{text} within 1 s", schema=STOCKS), NAMED["wayeb"]
    launched(system, pattern, cache)
    assert found_in(system, pattern, [], cache, cache / "wayeb") == []


@pytest.mark.slow
def test_a_run_of_wayeb_ends_with_its_first_match(cache: Path, launched: Launched) -> None:
    text = "any(event where type = 'SELL', any((event where type = 'BUY')+)) within 1 s"
    pattern, system = parse(text, schema=STOCKS), NAMED["wayeb"]
    launched(system, pattern, cache)
    found = smallest_difference(system, pattern, ticks(), cache, cache / "wayeb", 3)
    assert found is not None
    assert found.expected == {(0, 1), (0, 2), (0, 1, 2)}
    assert set(found.found) == {(0, 1), (0, 2)}


def sase(text: str) -> str:
    return sase_query(read(text), STOCKS)


def test_sase_gets_types_made_of_texts_and_prices_in_whole_numbers() -> None:
    assert sase_query(bound(kleene_of_stocks(500), STOCKS), STOCKS) == (
        "PATTERN SEQ(SELL_INTC a, BUY_RIMM+ b[], BUY_QQQ c)\nWHERE skip-till-any-match\n"
        "AND c.PRICE > a.PRICE\nWITHIN 499\nTYPE type name"
    )
    assert "AND a.PRICE > 260000\nAND b.PRICE > 111400\n" in sase_query(
        bound(patterns()["q2"], STOCKS), STOCKS
    )


def test_sase_is_asked_for_what_is_in_no_type() -> None:
    mixed = sase(
        "any(event as r where name = 'A', any((event where 5 < volume)+), event where name != r.name)"
    )
    assert mixed == (
        "PATTERN SEQ(tick a, tick+ b[], tick c)\nWHERE skip-till-any-match\nAND a.NAME = 'A'\n"
        "AND b[1].VOLUME > 5\nAND b[i].VOLUME > 5\nAND c.NAME != a.NAME\nWITHIN 999\nTYPE"
    )
    twice = sase("any(event where name = 'A' and name = 'B', event where name = 'C' and volume > id)")
    assert twice.startswith("PATTERN SEQ(A a, C b)\n")
    assert twice.endswith("\nAND a.NAME = 'B'\nAND b.VOLUME > ID\nWITHIN 999\nTYPE name")
    quoted = sase("any(event where name = 'A B', event where name = 'A+')")
    assert "SEQ(tick a, tick b)" in quoted
    assert "AND a.NAME = 'A B'\nAND b.NAME = 'A+'" in quoted


def test_sase_has_a_selection_strategy_for_a_whole_sequence() -> None:
    assert "\nWHERE skip-till-next-match\n" in sase("next(event where id = 1, event where id = 2)")


NOT_IN_SASE = {
    "any(event where price > 2.00005, event)": "2.00005 as a whole number of 10,000 parts of 32 bits",
    "any(event where id > 5000000000, event)": "5000000000 as a whole number of 32 bits without a sign",
    "any(event where id > -1, event)": "-1 as a whole number of 32 bits without a sign",
    "any(event where id = 1 or id = 2, event)": "anything but a conjunction of comparisons",
    "any(event where name in {'A', 'B'}, event)": "anything but a conjunction of comparisons",
    "any(event as r, event where price + r.price > 1.0)": "arithmetic over float64 or int64",
    "any(event as r, event where r.id > 1)": "a comparison in which the event itself has no part",
    "any(event, event where price > volume)": "a comparison of attributes that are counted differently",
    "(event; event)": "contiguity, absence or several selection strategies in this comparison",
    f"any({', '.join(27 * ['event'])})": "a sequence of more than 26 events",
}


@pytest.mark.parametrize("text", NOT_IN_SASE)
def test_sase_refuses_what_it_has_no_word_for(text: str) -> None:
    with pytest.raises(InexpressibleError, match=NOT_IN_SASE[text]):
        sase(text)


@pytest.mark.slow
@pytest.mark.parametrize("question", ["seq3", "seq3 selective", "k3 500", "q1"])
def test_sase_finds_what_the_pattern_means(question: str, cache: Path, launched: Launched) -> None:
    pattern, system = patterns()[question], NAMED["sase"]
    launched(system, pattern, cache)
    longest = 4 if question == "q1" else 5
    assert smallest_difference(system, pattern, ticks(), cache, cache / "sase", longest) is None


SINGLE = "event where name = 'A'"
HELD = "any(event where name = 'A', event as r where name = 'B', event where name = 'C' and price > r.price)"
OTHER_IN_SASE = {
    (SINGLE, "A"): [],
    (f"any({SINGLE}, any((event where name = 'B')+))", "A B"): [],
    (f"any(any(({SINGLE})+), event where name = 'B')", "A A B"): [(0, 1, 2)],
    (HELD, "A1 B5 B9 C7"): [],
}
"""What the engine of SASE makes of patterns that its language has; `sase_query` says why."""


@pytest.mark.slow
@pytest.mark.parametrize(("text", "stream"), OTHER_IN_SASE)
def test_sase_differs_as_it_is_said(text: str, stream: str, cache: Path, launched: Launched) -> None:
    probe, system = features.Probe("difference", text, stream), NAMED["sase"]
    launched(system, probe.pattern, cache)
    finding = features.probed(probe, system, cache)
    assert finding.verdict is features.Verdict.OTHER
    assert list(finding.found) == OTHER_IN_SASE[text, stream]


@pytest.mark.slow
@pytest.mark.parametrize("probe", features.PROBES[1:], ids=lambda probe: probe.feature)
def test_sase_has_the_features_that_it_can_express(probe: features.Probe, cache: Path) -> None:
    found = features.probed(probe, NAMED["sase"], cache)
    if found.verdict is features.Verdict.UNKNOWN:
        pytest.skip(found.message)
    assert found.verdict in (features.Verdict.YES, features.Verdict.NO)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tick", "complaint"),
    [
        (("BUY", 1, "A", 1, 1.00001, 0), "more than four decimals: 1.00001"),
        (("BUY", 2**40, "A", 1, 1.0, 0), "integer overflow"),
        (("BUY", 1, "a", 1, 1.0, 0), "SASE does not tell the types A and a apart"),
    ],
)
def test_ticks_that_sase_cannot_hold_are_refused(
    tick: tuple[str | int | float, ...], complaint: str, cache: Path, launched: Launched
) -> None:
    pattern, system = parse(f"any({SINGLE}, {SINGLE}) within 1 s", schema=STOCKS), NAMED["sase"]
    launched(system, pattern, cache)
    with pytest.raises(StreamError, match=complaint):
        found_in(system, pattern, [("BUY", 1, "A", 1, 1.0, 0), tick], cache, cache / "sase")


def core(text: str) -> str:
    return core_query(read(text), STOCKS)


def clauses(text: str) -> str:
    """What comes after the declarations and ``SELECT ALL * FROM S``, without what is always the same."""
    _, _, rest = core(text).partition("\nWHERE ")
    return rest.replace("\nWITHIN 1000 SECONDS\nCONSUME BY NONE\n-- ", "\n")


ATTRIBUTES = "type string, id long, name string, volume long, price double, stock_time long"


def test_core_gets_declarations_of_types_made_of_texts_and_a_query() -> None:
    assert core_query(bound(patterns()["k3 unary"], STOCKS), STOCKS) == (
        f"DECLARE EVENT `SELL_INTC`({ATTRIBUTES})\nDECLARE EVENT `BUY_RIMM`({ATTRIBUTES})\n"
        f"DECLARE EVENT `BUY_QQQ`({ATTRIBUTES})\nDECLARE EVENT `_OTHERS`({ATTRIBUTES})\n"
        "DECLARE STREAM S(`SELL_INTC`, `BUY_RIMM`, `BUY_QQQ`, `_OTHERS`)\n"
        "SELECT ALL *\nFROM S\nWHERE (`SELL_INTC` as e1; (`BUY_RIMM` as e2)+; `BUY_QQQ` as e3)\n"
        "WITHIN 1000 SECONDS\nCONSUME BY NONE\n-- TYPE type name"
    )


def test_core_declares_attributes_of_all_types() -> None:
    kinds = {"size": Float64(), "hot": Bool(), "kind": Category(("a", "b"))}
    schema = Schema.of(time="at", at=Timestamp("ms"), **kinds)
    query = core_query(bound(parse("event where size > 1.0 within 3 ms", schema=schema), schema), schema)
    assert "`tick`(at long, size double, hot boolean, kind string)" in query
    assert query.endswith("FILTER e1[size > 1.0]\nWITHIN 3 SECONDS\nCONSUME BY NONE\n-- TYPE")
    truth = bound(parse("event where hot = true within 3 ms", schema=schema), schema)
    with pytest.raises(InexpressibleError, match="CORE cannot express a truth value"):
        core_query(truth, schema)


CORE = {
    "event": "`tick` as e1\nTYPE",
    "event where type = 'SELL' and name = 'A'": "`SELL_A` as e1\nTYPE type name",
    "any(event where type = 'SELL' and name = 'A', any((event where type = 'BUY' and id > 3)+))": (
        "(`SELL` as e1; (`BUY` as e2)+)\nFILTER e1[name = 'A'] AND e2[id > 3]\nTYPE type"
    ),
    "any(event where name = 'A B' or id = -1, event where not (price < 2 and name = 'A'))": (
        "(`tick` as e1; `tick` as e2)\n"
        "FILTER e1[(name = 'A B' OR id = -1)] AND e2[(price >= 2 OR name <> 'A')]\nTYPE"
    ),
    "any(event where not (name in {'A', 'B'} or not volume > id), event where price > volume * 1e-7)": (
        "(`tick` as e1; `tick` as e2)\n"
        "FILTER e1[(name <> 'A' AND name <> 'B' AND volume > id)] AND e2[price > (volume * 0.0000001)]\nTYPE"
    ),
    "any(event where name = 'A', any((any(event where name = 'B', any((event where name = 'C')+)))+))": (
        "(`A` as e1; ((`B` as e2; (`C` as e3)+))+)\nTYPE name"
    ),
    "any(event where name = 'A', event where name = 'D') | event where name = 'D' | event where name = 'A'": (
        "((`A` as e1; `D` as e2) OR `D` as e2 OR `A` as e1)\nTYPE name"
    ),
    "any(event where id = 1, any((event where id = 2 | event where id = 3)+), event where id = 1)": (
        "(`tick` as e1; (`tick` as e2)+; `tick` as e1)\nFILTER e1[id = 1] AND e2[(id = 2 OR id = 3)]\nTYPE"
    ),
}


@pytest.mark.parametrize("text", CORE)
def test_core_gets_operators_and_filters_that_it_has(text: str) -> None:
    assert clauses(text) == CORE[text]


NOT_IN_CORE = {
    "any(event as r, event where price > r.price)": "a condition on several events",
    "(event; event)": "contiguity, absence or skip-till-next",
    "next(event where id = 1, event where id = 2)": "contiguity, absence or skip-till-next",
    "any(event, skip event)": "an event that is passed over and not marked",
    "event+": "a contiguous iteration",
    "any(event, event+)": "a contiguous iteration",
    "any(event, event*)": "iteration that may be empty",
    "any(event & event, event)": "intersection",
    "event where price * 2.0 > 3.0": "a comparison in which neither side is an attribute",
    "event where abs(price) > price": "an absolute value",
    "event where name = 'it\\'s'": 'the text "it\'s", which has a quotation mark',
    "event where id > 9007199254740993": "9007199254740993, since its numbers are float64",
    "event where id = 1 or true": "a condition that holds always or never",
}


@pytest.mark.parametrize("text", NOT_IN_CORE)
def test_core_refuses_what_it_has_no_word_for(text: str) -> None:
    with pytest.raises(InexpressibleError, match=NOT_IN_CORE[text]):
        core(text)


@pytest.mark.slow
@pytest.mark.parametrize("question", ["seq3 unary", "k3 unary"])
def test_core_finds_what_the_pattern_means(question: str, cache: Path, launched: Launched) -> None:
    pattern, system = patterns()[question], NAMED["core"]
    launched(system, pattern, cache)
    assert smallest_difference(system, pattern, ticks(), cache, cache / "core") is None


@pytest.mark.slow
@pytest.mark.parametrize("text", CORE)
def test_core_finds_what_is_written_for_it(text: str, cache: Path, launched: Launched) -> None:
    probe = features.Probe("as written", text, "A1 B2 C3 D1 C2 A9 D2")
    launched(NAMED["core"], probe.pattern, cache)
    assert features.probed(probe, NAMED["core"], cache).verdict is features.Verdict.YES


EITHER = "any((any(event where name = 'B', event where name = 'C') | event where name = 'C')+)"


@pytest.mark.slow
def test_core_loses_iterations_that_end_with_a_single_event_among_others(
    cache: Path, launched: Launched
) -> None:
    probe, system = features.Probe("difference", f"any({SINGLE}, {EITHER})", "A C C"), NAMED["core"]
    launched(system, probe.pattern, cache)
    assert features.expected(probe) == {(0, 1), (0, 2), (0, 1, 2)}
    assert features.probed(probe, system, cache) == (features.Verdict.OTHER, ((0, 1), (0, 2)), "")


@pytest.mark.slow
def test_the_enumeration_of_core_ends_where_many_beginnings_meet(cache: Path, launched: Launched) -> None:
    text = f"any(any(({SINGLE})+), any((event)+), event where name = 'B')"
    probe, system = features.Probe("failure", text, "A A B B A B A B"), NAMED["core"]
    launched(system, probe.pattern, cache)
    finding = features.probed(probe, system, cache)
    assert finding.verdict is features.Verdict.FAILED
    assert "EmptyStackException" in finding.message


@pytest.mark.slow
@pytest.mark.parametrize("probe", features.PROBES, ids=lambda probe: probe.feature)
def test_core_has_the_features_that_it_can_express(probe: features.Probe, cache: Path) -> None:
    found = features.probed(probe, NAMED["core"], cache)
    if found.verdict is features.Verdict.UNKNOWN:
        pytest.skip(found.message)
    assert found.verdict in (features.Verdict.YES, features.Verdict.NO)


@pytest.mark.slow
def test_whole_numbers_that_are_no_float64_are_refused_by_core(cache: Path, launched: Launched) -> None:
    pattern, system = parse(f"{SINGLE} within 1 s", schema=STOCKS), NAMED["core"]
    launched(system, pattern, cache)
    with pytest.raises(StreamError, match="a whole number of more than 53 bits at tick 0"):
        found_in(system, pattern, [("BUY", 2**53 + 1, "A", 1, 1.0, 0)], cache, cache / "core")


@pytest.mark.parametrize("name", ["wayeb", "sase", "core"])
def test_a_system_is_given_as_jars_and_folders_of_jars(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder, jar, variable = tmp_path / "folder", tmp_path / "own.jar", f"MNEMATA_PEER_{name.upper()}"
    folder.mkdir()
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(EnvironmentProblem, match=f"^no jars were given in {variable}$"):
        NAMED[name].launch(patterns()["seq3 unary"], tmp_path)
    monkeypatch.setenv(variable, os.pathsep.join((str(jar), str(folder))))
    with pytest.raises(EnvironmentProblem, match=rf"{variable} names .*own\.jar, where there is no jar"):
        class_path_of(name)
    jar.touch()
    with pytest.raises(EnvironmentProblem, match=r"names .*folder, where there is no jar"):
        class_path_of(name)
    (folder / "library.jar").touch()
    assert class_path_of(name) == (jar, folder)
    assert class_path((jar, folder)) == os.pathsep.join((str(jar), str(folder / "*")))
