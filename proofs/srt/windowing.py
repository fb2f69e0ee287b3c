"""Claims about windows: what Def. 39 bounds, and windows as conditions on positions (ERRATA A5)."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.constructions.windowing import windowed
from mnemata.automata.srt.runs import matches
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators import TICKS, expressions, remembering_expressions, streams
from mnemata.proofs.srt.compiling import EXPRESSIONS, ExpressionAndString, automaton
from mnemata.proofs.srt.determinizing import INSTANCES, MEMBERS, Instance
from mnemata.theory.schema import Timestamp
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import EventWindow, LengthWindow, Output, Windowed
from mnemata.theory.sremo.windows import marks_both_ends

_REGISTER: Final = "#window"

UNWINDOWED: st.SearchStrategy[Instance] = st.tuples(
    expressions(TICKS, ("r1",), size=3, core_only=True, windows=False, intersections=False),
    st.integers(1, 3),
    streams(TICKS, max_size=4),
)


REMEMBERING: st.SearchStrategy[ExpressionAndString] = st.tuples(
    st.just(TICKS), remembering_expressions((Output.MARK,)), streams(TICKS, min_size=2, max_size=3)
)
"""All events are marked, so that what fits a window depends on the window."""


def windowed_is_exact(
    instances: st.SearchStrategy[ExpressionAndString] = EXPRESSIONS,
) -> Claim[ExpressionAndString]:
    """Windows as guards, nested or not, against Def. 39."""

    def holds(instance: ExpressionAndString) -> bool:
        schema, expression, string = instance
        bounded = Windowed(expression, LengthWindow(3)).within(events=2)
        kind = None if schema.time is None else schema[schema.time]
        if isinstance(kind, Timestamp):
            bounded = bounded.within(**{kind.unit: 1})
        return matches(automaton(bounded, schema), string) == semantics.matches(bounded, string)

    return Claim("windows become guards", "Def. 39", instances, holds)


def windows_are_conditions(*, largest: int) -> Claim[Instance]:
    """Sec. 5.1.2: a window of `w` as a bound on how far each mark is from the first, at most ``w + largest``.

    The paper says that the difference be no greater than `w`, ``largest=0``; Def. 39 has ``w - 1``.
    """

    def made(instance: Instance) -> SRT:
        # A window of n events is the guard "the difference is less than n".
        window = EventWindow(instance[1] + largest + 1)
        return bind_guards(windowed(thompson(instance[0]), window, _REGISTER), TICKS)

    def wanted(instance: Instance) -> frozenset[frozenset[int]]:
        return semantics.matches(instance[0].within(events=instance[1]), instance[2])

    def exhibit(instance: Instance) -> Exhibit:
        shown = (("the window as a condition", made(instance)),)
        return Exhibit(instance[2], wanted(instance), matches(made(instance), instance[2]), shown)

    bound = f"w {'+' if largest > 0 else '-'} {abs(largest)}" if largest else "w"
    return Claim(
        f"a window is the condition that positions differ by at most {bound}",
        "Sec. 5.1.2",
        UNWINDOWED,
        lambda i: matches(made(i), i[2]) == wanted(i),
        exhibit,
        MEMBERS,
    )


def window_on_marks_bounds_the_string(*, both_ends: bool) -> Claim[Instance]:
    """That ``e^[1..w]`` (Def. 39) has the matches of ``e`` on strings of up to `w` events (ERRATA A5).

    With `both_ends` only for expressions that mark the first and the last event of every string. Strings
    over which nothing is marked do not count: Def. 39 does not say what the span of no marks is.
    """

    def holds(instance: Instance) -> bool:
        expression, window, string = instance
        if both_ends and not marks_both_ends(expression):
            return True
        if frozenset() in semantics.matches(expression, string):
            return True
        by_marks = semantics.matches(expression.within(events=window), string)
        return by_marks == semantics.matches(expression.length(window), string)

    def exhibit(instance: Instance) -> Exhibit:
        expression, window, string = instance
        bounded = semantics.matches(expression.length(window), string)
        found = semantics.matches(expression.within(events=window), string)
        return Exhibit(string, bounded, found, (("without the window", automaton(expression, TICKS)),))

    name = "where both ends are marked, " if both_ends else ""
    return Claim(f"{name}Def. 39 bounds the string", "Def. 39, Lemma 46", INSTANCES, holds, exhibit, MEMBERS)
