"""The figures of the RMA paper: what they show, and the same bytes whatever the hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

from mnemata.automata.rma.automaton import selection
from mnemata.automata.rma.selections import writes_before_reading
from mnemata.paper_figures.register_match_automata import FIGURES, rma_of_expression_1

DIGESTS = (
    "import hashlib; from mnemata.paper_figures.register_match_automata import FIGURES; "
    "print(*(hashlib.sha256(f().graph.source.encode()).hexdigest() for f in FIGURES.values()))"
)


def test_figure_1_is_that_of_the_paper() -> None:
    rma = rma_of_expression_1()
    assert (rma.size, len(rma.transitions), len(rma.registers)) == (3, 4, 1)
    shown = [(t.source, t.target, selection(t), len(t.writes), str(t.output.value)) for t in rma.transitions]
    register = min(rma.registers)
    assert sorted(shown) == [
        (0, 0, ("~",), 0, "⊗"),
        (0, 1, ("~",), 1, "•"),
        (1, 1, ("~",), 0, "⊗"),
        (1, 2, ("~", register), 0, "•"),
    ]
    assert writes_before_reading(rma)


def test_figures_are_the_same_whatever_the_hash_seed() -> None:
    found = set()
    for seed in ("1", "2"):
        environment = dict(os.environ, PYTHONHASHSEED=seed, PYTHONPATH=os.pathsep.join(sys.path))
        done = subprocess.run(
            [sys.executable, "-c", DIGESTS], env=environment, capture_output=True, text=True, check=True
        )
        found.add(done.stdout)
    own = " ".join(hashlib.sha256(f().graph.source.encode()).hexdigest() for f in FIGURES.values())
    assert found == {f"{own}\n"}


def test_figures_are_pictures() -> None:
    for make in FIGURES.values():
        assert make().svg().lstrip().startswith("<")
