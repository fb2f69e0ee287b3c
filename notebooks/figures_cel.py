# %% [markdown]
# # The figures of the paper on complex event logic
#
# A. Grez, C. Riveros, M. Ugarte, S. Vansummeren: *A Formal Framework for Complex Event Recognition*.
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
# ## A stream, and formulas over it
#
# Temperature (T) and humidity (H) of sensors. A formula finds complex events, which are sets of positions; here counted from 0.

# %%
figure("cel-figure-1")

# %% [markdown]
# ## The basic operators
#
# What a language for complex events should have, and which fragment of CEL has it.

# %%
figure("cel-table-1")

# %% [markdown]
# ## Syntax
#
# All operators, and the classes of their syntax trees here.

# %%
figure("cel-figure-2")

# %% [markdown]
# ## Semantics
#
# A formula denotes *valuations*: which variable is bound to which positions. Each definition stands with an example over Figure 1.

# %%
figure("cel-figure-3")

# %% [markdown]
# ## A complex event automaton
#
# Transitions say `P / L`: what is asked of the event, and the variables that it is bound to. There are no registers, and such automata can
# always be made deterministic.

# %%
figure("cel-figure-4")

# %% [markdown]
# ## The automaton of an event type
#
# The base of the construction from formulas to automata.

# %%
figure("cel-figure-5")

# %% [markdown]
# ## Fragments compared
#
# Which operators can be expressed by which others. Behind each verdict is a result with its evidence, in `mnemata.proofs`.

# %%
figure("cel-figure-6")

# %% [markdown]
# ## A compact set of complex events
#
# Seven complex events in seven nodes: each path from a node at the top to `⊥` is one. Sets that share their beginnings share nodes.

# %%
figure("cel-figure-7")

# %% [markdown]
# ## Algorithm 2 at work
#
# The automaton, and after each event the nodes with the lists (blue) of states. An event costs a constant number of operations for each
# state, however many complex events there are.

# %%
figure("cel-figure-8")

# %% [markdown]
# ## Play with one
#
# Figure 8 as a moving picture, over a longer stream. With each `V` the number of complex events doubles; one node is added.

# %%
from mnemata.automata.cea.evaluation import Evaluation
from mnemata.automata.drawing import draw_evaluation
from mnemata.automata.drawing.animation import animate
from mnemata.paper_figures.cel.compact_sets import FIGURE_8, LETTERS

stream = LETTERS.stream([(letter,) for letter in "UVVVVW"])
running = Evaluation(FIGURE_8)
for event in stream:
    running.read(event)
    print(
        event["type"], len(running.compact), "nodes,", len(list(running.complex_events())), "complex events"
    )
animate(draw_evaluation(FIGURE_8, stream), seconds=1.2)

# %% [markdown]
# ## Your turn
#
# A formula over the stream of Figure 1: what it finds, whether it is unary, and if so its automaton.

# %%
from mnemata.automata.constructions.cea.compilation import compile_cel
from mnemata.automata.drawing import draw_cea
from mnemata.paper_figures.cel.sensors import SENSORS, formula, found
from mnemata.theory.cel.binding import is_unary

text = "(H IN x; T+ IN y) FILTER x.value < 30 AND y.value > 39"

print(found(text))
draw_cea(compile_cel(formula(text), SENSORS).cea, title=text) if is_unary(formula(text)) else "not unary"
