"""Claims about streams: SRT Sec. 4.3, Def. 32 and Alg. 1 (ERRATA A9 and A10)."""

from __future__ import annotations

from typing import TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.streaming import streaming
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.engine.algorithm_1 import algorithm_1, algorithm_1_as_published
from mnemata.automata.srt.runs import Marks, matches
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators import TICKS, Stream, expressions, streams
from mnemata.proofs.srt.compiling import EXPRESSIONS, ExpressionAndString, automaton
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Expression
from mnemata.theory.sremo.rewriting import ANYTHING
from mnemata.theory.sremo.windows import marks_last

InStream: TypeAlias = tuple[Stream, Expression]

STREAMS = streams(TICKS, max_size=5)
IN_STREAMS: st.SearchStrategy[InStream] = st.tuples(STREAMS, expressions(TICKS, negations=True))
SMALL_IN_STREAMS: st.SearchStrategy[InStream] = st.tuples(
    streams(TICKS, max_size=3), expressions(TICKS, (), size=3, windows=False, intersections=False)
)


def streaming_is_exact() -> Claim[ExpressionAndString]:
    """Def. 32: the streaming SRT accepts a prefix exactly when the SRT accepts one of its suffixes."""

    def holds(instance: ExpressionAndString) -> bool:
        schema, expression, stream = instance
        srt = automaton(expression, schema)
        suffixes = (matches(srt, stream[m:]) for m in range(len(stream) + 1))
        return matches(streaming(srt), stream) == frozenset(m for found in suffixes for m in found)

    return Claim("the streaming SRT matches every suffix", "Def. 32", EXPRESSIONS, holds)


def detected_where_a_suffix_is(*, empty: bool) -> Claim[InStream]:
    """Def. 32: a prefix is in ``Lang(T* . e)`` exactly when one of its suffixes is in ``Lang(e)``.

    The paper lets suffixes begin at an event of the prefix; with `empty` the empty one counts, too.
    """

    def suffix(instance: InStream) -> bool:
        stream, expression = instance
        return any(semantics.accepts(expression, stream[m:]) for m in range(len(stream) + empty))

    def holds(instance: InStream) -> bool:
        stream, expression = instance
        return not stream or semantics.accepts(ANYTHING >> expression, stream) == suffix(instance)

    def exhibit(instance: InStream) -> Exhibit:
        made = bind_guards(thompson(ANYTHING >> instance[1]), TICKS)
        found = semantics.accepts(ANYTHING >> instance[1], instance[0])
        return Exhibit(instance[0], suffix(instance), found, (("the streaming automaton", made),))

    which = "suffix, the empty one included," if empty else "suffix that begins at an event"
    instances = IN_STREAMS if empty else SMALL_IN_STREAMS
    return Claim(f"e is detected where a {which} is in Lang(e)", "Def. 32", instances, holds, exhibit)


def stream_matches_are_those_of_every_suffix() -> Claim[InStream]:
    """``Match_stream`` to the letter: ``M`` is a match of ``S[m..k]`` for *all* ``m`` (ERRATA A10).

    Compared are the matches that mark the last event.
    """

    def published(instance: InStream) -> frozenset[Marks]:
        stream, expression = instance
        found = [semantics.matches(expression, stream[m:]) for m in range(len(stream))]
        return frozenset(marks for marks in frozenset.intersection(*found) if len(stream) in marks)

    def wanted(instance: InStream) -> frozenset[Marks]:
        found = semantics.matches(ANYTHING >> instance[1], instance[0])
        return frozenset(marks for marks in found if len(instance[0]) in marks)

    def exhibit(instance: InStream) -> Exhibit:
        made = bind_guards(thompson(ANYTHING >> instance[1]), TICKS)
        shown = (("the streaming automaton", made),)
        return Exhibit(instance[0], wanted(instance), published(instance), shown)

    return Claim(
        "the matches in a stream are those of every suffix",
        "Sec. 4.3",
        SMALL_IN_STREAMS,
        lambda i: not i[0] or published(i) == wanted(i),
        exhibit,
    )


def reports_are_those_of_the_streaming_expression() -> Claim[InStream]:
    """``Match_stream`` repaired: at `k` the matches of ``T* . e`` over the prefix that contain `k`."""

    def holds(instance: InStream) -> bool:
        stream, expression = instance
        return all(
            semantics.matches_at(expression, stream, k)
            == {marks for marks in semantics.matches(ANYTHING >> expression, stream[:k]) if k in marks}
            for k in range(1, len(stream) + 1)
        )

    name = "a stream reports what the streaming expression matches"
    return Claim(name, "Sec. 4.3, ERRATA A10", IN_STREAMS, holds)


def reported_once_and_for_all() -> Claim[InStream]:
    """No match is reported twice, and what has been reported does not depend on what follows."""

    def holds(instance: InStream) -> bool:
        stream, expression = instance
        events = range(1, len(stream) + 1)
        reports = [semantics.matches_at(expression, stream, k) for k in events]
        before = [semantics.matches_at(expression, stream[:k], k) for k in events]
        whole = frozenset[Marks]().union(*reports)
        return reports == before and sum(map(len, reports)) == len(whole)

    name = "each match is reported once, whatever follows"
    return Claim(name, "Sec. 4.3, ERRATA A10", IN_STREAMS, holds)


def all_are_reported() -> Claim[InStream]:
    """Where every match marks its last event, as Def. 24 has it, a stream reports all of them."""

    def holds(instance: InStream) -> bool:
        stream, expression = instance
        found = semantics.matches(expression, stream) - {frozenset()}
        return not marks_last(expression) or found <= semantics.stream_matches(expression, stream)

    name = "matches that mark their last event are all reported"
    return Claim(name, "Sec. 4.3, ERRATA A10", IN_STREAMS, holds)


def _denoted(instance: InStream) -> list[frozenset[Marks]]:
    stream, expression = instance
    return [semantics.matches_at(expression, stream, k) for k in range(1, len(stream) + 1)]


def algorithm_1_as_published_is_exact() -> Claim[InStream]:
    """Alg. 1 to the letter, accepting runs killed: it reports the matches that end at each event."""

    def found(instance: InStream) -> list[frozenset[Marks]]:
        return [frozenset(r) for r in algorithm_1_as_published(_automaton(instance), instance[0])]

    def exhibit(instance: InStream) -> Exhibit:
        made = _automaton(instance)
        return Exhibit(instance[0], _denoted(instance), found(instance), (("the pattern", made),))

    return Claim(
        "Alg. 1, which kills accepting runs, reports all matches",
        "Alg. 1",
        SMALL_IN_STREAMS,
        lambda i: found(i) == _denoted(i),
        exhibit,
    )


def algorithm_1_is_exact() -> Claim[InStream]:
    """Alg. 1 with accepting runs kept."""
    return Claim(
        "Alg. 1, where accepting runs live on, reports all matches",
        "Alg. 1, ERRATA A9",
        st.tuples(STREAMS, expressions(TICKS)),
        lambda i: algorithm_1(_automaton(i), i[0]) == _denoted(i),
    )


def _automaton(instance: InStream) -> SRT:
    return bind_guards(thompson(instance[1]), TICKS)
