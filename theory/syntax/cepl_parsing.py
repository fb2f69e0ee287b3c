"""Reading core-CEPL from text."""

from __future__ import annotations

from collections.abc import Iterable

from mnemata.theory.cepl.query import Query
from mnemata.theory.conditions.formulas import Definition, Relation
from mnemata.theory.errors import PatternError
from mnemata.theory.schema import Schema
from mnemata.theory.syntax.cepl_reader import CeplReader
from mnemata.theory.syntax.grammar import check_text, tree_of


def parse_cepl(
    text: str,
    *,
    schema: Schema | None = None,
    relations: Iterable[Relation | Definition] = (),
    bounded: bool = False,
) -> Query:
    """Read an expression of core-CEPL in the notation of the paper.

    Parameters
    ----------
    text : str
        At most `LONGEST_TEXT` characters; NOTATION.md describes the notation.
    schema : Schema, optional
        When given, event types and attributes must exist and types must fit.
    relations : iterable of Relation or Definition
        Relations that the text applies and does not define itself.
    bounded : bool
        Refuse expressions that are not bounded (Def. 2), with the place. By default they are read, as long
        as they are well-formed; only automata and the other languages cannot express them.

    Returns
    -------
    Query
        Not yet bound to the schema.

    Raises
    ------
    PatternSyntaxError
        With line, column and a caret, what was expected instead, and what was probably meant.
    UnknownVariableError
        When it is not well-formed: a filter reads a variable that nothing around it binds.
    UnsupportedError
        When it is not bounded and has to be.
    UnknownEventTypeError, UnknownAttributeError, UnknownRelationError, ConditionTypeError, PatternError
        When the text is well-formed and what it says is not; with the place.
    LimitError
        When the text is longer than `LONGEST_TEXT`, or its definitions rest on one another too deeply.

    Examples
    --------
    >>> parse_cepl("T AS x; H AS y FILTER x.id = y.id WINDOW 3").expression.size
    EventWindow(size=3)
    """
    check_text(text)
    reader = CeplReader(text, schema, relations)
    reader.bounded = bounded
    query = reader.read(tree_of(text, "cepl"))
    if not isinstance(query, Query):
        raise PatternError("the text is not a query")
    return query
