"""Every example in NOTATION.md is read, and examples that belong together mean the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import mnemata.theory.syntax as syntax
from mnemata.theory.cel.predicates import SetRelation
from mnemata.theory.cel.query import formula_of
from mnemata.theory.conditions.formulas import DEEPEST_DEFINITION, LARGEST_DEFINITION
from mnemata.theory.schema import Bool, Category, Float64, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.syntax import LONGEST_TEXT, parse, parse_cel, parse_cepl, show, show_cel, show_cepl
from mnemata.theory.syntax.lexicon import RESERVED, RESERVED_IN_CEL, RESERVED_IN_CEPL

NOTATION = (Path(syntax.__file__).parent / "NOTATION.md").read_text(encoding="utf-8")
STOCKS = Schema.of(
    type=String(),
    name=String(),
    id=Int64(),
    price=Float64(),
    volume=Int64(),
    urgent=Bool(),
    at=Timestamp("ms"),
    event_type="type",
    time="at",
)
BLOCKS = re.findall(r"^```([\w-]+)\n(.*?)\n```$", NOTATION, re.DOTALL | re.MULTILINE)
STYLES = {"paper": ("paper", False), "ascii": ("paper", True), "readable": ("readable", False)}


def _groups() -> list[list[tuple[str, str]]]:
    """Blocks that follow one another with nothing in between say the same."""
    pieces = re.split(r"^```([\w-]+)\n(.*?)\n```$", NOTATION, flags=re.DOTALL | re.MULTILINE)
    groups: list[list[tuple[str, str]]] = []
    for prose, kind, text in zip(pieces[0::3], pieces[1::3], pieces[2::3], strict=False):
        if kind not in (*STYLES, "also"):
            continue
        if prose.strip() and kind != "also":
            groups.append([])
        groups[-1].append((kind, text))
    return groups


def _schema(text: str) -> Schema | None:
    return None if "stock price" in text else STOCKS


@pytest.mark.parametrize("group", _groups(), ids=lambda group: group[0][1][:30])
def test_blocks_that_belong_together_mean_the_same(group: list[tuple[str, str]]) -> None:
    patterns = [parse(text, schema=_schema(text)) for _, text in group]
    assert all(pattern == patterns[0] for pattern in patterns)


@pytest.mark.parametrize(("kind", "text"), [block for block in BLOCKS if block[0] in STYLES])
def test_blocks_are_canonical(kind: str, text: str) -> None:
    notation, ascii = STYLES[kind]
    pattern = parse(text, schema=_schema(text))
    assert show(pattern, notation=notation, ascii=ascii, schema=_schema(text)) == text


def _rows(heading: str) -> list[list[str]]:
    section = NOTATION.split(f"\n{heading}\n")[1].split("\n#")[0]
    rows = re.findall(r"^\|(.*)\|$", section, re.MULTILINE)
    cells = [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)] for row in rows]
    return [row for row in cells if "`" in row[-1]]


PAPER = {"e1": "(⊤ ↑ •)", "e2": "(~.id = 2 ↑ ⊗)", "e": "(⊤ ↑ ⊗)", "φ": "~.id = 1"}
READABLE = {"e1": "event", "e2": "(skip event where id = 2)", "e": "(skip event)", "φ": "id = 1"}


def _meant(cell: str, meanings: dict[str, str]) -> Pattern:
    text = cell.strip("`")
    for name, meaning in meanings.items():
        text = re.sub(rf"(?<![\w'.~]){name}(?![\w.(])", lambda _: meaning, text)  # noqa: B023
    return parse(text, schema=STOCKS)


@pytest.mark.parametrize("row", _rows("## Expressions"), ids=lambda row: row[0])
def test_columns_of_the_table_of_expressions_agree(row: list[str]) -> None:
    meaning, paper, ascii, readable = row
    pattern = _meant(paper, PAPER)
    assert _meant(ascii, PAPER) == pattern, meaning
    assert _meant(readable, READABLE) == pattern, meaning
    assert ascii.replace("φ", "").isascii()


@pytest.mark.parametrize("row", _rows("## Conditions"), ids=lambda row: row[0])
def test_columns_of_the_tables_of_conditions_agree(row: list[str]) -> None:
    spellings = [cell.strip("`").replace("φ", "~.id = 1") for cell in row[1:]]
    texts = [f"(⊤ ↑ ⊗ ↓ r) · (({spelling}) ↑ •)" for spelling in spellings]
    texts += [f"skip event as r; event where {spelling}" for spelling in spellings]
    patterns = [parse(text, schema=STOCKS) for text in texts]
    assert all(pattern == patterns[0] for pattern in patterns)


def test_the_tables_were_found() -> None:
    assert len(_rows("## Expressions")) == 22
    assert len(_rows("## Conditions")) == 19
    assert len(_groups()) == 6


def test_reserved_words_are_those_of_the_lexicon() -> None:
    (words,) = (text for kind, text in BLOCKS if kind == "reserved")
    assert tuple(words.split()) == RESERVED
    (words,) = (text for kind, text in BLOCKS if kind == "reserved-in-cel")
    assert tuple(words.split()) == RESERVED_IN_CEL
    (words,) = (text for kind, text in BLOCKS if kind == "reserved-in-cepl")
    assert tuple(words.split()) == RESERVED_IN_CEPL


def test_limits_are_those_of_the_code() -> None:
    for limit in (LONGEST_TEXT, DEEPEST_DEFINITION, LARGEST_DEFINITION):
        assert f"{limit:,}" in NOTATION


# Complex event logic.

SENSORS = Schema.of(
    type=Category(("T", "H")), id=Int64(), value=Int64(), at=Timestamp("ms"), event_type="type", time="at"
)
RISES = SetRelation("Rises", 2, lambda x, y: len(x) < len(y))


def test_a_formula_and_a_query_mean_the_same() -> None:
    (formula,) = (text for kind, text in BLOCKS if kind == "cel")
    (query,) = (text for kind, text in BLOCKS if kind == "ceql")
    read = parse_cel(query, schema=SENSORS)
    assert formula_of(read) == parse_cel(formula, schema=SENSORS).formula
    assert show_cel(read, notation="ceql") == query
    assert show_cel(read) == formula.replace("(T IN x; H IN y)", "T IN x; H IN y")


@pytest.mark.parametrize("row", _rows("## Complex event logic"), ids=lambda row: row[0])
def test_columns_of_the_table_of_formulas_agree(row: list[str]) -> None:
    texts = [re.sub(r"\bf\b", "T", re.sub(r"\bg\b", "H", cell.strip("`"))) for cell in row[1:]]
    paper, ceql = (parse_cel(text, schema=SENSORS) for text in texts)
    assert paper == ceql
    assert show_cel(paper) == texts[0]


def test_the_filters_are_read_and_written() -> None:
    filters = re.findall(r"^\|(.*?)\|", NOTATION.split("### Filters")[1].split("###")[0], re.MULTILINE)
    spellings = [text for cell in filters for text in re.findall(r"`(.*?)`", cell)]
    assert len(spellings) == 13
    for text in spellings:
        query = parse_cel(f"T IN x; H IN y FILTER {text}", schema=SENSORS, relations=[RISES])
        again = parse_cel(show_cel(query), schema=SENSORS, relations=[RISES])
        assert again == query
        assert show_cel(query).endswith(text) or text == "x[value > 40]" or "[not" in text


# Core-CEPL.


def _core_cepl() -> list[str]:
    section = NOTATION.split("## Core-CEPL")[1].split("\n## ")[0]
    cells = re.findall(r"^\|[^|]*\| `(.*)` \|$", section, re.MULTILINE)
    return [*cells, *(text for kind, text in BLOCKS if kind == "cepl")]


@pytest.mark.parametrize("text", _core_cepl())
def test_core_cepl_is_read_and_written(text: str) -> None:
    query = parse_cepl(text, schema=SENSORS, bounded=True)
    assert show_cepl(query) == text


def test_the_examples_of_core_cepl_were_found() -> None:
    assert len(_core_cepl()) == 9
