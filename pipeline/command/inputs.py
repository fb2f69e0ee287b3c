"""From arguments to patterns, schemas and sessions."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from mnemata.pipeline.command import interruption
from mnemata.theory.errors import (
    ConditionTypeError,
    LimitError,
    PatternError,
    PatternSyntaxError,
    SchemaError,
    SourceError,
    UnknownAttributeError,
    UnsupportedError,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mnemata.theory.cel.query import Query
    from mnemata.theory.schema import Schema
    from mnemata.theory.sremo.expressions import Pattern
    from mnemata.theory.syntax import Located
    from mnemata.theory.trees import Node

_LONGEST_PATH = 4096
LANGUAGES: Final = ("auto", "sremo", "cel", "cepl")


@dataclass(frozen=True, slots=True)
class PatternSource:
    """The text of a pattern and what to call the pattern.

    Parameters
    ----------
    text : str
        In either notation.
    name : str
        How results refer to it.
    language : str
        ``"sremo"``, ``"cel"``, ``"cepl"``, or ``"auto"``: what begins with ``SELECT`` is CEL.

    Raises
    ------
    PatternError
        When there is no such language.
    """

    text: str
    name: str = "pattern"
    language: str = "auto"

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise PatternError(f"unknown language '{self.language}'; use {', '.join(LANGUAGES)}")

    @property
    def is_query(self) -> bool:
        """Whether the text is one of complex event logic."""
        from mnemata.theory.syntax import is_query

        return self.language == "cel" or (self.language == "auto" and is_query(self.text))

    @property
    def is_cepl(self) -> bool:
        """Whether the text is one of core-CEPL."""
        return self.language == "cepl"

    def meaning(self, schema: Schema) -> Pattern | Query:
        """The pattern or query; raises `PatternError`, or `UnsupportedError` for what is not bounded."""
        if self.is_query:
            return self.query(schema)
        return self.bounded(schema) if self.is_cepl else self.located(schema).pattern

    def bounded(self, schema: Schema) -> Pattern:
        """A bounded expression of core-CEPL as a pattern."""
        from mnemata.theory.syntax import parse_cepl
        from mnemata.theory.translation import sremo_of

        found = sremo_of(parse_cepl(self.text, schema=schema, bounded=True), schema)
        return replace(found, name=self.name)

    def query(self, schema: Schema | None) -> Query:
        """The query; raises `PatternError`."""
        from mnemata.theory.syntax import parse_cel

        return replace(parse_cel(self.text, schema=schema), name=self.name)

    def located(self, schema: Schema | None, *, event_type: str = "type") -> Located:
        """The pattern, with the places of its parts; raises `PatternError`.

        Without a schema, `event_type` is the attribute that names the kind of an event.
        """
        from mnemata.theory.syntax import parse_located

        if schema is not None:
            self._check_time(schema)
        located = parse_located(self.text, schema=schema, event_type=event_type)
        if located.pattern.name != "pattern":
            return located
        return replace(located, pattern=replace(located.pattern, name=self.name))

    def check_syntax(self) -> None:
        """Raise `PatternSyntaxError` where the text is not a pattern whatever the schema is."""
        from mnemata.theory.syntax import parse_cel, parse_cepl

        read = parse_cel if self.is_query else parse_cepl if self.is_cepl else None
        try:
            if read is None:
                self.located(None)
            else:
                read(self.text)
        except PatternSyntaxError:
            raise
        except PatternError:
            # Names of event types and attributes are looked up once the schema is known.
            pass

    def _check_time(self, schema: Schema) -> None:
        """Say how to name the time on the command line, before theory says how to do it in Python."""
        from mnemata.theory.conditions.terms import Time
        from mnemata.theory.schema import AttributeDeclaration, Schema, Timestamp
        from mnemata.theory.syntax import parse
        from mnemata.theory.trees import walk

        if schema.time is not None:
            return
        clock = AttributeDeclaration("#time", Timestamp("ns"))
        timed = Schema((*schema.attributes, clock), schema.event_type, clock.name)
        try:
            expression = parse(self.text, schema=timed).expression
        except PatternError:
            # Whatever it is, reading the pattern for its own schema will say it.
            return
        if any(isinstance(node, Time) or _in_time(node) for node in walk(expression)):
            raise ConditionTypeError(_time_needed(schema))


def _in_time(node: Node) -> bool:
    from mnemata.theory.sremo.expressions import TimeWindow, Windowed

    return isinstance(node, Windowed) and isinstance(node.window, TimeWindow)


def _time_needed(schema: Schema) -> str:
    from mnemata.theory.schema import Timestamp

    times = [a.name for a in schema.attributes if isinstance(a.type, Timestamp)]
    which = f"such as --time {times[0]}" if times else "with the unit of its ticks if it holds whole numbers"
    return (
        "the pattern measures time, but no attribute orders the stream; name it with --time ATTR[:UNIT], "
        f"{which}"
    )


def pattern_source(argument: str, name: str | None = None, language: str = "auto") -> PatternSource:
    """Read the argument PATTERN: text, or a file that holds it.

    Raises
    ------
    SourceError
        ``@path`` names nothing that can be read.
    """
    path = argument[1:] if argument.startswith("@") and not argument.startswith(("@'", '@"')) else argument
    if path == argument and not _is_file(argument):
        return PatternSource(argument, name or "pattern", language)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SourceError(f"'{path}' is not the text of a pattern: it is not UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError(f"cannot read the pattern in '{path}': {reason}") from None
    return PatternSource(text, name or Path(path).stem, language)


def pattern_sources(
    argument: str, also: Sequence[str], name: str | None = None, language: str = "auto"
) -> list[PatternSource]:
    """Read PATTERN where it may also be a folder of patterns, and ``--also NAME=PATTERN``.

    Raises
    ------
    PatternError
        Two patterns have one name, or one name is given to several.
    SourceError
        A file cannot be read, or a folder holds none.
    """
    first = _in_folder(argument, name, language) if _is_there(argument, os.path.isdir) else []
    found = first or [pattern_source(argument, name, language)]
    for one in also:
        called, equals, pattern = one.partition("=")
        if not equals or not called.strip().isidentifier():
            raise typer.BadParameter(f"another pattern is NAME=PATTERN, got --also {one}")
        found.append(pattern_source(pattern, called.strip(), language))
    called, number = Counter(source.name for source in found).most_common(1)[0]
    if number > 1:
        raise PatternError(f"{number} patterns are called '{called}'; results tell them apart by their names")
    return found


def _in_folder(folder: str, name: str | None, language: str) -> list[PatternSource]:
    if name is not None:
        raise PatternError(f"the patterns in '{folder}' are called by their files; leave out --name")
    files = sorted(file for file in Path(folder).iterdir() if file.is_file() and file.name[0] not in "._")
    if not files:
        raise SourceError(f"the folder '{folder}' holds no patterns; each is a file of its own")
    return [pattern_source(f"@{file}", None, language) for file in files]


@contextmanager
def about_pattern(source: PatternSource, sources: Sequence[PatternSource]) -> Iterator[None]:
    """Let errors say which of several patterns they are about."""
    try:
        yield
    except (PatternError, UnsupportedError, LimitError) as error:
        if len(sources) > 1:
            error.args = (f"pattern '{source.name}': {error}",)
        raise


@contextmanager
def left_out_named(left_out: Sequence[str]) -> Iterator[None]:
    """Let errors about unknown attributes say which columns of the stream are none, and why."""
    try:
        yield
    except UnknownAttributeError as error:
        if left_out:
            first, *others = str(error).split("\n", maxsplit=1)
            error.args = ("\n".join([f"{first} Not an attribute: {'; '.join(left_out)}.", *others]),)
        raise


def _is_file(text: str) -> bool:
    return _is_there(text, os.path.isfile)


def _is_there(text: str, kind: Callable[[str], bool]) -> bool:
    try:
        return len(text) <= _LONGEST_PATH and kind(text)
    except ValueError:
        return False


def schema_from_file(path: Path | None) -> Schema | None:
    """Read the option ``--schema``; raises `SourceError` or `SchemaError`."""
    from mnemata.theory.schema import Schema

    if path is None:
        return None
    try:
        return Schema.from_json(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise SourceError(f"the schema '{path}' is not text in UTF-8") from None
    except OSError as error:
        raise SourceError(f"cannot read the schema '{path}': {error.strerror}") from None


@contextmanager
def session(master: str | None, settings: Sequence[str]) -> Iterator[SparkSession]:
    """Spark for one command; stopped at the end unless it ran before."""
    from mnemata.pipeline.requirements import check_versions

    check_versions()  # before what another Spark does not have is imported
    from pyspark.sql import SparkSession

    from mnemata.pipeline.session import spark_session, stop

    running, chosen = SparkSession.getActiveSession(), _settings(settings)
    before = {} if running is None else {key: running.conf.get(key, None) for key in chosen}
    spark = spark_session(master, extra_conf=chosen)
    if running is None:
        interruption.expect()
    try:
        yield spark
    finally:
        if running is None:
            interruption.settle(spark)
            stop(spark)
        for key, value in before.items():
            if value is None:
                spark.conf.unset(key)
            elif spark.conf.isModifiable(key):
                spark.conf.set(key, value)


def _settings(settings: Sequence[str]) -> dict[str, str]:
    # Attributes are told apart by case, so columns have to be.
    chosen = {"spark.sql.caseSensitive": "true"}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise typer.BadParameter(f"a setting of Spark is KEY=VALUE, got --conf {setting}")
        chosen[key] = value
    return chosen


def declared_pattern(
    pattern: str, path: Path | None, time: str | None, event_type: str | None
) -> tuple[Located, Schema | None]:
    """The pattern and its schema, by the options of commands that read no stream."""
    source, schema = pattern_source(pattern), declared_schema(path, time, event_type)
    if schema is None:
        return source.located(None, event_type=event_type or "type"), None
    return source.located(schema), schema


def needed_schema(path: Path | None, time: str | None, event_type: str | None) -> Schema:
    """The same for languages whose texts mean something only with the types of events."""
    schema = declared_schema(path, time, event_type)
    if schema is None:
        raise SchemaError("what the text means depends on the types of events; give them with --schema")
    return schema


def declared_schema(path: Path | None, time: str | None, event_type: str | None) -> Schema | None:
    """The schema, by the options of commands that read no stream."""
    from mnemata.pipeline.sources.options import SourceOptions, with_overrides

    schema = schema_from_file(path)
    if schema is None and time:
        raise SchemaError("--time names an attribute of a schema; give that with --schema")
    return schema and with_overrides(schema, SourceOptions(time=time, event_type=event_type))
