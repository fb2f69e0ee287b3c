# %% [markdown]
# # The figures of the paper on symbolic register transducers
#
# E. Alevizos, A. Artikis, G. Paliouras: *Complex Event Recognition with Symbolic Register Transducers*.
#
# Each figure and table is made by the project's own code: automata come from the constructions, and what they find from the
# semantics. The line above each says how it agrees with what was published. The papers' own pictures were not at hand, so all were
# reconstructed from captions and text. `mnemata figures` writes them as files, for a paper of your own.

# %%
from IPython.display import Markdown, display

from mnemata.paper_figures.catalogue import chosen
from mnemata.paper_figures.reproductions import Tables


def figure(name):
    """Make a figure or table, and say how it agrees with what was published."""
    (one,) = chosen([name])
    made = one.make()
    display(Markdown(f"**{one.number}: {one.title}.** *{one.agreement}*"))
    if isinstance(made, Tables):
        display(Markdown("\n\n".join((made.text, *(table.markdown() for table in made.tables)))))
        return
    for drawing in made if isinstance(made, tuple) else (made,):
        display(drawing)


# %% [markdown]
# ## A stream, and what is looked for in it
#
# The paper's example: stock ticks, and an expression for a purchase and a later sale of the same stock. `•` marks an event, `⊗` passes over
# it, and `↓` writes it to a register.

# %%
figure("srt-table-1")

# %% [markdown]
# ## Notation
#
# What the paper writes, and what it is called here.

# %%
figure("srt-table-2")

# %% [markdown]
# ## The automaton of the expression
#
# Three states and one register. The loop in the middle passes over any event.

# %%
figure("srt-figure-1")

# %% [markdown]
# ## A run
#
# Configuration by configuration: the state, the register, and what was said of each event.

# %%
figure("srt-figure-2")

# %% [markdown]
# ## From an expression to an automaton
#
# Operator by operator, with epsilon transitions. What a step adds is blue.

# %%
figure("srt-figure-3")

# %% [markdown]
# ## The cases of the construction
#
# The same, as the cases of the proof that every expression has an automaton.

# %%
figure("srt-figure-11")

# %% [markdown]
# ## An automaton that is not deterministic
#
# At a purchase it may begin or wait. The ids of all purchases would have to be kept, so that no deterministic automaton does the
# same; [Determinization and its limits](determinization_and_its_limits.ipynb) lets a program show that.

# %%
figure("srt-figure-4")

# %% [markdown]
# ## Deterministic, in a window
#
# For strings of up to `w` events there is one. The paper unrolls the automaton and takes sets of states. The last picture is a
# construction of this project: the registers are a ring buffer of the last events.

# %%
figure("srt-figure-5")

# %% [markdown]
# ## From sets of states to states
#
# How the power set works: every combination of the conditions, negated or not, leads to the set of states that it reaches.

# %%
figure("srt-figure-14")

# %% [markdown]
# ## What has no complement
#
# Strings in which two events have the same type are accepted by one register. That *all* types differ cannot be said with any number
# of registers.

# %%
figure("srt-figure-12")

# %% [markdown]
# ## Two events with one identifier
#
# The automaton of the proof that not all of them can be made deterministic.

# %%
figure("srt-figure-13")

# %% [markdown]
# ## Registers in iterations
#
# A register that is written in each round holds the latest event only.

# %%
figure("srt-table-4")

# %% [markdown]
# ## Play with one
#
# Figure 5, for another automaton and another window: what does the ring buffer look like when prices have to rise? The states of the published
# construction follow in the second picture; which one is smaller?

# %%
from mnemata.automata.constructions.powerset import determinize_as_published
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.drawing import draw_stages
from mnemata.paper_figures.determinization import SCHEMA, automaton

rising, window = automaton("rising prices"), 3
draw_stages(
    [
        ("as built", rising),
        (f"ring buffer, w = {window}", determinize(rising, window=window)),
        (f"as published, w = {window}", determinize_as_published(rising, SCHEMA, window=window)),
    ],
    outputs=False,
)

# %% [markdown]
# ## Your turn
#
# The run of Figure 2, for a stream and an expression of yours. Every accepting run over the string has a picture.

# %%
from mnemata.automata.compilation import compile_pattern
from mnemata.automata.drawing import draw
from mnemata.automata.srt.runs import accepting_runs
from mnemata.theory.schema import Int64, Schema, String
from mnemata.theory.syntax import parse

schema = Schema.of(type=String(), id=Int64(), event_type="type")
srt = compile_pattern(parse("any(B as b, (S where id = b.id)+)", schema=schema), schema).srt
found = list(accepting_runs(srt, schema.stream([("B", 1), ("S", 2), ("S", 1), ("S", 1)])))

print(len(found), "accepting runs, which mark", *(sorted(run.marks) for run in found))
draw(found[0], srt=srt)
