"""Reading formulas and queries of complex event logic from text."""

from __future__ import annotations

from collections.abc import Iterable

from mnemata.theory.cel.predicates import SetRelation
from mnemata.theory.cel.query import Query
from mnemata.theory.conditions.formulas import Definition, Relation
from mnemata.theory.errors import PatternError
from mnemata.theory.schema import Schema
from mnemata.theory.syntax.cel_reader import CelReader
from mnemata.theory.syntax.grammar import check_text, tree_of


def parse_cel(
    text: str,
    *,
    schema: Schema | None = None,
    relations: Iterable[Relation | Definition | SetRelation] = (),
) -> Query:
    """Read a formula of complex event logic, or a query in the style of CEQL.

    Parameters
    ----------
    text : str
        At most `LONGEST_TEXT` characters; NOTATION.md describes both notations, which may be mixed. What
        begins with ``SELECT`` is a query, anything else a formula.
    schema : Schema, optional
        When given, event types and attributes must exist and types must fit.
    relations : iterable of Relation, Definition or SetRelation
        Relations that the text applies and does not define itself.

    Returns
    -------
    Query
        Not yet bound to the schema (`bind_query`). A formula alone selects everything.

    Raises
    ------
    PatternSyntaxError
        With line, column and a caret, what was expected instead, and what was probably meant.
    UnknownEventTypeError, UnknownVariableError, UnknownAttributeError, UnknownRelationError,
    ConditionTypeError, PatternError
        When the text is well-formed and what it says is not; with the place.
    LimitError
        When the text is longer than `LONGEST_TEXT`, or its definitions rest on one another too deeply.

    Examples
    --------
    >>> query = parse_cel("SELECT NEXT x WHERE SELL AS x; BUY FILTER x[price > 10] WITHIN 5 seconds")
    >>> query.selection, query.variables, query.within
    (NEXT, ('x',), TimeWindow(duration=Duration(5, 's')))
    >>> parse_cel("SELL IN x; BUY FILTER x.price > 10").formula == query.formula
    True
    """
    check_text(text)
    query = CelReader(text, schema, relations).read(tree_of(text, "cel"))
    if not isinstance(query, Query):
        raise PatternError("the text is not a query")
    return query
