"""The lines of text files, in blocks that know where they come from.

Spark cuts large files into splits and reads each in one go, so a line is told by its file, the byte at which
its split begins, and its place in the split. Compressed files are read here, from their beginning, in
chunks: Spark has no xz.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

import numpy as np
import pyarrow as pa

from mnemata.pipeline.sources.location import local_path
from mnemata.theory.errors import SourceError

CHUNK: Final = 1 << 20
LONGEST_LINE: Final = 1 << 26
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Some consecutive lines of a split.

    `first` is the place of the first of them in the split, counted from 0; once the header is gone, the
    place among its rows.
    """

    file: str
    start: int
    first: int
    lines: pa.Array[Any]


def blocks_from_spark(batches: Iterable[pa.RecordBatch]) -> Iterator[Block]:
    """Blocks from batches of columns (line, file, start), in the order in which Spark reads them."""
    origin: tuple[str, int] | None = None
    first = 0
    for batch in batches:
        for piece in _one_origin_each(batch):
            here = (local_path(piece.column(1)[0].as_py()), piece.column(2)[0].as_py())
            first = first if here == origin else 0
            origin = here
            yield Block(*here, first, piece.column(0))
            first += piece.num_rows


def _one_origin_each(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    if batch.num_rows == 0:
        return
    starts = batch.column(2).to_numpy()
    files = batch.column(1).dictionary_encode().indices.to_numpy()
    cuts = np.flatnonzero((starts[1:] != starts[:-1]) | (files[1:] != files[:-1])) + 1
    for begin, end in zip([0, *cuts], [*cuts, batch.num_rows], strict=True):
        yield batch.slice(int(begin), int(end - begin))


def blocks_from_files(files: Iterable[str]) -> Iterator[Block]:
    """Blocks of whole files on this machine."""
    for file in files:
        first = 0
        for lines in read_lines(file):
            yield Block(file, 0, first, lines)
            first += len(lines)


def read_lines(file: str) -> Iterator[pa.Array[Any]]:
    """The lines of a file, decompressed by the ending of its name; raises `SourceError`.

    Lines end as everywhere in Spark: LF, CR LF or CR.
    """
    rest = b""
    try:
        with _open(file) as stream:
            while chunk := stream.read(CHUNK):
                cut = chunk.rfind(b"\n") + 1
                if cut:
                    yield pa.array((rest + chunk[:cut]).splitlines(), pa.binary())
                    rest = b""
                rest += chunk[cut:]
                if len(rest) > LONGEST_LINE:
                    raise SourceError(
                        f"'{file}' has a line of more than {LONGEST_LINE >> 20} MiB; it is not text"
                    )
    except EOFError:
        raise SourceError(f"'{file}' is truncated: its compressed data ends too early") from None
    except (lzma.LZMAError, gzip.BadGzipFile, zlib.error) as error:
        raise SourceError(f"'{file}' is damaged or not in the format that its name says: {error}") from None
    except OSError as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"cannot read '{file}': {error.strerror or error}") from None
    if rest:
        yield pa.array(rest.splitlines(), pa.binary())


def _open(file: str) -> IO[bytes]:
    ending = Path(file).suffix.lower()
    if ending == ".xz":
        return lzma.open(file)
    if ending == ".gz":
        return cast(IO[bytes], gzip.open(file))
    return bz2.open(file) if ending == ".bz2" else open(file, "rb")


def without_header(blocks: Iterable[Block], *, header: bool) -> Iterator[Block]:
    """Blocks of rows: without the header line of each file, if they have one, and without byte order mark."""
    for block in blocks:
        if block.start > 0:
            yield block
        elif not header:
            yield block._replace(lines=_unmarked(block.lines)) if block.first == 0 else block
        elif block.first > 0:
            yield block._replace(first=block.first - 1)
        elif len(block.lines) > 1:
            yield block._replace(lines=block.lines[1:])


def _unmarked(lines: pa.Array[Any]) -> pa.Array[Any]:
    line = lines[0].as_py()
    if not line.startswith(_BYTE_ORDER_MARK):
        return lines
    return pa.concat_arrays([pa.array([line.removeprefix(_BYTE_ORDER_MARK)], pa.binary()), lines[1:]])
