"""Writing a picture to a file, in the format that its suffix names."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from mnemata.automata.drawing.errors import DrawingError
from mnemata.theory.errors import SourceError, suggestion


def write_picture(path: str | os.PathLike[str], formats: Mapping[str, Callable[[], bytes]]) -> Path:
    """Make the picture that the suffix of `path` asks for, and write it.

    Parameters
    ----------
    path : path
        Its suffix is one of the keys of `formats`, in capitals or not.
    formats : mapping from str to callable
        For each suffix what makes the bytes of the file.

    Raises
    ------
    DrawingError
        There is no such suffix.
    SourceError
        The file cannot be written.
    """
    target = Path(path)
    picture = formats[checked_suffix(target, formats)]()
    try:
        target.write_bytes(picture)
    except OSError as error:
        raise SourceError(f"cannot write '{target}': {error.strerror}") from None
    return target


def checked_suffix(path: str | os.PathLike[str], known: Collection[str]) -> str:
    """The suffix of `path` in small letters; raises `DrawingError` unless it is one of `known`."""
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in known:
        raise DrawingError(
            f"cannot tell from the suffix '{target.suffix}' of '{target}' what to write; "
            f"use {', '.join(known)}.{suggestion(suffix, known)}"
        )
    return suffix
