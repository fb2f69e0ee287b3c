"""Formulas, predicates and queries of complex event logic as text."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, Literal, TypeAlias

from mnemata.theory.cel.formulas import (
    All,
    And,
    Contiguous,
    ContiguousIteration,
    Filter,
    Formula,
    In,
    Iteration,
    Last,
    Max,
    Nxt,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Strict,
    Unless,
    Window,
    Within,
)
from mnemata.theory.cel.predicates import (
    AllOf,
    AnyOf,
    Compared,
    Each,
    ForAll,
    ForSome,
    Holds,
    Measure,
    Negated,
    Predicate,
    SetRelation,
)
from mnemata.theory.cel.query import Consumption, Query, Selection, formula_of
from mnemata.theory.conditions.formulas import Apply, Comparison, Condition, Membership, registers, rename
from mnemata.theory.conditions.terms import HEAD
from mnemata.theory.errors import PatternError, UnsupportedError
from mnemata.theory.sremo.bounds import EventWindow
from mnemata.theory.syntax.condition_printer import (
    CONDITIONS,
    Binding,
    Piece,
    Pieces,
    Printer,
    Style,
    flat,
    joined,
    relation_text,
)
from mnemata.theory.syntax.filter_reader import BUILT_IN_FILTERS
from mnemata.theory.syntax.printing import definition_text, definitions
from mnemata.theory.trees import Node, fold, walk

CelNotation: TypeAlias = Literal["paper", "ceql"]

_UNITS: Final = {"s": "seconds", "min": "minutes", "h": "hours"}


class Grip(IntEnum):
    """How tightly a formula holds together; what binds less is put in parentheses."""

    WINDOW = 0
    FILTER = 1
    UNLESS = 2
    OR = 3
    AND = 4
    ALL = 5
    SEQUENCING = 6
    CONTIGUOUS = 7
    BINDING = 8
    POSTFIX = 9


def show_cel(
    what: Query | Formula | Predicate, *, notation: CelNotation = "paper", ascii: bool = False
) -> str:
    """Write a query, a formula or a predicate as text.

    Parameters
    ----------
    what : Query, Formula or Predicate
        In the notation of CEQL a formula alone is written as the query that selects everything.
    notation : {"paper", "ceql"}
        ``"paper"`` writes the query as one formula (`formula_of`), followed by what no formula can say:
        ``PARTITION BY`` and ``CONSUME BY``. ``"ceql"`` writes ``SELECT ... FROM ... WHERE ...``.
    ascii : bool
        Write ASCII characters only; this concerns quoted texts and names.

    Returns
    -------
    str
        `parse_cel` reads it back: from CEQL to an equal query (whose name is not part of the text), from the
        paper's notation to a query with an equal formula, given every relation that it applies.

    Raises
    ------
    PatternError
        When two different relations share a name: no text can say that.

    Examples
    --------
    >>> from mnemata.theory.cel.predicates import for_all
    >>> from mnemata.theory.conditions.building import register
    >>> found = (Relation("T") >> Relation("H").bound_to("x")).filter(for_all(register("x").value < 25))
    >>> show_cel(found)
    'T; H IN x FILTER x.value < 25'
    >>> show_cel(found, notation="ceql")
    'SELECT * WHERE T; H AS x FILTER x[value < 25]'
    """
    if notation not in ("paper", "ceql"):
        raise PatternError(f"unknown notation {notation!r}; use 'paper' or 'ceql'")
    writer = _Writer(notation, ascii)
    if isinstance(what, Predicate):
        return writer.text(what)
    query = Query(what) if isinstance(what, Formula) else what
    whole = formula_of(query)
    _check_set_relations(whole)
    lines = [definition_text(definition, writer.style) for definition in definitions(whole)]
    return "\n".join([*lines, writer.query(query) if notation == "ceql" else writer.formula(query)])


def _check_set_relations(root: Node) -> None:
    """Raise `PatternError` when the name of a relation over sets means something else too."""
    named: dict[str, object] = {}
    for node in walk(root):
        if isinstance(node, Holds | Apply):
            known = named.setdefault(node.relation.name, node.relation)
            other = isinstance(known, SetRelation) != isinstance(node.relation, SetRelation)
            if other or (isinstance(known, SetRelation) and known != node.relation):
                name = node.relation.name
                raise PatternError(f"two different relations are called '{name}'; rename one of them")


class _Writer:
    """Writes in one notation."""

    def __init__(self, notation: CelNotation, ascii: bool) -> None:
        self.notation = notation
        self.style = Style("cel", ascii, built_in=BUILT_IN_FILTERS)

    def text(self, node: Node) -> str:
        return flat(self.piece(node).rope)

    def piece(self, root: Node) -> Piece:
        return fold(root, self._visit)

    def _visit(self, node: Node, below: Pieces) -> Piece:
        match node:
            case Each(condition=condition):
                return self._each(node, condition, below)
            case In(variable=variable):
                word = "IN" if self.notation == "paper" else "AS"
                rope = (below[0].within(Grip.BINDING), f" {word} {self.style.name(variable)}")
                return Piece(rope, Grip.BINDING)  # (T IN x)+ with its parentheses, as the paper writes it
            case ContiguousIteration():
                sign = " (+)" if self.notation == "paper" else " :+"
                return Piece((below[0].within(Grip.POSTFIX), sign), Grip.POSTFIX)
        printer = _PRINTERS.get(type(node))
        if printer is None:
            raise UnsupportedError(
                f"{type(node).__name__} has no notation; write its printer in cel_printer.py"
            )
        return printer(node, below, self.style)

    def _each(self, node: Each, condition: Condition, below: Pieces) -> Piece:
        atomic = isinstance(condition, Comparison | Membership | Apply)
        if self.notation == "paper" and atomic and not registers(condition):
            named = rename(condition, {HEAD: node.variable})
            if registers(named):
                return self.piece(named)
        return Piece((f"{self.style.name(node.variable)}[", below[0].rope, "]"), Binding.OPERAND)

    def formula(self, query: Query) -> str:
        """The query as a formula, and its clauses that no formula can say."""
        return " ".join([self.text(formula_of(query)), *self._partition(query), *self._consume(query)])

    def query(self, query: Query) -> str:
        """The query in the style of CEQL."""
        shown = "*" if query.variables is None else ", ".join(map(self.style.name, query.variables))
        selection = [] if query.selection is Selection.ALL else [query.selection.value]
        streams = [f"FROM {', '.join(map(self.style.name, query.streams))}"] if query.streams else []
        body = flat(self.piece(query.formula).within(Grip.FILTER))
        window = [] if query.within is None else [_window_text(query.within)]
        clauses = ["SELECT", *selection, shown, *streams, "WHERE", body]
        return " ".join([*clauses, *self._partition(query), *window, *self._consume(query)])

    def _partition(self, query: Query) -> list[str]:
        keys = ", ".join(f"[{self.style.name(name)}]" for name in query.partition_by)
        return [f"PARTITION BY {keys}"] if keys else []

    def _consume(self, query: Query) -> list[str]:
        return [] if query.consume is Consumption.NONE else [f"CONSUME BY {query.consume.value}"]


def _window_text(window: Window) -> str:
    if isinstance(window, EventWindow):
        return f"WITHIN {window.size} EVENTS"
    return f"WITHIN {window.duration.amount} {_UNITS.get(window.duration.unit, window.duration.unit)}"


def _relation(node: Relation, _below: Pieces, style: Style) -> Piece:
    return Piece(style.name(node.name), Grip.POSTFIX)


def _filter(_node: Filter, below: Pieces, _style: Style) -> Piece:
    return Piece((below[0].within(Grip.FILTER), " FILTER ", below[1].rope), Grip.FILTER)


def _nary(sign: str, grip: Grip) -> Printer:
    def show(_node: Node, below: Pieces, _style: Style) -> Piece:
        return Piece(joined(sign, (part.within(grip + 1) for part in below)), grip)

    return show


def _plus(_node: Iteration, below: Pieces, _style: Style) -> Piece:
    return Piece((below[0].within(Grip.POSTFIX), "+"), Grip.POSTFIX)


def _projection(node: Projection, below: Pieces, style: Style) -> Piece:
    names = ", ".join(map(style.name, node.variables))
    return Piece((f"PI_{{{names}}}(", below[0].rope, ")"), Grip.POSTFIX)


def _applied(word: str) -> Printer:
    return lambda _node, below, _style: Piece((f"{word}(", below[0].rope, ")"), Grip.POSTFIX)


def _unless(_node: Unless, below: Pieces, _style: Style) -> Piece:
    return Piece((below[0].within(Grip.UNLESS), " UNLESS ", below[1].within(Grip.OR)), Grip.UNLESS)


def _within(node: Within, below: Pieces, _style: Style) -> Piece:
    return Piece((below[0].rope, f" {_window_text(node.window)}"), Grip.WINDOW)


def _for_all(node: ForAll, below: Pieces, _style: Style) -> Piece:
    atomic = isinstance(node.condition, Comparison | Membership | Apply)
    if atomic and len(registers(node.condition)) > 1:
        return below[0]
    return Piece(("every(", below[0].rope, ")"), Binding.OPERAND)


def _for_some(_node: ForSome, below: Pieces, _style: Style) -> Piece:
    return Piece(("some(", below[0].rope, ")"), Binding.OPERAND)


def _measure(node: Measure, _below: Pieces, style: Style) -> Piece:
    field = "" if node.attribute is None else f".{style.field(node.attribute)}"
    return Piece(f"{node.function}({style.name(node.variable)}{field})", Binding.OPERAND)


def _compared(node: Compared, below: Pieces, _style: Style) -> Piece:
    return Piece((below[0].rope, f" {node.operator} ", below[1].rope), Binding.COMPARISON)


def _holds(node: Holds, _below: Pieces, style: Style) -> Piece:
    arguments = ", ".join(map(style.name, node.arguments))
    return Piece(f"{relation_text(node.relation.name, style)}({arguments})", Binding.OPERAND)


def _negated(_node: Negated, below: Pieces, _style: Style) -> Piece:
    return Piece(("NOT ", below[0].within(Binding.NOT)), Binding.NOT)


_PRINTERS: Final[Mapping[type[Node], Printer]] = {
    **CONDITIONS,
    Relation: _relation,
    Filter: _filter,
    Sequencing: _nary("; ", Grip.SEQUENCING),
    Contiguous: _nary(" : ", Grip.CONTIGUOUS),
    Or: _nary(" OR ", Grip.OR),
    And: _nary(" AND ", Grip.AND),
    All: _nary(" ALL ", Grip.ALL),
    Iteration: _plus,
    Projection: _projection,
    Start: _applied("START"),
    Strict: _applied("STRICT"),
    Nxt: _applied("NXT"),
    Last: _applied("LAST"),
    Max: _applied("MAX"),
    Unless: _unless,
    Within: _within,
    ForAll: _for_all,
    ForSome: _for_some,
    Measure: _measure,
    Compared: _compared,
    Holds: _holds,
    AllOf: lambda _node, below, _style: Piece(
        joined(" AND ", (part.within(Binding.NOT) for part in below)), Binding.AND
    ),
    AnyOf: lambda _node, below, _style: Piece(
        joined(" OR ", (part.within(Binding.AND) for part in below)), Binding.OR
    ),
    Negated: _negated,
}
