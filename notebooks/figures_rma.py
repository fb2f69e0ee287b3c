# %% [markdown]
# # The figures of the paper on symbolic automata with memory
#
# E. Alevizos, A. Artikis, G. Paliouras: *Symbolic Automata with Memory*.
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
# A temperature and a later humidity of the same sensor, written in core-CEPL: each event has a name, and a filter compares them.

# %%
figure("rma-table-1")

# %% [markdown]
# ## The automaton of the expression
#
# A register match automaton reads the stream from its beginning, and passes over what comes before the first event by itself. It writes an
# event to a register that a filter reads later.

# %%
figure("rma-figure-1")

# %% [markdown]
# ## A filter around a disjunction
#
# Two ways to begin, and one filter over both: it moves to the transition that reads its last variable, and the events on either way are
# written to the register that it reads.

# %%
figure("rma-figure-2")

# %% [markdown]
# ## Deterministic, in a window
#
# Unrolled for `w` events and made deterministic by the power set. For three events the published automaton is wrong: while it may begin
# anywhere, its one register is written again, and the earlier event is lost. The last automaton is the
# repair. [The gallery](../paper_figures/gallery/rma-figure-3.svg) has the picture at its full size.

# %%
figure("rma-figure-3")

# %% [markdown]
# ## Play with one
#
# Figure 3 and the stream on which its published form goes wrong: two temperatures, then the humidity of the first sensor. A window of
# three events contains the first and the last, so there is a match at position 2.

# %%
import pandas as pd

from mnemata.automata.constructions.rma.determinization import (
    determinize_recogniser,
    determinize_recogniser_as_published,
)
from mnemata.automata.rma.runs import recognised_at
from mnemata.automata.srt.runs import Acceptance
from mnemata.paper_figures.rma.automata import rma_of_expression_1
from mnemata.paper_figures.rma.sensors import SENSORS

rma = rma_of_expression_1()
stream = SENSORS.stream([("T", 1, 20.0), ("T", 2, 21.0), ("H", 1, 50.0)])
made = {
    "as published": lambda window: determinize_recogniser_as_published(rma, window, SENSORS),
    "ring buffer": lambda window: determinize_recogniser(rma, window),
}
rows = []
for window in (2, 3):
    for construction, determinized in made.items():
        automaton = determinized(window)
        accepted = sorted(recognised_at(automaton, stream, Acceptance.FINAL_STATE))
        rows.append((window, construction, len(automaton.srt.registers), accepted or "nowhere"))
pd.DataFrame(rows, columns=["window", "construction", "registers", "accepts at"])

# %% [markdown]
# ## Your turn
#
# Another expression of core-CEPL: its automaton, and what it finds in the stream of Table 1, counted from 0.

# %%
from mnemata.automata.constructions.rma.translation import translate, without_epsilon
from mnemata.automata.drawing import draw
from mnemata.automata.rma.runs import matches
from mnemata.paper_figures.rma.sensors import TABLE_1, expression

text = "T AS x; (H AS y FILTER y.value > 60.0); T AS z FILTER x.id = z.id"

own = without_epsilon(translate(expression(text), SENSORS))
print(sorted(sorted(marks) for marks in matches(own, TABLE_1)))
draw(own.srt, title=text)
