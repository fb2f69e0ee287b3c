"""Automata as DOT text: what is drawn, in which order, and what is refused."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import permutations

import pytest

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.drawing import DrawingError, Stage, draw, draw_stages
from mnemata.automata.drawing.appearance import parents
from mnemata.automata.drawing.automaton import MOST_CAPTIONS
from mnemata.automata.drawing.rendering import render
from mnemata.automata.srt.transducer import SRT, Transition, epsilon
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP, Definition
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Float64, Schema, String
from mnemata.theory.sremo.expressions import Output, Pattern, mark, skip
from mnemata.theory.syntax import parse

u, r1, r2 = head(), register("r1"), register("r2")
NONE: frozenset[str] = frozenset()

SMALL = SRT(
    2,
    0,
    frozenset({1}),
    (Transition(0, u.a < 3, Output.MARK, frozenset({"r1"}), 1), epsilon(1, 0)),
)

GOLDEN = """\
	subgraph cluster_automaton {
		margin=4 peripheries=0
		label=<<table border="0" cellborder="0" cellspacing="8" cellpadding="4"><tr>\
<td border="1" style="dashed" width="28"><i>r</i><sub>1</sub></td></tr></table>> labeljust=c labelloc=b
		start [label="" height=0.05 margin=0 shape=none width=0.05]
		start -> q0 [color="#000000"]
		q0 [label=<<i>q</i><sub>s</sub>>]
		q1 [label=<<i>q</i><sub>f</sub>> peripheries=2]
		q0 -> q1 [label=<∼.a &lt; 3 ↑ <b>•</b> ↓ <i>r</i><sub>1</sub>>]
		q1 -> q0 [label=<ε>]
	}
}
"""


def plain(dot: str) -> str:
    """DOT text without what only sets type."""
    return re.sub(r"</?(?:i|b|sub|font[^>]*)>", "", dot).replace("&lt;", "<").replace("&gt;", ">")


def edge(dot: str, source: str, target: str) -> str:
    (line,) = re.findall(rf"^\t+{source} -> {target} \[(.*)\]$", dot, re.MULTILINE)
    return str(line)


def node(dot: str, name: str) -> str:
    (line,) = re.findall(rf"^\t+{name} \[(.*)\]$", dot, re.MULTILINE)
    return str(line)


def test_the_dot_text_of_a_small_automaton() -> None:
    dot = draw(SMALL).dot
    assert dot[dot.index("\tsubgraph") :] == GOLDEN


def test_symbols_are_spelled_in_ascii() -> None:
    dot = draw(SMALL, ascii=True).dot
    assert dot.isascii()
    assert "~.a < 3 ^ o v r1" in plain(dot)
    assert edge(dot, "q1", "q0") == "label=<eps>"


def test_outputs_can_be_left_out() -> None:
    assert "∼.a < 3 ↓ r1>" in plain(draw(SMALL, outputs=False).dot)


def test_long_conditions_are_named_and_defined_as_in_figure_1(figure_1: SRT) -> None:
    dot = plain(draw(figure_1, longest=0).dot)
    assert "q0 -> q1 [label=<φ1(∼) ↑ • ↓ r1>]" in dot
    assert "q1 -> q1 [label=<⊤ ↑ ⊗>]" in dot
    assert "q1 -> q2 [label=<φ2(∼, r1) ↑ •>]" in dot
    assert re.search(r"φ1\(x\) :=</td><td[^>]*>x.type = &#39;B&#39;<", dot)
    assert re.search(r"φ2\(x, y\) :=</td><td[^>]*>x.type = &#39;S&#39; ∧ x.id = y.id<", dot)


def test_conditions_that_differ_in_registers_share_a_legend_entry() -> None:
    same = [(u.id == r.id) & (u.price > r.price * 1.1) for r in (r1, r2)]
    srt = SRT(2, 0, frozenset({1}), tuple(Transition(0, c, Output.MARK, NONE, 1) for c in same))
    dot = plain(draw(srt).dot)
    assert "φ1(∼, r1) ↑ •" in dot
    assert "φ1(∼, r2) ↑ •" in dot
    assert "φ2" not in dot


def test_relations_defined_by_formulas_are_explained() -> None:
    inner = Definition("IsBuy", ("x",), register("x").type == "B")
    outer = Definition("Cheap", ("x",), inner("x") & (register("x").price < 10))
    dot = plain(draw(SRT(2, 0, frozenset({1}), (Transition(0, outer("~"), Output.MARK, NONE, 1),))).dot)
    assert "Cheap(∼) ↑ •" in dot
    assert "Cheap(x) :=" in dot
    assert "IsBuy(x) :=" in dot


def test_parallel_transitions_become_one_arrow_with_several_captions() -> None:
    srt = SRT(2, 0, frozenset({1}), tuple(Transition(0, u.a == i, Output.MARK, NONE, 1) for i in (2, 1, 3)))
    line = plain(edge(draw(srt).dot, "q0", "q1"))
    assert re.findall(r"∼.a = (\d)", line) == ["1", "2", "3"]


def test_very_many_parallel_transitions_are_counted() -> None:
    many = tuple(Transition(0, u.a == i, Output.MARK, NONE, 1) for i in range(100, 130))
    line = plain(edge(draw(SRT(2, 0, frozenset({1}), many)).dot, "q0", "q1"))
    assert len(re.findall(r"∼.a = ", line)) == MOST_CAPTIONS - 1
    assert f"and {30 - MOST_CAPTIONS + 1} more" in line


def test_chosen_transitions_are_red_and_new_elements_blue() -> None:
    first, second = SMALL.transitions
    dot = draw(SMALL, highlighted=[first], new=[second, 1]).dot
    assert 'color="#c1121f"' in edge(dot, "q0", "q1")
    assert 'color="#1d4ed8"' in edge(dot, "q1", "q0")
    assert 'color="#1d4ed8"' in node(dot, "q1")
    assert "color" not in node(dot, "q0")


def test_one_chosen_transition_among_parallel_ones_is_red_in_the_caption_too() -> None:
    several = tuple(Transition(0, u.a == i, Output.MARK, NONE, 1) for i in range(2))
    line = edge(draw(SRT(2, 0, frozenset({1}), several), highlighted=[several[1]]).dot, "q0", "q1")
    assert '<font color="#c1121f">∼.a = 1' in line
    assert '<font color="#c1121f">∼.a = 0' not in line


def test_states_have_the_names_of_the_paper_or_chosen_ones() -> None:
    srt = SRT(5, 1, frozenset({2, 3}), tuple(epsilon(i, i + 1) for i in range(4)))
    dot = plain(draw(srt, names={3: "q_{f,2}", 4: "{q_s, q_12}"}).dot)
    assert [node(dot, f"q{i}").split(">")[0] for i in range(5)] == [
        "label=<q0",
        "label=<qs",
        "label=<q2",
        "label=<qf,2",
        "label=<{qs, q12}",
    ]
    assert "shape=box" in node(dot, "q4")


def test_a_single_final_state_that_is_the_start_keeps_the_name_of_the_start() -> None:
    dot = plain(draw(SRT(1, 0, frozenset({0}), ())).dot)
    assert "q0 [label=<qs> peripheries=2]" in dot


def test_a_cluster_lies_in_the_smallest_one_around_it() -> None:
    nested = {"a": {0, 1, 2}, "c": {0}, "b": {0, 1}, "b again": {1, 0}, "apart": {3}}
    assert parents(nested) == {"a": None, "b": "a", "b again": "b", "c": "b again", "apart": None}


def test_clusters_nest_and_are_titled() -> None:
    srt = SRT(4, 0, frozenset({3}), tuple(epsilon(i, i + 1) for i in range(3)))
    dot = draw(srt, clusters={"inner": {1}, "outer <&>": [2, 1]}).dot
    outer, inner = dot.index("label=<outer &lt;&amp;&gt;>"), dot.index("label=<inner>")
    assert dot.index("q0 [") < outer < dot.index("q2 [") < inner < dot.index("q1 [")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clusters": {"a": {0, 1}, "b": {1, 2}}}, "'a' and 'b' share state 1"),
        ({"clusters": {"a": {7}}}, "7 is not a state of the automaton; its states are 0 to 2"),
        ({"names": {-1: "q"}}, "-1 is not a state"),
        ({"states": [3]}, "3 is not a state"),
        ({"new": [9]}, "9 is not a state"),
        ({"highlighted": [epsilon(0, 2)]}, "is not a transition of the automaton"),
        ({"highlighted": [epsilon(5, 6)]}, "is not a transition of the automaton"),
    ],
)
def test_what_does_not_fit_the_automaton_is_refused(
    figure_1: SRT, options: dict[str, object], message: str
) -> None:
    with pytest.raises(DrawingError, match=re.escape(message)):
        draw(figure_1, **options)  # type: ignore[arg-type]


def test_some_states_of_an_automaton(figure_1: SRT) -> None:
    dot = draw(figure_1, states=[1, 2]).dot
    assert "q0" not in dot
    assert "start" not in dot
    assert "q1 -> q2" in dot


def test_patterns_are_their_own_titles() -> None:
    text = "let B(x) := x.type = 'B'; (B(~) ^ o v r1) . (true ^ x)* . (~.id = r1.id ^ o)^[<5 s]"
    schema = Schema.of(type=String(), id=Float64())
    pattern = parse(text.replace("^[<5 s]", "^[1..5]"))
    for subject in (pattern, pattern.expression, compile_pattern(pattern, schema)):
        assert "(B(∼) ↑ • ↓ r1) · (⊤ ↑ ⊗)*" in plain(draw(subject).dot)
    assert "q1 -> q1" in draw(pattern, schema=schema).dot


def test_a_pattern_too_long_for_a_title_is_called_by_its_name() -> None:
    long = mark(u.kind == "x" * 400)
    dot = draw(Pattern(long, name="a <name>")).dot
    assert "a &lt;name&gt;" in dot
    assert draw(long, title="given").dot.count("given") == 1


def test_a_title_of_any_length_stays_bearable() -> None:
    dot = draw(SMALL, title="word\n" * 100_000).dot
    assert "(500,000 characters)" in dot
    assert len(dot) < 5_000


def test_what_cannot_be_drawn_is_named(figure_1: SRT) -> None:
    with pytest.raises(DrawingError, match="cannot draw str"):
        draw("a pattern")  # type: ignore[arg-type]


def test_conditions_of_any_length_and_content_give_a_picture() -> None:
    wild = "<b>&\"'\\]]>\x00\x1b\n\t{|}é∼🚀"
    condition = (u[wild] == wild) & (u.name == "y" * 10_000)
    srt = SRT(2, 0, frozenset({1}), (Transition(0, condition, Output.MARK, frozenset({wild}), 1),))
    picture = draw(srt, title=wild, names={0: wild}, clusters={wild: {0}})
    assert "characters)" in picture.dot
    assert len(picture.dot) < 5_000
    # Graphviz only warns of labels that it cannot read; `render` raises.
    assert render(picture.dot, "svg").startswith(b"<?xml")


def test_a_condition_of_thousands_of_parts_is_counted_and_not_printed() -> None:
    condition = u.a == 0
    for _ in range(40):
        condition = (condition & TOP) | ~condition  # shared twice: 2**40 parts when written out
    srt = SRT(2, 0, frozenset({1}), (Transition(0, condition, Output.MARK, NONE, 1),))
    assert re.search(r"a condition of [\d,]{13,} parts", draw(srt).dot)


def test_too_many_edges_are_refused() -> None:
    pairs = [(i, j) for i in range(72) for j in range(72)]
    srt = SRT(72, 0, frozenset({1}), tuple(epsilon(i, j) for i, j in pairs))
    with pytest.raises(LimitError, match="5,184 edges between 72 states"):
        draw(srt)
    assert draw(srt, states=range(10)).dot.count("->") == 101


def test_large_automata_are_drawn_without_guards_and_say_so() -> None:
    srt = SRT(
        40,
        0,
        frozenset({1}),
        tuple(Transition(i, TOP, Output.MARK, NONE, j) for i in range(40) for j in range(30)),
    )
    dot = draw(srt).dot
    assert "too many to write out the guards" in dot
    assert "⊤" not in dot
    assert render(dot, "svg", seconds=20).startswith(b"<?xml")


def test_300_states_in_bounded_time() -> None:
    chain = [(i, min(299, i + step)) for i in range(300) for step in (1, 2)]
    srt = SRT(
        300, 0, frozenset({299}), tuple(Transition(i, u.a == j, Output.MARK, NONE, j) for i, j in chain)
    )
    assert draw(srt).svg().count('class="node"') == 301


def test_the_order_of_transitions_does_not_show() -> None:
    ways = tuple(
        Transition(0, c, Output.MARK, frozenset(w), 1)
        for c, w in ((u.a == 1, "r"), (u.a == 1, "s"), (TOP, ""))
    )
    dots = {draw(SRT(2, 0, frozenset({1}), ordered)).dot for ordered in permutations((*ways, epsilon(1, 0)))}
    assert len(dots) == 1


PROGRAM = """
import sys
from mnemata.automata.drawing import draw, frames
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.runs import accepting_runs
from mnemata.automata.compilation import compile_pattern
from mnemata.theory.schema import Schema, String, Int64
from mnemata.theory.syntax import parse
schema = Schema.of(type=String(), id=Int64())
pattern = parse('''
    let B(x) := x.type = 'B'; let S(x) := x.type = 'S';
    any(B(~) ^ o v r10, (S(~) and ~.id = r10.id or ~.id = 3) ^ o v r2, B(~) ^ o v r1)''')
srt = compile_pattern(pattern, schema).srt
run = next(accepting_runs(srt, schema.stream([("B", 1), ("S", 1), ("B", 2)])))
print(draw(thompson(pattern.expression)).dot, draw(srt, longest=0).dot, draw(run, srt=srt).dot)
"""


def test_same_bytes_whatever_the_hash_seed() -> None:
    outputs = set()
    for seed in ("0", "1", "4711"):
        environment = dict(os.environ, PYTHONHASHSEED=seed, PYTHONPATH=os.pathsep.join(sys.path))
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, check=True
        )
        outputs.add(done.stdout)
    (only,) = outputs
    assert only.count(b"digraph") == 3


def test_stages_share_one_legend_and_lie_below_one_another() -> None:
    srt = thompson(mark((u.a < 1) & (u.b > 2)) | mark(u.a > 3))
    picture = draw_stages(
        [Stage("(a) <one>", srt, new=[0]), ("(b)", srt.without_epsilon().trim())], longest=0, title="Two"
    )
    assert repr(picture) == "<Drawing: 2 automata>"
    assert picture.dot.count("φ</i><sub>1</sub>(<i>x</i>) :=") == 1
    heights = re.findall(r'y="(-?[\d.]+)"[^>]*>\((a|b)\)', picture.svg())
    assert [title for _, title in sorted(heights, key=lambda place: float(place[0]))] == ["a", "b"]


def test_stages_side_by_side() -> None:
    loop = SRT(2, 0, frozenset({1}), (epsilon(0, 1), epsilon(1, 0)))
    picture = draw_stages([("(a)", loop), ("(b)", loop), ("(c)", loop)], direction="right")
    left = {title: float(x) for x, title in re.findall(r'x="(-?[\d.]+)" [^>]*>\((a|b|c)\)', picture.svg())}
    assert left["a"] < left["b"] < left["c"]


def test_stages_that_cannot_be_drawn() -> None:
    with pytest.raises(DrawingError, match="at least one automaton"):
        draw_stages([])
    with pytest.raises(DrawingError, match="'down' or 'right', got 'left'"):
        draw_stages([("a", SMALL)], direction="left")  # type: ignore[arg-type]
    wide = SRT(30, 0, frozenset({1}), tuple(epsilon(i, j) for i in range(30) for j in range(15)))
    with pytest.raises(LimitError, match="2 automata with 900 edges"):
        draw_stages([("a", wide), ("b", wide)])


def test_registers_are_written_in_the_order_of_their_numbers() -> None:
    writes = frozenset({"r10", "r2", "r1"})
    srt = SRT(2, 0, frozenset({1}), (Transition(0, TOP, Output.SKIP, writes, 1),))
    assert "⊤ ↑ ⊗ ↓ {r1, r2, r10}" in plain(draw(srt).dot)


def test_the_automaton_of_an_expression_without_a_schema() -> None:
    expression = mark(u.a == 1, r1) >> skip().star() >> mark(u.a == r1.a)
    assert repr(draw(expression)) == "<Drawing: SRT with 3 states, 3 transitions, 1 register>"
