"""Claims about compiling expressions: SRT Def. 24, Thm 27, Lemma 29 and Alg. 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards, compile_pattern
from mnemata.automata.constructions.epsilon import eliminate_epsilon, eliminate_epsilon_as_published
from mnemata.automata.constructions.registers import rename_registers
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.configurations import Configuration, successors
from mnemata.automata.srt.runs import Acceptance, Marks, accepting_runs, matches
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators import (
    REGISTERS,
    TICKS,
    Stream,
    events,
    expressions,
    remembering_srts,
    schemas,
    srts,
    streams,
)
from mnemata.proofs.generators.cel import words
from mnemata.theory.conditions.evaluation import Valuation
from mnemata.theory.conditions.formulas import TOP, Comparison, Condition
from mnemata.theory.conditions.terms import HEAD, Attribute, Register
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import (
    EPSILON,
    Expression,
    Output,
    mark,
    sequence,
    union,
)
from mnemata.theory.sremo.rewriting import bound_expression
from mnemata.theory.sremo.windows import fits

ExpressionAndString: TypeAlias = tuple[Schema, Expression, Stream]
AutomatonAndString: TypeAlias = tuple[SRT, Stream]
ExpressionStringAndContents: TypeAlias = tuple[Schema, Expression, Stream, Valuation]


@st.composite
def joins(draw: st.DrawFn) -> Expression:
    """Short sequences with a choice between alike events that are written to different registers."""
    before = draw(st.lists(_steps(), max_size=1))
    guard = draw(_guards())
    choice = [mark(guard, draw(_writes())) for _ in range(2)]
    return sequence(*before, union(*choice), draw(_steps()))


def _steps() -> st.SearchStrategy[Expression]:
    return st.builds(mark, _guards(), _writes())


def _guards() -> st.SearchStrategy[Condition]:
    first, second = (
        Comparison("=", Attribute(HEAD, "id"), Attribute(register, "id")) for register in REGISTERS[:2]
    )
    return st.sampled_from((TOP, first, TOP, first & second))


def _writes() -> st.SearchStrategy[Register | None]:
    return st.sampled_from((None, *REGISTERS[:2]))


STRINGS = streams(TICKS, max_size=4)


def _over(schema: Schema) -> st.SearchStrategy[ExpressionAndString]:
    return st.tuples(st.just(schema), expressions(schema), streams(schema, max_size=6))


EXPRESSIONS: st.SearchStrategy[ExpressionAndString] = _over(TICKS) | schemas().flatmap(_over)
BASIC_EXPRESSIONS: st.SearchStrategy[ExpressionAndString] = st.tuples(
    st.just(TICKS), expressions(TICKS, core_only=True, windows=False, intersections=False), STRINGS
)
SMALL_EXPRESSIONS: st.SearchStrategy[ExpressionAndString] = st.tuples(
    st.just(TICKS), expressions(TICKS, size=2, core_only=True, windows=False, intersections=False), STRINGS
)
JOINED: st.SearchStrategy[ExpressionAndString] = st.tuples(
    st.just(TICKS), joins(), streams(TICKS, min_size=2, max_size=3)
)
AUTOMATA: st.SearchStrategy[AutomatonAndString] = st.tuples(
    srts(TICKS).map(lambda srt: bind_guards(srt, TICKS)), STRINGS
)
REMEMBERING: st.SearchStrategy[AutomatonAndString] = st.tuples(
    remembering_srts(), words(min_size=2, max_size=3)
)
"""Automata in which registers matter."""


def automaton(expression: Expression, schema: Schema) -> SRT:
    """The SRT of an expression, epsilon transitions included (Thm 27)."""
    return bind_guards(thompson(expression), schema)


def compilation_is_exact(
    reading: Acceptance, instances: st.SearchStrategy[ExpressionAndString] = EXPRESSIONS
) -> Claim[ExpressionAndString]:
    """Thm 27: ``Match(e, S) = Match(T, S)``, under one reading of when a run accepts (ERRATA A2)."""

    def holds(instance: ExpressionAndString) -> bool:
        schema, expression, string = instance
        return matches(automaton(expression, schema), string, reading) == semantics.matches(
            expression, string
        )

    def exhibit(instance: ExpressionAndString) -> Exhibit:
        schema, expression, string = instance
        made = automaton(expression, schema)
        denoted = semantics.matches(expression, string)
        return Exhibit(string, denoted, matches(made, string, reading), (("the automaton of Thm 27", made),))

    name = f"Match(e, S) = Match(T, S), runs accept {reading.value}"
    return Claim(name, "Thm 27", instances, holds, exhibit)


def every_match_marks_the_last_event(
    instances: st.SearchStrategy[ExpressionAndString],
) -> Claim[ExpressionAndString]:
    """What Def. 24 asks of runs would have to be true of the matches of expressions (ERRATA A2).

    Where it is not, *no* SRT has the matches of the expression.
    """

    def holds(instance: ExpressionAndString) -> bool:
        _, expression, string = instance
        last = {event.position for event in string[-1:]}
        return all(last and last <= marks for marks in semantics.matches(expression, string))

    def exhibit(instance: ExpressionAndString) -> Exhibit:
        schema, expression, string = instance
        found = semantics.matches(expression, string)
        marking = frozenset(marks for marks in found if string and string[-1].position in marks)
        return Exhibit(string, marking, found, (("the automaton", automaton(expression, schema)),))

    name = "every match marks the last event of its string"
    return Claim(name, "Def. 24", instances, holds, exhibit)


def marks_are_those_of_transitions() -> Claim[ExpressionAndString]:
    """``Match(rho)`` of Def. 24 to the letter: ``{i : o_i = bullet}``, epsilon transitions counted too."""

    def found(instance: ExpressionAndString) -> tuple[frozenset[Marks], frozenset[Marks], SRT]:
        schema, expression, string = instance
        made = automaton(expression, schema)
        runs = tuple(accepting_runs(made, string))
        published = frozenset(run.marks_as_published for run in runs)
        return published, frozenset(run.marks for run in runs), made

    def holds(instance: ExpressionAndString) -> bool:
        published, positions, _ = found(instance)
        return published == positions

    def exhibit(instance: ExpressionAndString) -> Exhibit:
        published, positions, made = found(instance)
        return Exhibit(instance[-1], positions, published, (("the automaton of Thm 27", made),))

    name = "the indices of marking transitions are those of the marked events"
    return Claim(name, "Def. 24", SMALL_EXPRESSIONS, holds, exhibit)


def marked_at_the_end(
    instances: st.SearchStrategy[ExpressionAndString],
) -> Claim[ExpressionAndString]:
    """The other repair of ERRATA A2: runs accept as in Def. 24, and find what marks the last event."""

    def holds(instance: ExpressionAndString) -> bool:
        schema, expression, string = instance
        found = matches(automaton(expression, schema), string, Acceptance.LAST_EVENT_MARKED)
        denoted = semantics.matches(expression, string)
        return found == {marks for marks in denoted if string and string[-1].position in marks}

    name = "runs that accept as in Def. 24 find the matches that mark the last event"
    return Claim(name, "Def. 24, ERRATA A2", instances, holds)


def nothing_matches_epsilon() -> Claim[ExpressionAndString]:
    """``Match(eps, S)`` is empty, as App. A.2 has it; by Def. 17 it has the empty match."""
    instances: st.SearchStrategy[ExpressionAndString] = st.tuples(
        st.just(TICKS), st.just(EPSILON), streams(TICKS, max_size=1)
    )

    def holds(instance: ExpressionAndString) -> bool:
        return not semantics.matches(instance[1], instance[2])

    return Claim("nothing matches the expression epsilon", "App. A.2", instances, holds)


def derivations_are_kept() -> Claim[ExpressionStringAndContents]:
    """What is proved in App. A.2: ``M(e, S, v, v') = M(T, S, v, v')`` from any register contents."""
    contents = st.dictionaries(st.sampled_from(REGISTERS), events(TICKS)).map(
        lambda held: Valuation(tuple(held.items()))
    )
    basic = expressions(TICKS, core_only=True, windows=False, intersections=False)
    instances = st.tuples(st.just(TICKS), basic, STRINGS, contents)

    def holds(instance: ExpressionStringAndContents) -> bool:
        schema, expression, string, before = instance
        denoted = semantics.derivations(bound_expression(expression, schema), string, before)
        made = automaton(expression, schema)
        return frozenset(endings(made, made.start, before, string)) == denoted

    name = "the automaton has the matches of the expression, from any register contents to the same ones"
    return Claim(name, "App. A.2", instances, holds)


def endings(srt: SRT, state: int, before: Valuation, string: Stream) -> set[tuple[Marks, Valuation]]:
    """What runs from a state and register contents over a whole string to a final state mark, and leave."""
    start = (Configuration(1, state, before), frozenset[int]())
    found, seen, frontier = set[tuple[Marks, Valuation]](), {start}, [start]
    while frontier:
        here, marks = frontier.pop()
        if here.index > len(string) and here.state in srt.finals:
            found.add((marks, here.valuation))
        for transition, following in successors(srt, here, string):
            marked = {string[here.index - 1].position} if transition.output is Output.MARK else set()
            there = (following, marks | marked)
            if there not in seen:
                seen.add(there)
                frontier.append(there)
    return found


def epsilon_elimination_is_exact(
    eliminate: Callable[[SRT], SRT] = eliminate_epsilon,
    instances: st.SearchStrategy[ExpressionAndString] = BASIC_EXPRESSIONS,
) -> Claim[ExpressionAndString]:
    """Lemma 29, on the automata that Thm 27 makes: the same matches before and after."""

    def holds(instance: ExpressionAndString) -> bool:
        schema, expression, string = instance
        with_epsilon = automaton(expression, schema)
        try:
            without = eliminate(with_epsilon)
        except LimitError:  # Alg. 2 as published need not end
            return False
        same = matches(without, string) == matches(with_epsilon, string)
        return same and not without.has_epsilon

    def exhibit(instance: ExpressionAndString) -> Exhibit:
        schema, expression, string = instance
        with_epsilon = automaton(expression, schema)
        denoted = semantics.matches(expression, string)
        try:
            without = eliminate(with_epsilon)
        except LimitError as error:
            return Exhibit(string, denoted, str(error), (("with epsilon transitions", with_epsilon),))
        shown = (("after Alg. 2", without), ("states kept apart", eliminate_epsilon(with_epsilon)))
        return Exhibit(string, denoted, matches(without, string), shown)

    name = f"{eliminate.__name__.replace('_', ' ')} keeps all matches"
    return Claim(name, "Lemma 29, Alg. 2", instances, holds, exhibit)


def literal_epsilon_elimination(srt: SRT) -> SRT:
    """Alg. 2 as published, given up sooner than by default: it is tried on small automata."""
    return eliminate_epsilon_as_published(srt, limit=30)


def merging_epsilon_elimination(srt: SRT) -> SRT:
    """Alg. 2 as published, except that states already treated do not return to the frontier."""
    return eliminate_epsilon_as_published(srt, revisit=False)


def keeps_matches(
    name: str,
    construction: Callable[[SRT], SRT],
    instances: st.SearchStrategy[AutomatonAndString] = AUTOMATA,
) -> Claim[AutomatonAndString]:
    """That a construction on automata changes nothing about their matches."""

    def holds(instance: AutomatonAndString) -> bool:
        srt, string = instance
        return matches(construction(srt), string) == matches(srt, string)

    return Claim(f"{name} keeps all matches", "the project's own", instances, holds)


def renamed(srt: SRT) -> SRT:
    """`srt` with all of its registers renamed."""
    return rename_registers(srt, {register: f"{register}'" for register in REGISTERS})


def compiled_patterns_are_exact() -> Claim[ExpressionAndString]:
    """The whole compiler: its automaton and windows give ``Match(e, S)``."""

    def holds(instance: ExpressionAndString) -> bool:
        schema, expression, string = instance
        compiled = compile_pattern(expression, schema)
        found = frozenset(
            marks
            for marks in matches(compiled.srt, string)
            if all(fits(marks, window, string) for window in compiled.windows)
        )
        return found == semantics.matches(expression, string)

    return Claim("compiled patterns keep all matches", "the project's own", EXPRESSIONS, holds)
