"""What is written on a transition, and what goes into the legend instead (SRT Fig. 1).

A condition that is too long for its edge is written ``φ1(~, r1)``; the legend says
``φ1(x, y) := x.id = y.id``. Conditions that differ only in their registers share one entry, as in the paper.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from mnemata.automata.drawing import style
from mnemata.automata.drawing.typesetting import (
    MOST_LINES,
    NOTHING,
    WIDEST_LINE,
    Html,
    broken,
    condition_text,
    in_order,
    joined,
    name,
    names,
    stacked,
    text,
    words,
)
from mnemata.automata.srt.transducer import Transition
from mnemata.theory.conditions.formulas import Apply, Bottom, Condition, Definition, Top, rename
from mnemata.theory.conditions.terms import HEAD, Register, Variable
from mnemata.theory.sremo.expressions import Output
from mnemata.theory.syntax import show
from mnemata.theory.trees import fold, walk

LONGEST_GUARD: Final = 32
"""Characters of a condition that fit on an edge."""

MOST_ENTRIES: Final = 40
MOST_PARTS: Final = 4000
"""A condition with more parts is not printed at all."""


@dataclass(frozen=True, slots=True)
class Notation:
    """How guards are written.

    Parameters
    ----------
    ascii : bool
        Spell the paper's symbols in ASCII.
    outputs : bool
        Show whether a transition marks its event; output-agnostic automata are drawn without (SRT Fig. 5).
    longest : int
        Conditions of more characters go into the legend; 0 sends all of them there, as in the paper.
    """

    ascii: bool = False
    outputs: bool = True
    longest: int = LONGEST_GUARD

    @property
    def symbols(self) -> Mapping[str, str]:
        """Spellings of the paper's symbols."""
        return _ASCII if self.ascii else _PAPER


_PAPER: Final = {"up": "↑", "down": "↓", "epsilon": "ε", "phi": "φ", "•": "•", "⊗": "⊗", "...": "…"}
_ASCII: Final = {"up": "^", "down": "v", "epsilon": "eps", "phi": "phi", "•": "o", "⊗": "x", "...": "..."}


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the legend: what is defined, and its definition broken over lines."""

    defined: Html
    body: tuple[Html, ...]


@dataclass(slots=True)
class Legend:
    """The guards of one picture; it grows as transitions are written."""

    registers: Collection[Register]
    notation: Notation = Notation()
    _entries: dict[Condition, Entry] = field(default_factory=dict)
    _printed: dict[Condition, str] = field(default_factory=dict)
    _relations: dict[Definition, None] = field(default_factory=dict)

    def printed(self, condition: Condition | None) -> str:
        """A guard as text."""
        if condition is None:
            return self.notation.symbols["epsilon"]
        if condition not in self._printed:
            self._printed[condition] = _printed(condition, ascii=self.notation.ascii)
        return self._printed[condition]

    def caption(self, transition: Transition) -> Html:
        """``φ ↑ o ↓ W``; writes are left out when there are none, everything but ``ε`` on an epsilon."""
        symbols = self.notation.symbols
        if transition.condition is None:
            return text(symbols["epsilon"])
        parts = [self.guard(transition.condition)]
        if self.notation.outputs:
            output = text(symbols[transition.output.value])
            marking = transition.output is Output.MARK
            parts += [text(symbols["up"]), Html(f"<b>{output}</b>") if marking else output]
        if transition.writes:
            parts += [text(symbols["down"]), names(transition.writes)]
        return joined(parts, " ")

    def table(self) -> Html:
        """The legend as a box, or nothing if no entry is needed."""
        entries = [*self._definitions(), *self._entries.values()]
        rows = [_row(entry) for entry in entries[:MOST_ENTRIES]]
        if len(entries) > MOST_ENTRIES:
            more = f"{self.notation.symbols['...']} and {len(entries) - MOST_ENTRIES} more"
            rows.append(Html(f'<tr><td colspan="2" align="left">{text(more)}</td></tr>'))
        if not rows:
            return NOTHING
        return Html(
            f'<table border="1" cellborder="0" cellspacing="0" cellpadding="2" color="{style.LINE}">'
            f"{joined(rows)}</table>"
        )

    def guard(self, condition: Condition) -> Html:
        """A condition as it is written on an edge; one that is too long goes into the legend."""
        printed = self.printed(condition)
        for part in walk(condition):
            if isinstance(part, Apply) and isinstance(part.relation, Definition):
                self._relations[part.relation] = None
        if len(printed) <= self.notation.longest or isinstance(condition, Top | Bottom):
            return condition_text(printed, self.registers, ascii=self.notation.ascii)
        parameters = _parameters(condition)
        general = rename(condition, parameters)
        if general not in self._entries:
            number = len(self._entries) + 1
            self._entries[general] = self._entry(
                f"{self.notation.symbols['phi']}{number}", general, parameters
            )
        arguments = joined((self._variable(variable) for variable in parameters), ", ")
        head = self._entries[general].defined.split("(", 1)[0]
        return Html(f"{head}({arguments})" if parameters else head)

    def _entry(self, symbol: str, body: Condition, parameters: Mapping[Variable, Variable]) -> Entry:
        variables = list(parameters.values())
        shown = joined((name(variable) for variable in variables), ", ")
        defined = Html(f"{name(symbol)}({shown})") if variables else name(symbol)
        printed = _printed(body, ascii=self.notation.ascii)
        return Entry(defined, self._lines(printed, variables))

    def _definitions(self) -> list[Entry]:
        pending = list(self._relations)
        found: dict[Definition, Entry] = {}
        while pending:
            relation = pending.pop()
            if relation in found:
                continue
            shown = joined((name(parameter) for parameter in relation.parameters), ", ")
            printed = _printed(relation.body, ascii=self.notation.ascii)
            found[relation] = Entry(
                Html(f"{text(relation.name)}({shown})"), self._lines(printed, relation.parameters)
            )
            pending += [
                part.relation
                for part in walk(relation.body)
                if isinstance(part, Apply) and isinstance(part.relation, Definition)
            ]
        return [found[relation] for relation in sorted(found, key=lambda r: (r.name, found[r].body))]

    def _lines(self, printed: str, variables: Collection[Variable]) -> tuple[Html, ...]:
        most = WIDEST_LINE * MOST_LINES
        shortened = printed[:most]
        lines = broken(words(shortened, variables, ascii=self.notation.ascii), WIDEST_LINE)
        if len(printed) > most:
            lines.append(text(f"{self.notation.symbols['...']} ({len(printed):,} characters)"))
        return tuple(lines)

    def _variable(self, variable: Variable) -> Html:
        if variable == HEAD:
            return text("~" if self.notation.ascii else "∼")
        return name(variable)


def _printed(condition: Condition, *, ascii: bool) -> str:
    parts = fold(condition, lambda _node, below: 1 + sum(below))
    if parts > MOST_PARTS:
        return f"[a condition of {parts:,} parts]"
    return show(condition, notation="paper", ascii=ascii)


def _parameters(condition: Condition) -> dict[Variable, Variable]:
    """The variables of a condition in order of appearance, the head first, and names for parameters."""
    found: dict[Variable, None] = {}
    for part in walk(condition):
        if isinstance(part, Apply):
            found |= dict.fromkeys(part.arguments)
        elif hasattr(part, "variable"):
            found[part.variable] = None
    ordered = ([HEAD] if HEAD in found else []) + [variable for variable in found if variable != HEAD]
    few = ("x", "y", "z")
    chosen = few if len(ordered) <= len(few) else [f"x{i}" for i in range(1, len(ordered) + 1)]
    return dict(zip(ordered, chosen, strict=False))


def _row(entry: Entry) -> Html:
    body = stacked(entry.body, "left")
    return Html(
        f'<tr><td align="right" valign="top">{entry.defined} :=</td>'
        f'<td align="left" balign="left" valign="top">{body}</td></tr>'
    )


def drawing_order(transitions: Iterable[Transition], legend: Legend) -> list[Transition]:
    """Transitions in an order that depends on nothing but what they are."""

    def key(transition: Transition) -> tuple[object, ...]:
        writes = in_order(transition.writes)
        printed = legend.printed(transition.condition)
        return (transition.source, transition.target, printed, transition.output.value, writes)

    return sorted(transitions, key=key)
