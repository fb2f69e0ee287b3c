"""``mnemata prove``: verdicts, what was left out, reports, mutants."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from mnemata.pipeline.command import main
from mnemata.pipeline.command.prove import _STRENGTHS, Size
from mnemata.proofs import registry
from mnemata.proofs.bounded import Proof
from mnemata.proofs.claims import Claim
from mnemata.proofs.evidence import EFFORTS, Bounded, Evidence, Reading, Search, Strength
from mnemata.proofs.mutation import mutants
from mnemata.proofs.mutation.mutants import named
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.sremo.expressions import mark


class Outcome:
    """What a command printed and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Command = Callable[..., Outcome]


@pytest.fixture
def prove(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Outcome:
        with pytest.raises(SystemExit) as end:
            main(["prove", *arguments])
        printed = capsys.readouterr()
        return Outcome(int(str(end.value.code or 0)), printed.out, printed.err)

    return run


def claim(*, true: bool) -> Claim[Any]:
    return Claim("it is so", "here", st.tuples(st.just(mark())), lambda instance: true)


def result(place: str, expected: Standing, *evidence: Evidence) -> Result:
    return Result(
        paper=Paper.OWN,
        place=place,
        title="a result for tests",
        statement="It is so.",
        latex=r"\top",
        expected=expected,
        evidence=evidence,
    )


HOLDS, FAILS = Search(claim(true=True)), Search(claim(true=False))
REFUTES, REPAIRS = (
    Search(claim(true=False), breaks=(1, 0)),
    Search(claim(true=True), reading=Reading.REPAIRED),
)
UNDECIDED = Bounded("in time", lambda effort: [Proof(Verdict.UNKNOWN, 3, undecided=1)])
PROVED = Bounded("all of them", lambda effort: [Proof(Verdict.YES, 12)], reading=Reading.REPAIRED)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the registry have some results, and no others."""

    def replace(*results: Result) -> None:
        monkeypatch.setattr(registry, "results", lambda: results)

    return replace


def rows(printed: str) -> dict[str, str]:
    """The rows of the table, by the name of their result."""
    lines = printed.split("\n\n")[0].splitlines()
    return {line.split()[0]: line.split(maxsplit=1)[1] for line in lines}


def test_a_row_for_each_result(prove: Command, registered: Callable[..., None]) -> None:
    registered(
        result("Lemma 1", Standing.HOLDS, HOLDS),
        result("Lemma 20", Standing.REPAIRED, REFUTES, REPAIRS, PROVED),
        result("Lemma 3", Standing.REFUTED, FAILS),
    )
    done = prove()
    assert (done.code, done.err) == (0, "")
    found = {name: " ".join(row.split()) for name, row in rows(done.out).items()}
    assert list(found) == ["mnemata-lemma-1", "mnemata-lemma-20", "mnemata-lemma-3"]
    assert found["mnemata-lemma-1"].startswith("holds as stated 0.")
    assert found["mnemata-lemma-1"].endswith(" s search: 150 instances")
    assert found["mnemata-lemma-20"].startswith("holds as repaired ")
    assert found["mnemata-lemma-20"].endswith("search: 1 counterexample, 150 instances; bounded: 12 formulas")
    assert found["mnemata-lemma-3"].startswith("refuted ")
    assert done.out.splitlines()[-1] == ("3 results: 1 holds as stated, 1 holds as repaired, 1 refuted")


def test_what_came_out_otherwise_is_named_and_the_exit_code_is_1(
    prove: Command, registered: Callable[..., None]
) -> None:
    registered(result("Lemma 1", Standing.HOLDS, HOLDS), result("Lemma 2", Standing.HOLDS, FAILS))
    done = prove()
    assert done.code == 1
    assert done.out.splitlines()[-3:] == [
        "not as expected: mnemata-lemma-2",
        "  mnemata-lemma-2: refuted, but expected was: holds as stated",
        "  mnemata-lemma-2: search, as stated: it is so: fails (1 part)",
    ]
    assert prove("mnemata-lemma-1").code == 0


@pytest.mark.parametrize(("expected", "code"), [(Standing.HOLDS, 1), (Standing.UNKNOWN, 0)])
def test_unknown_stays_unknown(
    prove: Command, registered: Callable[..., None], expected: Standing, code: int
) -> None:
    registered(result("Lemma 1", expected, HOLDS, UNDECIDED))
    done = prove()
    assert done.code == code
    assert rows(done.out)["mnemata-lemma-1"].startswith("unknown ")


def test_what_is_left_out_is_said_and_held_against_nobody(
    prove: Command, registered: Callable[..., None]
) -> None:
    registered(
        result("Lemma 1", Standing.REPAIRED, REFUTES, REPAIRS, PROVED),
        result("Lemma 2", Standing.HOLDS, HOLDS),
    )
    done = prove("--evidence", "bounded")
    assert done.code == 0
    found = {name: " ".join(row.split()) for name, row in rows(done.out).items()}
    assert found["mnemata-lemma-1"].startswith("in part as expected ")
    assert found["mnemata-lemma-1"].endswith("bounded: 12 formulas; left out: 2 search")
    assert found["mnemata-lemma-2"] == "not weighed 0.0 s left out: 1 search"
    assert "3 pieces of evidence were left out" in done.out
    assert prove("--evidence", "search, bounded").out.count("left out") == 0


def test_kinds_of_evidence_are_those_that_there_are() -> None:
    assert tuple(strength.value for strength in Strength) == _STRENGTHS
    assert [size.value for size in Size] == list(EFFORTS)


def test_as_json(prove: Command, registered: Callable[..., None]) -> None:
    registered(result("Lemma 1", Standing.REPAIRED, REFUTES, REPAIRS))
    done = prove("--json")
    (found,) = json.loads(done.out)["results"]
    assert (found["id"], found["verdict"], found["as expected"]) == (
        "mnemata-lemma-1",
        "holds as repaired",
        True,
    )
    refuting, repairing = found["evidence"]
    assert refuting["counterexample"]["parts"] == [{"kind": "expression", "text": "⊤ ↑ •"}]
    assert repairing["tried"] == {"number": 150, "of": "instances"}
    registered(result("Lemma 1", Standing.HOLDS, FAILS))
    assert prove("--json").code == 1


def test_the_list(prove: Command, registered: Callable[..., None]) -> None:
    registered(result("Lemma 1", Standing.REPAIRED, REFUTES, REPAIRS, PROVED))
    assert prove("--list").out.split() == (
        ["mnemata-lemma-1", "holds", "as", "repaired", "a", "result", "for", "tests;", "search,", "bounded"]
    )
    (found,) = json.loads(prove("--list", "--json").out)
    assert found["evidence"] == ["search", "bounded"]


def test_the_registry_itself_and_beginnings_of_names(prove: Command) -> None:
    listed = json.loads(prove("srt", "--list", "--json").out)
    assert {entry["paper"] for entry in listed} == {"SRT"}
    assert "srt-theorem-27" in prove("--list").out
    done = prove("srt-theorem-27")
    assert (done.code, done.err) == (0, "")
    assert "bounded: " in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["srt-theorem-72"], 2, "there is no result 'srt-theorem-72'. Did you mean 'srt-theorem-27'?"),
        (["--evidence", "serach"], 2, "Did you mean 'search'?"),
        (["--evidence", ","], 2, "name at least one kind of evidence"),
        (["--size", "huge"], 2, "--size"),
        (["--jobs", "0"], 2, "--jobs"),
        (["srt-theorem-27", "--report", "file"], 6, "cannot make the folder 'file'"),
    ],
)
def test_what_is_refused(prove: Command, arguments: list[str], code: int, said: str) -> None:
    Path("file").write_text("not a folder")
    done = prove(*arguments)
    assert (done.code, done.out) == (code, "")
    assert said in " ".join(done.err.replace("│", " ").split())


def test_a_report(prove: Command, registered: Callable[..., None]) -> None:
    registered(result("Lemma 1", Standing.REPAIRED, REFUTES, REPAIRS))
    done = prove("--report", "made/here")
    assert done.out.splitlines()[-2:] == ["wrote made/here/index.html", "wrote made/here/report.md"]
    for name in ("index.html", "report.md"):
        assert "holds as repaired" in Path("made/here", name).read_text(encoding="utf-8")
    assert prove("--report", "made/here", "--json").err.count("wrote") == 2


def test_processes_share_the_work_and_results_stay_in_order(prove: Command) -> None:
    names = ("cel-definition-5-6", "srt-theorem-27")
    alone, shared = (prove(*names, *more) for more in ((), ("--jobs", "2")))
    assert list(rows(shared.out)) == list(names)
    assert [without_times(row) for row in rows(shared.out).values()] == [
        without_times(row) for row in rows(alone.out).values()
    ]


def without_times(row: str) -> list[str]:
    return [word for word in row.split() if not word.replace(".", "").isdigit() or "." not in word]


def test_a_terminal_sees_what_is_waited_for(
    prove: Command, registered: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    registered(result("Lemma 1", Standing.HOLDS, HOLDS), result("Lemma 2", Standing.HOLDS, HOLDS))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    shown = prove().out
    assert "Result 1 of 2: mnemata-lemma-1" in shown
    assert "Result 2 of 2: mnemata-lemma-2" in shown
    assert "Result 1 of 2" not in prove("--quiet").out


def test_mutants(prove: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = named("star-without-back-edge")
    monkeypatch.setattr(mutants, "MUTANTS", (chosen, named("product-accepts-either")))
    done = prove("srt-theorem-27", "--mutants", "--report", "made")
    assert done.code == 0
    assert "1 of 1 mutants are caught" in done.out
    assert "srt-theorem-27, search: counterexample" in done.out
    for name in ("index.html", "report.md"):
        text = Path("made", name).read_text(encoding="utf-8")
        assert "The check of the checkers" in text
        assert chosen.breaks in text


def test_help_imports_nothing_of_the_proofs() -> None:
    code = (
        "import sys\nfrom mnemata.pipeline.command import main\n"
        "try:\n    main(['prove', '--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'z3', 'hypothesis', 'mnemata.proofs.evidence', 'pyspark'} & set(sys.modules)\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
