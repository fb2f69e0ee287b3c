"""``mnemata draw``: the automaton of a pattern as a picture."""

from __future__ import annotations

from typing import Annotated

import typer

from mnemata.pipeline.command import arguments as given
from mnemata.pipeline.command.inputs import declared_pattern


def draw(
    pattern: given.PatternText,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The picture: .svg, .png, .pdf or .dot.",
            show_default=False,
        ),
    ],
    schema: given.SchemaFile = None,
    time: given.TimeAttribute = None,
    event_type: given.EventType = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Draw the automaton as it is built, with its epsilon transitions.")
    ] = False,
    ascii: Annotated[bool, typer.Option("--ascii", help="Spell the symbols in ASCII.")] = False,
) -> None:
    """Draw the automaton of a pattern.

    A transition says `condition ↑ output ↓ registers`: what it asks of the event, whether the event is part
    of the match (•) or passed over (⊗), and where it is remembered.

    **Example**

    - `mnemata draw "any(SELL as s, BUY where price > s.price)" -o automaton.svg`
    """
    from mnemata.automata.compilation import compile_pattern, without_windows
    from mnemata.automata.constructions.thompson import thompson
    from mnemata.automata.drawing import draw as drawing_of
    from mnemata.theory.syntax import show

    located, declared = declared_pattern(pattern, schema, time, event_type)
    meant = located.pattern
    if raw:
        built = thompson(without_windows(meant.expression)[0])
        picture = drawing_of(built, title=show(meant, notation="paper", ascii=ascii), ascii=ascii)
    elif declared is not None:
        picture = drawing_of(compile_pattern(meant, declared), ascii=ascii)
    else:
        picture = drawing_of(meant, ascii=ascii)
    path = picture.save(output)
    typer.echo(f"wrote {path}: {picture.description}")
