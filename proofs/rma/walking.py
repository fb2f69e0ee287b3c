"""Claims about what runs of translated expressions do: Sec. 4, Properties 1 to 3 in the proof of Thm 8."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from mnemata.automata.rma.automaton import RMA
from mnemata.automata.rma.runs import accepting_runs, matches
from mnemata.automata.rma.selections import writes_before_reading
from mnemata.automata.srt.configurations import Configuration, initial, successors
from mnemata.automata.srt.runs import Acceptance, Run
from mnemata.automata.srt.transducer import State, Transition
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators.signature import Stream
from mnemata.proofs.rma.candidates import UNBOUNDED_RMA
from mnemata.proofs.rma.closing import ONE, STREAMS, One
from mnemata.proofs.rma.literal import ALGORITHM_4, REPAIRED, Built, Reading, construct, made, property_3
from mnemata.proofs.rma.matching import CHOICES_OF_FILTERS, SCHEMA, SMALL, WITHOUT_WINDOW, Instance
from mnemata.theory.cepl import semantics
from mnemata.theory.cepl.expressions import Expression, Variable, atom, sequence
from mnemata.theory.cepl.variables import bound
from mnemata.theory.conditions.building import register
from mnemata.theory.schema import Event

Step: TypeAlias = tuple[Transition, Variable | None]


def registers_are_full_when_read() -> Claim[One]:
    """Sec. 4: if a register is written on every trail to a state, it is not empty when it is read there."""

    def holds(instance: One) -> bool:
        rma, stream = instance
        return not writes_before_reading(rma) or all(
            t.reads <= here.valuation.keys()
            for here in _visited(rma, stream)
            for t in rma.srt.outgoing(here.state)
            if not t.is_epsilon and here.index <= len(stream)
        )

    return Claim("registers written on every trail are not empty when read", "RMA Sec. 4", ONE, holds)


def _visited(rma: RMA, stream: Stream) -> frozenset[Configuration]:
    seen = {initial(rma.srt)}
    frontier = list(seen)
    while frontier:
        for _, after in successors(rma.srt, frontier.pop(), stream):
            if after not in seen:
                seen.add(after)
                frontier.append(after)
    return frozenset(seen)


def literal_acceptance_is_exact(reading: Acceptance) -> Claim[Instance]:
    """Def. 6: which output has to be a bullet, where transitions that read nothing have outputs too."""

    def holds(instance: Instance) -> bool:
        expression, _, stream = instance
        rma = made(REPAIRED)(expression, SCHEMA)
        return matches(rma, stream, reading) == semantics.matches(expression, stream)

    def exhibit(instance: Instance) -> Exhibit:
        rma = made(REPAIRED)(instance[0], SCHEMA)
        found = matches(rma, instance[2], reading)
        return Exhibit(instance[2], semantics.matches(instance[0], instance[2]), found, (("RMA", rma),))

    return Claim(f"runs accept {reading.value}", "RMA Def. 6", SMALL, holds, exhibit, WITHOUT_WINDOW)


def marks_are_indices_of_transitions() -> Claim[Instance]:
    """Def. 6: ``match(run) = {i : o_i is a bullet}``, counting transitions, epsilon transitions too."""

    def holds(instance: Instance) -> bool:
        expression, _, stream = instance
        built = construct(expression, SCHEMA)
        found = {frozenset(n - 1 for n in run.marks_as_published) for run in _accepting(built, stream)}
        return found == semantics.matches(expression, stream)

    name = "marks are the indices of marking transitions"
    return Claim(name, "RMA Def. 6", SMALL, holds, members=WITHOUT_WINDOW)


def _accepting(built: Built, stream: Stream) -> Iterator[Run]:
    for n in range(len(stream) + 1):
        yield from accepting_runs(built.rma, stream[:n])


def _steps(built: Built, run: Run) -> list[Step]:
    consumed = dict(zip(built.transitions, built.consumed, strict=True))
    return [(t, consumed.get(t)) for t in run.transitions]


def each_variable_appears_once() -> Claim[Instance]:
    """Property 1: on an accepting walk, and on a trail that it contains, each bound variable appears once."""

    def holds(instance: Instance) -> bool:
        expression, _, stream = instance
        built = construct(expression, SCHEMA)
        names = bound(expression)
        walks = (_steps(built, run) for run in _accepting(built, stream))
        return all(_once(names, walk) and _once(names, _trail(walk)) for walk in walks)

    return Claim("each bound variable appears once on an accepting walk", "RMA Property 1", SMALL, holds)


def _once(names: frozenset[Variable], walk: Sequence[Step]) -> bool:
    counts = Counter(variable for _, variable in walk)
    return all(counts[name] == 1 for name in names)


def _trail(walk: Sequence[Step]) -> list[Step]:
    """The walk with what lies between two visits of a state left out."""
    kept: list[Step] = []
    for step in walk:
        target: State = step[0].target
        sources = [t.source for t, _ in kept] + [step[0].source]
        if target in sources:
            del kept[sources.index(target) :]
        else:
            kept.append(step)
    return kept


def registers_hold_their_variables() -> Claim[Instance]:
    """Property 2: the register of a bound variable is empty until its event is consumed, then keeps it."""

    def holds(instance: Instance) -> bool:
        expression, _, stream = instance
        built = construct(expression, SCHEMA)
        names = bound(expression)
        registers = [(r, x) for r, x in built.registers if x in names]
        return all(_kept(built, run, r, x) for run in _accepting(built, stream) for r, x in registers)

    return Claim("registers hold the events of their variables", "RMA Property 2", SMALL, holds)


def _kept(built: Built, run: Run, register_: str, variable: Variable) -> bool:
    held: Event | None = None
    for here, (_, consumed) in zip(run.configurations, _steps(built, run), strict=False):
        if here.valuation.get(register_) != held:
            return False
        if consumed == variable:
            held = run.string[here.index - 1]
    return run.configurations[-1].valuation.get(register_) == held


def variables_have_one_register(reading: Reading) -> Claim[Instance]:
    """Property 3: all transitions that consume a variable write its one register, or it has none."""
    name = "as published" if reading == ALGORITHM_4 else "with one register after OR"
    return Claim(
        f"{name}: a variable has one register, written wherever it is consumed",
        "RMA Property 3, Alg. 4",
        CHOICES_OF_FILTERS,
        lambda i: property_3(construct(i[0], SCHEMA, reading)),
        members=("expression", "", ""),
    )


UNBOUNDED: Final[Expression] = sequence(
    atom("T", "x"), atom("H", "y").filter(register("y").id == register("x").id).plus()
)
"""Not bounded: a filter in an iteration reads a variable from outside (expression after Thm 8)."""


def more_than_bounded_expressions() -> Claim[tuple[Stream]]:
    """Thm 8, remark: some expressions that are not bounded have an RMA."""
    return Claim(
        "an RMA for an expression that is not bounded",
        "RMA Sec. 5",
        STREAMS.map(lambda stream: (stream,)),
        lambda i: matches(UNBOUNDED_RMA, i[0]) == semantics.matches(UNBOUNDED, i[0]),
    )
