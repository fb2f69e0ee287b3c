"""The check of the checkers: mutants, the hook that serves them, and what notices them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from mnemata.proofs.mutation import hook
from mnemata.proofs.mutation.mutant import Mutant
from mnemata.proofs.mutation.mutants import MUTANTS, concerning, named
from mnemata.proofs.mutation.page import page
from mnemata.proofs.mutation.table import caught_by, score
from mnemata.proofs.mutation.trials import Trial, trial, trials
from mnemata.proofs.registry import chosen
from mnemata.theory.errors import EnvironmentProblem, PatternError, UnknownResultError

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "proofs" / "mutants.md"
ALL = pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)

QUICK = ("star-without-back-edge", "product-pairs-unequal-outputs", "round-of-one-event-left-out")
"""One of each kind: an automaton of an expression, one of automata, a complex event automaton."""

SUPPOSED = Mutant(
    name="supposed",
    breaks="nothing",
    module="automata.constructions.thompson",
    original="epsilon(left.final, right.start)",
    replacement="epsilon(left.final, right.start)",
    results=("srt-theorem-27",),
)


def source(mutant: Mutant) -> str:
    return (ROOT / f"{mutant.module.replace('.', '/')}.py").read_text(encoding="utf-8")


def python(*lines: str) -> str:
    """What some lines print, run in a process of their own."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
    command = [sys.executable, "-P", "-c", "\n".join(lines)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


@ALL
def test_the_text_of_a_mutant_occurs_once_and_is_replaced_by_python(mutant: Mutant) -> None:
    broken = mutant.applied(source(mutant))
    assert ast.dump(ast.parse(broken)) != ast.dump(ast.parse(source(mutant)))


@ALL
def test_a_mutant_names_results(mutant: Mutant) -> None:
    assert chosen(mutant.results)
    assert mutant in concerning([result.id for result in chosen(mutant.results)])


def test_there_are_enough_of_them_and_no_two_have_one_name() -> None:
    assert len(MUTANTS) >= 30
    assert not [name for name, n in Counter(mutant.name for mutant in MUTANTS).items() if n > 1]
    assert len({(m.module, m.original, m.replacement) for m in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("times", [0, 2])
def test_a_text_that_is_not_there_once_is_refused(times: int) -> None:
    with pytest.raises(PatternError, match=f"occurs {times} times in automata.constructions.thompson"):
        SUPPOSED.applied(SUPPOSED.original * times)


def test_a_mutant_that_there_is_not() -> None:
    with pytest.raises(UnknownResultError, match="Did you mean 'star-without-bypass'"):
        named("star-without-bipass")


def test_the_hook_serves_the_broken_source_and_leaves_the_disk_alone() -> None:
    mutant = named("star-without-back-edge")
    spec = find_spec(mutant.qualified)
    assert spec is not None
    cached = Path(spec.cached or "")
    before = (cached.read_bytes() if cached.is_file() else None, source(mutant))
    printed = python(
        "from mnemata.proofs.mutation import hook, mutants",
        f"hook.install(mutants.named('{mutant.name}'))",
        "from mnemata.automata.constructions.thompson import thompson",
        "from mnemata.theory.sremo.expressions import mark",
        "print(len(thompson(mark().star()).transitions))",
    )
    assert printed.strip() == "4"
    assert (cached.read_bytes() if cached.is_file() else None, source(mutant)) == before


def test_what_is_imported_already_is_not_broken_any_more() -> None:
    with pytest.raises(EnvironmentProblem, match=r"thompson is imported already"):
        hook.install(SUPPOSED)


def test_what_is_not_broken_is_not_caught() -> None:
    printed = python(
        "from mnemata.proofs.mutation import hook, mutant, trial",
        f"unbroken = mutant.{SUPPOSED!r}",
        "hook.install(unbroken)",
        "print(trial.tried(unbroken))",
    )
    assert printed.startswith("{'caught': False, 'asked': ")


@pytest.mark.parametrize("name", QUICK)
def test_mutants_are_caught(name: str) -> None:
    found = trial(named(name))
    assert found.caught, found
    assert found.result
    assert found.how == "counterexample"


def test_a_mutant_that_does_not_end_is_caught() -> None:
    found = trial(named(QUICK[0]), seconds=0.01)
    assert (found.caught, found.how) == (True, "does not end within 0.01 s")


def test_a_trial_that_fails_says_so() -> None:
    with pytest.raises(EnvironmentProblem, match=r"the trial of mutant 'supposed' failed: .*no mutant"):
        trial(SUPPOSED)


def supposed(*, caught: bool, survives: str = "") -> Trial:
    mutant = Mutant(
        name="m", breaks="b", module="x", original="o", replacement="p", results=(), survives=survives
    )
    return Trial(
        mutant, caught, "r" if caught else "", "search" if caught else "", "", "counterexample", 1, 0.1
    )


def test_the_score() -> None:
    caught, equal, missed = (
        supposed(caught=True),
        supposed(caught=False, survives="s"),
        supposed(caught=False),
    )
    assert [one.as_expected for one in (caught, equal, missed)] == [True, True, False]
    assert not supposed(caught=True, survives="s").as_expected
    assert score([caught, equal]) == ("1 of 2 mutants are caught; 1 change nothing that could be noticed")
    assert "not as expected: m" in score([caught, missed])
    assert caught_by(caught) == "r, search: counterexample"
    assert "## Survivors\n\n- `m`: s." in page([caught, equal])


def test_the_page_lists_all_mutants() -> None:
    rows = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if "` | " in line]
    listed = [(name.removeprefix("| "), breaks, module) for name, breaks, module, _ in rows]
    assert listed == [(f"`{m.name}`", m.breaks, f"`{m.module}`") for m in MUTANTS]


def test_the_page_says_that_all_mutants_are_caught_or_change_nothing() -> None:
    survive = [mutant.name for mutant in MUTANTS if mutant.survives]
    text = PAGE.read_text(encoding="utf-8")
    counted = f"{len(MUTANTS) - len(survive)} of {len(MUTANTS)} mutants"
    assert f"**{counted} are caught" in text
    assert f"[{counted}](proofs/mutants.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "not as expected" not in text
    assert text.count("| nothing, and nothing should |\n") == len(survive)
    assert "| nothing |\n" not in text


@pytest.mark.slow
def test_all_mutants_come_out_as_the_page_says() -> None:
    assert page(list(trials(MUTANTS))) == PAGE.read_text(encoding="utf-8")
