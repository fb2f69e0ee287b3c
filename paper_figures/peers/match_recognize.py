"""Patterns as MATCH_RECOGNIZE, in the dialects of Esper and of Flink SQL.

Row patterns are contiguous. What may lie between two events of skip-till-any is a variable without
definition, which every event satisfies: ``any(a, b)`` becomes ``A S* B``, ``any(a+)`` becomes
``(A (S* A)*)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NoReturn

from mnemata.paper_figures.peers.chains import bounded, called
from mnemata.paper_figures.peers.conditions import SQL, Dialect, written
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.theory.conditions.formulas import Condition, registers
from mnemata.theory.conditions.terms import HEAD, Register, Term, Variable
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import (
    Concatenation,
    Expression,
    Optional,
    Output,
    Pattern,
    Plus,
    Repeat,
    SkipTillAny,
    Star,
    Terminal,
    Union,
    registers_written,
)
from mnemata.theory.trees import Node, fold_occurrences, walk

_REPEATING: Final = (Plus, Star, Optional, Repeat, Union)


@dataclass(frozen=True, slots=True)
class Language:
    """A dialect of MATCH_RECOGNIZE.

    Parameters
    ----------
    dialect : Dialect
        How it writes conditions.
    skips : str
        What lets any events pass; ``{}`` is where a number goes when no variable may stand in two places.
    regular : bool
        Whether it has alternatives, and repeats more than single variables.
    quote : str
        What stands around the name of an attribute.
    """

    dialect: Dialect
    skips: str
    regular: bool
    quote: str = ""

    def refuse(self, construct: str) -> NoReturn:
        """Say what the language lacks."""
        raise InexpressibleError(self.dialect.language, construct)


ESPER: Final = Language(Dialect("MATCH_RECOGNIZE of Esper"), "S*", True)
FLINK: Final = Language(Dialect("MATCH_RECOGNIZE of Flink SQL", real=SQL.real), "S{}*?", False, "`")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a row pattern.

    Parameters
    ----------
    text : str
        As it stands.
    spaced : str or None
        The same, of an iteration, with anything between its rounds.
    """

    text: str
    spaced: str | None = None


class RowPattern:
    """A row pattern and the variables that it uses.

    Parameters
    ----------
    expression : Expression
        Bound to `schema`, made simpler (`mnemata.paper_figures.peers.chains.simpler`).
    schema : Schema
        Of the events.
    language : Language
        What to write it in.
    """

    def __init__(self, expression: Expression, schema: Schema, language: Language) -> None:
        self._schema, self._language = schema, language
        self._holders: dict[Register, str] = {}
        self._skips = 0
        self.marked: list[str] = []
        self.defined: list[str] = []
        self._refuse_conditional_registers(expression)
        self.text = fold_occurrences(expression, self._visit).text

    def _refuse_conditional_registers(self, expression: Expression) -> None:
        for node in walk(expression):
            if isinstance(node, _REPEATING) and registers_written(node):
                self._language.refuse("a register that is written in an iteration or an alternative")

    def _visit(self, node: Node, below: tuple[Part, ...]) -> Part:
        texts = [part.text for part in below]
        match node:
            case Terminal(condition=condition, output=output, write=write):
                name = self._variable(condition, marked=output is Output.MARK)
                if write is not None:
                    self._holders[write] = name
                return Part(name)
            case Concatenation():
                return Part(f"({' '.join(texts)})")
            case SkipTillAny(parts=(_,)):
                return Part(below[0].spaced or texts[0])
            case SkipTillAny():
                return Part(f"({self._with_skips(texts)})")
            case Union() if self._language.regular:
                return Part(f"({' | '.join(texts)})")
            case Plus() | Star() | Optional() | Repeat():
                return self._repeated(node, texts[0])
        return Part("") if isinstance(node, Condition | Term) else self._refuse(node)

    def _refuse(self, node: Node) -> NoReturn:
        self._language.refuse(called(node))

    def _repeated(self, node: Plus | Star | Optional | Repeat, body: str) -> Part:
        if not self._language.regular and not isinstance(node.body, Terminal):
            self._refuse(node)
        spaced = f"({body} ({self._skip()} {body})*)" if self._language.regular else None
        match node:
            case Plus():
                if not self._language.regular:
                    self._language.refuse("an iteration with anything between its events")
                return Part(f"{body}+", spaced)
            case Star():
                # Flink takes as many as it can unless told otherwise, which loses matches of what follows.
                passed_over = isinstance(node.body, Terminal) and node.body.output is Output.SKIP
                reluctant = "?" if passed_over and not self._language.regular else ""
                return Part(f"{body}*{reluctant}", None if spaced is None else f"{spaced}?")
            case Optional():
                return Part(f"{body}?")
            case Repeat(minimum=minimum, maximum=maximum):
                return Part(f"{body}{{{minimum},{'' if maximum is None else maximum}}}")

    def _with_skips(self, texts: list[str]) -> str:
        first, *others = texts
        return " ".join((first, *(f"{self._skip()} {text}" for text in others)))

    def _skip(self) -> str:
        self._skips += 1
        return self._language.skips.format(self._skips)

    def _variable(self, condition: Condition, *, marked: bool) -> str:
        """Define a variable."""
        name = f"{'E' if marked else 'N'}{len(self.defined) + 1}"
        quote = self._language.quote
        for read in sorted(registers(condition) - set(self._holders)):
            self._language.refuse(f"the register '{read}' before it is written")

        def reading(variable: Variable, attribute: str) -> str:
            holder = name if variable == HEAD else self._holders[variable]
            return f"{holder}.{quote}{attribute}{quote}"

        text = written(condition, self._language.dialect, reading, self._schema)
        self.defined.append(f"{name} as {text}")
        if marked:
            self.marked.append(name)
        return name


def esper_query(pattern: Pattern, schema: Schema) -> str:
    """A statement of EPL that finds all matches; its columns are events, or arrays of events.

    Esper finds all matches of a row pattern in the events of a time window, so that events which leave the
    window end partial matches.

    Parameters
    ----------
    pattern : Pattern
        Bound to `schema`.
    schema : Schema
        Of the event type ``Tick``.
    """
    body, window_ns = bounded(pattern, ESPER.dialect.language)
    found = RowPattern(body, schema, ESPER)
    measures = ", ".join(f"{name} as {name.lower()}" for name in found.marked)
    defined = ",\n  ".join(found.defined)
    return (
        f"select * from Tick#ext_timed({schema.time}, {-(-window_ns // 1_000_000)} milliseconds)\n"
        f"match_recognize (\n  measures {measures}\n  all matches\n  after match skip to current row\n"
        f"  pattern ({found.text})\n  define {defined}\n)"
    )


def flink_query(pattern: Pattern, schema: Schema) -> str:
    """A query of Flink SQL over the table ``ticks``; its columns are positions.

    The time attribute of the table is ``event_time``. Flink reports one match for each first row and no more,
    as MATCH_RECOGNIZE is defined; that is not skip-till-any.
    """
    body, window_ns = bounded(pattern, FLINK.dialect.language)
    found = RowPattern(body, schema, FLINK)
    measures = ", ".join(f"{name}.`position` as {name.lower()}" for name in found.marked)
    seconds = f"{-(-window_ns // 1_000_000) / 1000:.3f}"
    defined = ",\n  ".join(found.defined)
    return (
        f"SELECT * FROM ticks MATCH_RECOGNIZE (\n  ORDER BY event_time\n  MEASURES {measures}\n"
        f"  ONE ROW PER MATCH\n  AFTER MATCH SKIP TO NEXT ROW\n"
        f"  PATTERN ({found.text}) WITHIN INTERVAL '{seconds}' SECOND\n  DEFINE {defined}\n)"
    )
