"""Figures 3 and 11: automata put together from those of their parts, with what each step adds in blue."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Final

from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.drawing import Drawing, Stage, draw_stages
from mnemata.paper_figures.reproductions import caption
from mnemata.paper_figures.srt.streams import TICKS
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import Relation
from mnemata.theory.sremo.expressions import EPSILON, Expression, mark

_tick, _bought = head(TICKS), register("r1", TICKS)
CHEAP: Final = mark((_tick.type == "B") & (_tick.price < 10), _bought)
DEAR: Final = mark((_tick.type == "B") & (_tick.price > 500), _bought)
SOLD: Final = mark((_tick.type == "S") & (_tick.id == _bought.id))
EXPRESSION_4: Final = (CHEAP | DEAR) >> SOLD
"""Bought at a very low or a very high price, then sold."""

_ENDS: Final = ("q_{s,1}", "q_{f,1}", "q_{s,2}", "q_{f,2}")


def figure_3() -> Drawing:
    """The steps that make the SRT of expression (4)."""
    terminals = enumerate((CHEAP, DEAR, SOLD), start=1)
    union = (*_ENDS, "q_{s,4}", "q_{f,4}")
    stages = (
        *(_step(f"(a) φ{n}", part, names=(f"q_{{s,{n}}}", f"q_{{f,{n}}}")) for n, part in terminals),
        _step("(b) the disjunction", CHEAP | DEAR, CHEAP, DEAR, names=union),
        _step("(c) the whole", EXPRESSION_4, CHEAP | DEAR, SOLD, names=(*union, "q_{s,3}", "q_{f,3}")),
    )
    return draw_stages(stages, title=caption("How the SRT of expression (4) is made"), longest=12)


def figure_11() -> Drawing:
    """The six cases of the construction of an SRT from a SREMO."""
    one, two = (mark(Relation(f"φ{number}", 1, bool)("~")) for number in (1, 2))
    phi, new = Relation("φ", 1, bool)("~"), ("q_s", "q_f")
    stages = (
        _step("(a) ε", EPSILON, names=new),
        _step("(b) φ ↑ •", mark(phi), names=new),
        _step("(c) φ ↑ • ↓ w", mark(phi, "w"), names=new),
        _step("(d) e1 · e2", one >> two, one, two, names=_ENDS),
        _step("(e) e1 + e2", one | two, one, two, names=(*_ENDS, *new)),
        _step("(f) e1*", one.star(), one, names=(*_ENDS[:2], *new)),
    )
    return draw_stages(stages, title=caption("The automata of expressions, from those of their parts"))


def _step(title: str, whole: Expression, *parts: Expression, names: tuple[str, ...]) -> Stage:
    """The automaton of `whole`, with what it has besides the automata of its parts, which are boxes."""
    srt, below = thompson(whole), [thompson(part) for part in parts]
    states = [0, *accumulate(part.size for part in below)]
    boxes = {f"T{number}": range(*ends) for number, ends in enumerate(pairwise(states), start=1)}
    added = srt.transitions[sum(len(part.transitions) for part in below) :]
    return Stage(title, srt, (*srt.states[states[-1] :], *added), dict(enumerate(names)), boxes)
