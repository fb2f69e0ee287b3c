"""Chains as queries of SASE: ``PATTERN SEQ(A a, B+ b[], C c) WHERE skip-till-any-match AND ... WITHIN ...``.

Written for SASE 1.0 as it was published in source. An event has a type, which patterns ask for, and
attributes that are whole numbers of 32 bits; conditions are conjunctions of comparisons.

Its engine finds other matches than the language promises where a pattern begins or ends with an iteration, is
of one event, or compares with an event that is not the first. A run that is begun is asked neither for a
match nor to leave the iteration that it begins with (``Engine.createNewRun``); one that ends with one waits
to be complete, which only ``Run.checkMatch`` sets, and that is not asked
(``Engine.evaluateEventForSkipTillAny``); and a run and its clones share what they have kept of an event
(``Run.clone`` copies no ``valueVector``), so that all compare with the last one. Such patterns are written
nevertheless: sets of matches show it.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from string import ascii_lowercase
from typing import Final

from mnemata.paper_figures.peers.chains import Chain, Step, chain_of
from mnemata.paper_figures.peers.conditions import MIRRORED, quoted
from mnemata.paper_figures.peers.event_types import text_asked, texts_asked, type_name, typing_of
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.theory.conditions.formulas import TOP, And, Comparison, Condition, Top, expand
from mnemata.theory.conditions.terms import HEAD, Absolute, Arithmetic, Attribute, Constant, Term, Time
from mnemata.theory.conditions.typing import type_of
from mnemata.theory.schema import Float64, Int64, Schema
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.trees import walk

SASE: Final = "the language of SASE"
UNITS: Final = 10_000
"""What is not whole is counted in so many parts of one, here and by the driver."""
_LARGEST: Final = 2**31 - 1


def sase_query(pattern: Pattern, schema: Schema) -> str:
    """A chain as a query of SASE.

    The type of an event is made of the attributes of which each step asks for one text: ``SELL_INTC``. The
    last line, which SASE passes over, tells the driver which they are. Other texts are in quotes; the driver
    writes numbers for them. Events are named by letters, and attributes by capitals: SASE takes a letter of
    an attribute that is the name of an event for that event. Its windows bound the difference of timestamps,
    which must not exceed them: less than 500 ms is at most 499 ms.

    Parameters
    ----------
    pattern : Pattern
        Bound to `schema`.
    schema : Schema
        Of the events.

    Raises
    ------
    InexpressibleError
        When the pattern is no chain of this kind.
    """
    chain = chain_of(pattern, SASE)
    if len(chain.steps) > len(ascii_lowercase):
        raise InexpressibleError(SASE, f"a sequence of more than {len(ascii_lowercase)} events")
    asked = [tuple(map(_turned, _comparisons(expand(step.condition)))) for step in chain.steps]
    texts = [texts_asked(comparisons) for comparisons in asked]
    typing = typing_of(texts)
    events, conditions = [], [_strategy(chain)]
    for step, comparisons, known in zip(chain.steps, asked, texts, strict=True):
        kind = type_name(known, typing)
        tag = _tag(chain, step)
        events.append(f"{kind}+ {tag}[]" if step.repeated else f"{kind} {tag}")
        # The first event of an iteration is asked apart from the others.
        reads = (f"{tag}[1]", f"{tag}[i]") if step.repeated else (tag,)
        rest = [one for one in comparisons if text_asked(one) not in [(name, known[name]) for name in typing]]
        conditions += [_condition(one, own, chain, step, schema) for own in reads for one in rest]
    where = "\nAND ".join(conditions)
    within = f"WITHIN {chain.window_ms - 1}\n{' '.join(('TYPE', *typing))}"
    return f"PATTERN SEQ({', '.join(events)})\nWHERE {where}\n{within}"


def _strategy(chain: Chain) -> str:
    """One selection strategy for the whole sequence."""
    later = chain.steps[1:]
    if all(step.between == TOP for step in later):
        return "skip-till-any-match"
    if all(step.earliest for step in later) and not any(step.repeated for step in chain.steps):
        return "skip-till-next-match"
    raise InexpressibleError(SASE, "contiguity, absence or several selection strategies in this comparison")


def _comparisons(condition: Condition) -> Iterator[Comparison]:
    match condition:
        case Top():
            return
        case And(operands=operands):
            for operand in operands:
                yield from _comparisons(operand)
        case Comparison():
            yield condition
        case _:
            raise InexpressibleError(SASE, "anything but a conjunction of comparisons")


def _turned(one: Comparison) -> Comparison:
    """A comparison with an attribute of the event itself on its left."""
    if any(isinstance(node, Arithmetic | Absolute) for node in walk(one)):
        raise InexpressibleError(SASE, "arithmetic over float64 or int64")
    for turned in (one, Comparison(MIRRORED[one.operator], one.right, one.left)):
        if isinstance(turned.left, Attribute | Time) and turned.left.variable == HEAD:
            return turned
    raise InexpressibleError(SASE, "a comparison in which the event itself has no part")


def _tag(chain: Chain, step: Step) -> str:
    """The name of an event: SASE takes its letter for its place."""
    return ascii_lowercase[chain.steps.index(step)]


def _condition(one: Comparison, own: str, chain: Chain, step: Step, schema: Schema) -> str:
    kind = type_of(one.left, schema)
    match one.right:
        case Constant(value=str(text)):
            right = quoted(text)
        case Constant(value=int() | float() as value) if kind in (Int64(), Float64()):
            right = _number(value, UNITS if kind == Float64() else 1)
        case Attribute(variable=variable) | Time(variable=variable) if type_of(one.right, schema) == kind:
            held = "" if variable == HEAD else f"{_tag(chain, chain.holder(variable, step))}."
            right = f"{held}{_name(one.right, schema)}"
        case _:
            raise InexpressibleError(SASE, "a comparison of attributes that are counted differently")
    return f"{own}.{_name(one.left, schema)} {one.operator} {right}"


def _name(term: Term, schema: Schema) -> str:
    return (term.name if isinstance(term, Attribute) else schema.time or "").upper()


def _number(value: float, units: int) -> str:
    """A number in units; a sign would be taken for an operator."""
    counted = Decimal(repr(value)) * units
    if not 0 <= counted <= _LARGEST or counted != int(counted):
        kind = "a whole number" if units == 1 else f"a whole number of {units:,} parts"
        raise InexpressibleError(SASE, f"{value!r} as {kind} of 32 bits without a sign")
    return str(int(counted))
