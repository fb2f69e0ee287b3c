# %% [markdown]
# # From a pattern to a run
#
# The running example of the paper on symbolic register transducers: a stock is bought, and later the *same* stock is sold.
# The register `b` remembers the purchase, so that the last condition can compare with it. Here it is followed from its text
# to the automaton that reads the stream, and then asked in two other languages.

# %%
import pandas as pd
import pyarrow as pa

from mnemata.theory.arrow import schema_from_arrow
from mnemata.theory.syntax import parse, show

table = pa.table(
    {
        "type": ["B", "B", "B", "S", "S", "B"],
        "id": [1, 1, 2, 1, 1, 2],
        "price": [22, 24, 32, 70, 68, 33],
        "volume": [300, 225, 1210, 760, 2000, 95],
    }
)
table.to_pandas()

# %% [markdown]
# ## The text
#
# A text has a schema to be read against: which attributes events have, of which types, and which of them is the kind of an
# event. The tree that is read can be written in the paper's notation, too.

# %%
schema = schema_from_arrow(table.schema, event_type="type")
pattern = parse("any(B as b, S where id = b.id)", schema=schema)
print(show(pattern, schema=schema))
print(show(pattern, notation="paper"))

# %% [markdown]
# `any` is shorthand for a sequence with a loop that passes over anything. What automata are made from has the basic operators
# only.

# %%
from mnemata.theory.sremo.rewriting import core

show(core(pattern.expression), notation="paper")

# %% [markdown]
# ## What it means
#
# The denotational semantics tries every way to split a string; it is the oracle for everything else. Positions are 1-based
# here, as in the paper. At each position `k` these are the matches that end there:

# %%
from mnemata.theory.sremo import semantics

stream = schema.stream(table.to_pylist())
pd.DataFrame(
    [
        (k, sorted(map(sorted, semantics.matches_at(pattern.expression, stream, k))))
        for k in range(1, len(stream) + 1)
    ],
    columns=["k", "matches that end there"],
)

# %% [markdown]
# ## The automaton, as it is built
#
# A transducer reads an event, asks a condition of it and the registers, marks it or not, and writes it to registers. It is
# built operator by operator from the leaves (Thm 27): each operator joins the automata of its parts by epsilon transitions,
# which read nothing.

# %%
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.drawing import draw

built = thompson(core(pattern.expression))
draw(built, title="as built, with epsilon transitions")

# %% [markdown]
# ## The automaton, as it is run
#
# Epsilon transitions are eliminated, states that lead nowhere trimmed, equal ones merged.

# %%
from mnemata.automata.compilation import compile_pattern
from mnemata.automata.drawing import draw_stages

compiled = compile_pattern(pattern, schema)
draw_stages(
    [
        ("without epsilon transitions, trimmed", built.without_epsilon().trim()),
        ("compiled: equal states merged", compiled.srt),
    ]
)

# %% [markdown]
# For each state it is known which registers may still be read. When the engine compares runs, only those count.

# %%
[sorted(registers) for registers in compiled.live]

# %% [markdown]
# ## A run, frame by frame
#
# Over the first four events. The dashed box is the register; the transition just taken is red, and the marked events are
# filled.

# %%
from mnemata.automata.srt.runs import accepting_runs

(run,) = accepting_runs(compiled.srt, stream[:4])
draw(run, srt=compiled.srt, attributes=["type", "id"])

# %% [markdown]
# That is the run over the string from the first event on. A stream has runs from every event; this one begins at the second.

# %%
(later,) = accepting_runs(compiled.srt, stream[1:4])
print("marks", sorted(later.marks))
draw(later, srt=compiled.srt, attributes=["type", "id"], configurations=[4])

# %% [markdown]
# ## In a table
#
# `recognise` works on tables and counts rows from 0. Nothing is computed before the matches are asked for.

# %%
from mnemata.automata.engine.recognition import recognise

matches = recognise(pattern, table, schema=schema)
matches.to_arrow().to_pandas()

# %% [markdown]
# A window of four events keeps only those that span at most four rows (Example 40).

# %%
bounded = parse("any(B as b, S where id = b.id) within 4 events", schema=schema)
[match.positions for match in recognise(bounded, table, schema=schema)]

# %% [markdown]
# ## The same question in core-CEPL
#
# Core-CEPL names each event and filters at the end. Its automata are register match automata: they write every event that
# a filter will need, and a filter moves to the transition on which its last variable is read.

# %%
from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.automata.constructions.rma.translation import translate
from mnemata.automata.rma.automaton import with_start
from mnemata.automata.rma.runs import matches as rma_matches
from mnemata.theory.syntax import parse_cepl

query = parse_cepl("B AS x; S AS y FILTER x.id = y.id", schema=schema)
translated = translate(query.expression, schema)
rma = with_start(merge_equivalent(translated.srt.without_epsilon()))
print(sorted(sorted(marks) for marks in rma_matches(rma, stream)))
draw(rma.srt, title="B AS x; S AS y FILTER x.id = y.id")

# %% [markdown]
# The same three states, and one more loop: a register match automaton reads the stream from its beginning, and passes over what
# comes before the first event by itself. For a transducer whoever runs it begins a run at every event.

# %% [markdown]
# ## The same question in complex event logic
#
# CEL filters at the end, too. Its automata have no registers, so they can recognise a formula only if each filter is about
# one event at a time. `x.id = y.id` is not:

# %%
from mnemata.automata.constructions.cea.compilation import compile_cel
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.syntax import parse_cel

related = parse_cel("(B AS x; S AS y) FILTER x.id = y.id", schema=schema)
try:
    compile_cel(related.formula, schema)
except UnsupportedError as refusal:
    print(refusal)

# %% [markdown]
# A question that stays within their reach is about one event at a time: a purchase of more than 250, and later a sale above 69.
# On the transitions stands `P / L`, the predicate and the variables that the event is bound to.

# %%
from mnemata.automata.drawing import draw_cea

unary = parse_cel("(B AS x; S AS y) FILTER x[volume > 250] AND y[price > 69]", schema=schema)
cea = compile_cel(unary.formula, schema).cea
draw_cea(cea, title="(B AS x; S AS y) FILTER x[volume > 250] AND y[price > 69]")

# %%
from mnemata.automata.cea.runs import valuations

for n in range(len(stream)):
    print(n, *sorted(map(str, valuations(cea, stream, n))))

# %% [markdown]
# What compares events is recognised all the same: such a query becomes a register transducer, the one that we know.

# %%
from mnemata.automata.engine.queries import compile_query

print([match.positions for match in recognise(related, table, schema=schema)])
draw(
    compile_query(related, schema).srt, title="(B AS x; S AS y) FILTER x.id = y.id, as a register transducer"
)

# %% [markdown]
# ## Three automata, side by side
#
# | | transducer (SRT) | register match automaton (RMA) | complex event automaton (CEA) |
# |---|---|---|---|
# | language | SREMO | bounded core-CEPL | unary CEL |
# | remembers | events in registers | events in registers | nothing but its state |
# | condition on | the event and registers | the event and registers | the event |
# | says of an event | marked or not | marked or not | which variables mark it |
# | begins | at any event | at the first event | at the first event |
# | can be made deterministic | in windows on the string | in windows | always |

# %% [markdown]
# ## Where a construction errs
#
# The published algorithm for removing epsilon transitions merges transitions that look alike, even when they write different
# registers. A search finds a smallest expression and string on which that loses or invents a match; the repaired construction
# survives the same search.

# %%
from mnemata.proofs.claims import counterexample
from mnemata.proofs.srt import compiling

published = compiling.epsilon_elimination_is_exact(compiling.merging_epsilon_elimination, compiling.JOINED)
schema_used, expression, string = counterexample(published, tries=3000)
print(published)
print(show(expression, notation="paper"))
print([event.values for event in string])
print("defined:", sorted(map(sorted, semantics.matches(expression, string))))

# %% [markdown]
# ## Your turn
#
# Another pattern, followed the same way. What does the automaton of an iteration look like, or of `next`? Which registers are
# live where?

# %%
text = "any(B as b, any((S as b where id = b.id and price > 60)+))"

own = compile_pattern(parse(text, schema=schema), schema)
print([match.positions for match in recognise(own, table)])
print([sorted(registers) for registers in own.live])
draw(own.srt, title=text)
