# %% [markdown]
# # Spark in ten minutes
#
# `recognise` in `mnemata.pipeline.tables` makes a table of matches from a table of events, both of them Spark's. Events of different keys are
# searched side by side, and the matches can be joined, grouped and written like anything else. No Java is needed on the machine:
# where there is none, it comes with a package.

# %%
from mnemata.pipeline.session import spark_session

spark = spark_session(cores=2, shuffle_partitions=2)
spark.version

# %% [markdown]
# ## A table of events
#
# Here are 20,000 generated trades. `id` numbers them in the order of their arrival.

# %%
from pyspark.sql import functions as F

from mnemata.pipeline.datasets.arrivals import STOCK_TICKS

trades = spark.createDataFrame(STOCK_TICKS.table(20_000).to_pandas())
trades.orderBy("id").limit(4).toPandas()

# %% [markdown]
# ## Matches, as a table
#
# A share is sold, then bought at a higher price and sold again at a still higher one, within ten seconds, and each trade is more than
# 500 shares. `key` divides the table, so that only trades of one share are compared. The rows of a Spark table have no order:
# `arrival` names the column that tells it. (Without it events are ordered by `time`, which must then differ from row to row.)

# %%
from mnemata.pipeline.tables import recognise

pattern = """
any(event as last where type = 'SELL' and volume > 500,
    event as last where type = 'BUY' and volume > 500 and price > last.price,
    event where type = 'SELL' and volume > 500 and price > last.price)
within 10 s
"""
matches = recognise(trades, pattern, key="name", time="stock_time", arrival="id")
matches.printSchema()

# %% [markdown]
# Nothing has run so far: the table is lazy, as all tables of Spark are. Positions are values of the column `arrival`.

# %%
matches = matches.cache()
print(matches.count(), "matches")
matches.orderBy("end", "start", "positions").limit(5).toPandas()

# %% [markdown]
# ## SQL over matches
#
# Give the table a name, and ask: for which shares does it happen most, and how long does it take?

# %%
matches.createOrReplaceTempView("matches")
spark.sql(
    """
    SELECT key.name AS share, count(*) AS matches,
           round(avg(unix_millis(end_time) - unix_millis(start_time)) / 1000, 2) AS seconds
    FROM matches GROUP BY key.name ORDER BY matches DESC, share
    """
).toPandas()

# %% [markdown]
# ## The events of matches
#
# With `events=True` a match carries the events that it marks. `explode` makes one row of each.

# %%
from mnemata.pipeline.recognition import RecognitionOptions
from mnemata.pipeline.tables import explode

carrying = recognise(
    trades, pattern, key="name", time="stock_time", arrival="id", options=RecognitionOptions(events=True)
)
marked = explode(carrying).select("match", "place", "event.*").cache()
marked.orderBy("match", "place").drop("match", "id").limit(6).toPandas()

# %% [markdown]
# What rose most from the first to the last event, in percent?

# %%
(
    marked.groupBy("match", "name")
    .agg(F.min_by("price", "place").alias("first"), F.max_by("price", "place").alias("last"))
    .withColumn("percent", F.round((F.col("last") / F.col("first") - 1) * 100, 2))
    .orderBy(F.desc("percent"), "match")
    .select("name", "first", "last", "percent")
    .limit(5)
    .toPandas()
)

# %% [markdown]
# ## The same matches, however the table is divided
#
# How many partitions Spark makes, and in which order rows lie in them, changes nothing:

# %%
shuffled = trades.repartition(5, F.rand(seed=1))
again = recognise(shuffled, pattern, key="name", time="stock_time", arrival="id")
one, other = ({(row.key.name, *row.positions) for row in found.collect()} for found in (matches, again))
print(len(one), "matches, the same:", one == other)

# %% [markdown]
# ## From files to files
#
# For tables that are files there is the command line, which uses Spark as well. It reads CSV, Parquet, JSON lines and more, checks every row
# against the schema and puts those that do not fit aside, with the reason. In a notebook it uses the session that runs.

# %%
import os
import tempfile
from pathlib import Path

from mnemata.pipeline.command import main

os.chdir(tempfile.mkdtemp())


def mnemata(*arguments):
    """A command, as on a terminal."""
    try:
        main(arguments)
    except SystemExit as end:
        if end.code:
            raise


mnemata("generate", "stocks", "trades", "--events", "200000", "--quiet")

# %%
keyed = pattern + "partition by name"
mnemata("run", keyed, "trades", "-o", "found.parquet", "--time", "stock_time", "--quiet")

# %% [markdown]
# (With so small a stream the time is mostly that of starting.) The result is a table, too:

# %%
found = spark.read.parquet(str(Path("found.parquet").resolve()))
found.groupBy("key.name").count().orderBy(F.desc("count"), "name").limit(3).toPandas()

# %% [markdown]
# ## One stream without keys
#
# A pattern that compares events of different shares has no key. If its window bounds what is read, the stream can be cut into
# slices that overlap by one window, and these are searched side by side: each match is found in exactly one of them. That
# this is exact is proved, and whether a pattern allows it is checked; other patterns are searched in one task.

# %%
across = """
any(event as s where name = 'INTC' and volume > 1000,
    event where name = 'QQQ' and volume > 1000 and type != s.type)
within 2 s
"""
mnemata("run", across, "trades", "-o", "across.parquet", "--time", "stock_time", "--quiet")
spark.read.parquet(str(Path("across.parquet").resolve())).count()

# %% [markdown]
# ## Streams that do not end
#
# `mnemata stream` does the same for files that are put into a folder, one after the other, with Structured Streaming: a watermark says how
# long to wait for late events, a checkpoint lets the job go on where it was. The [README](../README.md#streams-that-do-not-end) has
# an example.

# %% [markdown]
# ## Your turn
#
# Change the pattern, or what is asked of its matches. With another key, `type` say, other events are neighbours.

# %%
own = "any(event as s where volume >= 4000, event where volume >= 4000 and type = s.type) within 5 s"
key = "name"

(
    recognise(trades, own, key=key, time="stock_time", arrival="id")
    .groupBy(f"key.{key}")
    .count()
    .orderBy(F.desc("count"), key)
    .toPandas()
)

# %%
spark.stop()
