"""Claims about evaluation: CEL Section 9, Alg. 1 and 2 (ERRATA B12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, product
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA, State
from mnemata.automata.cea.compact_sets import BOTTOM, CompactSet, Listed
from mnemata.automata.cea.enumeration import Steps, enumerate_as_published, enumerate_set
from mnemata.automata.cea.evaluation import Evaluation, evaluate
from mnemata.automata.constructions.cea.determinization import determinize
from mnemata.automata.constructions.cea.normal_form import collapse, normal_form
from mnemata.automata.constructions.cea.selection import SELECTIONS
from mnemata.automata.constructions.cea.types import types
from mnemata.proofs.bounded import Proof
from mnemata.proofs.cel.compiling import made
from mnemata.proofs.cel.determinizing import Instance
from mnemata.proofs.cel.enumerating import LETTERS, ONE_LABEL, automata
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS, Stream, streams
from mnemata.proofs.generators.cea import ONE_VARIABLE, ceas, event_types
from mnemata.proofs.generators.cel import CEL_STAR_OPERATORS, cel_formulas, words
from mnemata.theory.cel.formulas import Formula
from mnemata.theory.cel.valuations import ComplexEvent
from mnemata.theory.errors import PatternError
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.schema import Event

Enumeration: TypeAlias = Callable[[CompactSet, Listed, Steps], Iterator[ComplexEvent]]
Table: TypeAlias = dict[State, Listed]

_SIMPLE = ceas(states=(2, 4), transitions=(4, 8), asked=event_types())
DENSE: st.SearchStrategy[Instance] = st.tuples(
    _SIMPLE | _SIMPLE | ceas(states=(2, 4), transitions=(4, 8)),
    words(min_size=3, max_size=6) | streams(min_size=3, max_size=6),
)
MOST: Final = 300
"""Of complex events that are enumerated where there may be very many."""


def evaluation_is_exact() -> Claim[Instance]:
    """Thm 9.1: at every position the complex events of the runs, each once; also of a complete automaton."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        meant = runs.complex_events_along(cea, stream)
        complete = determinize(collapse(cea), TICKS, complete=True)
        return all(
            [_all_different(here) for here in evaluate(one, stream)] == meant
            for one in (normal_form(cea, TICKS), complete)
        )

    return Claim("evaluation finds the complex events of the runs, each once", "Thm 9.1", DENSE, holds)


def _all_different(found: Sequence[ComplexEvent]) -> frozenset[ComplexEvent] | None:
    """What was enumerated, or nothing when something was so twice."""
    return frozenset(found) if len(set(found)) == len(found) else None


def updates_are_linear() -> Claim[Instance]:
    """Thm 9.1: an update takes no more steps than the automaton is large, up to a factor."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        one = normal_form(cea, TICKS)
        running = Evaluation(one)
        for event in stream:
            before = running.steps.count
            running.read(event)
            if running.steps.count - before > len(one.transitions) + 3 * one.size:
                return False
        return True

    return Claim("updates take as many steps as the automaton is large", "Thm 9.1", DENSE, holds)


def delays_are_linear(*, published: bool) -> Claim[Instance]:
    """Section 9.1: the delay before the end of an output is linear in its size.

    As published there is a k with a delay of at most ``k |C|``; of the empty complex event that is none.
    Repaired: ``k (|C| + 1)``, here with k = 2, besides a step for each state.
    """

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        running = Evaluation(normal_form(cea, TICKS))
        for event in stream:
            running.read(event)
            for size, steps in delays(running):
                if published and size == 0 and steps > 0:
                    return False
                if steps > 2 * (size + 1) + cea_states(running):
                    return False
        return True

    bound = "k |C|" if published else "k (|C| + 1)"
    small: st.SearchStrategy[Instance] = st.tuples(
        ceas(label_sets=ONE_VARIABLE, states=(1, 2), transitions=(1, 3), asked=event_types()),
        words(max_size=3),
    )
    return Claim(f"delays are at most {bound}", "Section 9.1", small if published else DENSE, holds)


def delays(running: Evaluation) -> Iterator[tuple[int, int]]:
    """The size of each complex event at the last position read, and the steps taken for it."""
    before = running.steps.count
    for found in running.complex_events():
        yield len(found), running.steps.count - before
        before = running.steps.count


def cea_states(running: Evaluation) -> int:
    """How many states are active: OUTPUT looks at each."""
    return len(running.table)


Repeated: TypeAlias = tuple[Formula, Stream]


@st.composite
def repeated(draw: st.DrawFn) -> Repeated:
    """A formula of CEL* with a stream that begins with many equal events."""
    formula = draw(cel_formulas(operators=CEL_STAR_OPERATORS[2:], depth=2))
    many, rest = draw(st.integers(0, 40)), draw(words(max_size=3))
    rows = [("A", 1, 1.0, 0)] * many + [event.values for event in rest]
    return formula, TICKS.stream(rows)


def enumeration_is_linear(enumeration: Enumeration, what: str) -> Claim[Repeated]:
    """Alg. 1: between two outputs at most six steps for each position of the second, and six."""

    def holds(instance: Repeated) -> bool:
        formula, stream = instance
        return all(steps <= 6 * (size + 1) for size, steps in _gaps(enumeration, formula, stream))

    return Claim(f"Alg. 1 {what} has output-linear delay", "Alg. 1", repeated(), holds)


def _gaps(enumeration: Enumeration, formula: Formula, stream: Stream) -> Iterator[tuple[int, int]]:
    """The size of each complex event at the end of a stream, and the steps between it and the one before."""
    one = normal_form(made(formula), TICKS)
    running = Evaluation(one)
    for event in stream:
        running.read(event)
    for state in sorted(running.table.keys() & one.finals):
        steps, before = Steps(), 0
        for found in islice(enumeration(running.compact, running.table[state], steps), MOST):
            yield len(found), steps.count - before
            before = steps.count


def enumerations_agree() -> Claim[Instance]:
    """Alg. 1, recursive or as a loop: what the list stands for, each once, in the same order."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        running = Evaluation(normal_form(cea, TICKS))
        for event in stream:
            running.read(event)
        for nodes in running.table.values():
            found = list(enumerate_set(running.compact, nodes))
            same = found == list(enumerate_as_published(running.compact, nodes))
            if not same or _all_different(found) != running.compact.complex_events(nodes):
                return False
        return True

    return Claim("Alg. 1 enumerates what a list stands for", "Alg. 1", DENSE, holds)


def compact_sets_stay_valid() -> Claim[Instance]:
    """The five restrictions of Section 9.2 after every event, and that nothing found before is lost."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        running = Evaluation(normal_form(cea, TICKS))
        kept: list[tuple[Listed, frozenset[ComplexEvent]]] = []
        for event in stream:
            running.read(event)
            compact = running.compact
            if not is_valid(compact) or any(
                compact.next[end] is not None for _, end in running.table.values()
            ):
                return False
            kept += [(nodes, compact.complex_events(nodes)) for nodes in running.table.values()]
        return all(running.compact.complex_events(nodes) == found for nodes, found in kept)

    return Claim("compact sets stay valid and keep what they hold", "Section 9.2", DENSE, holds)


def is_valid(compact: CompactSet) -> bool:
    """Restrictions (1) to (5): lists and paths end, positions fall, and no two paths of a list are alike."""
    followed = {node for node in compact.next if node is not None}
    for start in range(len(compact)):
        if start not in followed and not _has_different_paths(compact, start):
            return False
    return all(
        child == BOTTOM or compact.position(child) < compact.position(node)
        for node in range(1, len(compact))
        for child in compact.listed(compact.children(node))
    )


def _has_different_paths(compact: CompactSet, start: int) -> bool:
    """Whether the whole list from a node on stands for each complex event once."""
    end, length = start, 1
    while (following := compact.next[end]) is not None:
        end, length = following, length + 1
        if length > len(compact):
            return False
    paths = list(compact.paths((start, end)))
    return len(paths) == len(set(map(frozenset, paths)))


def literal(
    cea: CEA, stream: Stream, *, backwards: bool = False, unmarked_first: bool = False
) -> Iterator[list[ComplexEvent]]:
    """Alg. 2 to the letter: states and actions in some order, and every transition that can fire does.

    A list is continued whether something follows its end or not. At most `MOST` complex events of each state.
    """
    compact, table = CompactSet(), dict.fromkeys(sorted(cea.initials), (BOTTOM, BOTTOM))
    for position, event in enumerate(stream):
        following: Table = {}
        for state in sorted(table, reverse=backwards):
            fired = sorted(runs.enabled(cea, state, event), key=lambda t: t.marking == unmarked_first)
            for t in fired:
                nodes = table[state]
                if t.marking:
                    node = compact.extend(position, nodes)
                    nodes = (node, node)
                _add(compact, following, t.target, nodes)
        table = following
        yield [
            c
            for q in sorted(table.keys() & cea.finals)
            for c in islice(enumerate_set(compact, table[q]), MOST)
        ]


def _add(compact: CompactSet, table: Table, state: State, nodes: Listed) -> None:
    """``ADD``, without asking whether ``next`` of the last node is free."""
    if state in table:
        first, last = table[state]
        compact.next[last] = nodes[0]
        table[state] = (first, nodes[1])
    else:
        table[state] = nodes


def any_order_is_right() -> Claim[Instance]:
    """Alg. 2 in any order of states and of actions."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        one, meant = normal_form(cea, TICKS), runs.complex_events_along(cea, stream)
        return all(
            [_all_different(here) for here in literal(one, stream, backwards=b, unmarked_first=u)] == meant
            for b, u in product((False, True), repeat=2)
        )

    return Claim("Alg. 2 is right in any order of states and actions", "Alg. 2", DENSE, holds)


def determinism_is_not_needed(*, once: bool) -> Claim[Instance]:
    """Alg. 2 on automata of one variable and one initial state that need not be I/O-deterministic.

    That it finds the right complex events, and with `once` each of them once.
    """
    plain = ceas(label_sets=ONE_VARIABLE, states=(1, 3), transitions=(1, 5), asked=event_types())
    single = plain.map(lambda cea: CEA(cea.size, cea.transitions, frozenset({min(cea.initials)}), cea.finals))

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        found = _found_anyhow(instance)
        if once and any(len(here) != len(set(here)) for here in found):
            return False
        return [frozenset(here) for here in found] == runs.complex_events_along(cea, stream)

    def exhibit(instance: Instance) -> Exhibit:
        cea, stream = instance
        meant, found = runs.complex_events_along(cea, stream), _found_anyhow(instance)
        wrong = (n for n, here in enumerate(found) if len(here) != len(meant[n]) or set(here) != meant[n])
        n = next(wrong, len(found) - 1)
        told = "an enumeration without end" if n >= len(found) else str(sorted(map(sorted, found[n])))
        return Exhibit(stream[: n + 1], meant[n], told, (("not I/O-deterministic", cea),))

    what = "each complex event once" if once else "the right complex events"
    name = f"Alg. 2 finds {what} without I/O-determinism"
    return Claim(name, "Alg. 2", st.tuples(single, words(max_size=4)), holds, exhibit)


def _found_anyhow(instance: Instance) -> list[list[ComplexEvent]]:
    """What Alg. 2 enumerates at each position, up to one where a list does not reach its end."""
    found: list[list[ComplexEvent]] = []
    with suppress(PatternError):
        found.extend(literal(*instance))
    return found


def any_automaton_can_be_evaluated() -> Claim[Instance]:
    """Cor. 9.3: by way of the normal form, in at most exponentially many steps for each event."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        running = Evaluation(normal_form(cea, TICKS))
        most = 4 * 2 ** (cea.size + len(cea.transitions))
        for event, meant in zip(stream, runs.complex_events_along(cea, stream), strict=True):
            before = running.steps.count
            running.read(event)
            if running.steps.count - before > most or set(running.complex_events()) != meant:
                return False
        return True

    return Claim("any automaton can be evaluated", "Cor. 9.3", DENSE, holds)


def selections_can_be_evaluated() -> Claim[Instance]:
    """After Cor. 9.3: what selection strategies make by Thm 7.2 can be evaluated too."""
    selecting = st.builds(
        lambda cea, construction: construction(cea, TICKS),
        ceas(states=(2, 3), transitions=(3, 6)),
        st.sampled_from(tuple(SELECTIONS.values())),
    )

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        found = [set(here) for here in evaluate(normal_form(cea, TICKS), stream)]
        return found == runs.complex_events_along(cea, stream)

    instances = st.tuples(selecting, words(min_size=2, max_size=5))
    return Claim("what selects can be evaluated", "Section 9.2", instances, holds)


def proofs_of_evaluation(effort: Effort) -> Iterator[Proof]:
    """Thm 9.1 for every automaton of few transitions over all streams up to a length.

    One event of each type stands for all, since an automaton cannot tell them apart; the solver finds them.
    """
    for transitions in range(1, effort.parts + 1):
        for cea in automata(transitions, ONE_LABEL):
            one = normal_form(cea, LETTERS)
            kinds = types((t.predicate for t in one.transitions), LETTERS).examples
            events = [event.values for event in kinds if event is not None]
            yield _evaluated(one, events, effort.length)


def _evaluated(cea: CEA, events: Sequence[tuple[object, ...]], length: int) -> Proof:
    tried = 0
    for word in product(events, repeat=length):
        stream: tuple[Event, ...] = LETTERS.stream(word)
        tried += 1
        found = [_all_different(here) for here in evaluate(cea, stream)]
        if found != runs.complex_events_along(cea, stream):
            return Proof(Verdict.NO, tried, witness=stream)
    return Proof(Verdict.YES, tried)
