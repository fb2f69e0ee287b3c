"""The complement over all strings of up to some length: one by one over an alphabet, and for all values.

Cor. 43 and Alg. 8, as repaired by ERRATA A7: what is complemented is the set of strings of up to `window`
events that an expression accepts, relative to all strings or to those within the window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.complement import complement
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.decisions.languages import language
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.automata.srt.runs import accepts
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.bounded import Proof, proved
from mnemata.proofs.claims import Claim
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS, Stream
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Condition, Not
from mnemata.theory.satisfiability.answers import Answer
from mnemata.theory.satisfiability.decisions import equivalent
from mnemata.theory.schema import Schema
from mnemata.theory.sremo import semantics, symbolic
from mnemata.theory.sremo.expressions import Expression
from mnemata.theory.sremo.rewriting import bound_expression

Complement: TypeAlias = Callable[..., SRT]

ALPHABET: Final[tuple[tuple[Any, ...], ...]] = (
    ("A", 1, 1.0, 0),
    ("B", 1, 2.0, 0),
    ("C", 1, None, 0),
    ("A", None, 2.5, 0),
)
"""Events of `TICKS`: all types, equal and missing identifiers, rising, falling and missing prices."""


def strings(up_to: int) -> Iterator[Stream]:
    """All strings of up to `up_to` events over `ALPHABET`, shortest first."""
    for length in range(up_to + 1):
        yield from (TICKS.stream(word) for word in product(ALPHABET, repeat=length))


def differing(
    expression: Expression, *, window: int, within: bool, up_to: int, made: Complement = complement
) -> Stream | None:
    """A shortest string over `ALPHABET` about which a complement is wrong; ``None`` when it never is.

    Parameters
    ----------
    expression : Expression
        What is complemented, over `TICKS`.
    window, within, made
        As of `mnemata.automata.constructions.complement.complement`, which is `made` by default.
    up_to : int
        The longest strings tried.
    """
    checked = bound_expression(expression, TICKS)
    automaton = made(_automaton(expression, TICKS), window=window, within=within)
    for string in strings(up_to):
        inside = len(string) <= window and bool(semantics.derivations(checked, string))
        relative_to = len(string) <= window or not within
        if accepts(automaton, string) != (relative_to and not inside):
            return string
    return None


def right_about_every_string(up_to: int) -> Claim[tuple[Expression, int, bool]]:
    """That the complement of an expression of the corpus is right about all strings over `ALPHABET`."""
    corpus: st.SearchStrategy[Expression] = st.sampled_from(tuple(CORPUS.values()))
    return Claim(
        f"the complement is right about all strings of up to {up_to} events over an alphabet",
        "Cor. 43, ERRATA A7",
        st.tuples(corpus, st.integers(1, 4), st.booleans()),
        lambda i: differing(i[0], window=i[1], within=i[2], up_to=up_to) is None,
    )


def proofs(effort: Effort) -> Iterator[Proof]:
    """Of the corpus, relative to all strings and within the window, for all attribute values."""
    for expression in CORPUS.values():
        for within in (False, True):
            window = max(1, effort.length - 1)
            yield complemented_exactly(expression, TICKS, window=window, within=within, up_to=effort.length)


def complemented_exactly(
    expression: Expression,
    schema: Schema,
    *,
    window: int,
    within: bool,
    up_to: int,
    made: Complement = complement,
) -> Proof:
    """Whether a complement accepts exactly what it should, over all strings of 1 to `up_to` events."""
    automaton = made(_automaton(expression, schema), window=window, within=within)
    return proved(_equivalences(expression, automaton, schema, window, within, up_to))


def _equivalences(
    expression: Expression, automaton: SRT, schema: Schema, window: int, within: bool, up_to: int
) -> Iterator[tuple[SymbolicString, Answer]]:
    checked, complemented = bound_expression(expression, schema), language(automaton, schema)
    for length in range(1, up_to + 1):
        string = SymbolicString(length, schema)
        if length <= window:
            wanted: Condition = Not(_either(symbolic.matches(checked, string.events)))
        else:
            wanted = BOTTOM if within else TOP
        yield string, equivalent(complemented.accepts(string), wanted, schema, known=string.known)


def _either(found: symbolic.Matches) -> Condition:
    return symbolic.either(found.values())


def _automaton(expression: Expression, schema: Schema) -> SRT:
    return eliminate_epsilon(bind_guards(thompson(expression), schema))
