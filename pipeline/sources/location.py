"""Where a stream is: a file or a folder of files, in one format.

The order of the files is the order of the stream: by name, folder by folder, compared as text. Files whose
names begin with ``_`` or ``.`` do not belong to the stream, as everywhere in Spark.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from mnemata.theory.errors import SourceError, suggestion

SUFFIXES: Final[Mapping[str, tuple[str, ...]]] = {
    "parquet": (".parquet", ".pq"),
    "csv": (".csv", ".tsv"),
    "json": (".json", ".jsonl", ".ndjson"),
    "stream": (".stream",),
}
"""The formats of streams, and the endings of file names that tell them."""

COMPRESSIONS: Final = (".xz", ".gz", ".bz2")
"""Endings of compressed text files, which come after that of the format."""


@dataclass(frozen=True, slots=True)
class Location:
    """The files of a stream.

    Parameters
    ----------
    path : str
        As the user gave it.
    format : str
        One of `SUFFIXES`.
    files : tuple of str
        Absolute paths in stream order; the path itself when it is not on this machine.
    remote : bool
        Whether only Spark can reach it (``hdfs://``, ``s3a://``).
    """

    path: str
    format: str
    files: tuple[str, ...]
    remote: bool = False

    @property
    def compressed(self) -> bool:
        """Whether some file is compressed, so that it can only be read from its beginning."""
        return any(file.endswith(COMPRESSIONS) for file in self.files)


def locate(path: str | os.PathLike[str], format: str | None = None) -> Location:
    """Find the files of a stream and their format.

    Parameters
    ----------
    path : path-like
        A file, a folder, or an address that Spark understands.
    format : str, optional
        ``parquet``, ``csv``, ``json`` or ``stream``; by default what the names of the files say.

    Raises
    ------
    SourceError
        There is nothing at `path`, nothing that can be read, or files of several formats.
    """
    if format is not None and format not in SUFFIXES:
        raise SourceError(
            f"unknown format '{format}' of a stream; use {', '.join(SUFFIXES)}.{suggestion(format, SUFFIXES)}"
        )
    text = os.fspath(path)
    if is_remote(text):
        return Location(text, format or _format_of([text], text), (text,), remote=True)
    files = _files(Path(local_path(text)), text)
    return Location(text, format or _format_of(files, text), files)


def is_remote(path: str) -> bool:
    """Whether a path is an address of another machine or store.

    >>> is_remote("s3a://bucket/ticks"), is_remote("file:///data/ticks"), is_remote("ticks.csv")
    (True, False, False)
    """
    scheme, separator, _ = path.partition("://")
    return bool(separator) and scheme != "file"


def local_path(address: str) -> str:
    """The path that a ``file:`` address means; other text is returned unchanged.

    >>> local_path("file:/data/a%20b.csv"), local_path("50%25.csv")
    ('/data/a b.csv', '50%25.csv')
    """
    return unquote(urlsplit(address).path) if address.startswith("file:/") else address


def escaped(path: str) -> str:
    """A path in which Spark finds no wildcards."""
    return "".join(f"\\{c}" if c in "*?[]{}\\" else c for c in path)


def _files(path: Path, text: str) -> tuple[str, ...]:
    try:
        if path.is_file():
            found = [path]
        elif path.is_dir():
            found = sorted(visible(path), key=lambda file: file.parts)
        else:
            raise SourceError(_nothing_at(path, text))
    except OSError as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"cannot read '{text}': {error.strerror}") from None
    if not found:
        raise SourceError(f"the folder '{text}' holds no files")
    for file in found:
        if not os.access(file, os.R_OK):
            raise SourceError(f"cannot read '{file}': permission denied")
    return tuple(str(file.absolute()) for file in found)


def visible(folder: Path) -> list[Path]:
    """The files in a folder and in those below it that belong to a stream."""
    found = (file for file in folder.rglob("*") if file.is_file())
    return [f for f in found if not any(part[0] in "._" for part in f.relative_to(folder).parts)]


def _nothing_at(path: Path, text: str) -> str:
    if path.exists():
        return f"'{text}' is neither a file nor a folder; copy what it yields into a file first"
    folder = path.parent
    hint = ""
    if folder.is_dir():
        close = suggestion(path.name, (entry.name for entry in folder.iterdir()))
        hint = close.replace("'", f"'{folder}{os.sep}", 1) if close and str(folder) != "." else close
    return f"there is no file or folder '{text}'.{hint}"


def _format_of(files: Iterable[str], text: str) -> str:
    found: dict[str | None, str] = {}
    for file in files:
        found.setdefault(format_of_name(file), file)
    if None in found:
        known = ", ".join(ending for endings in SUFFIXES.values() for ending in endings)
        raise SourceError(
            f"cannot tell the format of '{found[None]}' by its name; name it with --format "
            f"({', '.join(SUFFIXES)}), or rename it to end in {known}"
        )
    if len(found) > 1:
        kinds = " and ".join(f"'{Path(file).name}'" for file in found.values())
        raise SourceError(
            f"'{text}' holds files of several formats, such as {kinds}; give each a folder of its own"
        )
    return next(str(format) for format in found)


def format_of_name(name: str) -> str | None:
    """The format that the name of a file tells, ``None`` when it tells none.

    >>> format_of_name("ticks.stream.xz"), format_of_name("ticks.PARQUET"), format_of_name("ticks")
    ('stream', 'parquet', None)
    """
    name = name.lower().rstrip("/")
    for ending in COMPRESSIONS:
        name = name.removesuffix(ending)
    for format, endings in SUFFIXES.items():
        if name.endswith(endings):
            return format
    return None
