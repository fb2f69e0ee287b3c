"""Every error that mnemata raises on purpose.

One root, `MnemataError`; each specific class also inherits the built-in exception that fits, so that
``except ValueError`` keeps working. Messages name the culprit, the place and the remedy.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable


class MnemataError(Exception):
    """Root of all errors raised by mnemata."""


class SchemaError(MnemataError, ValueError):
    """A schema is inconsistent, or a value does not fit it."""


class PatternError(MnemataError, ValueError):
    """A pattern is not well-formed."""


class PatternSyntaxError(PatternError):
    """The text of a pattern cannot be read.

    Parameters
    ----------
    message : str
        What is wrong, and what would be right.
    line, column : int
        1-based place of the first character that does not fit.
    text : str
        The whole pattern text; the offending line is shown under the message with a caret.
    """

    def __init__(self, message: str, *, line: int, column: int, text: str = "") -> None:
        self.reason, self.line, self.column, self.text = message, line, column, text
        super().__init__(placed(message, line, column, text))

    def __reduce__(self) -> tuple[object, ...]:
        keywords = {"line": self.line, "column": self.column, "text": self.text}
        return (_rebuild_syntax_error, (type(self), self.reason, keywords))


def _rebuild_syntax_error(
    kind: type[PatternSyntaxError], reason: str, keywords: dict[str, object]
) -> PatternSyntaxError:
    return kind(reason, **keywords)  # type: ignore[arg-type]


class UnknownAttributeError(PatternError, LookupError):
    """A pattern names an attribute that the schema does not have."""


class UnknownRegisterError(PatternError, LookupError):
    """A pattern reads a register that nothing in it writes."""


class UnknownVariableError(PatternError, LookupError):
    """A filter of a complex event formula reads a variable that nothing in the formula binds."""


class UnknownEventTypeError(PatternError, LookupError):
    """A formula asks for an event type that the schema does not have."""


class UnknownRelationError(PatternError, LookupError):
    """A pattern applies a relation that was not declared."""


class UnknownResultError(MnemataError, LookupError):
    """A name of a theorem, lemma, definition or algorithm that is not in the registry."""


class UnknownFigureError(MnemataError, LookupError):
    """A name of a figure or table that is not in the catalogue."""


class ConditionTypeError(PatternError, TypeError):
    """A condition compares or combines values whose types do not fit."""


class UnsupportedError(MnemataError, NotImplementedError):
    """A well-formed request for something that cannot be done; the message says why."""


class RelationError(MnemataError, RuntimeError):
    """A relation that the user declared raised an exception."""


class LimitError(MnemataError, OverflowError):
    """A stated bound on size, depth or memory was reached; no answer was guessed."""


class SlowRecognitionWarning(UserWarning):
    """A pattern is recognised without the compiled engine; the message says why."""


class ContradictionWarning(UserWarning):
    """A filter that nothing can pass; the message names the conditions that contradict one another."""


class SnapshotError(MnemataError, ValueError):
    """A snapshot cannot be restored: it is damaged, or was taken for something else."""


class StreamError(MnemataError, ValueError):
    """A stream breaks a requirement, such as the order of its timestamps."""


class SourceError(MnemataError, OSError):
    """A stream or output cannot be read or written: missing, truncated, or in another format."""


class EnvironmentProblem(MnemataError, RuntimeError):  # noqa: N818 - the environment, not the program, is at fault
    """Something the machine should provide is missing; the message says how to get it."""


WIDEST_EXCERPT = 100
_END_OF_CLAUSE = re.compile(r"; |\. (?=[A-Z])")


def placed(message: str, line: int, column: int, text: str = "") -> str:
    """`message` with the place after its first clause, and the line of the text with a caret.

    >>> placed("unknown attribute 'prize'; the schema has price", 1, 3)
    "unknown attribute 'prize' at line 1 column 3; the schema has price"
    """
    clause = _END_OF_CLAUSE.search(message)
    end = len(message) if clause is None else clause.start()
    return f"{message[:end]} at line {line} column {column}{message[end:]}{_excerpt(text, line, column)}"


def _excerpt(text: str, line: int, column: int) -> str:
    lines = text.split("\n")
    if not text or not 1 <= line <= len(lines):
        return ""
    start = max(0, column - 1 - WIDEST_EXCERPT // 2)
    characters = lines[line - 1][start : start + WIDEST_EXCERPT]
    shown = "".join(character if character.isprintable() else " " for character in characters)
    return f"\n  {shown}\n  {' ' * (column - 1 - start)}^"


LONGEST_VALUE = 200


def brief(value: object) -> str:
    """`repr` for use in a message: shortened in the middle, and of whole numbers of any size.

    >>> brief("x" * 1000) == "'" + "x" * 99 + " ... " + "x" * 49 + "'"
    True
    """
    if isinstance(value, int) and value.bit_length() > LONGEST_VALUE:
        return f"a whole number of {value.bit_length()} bits"
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:100]} ... {text[-50:]}"


def suggestion(name: str, known: Iterable[str]) -> str:
    """A sentence proposing the known name closest to `name`, or an empty string.

    >>> suggestion("prize", ["name", "price"])
    " Did you mean 'price'?"
    """
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return f" Did you mean '{close[0]}'?" if close else ""
