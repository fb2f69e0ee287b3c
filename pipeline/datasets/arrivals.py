"""Generated streams with the schemas and the statistics of the papers' three data sets (SRT Section 7).

The paper tells the schemas, how many events there are, and for sequences and Kleene patterns of length 3 how
many matches there are for each event. For stock ticks, shares, prices and gaps were counted in the stock
stream itself. For smart homes and taxi trips, how often keys occur and how fast events arrive is chosen so
that the published match frequencies come out.

Columns are made by numpy in chunks of fixed size, each from its own seed, so that the first events of a
stream are the same however many follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mnemata.theory.schema import Float64, Int64, Schema, String, Timestamp

Columns: TypeAlias = Mapping[str, "pa.Array[Any]"]
Times: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[np.float64]

CHUNK: Final = 1 << 17
"""How many events are made at once."""

STOCKS: Final = Schema.of(
    type=String(),
    id=Int64(),
    name=String(),
    volume=Int64(),
    price=Float64(),
    stock_time=Timestamp("ms"),
    time="stock_time",
)
HOMES: Final = Schema.of(
    type=String(),
    id=Int64(),
    value=Float64(),
    plug_id=Int64(),
    household_id=Int64(),
    plug_time=Timestamp("s"),
    time="plug_time",
)
TRIPS: Final = Schema.of(
    type=String(),
    id=Int64(),
    pickup_time=Timestamp("s"),
    dropoff_time=Timestamp("s"),
    pickup_zone=String(),
    dropoff_zone=String(),
    duration=Int64(),
    distance=Float64(),
    fare=Float64(),
    tip=Float64(),
    total=Float64(),
    time="pickup_time",
)

SHARES: Final[Mapping[str, float]] = {
    "IPIX": 0.2030,
    "QQQ": 0.1301,
    "INTC": 0.1182,
    "MSFT": 0.1039,
    "CSCO": 0.0923,
    "RIMM": 0.0764,
    "AMAT": 0.0762,
    "ORCL": 0.0731,
    "DELL": 0.0697,
    "YHOO": 0.0571,
}
"""Which part of the ticks of the stock stream is of each name."""

PRICES: Final[Mapping[str, tuple[float, float]]] = {
    "IPIX": (7.55, 13.04),
    "QQQ": (35.84, 36.36),
    "INTC": (27.34, 28.35),
    "MSFT": (25.84, 26.12),
    "CSCO": (22.21, 22.62),
    "RIMM": (111.86, 117.47),
    "AMAT": (18.58, 18.99),
    "ORCL": (10.85, 11.21),
    "DELL": (35.10, 35.65),
    "YHOO": (31.06, 31.81),
}
"""The lowest and the highest price of each name there."""

VOLUMES: Final[Mapping[int, float]] = {
    100: 0.310,
    500: 0.135,
    200: 0.125,
    1000: 0.105,
    300: 0.100,
    400: 0.074,
    800: 0.038,
    150: 0.035,
    600: 0.033,
    2000: 0.032,
    4000: 0.0092,
    10_000: 0.0038,
}
"""How often the commonest volumes occur there, the rest shared among them."""

SAME_TICK: Final = 0.47
"""Which part of the ticks has the timestamp of the tick before it."""

MEAN_GAP_MS: Final = 208.2
"""Between one tick and the next, on average."""

OFTEN: Final = 4
"""How many keys of homes and trips are frequent."""

SOMETIMES: Final = 8
"""How many keys are less frequent; these begin and end the patterns."""


@dataclass(frozen=True, slots=True)
class Source:
    """A data set as a stream of events without end.

    Parameters
    ----------
    name : str
        What it is about.
    schema : Schema
        Of its events.
    make : callable
        Makes chunks of columns of a random generator, the number of the first event, how many there are,
        and the time of the event before, in ticks; returns the time of the last one, too.
    """

    name: str
    schema: Schema
    make: Callable[[np.random.Generator, int, int, int], tuple[Columns, int]]

    def batches(self, events: int, *, seed: int = 0, rows: int = CHUNK) -> Iterator[pa.RecordBatch]:
        """So many events in batches of at most `rows`."""
        last = 0
        for number, begin in enumerate(range(0, events, CHUNK)):
            chunk, last = self.chunk(number, last, seed=seed)
            whole = chunk.slice(0, events - begin)
            for start in range(0, whole.num_rows, rows):
                yield whole.slice(start, rows)

    def chunk(self, number: int, last: int, *, seed: int = 0) -> tuple[pa.RecordBatch, int]:
        """A chunk after one that ends at `last`, and where it ends; how long it takes depends on neither."""
        random = np.random.default_rng((seed, number))
        columns, end = self.make(random, number * CHUNK, CHUNK, last)
        return pa.record_batch(dict(columns)), end

    def table(self, events: int, *, seed: int = 0) -> pa.Table:
        """So many events as a table of one chunk."""
        schema = next(self.batches(1)).schema
        return pa.Table.from_batches(self.batches(events, seed=seed), schema).combine_chunks()


def encoded(values: list[str], places: npt.NDArray[np.integer[Any]]) -> pa.DictionaryArray[Any, Any]:
    """Text as places in a dictionary."""
    return pa.DictionaryArray.from_arrays(places.astype(np.int32), pa.array(values))


def _chosen(random: np.random.Generator, weights: npt.ArrayLike, rows: int) -> npt.NDArray[np.integer[Any]]:
    """Numbers drawn with the given weights."""
    shares = np.cumsum(np.asarray(weights, np.float64))
    return np.searchsorted(shares / shares[-1], random.random(rows), side="right")


def _times(gaps: Numbers, last: int) -> Times:
    found: Times = last + np.cumsum(gaps.astype(np.int64))
    return found


def _stocks(random: np.random.Generator, begin: int, rows: int, last: int) -> tuple[Columns, int]:
    names = _chosen(random, list(SHARES.values()), rows)
    gaps = random.lognormal(4.86, 1.58, rows) + 1.0  # a median of 130 ms, and a long tail
    gaps *= (random.random(rows) >= SAME_TICK) * (MEAN_GAP_MS / (1 - SAME_TICK) / (np.exp(6.108) + 1.0))
    times = _times(np.rint(gaps), last)
    low, high = np.array([PRICES[name] for name in SHARES]).T
    wave = np.sin(times * 1e-6 + names) * 0.4 + 0.5  # an hour and three quarters long, for each name
    level = np.clip(wave + random.normal(0.0, 0.03, rows), 0.0, 1.0)
    volumes = np.array(list(VOLUMES))[_chosen(random, list(VOLUMES.values()), rows)]
    columns = {
        "type": encoded(["BUY", "SELL"], random.integers(0, 2, rows)),
        "id": pa.array(np.arange(begin, begin + rows)),
        "name": encoded(list(SHARES), names),
        "volume": pa.array(volumes),
        "price": pa.array(np.round(low[names] + level * (high - low)[names], 4)),
        "stock_time": pa.array(times).cast(pa.timestamp("ms")),
    }
    return columns, int(times[-1])


@dataclass(frozen=True, slots=True)
class Keys:
    """How often the keys of a data set occur, and how fast its events arrive.

    Parameters
    ----------
    number : int
        How many keys there are; the first `OFTEN` are frequent, the next `SOMETIMES` less so, the others
        share what is left.
    often, sometimes : float
        The share of each of those.
    gap : float
        Seconds from one event to the next, on average; exponentially distributed.
    """

    number: int
    often: float
    sometimes: float
    gap: float

    @property
    def weights(self) -> Numbers:
        """The share of each key."""
        rest = 1.0 - OFTEN * self.often - SOMETIMES * self.sometimes
        others = self.number - OFTEN - SOMETIMES
        return np.repeat([self.often, self.sometimes, rest / others], [OFTEN, SOMETIMES, others])

    def times(self, random: np.random.Generator, rows: int, last: int) -> Times:
        """Seconds, several events to one of them where they arrive faster."""
        exact = np.cumsum(random.exponential(self.gap, rows))
        return _times(np.diff(np.floor(exact), prepend=0.0), last)


# With a mean number mu of frequent keys in a window there are (e^mu - 1 - mu) / (mu^2 / 2) times as many
# matches with a Kleene-plus as without: mu is 3.1 where that is 3.75 (homes, 5 s), and 1.25 where it is
# 1.6 (trips, 100 s). What is left follows from the number of matches of sequences for each event. In whole
# seconds, less than 5 is less than 4.5 on average.
PLUGS: Final = Keys(2_125, 0.1, 0.0125, 4.5 * 0.1 / 3.1)
ZONES: Final = Keys(263, 0.05, 0.008, 100.0 * 0.05 / 1.25)


def _homes(random: np.random.Generator, begin: int, rows: int, last: int) -> tuple[Columns, int]:
    plugs = _chosen(random, PLUGS.weights, rows)
    times = PLUGS.times(random, rows, last)
    columns = {
        "type": encoded(["LOAD"], np.zeros(rows, np.int64)),
        "id": pa.array(np.arange(begin, begin + rows)),
        "value": pa.array(np.round(random.gamma(0.7, 60.0, rows), 3)),
        "plug_id": pa.array(plugs.astype(np.int64)),
        "household_id": pa.array((plugs % 40).astype(np.int64)),
        "plug_time": pa.array(times).cast(pa.timestamp("s")),
    }
    return columns, int(times[-1])


def _trips(random: np.random.Generator, begin: int, rows: int, last: int) -> tuple[Columns, int]:
    times = ZONES.times(random, rows, last)
    zones = [f"zone {number}" for number in range(ZONES.number)]
    distance = np.round(random.gamma(1.4, 2.1, rows), 2)
    duration = (120.0 + 230.0 * distance * random.uniform(0.7, 1.5, rows)).astype(np.int64)
    fare = np.round(2.5 + 2.0 * distance + 0.004 * duration, 2)
    tip = np.round(fare * random.uniform(0.0, 0.3, rows), 2)
    columns = {
        "type": encoded(["TRIP"], np.zeros(rows, np.int64)),
        "id": pa.array(np.arange(begin, begin + rows)),
        "pickup_time": pa.array(times).cast(pa.timestamp("s")),
        "dropoff_time": pa.array(times + duration).cast(pa.timestamp("s")),
        "pickup_zone": encoded(zones, _chosen(random, ZONES.weights, rows)),
        "dropoff_zone": encoded(zones, _chosen(random, ZONES.weights, rows)),
        "duration": pa.array(duration),
        "distance": pa.array(distance),
        "fare": pa.array(fare),
        "tip": pa.array(tip),
        "total": pa.array(fare + tip),
    }
    return columns, int(times[-1])


STOCK_TICKS: Final = Source("stock ticks", STOCKS, _stocks)
SMART_HOMES: Final = Source("smart homes", HOMES, _homes)
TAXI_TRIPS: Final = Source("taxi trips", TRIPS, _trips)
SOURCES: Final = (STOCK_TICKS, SMART_HOMES, TAXI_TRIPS)
