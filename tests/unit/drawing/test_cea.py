"""Complex event automata as DOT text, in the notation of their paper."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from mnemata.automata.cea.automaton import CEA, UNMARKED, Transition
from mnemata.automata.constructions.cea.normal_form import collapse
from mnemata.automata.drawing import DrawingError, draw, draw_cea
from mnemata.automata.drawing.automaton import MOST_CAPTIONS
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.errors import LimitError

u = head()
T, H = u.type == "T", u.type == "H"
SKIP, TAKE = Transition(0, TOP, UNMARKED, 0), Transition(0, H & (u.value > 3), {"H1", "A"}, 1)
SMALL = CEA(2, (SKIP, TAKE, Transition(0, T, {"T"}, 1)), {0, 1}, {1})

BODY = """\
	q0 [label=<<i>q</i><sub>0</sub>>]
	q1 [label=<<i>q</i><sub>1</sub>> peripheries=2]
	start0 [label="" height=0.05 margin=0 shape=none width=0.05]
	start0 -> q0
	start1 [label="" height=0.05 margin=0 shape=none width=0.05]
	start1 -> q1
	q0 -> q0 [label=<⊤ / ∅>]
"""


def label(dot: str, source: str, target: str) -> str:
    (found,) = re.findall(rf"^\t{source} -> {target} \[(?:color.*)?label=<(.*)>.*\]$", dot, re.MULTILINE)
    return re.sub(r"</?(?:i|b|sub|font[^>]*)>", "", str(found))


def test_states_and_arrows() -> None:
    dot = draw_cea(SMALL).dot
    assert BODY in dot
    assert "∼.type = &#39;H&#39; ∧ ∼.value &gt; 3 / {A, H1}" in label(dot, "q0", "q1")
    assert "∼.type = &#39;T&#39; / {T}" in label(dot, "q0", "q1")
    assert repr(draw_cea(SMALL)) == "<Drawing: CEA with 2 states, 3 transitions, 3 variables>"


def test_with_one_variable_marks_are_bullets() -> None:
    dot = draw_cea(collapse(SMALL)).dot
    assert label(dot, "q0", "q0") == "⊤ / ∘"
    assert "T&#39; / •" in label(dot, "q0", "q1")


def test_in_ascii() -> None:
    plain = draw_cea(SMALL, ascii=True).dot + draw_cea(collapse(SMALL), ascii=True, longest=5).dot
    assert plain.isascii()
    assert "true / {}" in plain
    assert "true / o" in plain


def test_long_predicates_go_into_the_legend() -> None:
    dot = draw_cea(SMALL, longest=10, title="a <title>").dot
    assert "φ1(∼) / {A, H1}" in label(dot, "q0", "q1")
    assert "φ2(∼) / {T}" in label(dot, "q0", "q1")
    assert dot.count(":=") == 2
    assert "a &lt;title&gt;" in dot


def test_highlighted_transitions_are_red() -> None:
    red = 'color="#c1121f"'
    assert red not in draw_cea(SMALL).dot
    dot = draw_cea(SMALL, highlighted=[SKIP]).dot
    (line,) = [line for line in dot.splitlines() if line.startswith("\tq0 -> q0")]
    assert red in line
    assert dot.count(red) == line.count(red)


def test_states_can_be_named() -> None:
    dot = draw_cea(SMALL, names={0: "q_s", 1: "waiting for T"}).dot
    assert "q0 [label=<<i>q</i><sub>s</sub>>]" in dot
    assert "q1 [label=<waiting for T> margin" in dot


def test_many_captions_are_cut() -> None:
    many = tuple(Transition(0, u.value > i, {"A"}, 0) for i in range(MOST_CAPTIONS + 5))
    shown = label(draw_cea(CEA(1, many, {0}, {0})).dot, "q0", "q0")
    assert shown.count(" / ") == MOST_CAPTIONS - 1
    assert "… and 6 more" in shown


def test_the_order_of_transitions_does_not_matter() -> None:
    backwards = CEA(2, SMALL.transitions[::-1], {1, 0}, {1})
    assert draw_cea(backwards) == draw_cea(SMALL)


PROGRAM = """
from mnemata.automata.cea.automaton import CEA, Transition
from mnemata.automata.constructions.cea.determinization import determinize
from mnemata.automata.constructions.cea.selection import last
from mnemata.automata.drawing import draw_cea
from mnemata.theory.conditions.building import head
from mnemata.theory.schema import Int64, Schema
schema = Schema.of(x=Int64())
low, high, labels = head().x < 5, head().x > 2, {"A", "B", "C", "D"}
cea = CEA(3, (Transition(0, low, labels, 1), Transition(0, high, labels, 2), Transition(2, low, {"E"}, 0),
    Transition(0, low, (), 0)), {0, 1}, {1, 2})
for one in (cea, determinize(cea, schema), last(cea, schema)):
    print(draw_cea(one, longest=5).dot)
"""


def test_same_bytes_whatever_the_hash_seed() -> None:
    outputs = set()
    for seed in ("0", "1", "4711"):
        environment = dict(os.environ, PYTHONHASHSEED=seed, PYTHONPATH=os.pathsep.join(sys.path))
        command = [sys.executable, "-c", PROGRAM]
        outputs.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    (only,) = outputs
    assert only.count(b"digraph") == 3


def test_notebooks_show_it() -> None:
    assert "<svg" in SMALL._repr_mimebundle_()["image/svg+xml"]
    large = CEA(40, tuple(Transition(i, TOP, (), j) for i in range(40) for j in range(40)), {0}, {0})
    assert "no picture: the automaton has 1,600 edges" in large._repr_mimebundle_()["text/plain"]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(DrawingError, match="2 is not a state of the automaton; its states are 0 to 1"):
        draw_cea(SMALL, names={2: "x"})
    with pytest.raises(DrawingError, match="is not a transition of the automaton"):
        draw_cea(SMALL, highlighted=[Transition(1, TOP, UNMARKED, 0)])
    with pytest.raises(DrawingError, match=r"draw_cea\(\) a complex event automaton"):
        draw(SMALL)  # type: ignore[arg-type]
    large = CEA(40, tuple(Transition(i, TOP, (), j) for i in range(40) for j in range(40)), {0}, {0})
    with pytest.raises(LimitError, match="1,600 edges and a drawing takes at most 1,000"):
        draw_cea(large)
