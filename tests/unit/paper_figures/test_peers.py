"""Other systems get the same pattern and the same bytes, and their answers are compared as they should be."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pytest

from mnemata.paper_figures.benchmarks.patterns import kleene_of_stocks
from mnemata.paper_figures.benchmarks.streams import StockStream
from mnemata.paper_figures.following import events_of
from mnemata.paper_figures.peers import __main__ as command_line
from mnemata.paper_figures.peers import features, table_3
from mnemata.paper_figures.peers.chains import chain_of
from mnemata.paper_figures.peers.comparison import Bench, answers, asked, notes, patterns
from mnemata.paper_figures.peers.conditions import SQL, written
from mnemata.paper_figures.peers.differences import smallest_difference
from mnemata.paper_figures.peers.digests import digest
from mnemata.paper_figures.peers.epl import epl_query
from mnemata.paper_figures.peers.flink_cep import flink_class
from mnemata.paper_figures.peers.java_programs import compiled, libraries
from mnemata.paper_figures.peers.match_recognize import esper_query, flink_query
from mnemata.paper_figures.peers.outcomes import Outcome, Status, agree, read_outcomes, write_outcomes
from mnemata.paper_figures.peers.page import Answers, page
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.paper_figures.peers.relational import relational_query
from mnemata.paper_figures.peers.running import Launch, Limits, run
from mnemata.paper_figures.peers.systems import (
    COLUMNS,
    COUNTING,
    NAMED,
    OWN,
    SYSTEMS,
    System,
    given_columns,
    own_notation,
)
from mnemata.paper_figures.peers.ticks import read_ticks, write_ticks
from mnemata.paper_figures.peers.workers.reporting import Job, Pass, flat, rounds
from mnemata.pipeline.datasets.arrivals import STOCK_TICKS, STOCKS
from mnemata.theory.errors import EnvironmentProblem, SourceError
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.sremo.rewriting import bound
from mnemata.theory.syntax import parse

Launched: TypeAlias = Callable[[System, Pattern, Path], None]
JAVA = ("esper", "esper-pattern", "flink-cep")
SEQUENCE = (
    "any(event as r where type = 'SELL' and name = 'INTC', "
    "event where name in {'RIMM', 'QQQ'} and price > r.price) within 500 ms"
)


def read(text: str) -> Pattern:
    return bound(parse(text, schema=STOCKS), STOCKS)


def ticks(events: int = 3_000) -> pa.Table:
    return STOCK_TICKS.table(events)


def test_chains_keep_conditions_registers_iterations_and_contiguity() -> None:
    chain = chain_of(read("any(event as r, any((event where price > 1.0)+), event; event) within 2 s"), "X")
    kinds = [(step.name, step.register, step.repeated, step.contiguous) for step in chain.steps]
    assert kinds == [
        ("e1", "r", False, False),
        ("e2", None, True, False),
        ("e3", None, False, False),
        ("e4", None, False, True),
    ]
    assert chain.window_ms == 2_000


REFUSED = {
    "any(event, event)": "a pattern without window in this comparison",
    "any(event, event) within 3 events": "a window that counts events",
    "any(event, event) length 3": "a window on the string that is read",
    "any(event, event) within 1 s partition by name": "`partition by` in this comparison",
    "next(event, event+) within 1 s": "skip-till-next",
    "any(event, event+) within 1 s": "a contiguous iteration",
    "any(event, event*) within 1 s": "iteration that may be empty",
    "any(event, event?) within 1 s": "an optional part",
    "any(event, event{2,3}) within 1 s": "a bounded repetition",
    "any(event, any(any(event, event)+)) within 1 s": "a sequence or an iteration inside of another one",
    "any(event, (event; event) | event) within 1 s": "disjunction of anything but single events",
    "any(event & event, event) within 1 s": "intersection",
    "(event; not (skip event); event) within 1 s": "negation",
    "(event; absent(skip event; skip event); event) within 1 s": "absence between marked events",
    "any(event, skip event, event) within 1 s": "an event that is passed over and not marked",
    "any(any((event as r)+), event) within 1 s": "a register that is written in an iteration",
    "any(event, event where position(~) > 3) within 1 s": "the position of an event in the stream",
    "any(event, event where volume + id > 3) within 1 s": "arithmetic over whole numbers",
}


@pytest.mark.parametrize(("text", "construct"), REFUSED.items())
def test_what_is_no_chain_is_refused_by_name(text: str, construct: str) -> None:
    with pytest.raises(InexpressibleError) as refusal:
        relational_query(read(text), STOCKS)
    assert construct in str(refusal.value)
    assert str(refusal.value).startswith(("SQL cannot", "SQL with joins and recursion cannot"))


def test_a_register_is_read_only_after_it_is_written() -> None:
    pattern = Pattern(parse("any(event as r, event) within 1 s").expression)
    early = parse("any(event where defined(r) or price > 1.0, event as r) within 1 s")
    assert chain_of(pattern, "X").steps[0].register == "r"
    with pytest.raises(InexpressibleError, match="the register 'r' before it is written"):
        chain_of(early, "X")


def test_conditions_are_written_with_their_connectives() -> None:
    text = "event where not (price * 2.0 >= 3.5 or name != 'it\\'s') and volume = 4000 within 1 s"
    condition = chain_of(read(text), "X").steps[0].condition
    assert written(condition, SQL, lambda _, name: name, STOCKS) == (
        "(not (((price * 2.0E0) >= 3.5E0 or name <> 'it''s')) and volume = 4000)"
    )


def test_esper_gets_a_row_pattern_with_what_lets_events_pass() -> None:
    assert esper_query(read(SEQUENCE), STOCKS) == (
        "select * from Tick#ext_timed(stock_time, 500 milliseconds)\n"
        "match_recognize (\n  measures E1 as e1, E2 as e2\n  all matches\n  after match skip to current row\n"
        "  pattern ((E1 S* E2))\n"
        "  define E1 as (E1.type = 'SELL' and E1.name = 'INTC'),\n"
        "  E2 as ((E2.name = 'RIMM' or E2.name = 'QQQ') and E2.price > E1.price)\n)"
    )


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("any(event, any(event+), event)", "(E1 S* (E2 (S* E2)*) S* E3)"),
        (
            "any(event, any((any(event, any(event+)))+))",
            "(E1 S* ((E2 S* (E3 (S* E3)*)) (S* (E2 S* (E3 (S* E3)*)))*))",
        ),
        ("any(event, (event; event) | event*)", "(E1 S* ((E2 E3) | E4*))"),
        ("(event; event{2,}; event?)", "(E1 E2{2,} E3?)"),
        ("(event; absent(skip event where price > 1.0); event)", "(E1 N2* E3)"),
    ],
)
def test_row_patterns_of_esper_follow_the_expression(text: str, rows: str) -> None:
    assert f"  pattern ({rows})\n" in esper_query(read(f"{text} within 1 s"), STOCKS)


def test_absence_is_a_variable_of_the_opposite() -> None:
    query = esper_query(read("(event; absent(skip event where price > 1.0); event) within 1 s"), STOCKS)
    assert "N2 as not (N2.price > 1.0)" in query


def test_flink_sql_has_a_variable_for_each_gap_and_no_iteration_over_gaps() -> None:
    query = flink_query(read(f"any(event, {SEQUENCE.removesuffix(' within 500 ms')}) within 500 ms"), STOCKS)
    assert "PATTERN ((E1 S2*? (E2 S1*? E3))) WITHIN INTERVAL '0.500' SECOND" in query
    assert "E3.`price` > E2.`price`" in query
    without = flink_query(read("(event; absent(skip event where price > 1.0); event) within 1 s"), STOCKS)
    assert "PATTERN ((E1 N2*? E3))" in without
    with pytest.raises(
        InexpressibleError, match="Flink SQL cannot express an iteration with anything between"
    ):
        flink_query(bound(kleene_of_stocks(500), STOCKS), STOCKS)
    with pytest.raises(InexpressibleError, match="disjunction"):
        flink_query(read("any(event, (event; event) | event) within 1 s"), STOCKS)


def test_epl_listens_for_every_event() -> None:
    assert epl_query(read(SEQUENCE), STOCKS) == (
        "select e1, e2 from pattern [every e1=Tick((type = 'SELL' and name = 'INTC')) -> (every e2=Tick("
        "((name = 'RIMM' or name = 'QQQ') and price > e1.price))) where timer:within(500 milliseconds)]"
    )
    with pytest.raises(InexpressibleError, match="an iteration with anything between its events"):
        epl_query(bound(kleene_of_stocks(500), STOCKS), STOCKS)
    with pytest.raises(InexpressibleError, match="a contiguous sequence"):
        epl_query(read("(event; event) within 1 s"), STOCKS)


def test_flink_cep_gets_a_java_class() -> None:
    text = flink_class(bound(kleene_of_stocks(500), STOCKS), STOCKS)
    assert '.followedByAny("e2")' in text
    assert ".oneOrMore().allowCombinations()" in text
    assert 'event.name.equals("QQQ") && event.price > held(context, "e1").price' in text
    assert text.count("new SimpleCondition<Tick>()") == 2
    assert ".within(Duration.ofMillis(500))" in text
    assert '.next("e2")' in flink_class(read("(event; event) within 1 s"), STOCKS)


def test_steps_are_joined_on_buckets_and_iterations_are_recursive() -> None:
    query = relational_query(bound(kleene_of_stocks(500), STOCKS), STOCKS)
    assert query.startswith("WITH RECURSIVE e1 AS")
    assert query.count("UNION ALL") == 1
    assert query.endswith("SELECT positions FROM m3")
    assert "RECURSIVE" not in relational_query(read(SEQUENCE), STOCKS)


def test_digests_ignore_the_order_of_matches_and_nothing_else() -> None:
    sets = [[(0, 1)], [(1, 0)], [(0,)], [(0, 1), (0, 1)], [(0, 1), (2,)], [(0, 1, 2)], []]
    digests = {digest(*flat(some)) for some in sets}
    assert len(digests) == len(sets)
    one = [(3, 7, 9), (1,), (2, 5)]
    assert digest(*flat(one)) == digest(*flat(one[::-1]))
    assert f"{digest(*flat([(0, 1), (5,)])):016x}" == "8969da9ea75817cb"  # as Report.java computes it


def test_ticks_are_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    table = ticks(500)
    write_ticks(table, tmp_path / "ticks.csv")
    again = read_ticks(tmp_path / "ticks.csv")
    assert events_of(again, STOCKS) == events_of(table, STOCKS)
    assert again.column_names == list(STOCKS.names)
    first = (tmp_path / "ticks.csv").read_text().splitlines()[0]
    assert first.count(",") == 5
    assert '"' not in first


def scripted(text: str) -> Launch:
    return Launch((sys.executable, "-c", f"import json, sys, time\n{text}"), "query")


ROUND = "print(json.dumps(dict(what='round', seconds={}, matches=2, digest='ab', events=7)), flush=True)"
BLANK = Outcome("x", "q", 7, Status.FINISHED)


def outcome_of(text: str, tmp_path: Path, timeout: float = 20.0) -> Outcome:
    return run(scripted(text), BLANK, tmp_path / "ticks.csv", tmp_path, Limits(timeout, 3, 5.0))


def test_what_a_process_tells_becomes_its_outcome(tmp_path: Path) -> None:
    text = f"print('{{\"what\": \"ready\"}}'); print('noise'); {ROUND.format(0.5)}; {ROUND.format(0.25)}"
    found = outcome_of(
        f"{text}\nassert sys.argv[2:] == [{str(tmp_path / 'query.txt')!r}, '3', '5.0']", tmp_path
    )
    assert (found.status, found.rounds, found.seconds) == (Status.FINISHED, (0.5, 0.25), 0.25)
    assert (found.matches, found.digest, found.reached) == (2, "ab", 7)
    assert found.wall is not None
    assert 0 < found.wall < 20
    assert (tmp_path / "query.txt").read_text() == "query"


def test_a_process_that_takes_too_long_is_stopped_and_says_how_far_it_came(tmp_path: Path) -> None:
    text = (
        "print(json.dumps(dict(what='ready')), flush=True)\n"
        "print(json.dumps(dict(what='progress', events=3, matches=1)), flush=True)\n"
        "while True: pass"
    )
    found = outcome_of(text, tmp_path, timeout=0.5)
    assert (found.status, found.reached, found.matches) == (Status.TIMEOUT, 3, 1)
    assert found.rounds == ()


def test_a_round_that_finished_counts_although_the_next_was_stopped(tmp_path: Path) -> None:
    text = f"print(json.dumps(dict(what='ready')), flush=True); {ROUND.format(0.5)}; time.sleep(60)"
    found = outcome_of(text, tmp_path, timeout=0.5)
    assert (found.status, found.rounds) == (Status.FINISHED, (0.5,))


def test_a_process_that_fails_says_why(tmp_path: Path) -> None:
    found = outcome_of("raise RuntimeError('no such pattern')", tmp_path)
    assert (found.status, found.message) == (Status.FAILED, "RuntimeError: no such pattern")


def test_outcomes_are_kept_in_a_file(tmp_path: Path) -> None:
    some = [
        Outcome("a", "q", 5, Status.TIMEOUT, stopped=1.5),
        Outcome("b", "q", 5, Status.FINISHED, (0.1, 0.2)),
    ]
    write_outcomes(tmp_path / "new" / "outcomes.jsonl", some[:1])
    write_outcomes(tmp_path / "new" / "outcomes.jsonl", some[1:])
    assert read_outcomes(tmp_path / "new" / "outcomes.jsonl") == some
    assert read_outcomes(tmp_path / "none") == []


def finished(system: str, matches: int, marks: str | None, seconds: float) -> Outcome:
    return Outcome(system, "seq3", 10, Status.FINISHED, (seconds,), 1.0, 50_000_000, None, 10, matches, marks)


def test_sets_agree_when_number_and_digest_do() -> None:
    own = finished(OWN, 3, "aa", 0.1)
    assert agree(finished("x", 3, "aa", 1.0), own) is True
    assert agree(finished("x", 3, "bb", 1.0), own) is False
    assert agree(finished("x", 4, "aa", 1.0), own) is False
    assert agree(finished("x", 3, None, 1.0), own) is None
    assert agree(Outcome("x", "seq3", 10, Status.TIMEOUT), own) is None


def test_the_page_shows_ratios_sets_and_who_was_stopped() -> None:
    pattern = patterns()["seq3"]
    outcomes = (
        finished(OWN, 3, "aa", 0.001),
        finished(COUNTING, 3, None, 0.0005),
        finished("duckdb", 3, "aa", 0.01),
        finished("flink-sql", 1, "bb", 0.002),
        Outcome("flink-cep", "seq3", 10, Status.TIMEOUT, stopped=2.0, reached=4),
        Outcome("esper-pattern", "seq3", 10, Status.INEXPRESSIBLE, message="EPL cannot express it"),
    )
    made = page("Text.", "python -m x", [Answers(asked("seq3", pattern), outcomes)], SYSTEMS, ["A note."])
    assert (
        "| seq3 | 500 | DuckDB, joins and recursion | 10.0 | FlinkCEP 2.2.0 | > 2,000 | 30 | 50 | 50 |"
        in made
    )
    assert "| DuckDB, joins and recursion | 3 | same | 10.0 | 0.00 | 10.0 | 1.0 | 50 |" in made
    assert "MATCH_RECOGNIZE | 1 | other | 2.0 |" in made
    assert "| — | — | stopped | — | > 2,000 | — | — |" in made
    assert "was stopped after 2 s of processor time, at event 4 of 10." in made
    assert "EPL cannot express it." in made
    assert "A note." in made
    assert "as published" not in made
    ran = (outcomes[0], finished("algorithm-1", 3, "aa", 5.0))
    made = page("Text.", "python -m x", [Answers(asked("seq3", pattern), ran)], SYSTEMS, [])
    assert "Algorithm 1 *as published* has no part in which a run is forgotten" in made


@pytest.mark.parametrize(
    ("name", "aim"),
    [("seq3", 30), ("k3 500", None), ("k3 1000", 1_000), ("seq3 unary", None), ("k3 unary", None)],
)
def test_aims_are_about_relational_patterns(name: str, aim: int | None) -> None:
    assert asked(name, patterns()[name]).aim == aim


@pytest.mark.parametrize("name", [OWN, "algorithm-1"])
def test_processes_find_what_the_pattern_means(name: str, tmp_path: Path) -> None:
    pattern = kleene_of_stocks(500)
    assert smallest_difference(NAMED[name], pattern, ticks(), tmp_path, tmp_path, longest=3) is None


def test_duckdb_finds_what_the_pattern_means(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    assert smallest_difference(NAMED["duckdb"], kleene_of_stocks(500), ticks(), tmp_path, tmp_path, 3) is None


def test_the_smallest_difference_is_found(tmp_path: Path) -> None:
    def without_iteration(_pattern: Pattern, _schema: object) -> str:
        return own_notation(patterns()["seq3"], STOCKS)

    wrong = System("wrong", "Wrong", without_iteration, NAMED[OWN].starter)
    found = smallest_difference(wrong, kleene_of_stocks(500), ticks(), tmp_path, tmp_path, longest=4)
    assert found is not None
    assert [event["name"] for event in found.stream] == ["INTC", "RIMM", "RIMM", "QQQ"]
    assert found.expected - set(found.found) == {(0, 1, 2, 3)}
    assert "has {0, 1, 2, 3} {0, 1, 3} {0, 2, 3}, and it found {0, 1, 3} {0, 2, 3}" in found.described()


def test_a_comparison_goes_on_where_it_was(tmp_path: Path) -> None:
    bench = Bench(ticks(), tmp_path, Limits(30.0, 1), tmp_path / "outcomes.jsonl")
    some = (NAMED[OWN], NAMED[COUNTING])
    chosen = {"seq3": patterns()["seq3"]}
    (first,) = answers(bench, chosen, some)
    assert [outcome.status for outcome in first.outcomes] == [Status.FINISHED] * 2
    assert first.outcomes[0].matches == first.outcomes[1].matches
    assert first.outcomes[1].digest is None
    (second,) = answers(bench, chosen, some)
    assert second == first
    assert len(bench.record.read_text().splitlines()) == 2
    assert list(notes(bench, [first], some)) == []


def test_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, reason in (
        (["--systems", "mnemata,espre"], "there is no 'espre'; there are mnemata, "),
        (["--patterns", "seq4"], "there is no 'seq4'; there are seq3, "),
        (["--systems", "duckdb"], "ratios are to mnemata, which must be among the systems"),
        (["--events", "0"], "0 is not a positive number"),
    ):
        with pytest.raises(SystemExit):
            command_line.main(arguments)
        assert reason in capsys.readouterr().err


def test_a_page_has_a_name_and_says_what_is_to_be_noted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command_line, "_stream", lambda events: StockStream(ticks(events), 0))
    monkeypatch.setattr(command_line, "Limits", lambda timeout: Limits(timeout, 1))
    chosen = ["--systems", "mnemata", "--patterns", "seq3", "--events", "300", "--name", "short"]
    folders = ["--cache", str(tmp_path / "cache"), "--output", str(tmp_path)]
    command_line.main([*chosen, *folders, "--note", "Of one build.", "--note", "Of another."])
    made = (tmp_path / "short.md").read_text()
    assert made == capsys.readouterr().out
    assert "--events 300 --systems 'mnemata' --patterns 'seq3' --name short`" in made
    assert "\n\nOf one build.\n\nOf another.\n\n" in made
    (outcome,) = read_outcomes(tmp_path / "measurements" / "short.jsonl")
    assert outcome.status is Status.FINISHED


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(
        EnvironmentProblem, match=r"Maven, which fetches .* install it so that `mvn` is on the PATH"
    ):
        libraries(["a:b:1"], tmp_path)
    with pytest.raises(EnvironmentProblem, match=r"A Java compiler .* was not found"):
        compiled({"A.java": "class A {}"}, tmp_path, tmp_path)


def test_jobs_come_from_the_command_line() -> None:
    assert Job.of(["t", "q", "3", "2.5"]) == Job(Path("t"), Path("q"), 3, 2.5, None)
    assert Job.of(["t", "q", "3", "2.5", "m"]).matches == Path("m")


def told(capsys: pytest.CaptureFixture[str], what: str) -> list[dict[str, object]]:
    lines = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    return [line for line in lines if line["what"] == what]


@pytest.mark.parametrize(("budget", "passes"), [(10.0, [1, 4, 4]), (1.0, [1, 4]), (0.0, [1])])
def test_rounds_of_short_passes_tell_their_mean(
    budget: float, passes: list[int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([0.5, *[0.1, 0.2, 0.3, 0.4] * 2])
    done = 0
    monkeypatch.setattr("mnemata.paper_figures.peers.workers.reporting.time.monotonic", lambda: done / 4)

    def run(current: Pass) -> None:
        nonlocal done
        done += 1
        current.seconds, current.matches = next(times), done

    rounds(Job(Path(), Path(), 3, budget, None), run)
    found = told(capsys, "round")
    assert [one["seconds"] for one in found] == pytest.approx([0.5, 0.25, 0.25][: len(passes)])
    assert done == sum(passes)
    assert found[-1]["matches"] == done


def test_passes_that_write_matches_are_rounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(current: Pass) -> None:
        current.seconds = 0.1
        current.found(*flat([(0, 2), (1,)]))

    rounds(Job(Path(), Path(), 3, 10.0, tmp_path / "matches"), run)
    assert [one["seconds"] for one in told(capsys, "round")] == [0.1] * 3
    assert (tmp_path / "matches").read_text() == "0,2\n1\n"


def test_what_lies_between_events_is_a_condition() -> None:
    low = "event where price < 1.0"
    chain = chain_of(read(f"(event; absent(skip {low}); event; next(event, {low})) within 1 s"), "X")
    assert [(s.contiguous, s.earliest) for s in chain.steps] == [
        (False, False),
        (False, False),
        (True, False),
        (False, True),
    ]
    java = flink_class(read(f"(event; absent(skip {low}); event) within 1 s"), STOCKS)
    assert '.notFollowedBy("ne2")' in java
    assert "return event.price < 1.0;" in java
    assert '.followedByAny("e2")' in java
    assert '.followedBy("e2")' in flink_class(read(f"next(event, {low}) within 1 s"), STOCKS)
    assert "-> (e2=Tick(price < 1.0))" in epl_query(read(f"next(event, {low}) within 1 s"), STOCKS)
    with pytest.raises(InexpressibleError, match="absence between marked events"):
        epl_query(read(f"(event; absent(skip {low}); event) within 1 s"), STOCKS)
    query = relational_query(read(f"(event; absent(skip {low}); event) within 1 s"), STOCKS)
    assert "NOT EXISTS (SELECT 1 FROM ticks s WHERE s.position > m.last AND s.position < t.position" in query


EXPECTED = {
    "unary selection": {(1,)},
    "n-ary selection": {(0, 2)},
    "disjunction": {(0, 1, 2), (0, 3)},
    "conjunction": {(0, 1, 2), (0, 2)},
    "negation": {(0, 2)},
    "sequence": {(0, 2), (0, 3)},
    "iteration": {(0, 1, 3), (0, 2, 3), (0, 1, 2, 3)},
    "strict contiguity": {(0, 1)},
    "skip-till-next": {(0, 2)},
    "skip-till-any": {(0, 1, 3), (0, 1, 4), (0, 2, 3), (0, 2, 4)},
}


def test_probes_expect_what_their_features_mean() -> None:
    found = {probe.feature: features.expected(probe) for probe in features.PROBES}
    nested = found.pop("nested iteration")
    assert found == EXPECTED
    assert (0, 1, 2, 3, 4, 5) in nested
    assert (0, 1, 2, 3, 5) not in nested  # a round of B without C
    assert features.determinizes()


def test_probes_tell_what_a_system_returned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def answered(system: System, pattern: Pattern, rows: object, cache: Path, folder: Path) -> object:
        system.launch(pattern, cache)
        return [(0, 2)]

    monkeypatch.setattr(features, "found_in", answered)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    columns = {name: COLUMNS[name] for name in ("mnemata", "FlinkCEP")}
    probed = table_3.Probed.now(features.probe_all(columns, tmp_path), determinizes=True)
    assert table_3.Probed.load(probed.save(tmp_path / "kept" / "probes.json")) == probed
    made = table_3.tables(probed).markdown("Table 3")
    assert "| n-ary selection | yes (+) | not run (+) |" in made
    assert "| disjunction | other (+) | no (+) |" in made
    assert "| disjunction | mnemata | returned {0, 2} |" in made
    assert "| conjunction | FlinkCEP | a chain of FlinkCEP cannot express intersection |" in made
    assert "| determinization | yes (+) | not seen (-) |" in made
    assert "| SASE | + | + | - |" in made


def test_who_has_jars_of_a_system_sees_it_probed_and_not_quoted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    jar = tmp_path / "sase.jar"
    jar.touch()
    for name in ("WAYEB", "CORE"):
        monkeypatch.delenv(f"MNEMATA_PEER_{name}", raising=False)
    monkeypatch.setenv("MNEMATA_PEER_SASE", str(jar))
    assert given_columns() == {"SASE 1.0": (NAMED["sase"],)}
    seen = features.Finding(features.Verdict.YES)
    findings = {(probe.feature, "SASE 1.0"): seen for probe in features.PROBES}
    made = table_3.tables(table_3.Probed.now(findings, determinizes=True)).markdown("Table 3")
    assert "| disjunction | yes (-) |" in made
    assert "| SASE | + |" not in made
    assert "| Wayeb, SRT | + |" in made


def test_the_outcome_of_probes_is_refused_where_it_is_none(tmp_path: Path) -> None:
    kept = tmp_path / "probes.json"
    with pytest.raises(SourceError, match=r"cannot read '.*probes.json': No such file"):
        table_3.Probed.load(kept)
    for text in ("", "[]", "{}", '{"findings": [{}]}'):
        kept.write_text(text, encoding="utf-8")
        with pytest.raises(SourceError, match=r"does not hold the outcome of probes; probe the systems anew"):
            table_3.Probed.load(kept)


def test_what_is_kept_has_all_probes_and_systems() -> None:
    kept, systems = table_3.Probed.load(table_3.KEPT), (*COLUMNS, "Wayeb", "SASE 1.0", "CORE")
    assert kept.systems == systems
    assert list(kept.findings) == [(p.feature, name) for p in features.PROBES for name in systems]
    own = {feature: one for (feature, system), one in kept.findings.items() if system == "mnemata"}
    assert {f: set(one.found) for f, one in own.items()} == {
        p.feature: features.expected(p) for p in features.PROBES
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", [OWN, "duckdb", "esper", "flink-cep"])
@pytest.mark.parametrize("probe", features.PROBES, ids=lambda probe: probe.feature)
def test_systems_have_the_features_that_they_can_express(
    probe: features.Probe, name: str, cache: Path
) -> None:
    found = features.probed(probe, NAMED[name], cache)
    if found.verdict is features.Verdict.UNKNOWN:
        pytest.skip(found.message)
    assert found.verdict in (features.Verdict.YES, features.Verdict.NO)
    assert name != OWN or found.verdict is features.Verdict.YES


@pytest.mark.slow
@pytest.mark.parametrize("name", JAVA)
@pytest.mark.parametrize("question", ["seq3", "k3 500", "q3", "seq3 selective"])
def test_java_peers_find_what_the_pattern_means(
    name: str, question: str, cache: Path, launched: Launched
) -> None:
    pattern, system = patterns()[question], NAMED[name]
    if (name, question) == ("esper-pattern", "k3 500"):
        with pytest.raises(InexpressibleError, match="iteration"):
            system.launch(pattern, cache)
        return
    launched(system, pattern, cache)
    longest = 4 if question == "q3" else 5
    assert smallest_difference(system, pattern, ticks(), cache, cache / name, longest) is None


@pytest.mark.slow
def test_flink_sql_reports_one_match_for_each_first_row(cache: Path, launched: Launched) -> None:
    pattern, system = patterns()["seq3"], NAMED["flink-sql"]
    launched(system, pattern, cache)
    found = smallest_difference(system, pattern, ticks(), cache, cache / "flink-sql", 4)
    assert found is not None
    assert len(found.stream) == 4
    assert set(found.found) < found.expected
