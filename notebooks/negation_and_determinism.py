# %% [markdown]
# # Negation, determinism, and streams as evidence
#
# From a pattern with a negation to its deterministic automaton, its complement, a stream that matches, and a stream that tells
# two patterns apart.

# %%
from mnemata.automata.drawing import draw
from mnemata.theory.conditions.building import head, register
from mnemata.theory.schema import Int64, Schema, String
from mnemata.theory.sremo.expressions import absent, mark, skip, skip_till_any, skip_till_next

schema = Schema.of(type=String(), id=Int64())
event, first = head(schema), register("first", schema)
A, B, C = (event.type == letter for letter in "ABC")
same = event.id == first.id

# %% [markdown]
# An `A`, later a `B` with the same id, and no `C` with that id between them. Absence is relative to the registers as they are when it begins.

# %%
pattern = mark(A, first) >> absent(skip(C & same)) >> mark(B & same)

from mnemata.automata.compilation import compile_pattern

draw(compile_pattern(pattern, schema).srt, title="the pattern")

# %% [markdown]
# ## Deterministic
#
# Without a bound this automaton cannot be made deterministic, and the refusal shows a path on which that is seen.

# %%
from mnemata.automata.determinization import complementation, determinization
from mnemata.theory.errors import UnsupportedError

try:
    determinization(pattern, schema)
except UnsupportedError as refusal:
    print(refusal)

# %% [markdown]
# For strings of up to three events it can: the ring buffer keeps the last events in registers; each state
# has two transitions, guarded by a condition and its negation.

# %%
from mnemata.automata.decisions.determinism import is_complete, is_deterministic

stages = determinization(pattern, schema, window=3)
for title, srt in stages:
    sizes = f"{srt.size} states, {len(srt.transitions)} transitions"
    print(f"{title}: {sizes}, deterministic: {is_deterministic(srt, schema).verdict.value}")
draw(stages[-1].srt, title=stages[-1].title, outputs=False)

# %% [markdown]
# Its complement accepts exactly the other strings. On the way there the automaton becomes complete: at every step some
# transition can be taken, and as it is deterministic, exactly one.

# %%
stages = complementation(pattern, schema, window=3)
other = stages[-1].srt
print("deterministic:", is_deterministic(other, schema).verdict.value)
print("complete:", is_complete(other, schema).verdict.value)
draw(other, title=stages[-1].title, outputs=False)

# %% [markdown]
# ## Streams as evidence
#
# Z3 decides questions about patterns over symbolic strings, and every answer that an example can prove comes with one. That
# something matches at all is proved by a witness, here with the run that accepts it.

# %%
from mnemata.automata.decisions.examples import counterexample, example_streams
from mnemata.automata.decisions.languages import empty, language
from mnemata.automata.srt.runs import accepting_runs

found = empty(pattern, schema)
print("empty:", found.verdict.value)
srt = language(pattern, schema).srt
draw(next(accepting_runs(srt, found.witness)), srt=srt)

# %%
for string in example_streams(pattern, schema, 3):
    print([event.values for event in string])

# %% [markdown]
# Skip-till-any-match and skip-till-next-match differ. On which stream, and on which match?

# %%
every = skip_till_any(mark(A, first), mark(B & same))
nearest = skip_till_next(mark(A, first), mark(B & same))
found = counterexample(every, nearest, schema)
print([event.values for event in found.witness], sorted(found.marks))

# %%
srt = language(every, schema).srt
run = next(run for run in accepting_runs(srt, found.witness) if run.marks == found.marks)
draw(run, srt=srt)

# %% [markdown]
# Skip-till-next-match takes the nearest `B`, the second event, so that it matches a prefix of this stream and not the whole.

# %%
srt = language(nearest, schema).srt
draw(next(accepting_runs(srt, found.witness[:2])), srt=srt)

# %% [markdown]
# ## Your turn
#
# How large does it get in a larger window?

# %%
window = 4

determinization(pattern, schema, window=window)[-1].srt
