"""``mnemata draw``: the automaton of a pattern as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mnemata.pipeline.command import arguments as given
from mnemata.pipeline.command.inputs import PatternSource, declared_pattern, needed_schema, pattern_source

if TYPE_CHECKING:
    from mnemata.automata.drawing import Drawing
    from mnemata.theory.schema import Schema


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
    language: given.Language = "auto",
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

    A query of complex event logic is drawn as the complex event automaton of its formula, determinized unless
    `--raw`; an expression of core-CEPL as its register match automaton. Both need a schema.
    """
    from mnemata.automata.compilation import compile_pattern, without_windows
    from mnemata.automata.constructions.thompson import thompson
    from mnemata.automata.drawing import draw as drawing_of
    from mnemata.theory.syntax import show

    source = pattern_source(pattern, language=language)
    if source.is_query or source.is_cepl:
        make = _of_query if source.is_query else _of_cepl
        picture = make(source, needed_schema(schema, time, event_type), raw=raw, ascii=ascii)
        typer.echo(f"wrote {picture.save(output)}: {picture.description}")
        return
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


def _of_query(source: PatternSource, schema: Schema, *, raw: bool, ascii: bool) -> Drawing:
    from mnemata.automata.constructions.cea.compilation import compile_cel
    from mnemata.automata.constructions.cea.normal_form import normal_form
    from mnemata.automata.drawing import draw_cea
    from mnemata.theory.cel.query import bind_query, formula_of

    cea = compile_cel(formula_of(bind_query(source.query(schema), schema)), schema).cea
    return draw_cea(cea if raw else normal_form(cea, schema), title=source.name, ascii=ascii)


def _of_cepl(source: PatternSource, schema: Schema, *, raw: bool, ascii: bool) -> Drawing:
    from mnemata.automata.constructions.rma.translation import translate, without_epsilon
    from mnemata.automata.drawing import draw as drawing_of
    from mnemata.theory.syntax import parse_cepl

    query = parse_cepl(source.text, schema=schema, bounded=True)
    made = translate(query.expression, schema)
    return drawing_of((made if raw else without_epsilon(made)).srt, title=source.name, ascii=ascii)
