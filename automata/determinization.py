"""From a pattern to a deterministic automaton and to its complement, within the pattern's own window.

What cannot be bounded cannot be determinized (ERRATA A5): the error then says which condition fails, and
shows a path through the pattern on which it is seen.
"""

from __future__ import annotations

from typing import Final, NamedTuple, NoReturn, TypeAlias

from mnemata.automata.compilation import automaton
from mnemata.automata.constructions import ring_buffer
from mnemata.automata.constructions.bounding import REMEDY
from mnemata.automata.constructions.complement import complete, opposite, shortened
from mnemata.automata.constructions.powerset import powerset
from mnemata.automata.constructions.unrolling import unroll
from mnemata.automata.srt.transducer import SRT
from mnemata.theory.budget import Budget, spending
from mnemata.theory.errors import PatternError, UnsupportedError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import EventWindow, Expression, LengthWindow, Pattern, Windowed
from mnemata.theory.sremo.narrowing import narrowed
from mnemata.theory.sremo.paths import Path, shortest
from mnemata.theory.sremo.rewriting import bound_expression
from mnemata.theory.sremo.windows import bounds_string, longest
from mnemata.theory.syntax import Located
from mnemata.theory.syntax.paths import show_path

Subject: TypeAlias = Pattern | Expression | Located

_REMEDY: Final = f"{REMEDY}, as in 'length 5'"


class Stage(NamedTuple):
    """One automaton on the way, and what it is."""

    title: str
    srt: SRT


def determinize(
    pattern: Subject,
    schema: Schema,
    *,
    window: int | None = None,
    streaming: bool = False,
    as_published: bool = False,
    budget: Budget | None = None,
) -> SRT:
    """The deterministic SRT of the strings that a pattern matches; outputs are ignored.

    Parameters
    ----------
    pattern : Pattern, Expression or Located
        Of a `Located` pattern, errors name places in the text. ``partition by`` plays no part: the
        automaton reads the events of one key.
    schema : Schema
        Of the events.
    window : int, optional
        Only strings of up to this many events; by default all that the pattern's own windows allow.
    streaming : bool
        Accept a stream wherever a match ends, instead of strings as a whole. Not as published.
    as_published : bool
        By unrolling and the power set (Alg. 7) instead of the ring buffer (ERRATA A5).
    budget : Budget, optional
        What it may cost.

    Raises
    ------
    UnsupportedError
        Nothing bounds the strings; the message shows on which path.
    LimitError
        The budget is spent.

    Examples
    --------
    >>> from mnemata.theory.schema import Int64
    >>> from mnemata.theory.sremo.expressions import mark
    >>> determinize(mark().plus().within(events=3), Schema.of(x=Int64())).size
    4
    """
    stages = determinization(
        pattern, schema, window=window, streaming=streaming, as_published=as_published, budget=budget
    )
    return stages[-1].srt


def complement(
    pattern: Subject,
    schema: Schema,
    *,
    window: int | None = None,
    within: bool = False,
    as_published: bool = False,
    budget: Budget | None = None,
) -> SRT:
    """The deterministic SRT of all strings that a pattern does not match (ERRATA A7).

    Parameters
    ----------
    pattern, schema, window, budget
        As for `determinize`.
    within : bool
        Leave out strings longer than the window, instead of accepting all of them.
    as_published : bool
        Determinize by Alg. 7. (Alg. 8 itself is in `constructions.complement`, and wrong.)
    """
    stages = complementation(
        pattern, schema, window=window, within=within, as_published=as_published, budget=budget
    )
    return stages[-1].srt


def determinization(
    pattern: Subject,
    schema: Schema,
    *,
    window: int | None = None,
    streaming: bool = False,
    as_published: bool = False,
    budget: Budget | None = None,
) -> tuple[Stage, ...]:
    """The stages of `determinize`, with the same parameters."""
    if streaming and as_published:
        raise UnsupportedError("Alg. 7 is published for strings, not for streams; use the ring buffer")
    with spending(budget):
        inner, length = _bounded(pattern, schema, window)
        first = Stage("the automaton of the pattern", automaton(bound_expression(inner, schema), schema))
        if as_published:
            return (first, *_published(first.srt, schema, length))
        made = ring_buffer.determinize(first.srt, window=max(1, length), streaming=streaming)
        reads = "streams, matches of" if streaming else "strings of"
        return first, Stage(f"deterministic, by the ring buffer: {reads} up to {_events(length)}", made)


def complementation(
    pattern: Subject,
    schema: Schema,
    *,
    window: int | None = None,
    within: bool = False,
    as_published: bool = False,
    budget: Budget | None = None,
) -> tuple[Stage, ...]:
    """The stages of `complement`, with the same parameters."""
    with spending(budget):
        stages = determinization(pattern, schema, window=window, as_published=as_published)
        whole = complete(stages[-1].srt, schema)
        title = "complement: final where it was not, and the other way round"
        stages = (*stages, Stage("complete: a dead state for all other strings", whole))
        stages = (*stages, Stage(title, opposite(whole)))
        if not within:
            return stages
        length = window or _bounded(pattern, schema, None)[1]
        return (*stages, Stage(f"no longer than {_events(length)}", shortened(stages[-1].srt, length)))


def _published(srt: SRT, schema: Schema, length: int) -> tuple[Stage, ...]:
    unrolled = unroll(srt, window=length)
    made = powerset(unrolled, schema)
    return (
        Stage(f"unrolled to {_events(length)} (Alg. 3 to 6)", unrolled),
        Stage("deterministic, by the power set over minterms (Alg. 7)", made),
    )


def _events(number: int) -> str:
    return f"{number:,} event{'' if number == 1 else 's'}"


def _bounded(subject: Subject, schema: Schema, window: int | None) -> tuple[Expression, int]:
    """The expression without the windows that a bound on the length replaces, and that bound."""
    located = subject if isinstance(subject, Located) else None
    pattern = located.pattern if located is not None else subject
    whole = pattern.expression if isinstance(pattern, Pattern) else pattern
    if window is not None and window < 1:
        raise PatternError(f"a window needs at least one event, got {window}")
    if not isinstance(whole, Expression):
        raise PatternError(f"{type(whole).__name__} is not a pattern; parse() makes one from text")
    own, inner = longest(whole), whole
    if own is None and window is None:
        _refuse(whole, schema, located)
    while isinstance(inner, Windowed) and bounds_string(inner):
        inner = inner.body
    length = min(bound for bound in (own, window) if bound is not None)
    return narrowed(inner, length), length


def _refuse(whole: Expression, schema: Schema, located: Located | None) -> NoReturn:
    """Say which condition fails, and show a path."""
    node = whole
    while isinstance(node, Windowed):
        if isinstance(node.window, EventWindow):
            _refuse_unmarked(node, schema, located)
        node = node.body
    timed = isinstance(whole, Windowed)
    reason = "its window is in time, which any number of events may share" if timed else "it has no window"
    raise UnsupportedError(
        f"the pattern cannot be determinized or complemented: {reason}, and nothing else bounds the number "
        f"of events that it reads{_path(shortest(whole).growing, 'as often as one likes', schema, located)}\n"
        "give the greatest length in events, as in 'length 5'"
    )


def _refuse_unmarked(node: Windowed, schema: Schema, located: Located | None) -> NoReturn:
    found = shortest(node.body)
    path, verb = (found.last, "end") if found.first is None else (found.first, "begin")
    size = node.window.size if isinstance(node.window, EventWindow | LengthWindow) else 0
    shown = _path(path, "not marked", schema, located, last=verb == "end")
    raise UnsupportedError(
        f"the pattern cannot be determinized or complemented: its window of {_events(size)} bounds the "
        f"marked events, not all that is read: a match may {verb} with an event that is not marked"
        f"{shown}\n{_REMEDY}"
    )


def _path(path: Path | None, why: str, schema: Schema, located: Located | None, *, last: bool = False) -> str:
    if path is None:
        return ""
    return f"\n{show_path(path, why, last=last, located=located, schema=schema)}"
