"""The report in HTML: one file, pictures and style included."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from mnemata.proofs.evidence import Effort, Outcome
from mnemata.proofs.mutation.table import HEADER, rows, score, survivors
from mnemata.proofs.mutation.trials import Trial
from mnemata.proofs.report.accounts import Account, Weighing
from mnemata.proofs.report.markdown import (
    MUTANTS_ABOUT,
    MUTANTS_TITLE,
    TITLE,
    effort_text,
    outcome_text,
    verdict_text,
)
from mnemata.proofs.report.mathematics import mathml
from mnemata.proofs.report.pictures import Picture
from mnemata.proofs.report.specimens import Specimen, Table
from mnemata.proofs.report.style import STYLE
from mnemata.proofs.report.summary import counted, evidence_text, left_out_text
from mnemata.proofs.results import Standing

_CLASSES: Final = {
    Standing.HOLDS: "holds",
    Standing.REPAIRED: "repaired",
    Standing.REFUTED: "refuted",
    Standing.UNKNOWN: "unknown",
    None: "unknown",
}
_OUTCOMES: Final = {Outcome.HOLDS: "holds", Outcome.FAILS: "refuted", Outcome.UNKNOWN: "unknown"}


def html(accounts: Sequence[Account], effort: Effort, trials: Sequence[Trial] = ()) -> str:
    """The whole report as one page."""
    body = "\n".join(
        (
            f"<h1>{escape(TITLE)}</h1>",
            f"<p>{escape(counted(accounts))}.</p>",
            f"<p>{escape(effort_text(effort))}</p>",
            _overview(accounts),
            *map(_section, accounts),
            *_mutants(trials),
        )
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(TITLE)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _overview(accounts: Iterable[Account]) -> str:
    header = ("result", "about", "verdict", "evidence", "errata", "s")
    overview = (
        (
            f'<a href="#{one.id}">{escape(f"{one.paper} {one.place}")}</a>',
            escape(one.title),
            _badge(one),
            "<br>".join(escape(part) for part in _evidence(one)),
            escape(", ".join(one.errata)),
            f"{one.seconds:.1f}",
        )
        for one in accounts
    )
    return _table(header, overview, numbers={5})


def _evidence(account: Account) -> list[str]:
    return [part for part in (*evidence_text(account).split("; "), left_out_text(account)) if part]


def _badge(account: Account) -> str:
    shown = _CLASSES[account.standing] if account.as_expected else "refuted"
    return f'<span class="verdict {shown}">{escape(verdict_text(account))}</span>'


def _table(
    header: Sequence[str],
    lines: Iterable[Sequence[str]],
    *,
    kind: str = "",
    numbers: frozenset[int] | set[int] = frozenset(),
) -> str:
    """A table of cells that are HTML already."""
    look = [' class="number"' if i in numbers else "" for i in range(len(header))]
    head = "".join(f"<th{look[i]}>{escape(name)}</th>" for i, name in enumerate(header))
    body = "\n".join(
        f"<tr>{''.join(f'<td{look[i]}>{content}</td>' for i, content in enumerate(row))}</tr>"
        for row in lines
    )
    opening = f'<table class="{kind}">' if kind else "<table>"
    return f"{opening}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _section(account: Account) -> str:
    title = escape(f"{account.paper} {account.place}: {account.title}")
    about = [_badge(account), escape(left_out_text(account))]
    about += [escape(f"errata {', '.join(account.errata)}")] if account.errata else []
    parts = [
        f'<h2 id="{account.id}">{title}</h2>',
        f"<p>{' &nbsp; '.join(filter(None, about))}</p>",
        f'<p class="statement">{escape(account.statement)}</p>',
        mathml(account.latex),
    ]
    if account.constructions:
        named = ", ".join(f"<code>{escape(name)}</code>" for name in account.constructions)
        parts.append(f"<p>Constructions: {named}</p>")
    if account.weighings:
        header = ("evidence", "reading", "claim", "outcome", "tried, or size")
        parts.append(_table(header, map(_row, account.weighings), kind="evidence"))
    if account.remark:
        parts.append(f'<p class="remark">{escape(account.remark)}</p>')
    parts += [_specimen(one, one.specimen) for one in account.weighings if one.specimen is not None]
    inside = "\n".join(parts)
    return f"<section>\n{inside}\n</section>"


def _mutants(trials: Sequence[Trial]) -> Iterator[str]:
    if trials:
        yield f"<h2>{escape(MUTANTS_TITLE)}</h2>\n<p>{escape(MUTANTS_ABOUT)}</p>"
        yield f"<p>{escape(score(trials))}.</p>"
        yield _table(HEADER, ([escape(text) for text in row] for row in rows(trials)))
        yield _definitions(survivors(trials), plain=True)


def _row(one: Weighing) -> tuple[str, ...]:
    name = f"{one.name} ({one.source})" if one.source else one.name
    outcome = f'<span class="verdict {_OUTCOMES[one.outcome]}">{escape(outcome_text(one))}</span>'
    return escape(one.strength.value), escape(one.reading.value), escape(name), outcome, escape(one.numbers)


def _specimen(one: Weighing, found: Specimen) -> str:
    parts = [f"<h3>A counterexample to “{escape(one.name)}”</h3>", _definitions(found.parts)]
    parts += [_stream(stream) for stream in found.streams]
    parts += [_definitions(found.verdicts), *map(_figure, found.pictures)]
    return "\n".join(filter(None, parts))


def _definitions(labelled: Iterable[tuple[str, str]], *, plain: bool = False) -> str:
    opening, closing = ("", "") if plain else ("<code>", "</code>")
    inside = "\n".join(
        f"<dt>{escape(label)}</dt><dd>{opening}{escape(text)}{closing}</dd>" for label, text in labelled
    )
    return f"<dl>\n{inside}\n</dl>" if inside else ""


def _stream(stream: Table) -> str:
    cells = ([escape(text) for text in row] for row in stream.rows)
    return _table((stream.title, *stream.columns[1:]), cells, kind="stream")


def _figure(picture: Picture) -> str:
    caption = escape(picture.caption)
    data = b64encode(picture.svg.encode("utf-8")).decode("ascii")
    image = f'<img alt="{caption}" src="data:image/svg+xml;base64,{data}">\n' if data else ""
    return f"<figure>\n<figcaption>{caption}</figcaption>\n{image}</figure>"
