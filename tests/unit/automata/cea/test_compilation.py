"""Compiling formulas: the paper's examples, what is kept aside, and what is refused or warned of."""

from __future__ import annotations

import pickle

import pytest

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA, UNMARKED, Transition
from mnemata.automata.constructions.cea.bridges import cea_of, cea_of_transducer, expression_of
from mnemata.automata.constructions.cea.compilation import automaton, compile_cel
from mnemata.automata.constructions.cea.compiled import valuations_along
from mnemata.automata.constructions.cea.elimination import Language, eliminated
from mnemata.automata.constructions.cea.formulas import (
    formula_of,
    formula_of_as_published,
    star_formula_of,
    star_formula_of_as_published,
)
from mnemata.automata.constructions.cea.labelling import event
from mnemata.automata.constructions.cea.predicates import unsatisfiable_core
from mnemata.automata.constructions.cea.products import interleaving_as_published, unless_as_published
from mnemata.automata.constructions.cea.sequencing import contiguous_iteration_as_published
from mnemata.automata.decisions.cea.languages import equivalent
from mnemata.automata.decisions.cea.star_property import has_star_property
from mnemata.automata.engine.matches import Match
from mnemata.automata.engine.selection import selected
from mnemata.automata.srt.transducer import SRT, epsilon
from mnemata.theory.budget import Budget
from mnemata.theory.cel import semantics
from mnemata.theory.cel.formulas import (
    All,
    Contiguous,
    ContiguousIteration,
    Last,
    Max,
    Nxt,
    Projection,
    Relation,
    Start,
    Strategy,
    Strict,
    sequence,
)
from mnemata.theory.cel.predicates import AllOf, Compared, Measure, for_all
from mnemata.theory.cel.valuations import Valuation
from mnemata.theory.conditions.building import head, position, register
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.conditions.terms import Constant
from mnemata.theory.errors import (
    ContradictionWarning,
    LimitError,
    PatternError,
    UnknownEventTypeError,
    UnknownVariableError,
    UnsupportedError,
)
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.schema import Category, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.bounds import EventWindow
from mnemata.theory.sremo.expressions import EMPTY_SET, mark
from mnemata.theory.syntax import show_cel

SCHEMA = Schema.of(
    type=Category(("R", "S", "T", "H")), x=Int64(), at=Timestamp("ms"), event_type="type", time="at"
)
R, S, T, H = (Relation(name) for name in "RSTH")
u = head(SCHEMA)
r, s, t, h, h1, h2 = (register(name) for name in ("R", "S", "T", "H", "H1", "H2"))


def word(letters, *values):
    """Events one millisecond apart."""
    given = values or [0] * len(letters)
    return SCHEMA.stream([(letter, x, n) for n, (letter, x) in enumerate(zip(letters, given, strict=True))])


def made(formula):
    return compile_cel(formula, SCHEMA).cea


def at_last(cea, stream):
    return {tuple(sorted(event)) for event in runs.complex_events(cea, stream, len(stream) - 1)}


def test_figure_5():
    """The CEA of an event type."""
    is_r = u.type == "R"
    skip, take = Transition(0, TOP, UNMARKED, 0), Transition(0, is_r, frozenset({"R"}), 1)
    assert event("R", SCHEMA) == CEA(2, (skip, take), {0}, {1}).bind(SCHEMA)
    assert made(R) == event("R", SCHEMA)


def test_figure_4():
    """Example 5.3: an H, any Ts, another H, as an automaton and as a formula."""

    def mark_with(source, kind, label, target):
        return Transition(source, u.type == kind, frozenset({label}), target)

    loops = [Transition(q, TOP, UNMARKED, q) for q in (0, 1)]
    marks = [mark_with(0, "H", "H1", 1), mark_with(1, "T", "T", 1), mark_with(1, "H", "H2", 2)]
    fig4 = CEA(3, (*loops, *marks), {0}, {2}).bind(SCHEMA)
    h1_h2 = H.bound_to("H1"), H.bound_to("H2")
    formula = (sequence(*h1_h2) | sequence(h1_h2[0], T.plus(), h1_h2[1])).project("H1", "H2", "T")
    assert equivalent(made(formula), fig4, SCHEMA).yes
    stream = word("HTSTH")
    assert at_last(fig4, stream) == {(0, 4), (0, 1, 4), (0, 3, 4), (0, 1, 3, 4)}
    assert valuations_along(compile_cel(formula, SCHEMA), stream) == runs.valuations_along(fig4, stream)


def test_the_formulas_of_section_3_have_automata():
    schema = Schema.of(type=Category(("H", "T")), id=Int64(), value=Int64(), event_type="type")
    ids, values = [2, 0, 0, 1, 1, 0, 1, 1, 0], [25, 45, 20, 25, 40, 42, 25, 70, 18]
    stream = schema.stream(list(zip("HTHHTTTHH", ids, values, strict=True)))
    fire = AllOf(tuple(map(for_all, (t.value > 40, h.value <= 25, t.id == 0, h.id == 0))))
    sensor_1 = (h1.value < 30, h2.value > 60, h.id == 1, t.id == 1)
    rise = AllOf(tuple(map(for_all, sensor_1)))
    increase = sequence(H.bound_to("H1"), T.plus(), H.bound_to("H2")).filter(rise)
    claimed = {
        (T >> H).filter(fire): [[1, 2], [1, 8], [5, 8]],
        Contiguous((T, H)).filter(fire): [[1, 2]],
        All((T, H)).filter(fire): [[1, 2], [1, 8], [2, 5], [5, 8]],
        increase: [[3, 4, 6, 7], [3, 4, 7], [3, 6, 7]],
        increase.project("T"): [[4], [4, 6], [6]],
        Nxt(increase): [[3, 4, 6, 7]],
        Last((T >> H).filter(fire)): [[1, 2], [5, 8]],
    }
    for formula, expected in claimed.items():
        found = runs.complex_events_along(compile_cel(formula, schema).cea, stream)
        assert sorted(sorted(event) for events in found for event in events) == expected


BOTH = made(Start(R)), made(Start(S))
PUBLISHED = {
    "B1": (contiguous_iteration_as_published(made(R)), R.contiguous_plus(), "RRR"),
    "B2": (interleaving_as_published(*BOTH, SCHEMA), All((Start(R), Start(S))), "RTS"),
    "B3, parts": (unless_as_published(made(R), made(T), SCHEMA), R.unless(T), "TR"),
    "B3, complete": (unless_as_published(made(S), made(Start(T)), SCHEMA), S.unless(Start(T)), "S"),
}


@pytest.mark.parametrize(("published", "formula", "letters"), PUBLISHED.values(), ids=PUBLISHED)
def test_published_constructions_fail_where_errata_says(published, formula, letters):
    stream = word(letters)
    expected = semantics.valuations(formula, stream, 0, len(stream) - 1)
    assert runs.valuations(made(formula), stream, len(stream) - 1) == expected
    assert runs.valuations(published, stream, len(stream) - 1) != expected


def test_published_formulas_fail_where_errata_says():
    stream = word("TR")
    assert semantics.complex_events(formula_of_as_published(made(R), SCHEMA), stream, 0, 1) == frozenset()
    assert semantics.complex_events(formula_of(made(R), SCHEMA), stream, 0, 1) == {frozenset({1})}
    take = [Transition(q, TOP, frozenset({"X"}), 1) for q in (0, 1)]
    loop, stream = CEA(2, tuple(take), {0}, {1}), word("RRRR")
    repaired, published = star_formula_of(loop, SCHEMA), star_formula_of_as_published(loop, SCHEMA)
    assert frozenset(range(4)) in semantics.complex_events(repaired, stream, 0, 3)
    assert frozenset(range(4)) not in semantics.complex_events(published, stream, 0, 3)


def test_automata_that_accept_nothing_have_formulas():
    dead = CEA(1, (), {0}, frozenset())
    for formula in (formula_of(dead, SCHEMA), star_formula_of(dead, SCHEMA)):
        assert not any(semantics.complex_events_along(formula, word("RS")))
    assert expression_of(dead) == EMPTY_SET


def test_fresh_variables_are_fresh():
    labelled = CEA(2, (Transition(0, TOP, frozenset({"E"}), 1),), {0}, {1})
    stream = word("R")
    assert semantics.valuations(formula_of(labelled, SCHEMA), stream, 0, 0) == {Valuation({"E": [0]})}


def test_formulas_of_automata_need_listed_types():
    for schema, reason in (
        (Schema.of(x=Int64()), "names no event type"),
        (Schema.of(type=String(), event_type="type"), "event type of any"),
    ):
        with pytest.raises(UnsupportedError, match=reason):
            formula_of(CEA(1, (), {0}, {0}), schema)


def test_elimination_costs_what_the_budget_allows():
    ring = tuple(Transition(p, TOP, frozenset({"X"}), q) for p in range(6) for q in range(6))
    language = Language(lambda _: "t", lambda *parts: "|", lambda a, b: a, lambda a, b: a)
    with pytest.raises(LimitError):
        eliminated(CEA(6, ring, {0}, {1}), language, budget=Budget(transitions=10))


def test_outermost_windows_are_kept_aside():
    compiled = compile_cel((R >> S).within(s=5).within(events=3), SCHEMA)
    assert [type(window).__name__ for window in compiled.windows] == ["TimeWindow", "EventWindow"]
    assert compiled.cea == made(R >> S)
    assert pickle.loads(pickle.dumps(compiled)) == compiled


def test_windows_that_states_can_count_are_inside_a_strategy():
    compiled = compile_cel(Nxt((R >> S).within(events=2)), SCHEMA)
    assert (compiled.windows, compiled.layers) == ((), ())
    assert at_last(compiled.cea, word("RTRS")) == {(2, 3)}


def test_long_windows_under_a_strategy_are_kept_aside_with_it():
    compiled = compile_cel(Projection(Max((R >> S).within(events=1_000_000)), ("S",)), SCHEMA)
    assert compiled.windows == (EventWindow(1_000_000),)
    assert [type(layer) for layer in compiled.layers] == [Max, Projection]
    found = valuations_along(compiled, word("RRS"))
    assert found[2] == {Valuation({"S": [2]})}


def test_windows_in_time_under_a_strategy():
    query = Nxt((R >> S).within(ms=2))
    compiled, stream = compile_cel(query, SCHEMA), word("RRTRS")
    assert compiled.layers
    assert all(isinstance(layer, Strategy) for layer in compiled.layers)
    assert valuations_along(compiled, stream) == semantics.valuations_along(query, stream)


def test_windows_move_out_of_filters():
    compiled = compile_cel((R >> S).within(ms=2).filter(for_all(r.x > 3)).bound_to("X"), SCHEMA)
    assert len(compiled.windows) == 1


def test_windows_in_time_further_inside_are_refused():
    with pytest.raises(UnsupportedError, match=r"WITHIN 2 ms must be the outermost operator.*SREMO"):
        compile_cel((R >> S).within(ms=2) >> T, SCHEMA)


def test_filters_that_are_not_unary_are_refused():
    cases = {
        for_all(r.x == s.x): "compares events of different variables: R, S",
        Compared(">", Measure("count", "R"), Constant(2)): "looks at a whole set",
        ~for_all(r.x > 2): "negates a whole predicate",
        for_all(position(register("R")) > 2): "depends on the position",
    }
    for predicate, reason in cases.items():
        with pytest.raises(UnsupportedError, match=f"{reason}.*register transducer") as raised:
            compile_cel((R >> S).filter(for_all(r.x > 1)).filter(predicate), SCHEMA)
        assert str(raised.value).startswith(f"the filter {show_cel(predicate)} is not unary: ")


def test_unknown_names_are_refused():
    with pytest.raises(UnknownEventTypeError, match="unknown event type 'RR'"):
        compile_cel(Relation("RR"), SCHEMA)
    with pytest.raises(UnknownVariableError, match="nothing binds the variable 'X'"):
        compile_cel(R.filter(for_all(register("X").x > 2)), SCHEMA)
    with pytest.raises(PatternError, match="unknown attribute 'y'"):
        compile_cel(R.filter(for_all(r.y > 2)), SCHEMA)


def test_contradictory_filters_warn_with_a_core():
    formula = (R >> S).filter(AllOf(tuple(map(for_all, (r.x > 5, s.x > 1, r.x != 9, r.x < 3)))))
    with pytest.warns(ContradictionWarning) as caught:
        compiled = compile_cel(formula, SCHEMA)
    (message,) = (str(warning.message) for warning in caught)
    assert message.startswith("no event can be bound to 'R'")
    assert "nothing satisfies R.x < 3 and R.x > 5 together; correct the filter R.x < 3" in message
    assert "9" not in message
    assert not any(runs.complex_events_along(compiled.cea, word("RS", 4, 4)))


def test_a_filter_against_the_event_type_is_a_contradiction():
    with pytest.warns(ContradictionWarning, match=r"R.type = 'S' and R.type = 'R' together"):
        compile_cel(R.filter(for_all(r.type == "S")), SCHEMA)


def test_filters_that_something_passes_do_not_warn():
    compile_cel(((R >> S) | R.bound_to("X")).filter(for_all(r.x > 5) & for_all(r.x < 8)), SCHEMA)


def test_a_core_has_nothing_superfluous():
    core = unsatisfiable_core((u.x > 1, u.x < 5, u.x > 7, u.type == "R"), SCHEMA)
    assert core == (u.x < 5, u.x > 7)
    assert unsatisfiable_core((u.x > 1, (u.x < 5) & (u.x > 5)), SCHEMA) == ((u.x < 5) & (u.x > 5),)


def test_compiling_costs_what_the_budget_allows():
    formula = R.plus().unless((S >> T).plus()) & R
    with pytest.raises(LimitError):
        compile_cel(formula, SCHEMA, budget=Budget(states=3))


def test_deep_formulas_compile():
    formula = R
    for _ in range(3_000):
        formula = formula.bound_to("X").bound_to("Y")
    assert made(formula).size == 2


def test_operators_keep_away_from_empty_supports():
    """``:``, ``(+)`` and ``START`` need marked events (Fig. 3)."""
    unmarked = R.project()
    stream = word("RR")
    for formula in (Contiguous((unmarked, R)), ContiguousIteration(unmarked), Start(unmarked)):
        expected = semantics.valuations_along(formula, stream)
        assert runs.valuations_along(automaton(formula, SCHEMA), stream) == expected
    assert runs.valuations(made(unmarked >> R), stream, 1) == {Valuation({"R": [1]})}


def test_the_star_property():
    assert has_star_property(made((R >> S).plus() | T), SCHEMA).yes
    for formula in (Strict(R >> S), Nxt(R >> S), R.unless(T), Start(R), R.contiguous_plus(), R.project()):
        answer = has_star_property(made(formula), SCHEMA)
        assert answer.no
        stream, found = answer.found
        assert found in runs.complex_events(made(formula), stream, len(stream) - 1)
    poor = has_star_property(made(Contiguous((R, S))), SCHEMA, budget=Budget(states=1))
    assert poor.verdict is Verdict.UNKNOWN


def test_corollary_8_11():
    """AND and ALL of formulas of CEL* keep the ``*``-property, so that CEL* can say them."""
    both = made(All((R >> S, T.plus())))
    assert has_star_property(both, SCHEMA).yes
    formula, stream = star_formula_of(both, SCHEMA), word("RTST")
    assert semantics.complex_events_along(formula, stream) == runs.complex_events_along(both, stream)


def test_automata_of_expressions_have_no_registers():
    with pytest.raises(UnsupportedError, match="through the register 'r1'"):
        cea_of(mark(TOP, register("r1")) >> mark(u.x == register("r1").x), SCHEMA)
    with pytest.raises(UnsupportedError, match="epsilon"):
        cea_of_transducer(SRT(2, 0, frozenset({1}), (epsilon(0, 1),)))


def test_selection_among_matches_is_by_sub_stream():
    found = [Match((0, 3), ("a",)), Match((1, 3), ("a",)), Match((2, 3), ("b",)), Match((2, 4), ("a",))]
    assert [m.positions for m in selected(found, Last)] == [(1, 3), (2, 3), (2, 4)]
    assert [m.positions for m in selected(found, Strict)] == [(2, 3)]
    with pytest.raises(UnsupportedError, match="no selection strategy"):
        selected(found, Strategy)
