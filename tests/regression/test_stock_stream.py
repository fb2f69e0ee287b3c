"""Numbers of matches on the papers' stock stream, on which three other engines agree (ERRATA E)."""

import lzma
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from mnemata.automata.engine.recognition import recognise
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.schema import Category, Float64, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import Expression, mark, skip_till_any
from mnemata.theory.syntax import parse_cel

STOCKS = Schema.of(
    type=Category(("BUY", "SELL")),
    id=Int64(),
    name=String(),
    volume=Int64(),
    price=Float64(),
    stock_time=Timestamp("ms"),
    event_type="type",
    time="stock_time",
)
LINE = re.compile(r"(BUY|SELL)\(id=(\d+),name=(\w+),volume=(\d+),price=([\d.]+),stock_time=(\d+)\)")
stock = head(STOCKS)


@pytest.fixture(scope="module")
def stocks(stock_stream_path: Path) -> pa.Table:
    with lzma.open(stock_stream_path, "rt", encoding="utf-8") as lines:
        found = LINE.findall(lines.read())
    kinds, ids, names, volumes, prices, times = zip(*found, strict=True)
    return pa.table(
        {
            "type": kinds,
            "id": np.array(ids).astype(np.int64),
            "name": names,
            "volume": np.array(volumes).astype(np.int64),
            "price": np.array(prices).astype(np.float64),
            "stock_time": np.array(times).astype(np.int64),
        }
    )


def order(kind: str, name: str) -> Condition:
    return (stock.type == kind) & (stock.name == name)


FIRST = mark(order("SELL", "INTC"), write="r1")
LAST = mark(order("BUY", "QQQ") & (stock.price > register("r1").price))
SEQUENCE = skip_till_any(FIRST, mark(order("BUY", "RIMM")), LAST)
CHEAP = mark(order("BUY", "RIMM") & (stock.price < 500.0))
KLEENE = skip_till_any(FIRST, skip_till_any(CHEAP.plus()), LAST)


@pytest.mark.parametrize(
    ("pattern", "window", "expected"),
    [(SEQUENCE, 500, 819), (SEQUENCE, 1000, 3525), (KLEENE, 500, 1367), (KLEENE, 1000, 12427)],
)
def test_number_of_matches(stocks: pa.Table, pattern: Expression, window: int, expected: int) -> None:
    assert stocks.num_rows == 224_473
    assert recognise(pattern.within(ms=window), stocks, schema=STOCKS).count() == expected


QUERY = """
SELECT * WHERE SELL AS a; {second}; BUY AS c
FILTER a[name = 'INTC'] AND b[name = 'RIMM'{more}] AND c[name = 'QQQ'] WITHIN {window} ms
"""
ONE, MANY = ("BUY AS b", ""), ("(BUY AS b)+", " and price < 500.0")


@pytest.mark.parametrize(
    ("second", "window", "expected"),
    [
        *(
            (ONE, *found)
            for found in ((500, 819), (1000, 3525), (2000, 11438), (5000, 98995), (10000, 345801))
        ),
        *((MANY, *found) for found in ((500, 1367), (1000, 12427), (2000, 128580))),
    ],
)
def test_number_of_complex_events(
    stocks: pa.Table, second: tuple[str, str], window: int, expected: int
) -> None:
    query = parse_cel(QUERY.format(second=second[0], more=second[1], window=window), schema=STOCKS)
    assert recognise(query, stocks, schema=STOCKS).count() == expected
