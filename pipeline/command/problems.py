"""How commands end when something is wrong: one message, and an exit code that scripts can tell apart.

=====  ================================================================================================
code   meaning
=====  ================================================================================================
0      done; with ``decide``: yes
1      something failed that should not; with ``check``: there are warnings; with ``decide``: no; with
       ``prove``: something came out otherwise than it is known to
2      the command line is wrong: an unknown option, a missing argument, a picture of an unknown kind, a
       result or figure that there is not
3      the pattern is wrong: its syntax, a name, a type
4      the schema is wrong, or does not fit the stream
5      the stream is wrong: out of order, or not a single row is an event
6      a file is missing, damaged, or cannot be read or written; a checkpoint is that of another stream
7      a limit was reached; no answer was guessed; with ``decide``: unknown
8      a well-formed request for something that cannot be done
9      the machine lacks something: Java, memory
130    interrupted by Ctrl-C
=====  ================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

from mnemata.pipeline.command import interruption
from mnemata.theory.errors import (
    EnvironmentProblem,
    LimitError,
    MnemataError,
    PatternError,
    SchemaError,
    SnapshotError,
    SourceError,
    StreamError,
    UnknownFigureError,
    UnknownResultError,
    UnsupportedError,
)

FAILURE: Final = 1
WRONG_OPTION: Final = 2
EXIT_CODES: Final[tuple[tuple[type[MnemataError], int], ...]] = (
    (UnknownResultError, WRONG_OPTION),
    (UnknownFigureError, WRONG_OPTION),
    (PatternError, 3),
    (SchemaError, 4),
    (StreamError, 5),
    (SourceError, 6),
    (SnapshotError, 6),
    (LimitError, 7),
    (UnsupportedError, 8),
    (EnvironmentProblem, 9),
)


def exit_code(error: Exception) -> int:
    """The exit code of a command that ends with `error`."""
    otherwise = WRONG_OPTION if isinstance(error, MnemataError) and isinstance(error, ValueError) else FAILURE
    return next((code for kind, code in EXIT_CODES if isinstance(error, kind)), otherwise)


@contextmanager
def stated(*, traceback: bool = False) -> Iterator[None]:
    """End the process with a message and an exit code when the block raises."""
    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        if isinstance(error, KeyboardInterrupt) or interruption.happened():
            raise SystemExit(interruption.EXIT_CODE) from error
        if traceback:
            raise
        _end(error)


def _end(error: Exception) -> NoReturn:
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    if isinstance(error, MnemataError):
        console.print(Text.assemble(("error: ", "bold red"), str(error)))
    else:
        console.print(
            Text.assemble(
                ("error: ", "bold red"),
                f"mnemata failed, which it should not: {type(error).__name__}: {error}\n"
                "Please report it; 'mnemata --traceback ...' shows where.",
            )
        )
    raise SystemExit(exit_code(error)) from error
