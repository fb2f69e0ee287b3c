"""Claims about compiling expressions: SRT Thm 27, Lemma 29, Def. 32 and 39."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards, compile_pattern
from mnemata.automata.constructions.epsilon import eliminate_epsilon, eliminate_epsilon_as_published
from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.automata.constructions.registers import rename_registers
from mnemata.automata.constructions.streaming import streaming
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.constructions.trimming import trim
from mnemata.automata.srt.runs import Acceptance, matches
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim, Refuted
from mnemata.proofs.generators import REGISTERS, TICKS, Stream, expressions, schemas, srts, streams
from mnemata.theory.conditions.formulas import TOP, Comparison, Condition
from mnemata.theory.conditions.terms import HEAD, Attribute, Register
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Expression, LengthWindow, Windowed, mark, sequence, union
from mnemata.theory.sremo.windows import fits

ExpressionAndString: TypeAlias = tuple[Schema, Expression, Stream]
AutomatonAndString: TypeAlias = tuple[SRT, Stream]


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

    return Claim(f"Match(e, S) = Match(T, S), runs accept {reading.value}", "Thm 27", instances, holds)


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

    return Claim(f"{eliminate.__name__} keeps all matches", "Lemma 29, Alg. 2", instances, holds)


def literal_epsilon_elimination(srt: SRT) -> SRT:
    """Alg. 2 as published, given up sooner than by default: it is tried on small automata."""
    return eliminate_epsilon_as_published(srt, limit=30)


def merging_epsilon_elimination(srt: SRT) -> SRT:
    """Alg. 2 as published, except that states already treated do not return to the frontier."""
    return eliminate_epsilon_as_published(srt, revisit=False)


def keeps_matches(name: str, construction: Callable[[SRT], SRT]) -> Claim[AutomatonAndString]:
    """That a construction on automata changes nothing about their matches."""

    def holds(instance: AutomatonAndString) -> bool:
        srt, string = instance
        return matches(construction(srt), string) == matches(srt, string)

    return Claim(f"{name} keeps all matches", "the project's own", AUTOMATA, holds)


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


def streaming_is_exact() -> Claim[ExpressionAndString]:
    """Def. 32: the streaming SRT accepts a prefix exactly when the SRT accepts one of its suffixes."""

    def holds(instance: ExpressionAndString) -> bool:
        schema, expression, stream = instance
        srt = automaton(expression, schema)
        suffixes = (matches(srt, stream[m:]) for m in range(len(stream) + 1))
        return matches(streaming(srt), stream) == frozenset(m for found in suffixes for m in found)

    return Claim("the streaming SRT matches every suffix", "Def. 32", EXPRESSIONS, holds)


def windowed_is_exact() -> Claim[ExpressionAndString]:
    """Windows as guards, nested or not, against Def. 39."""

    def holds(instance: ExpressionAndString) -> bool:
        schema, expression, string = instance
        bounded = Windowed(expression, LengthWindow(3)).within(events=2)
        if schema.time is not None:
            bounded = bounded.within(s=1)
        return matches(automaton(bounded, schema), string) == semantics.matches(bounded, string)

    return Claim("windows become guards", "Def. 39", EXPRESSIONS, holds)


CLAIMS: tuple[Claim[ExpressionAndString] | Claim[AutomatonAndString], ...] = (
    compilation_is_exact(Acceptance.FINAL_STATE),
    epsilon_elimination_is_exact(),
    epsilon_elimination_is_exact(instances=JOINED),
    compiled_patterns_are_exact(),
    streaming_is_exact(),
    windowed_is_exact(),
    keeps_matches("epsilon elimination", eliminate_epsilon),
    keeps_matches("trimming", trim),
    keeps_matches("merging", merge_equivalent),
    keeps_matches("renaming", renamed),
)
"""What holds, with the constructions as repaired."""

REFUTED: tuple[Refuted[ExpressionAndString], ...] = (
    Refuted(compilation_is_exact(Acceptance.LAST_EVENT_MARKED, SMALL_EXPRESSIONS), parts=1, events=1),
    Refuted(compilation_is_exact(Acceptance.LAST_TRANSITION_MARKED, SMALL_EXPRESSIONS), parts=1, events=1),
    Refuted(epsilon_elimination_is_exact(literal_epsilon_elimination, SMALL_EXPRESSIONS), parts=2, events=3),
    Refuted(epsilon_elimination_is_exact(merging_epsilon_elimination, JOINED), parts=4, events=3),
)
"""What does not hold, as published, with the sizes of the counterexamples of ERRATA A1 and A2."""
