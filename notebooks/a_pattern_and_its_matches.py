# %% [markdown]
# # A pattern and its matches
#
# The running example of the paper on symbolic register transducers: a stock is bought, and later the *same* stock is sold.
# The register `b` remembers the purchase, so that the last condition can compare with it.

# %%
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
schema = schema_from_arrow(table.schema, event_type="type")
pattern = parse("any(B as b, S where id = b.id)", schema=schema)
print(show(pattern, schema=schema))
print(show(pattern, notation="paper"))

# %% [markdown]
# ## What it means
#
# The denotational semantics tries every way to split a string; it is the oracle for everything else. Positions are 1-based here,
# as in the paper. At each position `k` these are the matches that end there:

# %%
from mnemata.theory.sremo import semantics

stream = schema.stream(table.to_pylist())
for k in range(1, len(stream) + 1):
    print(k, sorted(map(sorted, semantics.matches_at(pattern.expression, stream, k))))

# %% [markdown]
# ## The automaton
#
# Compiled operator by operator, with epsilon transitions (Thm 27), then without them.

# %%
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.drawing import draw

draw(thompson(pattern.expression), title="as built, with epsilon transitions")

# %%
from mnemata.automata.compilation import compile_pattern

compiled = compile_pattern(pattern, schema)
draw(compiled.srt, title="compiled")

# %% [markdown]
# ## A run, frame by frame
#
# Over the first four events. The dashed box is the register; the transition just taken is red.

# %%
from mnemata.automata.srt.runs import accepting_runs

(run,) = accepting_runs(compiled.srt, stream[:4])
draw(run, srt=compiled.srt)

# %% [markdown]
# ## In a table
#
# `recognise` works on Arrow tables and counts rows from 0. Nothing is computed before the matches are asked for.

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
# ## Where the paper errs
#
# Its algorithm for removing epsilon transitions merges transitions that look alike, even when they write different registers.
# A search finds a smallest expression and string on which that loses or invents a match; the repaired construction survives
# the same search.

# %%
from mnemata.proofs.claims import counterexample
from mnemata.proofs.srt import compiling

published = compiling.epsilon_elimination_is_exact(compiling.merging_epsilon_elimination, compiling.JOINED)
schema_used, expression, string = counterexample(published, tries=3000)
print(published)
print(show(expression, notation="paper"))
print([event.values for event in string])
print("defined:  ", sorted(map(sorted, semantics.matches(expression, string))))

# %% [markdown]
# ## Your turn
#
# Another pattern, over the same table; `volume` is an attribute, too.

# %%
text = "any(B as b, S where id = b.id and volume > 2 * b.volume)"

[match.positions for match in recognise(text, table, schema=schema)]
