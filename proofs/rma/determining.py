"""Claims about determinism of RMA: Def. 9 and 12 to the letter, Alg. 2 and 5, Cor. 16."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from hypothesis import strategies as st

from mnemata.automata.constructions.rma.determinization import (
    determinize,
    determinize_recogniser,
    determinize_window,
    unrolled,
)
from mnemata.automata.constructions.rma.translation import translate, without_epsilon
from mnemata.automata.constructions.unrolling import unroll
from mnemata.automata.decisions.rma import is_deterministic_per_output, is_output_agnostic_deterministic
from mnemata.automata.rma.automaton import RMA
from mnemata.automata.rma.runs import matches, runs
from mnemata.automata.rma.selections import writes_before_reading
from mnemata.automata.srt import runs as of_srt
from mnemata.automata.srt.transducer import epsilon
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators.cepl import cepl_expressions
from mnemata.proofs.generators.signature import Stream
from mnemata.proofs.rma.candidates import FIGURE_1, automata, deterministic
from mnemata.proofs.rma.closing import STREAMS
from mnemata.proofs.rma.matching import IN_WINDOWS, SCHEMA, SMALL, Instance
from mnemata.proofs.rma.separating import SENSORS
from mnemata.theory.budget import Budget
from mnemata.theory.cepl.expressions import Expression
from mnemata.theory.errors import LimitError
from mnemata.theory.sremo.expressions import Output

One: TypeAlias = tuple[RMA, Stream]


def _with_starts(rma: RMA, starts: frozenset[int], links: frozenset[tuple[int, int]]) -> RMA:
    """More start states and epsilon transitions: Def. 9 and 12 say nothing of them."""
    moves = (*rma.transitions, *(epsilon(*link) for link in sorted(links)))
    return RMA(rma.size, rma.starts | starts, rma.finals, moves, rma.registers)


def _exclusive(per_output: bool, literal: bool) -> st.SearchStrategy[One]:
    """RMA whose guards exclude each other, as Def. 9 or 12 asks; and what these leave open if `literal`."""
    plain = deterministic(per_output=per_output).map(lambda one: one[0])
    if not literal:
        return st.tuples(plain, STREAMS)

    def wider(rma: RMA) -> st.SearchStrategy[RMA]:
        states = st.sampled_from(rma.states)
        links = st.frozensets(st.tuples(states, states), max_size=1)
        return st.builds(_with_starts, st.just(rma), st.frozensets(states, max_size=1), links)

    return st.tuples(plain.flatmap(wider), STREAMS)


def outputs(rma: RMA, stream: Stream) -> list[tuple[Output, ...]]:
    """The outputs of the events of each run."""
    return [tuple(t.output for t in run.transitions if not t.is_epsilon) for run in runs(rma, stream)]


def has_one_run(*, literal: bool) -> Claim[One]:
    """Def. 12: an RMA whose transitions exclude each other has at most one run.

    To the letter nothing is said of several start states or of epsilon transitions.
    """
    what = "guards that exclude each other" if literal else "and one start state and no epsilon transition"
    return Claim(
        f"{what}: at most one run",
        "RMA Def. 12",
        _exclusive(False, literal),
        lambda i: len(list(runs(*i))) <= 1,
        _shown,
    )


def has_one_run_for_each_output(*, literal: bool) -> Claim[One]:
    """Def. 9: no two runs of a DRMA have the same outputs."""
    what = "guards that exclude each other" if literal else "and one start state and no epsilon transition"
    return Claim(
        f"{what}, for each output: no two runs mark the same",
        "RMA Def. 9",
        _exclusive(True, literal),
        lambda i: len(set(outputs(*i))) == len(outputs(*i)),
        _shown,
    )


def _shown(instance: One) -> Exhibit:
    return Exhibit(instance[1], 1, len(list(runs(*instance))), (("guards exclude each other", instance[0]),))


def figure_1_is_deterministic() -> Claim[tuple[Stream]]:
    """The RMA of Fig. 1 is deterministic per output, and has several runs."""
    rma = without_epsilon(translate(FIGURE_1, SENSORS))

    def holds(instance: tuple[Stream]) -> bool:
        found = outputs(rma, instance[0])
        several = len(found) > 1 or "T" not in [event["type"] for event in instance[0]]
        return len(set(found)) == len(found) and several

    return Claim("Fig. 1 has several runs, with different outputs", "RMA Def. 9", STREAMS.map(_alone), holds)


def _alone(stream: Stream) -> tuple[Stream]:
    return (stream,)


def unrolling_is_deterministic() -> Claim[Instance]:
    """Alg. 2 names its result a deterministic RMA."""

    def holds(instance: Instance) -> bool:
        expression, window, stream = instance
        found = outputs(unrolled(translate(expression, SCHEMA), window), stream)
        return len(set(found)) == len(found)

    return Claim("Alg. 2 makes a deterministic RMA", "RMA Alg. 2", SMALL, holds, _unrolled_shown, IN_WINDOWS)


def _unrolled_shown(instance: Instance) -> Exhibit:
    made = unrolled(translate(instance[0], SCHEMA), instance[1])
    found = outputs(made, instance[2])
    return Exhibit(instance[2], len(set(found)), len(found), (("unrolled", made),))


def unrolling_is_a_tree() -> Claim[Instance]:
    """Lemma 15: no loops but one at the start, no state is reached in two ways, no register written so."""

    def holds(instance: Instance) -> bool:
        expression, window, _ = instance
        made = unrolled(translate(expression, SCHEMA), window)
        (start,) = made.starts
        into = [t.target for t in made.transitions if (t.source, t.target) != (start, start)]
        written = [r for t in made.transitions for r in t.writes]
        tree = len(into) == len(set(into)) and start not in into
        return tree and len(written) == len(set(written)) and writes_before_reading(made)

    return Claim(
        "unrolled, an RMA is a tree with a loop at its root", "RMA Lemma 15, Alg. 6 to 8", SMALL, holds
    )


def unrolling_keeps_short_runs() -> Claim[tuple[RMA, int, Stream]]:
    """Alg. 7 and 8: unrolled up to k events, from k = 0 on, an RMA has just the matches of short strings."""

    def holds(instance: tuple[RMA, int, Stream]) -> bool:
        rma, window, string = instance
        found = of_srt.matches(unroll(rma.srt, window=window), string)
        return found == (of_srt.matches(rma.srt, string) if len(string) <= window else frozenset())

    rmas = automata().map(lambda one: one[0])
    instances = st.tuples(rmas, st.integers(0, 4), STREAMS)
    return Claim("unrolling keeps the matches of short strings", "RMA Alg. 7, Alg. 8", instances, holds)


def determinization_has_one_run_for_each_output() -> Claim[Instance]:
    """Within a window (ERRATA C1 repaired): the same matches, and runs with the same outputs are one."""

    def holds(instance: Instance) -> bool:
        expression, window, stream = instance
        made = determinize_window(expression, window, SCHEMA)
        found = outputs(made, stream)
        return len(set(found)) == len(found) and writes_before_reading(made)

    return Claim("determinized in a window, one run for each output", "ERRATA C1", SMALL, holds)


def determinization_is_exact_where_it_ends() -> Claim[tuple[Expression, Stream]]:
    """Where finitely many registers suffice, slots for sets of configurations determinize any RMA."""
    expressions = cepl_expressions(SCHEMA, size=2, windows=False)

    def holds(instance: tuple[Expression, Stream]) -> bool:
        expression, stream = instance
        made = _determinized(expression)
        if made is None:
            return True
        found, wanted = outputs(made, stream), matches(translate(expression, SCHEMA), stream)
        return matches(made, stream) == wanted and len(set(found)) == len(found)

    instances = st.tuples(expressions, SMALL.map(lambda instance: instance[2]))
    return Claim("determinized with slots where that ends", "ERRATA C1", instances, holds)


@cache
def _determinized(expression: Expression) -> RMA | None:
    """``None`` where there is no end in sight."""
    rma = without_epsilon(translate(expression, SCHEMA))
    try:
        return determinize(rma, SCHEMA, budget=Budget(states=20))
    except LimitError:
        return None


def recogniser_has_one_run() -> Claim[Instance]:
    """The ring buffer: one run over any stream, and registers are written before they are read."""

    def holds(instance: Instance) -> bool:
        expression, window, stream = instance
        made = determinize_recogniser(translate(expression, SCHEMA), window)
        return len(list(runs(made, stream))) == 1 and writes_before_reading(made)

    return Claim("the ring buffer has one run", "RMA Cor. 16, ERRATA C2", SMALL, holds)


def determinism_is_decided() -> Claim[Instance]:
    """What determinization makes is decided to be deterministic, or it is not known."""

    def holds(instance: Instance) -> bool:
        expression, window, _ = instance
        recogniser = determinize_recogniser(translate(expression, SCHEMA), min(window, 2))
        whole = determinize_window(expression, min(window, 2), SCHEMA)
        agnostic = is_output_agnostic_deterministic(recogniser, SCHEMA)
        return not (agnostic.no or is_deterministic_per_output(whole, SCHEMA).no)

    return Claim("what is made deterministic is decided to be so", "RMA Def. 9, Def. 12", SMALL, holds)
