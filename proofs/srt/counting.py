"""Claims about the work of Alg. 1 at an event, and the runs it makes in a window: SRT Sec. 6 (ERRATA A13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.streaming import streaming
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.configurations import Configuration, initial, successors
from mnemata.automata.srt.runs import Acceptance, matches
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators import TICKS, Stream, expressions, streams
from mnemata.proofs.srt.determinizing import INSTANCES, Instance, automaton
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.conditions.formulas import TOP, Comparison, Condition
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant
from mnemata.theory.conditions.typing import bind
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import (
    Expression,
    Output,
    Plus,
    SkipTillAny,
    Terminal,
    mark,
    sequence,
    skip_till_any,
)
from mnemata.theory.sremo.rewriting import ANYTHING, core
from mnemata.theory.trees import fold

InStream: TypeAlias = tuple[Stream, Expression]


class Work(NamedTuple):
    """What Alg. 1 does at one event: active runs before it, conditions evaluated, clones and updates made."""

    active: int
    evaluated: int
    cloned: int
    updated: int


def work(machine: SRT, stream: Stream) -> Iterator[Work]:
    """What Alg. 1 does at each event of a stream; runs with equal configurations are counted, not made.

    Parameters
    ----------
    machine : SRT
        Without epsilon transitions. Accepting runs are killed, as in the published algorithm.
    stream : tuple of Event
        At positions 1, 2, ...
    """
    runs: Counter[Configuration] = Counter({initial(machine): 1})
    for event in stream:
        going_on: Counter[Configuration] = Counter()
        evaluated = cloned = updated = 0
        for here, many in runs.items():
            after = list(successors(machine, here, stream))
            evaluated += many * len(machine.outgoing(here.state))
            cloned += many * max(0, len(after) - 1)
            updated += many * len(after)
            for transition, there in after:
                # A run that accepts here has marked this event, as Def. 24 asks.
                if there.state not in machine.finals or transition.output is not Output.MARK:
                    going_on[there] += many
        yield Work(runs.total(), evaluated, cloned, updated)
        runs = going_on
        if event is stream[-1]:
            return


def streaming_automaton(expression: Expression) -> SRT:
    """The streaming SRT of an expression, as Alg. 1 runs it."""
    return eliminate_epsilon(bind_guards(streaming(thompson(expression)), TICKS))


def looping(expression: Expression) -> SRT:
    """The streaming SRT of ``any`` over events and iterations of events, as small as one draws it.

    A state for each part, in which events are skipped; after an iteration also repeated.
    """
    parts = expression.parts if isinstance(expression, SkipTillAny) else (expression,)
    moves = [Transition(n, TOP, Output.SKIP, frozenset(), n) for n in range(len(parts))]
    for n, part in enumerate(parts, start=1):
        (condition,) = _conditions(part)
        moves.append(Transition(n - 1, condition, Output.MARK, frozenset(), n))
        if fold(part, _iterations_below):
            moves.append(Transition(n, condition, Output.MARK, frozenset(), n))
            moves.append(Transition(n, TOP, Output.SKIP, frozenset(), n))
    return SRT(len(parts) + 1, 0, frozenset({len(parts)}), tuple(moves))


def runs_made(machine: SRT, stream: Stream) -> int:
    """How many runs Alg. 1 makes over a window: the first one, and clones."""
    return 1 + sum(at.cloned for at in work(machine, stream))


_A: Final = bind(Comparison("=", Attribute(HEAD, "type"), Constant("A")), TICKS)
_EVENTS: Final = st.builds(mark, st.sampled_from((TOP, _A)))
_WINDOWS: Final = st.lists(st.sampled_from("AB"), max_size=9).map(
    lambda letters: TICKS.stream([(letter, 1, 1.0, 0) for letter in letters])
)


def _selected(conditions: list[Condition], stream: Stream) -> int:
    """``R w``: how many events of a window satisfy a predicate, for the one that most satisfy."""
    return max(sum(models(event, EMPTY, condition) for event in stream) for condition in conditions)


def _conditions(expression: Expression) -> list[Condition]:
    """Of all terminals, each as often as it occurs."""
    return fold(expression, _conditions_below)


def _conditions_below(node: object, below: tuple[list[Condition], ...]) -> list[Condition]:
    if isinstance(node, Terminal):
        return [node.condition]
    return [condition for found in below for condition in found]


def _iterations_below(node: object, below: tuple[int, ...]) -> int:
    return isinstance(node, Plus) + sum(below)


def geometric(ratio: int, last: int) -> int:
    """``(ratio ** (last + 1) - 1) / (ratio - 1)``, which is ``1 + ratio + ... + ratio ** last``."""
    return sum(ratio**n for n in range(last + 1))


def contiguous_runs() -> Claim[InStream]:
    """Of a contiguous sequence Alg. 1 makes ``R w`` clones, of events for its first predicate."""
    parts = st.lists(_EVENTS, min_size=1, max_size=3).map(lambda found: sequence(*found))

    def holds(instance: InStream) -> bool:
        stream, expression = instance
        first = _conditions(expression)[0]
        clones = runs_made(streaming_automaton(expression), stream) - 1
        return clones == sum(models(event, EMPTY, first) for event in stream)

    return Claim("a contiguous sequence makes R w clones", "Sec. 6", st.tuples(_WINDOWS, parts), holds)


def runs_of_any() -> Claim[InStream]:
    """Under skip-till-any a sequence of `i` events makes at most ``1 + R w + ... + (R w) ** i`` runs."""
    parts = st.lists(_EVENTS, min_size=1, max_size=4).map(lambda found: skip_till_any(*found))

    def holds(instance: InStream) -> bool:
        stream, expression = instance
        conditions = _conditions(expression)
        most = geometric(_selected(conditions, stream), len(conditions))
        return runs_made(streaming_automaton(expression), stream) <= most

    name = "under skip-till-any a sequence makes no more runs than the geometric series"
    return Claim(name, "Sec. 6", st.tuples(_WINDOWS, parts), holds)


def _iterating() -> st.SearchStrategy[Expression]:
    """``any`` of events and iterations of events, with gaps between their rounds, too."""
    part = _EVENTS | _EVENTS.map(lambda event: skip_till_any(event.plus()))
    return st.lists(part, min_size=1, max_size=3).map(lambda found: skip_till_any(*found))


def runs_of_iterations(bound: Callable[[int, int, int], int], name: str, source: str) -> Claim[InStream]:
    """That the runs made are no more than a formula says of ``R w``, of `i` events and `j` iterations.

    Where it says that there are none, because no event is selected, the first run does not count either.
    """

    def most(instance: InStream) -> int:
        stream, expression = instance
        conditions = _conditions(expression)
        return bound(_selected(conditions, stream), len(conditions), fold(expression, _iterations_below))

    def made(instance: InStream) -> int:
        return runs_made(looping(instance[1]), instance[0])

    def exhibit(instance: InStream) -> Exhibit:
        shown = (("the streaming automaton", looping(instance[1])),)
        return Exhibit(instance[0], f"at most {most(instance)} runs", f"{made(instance)} runs", shown)

    instances = st.tuples(_WINDOWS, _iterating())
    return Claim(name, source, instances, lambda i: not most(i) or made(i) <= most(i), exhibit)


def iterations_as_published() -> Claim[InStream]:
    """``((R w) ** (i - j + 1) - 1) / (R w - 1) * 2 ** j * R w``, as printed."""
    return runs_of_iterations(
        lambda rw, i, j: geometric(rw, i - j) * 2**j * rw,
        "with iterations no more runs are made than 2 ** j * R w times the series",
        "Sec. 6",
    )


def iterations_repaired() -> Claim[InStream]:
    """The same with ``2 ** (j * R w)``."""
    return runs_of_iterations(
        lambda rw, i, j: geometric(rw, i - j) * 2 ** (j * rw),
        "with iterations no more runs are made than 2 ** (j * R w) times the series",
        "Sec. 6, ERRATA A13",
    )


def one_run_at_a_time() -> Claim[Instance]:
    """A deterministic SRT updates one run at an event, after at most `c` conditions, over `r` registers."""

    def holds(instance: Instance) -> bool:
        expression, window, stream = instance
        machine = determinize(automaton(expression), window=window, streaming=True)
        unkilled = SRT(machine.size, machine.start, frozenset(), machine.transitions, machine.registers)
        most = max(len(machine.outgoing(state)) for state in machine.states)
        return all(at.active == at.updated == 1 and at.evaluated <= most for at in work(unkilled, stream))

    return Claim("a deterministic SRT has one run to update", "Sec. 6", INSTANCES, holds)


def work_per_run() -> Claim[InStream]:
    """With `n` terminals in the streaming expression, each run evaluates and makes at most `n`.

    So ``|Run| n`` conditions are evaluated, ``|Run| (n - 1)`` clones and ``|Run| n`` updates made, at most.
    """

    def holds(instance: InStream) -> bool:
        stream, expression = instance
        n = 1 + len(_conditions(core(expression)))
        return all(
            at.evaluated <= at.active * n and at.cloned <= at.active * (n - 1) and at.updated <= at.active * n
            for at in work(streaming_automaton(expression), stream)
        )

    instances = st.tuples(
        streams(TICKS, max_size=4), expressions(TICKS, windows=False, intersections=False, size=4)
    )
    return Claim("the work at an event is bounded by terminals times runs", "Sec. 6", instances, holds)


def counted_is_made() -> Claim[InStream]:
    """As many runs are counted as a list of them, cloned one by one, gets; they find the right matches."""

    def made(instance: InStream) -> int:
        stream, expression = instance
        machine, total = looping(expression), 1
        runs = [initial(machine)]
        for _ in stream:
            after = [list(successors(machine, run, stream)) for run in runs]
            total += sum(len(found) - 1 for found in after if found)
            runs = [
                there
                for found in after
                for t, there in found
                if there.state not in machine.finals or t.output is not Output.MARK
            ]
        return total

    def holds(instance: InStream) -> bool:
        stream, expression = instance
        machine = looping(expression)
        found = matches(machine, stream, Acceptance.LAST_EVENT_MARKED)
        denoted = semantics.matches(ANYTHING >> expression, stream)
        right = found == {marks for marks in denoted if len(stream) in marks and stream}
        return right and runs_made(machine, stream) == made(instance)

    short = st.tuples(_WINDOWS.map(lambda stream: stream[:5]), _iterating())
    return Claim("runs counted are runs made", "Sec. 6", short, holds)
