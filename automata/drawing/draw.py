"""Drawing anything: the functions that users call."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from mnemata.automata.cea.automaton import CEA
from mnemata.automata.compilation import CompiledPattern, compile_pattern, without_windows
from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.drawing.appearance import Appearance
from mnemata.automata.drawing.cea import draw_cea
from mnemata.automata.drawing.composition import Panel, single, together
from mnemata.automata.drawing.drawing import Drawing
from mnemata.automata.drawing.errors import DrawingError
from mnemata.automata.drawing.legend import LONGEST_GUARD, Notation
from mnemata.automata.drawing.runs import Film
from mnemata.automata.drawing.typesetting import (
    NOTHING,
    WIDEST_LINE,
    Html,
    broken,
    paragraph,
    stacked,
    text,
    words,
)
from mnemata.automata.srt.runs import Run
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.cel.query import Query
from mnemata.theory.errors import MnemataError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Expression, Pattern, registers_of
from mnemata.theory.syntax import show

Drawable: TypeAlias = SRT | Run | CompiledPattern | Pattern | Expression

LONGEST_TITLE: Final = 3 * WIDEST_LINE


def draw(
    subject: Drawable,
    *,
    title: str | None = None,
    names: Mapping[State, str] | None = None,
    clusters: Mapping[str, Collection[State]] | None = None,
    highlighted: Collection[Transition] = (),
    new: Collection[State | Transition] = (),
    states: Collection[State] | None = None,
    ascii: bool = False,
    outputs: bool = True,
    longest: int = LONGEST_GUARD,
    schema: Schema | None = None,
    srt: SRT | None = None,
    attributes: Sequence[str] | None = None,
    configurations: Iterable[int] | None = None,
) -> Drawing:
    """Draw an automaton, a pattern or a run in the paper's notation.

    A transition says ``φ ↑ o ↓ W``: its condition, whether it marks its event (``•``) or passes over it
    (``⊗``), and the registers that it writes. Registers are dashed boxes, final states have a double line.

    Parameters
    ----------
    subject : SRT, Run, CompiledPattern, Pattern or Expression
        What to draw. Of a pattern the automaton is drawn; windows around the whole pattern are not part of
        it and stand in the title. Of a run one frame for each configuration is drawn (SRT Fig. 2).
    title : str, optional
        Above the picture; a pattern is its own title.
    names : mapping from State to str, optional
        Names of states, such as ``q_{s,1}``; the others are named ``q_s``, ``q_f`` and by number.
    clusters : mapping from str to collection of State, optional
        Titled boxes around sub-automata; they lie apart or inside one another.
    highlighted : collection of Transition
        Drawn in red.
    new : collection of State and Transition
        Drawn in blue (Fig. 3).
    states : collection of State, optional
        Draw only these.
    ascii : bool
        Spell the symbols in ASCII: ``^ o v r1``.
    outputs : bool
        Leave ``↑ o`` out when false (Fig. 5).
    longest : int
        Characters; longer conditions are named ``φ1(~, r1)`` and defined in a legend.
    schema : Schema, optional
        For a pattern: compile it against this schema. Without it the automaton is that of the text alone.
    srt : SRT
        For a run: the automaton that it is a run of.
    attributes : sequence of str, optional
        For a run: the attributes of events that are shown.
    configurations : iterable of int, optional
        For a run: the configurations that get a frame, counted from 1.

    Raises
    ------
    DrawingError
        `names`, `clusters`, `highlighted`, `new` or `states` do not fit the automaton.
    LimitError
        More than 5000 pairs of states are joined by transitions. Beyond 1000 the guards are left out.

    Examples
    --------
    >>> from mnemata.theory.sremo.expressions import mark
    >>> draw(mark(write="r1") >> mark())
    <Drawing: SRT with 3 states, 2 transitions, 1 register>
    """
    appearance = Appearance(names or {}, clusters or {}, highlighted, new, states)
    notation = Notation(ascii, outputs, longest)
    if isinstance(subject, Run):
        if srt is None:
            raise DrawingError("a run is drawn on its automaton; name it with srt=...")
        film = Film(srt, subject, appearance, notation, attributes, configurations)
        return film.picture(title or "")
    automaton = _automaton(subject, schema)
    heading = _heading(subject, notation) if title is None else paragraph(title)
    return single(Panel(automaton, heading, appearance), notation)


def frames(
    srt: SRT,
    run: Run,
    *,
    names: Mapping[State, str] | None = None,
    ascii: bool = False,
    longest: int = LONGEST_GUARD,
    attributes: Sequence[str] | None = None,
    configurations: Iterable[int] | None = None,
) -> tuple[Drawing, ...]:
    """Draw each configuration of a run by itself; parameters as for `draw`."""
    appearance, notation = Appearance(names or {}), Notation(ascii=ascii, longest=longest)
    return Film(srt, run, appearance, notation, attributes, configurations).frames()


@dataclass(frozen=True, slots=True)
class Stage:
    """An automaton on the way of a construction, with what this step added.

    Parameters are those of `draw`.
    """

    title: str
    srt: SRT
    new: Collection[State | Transition] = ()
    names: Mapping[State, str] = field(default_factory=dict)
    clusters: Mapping[str, Collection[State]] = field(default_factory=dict)
    highlighted: Collection[Transition] = ()
    states: Collection[State] | None = None


def draw_stages(
    stages: Iterable[Stage | tuple[str, SRT]],
    *,
    title: str = "",
    direction: Literal["down", "right"] = "down",
    ascii: bool = False,
    outputs: bool = True,
    longest: int = LONGEST_GUARD,
) -> Drawing:
    """Draw the stages of a construction in one picture with one legend (SRT Fig. 3, 5, 14).

    Parameters
    ----------
    stages : iterable of Stage, or of titles with automata
        In order.
    direction : {"down", "right"}
        Where the next stage goes.
    title, ascii, outputs, longest
        As for `draw`.
    """
    chosen = [stage if isinstance(stage, Stage) else Stage(*stage) for stage in stages]
    panels = [
        Panel(s.srt, text(s.title), Appearance(s.names, s.clusters, s.highlighted, s.new, s.states))
        for s in chosen
    ]
    notation = Notation(ascii, outputs, longest)
    count = f"{len(panels)} automat{'on' if len(panels) == 1 else 'a'}"
    return together(panels, notation, title=paragraph(title), direction=direction, description=count)


def mimebundle(subject: Drawable | CEA) -> dict[str, str]:
    """What a notebook shows for something that can be drawn; where a picture cannot be made, it says why."""
    try:
        drawing = draw_cea(subject) if isinstance(subject, CEA) else draw(subject)
        return drawing._repr_mimebundle_()
    except MnemataError as error:
        return {"text/plain": f"<{type(subject).__name__}> (no picture: {error})"}


def _automaton(subject: SRT | CompiledPattern | Pattern | Expression, schema: Schema | None) -> SRT:
    if isinstance(subject, SRT):
        return subject
    if isinstance(subject, CompiledPattern):
        return subject.srt
    if isinstance(subject, Pattern | Expression):
        if schema is not None:
            return compile_pattern(subject, schema).srt
        expression = subject.expression if isinstance(subject, Pattern) else subject
        return merge_equivalent(thompson(without_windows(expression)[0]).without_epsilon().trim())
    raise DrawingError(
        f"cannot draw {type(subject).__name__}; draw() takes an SRT, a run, a pattern or an expression, and "
        "draw_cea() a complex event automaton"
    )


def _heading(subject: SRT | CompiledPattern | Pattern | Expression, notation: Notation) -> Html:
    """A pattern as its own title, or its name where it is long; its definitions stand in the legend."""
    if isinstance(subject, SRT):
        return NOTHING
    pattern = subject.pattern if isinstance(subject, CompiledPattern) else subject
    if isinstance(pattern, Query):
        return text(pattern.name)
    shown = show(pattern, notation="paper", ascii=notation.ascii).rsplit("\n", 1)[-1]
    if len(shown) <= LONGEST_TITLE:
        registers = registers_of(pattern.expression if isinstance(pattern, Pattern) else pattern)
        return stacked(broken(words(shown, registers, ascii=notation.ascii), WIDEST_LINE), "left")
    return text(pattern.name) if isinstance(pattern, Pattern) else NOTHING
