"""Queries of complex event logic, made ready for the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import Final

from mnemata.automata.cea.automaton import CEA
from mnemata.automata.compilation import Begins, CompiledPattern, compile_pattern
from mnemata.automata.constructions.cea.compilation import automaton, compile_cel
from mnemata.automata.constructions.cea.compiled import CompiledFormula, Layer
from mnemata.automata.constructions.cea.hiding import Hidden, opens_hidden, showing
from mnemata.automata.constructions.cea.layers import windows_outward
from mnemata.automata.constructions.cea.normal_form import normal_form
from mnemata.automata.constructions.cea.transducers import ends_marked, srt_of
from mnemata.automata.constructions.registers import live_registers
from mnemata.theory.budget import Budget, spending
from mnemata.theory.cel.binding import not_unary_parts
from mnemata.theory.cel.formulas import Formula, Projection, Start, Strategy, Strict, Unless, Window, Within
from mnemata.theory.cel.query import Consumption, Query, Selection, bind_query, formula_of
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.errors import LimitError, UnsupportedError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Expression, Output, Pattern, Terminal, Windowed
from mnemata.theory.translation import expression_of_formula
from mnemata.theory.trees import walk


def compile_query(query: Query, schema: Schema) -> CompiledPattern:
    """Compile a query against a schema.

    A formula with unary filters becomes a complex event automaton (`compile_cel`), which is determinized;
    one that compares events becomes a register transducer (`expression_of_formula`). What is found are
    complex events, each once, at the first position at which the formula has it.

    Raises
    ------
    UnsupportedError
        When a query with a window and a strategy does not show all events; when one that consumes does not
        show the first event; when consumption meets an operator that looks back to where the search began; or
        as `compile_cel` and `expression_of_formula` do.
    PatternError
        When the query does not fit the schema.

    Examples
    --------
    >>> from mnemata.theory.schema import String
    >>> from mnemata.theory.syntax import parse_cel
    >>> schema = Schema.of(type=String(), event_type="type")
    >>> compile_query(parse_cel("SELECT * WHERE SELL; BUY WITHIN 5 EVENTS"), schema).srt.size
    3
    """
    bound = bind_query(query, schema)
    _check_consumption(bound)
    if bound.strategy is None:
        return _compiled(bound, schema)
    # A strategy compares what is left when what was consumed is gone, so then it is not for the automaton.
    if bound.consume is Consumption.NONE:
        try:
            with spending(EFFORT):
                return _compiled(bound, schema)
        except LimitError:
            pass  # an automaton that counts the events of a window, and compares all that fits, grows large
    made = _compiled(replace(bound, selection=Selection.ALL), schema)
    if made.told_apart or made.shows_less:
        raise UnsupportedError(_CHOSEN.format(name=bound.name, strategy=bound.selection.name))
    return replace(made, pattern=bound, choices=(*made.choices, bound.strategy))


def compile_for_engine(pattern: Pattern | Expression | Query, schema: Schema) -> CompiledPattern:
    """Compile a pattern of either language; raises as `compile_pattern` and `compile_query` do."""
    if isinstance(pattern, Query):
        return compile_query(pattern, schema)
    return compile_pattern(pattern, schema)


def keeping(compiled: CompiledPattern, *strategies: type[Strategy], consume: bool = False) -> CompiledPattern:
    """A pattern of which only some of the matches that end at an event are kept.

    Parameters
    ----------
    compiled : CompiledPattern
        Of any language.
    strategies : subclasses of Strategy
        `Strict`, `Nxt`, `Last` or `Max` (CEL Section 7.1), applied in turn to the marks of the matches that
        end at an event: maxima for each event, not greedy consumption (ERRATA B8).
    consume : bool
        Whether a match that is kept uses up all events of its sub-stream up to its last one: others must
        begin later.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from mnemata.automata.engine.recognition import recognise
    >>> from mnemata.theory.arrow import schema_from_arrow
    >>> from mnemata.theory.cel.formulas import Nxt
    >>> from mnemata.theory.syntax import parse
    >>> ticks = pa.table({"price": [3, 1, 2, 4]})
    >>> schema = schema_from_arrow(ticks.schema)
    >>> rising = compile_pattern(parse("any(event as r, event where price > r.price)"), schema)
    >>> [match.positions for match in recognise(keeping(rising, Nxt), ticks)]
    [(1, 2), (0, 3)]
    >>> [match.positions for match in recognise(keeping(rising, consume=True), ticks)]
    [(1, 2)]
    """
    consumes = Consumption.PARTITION if consume else compiled.consumes
    return replace(compiled, choices=(*compiled.choices, *strategies), consumes=consumes)


def _compiled(query: Query, schema: Schema) -> CompiledPattern:
    formula = formula_of(query)
    compares = next(not_unary_parts(formula), None) is not None
    made = (_of_registers if compares else _of_cea)(formula, query, schema)
    return replace(made, pattern=query, consumes=query.consume)


def _of_cea(formula: Formula, query: Query, schema: Schema) -> CompiledPattern:
    compiled = compile_cel(formula, schema)
    hidden = _hidden(compiled, query)
    if hidden is not None:
        return CompiledPattern(
            query,
            schema,
            hidden.srt,
            hidden.windows,
            live_registers(hidden.srt),
            Begins.AT_FIRST,
            told_apart=True,
        )
    strategies = tuple(_strategy(layer) for layer in compiled.layers)
    srt = srt_of(normal_form(compiled.cea, schema))
    return CompiledPattern(
        query,
        schema,
        srt,
        compiled.windows,
        live_registers(srt),
        Begins.AT_FIRST,
        tuple(strategy for strategy in strategies if strategy is not None),
    )


def _of_registers(formula: Formula, query: Query, schema: Schema) -> CompiledPattern:
    strategies: list[type[Strategy]] = []
    while isinstance(formula, Strategy) and not isinstance(formula, Strict):
        strategies.insert(0, type(formula))
        formula = formula.body
    whole, shown, windows = _peeled(windows_outward(formula))
    if shown is None:
        expression = expression_of_formula(formula, schema)
        made = compile_pattern(Pattern(expression, query.partition_by, query.name), schema)
    else:
        made = _of_shown(whole, shown, windows, query, schema)
    return replace(made, choices=(*made.choices, *strategies))


def _of_shown(
    formula: Formula, shown: frozenset[Variable], windows: tuple[Window, ...], query: Query, schema: Schema
) -> CompiledPattern:
    """A query that compares events and shows some variables of `formula` inside `windows`."""
    if isinstance(formula, Strategy) and not isinstance(formula, Strict) and not windows:
        inner, _, windows = _peeled(formula.body)
        made = _of_shown(inner, shown, windows, query, schema)
        if made.shows_less:
            raise UnsupportedError(_CHOSEN.format(name=query.name, strategy=type(formula).__name__.upper()))
        return replace(made, choices=(*made.choices, type(formula)))
    expression = expression_of_formula(formula, schema, shown=shown)
    if all(node.output is Output.MARK for node in walk(expression) if isinstance(node, Terminal)):
        bounded = reduce(Windowed, reversed(windows), expression)
        return compile_pattern(Pattern(bounded, query.partition_by, query.name), schema)
    made = compile_pattern(Pattern(expression, query.partition_by, query.name), schema)
    if query.consume is not Consumption.NONE and any(
        t.output is Output.SKIP for t in made.srt.outgoing(made.srt.start)
    ):
        raise UnsupportedError(_CONSUMED.format(name=query.name))
    return replace(made, windows=windows, shows_less=True)


def _hidden(compiled: CompiledFormula, query: Query) -> Hidden | None:
    """The transducer of a query that hides events, or goes on after the last that it shows; else ``None``."""
    strategy = next((layer for layer in compiled.layers if isinstance(layer, Strategy)), None)
    if strategy is not None:
        if not _shows_all(compiled.cea, _shown(compiled.layers)):
            raise UnsupportedError(_CHOSEN.format(name=query.name, strategy=type(strategy).__name__.upper()))
        return None
    body, shown, windows = _peeled(windows_outward(compiled.formula))
    cea = compiled.cea if body == compiled.formula else automaton(body, compiled.schema)
    if _shows_all(cea, shown):
        return None
    if query.consume is not Consumption.NONE and opens_hidden(cea, shown):
        raise UnsupportedError(_CONSUMED.format(name=query.name))
    return showing(cea, shown, windows, compiled.schema)


def _shows_all(cea: CEA, shown: frozenset[Variable] | None) -> bool:
    """Whether all marked events are shown, and complex events are found at the last one."""
    marking = (t for t in cea.transitions if t.marking)
    hides = shown is not None and any(t.labels.isdisjoint(shown) for t in marking)
    return not hides and ends_marked(cea)


def _shown(layers: Iterable[Layer]) -> frozenset[Variable] | None:
    """The variables that all projections keep; ``None`` if there are none."""
    kept = [frozenset(layer.variables) for layer in layers if isinstance(layer, Projection)]
    return frozenset.intersection(*kept) if kept else None


def _peeled(formula: Formula) -> tuple[Formula, frozenset[Variable] | None, tuple[Window, ...]]:
    """What is inside the outermost projections and windows, what is shown, and the windows."""
    layers: list[Projection] = []
    while isinstance(formula, Projection):
        layers.append(formula)
        formula = formula.body
    windows: list[Window] = []
    while isinstance(formula, Within):
        windows.append(formula.window)
        formula = formula.body
    return formula, _shown(layers), tuple(windows)


def _strategy(layer: Layer) -> type[Strategy] | None:
    """The strategy around the windows that a layer is; ``None`` for a projection that hides nothing."""
    if isinstance(layer, Strategy):
        return type(layer)
    if not isinstance(layer, Projection):
        raise UnsupportedError(
            "a window around a selection strategy or a projection is not recognised; bound what is inside"
        )
    return None


def _check_consumption(query: Query) -> None:
    """What a query consumes must not change what its parts look back to."""
    if query.consume is Consumption.NONE:
        return
    for node in walk(query.formula):
        if isinstance(node, Start | Unless | Strategy):
            raise UnsupportedError(
                f"{type(node).__name__.upper()} looks back to where the search began, which consumption "
                "changes; consume without it"
            )


EFFORT: Final = Budget(states=500, transitions=5_000)
"""How large an automaton may get that finds only what a strategy selects, and not all."""

_CHOSEN: Final = (
    "query '{name}' does not show all events that {strategy} chooses by, or goes on after the last one; then "
    "the engine must choose by states, which cannot measure time, nor count that far, nor consume. "
    "Select all variables, or *, or bound fewer events instead of time"
)
_CONSUMED: Final = (
    "query '{name}' does not always show the first event that it matches, so what it finds does not tell "
    "with which events it began, as consumption asks; select the variable of the first event too, or *"
)
