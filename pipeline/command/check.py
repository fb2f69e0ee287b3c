"""``mnemata check``: what is wrong with a pattern, or may be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from mnemata.pipeline.command import arguments as given
from mnemata.pipeline.command.inputs import declared_pattern, needed_schema, pattern_source
from mnemata.pipeline.command.problems import exit_code
from mnemata.theory.errors import PatternError, UnsupportedError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemata.pipeline.findings import Finding


def check(
    pattern: given.PatternText,
    schema: given.SchemaFile = None,
    time: given.TimeAttribute = None,
    event_type: given.EventType = None,
    language: given.Language = "auto",
    as_json: given.AsJson = False,
) -> None:
    """Check a pattern against a schema, without a stream.

    Errors: syntax, names, types. Warnings: conditions that never hold, registers that are never read or
    always empty, matches that are never reported. Each with its place in the text. Exit code 0 when there is
    neither (there may be remarks), 1 with warnings, 3 and more with errors.

    **Example**

    - `mnemata check "any(SELL as s, BUY where price > s.prize)" --schema ticks.json`
    """
    found, code = _findings(pattern, schema, time, event_type, language)
    if as_json:
        typer.echo(json.dumps([finding.to_json() for finding in found], ensure_ascii=False, indent=2))
    else:
        _show(found, pattern_source(pattern).text)
    raise typer.Exit(code)


def _findings(
    pattern: str, schema: Path | None, time: str | None, event_type: str | None, language: str
) -> tuple[list[Finding], int]:
    from mnemata.pipeline.findings import Level, error_found, findings, findings_of_query

    source = pattern_source(pattern, language=language)
    try:
        if source.is_query or source.is_cepl:
            declared = needed_schema(schema, time, event_type)
            found = list(findings_of_query(source.meaning(declared), declared))
        else:
            found = list(findings(*declared_pattern(pattern, schema, time, event_type)))
    except (PatternError, UnsupportedError) as error:
        return [error_found(error)], exit_code(error)
    levels = {finding.level for finding in found}
    return found, 3 if Level.ERROR in levels else 1 if Level.WARNING in levels else 0


def _show(found: list[Finding], text: str) -> None:
    from rich.console import Console
    from rich.text import Text

    styles = {"error": "bold red", "warning": "bold yellow", "info": "bold blue"}
    console = Console(highlight=False, soft_wrap=True)
    for finding in found:
        level = finding.level.value
        console.print(Text.assemble((f"{level}: ", styles[level]), finding.shown(text)))
    if not any(finding.level.value in ("error", "warning") for finding in found):
        console.print("the pattern is fine")
