"""Runs as pictures: one frame for each configuration (SRT Fig. 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mnemata.automata.drawing import style
from mnemata.automata.drawing.appearance import Appearance, state_names
from mnemata.automata.drawing.automaton import Moment
from mnemata.automata.drawing.composition import Panel, together
from mnemata.automata.drawing.drawing import Drawing
from mnemata.automata.drawing.errors import DrawingError
from mnemata.automata.drawing.legend import Notation
from mnemata.automata.drawing.typesetting import (
    NOTHING,
    Html,
    coloured,
    event_text,
    in_order,
    joined,
    name,
    paragraph,
    stacked,
    state_name,
    text,
)
from mnemata.automata.srt.configurations import Configuration
from mnemata.automata.srt.runs import Run
from mnemata.automata.srt.transducer import SRT
from mnemata.theory.conditions.terms import Register
from mnemata.theory.sremo.expressions import Output

EVENTS_AROUND: Final = 3
"""Events that a frame shows before and after the one that was read last."""


@dataclass(frozen=True, slots=True)
class Film:
    """A run to be drawn frame by frame.

    The current state is dark gray, the transition that led there red; registers show their contents, and
    below them are the events with what the run has said of each so far.

    Parameters
    ----------
    srt, run : SRT, Run
        The run, and the automaton that it is a run of.
    appearance, notation : Appearance, Notation
        How the automaton is drawn.
    attributes : sequence of str, optional
        The attributes of events that are shown; all by default.
    configurations : iterable of int, optional
        Which configurations get a frame, counted from 1; all by default.
    """

    srt: SRT
    run: Run
    appearance: Appearance = field(default_factory=Appearance)
    notation: Notation = field(default_factory=Notation)
    attributes: Sequence[str] | None = None
    configurations: Iterable[int] | None = None

    def frames(self) -> tuple[Drawing, ...]:
        """One drawing for each configuration."""
        count = len(self.run.configurations)
        return tuple(
            together([panel], self.notation, description=f"configuration {number} of {count}")
            for number, panel in self._panels()
        )

    def picture(self, title: str = "") -> Drawing:
        """All frames in one drawing, one below the other."""
        count = len(self.run.configurations)
        return together(
            [panel for _, panel in self._panels()],
            self.notation,
            title=paragraph(title),
            description=f"a run of {count} configuration{'' if count == 1 else 's'}",
        )

    def _panels(self) -> Iterator[tuple[int, Panel]]:
        for transition in self.run.transitions:
            if transition not in self.srt.transitions:
                raise DrawingError(f"the run takes {transition!r}, which the automaton does not have")
        count = len(self.run.configurations)
        for number in range(1, count + 1) if self.configurations is None else self.configurations:
            if not 1 <= number <= count:
                raise DrawingError(f"the run has configurations 1 to {count}, not {number}")
            yield number, self._panel(number - 1)

    def _panel(self, step: int) -> Panel:
        here = self.run.configurations[step]
        taken = self.run.transitions[step - 1 : step] if step else ()
        appearance = replace(self.appearance, highlighted=taken)
        moment = Moment(here.state, self._contents(here))
        return Panel(self.srt, self._title(step), appearance, moment, self._events(step))

    def _contents(self, here: Configuration) -> dict[Register, Html]:
        return {register: event_text(event, self.attributes) for register, event in here.valuation.items()}

    def _title(self, step: int) -> Html:
        """The configuration as in Def. 23, and at the end what became of the run."""
        here = self.run.configurations[step]
        names = state_names(self.srt) | dict(self.appearance.names)
        parts = [text(str(here.index)), state_name(names[here.state]), self._valuation(here)]
        shown = Html(f"&#91;{joined(parts, ', ')}&#93;")
        if step + 1 < len(self.run.configurations) or not self.run.accepting(self.srt):
            return shown
        marks = ", ".join(map(str, sorted(self.run.marks)))
        return Html(f"{shown} &#160; <b>accepting</b>, match {{{marks}}}")

    def _valuation(self, here: Configuration) -> Html:
        registers = in_order(self.srt.registers)
        contents = self._contents(here)
        if len(registers) < 2:
            return contents.get(registers[0], Html("#")) if registers else Html("#")
        return joined((Html(f"{name(r)} = {contents.get(r, '#')}") for r in registers), ", ")

    def _events(self, step: int) -> Html:
        """The events around the one read last: position, values, and the output once it was read."""
        string = self.run.string
        consumed = self.run.configurations[step].index - 1
        outputs = self._outputs(step)
        read_now = consumed - 1 if step and not self.run.transitions[step - 1].is_epsilon else None
        first = max(0, consumed - 1 - EVENTS_AROUND)
        last = min(len(string), max(consumed, 1) + EVENTS_AROUND)
        gap = Html(f"<td>{coloured(text(self.notation.symbols['...']), style.FAINT)}</td>")
        cells = [self._event(i, outputs.get(i), read_now=i == read_now) for i in range(first, last)]
        cells = [*([gap] if first else []), *cells, *([gap] if last < len(string) else [])]
        if not cells:
            return NOTHING
        table = '<table border="0" cellborder="0" cellspacing="4" cellpadding="3">'
        return Html(f"{table}<tr>{joined(cells)}</tr></table>")

    def _outputs(self, step: int) -> dict[int, Output]:
        """What the run has said of each event so far, by index in its string."""
        steps = zip(self.run.configurations, self.run.transitions[:step], strict=False)
        return {here.index - 1: t.output for here, t in steps if not t.is_epsilon}

    def _event(self, i: int, output: Output | None, *, read_now: bool) -> Html:
        event = self.run.string[i]
        content = Html(f"{event.position}: {event_text(event, self.attributes)}")
        symbol = Html("&#160;")
        if output is None:
            content = coloured(content, style.FAINT)
        else:
            symbol = Html(f"<b>{text(self.notation.symbols[output.value])}</b>")
        colour = style.RED if read_now else style.PALE
        fill = f' bgcolor="{style.MARKED}"' if output is Output.MARK else ""
        return Html(f'<td border="2" color="{colour}"{fill}>{stacked([content, symbol])}</td>')
