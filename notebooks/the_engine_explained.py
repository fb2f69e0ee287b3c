# %% [markdown]
# # The engine explained
#
# A Kleene pattern over a stream of a few hundred events can have more matches than there are atoms in the sun. This notebook
# shows how they are counted exactly, how the first few are listed without looking for the others, and what each of it
# costs.

# %%
import pandas as pd

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.drawing import draw
from mnemata.theory.schema import Int64, Schema, String
from mnemata.theory.syntax import parse

schema = Schema.of(type=String(), id=Int64(), event_type="type")
text = "A as a; (B | skip event)*; C where id = a.id"
compiled = compile_pattern(parse(text, schema=schema), schema)
srt = compiled.srt
draw(srt, title=text)

# %% [markdown]
# ## Runs multiply
#
# An `A`, later a `C` with its id, and in between any choice of `B`. At each `B` a run may mark it or pass over it, so every `B` doubles
# the number of runs. Here is one of them over six events.

# %%
from mnemata.automata.drawing import frames
from mnemata.automata.drawing.animation import animate
from mnemata.automata.srt.runs import accepting_runs

stream = schema.stream([("A", 1), ("B", 0), ("B", 0), ("A", 1), ("B", 0), ("C", 1)])
found = list(accepting_runs(srt, stream))
print(f"{len(found)} accepting runs from the first event; the one that marks {sorted(found[2].marks)}:")
animate(frames(srt, found[2]), seconds=1.2)

# %% [markdown]
# ## One entry for each future
#
# What a run will do depends on two things: its state, and what is in the registers that may still be read. How it came there
# does not matter. So runs that agree on both share one *entry*, and the entry has a number: how many runs it stands for. That
# is the engine in ten lines:

# %%
from collections import Counter

from mnemata.theory.conditions.evaluation import EMPTY, Valuation, models


def live(state, contents):
    """What is in the registers that may still be read in a state."""
    return Valuation(tuple((r, event) for r, event in contents.items() if r in compiled.live[state]))


def read(entries, event):
    """From the entries before an event to those after it."""
    after = Counter()
    for (state, contents), number in (entries + Counter({(srt.start, EMPTY): 1})).items():
        for transition in srt.outgoing(state):
            if models(event, contents, transition.condition):
                written = contents.write(transition.writes, event)
                after[transition.target, live(transition.target, written)] += number
    return after


entries, rows = Counter(), []
for event in stream:
    entries = read(entries, event)
    ending = sum(number for (state, _), number in entries.items() if state in srt.finals)
    rows.append((f"{event['type']}{event['id']}", entries.total(), len(entries), ending))
pd.DataFrame(rows, columns=["event", "runs", "entries", "matches that end here"])

# %% [markdown]
# The two `A` have the same id, but they are two events, and each has its entry: what a register holds is an event, known by its
# position.
#
# Add more `B` and only the numbers get larger. They are Python's whole numbers here, and words of 64 bits in the engine, as many as are
# needed: a count is exact, whatever its size.

# %%
import pyarrow as pa

from mnemata.automata.engine.recognition import recognise


def events_with(number):
    """An A, so many B, and a C."""
    return pa.table({"type": ["A", *["B"] * number, "C"], "id": [1] * (number + 2)})


rows = []
for number in (3, 10, 40, 200, 1000):
    count = recognise(parse(text, schema=schema), events_with(number), schema=schema).count()
    rows.append(
        (number, f"{count:.4g}" if count < 10**300 else f"{len(str(count))} digits", count == 2**number)
    )
pd.DataFrame(rows, columns=["events B", "matches", "is 2^B"])

# %% [markdown]
# ## Matches as a graph
#
# To list matches, an entry needs more than a number. It points to a node of a graph; a node is a position that was marked, and
# arrows lead to what was marked before. Marking an event adds one node, however many runs do it. Two entries that become one
# link their lists. So the graph grows with the stream and not with the matches.
#
# Algorithm 2 of the CEL paper does this for automata without registers. The pattern is `U ; [(V+ ; W) OR W]`, read over
# `U V V W V W`. Each frame is one event later; the blue lists belong to states of the automaton.

# %%
from mnemata.automata.drawing import draw_cea, draw_evaluation
from mnemata.paper_figures.cel.compact_sets import FIGURE_8, LETTERS

names = {0: "q_1", 1: "q_2", 2: "q_3"}
draw_cea(FIGURE_8, names=names)

# %%
letters = LETTERS.stream([(letter,) for letter in "UVVWVW"])
pictures = draw_evaluation(FIGURE_8, letters, names=names)
animate(pictures, seconds=1.5)

# %% [markdown]
# After the last event every path from the list of the final state down to `⊥` is a complex event that ends there. Walking along
# the paths lists them, and between one and the next there is never more to do than the length of what is listed: the
# delay is linear in the output.

# %%
pictures[-1]

# %%
from mnemata.automata.cea.evaluation import Evaluation

running = Evaluation(FIGURE_8)
for event in letters:
    running.read(event)
sorted(sorted(complex_event) for complex_event in running.complex_events())

# %% [markdown]
# The engine carries the idea over to automata with registers: entries are futures instead of states, and nodes know the latest
# start of what is below them, so that a window cuts off what is too old without visiting it.
#
# ## The first few
#
# The matches that end at one event can be taken one by one, so nobody has to wait for 10^60 of them:

# %%
many = recognise(parse(text, schema=schema), events_with(200), schema=schema)
print(f"{many.count():.3g} matches, of which the first three are")
for match in many.first(3):
    print(match.positions if len(match) < 8 else f"{match.positions[:4]} ... {match.positions[-3:]}")

# %% [markdown]
# ## Windows keep it small
#
# A future whose window has closed is forgotten, and so is what only it has marked. Here are 20,000 generated trades; a trade of one share,
# any choice of large trades of another, and a trade of the first share at a higher price. After each thousand events, how many
# entries are kept:

# %%
from mnemata.automata.engine.compiled.plan import Mode
from mnemata.automata.engine.incremental import Recogniser
from mnemata.pipeline.datasets.arrivals import STOCK_TICKS, STOCKS

trades = STOCK_TICKS.table(20_000)
climbing = """
any(event as s where name = 'INTC',
    any((event where name = 'QQQ' and volume > 500)+),
    event where name = 'INTC' and price > s.price)
"""


def kept(pattern):
    """How many entries are kept after each thousand events."""
    recogniser = Recogniser(parse(pattern, schema=STOCKS), STOCKS, mode=Mode.COUNT)
    for begin in range(0, trades.num_rows, 1000):
        recogniser.push(trades.slice(begin, 1000))
        yield recogniser.live


windows = ("", "within 5 min", "within 60 s")
axes = pd.DataFrame(
    {window or "no window": list(kept(climbing + window)) for window in windows},
    index=pd.RangeIndex(1000, 21_000, 1000, name="events"),
).plot(logy=True, ylabel="entries", figsize=(8, 3.2))
# %% [markdown]
# ## Push, snapshot, restore
#
# A stream comes little by little. `Recogniser` reads it batch by batch, and however it is cut the matches are the same. What it keeps
# can be written down and taken up by another process.

# %%
pattern = parse(climbing + "within 20 s", schema=STOCKS)
first = Recogniser(pattern, STOCKS, mode=Mode.COUNT)
before = first.push(trades.slice(0, 7_777)).count
snapshot = first.snapshot()

second = Recogniser(pattern, STOCKS, mode=Mode.COUNT)
second.restore(snapshot)
after = second.push(trades.slice(7_777)).count

whole = recognise(pattern, trades, schema=STOCKS).count()
print(
    f"{before:,} + {after:,} = {whole:,}: {before + after == whole}; the snapshot has {len(snapshot):,} bytes"
)

# %% [markdown]
# ## What costs what
#
# One can ask for less than all matches, and pays for less: at which rows some end, how many there are, the first of each row, or all.
# Times are those of the processor for this pattern over 100,000 trades, each the best of five, relative to the quickest.

# %%
from time import process_time

more = STOCK_TICKS.table(100_000)
questions = {
    "at which rows matches end": lambda found: found.ends(),
    "how many there are": lambda found: found.count(),
    "the first for each row": lambda found: sum(1 for _ in found.first(1)),
    "all of them, as a table": lambda found: found.to_arrow(),
}


def best(ask):
    """The shortest of five times, in seconds."""
    times = []
    for _ in range(5):
        found, start = recognise(pattern, more, schema=STOCKS), process_time()
        ask(found)
        times.append(process_time() - start)
    return min(times)


seconds = {question: best(ask) for question, ask in questions.items()}
quickest = min(seconds.values())
pd.DataFrame(
    [
        (question, f"{time / quickest:.1f}", f"{more.num_rows / time / 1e6:.1f}")
        for question, time in seconds.items()
    ],
    columns=["question", "relative time", "million events per second"],
)

# %% [markdown]
# Most of it is decided before the first event: conditions on single events are evaluated for whole columns, and events that change
# nothing in any state are skipped at the speed of memory. What costs more is listed here, with how to see it beforehand:
#
# | what | why | where it is said |
# |---|---|---|
# | no window | entries are kept to the end of the stream | `mnemata check`, `mnemata explain` |
# | a register that is written in every round | one entry for each event that it may hold | `Recogniser.live` |
# | inequalities between registers and events | entries are gone through one by one; equal values are looked up | the benchmarks |
# | an automaton with two runs for one match | it must be made unambiguous first | `mnemata check` |
# | relations that are Python functions | they are called for each event | a warning |
#
# [The results](../paper_figures/results) have measurements for all patterns of the papers.

# %% [markdown]
# ## Your turn
#
# Let the pattern remember the last `B` instead of the `A`, so that each must have a larger id than the one before. What happens to the
# number of entries? And if only the state counted, without the registers?

# %%
text = "A as last; (B as last where id > last.id | skip event)*; C"
compiled = compile_pattern(parse(text, schema=schema), schema)
srt = compiled.srt

entries, rows = Counter(), []
for event in schema.stream([("A", 0), *(("B", number) for number in (3, 1, 4, 1, 5, 9, 2, 6)), ("C", 0)]):
    entries = read(entries, event)
    ending = sum(number for (state, _), number in entries.items() if state in srt.finals)
    rows.append((f"{event['type']}{event['id']}", entries.total(), len(entries), ending))
pd.DataFrame(rows, columns=["event", "runs", "entries", "matches that end here"])
