# %% [markdown]
# # A case study: the stock stream of the papers
#
# The experiments of the papers are on one day of stock ticks: 224,473 sales and purchases of ten shares. The file is not part of the project.
# Where it is, this notebook reads it; where it is not, generated ticks with the same schema and like statistics take its place, and
# say so.

# %%
import pandas as pd

from mnemata.paper_figures.benchmarks.streams import DAY, VARIABLE, read_ticks, stock_stream_path
from mnemata.pipeline.datasets.arrivals import STOCK_TICKS

path = stock_stream_path()
ticks = STOCK_TICKS.table(DAY) if path is None else read_ticks(path)
if path is None:
    print(f"These are generated ticks. To read the stock stream, name its file in {VARIABLE}.")
else:
    print("This is the stock stream of the papers.")
ticks.slice(0, 5).to_pandas()

# %% [markdown]
# Times are milliseconds of the day. How the shares differ:

# %%
frame = ticks.to_pandas()
shares = frame.groupby("name", observed=True).agg(
    ticks=("id", "size"), lowest=("price", "min"), highest=("price", "max"), volume=("volume", "median")
)
shares.sort_values("ticks", ascending=False)

# %% [markdown]
# ## A sequence
#
# The pattern of the paper's first experiments: a sale of INTC, purchases of RIMM and QQQ, in this order and with anything in between, within half a
# second; QQQ at a higher price than INTC.

# %%
from mnemata.automata.engine.recognition import recognise

sequence = """
any(event as x where type = 'SELL' and name = 'INTC',
    event where type = 'BUY' and name = 'RIMM',
    event where type = 'BUY' and name = 'QQQ' and price > x.price)
within 500 ms
"""


def count(pattern, table=ticks):
    """How many matches there are, exactly."""
    return recognise(pattern, table, time="stock_time").count()


f"{count(sequence):,} matches"

# %% [markdown]
# **A condition that selects nothing.** On this stream QQQ is dearer than INTC at any time, so the last comparison always holds (erratum E2). The same
# pattern without it:

# %%
unary = sequence.replace(" and price > x.price", "")
f"{count(unary):,} matches"

# %% [markdown]
# A figure about patterns that compare events should have comparisons that select. Compare a price with an earlier one *of the same share*: what
# part of the pairs of sales and purchases of one share within ten seconds has a price that rose?

# %%
pairs = "any(event as x where type = 'SELL', event where type = 'BUY' and name = x.name{}) within 10 s"
every = count(pairs.format(""))
pd.DataFrame(
    [
        (condition.strip(" and") or "any price", found, f"{100 * found / every:.1f} %")
        for condition in ("", " and price > x.price", " and price = x.price", " and price > 1.001 * x.price")
        for found in [count(pairs.format(condition))]
    ],
    columns=["condition", "matches", "share"],
)

# %% [markdown]
# ## Kleene-plus, and what it does to numbers
#
# With one or more purchases of RIMM instead of one, every choice among them is a match. The number grows with the window faster than any
# list of matches could:

# %%
kleene = sequence.replace(
    "event where type = 'BUY' and name = 'RIMM'", "any((event where type = 'BUY' and name = 'RIMM')+)"
)
windows = ("500 ms", "1 s", "2 s", "5 s", "10 s", "30 s", "60 s")
rows = [
    (
        window,
        *(count(pattern.replace("within 500 ms", f"within {window}")) for pattern in (sequence, kleene)),
    )
    for window in windows
]
grown = pd.DataFrame(rows, columns=["window", "sequences", "with Kleene-plus"]).set_index("window")
grown.map(lambda number: f"{number:,}" if number < 10**9 else f"{number:.2e}")

# %%
import matplotlib.pyplot as plt

figure, axes = plt.subplots(figsize=(8, 3.2), layout="constrained")
for name in grown:
    axes.plot(grown.index, [float(number) for number in grown[name]], marker="o", label=name)
axes.set(yscale="log", xlabel="window", ylabel="matches")
axes.spines[["top", "right"]].set_visible(False)
axes.legend(frameon=False)
plt.show()

# %% [markdown]
# All of these numbers are exact. Time does not grow as they do, because runs with the same future are one entry:
# [The engine explained](the_engine_explained.ipynb).

# %%
from time import process_time

count(kleene)  # the first search of a process loads the machine code
rows = []
for window in ("500 ms", "10 s", "60 s"):
    start = process_time()
    number = count(kleene.replace("within 500 ms", f"within {window}"))
    rows.append((window, f"{number:.2e}", f"{ticks.num_rows / (process_time() - start) / 1e6:.1f}"))
pd.DataFrame(rows, columns=["window", "matches", "million events per second"])

# %% [markdown]
# ## Iteration that compares
#
# The register is written anew in each round: prices of one share that rise, tick after tick of that share, five times or more, within a minute.

# %%
from mnemata.automata.drawing.timeline import timeline

rising = """
event as last;
(event as last where price > last.price){5,}
within 60 s
partition by name
"""
found = recognise(rising, ticks, time="stock_time")
climbs = found.to_arrow().to_pandas()
print(f"{len(climbs):,} matches")
climbs.key.map(lambda key: key["name"]).value_counts().rename("matches").to_frame()

# %%
most = max(found, key=len)
timeline(
    ticks,
    most,
    time="stock_time",
    value="price",
    partition_by=("name",),
    title=f"{most.key[0]}: {len(most)} ticks, each at a higher price than the one before",
)

# %% [markdown]
# ## As large as it gets
#
# A sale, any number of ticks of the same share that are larger than it, and a purchase that is larger still, within five minutes:

# %%
enormous = """
any(event as s where type = 'SELL',
    any((event where volume > s.volume)+),
    event where type = 'BUY' and volume > 2 * s.volume)
within 5 min
partition by name
"""
number = count(enormous)
print(f"a number of {len(str(number))} digits, which begins with {str(number)[:12]}")

# %% [markdown]
# ## Your turn
#
# `next` instead of `any` takes the nearest event that fits. By how much does the number of matches fall, and does it still grow with the window?

# %%
windows = ("500 ms", "10 s", "60 s")

pd.DataFrame(
    {
        strategy: [
            f"{count(sequence.replace('any(', f'{strategy}(').replace('500 ms', window)):,}"
            for window in windows
        ]
        for strategy in ("any", "next")
    },
    index=windows,
)
