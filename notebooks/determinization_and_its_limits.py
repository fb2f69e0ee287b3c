# %% [markdown]
# # Determinization and its limits
#
# A deterministic automaton has one run over each string. It can be complemented, two of them can be compared, and whoever
# runs one keeps a single configuration. Finite automata can always be made deterministic. Automata with registers cannot, and this
# notebook shows why, what a window changes, what that costs, and what it is good for.

# %%
import pandas as pd

from mnemata.automata.drawing import draw
from mnemata.theory.schema import Int64, Schema, String
from mnemata.theory.syntax import parse

schema = Schema.of(type=String(), id=Int64(), event_type="type")


def pattern(text):
    return parse(text, schema=schema)


# %% [markdown]
# ## Two runs over one string
#
# A purchase and, later, a sale with the same id, anywhere in a string:

# %%
from mnemata.automata.compilation import compile_pattern

anywhere = pattern("(skip event)*; B as b; (skip event)*; S where id = b.id")
nondeterministic = compile_pattern(anywhere, schema).srt
draw(nondeterministic, title="a purchase and a later sale with its id")

# %% [markdown]
# At a purchase the automaton may begin or wait: both transitions can be taken. Whether that can really happen, for some stream and
# register contents, is decided by Z3, and the answer comes with a stream that shows it.

# %%
from mnemata.automata.decisions.determinism import is_deterministic
from mnemata.automata.srt.runs import runs

found = is_deterministic(nondeterministic, schema)
print("deterministic:", found.verdict.value)
print("because of:   ", [event.values for event in found.stream])
print("runs over it: ", len(list(runs(nondeterministic, found.stream))))

# %% [markdown]
# ## Why not
#
# The idea for finite automata is to keep the *set* of all states that runs are in. Here a run is a state and the id in its
# register, and there are as many runs as purchases. Their ids would all have to be kept, and an automaton has so many
# registers and no more.
#
# This program plays against any deterministic candidate with `k` registers. It writes `k + 1` purchases with different ids; one of
# them is in no register. Then comes a sale, with that id or with a new one: the candidate does the same for both.

# %%
from mnemata.automata.srt.runs import accepts
from mnemata.proofs.report.wording import amount
from mnemata.proofs.srt.adversaries import ONE_MARK, against_determinism
from mnemata.proofs.srt.attempts import DETERMINISTIC
from mnemata.theory.sremo import semantics

rows = []
for (candidate,) in DETERMINISTIC:
    stream = against_determinism(candidate)
    rows.append(
        (
            amount(len(candidate.registers), "registers"),
            amount(candidate.size, "states"),
            " ".join(f"{event['type']}{event['id']}" for event in stream),
            accepts(candidate, stream),
            semantics.accepts(ONE_MARK, stream),
        )
    )
pd.DataFrame(rows, columns=["candidate", "", "stream", "it accepts", "it should"])

# %% [markdown]
# Every candidate is wrong about some stream, and so will the next one be. [What the papers prove](what_the_papers_prove.ipynb)
# has this as evidence for a theorem.
#
# ## The path that shows it
#
# A pattern that nothing bounds is refused, with a path through it on which that is seen: the step that may be repeated as
# often as one likes.

# %%
from mnemata.automata.determinization import determinization
from mnemata.theory.errors import UnsupportedError

try:
    determinization(anywhere, schema)
except UnsupportedError as refusal:
    print(refusal)

# %% [markdown]
# A window in events is not always enough. It bounds the *marked* events, and only the sale and the purchase are marked: before
# them as many events as one likes may be passed over. The refusal says so.

# %%
try:
    determinization(
        pattern("((skip event)*; B as b; (skip event)*; S where id = b.id) within 3 events"), schema
    )
except UnsupportedError as refusal:
    print(refusal)

# %% [markdown]
# ## The ring buffer
#
# What does help is a bound on the string: if at most `w` events are read, `w - 1` registers hold all of them. Whether what was
# read so far is accepted is then *one* condition over registers and the current event. A state says how full the buffer is and
# whether the string is accepted; its two transitions have the condition and its negation, so that one of them can be
# taken, and never both.

# %%
stages = determinization(anywhere, schema, window=3)
pd.DataFrame(
    [
        (
            title.removesuffix(": strings of up to 3 events"),
            srt.size,
            len(srt.transitions),
            len(srt.registers),
            is_deterministic(srt, schema).verdict.value,
        )
        for title, srt in stages
    ],
    columns=["stage", "states", "transitions", "registers", "deterministic"],
)

# %%
draw(stages[-1].srt, title=stages[-1].title, outputs=False)

# %% [markdown]
# What such an automaton marks means nothing; it is about strings. With nothing marked in the pattern either, the two can be
# compared: they match the same, for all strings and all ids.

# %%
from mnemata.automata.decisions.languages import equivalent

unmarked = pattern("((skip event)*; skip B as b; (skip event)*; skip S where id = b.id) length 3").expression
print("equivalent:", equivalent(unmarked, stages[-1].srt, schema).verdict.value)

# %% [markdown]
# ## What it costs
#
# The published construction goes another way: it unrolls the automaton for `w` events, with copies of the registers, and takes sets of
# states, with a transition for every possible combination of the conditions (minterms). Where the number of ways through the
# automaton grows exponentially with the window, so does the result. The ring buffer is linear in states, transitions and
# registers whatever the automaton. Both are measured here:

# %%
from mnemata.paper_figures.determinization import automaton, published, ring

name = "Fig. 4"
measured = [ring(name, automaton(name), window) for window in range(1, 13)]
measured += [published(name, automaton(name), window) for window in range(1, 6)]
sizes = pd.DataFrame(measured)[
    ["construction", "window", "states", "transitions", "registers", "minterms", "calls"]
]
sizes[sizes.window.isin([1, 3, 5, 12])].rename(columns={"calls": "solver calls"})

# %%
import matplotlib.pyplot as plt

figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharex=True, layout="constrained")
for panel, column in zip(axes, ("states", "transitions"), strict=True):
    for construction, rows in sizes.groupby("construction"):
        panel.plot(rows.window, rows[column], marker="o", label=construction)
    panel.set(xlabel="window, in events", ylabel=column, yscale="log")
    panel.spines[["top", "right"]].set_visible(False)
axes[0].legend(frameon=False)
plt.show()

# %% [markdown]
# On a logarithmic axis the published construction is a straight line. In a longer measurement each further event multiplies its
# states by about 2.7 and its transitions by about 4.3. At a window of ten events it exceeds a budget of four minutes, where the ring
# buffer takes a moment even for fifty. Where the number of ways through the automaton does not multiply, as for prices that rise from
# event to event, the published construction is linear, too, and smaller.
# [The results](../paper_figures/results/determinization.md) have all four automata.

# %% [markdown]
# What grows instead are the conditions of the ring buffer. Here is the longest one for windows of two, three and four events.
# In memory, parts that occur twice are kept once.

# %%
from mnemata.theory.syntax import show

for window in (2, 3, 4):
    srt = determinization(anywhere, schema, window=window)[-1].srt
    longest = max((t.condition for t in srt.transitions), key=lambda c: len(show(c)))
    print(f"{window}: {show(longest, notation='paper')}\n")

# %% [markdown]
# ## Negation and the complement
#
# An `A`, later a `B` with the same id, and no `C` with that id between them. Absence is relative to the registers as they are when it
# begins.

# %%
unless = pattern("A as first; absent(skip C where id = first.id); B where id = first.id")
draw(unless, schema=schema, title="")

# %% [markdown]
# Within a window the complement accepts exactly the other strings. On the way the automaton becomes complete: at every step
# some transition can be taken, and as it is deterministic, exactly one.

# %%
from mnemata.automata.decisions.determinism import is_complete
from mnemata.automata.determinization import complementation

stages = complementation(unless, schema, window=3)
other = stages[-1].srt
print("deterministic:", is_deterministic(other, schema).verdict.value)
print("complete:     ", is_complete(other, schema).verdict.value)
draw(other, title=stages[-1].title, outputs=False)

# %% [markdown]
# ## Streams as evidence
#
# Not every question needs a deterministic automaton. Z3 decides many over symbolic strings, and every answer that an example can
# prove comes with one. That something matches at all is proved by a witness, here with the run that accepts it.

# %%
from mnemata.automata.decisions.examples import counterexample, example_streams
from mnemata.automata.decisions.languages import empty, language
from mnemata.automata.srt.runs import accepting_runs

found = empty(unless.expression, schema)
srt = language(unless.expression, schema).srt
print("empty:", found.verdict.value)
draw(next(accepting_runs(srt, found.witness)), srt=srt)

# %%
for string in example_streams(unless.expression, schema, 3):
    print([event.values for event in string])

# %% [markdown]
# Skip-till-any-match and skip-till-next-match differ. On which stream, and on which match?

# %%
every = pattern("any(A as first, B where id = first.id)").expression
nearest = pattern("next(A as first, B where id = first.id)").expression
found = counterexample(every, nearest, schema)
srt = language(every, schema).srt
run = next(run for run in accepting_runs(srt, found.witness) if run.marks == found.marks)
draw(run, srt=srt, configurations=[4])

# %% [markdown]
# Skip-till-next-match takes the nearest `B`, the second event, so that it matches a prefix of this stream and not the whole.

# %% [markdown]
# ## Your turn
#
# Change the pattern and the window. Which patterns need no `window`, because they bound their strings themselves? When does the
# refusal name an unmarked end?

# %%
text = "(A as first; (event where id > first.id){1,2}) within 4 events"
window = None

stages = determinization(pattern(text), schema, window=window)
for title, srt in stages:
    print(f"{title}: {srt.size} states, {len(srt.transitions)} transitions")
draw(stages[-1].srt, title=text, outputs=False)
