# %% [markdown]
# # A first hour with mnemata
#
# A *pattern* says which events belong together: in which order they come, how they compare with one another, how far
# apart they may be, and what must not happen between them. *mnemata* finds all groups of events in a stream that are as
# the pattern says, and can say why.
#
# Each section has one idea. At the end is a pattern on a file of your own.

# %% [markdown]
# ## Events are rows
#
# A stream is a table with one row for each event, in the order in which they happened. Data frames of pandas and Polars
# and Arrow tables will do. Here are twelve trades: `at` is their time, `type` says what kind of event it is.

# %%
import pandas as pd

pd.set_option("display.max_colwidth", None)

ticks = pd.DataFrame(
    [
        (0, "SELL", "INTC", 27.8, 300),
        (1, "BUY", "CSCO", 22.4, 100),
        (2, "BUY", "QQQ", 36.2, 500),
        (3, "SELL", "MSFT", 25.9, 200),
        (4, "BUY", "QQQ", 27.1, 100),
        (5, "SELL", "QQQ", 36.0, 400),
        (7, "BUY", "INTC", 28.0, 300),
        (8, "BUY", "QQQ", 36.5, 900),
        (9, "SELL", "QQQ", 36.9, 200),
        (12, "BUY", "QQQ", 37.2, 100),
        (13, "SELL", "INTC", 27.9, 300),
        (14, "BUY", "CSCO", 22.6, 100),
    ],
    columns=["at", "type", "name", "price", "volume"],
)
ticks["at"] = (pd.Timestamp("2024-03-01 10:00") + pd.to_timedelta(ticks["at"], unit="s")).astype(
    "datetime64[s]"
)
ticks

# %% [markdown]
# ## A first pattern
#
# `SELL; BUY` is a sale and, as the next event, a purchase. `recognise` takes a pattern and a table, and is told which
# column names the kind of an event and which one is the time.

# %%
from mnemata.automata.engine.recognition import recognise


def find(pattern):
    """Search the trades above."""
    return recognise(pattern, ticks, event_type="type", time="at")


matches = find("SELL; BUY")
matches.to_arrow().to_pandas()

# %% [markdown]
# A match is the set of rows that belong to it: `positions`, counted from 0. The events themselves are there, too, one row
# for each event of each match:

# %%
exploded = matches.explode().flatten().to_pandas()
exploded.head(4)

# %% [markdown]
# ## Anything in between
#
# `;` lets nothing come between its parts. `any(SELL, BUY)` lets anything: every sale with every later purchase.

# %%
find("any(SELL, BUY)").count()

# %% [markdown]
# ## Conditions
#
# `where` says what is asked of an event. `as s` keeps an event in a *register*, so that later events can be compared with
# it: here the purchase is of the same share, at a higher price.

# %%
rising = find("any(SELL as s, BUY where name = s.name and price > s.price)")
[match.positions for match in rising]

# %% [markdown]
# This is what the automaton of the pattern looks like. It reads one event after the other, from left to right. `↑ •` says
# that an event is marked, that is, part of the match, `↑ ⊗` that it is passed over, and `↓ s` that it is written to the
# register, the dashed box.

# %%
from mnemata.automata.drawing import draw

draw(rising.pattern, schema=rising.schema, title="")

# %% [markdown]
# ## Why, and why not
#
# `why` explains a match event by event, with the values that were compared.

# %%
from mnemata.pipeline.why import why

print(why(rising, (5, 7)))

# %% [markdown]
# It also says why some rows are *not* a match: at which event, and which condition.

# %%
print(why(rising, (5, 11)))

# %%
print(why(rising, (0, 3)))

# %% [markdown]
# A word that is wrong is pointed out before anything is searched:

# %%
from mnemata.theory.errors import MnemataError

try:
    find("any(SELL as s, BUY where prize > s.price)")
except MnemataError as error:
    print(error)

# %% [markdown]
# ## Windows
#
# `within` says how far apart the first and the last event of a match may be: less than some time, or among so many
# consecutive events.

# %%
pd.DataFrame(
    [
        (window, [match.positions for match in find(f"any(SELL as s, BUY where name = s.name) {window}")])
        for window in ("", "within 7 s", "within 3 s", "within 3 events")
    ],
    columns=["window", "matches"],
)

# %% [markdown]
# Without a window an unfinished match is kept to the end of the stream. On a long stream you nearly always want one.

# %% [markdown]
# ## One or more
#
# `+` repeats. Inside `any(...)` anything may come between the repetitions: a sale of INTC and then one or more
# purchases of QQQ, each at a higher price than the one before. The register `last` is written anew in each round.

# %%
climbing = find(
    "any(SELL as last where name = 'INTC', any((BUY as last where name = 'QQQ' and price > last.price)+))"
)
climbing.to_arrow().to_pandas()[["start", "end", "positions"]]

# %% [markdown]
# *Every* way to choose purchases that climb is a match: this is what skip-till-any-match means, and why there can be very
# many. Here is the longest along time:

# %%
from mnemata.automata.drawing.timeline import timeline
from mnemata.theory.arrow import arrow_table

longest = max(climbing, key=len)
timeline(
    arrow_table(ticks),
    longest,
    time="at",
    value="price",
    context=None,
    title="A sale and purchases that climb",
)

# %% [markdown]
# ## Counting without listing
#
# How many is "very many"? The next table has 20,000 generated trades. The pattern is a sale, any number of purchases of one
# share, and a sale again, within ten minutes.

# %%
from mnemata.pipeline.datasets.arrivals import STOCK_TICKS

stream = STOCK_TICKS.table(20_000)
pattern = """
any(event as s where type = 'SELL' and name = 'INTC',
    any((event where type = 'BUY' and name = 'QQQ')+),
    event where type = 'SELL' and name = 'INTC' and price > s.price)
within 10 min
"""
many = recognise(pattern, stream, time="stock_time")
number = many.count()
print(f"{number:.3e} matches; as an exact number it has {len(str(number))} digits")

# %% [markdown]
# Nobody will look at those one by one, and no machine could list them. But one can ask at which rows matches end, how many
# at each, and for the first few:

# %%
ends = many.ends()
print(f"matches end at {len(ends):,} of {stream.num_rows:,} rows")
some = next(many.first(1))
print(f"one of them: rows {some.positions}")

# %% [markdown]
# That is possible because runs of the automaton that have the same future share one entry, and what they have marked is kept
# as a graph. [The engine explained](the_engine_explained.ipynb) shows it.

# %% [markdown]
# ## Fewer matches: strategies
#
# Often one match for each beginning is enough. `next(...)` takes the *nearest* event that fits instead of every one.

# %%
pd.DataFrame(
    [
        (pattern, [match.positions for match in find(pattern)])
        for pattern in ("any(SELL, BUY where name = 'QQQ')", "next(SELL, BUY where name = 'QQQ')")
    ],
    columns=["pattern", "matches"],
)

# %% [markdown]
# Complex event logic, the second language here, has strategies that choose among the matches that end
# at the same event. `MAX` drops those that are contained in another one, `ANY` keeps one of them.

# %%
query = "SELECT {} * WHERE SELL AS s; (BUY AS b)+ FILTER s[name = 'INTC'] AND b[name = 'QQQ'] WITHIN 10 s"
pd.DataFrame(
    [
        (strategy, [match.positions for match in find(query.format(strategy))])
        for strategy in ("ALL", "MAX", "ANY")
    ],
    columns=["strategy", "matches"],
)

# %% [markdown]
# ## What must not happen
#
# `absent(...)` is for events that must not come. A sale, later a purchase of the same share at a higher price, and no other
# sale of this share between them:

# %%
quiet = find(
    """
    SELL as s;
    absent(skip SELL where name = s.name);
    BUY where name = s.name and price > s.price
    """
)
print([match.positions for match in quiet], "instead of", [match.positions for match in rising])

# %% [markdown]
# The pair (5, 9) is gone, because QQQ is sold at row 8. What is absent is marked with `skip`: no event of it can be part of
# a match.

# %%
print(why(quiet, (5, 9)))

# %% [markdown]
# ## One stream for each key
#
# `partition by name` divides the stream by a column, and searches each part by itself: as if the events of other shares were
# not there. So `;`, which lets nothing come between, is about trades of the same share.

# %%
by_name = find("BUY as b; (SELL where price > b.price) partition by name")
by_name.to_arrow(events=True).to_pandas()[["key", "start", "end", "positions"]]

# %% [markdown]
# ## A file of your own
#
# Any table will do, so any file that pandas, Polars or Arrow can read. Here a CSV file is written first, so that there
# is one; put the path of yours.

# %%
import tempfile
from pathlib import Path

path = Path(tempfile.mkdtemp()) / "doors.csv"
path.write_text(
    """when,badge,door,outcome
2024-03-01T08:00:00,17,north,refused
2024-03-01T08:00:20,17,north,refused
2024-03-01T08:00:30,23,south,opened
2024-03-01T08:00:45,17,east,refused
2024-03-01T08:01:10,17,east,opened
2024-03-01T08:30:00,23,north,refused
2024-03-01T09:10:00,23,north,opened
"""
)
doors = pd.read_csv(path, parse_dates=["when"])
doors.dtypes.to_frame("type")

# %% [markdown]
# A badge is refused twice or more, and then opens a door, within five minutes. A pattern does not need event types: `event` is
# any event, and a column is used by its name. Each choice of refusals is a match; `[0, 1, 3, 4]` has them all.

# %%
pattern = """
any(any((event where outcome = 'refused'){2,}), event where outcome = 'opened')
within 5 min
partition by badge
"""
recognise(pattern, doors, time="when").to_arrow().to_pandas()[["key", "start_time", "end_time", "positions"]]

# %% [markdown]
# On a terminal the same search is one line. It reads CSV, Parquet, JSON lines and more, in files of any size, and writes
# what is wrong in them to a file of its own:
#
# ```
# mnemata run doors.pattern doors.csv --time when -o matches.parquet
# ```

# %% [markdown]
# ## Where to go from here
#
# | notebook | if you want to know |
# |---|---|
# | [The semantics, operator by operator](semantics_tour.ipynb) | what exactly each operator means |
# | [From a pattern to a run](from_pattern_to_run.ipynb) | how a pattern becomes an automaton |
# | [The engine explained](the_engine_explained.ipynb) | how so many matches are counted |
# | [Spark in ten minutes](spark_in_ten_minutes.ipynb) | how to search large tables |
#
# [All notebooks](README.md) are listed with what they are about, and [NOTATION.md](../theory/syntax/NOTATION.md) has the whole language.

# %% [markdown]
# ## Your turn
#
# Change the pattern or the trades at the top, and run the cell again. Can you find the sales that are followed, within ten
# seconds, by two purchases of the same share at different prices? And `why` is there for what you expected and do not see.

# %%
pattern = (
    "any(SELL as s, BUY as b where name = s.name, BUY where name = s.name and volume < b.volume) within 10 s"
)
attempt = find(pattern)

print([match.positions for match in attempt])
print(why(attempt, (5, 7, 9)))
