"""Accounts of results, and reports made of them."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from mnemata.automata.cea import runs as of_cea
from mnemata.automata.cea.automaton import CEA
from mnemata.automata.cea.automaton import Transition as Labelled
from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.drawing import style
from mnemata.automata.rma.automaton import RMA, with_start
from mnemata.automata.srt.runs import matches
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.bounded import Proof
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.evidence import SMALL, Bounded, Evidence, Outcome, Reading, Search, Strength
from mnemata.proofs.generators import TICKS, streams
from mnemata.proofs.registry import results
from mnemata.proofs.report.accounts import Account, fits, weighed
from mnemata.proofs.report.html import html
from mnemata.proofs.report.markdown import markdown, picture_files
from mnemata.proofs.report.mathematics import mathml
from mnemata.proofs.report.overview import module_files, overview
from mnemata.proofs.report.specimens import specimen
from mnemata.proofs.report.summary import counted, evidence_text, left_out_text, why_unexpected
from mnemata.proofs.report.wording import surplus, told
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.formulas import Relation
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.sremo.expressions import Expression, mark, skip

ROOT = Path(__file__).resolve().parents[3]
RESULTS = pytest.mark.parametrize("result", results(), ids=lambda result: result.id)

A, B = (head(TICKS).type == letter for letter in "AB")
STRING = TICKS.stream([("A", 1, 1.0, 1), ("B", None, 2.5, 2)])


def automaton(expression: Expression) -> SRT:
    return bind_guards(thompson(expression), TICKS).without_epsilon()


def comparing(right: SRT | RMA | CEA, wrong: SRT | RMA | CEA, expected: Any, found: Any) -> Claim[Any]:
    """A claim that is false of every instance, with an exhibit."""
    return Claim(
        "nothing is so",
        "nowhere",
        st.tuples(st.just(mark(A) >> mark(B)), streams(TICKS, min_size=2, max_size=2)),
        lambda instance: False,
        lambda instance: Exhibit(STRING, expected, found, (("as published", wrong), ("as repaired", right))),
    )


def result(*evidence: Evidence, expected: Standing = Standing.HOLDS) -> Result:
    return Result(
        paper=Paper.OWN,
        place="Test 1",
        title="a *test* | of tables",
        statement="For all x < y and a_b.",
        latex=r"\forall x\ \mathit{Match}(x)",
        expected=expected,
        constructions=(thompson,),
        evidence=evidence,
        errata=("Z9",),
        remark="A remark.",
    )


def claim(outcome: bool) -> Claim[Any]:
    return Claim("it is so", "here", st.tuples(st.integers()), lambda instance: outcome)


HOLDS, FAILS = Search(claim(True)), Search(claim(False))
REPAIRED = Search(claim(True), reading=Reading.REPAIRED)
UNDECIDED = Bounded("in time", lambda effort: [Proof(Verdict.UNKNOWN, 3, undecided=1)])
REFUTING = Search(claim(False), breaks=(0, 0))
MISSED = Search(claim(True), breaks=(0, 0))


@pytest.mark.parametrize(
    ("evidence", "outcome", "expected", "wanted"),
    [
        (HOLDS, Outcome.HOLDS, Standing.HOLDS, True),
        (HOLDS, Outcome.FAILS, Standing.HOLDS, False),
        (HOLDS, Outcome.HOLDS, Standing.REPAIRED, True),
        (HOLDS, Outcome.FAILS, Standing.REFUTED, True),
        (HOLDS, Outcome.UNKNOWN, Standing.HOLDS, False),
        (HOLDS, Outcome.UNKNOWN, Standing.UNKNOWN, True),
        (REFUTING, Outcome.FAILS, Standing.REFUTED, True),
        (REFUTING, Outcome.HOLDS, Standing.REFUTED, False),
        (REPAIRED, Outcome.HOLDS, Standing.REPAIRED, True),
        (REPAIRED, Outcome.FAILS, Standing.REPAIRED, False),
        (REPAIRED, Outcome.FAILS, Standing.REFUTED, True),
    ],
)
def test_what_a_piece_of_evidence_should_show(
    evidence: Evidence, outcome: Outcome, expected: Standing, wanted: bool
) -> None:
    assert fits(evidence, outcome, expected) == wanted


@pytest.mark.parametrize(
    ("evidence", "expected", "verdict", "as_expected"),
    [
        ([HOLDS], Standing.HOLDS, "holds as stated", True),
        ([FAILS], Standing.HOLDS, "refuted", False),
        ([REFUTING, REPAIRED], Standing.REPAIRED, "holds as repaired", True),
        ([MISSED, REPAIRED], Standing.REPAIRED, "holds as stated", False),
        ([REFUTING, MISSED, REPAIRED], Standing.REPAIRED, "holds as repaired", False),
        ([HOLDS, UNDECIDED], Standing.HOLDS, "unknown", False),
        ([HOLDS, UNDECIDED], Standing.UNKNOWN, "unknown", True),
    ],
)
def test_the_verdict(evidence: list[Evidence], expected: Standing, verdict: str, as_expected: bool) -> None:
    account = weighed(result(*evidence, expected=expected), SMALL)
    assert (account.verdict, account.as_expected) == (verdict, as_expected)
    assert bool(list(why_unexpected(account))) != as_expected


def test_a_result_of_which_evidence_is_left_out_gets_no_verdict() -> None:
    one = result(REFUTING, REPAIRED, UNDECIDED, expected=Standing.REPAIRED)
    account = weighed(one, SMALL, [Strength.SEARCH])
    assert (account.standing, account.as_expected, account.verdict) == (None, True, "in part as expected")
    assert left_out_text(account) == "left out: 1 bounded"
    wrong = weighed(one, SMALL, [Strength.BOUNDED])
    assert (wrong.standing, wrong.as_expected, wrong.verdict) == (None, False, "not as expected")
    nothing = weighed(one, SMALL, [Strength.ADVERSARY])
    assert (nothing.as_expected, nothing.verdict) == (True, "not weighed")
    assert counted([account, wrong]) == "2 results: 2 in part or not weighed"


def test_evidence_in_a_line() -> None:
    assert evidence_text(weighed(result(HOLDS, HOLDS), SMALL)) == "search: 300 instances"
    mixed = weighed(result(REFUTING, REPAIRED, UNDECIDED, expected=Standing.REPAIRED), SMALL)
    assert evidence_text(mixed) == "search: 1 counterexample, 150 instances; bounded: 1 unknown"


def test_accounts_travel_between_processes() -> None:
    account = weighed(result(FAILS), SMALL)
    assert pickle.loads(pickle.dumps(account)) == account


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (frozenset({frozenset({10}), frozenset({2, 1}), frozenset()}), "{}, {1, 2}, {10}"),
        ([frozenset(), frozenset({frozenset({0})})], "0: no match; 1: {0}"),
        (frozenset({3, 1}), "1, 3"),
        (False, "not accepted"),
    ],
)
def test_what_was_found_as_text(found: object, text: str) -> None:
    assert told(found) == text


def test_surplus_place_by_place() -> None:
    one, other = frozenset({frozenset({0})}), frozenset({frozenset({1})})
    assert surplus([one, one | other], [one, one]) == [frozenset({1})]
    assert surplus([one], [one, other]) == []


def specimen_of(claim: Claim[Any]) -> Any:
    return specimen((TICKS, mark(A) >> mark(B), STRING), claim, pictures=True)


def test_a_lost_match_is_shown_with_the_automaton_that_loses_it_and_the_run_that_finds_it() -> None:
    right, wrong = automaton(mark(A) >> mark(B)), automaton(mark(A) >> mark(A))
    found = specimen_of(comparing(right, wrong, matches(right, STRING), matches(wrong, STRING)))
    assert found.parts == (("expression", "((~.type = 'A') ↑ •) · ((~.type = 'B') ↑ •)"),)
    (stream,) = found.streams
    assert stream.columns == ("", "type", "id", "price", "at")
    assert stream.rows == (("1", "A", "1", "1", "1"), ("2", "B", "missing", "2.5", "2"))
    assert (found.expected, found.found, found.lost, found.spurious) == ("{1, 2}", "no match", "{1, 2}", "")
    assert [picture.caption for picture in found.pictures] == [
        "as published: no run finds {1, 2}",
        "as repaired: the run that finds {1, 2}",
    ]
    assert [style.RED in picture.svg for picture in found.pictures] == [False, True]


def test_a_spurious_match_is_shown_with_its_run() -> None:
    right, wrong = automaton(mark(A) >> mark(B)), automaton(mark(A) >> skip(B))
    found = specimen_of(comparing(right, wrong, matches(right, STRING), matches(wrong, STRING)))
    assert (found.lost, found.spurious) == ("{1, 2}", "{1}")
    assert [picture.caption for picture in found.pictures] == [
        "as published: a run that wrongly finds {1}",
        "as repaired: no run finds {1}",
    ]
    assert [style.RED in picture.svg for picture in found.pictures] == [True, False]


def test_what_a_wrong_automaton_was_made_of_is_shown_with_what_it_should_find() -> None:
    both = automaton((mark(A) >> mark(B)) | (mark(A) >> skip(B)))
    found = specimen_of(comparing(both, both, frozenset({frozenset({1, 2})}), matches(both, STRING)))
    assert [picture.caption for picture in found.pictures] == [
        "as published: a run that wrongly finds {1}",
        "as repaired: the run that finds {1, 2}",
    ]


@pytest.mark.parametrize("wanted", [frozenset({frozenset({1})}), True])
def test_a_run_over_the_beginning_of_a_string_counts_for_nothing(wanted: Any) -> None:
    right, wrong = automaton(mark(A) >> skip(B)), automaton(mark(A))
    found = specimen_of(comparing(right, wrong, wanted, type(wanted)()))
    assert found.pictures[0].caption.startswith("as published: no run ")
    assert found.pictures[1].caption.startswith("as repaired: the run that ")


def test_a_run_over_the_beginning_counts_where_every_place_has_results() -> None:
    first = automaton(mark(A))
    one, none = frozenset({frozenset({1})}), frozenset[frozenset[int]]()
    found = specimen_of(comparing(first, first, [none, none], [one, none]))
    assert found.pictures[0].caption == "as published: a run that wrongly finds {1}"


def test_members_are_shown_under_the_names_that_a_claim_has_for_them() -> None:
    instance = (mark(A), 3, STRING)
    plain = Claim("a", "b", st.just(instance), lambda _: False)
    assert [kind for kind, _ in specimen(instance, plain).parts] == ["expression", "number"]
    named = replace(plain, members=("pattern", "window", "stream"))
    assert [kind for kind, _ in specimen(instance, named).parts] == ["pattern", "window"]
    unused = replace(plain, members=("pattern", "", "stream"))
    assert [kind for kind, _ in specimen(instance, unused).parts] == ["pattern"]
    several = replace(plain, members=("e", "stream"))
    shown = specimen(((mark(A), mark(B)), STRING), several)
    assert [kind for kind, _ in shown.parts] == ["e1", "e2"]
    assert len(shown.streams) == 1


def test_a_run_that_is_not_counted() -> None:
    srt = automaton(mark(A) >> skip(B))
    found = specimen_of(comparing(srt, srt, matches(srt, STRING), frozenset()))
    assert found.pictures[0].caption == "as published: a run that finds {1} and is not counted"


def test_strings_that_are_accepted_or_not() -> None:
    right, wrong = automaton(mark(A) >> mark(B)), automaton(mark(A) >> mark(A))
    found = specimen_of(comparing(right, wrong, True, False))
    assert (found.expected, found.found) == ("accepted", "not accepted")
    assert (found.lost, found.spurious) == ("", "")
    assert found.pictures[1].caption == "as repaired: the run that accepts the string"
    spurious = specimen_of(comparing(right, right, False, True))
    assert spurious.pictures[0].caption == ("as published: a run that wrongly accepts the string")


def test_an_automaton_without_states_has_no_picture() -> None:
    nothing = CEA(0, (), frozenset(), frozenset())
    found = specimen_of(comparing(nothing, nothing, frozenset({frozenset({0})}), frozenset()))
    assert [bool(picture.svg) for picture in found.pictures] == [False, False]
    assert found.pictures[0].caption == "as published: no run finds {0}; the automaton has no states"


def test_complex_event_automata_and_register_match_automata_count_from_zero() -> None:
    take = CEA(3, (Labelled(0, A, {"X"}, 1), Labelled(1, TOP, {"Y"}, 2)), {0}, {2}).bind(TICKS)
    valuations = of_cea.valuations(take, STRING, 1)
    found = specimen((Relation("A"), STRING), comparing(take, take, frozenset(), valuations), pictures=True)
    assert found.spurious == "{X: {0}, Y: {1}}"
    assert [row[0] for row in found.streams[0].rows] == ["0", "1"]
    assert style.RED in found.pictures[0].svg
    rma = with_start(automaton(mark(A) >> mark(B)))
    wrong = comparing(rma, rma, frozenset(), frozenset({frozenset({0, 1})}))
    shown = specimen((rma, STRING), wrong, pictures=True)
    assert shown.parts == (("automaton", "SRT with 3 states, 2 transitions, 0 registers"),)
    assert "wrongly finds {0, 1}" in shown.pictures[0].caption


def test_a_part_that_goes_wrong_is_shown_beside_the_stream() -> None:
    right = automaton(mark(A))
    broken = comparing(right, right, frozenset(), frozenset())
    longer = TICKS.stream([("C", 1, 1.0, 1), ("A", 1, 1.0, 1), ("B", None, 2.5, 2)])
    found = specimen((mark(A), longer), broken)
    assert [(stream.title, len(stream.rows)) for stream in found.streams] == [
        ("stream", 3),
        ("the part shown", 2),
    ]


def test_the_empty_stream() -> None:
    assert specimen((mark(A), ()), None).parts[1] == ("stream", "no events")


def accounts(*, pictures: bool = True) -> list[Account]:
    right, wrong = automaton(mark(A) >> mark(B)), automaton(mark(A) >> skip(B))
    expected, found = (matches(srt, STRING) for srt in (right, wrong))
    broken = Search(comparing(right, wrong, expected, found), breaks=(2, 2))
    one = result(broken, REPAIRED, expected=Standing.REPAIRED)
    return [weighed(one, SMALL, pictures=pictures)]


def test_the_report_in_markdown() -> None:
    text = markdown(accounts(), SMALL)
    assert "1 result: 1 holds as repaired." in text
    assert "| [mnemata Test 1](#mnemata-test-1) | a \\*test\\* \\| of tables | holds as repaired |" in text
    assert "For all x \\< y and a\\_b." in text
    assert "$$\n\\forall x\\ \\mathit{Match}(x)\n$$" in text
    assert "Constructions: `automata.constructions.thompson.thompson`" in text
    assert "| search | as stated | nothing is so (nowhere) | counterexample | 2 parts, 2 events |" in text
    assert "- expression: `((~.type = 'A') ↑ •) · ((~.type = 'B') ↑ •)`" in text
    assert "| stream | type | id | price | at |" in text
    assert "- lost: `{1, 2}`\n- spurious: `{1}`" in text
    assert "](pictures/mnemata-test-1-1a.svg)" in text


def test_every_picture_of_the_markdown_is_a_file() -> None:
    found = accounts()
    assert [name for name in picture_files(found) if f"]({name})" in markdown(found, SMALL)] == [
        "pictures/mnemata-test-1-1a.svg",
        "pictures/mnemata-test-1-1b.svg",
    ]


class Balanced(HTMLParser):
    """Checks that what is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in ("meta", "img", "br", "mspace"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "mspace":
            assert self.open.pop() == tag


def test_the_report_in_html() -> None:
    text = html(accounts(), SMALL)
    page = Balanced()
    page.feed(text)
    assert page.open == []
    assert {"math", "figure", "img", "section", "dl"} <= set(page.seen)
    assert 'src="data:image/svg+xml;base64,' in text
    assert '<span class="verdict repaired">holds as repaired</span>' in text
    assert "For all x &lt; y and a_b." in text
    assert "<script" not in text


SCRIPT = """
import sys
from mnemata.proofs.evidence import SMALL, Search
from mnemata.proofs.claims import Exhibit
from dataclasses import replace
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.srt.runs import matches
from mnemata.proofs.claims import counterexample
from mnemata.proofs.report.specimens import specimen
from mnemata.proofs.srt import compiling

def exhibit(instance):
    schema, expression, string = instance
    with_epsilon = compiling.automaton(expression, schema)
    wrong, right = map(lambda f: f(with_epsilon), (compiling.merging_epsilon_elimination, eliminate_epsilon))
    shown = (("as published", wrong), ("as repaired", right))
    return Exhibit(string, matches(right, string), matches(wrong, string), shown)

claim = compiling.epsilon_elimination_is_exact(compiling.merging_epsilon_elimination, compiling.JOINED)
claim = replace(claim, exhibit=exhibit)
sys.stdout.write(repr(specimen(counterexample(claim, tries=3000), claim, pictures=True)))
"""


def test_the_same_counterexample_has_the_same_bytes() -> None:
    printed = set()
    for seed in ("0", "1"):
        environment = dict(os.environ, PYTHONHASHSEED=seed, PYTHONPATH=os.pathsep.join(sys.path))
        done = subprocess.run(
            [sys.executable, "-P", "-c", SCRIPT], env=environment, capture_output=True, check=True
        )
        printed.add(done.stdout)
    (text,) = printed
    assert b"no run finds {1, 2, 3}" in text or b"a run that wrongly finds" in text


@RESULTS
def test_formulas_of_results_are_understood(result: Result) -> None:
    assert mathml(result.latex).startswith("<math"), result.latex


@RESULTS
def test_the_page_leads_to_the_module_of_a_result(result: Result) -> None:
    assert "RESULT: Final" in (ROOT / "proofs" / module_files()[result.id]).read_text(encoding="utf-8")


@RESULTS
def test_a_result_has_evidence_and_says_what_it_states(result: Result) -> None:
    assert result.evidence
    assert len(result.statement.split()) >= 5
    assert result.title


def test_the_page_about_the_registry_is_up_to_date() -> None:
    assert (ROOT / "proofs" / "README.md").read_text(encoding="utf-8") == overview(results())
