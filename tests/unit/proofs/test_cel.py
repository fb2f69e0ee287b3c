"""What the claims about CEL are made of: it can fail, and it agrees with what it stands for."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given

from mnemata.automata.cea import runs
from mnemata.automata.cea.compact_sets import BOTTOM, CompactSet
from mnemata.automata.constructions.cea.sequencing import contiguous_iteration_as_published
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.cel import symbolic
from mnemata.proofs.cel.bounding import STRICTLY, strict_iteration_is_inexpressible
from mnemata.proofs.cel.compiling import made
from mnemata.proofs.cel.contiguity import without_contiguity
from mnemata.proofs.cel.enumerating import LETTERS, TWO_LABELS, automata, formulas
from mnemata.proofs.cel.evaluating import is_valid
from mnemata.proofs.cel.placing import exactly, occurrences
from mnemata.proofs.cel.proving import over_all_streams
from mnemata.proofs.cel.pumping import (
    JOINED,
    PAIRS,
    joining_is_inexpressible,
    numbered,
    pairs_are_inexpressible,
    pumped,
    pumping_constant,
    separated,
)
from mnemata.proofs.cel.starring import INEXPRESSIBLE, TIMELESS, operators_are_not_in_cel_star, witnesses
from mnemata.proofs.cel.windowing import confused
from mnemata.proofs.claims import size
from mnemata.proofs.evidence import SMALL
from mnemata.proofs.generators import TICKS, streams
from mnemata.proofs.generators.cea import ceas
from mnemata.proofs.generators.cel import OPERATORS, cel_formulas
from mnemata.theory.cel import semantics
from mnemata.theory.cel.formulas import (
    Contiguous,
    ContiguousIteration,
    Formula,
    Iteration,
    Relation,
    Strict,
    Within,
)
from mnemata.theory.cel.predicates import Compared, ForAll, ForSome, Negated, Predicate
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.evaluation import Valuation, models
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.trees import walk

A, B = Relation("A"), Relation("B")
COUNTED = tuple(kind for kind in OPERATORS if kind is not Within)


def is_symbolic(formula: Formula) -> bool:
    """Whether its filters have a symbolic meaning, and not too many of them."""
    other = (Compared, ForSome, Negated)
    predicates = [n for n in walk(formula) if isinstance(n, Predicate)]
    return len(predicates) <= 6 and not any(isinstance(n, other) for n in predicates)


SYMBOLIC = cel_formulas(operators=COUNTED, depth=3, unary=False).filter(is_symbolic)


def concrete(found: symbolic.Found, string: SymbolicString, stream) -> frozenset:
    """The valuations whose conditions a stream satisfies."""
    held = Valuation(tuple(zip(string.events[:-1], stream[:-1], strict=True)))
    return frozenset(mu for mu, condition in found.items() if models(stream[-1], held, condition))


@given(
    cel_formulas(operators=COUNTED, depth=3, unary=False).filter(is_symbolic), streams(min_size=1, max_size=4)
)
def test_symbolic_valuations_are_those_of_every_stream(formula, stream) -> None:
    string = SymbolicString(len(stream), TICKS)
    found = symbolic.valuations_along(formula, string.events, TICKS)
    assert [concrete(here, string, stream) for here in found] == semantics.valuations_along(formula, stream)


@given(ceas(), streams(min_size=1, max_size=4))
def test_symbolic_runs_are_those_of_every_stream(cea, stream) -> None:
    string = SymbolicString(len(stream), TICKS)
    found = symbolic.runs_along(cea, string.events)
    assert [concrete(here, string, stream) for here in found] == runs.valuations_along(cea, stream)


def test_symbolic_semantics_refuses_what_it_cannot_say() -> None:
    string = SymbolicString(1, TICKS)
    with pytest.raises(UnsupportedError):
        symbolic.valuations_along(A.within(ms=2), string.events, TICKS)
    with pytest.raises(UnsupportedError):
        symbolic.valuations_along(A.filter(~ForAll(register("A").id == 1)), string.events, TICKS)


def test_a_construction_that_is_wrong_is_refuted_with_a_stream() -> None:
    formula = ContiguousIteration(A)
    wrong = contiguous_iteration_as_published(made(A, LETTERS))

    def differ(_, string: SymbolicString) -> list[Condition]:
        meant = symbolic.valuations_along(formula, string.events, LETTERS)
        return [symbolic.difference(meant, symbolic.runs_along(wrong, string.events))]

    (proof,) = over_all_streams(differ)(SMALL)
    assert proof.verdict is Verdict.NO
    assert proof.witness is not None
    stream = proof.witness
    assert runs.valuations_along(wrong, stream) != semantics.valuations_along(formula, stream)


def test_what_is_right_is_counted_and_what_is_wrong_is_found_among_it() -> None:
    good = over_all_streams(lambda _, __: [symbolic.difference([], [])] * 20)
    assert [proof.formulas for proof in good(SMALL)] == [12, 8]

    def one_of_many(_, string: SymbolicString) -> list[Condition]:
        found = symbolic.valuations_along(A, string.events, LETTERS)
        other = symbolic.valuations_along(B, string.events, LETTERS)
        return [symbolic.difference(found, found)] * 3 + [symbolic.difference(found, other)]

    verdicts = [proof.verdict for proof in over_all_streams(one_of_many)(SMALL)]
    assert verdicts == [Verdict.YES] * 3 + [Verdict.NO]


def test_all_formulas_are_there_once() -> None:
    assert formulas(0) == (A,)
    found = formulas(1)
    assert len(set(found)) == len(found)
    assert {Iteration(A), A >> B, A.project("B"), Contiguous((A, A))} <= set(found)
    assert B >> A not in found


def test_no_automaton_has_a_useless_transition() -> None:
    found = list(automata(2, TWO_LABELS))
    assert len(set(found)) == len(found) > 100
    assert all(len(trim(cea).transitions) == 2 for cea in found)


def test_formulas_are_not_defeated_by_their_own_adversaries() -> None:
    assert not strict_iteration_is_inexpressible().holds((STRICTLY,))
    assert not strict_iteration_is_inexpressible().holds((ContiguousIteration(A),))
    assert separated(PAIRS) is None
    assert not pairs_are_inexpressible().holds((PAIRS,))
    assert not joining_is_inexpressible().holds((JOINED,))
    assert not joining_is_inexpressible().holds((Contiguous((A, B)),))
    for formula in INEXPRESSIBLE:
        assert not operators_are_not_in_cel_star().holds((formula,))


def test_the_adversary_of_theorem_8_14_goes_as_far_as_it_must() -> None:
    """The candidate is right for two pairs, and wrong about three."""
    linked = A.bound_to("X1") >> Strict(B.bound_to("Y1") >> A.bound_to("X2")) >> B.bound_to("Y2")
    same = ForAll(register("X1").id == register("Y1").id) & ForAll(register("X2").id == register("Y2").id)
    candidate = (A >> B).filter(ForAll(register("A").id == register("B").id)) | linked.filter(same)
    assert pumping_constant(candidate) == 4
    stream, places = separated(candidate)
    assert (len(stream), len(places)) == (9, 6)
    assert semantics.complex_events(PAIRS, stream, 0, 8) >= {frozenset(places)}


@pytest.mark.parametrize("formula", INEXPRESSIBLE, ids=str)
def test_each_operator_has_witnesses(formula: Formula) -> None:
    (stream, found), *missing = witnesses(formula)
    assert found in semantics.complex_events(formula, stream, 0, len(stream) - 1)
    assert len(missing) == (len(stream) - 1 in found)


def test_pumping_by_its_definition() -> None:
    stream, places = numbered(2)
    kinds = [event["type"] for event in stream]
    assert "".join(kinds) == "ACBACB"
    assert places == [0, 2, 3, 5]
    apart = pumped(stream, places, 0, 2, 2)
    assert "".join(event["type"] for event in apart.stream) == "CACBCACBCACB"
    assert apart.places[0] == (1, 5)
    assert apart.places[3] == (9,)
    near = pumped(stream, places, 2, 3, 3)
    assert "".join(event["type"] for event in near.stream) == "ACBABABACB"
    assert near.places[2] == (2, 4, 6)
    assert near.places[5] == (9,)


def test_what_can_be_pumped_can_be_pumped_from_the_constant_on_only() -> None:
    formula, stream = A >> B, TIMELESS.stream([("A", 1, 1.0), ("B", 1, 1.0)])
    assert pumping_constant(formula) == 2
    for i, j in combinations((0, 1), 2):
        again = pumped(stream, (0, 1), i, j, 2)
        assert not exactly(formula, again.stream, range(len(again.stream)))


def test_event_types_are_counted_as_often_as_they_are_written() -> None:
    assert occurrences(Contiguous((A, A)) | A) == 3


@given(ceas(states=(1, 3), transitions=(1, 5)))
def test_an_automaton_takes_two_streams_for_the_same(cea) -> None:
    early, late = confused(cea)
    assert runs.valuations_along(cea, early) == runs.valuations_along(cea, late)


def test_a_compact_set_with_two_equal_paths_is_not_valid() -> None:
    compact = CompactSet()
    one, other = compact.extend(0, (BOTTOM, BOTTOM)), compact.extend(0, (BOTTOM, BOTTOM))
    assert is_valid(compact)
    compact.append(one, other)
    assert not is_valid(compact)


def test_a_compact_set_whose_positions_do_not_fall_is_not_valid() -> None:
    compact = CompactSet()
    later = compact.extend(3, (BOTTOM, BOTTOM))
    compact.extend(2, (later, later))
    assert not is_valid(compact)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (Contiguous((A, B)), Strict(A >> B)),
        (ContiguousIteration(A), Strict(Iteration(A))),
        (ContiguousIteration(Iteration(A)), Iteration(A)),
        (Contiguous((Iteration(A), B)), Strict(A >> B) | (Iteration(A) >> Strict(A >> B))),
        (ContiguousIteration(A >> B), A >> (B | (Iteration(Strict(B >> A)) >> B))),
    ],
    ids=str,
)
def test_contiguity_is_removed_by_the_laws(formula: Formula, expected: Formula) -> None:
    assert without_contiguity(formula) == expected


def test_sizes_of_automata_and_formulas() -> None:
    cea = made(A >> B)
    word = TICKS.stream([("A", 1, 1.0, 0)])
    assert size((cea, word)) == (len(cea.transitions), 1)
    assert size((A >> B, word, word)) == (2, 2)
