"""Stock ticks as the text that every system reads: the same bytes for all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from mnemata.pipeline.datasets.arrivals import STOCKS
from mnemata.theory.arrow import schema_to_arrow


def write_ticks(table: pa.Table, path: Path) -> None:
    """Write ticks as CSV without a header; times in milliseconds since the epoch."""
    columns: list[Any] = [table[name] for name in STOCKS.names]
    plain = [pc.cast(c, pa.string()) if pa.types.is_dictionary(c.type) else c for c in columns]
    plain[STOCKS.index("stock_time")] = pc.cast(table["stock_time"], pa.int64())
    options = csv.WriteOptions(include_header=False, quoting_style="none")
    csv.write_csv(pa.table(dict(zip(STOCKS.names, plain, strict=True))), path, options)


def read_ticks(path: Path) -> pa.Table:
    """Read them back, in the types of the schema; texts become dictionaries while they are read.

    One thread reads, for several take twice the memory; what reading took beyond the table is given back.
    """
    names = list(STOCKS.names)
    target = schema_to_arrow(STOCKS)
    texts = {field.name for field in target if pa.types.is_string(field.type)}
    coded = pa.dictionary(pa.int32(), pa.string())
    kinds = {field.name: coded if field.name in texts else field.type for field in target}
    read_as = {**kinds, "stock_time": pa.int64()}
    table = csv.read_csv(
        path,
        csv.ReadOptions(column_names=names, use_threads=False),
        convert_options=csv.ConvertOptions(column_types=read_as, strings_can_be_null=False),
    )
    read = table.cast(pa.schema(kinds.items())).combine_chunks()
    del table
    pa.default_memory_pool().release_unused()
    return read
