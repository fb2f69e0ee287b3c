"""``mnemata decide``: questions about patterns, answered by proof or by example."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from mnemata.pipeline.command import arguments as given
from mnemata.pipeline.command.inputs import declared_pattern
from mnemata.pipeline.command.thinking import MOST_STATES, SECONDS, thinking

if TYPE_CHECKING:
    from mnemata.automata.decisions.languages import Decision
    from mnemata.pipeline.command.answers import Asked, Reply
    from mnemata.theory.budget import Spending
    from mnemata.theory.schema import Schema
    from mnemata.theory.sremo.expressions import Expression, Pattern

UP_TO: Final = 5


class Question(StrEnum):
    """What can be asked."""

    EMPTY = "empty"
    EQUIVALENT = "equivalent"
    INCLUDES = "includes"
    UNIVERSAL = "universal"
    DETERMINISTIC = "deterministic"
    DISJOINT = "disjoint"
    AMBIGUOUS = "ambiguous"


_COMPARING: Final = (Question.EQUIVALENT, Question.INCLUDES, Question.DISJOINT)
_NAMES: Final = ("the first pattern", "the second pattern")

_SENTENCES: Final[dict[Question, tuple[str, str]]] = {
    Question.EMPTY: ("nothing matches the pattern", "this matches"),
    Question.EQUIVALENT: ("both patterns have the same matches", "this separates the patterns"),
    Question.INCLUDES: (
        "every match of the second pattern is a match of the first",
        "the second pattern has a match here that the first has not",
    ),
    Question.UNIVERSAL: ("the pattern matches every string", "the pattern does not match this"),
    Question.DETERMINISTIC: (
        "at most one transition of the automaton can be taken at each step",
        "two transitions of the automaton can be taken at the last event here",
    ),
    Question.DISJOINT: ("no string is matched by both patterns", "both patterns match this"),
    Question.AMBIGUOUS: (
        "two runs of the automaton find the same match here",
        "no two runs of the automaton find the same match",
    ),
}


def decide(
    question: Annotated[
        Question, typer.Argument(metavar="QUESTION", help="One of the questions below.", show_default=False)
    ],
    pattern: given.PatternText,
    schema: given.RequiredSchema,
    pattern2: given.SecondPattern = None,
    time: given.TimeAttribute = None,
    event_type: given.EventType = None,
    up_to: Annotated[
        int,
        typer.Option(
            "--up-to", metavar="N", min=0, help="The longest strings to try where no window bounds them."
        ),
    ] = UP_TO,
    ignore_marks: Annotated[
        bool,
        typer.Option("--ignore-marks", help="Compare which strings match, not which events they mark."),
    ] = False,
    most_states: given.MostStates = MOST_STATES,
    seconds: given.Seconds = SECONDS,
    as_json: given.AsJson = False,
    quiet: given.Quiet = False,
) -> None:
    """Decide a question about patterns: yes, no, or unknown, with events that show it.

    A pattern is asked about strings: pieces of a stream that it matches from their first event to
    their last.

    - **empty**: does it match nothing at all?

    - **universal**: does it match every string of at least one event?

    - **deterministic**: can its automaton go on in one way only at each step?

    - **ambiguous**: can two runs of its automaton find the same match?

    - **equivalent**: do both patterns have the same matches?

    - **includes**: is every match of PATTERN2 a match of PATTERN?

    - **disjoint**: is there no string that both match?

    Exit code 0 for yes, 1 for no, 7 for unknown.

    **Examples**

    - `mnemata decide empty "BUY where price > 2 and price < 1" --schema ticks.json`

    - `mnemata decide includes "any(SELL, BUY)" "next(SELL, BUY)" --schema ticks.json --up-to 4`
    """
    from mnemata.theory.satisfiability import Verdict

    if (pattern2 is None) == (question in _COMPARING):
        raise typer.BadParameter(_how_many(question))
    texts = [pattern] if pattern2 is None else [pattern, pattern2]
    read = [declared_pattern(text, schema, time, event_type) for text in texts]
    declared = read[0][1]
    if declared is None:
        raise typer.BadParameter("a question about patterns needs --schema")
    ask = _Ask(question, tuple(located.pattern for located, _ in read), declared, up_to, not ignore_marks)
    with thinking("Deciding", most_states, seconds, quiet=quiet) as spent:
        reply = ask.reply()
    _show(reply, declared, spent, as_json=as_json)
    raise typer.Exit({Verdict.YES: 0, Verdict.NO: 1, Verdict.UNKNOWN: 7}[reply.verdict])


def _how_many(question: Question) -> str:
    if question in _COMPARING:
        return f"'{question.value}' compares two patterns; name the second one after the first"
    return f"'{question.value}' is asked of one pattern, but two are named"


def _show(reply: Reply, schema: Schema, spent: Spending, *, as_json: bool) -> None:
    from rich.console import Console

    if as_json:
        found = {**reply.to_json(), "solver calls": spent.calls, "seconds": round(spent.seconds, 3)}
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    console = Console(highlight=False, soft_wrap=True, markup=False)
    for line in reply.lines(schema):
        console.print(line)


@dataclass(frozen=True, slots=True)
class _Ask:
    question: Question
    patterns: tuple[Pattern, ...]
    schema: Schema
    up_to: int
    marks: bool

    def reply(self) -> Reply:
        """The answer, in words."""
        from mnemata.pipeline.command.answers import Reply
        from mnemata.theory.errors import LimitError
        from mnemata.theory.satisfiability import Verdict

        self._check_keys()
        try:
            if self.question is Question.DETERMINISTIC:
                return self._deterministic()
            return self._worded(self._decided()())
        except LimitError as error:
            return Reply(Verdict.UNKNOWN, str(error))

    def _check_keys(self) -> None:
        from mnemata.theory.errors import PatternError

        if len({pattern.partition_by for pattern in self.patterns}) > 1:
            keys = (", ".join(pattern.partition_by) or "nothing" for pattern in self.patterns)
            raise PatternError(
                f"the patterns divide the stream by different attributes ({' and '.join(keys)}), so they "
                "are about different strings; give both the same 'partition by'"
            )

    def _decided(self) -> Callable[[], Decision]:
        from mnemata.automata.decisions import languages
        from mnemata.automata.decisions.ambiguity import unambiguous

        first, *rest = (pattern.expression for pattern in self.patterns)
        second: Expression = rest[0] if rest else first
        schema, up_to, marks = self.schema, self.up_to, self.marks
        return {
            Question.EMPTY: lambda: languages.empty(first, schema, up_to=up_to),
            Question.UNIVERSAL: lambda: languages.universal(first, schema, up_to=up_to, empty_string=False),
            Question.EQUIVALENT: lambda: languages.equivalent(
                first, second, schema, up_to=up_to, marks=marks
            ),
            Question.INCLUDES: lambda: languages.included(second, first, schema, up_to=up_to, marks=marks),
            Question.DISJOINT: lambda: languages.disjoint(first, second, schema, up_to=up_to),
            Question.AMBIGUOUS: lambda: unambiguous(first, schema, up_to=up_to),
        }[self.question]

    def _worded(self, decision: Decision) -> Reply:
        from mnemata.pipeline.command.answers import Reply, two_runs
        from mnemata.theory.satisfiability import Verdict

        if decision.unknown:
            return Reply(Verdict.UNKNOWN, decision.reason)
        yes, no = _SENTENCES[self.question]
        verdict, sentence = decision.verdict, yes if decision.yes else no
        if self.question is Question.AMBIGUOUS:
            verdict, sentence = (Verdict.NO, no) if decision.yes else (Verdict.YES, yes)
        if decision.witness is None:
            return Reply(verdict, f"{sentence} ({self._covered(decision)})")
        asked = self._asked()
        reply = Reply(verdict, sentence, decision.witness, decision.marks, asked)
        if self.question is Question.AMBIGUOUS:
            reply = replace(reply, runs=two_runs(asked[0], decision.witness))
        return reply

    def _covered(self, decision: Decision) -> str:
        if decision.up_to is None:
            return "strings of any length"
        return f"strings of up to {decision.up_to} events; --up-to N tries longer ones"

    def _asked(self) -> tuple[Asked, ...]:
        from mnemata.automata.decisions.languages import language
        from mnemata.pipeline.command.answers import Asked

        names = ("the pattern",) if len(self.patterns) == 1 else _NAMES
        srts = (language(pattern.expression, self.schema).srt for pattern in self.patterns)
        return tuple(Asked(name, srt, self.schema) for name, srt in zip(names, srts, strict=True))

    def _deterministic(self) -> Reply:
        from mnemata.automata.compilation import compile_pattern
        from mnemata.automata.decisions.determinism import is_deterministic
        from mnemata.pipeline.command.answers import Reply
        from mnemata.theory.satisfiability import Verdict

        srt = compile_pattern(self.patterns[0], self.schema).srt
        found = is_deterministic(srt, self.schema, up_to=self.up_to)
        yes, no = _SENTENCES[self.question]
        sentence = found.reason if found.verdict is Verdict.UNKNOWN else yes if found.yes else no
        return Reply(
            found.verdict,
            sentence,
            string=found.stream,
            registers=found.witness,
            transitions=found.transitions,
        )
