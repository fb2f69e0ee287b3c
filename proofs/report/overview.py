"""``proofs/README.md``: what is in the registry, and what is known of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from mnemata.proofs.evidence import Reading
from mnemata.proofs.registry import PACKAGES
from mnemata.proofs.report.tables import prose, table
from mnemata.proofs.results import Paper, Result, Standing

_ABOUT: Final = """\
# What the papers state, checked by machine

Each theorem, lemma, proposition, corollary, definition and algorithm of the papers is an object that can be
run: `mnemata prove srt-theorem-27` weighs the evidence for one, `mnemata prove` for all of them, and
`--report DIR` writes a report with pictures of the counterexamples. Evidence, weakest first:

- **search**: generated instances, and a smallest one that breaks the claim;
- **bounded**: proofs by Z3 for all attribute values, up to a length of strings;
- **induction**: proofs by Z3 of the steps of an induction, over uninterpreted states, events and valuations;
- **adversary**: for what is claimed not to exist, a program that shows where a candidate errs.

A result *holds as stated*, *holds as repaired* (something published is wrong, and what holds instead is given
after "Repaired:"), or is *refuted*. The letters name entries of the errata. Evidence about a claim as it is
stated comes before evidence about its repair. How much the evidence notices is seen with
`mnemata prove --mutants`, which breaks constructions on purpose; [mutants.md](mutants.md) says what catches
each of them.

[A notebook](../notebooks/what_the_papers_prove.ipynb) tells of three claims that do not hold as stated, with
pictures: what goes wrong, what is right instead, and how well that is known.

This page is made by `python -m mnemata.proofs.report proofs/README.md`."""

_TITLES: Final = {
    Paper.SRT: "Symbolic register transducers",
    Paper.CEL: "Complex event logic",
    Paper.RMA: "Register match automata",
    Paper.OWN: "The project's own",
}


def overview(results: Sequence[Result]) -> str:
    """The page in Markdown. Nothing is run: it says what is claimed, and what is known to come of it."""
    lines = [_ABOUT, "", f"**{counted(results)}.**"]
    for paper in Paper:
        some = [result for result in results if result.paper is paper]
        if some:
            header = (f"{paper.value}", "states that", "verdict", "evidence")
            lines += ["", f"## {_TITLES[paper]}", "", *table(header, map(_row, some))]
    remarks = [
        f"- **{result.paper.value} {result.place}**: {prose(result.remark)}"
        for result in results
        if result.remark
    ]
    if remarks:
        lines += ["", "## Remarks", "", *remarks]
    return "\n".join(lines) + "\n"


def counted(results: Sequence[Result]) -> str:
    """How many results are known to come out how, and how many pieces of evidence of each kind there are."""
    standings = Counter(result.expected for result in results)
    outcomes = (f"{standings[s]} {s.value}" for s in Standing if standings[s])
    kinds = Counter(evidence.strength.value for result in results for evidence in result.evidence)
    pieces = (f"{number} {kind}" for kind, number in kinds.items())
    return f"{len(results)} results: {', '.join(outcomes)}. Pieces of evidence: {', '.join(pieces)}"


def _row(result: Result) -> tuple[str, ...]:
    errata = f" ({', '.join(result.errata)})" if result.errata else ""
    return (
        f"[{result.place}]({module_files()[result.id]}), {prose(result.title)}",
        prose(result.statement),
        f"{result.expected.value}{errata}",
        "; ".join(_kinds(result)),
    )


def _kinds(result: Result) -> Iterator[str]:
    for reading in Reading:
        counts = Counter(one.strength.value for one in result.evidence if one.reading is reading)
        named = (f"{number} {kind}" if number > 1 else kind for kind, number in counts.items())
        if counts:
            repaired = "repaired: " if reading is Reading.REPAIRED else ""
            yield f"{repaired}{', '.join(named)}"


@cache
def module_files() -> dict[str, str]:
    """Where each result is in the folder of the proofs, by name.

    >>> module_files()["srt-theorem-27"]
    'srt/theorem_27.py'
    """
    return {
        result.id: f"{package}/{module.name}.py"
        for package in PACKAGES
        for module in iter_modules(import_module(f"mnemata.proofs.{package}").__path__)
        if (result := getattr(import_module(f"mnemata.proofs.{package}.{module.name}"), "RESULT", None))
    }
