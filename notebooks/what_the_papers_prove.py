# %% [markdown]
# # What the papers prove, and what they do not
#
# Every result of the three papers is an object here that can be run: what it states, the constructions that realise it, and
# the evidence for it and against it. About half hold as stated, and nearly all others once something is mended. Here are three
# of those, the most surprising ones:
#
# 1. an expression in a window that no deterministic automaton recognises (SRT Theorem 41),
# 2. a next event that is not the next one (SRT Definition 45),
# 3. a strategy that selects what it should not (CEL Theorem 7.2).
#
# Nothing below is copied in. A search generates small instances until one breaks the claim, and shrinks it; a repair then has
# to stand up to such a search, to proofs by Z3 up to a bound, and to the steps of an induction without bounds. Searches and bounds are small
# here, for a quick look; `mnemata prove` takes larger ones.

# %%
from dataclasses import replace
from textwrap import fill

from IPython.display import display

from mnemata.proofs.evidence import SMALL, Adversary, Bounded, Induction, Search
from mnemata.proofs.registry import chosen
from mnemata.proofs.report.specimens import specimen


def evidence(result, kind, about=""):
    """The first piece of evidence of a kind whose name contains some words."""
    return next(one for one in result.evidence if isinstance(one, kind) and about in one.name)


QUICK = replace(SMALL, tries=50, length=2)


def weigh(*pieces):
    """Gather evidence, and say what it shows."""
    for one in pieces:
        found = one.weigh(QUICK)
        print(f"{one.strength.value}: {one.name}")
        print(f"    {found.outcome.value}, {found.tried:,} {found.detail}")


def search(refuting):
    """Search for a counterexample, and show the smallest one found."""
    counterexample = refuting.weigh(SMALL).counterexample
    shown = specimen(counterexample, refuting.claim, pictures=True)
    print(f"Broken: {refuting.claim}\n\n{shown}")
    for picture in shown.pictures:
        print(f"\n{picture.caption}:")
        display(picture)
    return counterexample


theorem_41, definition_45, theorem_7_2 = chosen(["srt-theorem-41", "srt-definition-45", "cel-theorem-7-2"])
for result in (theorem_41, definition_45, theorem_7_2):
    print(f"{result}: {result.expected.value}, errata {', '.join(result.errata)}")

# %% [markdown]
# ## 1. A window that bounds nothing
#
# **The claim.** Automata with registers cannot be made deterministic in general. In a window of `w` events they can, as strings
# of up to `w` events leave finitely much to remember: unroll the automaton for `w` events, then take sets of states.
#
# **What goes wrong.** By Definition 39 the window is about *marked* events: the last one is less than `w` after the first. Events
# that are passed over count for nothing, so the strings can be longer than the window. Two terminals are enough to see it.
# In the pictures a transition says `condition ↑ output`; `⊤` is true of every event, `•` marks it, and `⊗` passes over it.

# %%
search(evidence(theorem_41, Search, "Alg. 7"))
# %% [markdown]
# One event is marked, so the window of one event holds; but the string has two events, and the construction gives up after one.
#
# Would another construction do better? No. Here is an expression in a window of one event: some `B` that is not marked, and
# later an `S` with the same id, which is. There is one mark, so the window is never violated and changes nothing. What has to be
# remembered are the ids of *all* `B`.

# %%
from mnemata.automata.drawing import draw
from mnemata.proofs.srt.adversaries import ONE_MARK, against_determinism
from mnemata.proofs.srt.candidates import TAGGED
from mnemata.theory.syntax import show

print(show(ONE_MARK, notation="paper"))
draw(ONE_MARK.body, title="the same without its window")

# %% [markdown]
# **The adversary.** That no deterministic automaton recognises this is shown by a program. Given a candidate with `k` registers it
# writes `k + 1` events `B` with different ids. The candidate has one run over them, and some id is now in none of its registers.
# Then comes an `S`, with that id or with a new one: the candidate does the same for both, and is wrong about one of them.
#
# This candidate finds the two events where they are neighbours. Its register holds the last event, and so, when the `S` comes,
# the second `B`; the first one is forgotten. These are the last two configurations of its run:

# %%
from mnemata.automata.srt.runs import accepts, runs
from mnemata.proofs.srt.attempts import DETERMINISTIC
from mnemata.theory.sremo import semantics

candidates = [candidate for (candidate,) in DETERMINISTIC]
candidate = candidates[0]
stream = against_determinism(candidate)
print("accepted by the candidate: ", accepts(candidate, stream))
print("accepted by the expression:", semantics.accepts(ONE_MARK, stream))
draw(next(runs(candidate, stream)), srt=candidate, outputs=False, configurations=[3, 4])

# %% [markdown]
# Others fare no better, however many registers they have: those for three and four neighbours, ring buffer and power set for strings
# of three events, the last or the first `B` kept, and the set of ids seen as the state. Nor do generated ones.

# %%
from mnemata.proofs.report.wording import amount

for candidate in candidates:
    stream = against_determinism(candidate)
    events = " ".join(f"{event['type']}{event['id']}" for event in stream)
    verdict = "accepts" if accepts(candidate, stream) else "does not accept"
    assert accepts(candidate, stream) != semantics.accepts(ONE_MARK, stream)
    memory = f"{amount(len(candidate.registers), 'registers')}, {amount(candidate.size, 'states')}"
    print(f"{memory}: wrongly {verdict} {events}")

weigh(evidence(theorem_41, Adversary))

# %% [markdown]
# **The repair.** Let the window bound the *string*. Then `w - 1` registers hold the last events, and whether what was read so far is
# accepted is one condition over them and the current event. A state says how full the buffer is and whether the string is accepted;
# its two transitions have a condition and its negation, so that one of them can be taken, and never both.

# %%
from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.thompson import thompson

nondeterministic = bind_guards(thompson(ONE_MARK.body), TAGGED)
draw(determinize(nondeterministic, window=3), title="strings of up to three events", outputs=False)

# %% [markdown]
# How sure is that? The same kind of search does not break it, Z3 proves it for *all* attribute values for every expression of a
# fragment, and the step of the proof by induction is discharged without any bound.

# %%
weigh(
    evidence(theorem_41, Search, "the ring buffer accepts short strings"),
    evidence(theorem_41, Search, "one run"),
    evidence(theorem_41, Bounded),
    evidence(theorem_41, Induction),
)
print(fill(theorem_41.remark, 110))

# %% [markdown]
# ## 2. The next event that is not the next
#
# **The claim.** Skip-till-next-match takes, after the first part, the next match of the second one. It is defined as
# `e1 · (!e2)* · e2`: what is skipped are strings that `e2` does not match.
#
# **What goes wrong.** If `e2` is a single event `b`, then `b` is not in `!b`. But `b b` is: *as a string* it is not a match of `b`. So two
# events can be skipped together that could not be skipped one by one.

# %%
search(evidence(definition_45, Search, "takes the next e2"))
# %% [markdown]
# All four events match `e2`. The second one is the next; yet `{1, 4}` is found, with the second and the third event skipped as a pair.
# In a stream of one `C` and four `B`:

# %%
from mnemata.proofs.srt.negating import next_as_published
from mnemata.theory.conditions.building import head
from mnemata.theory.schema import Int64, Schema, String
from mnemata.theory.sremo.expressions import mark, skip_till_next

schema = Schema.of(type=String(), id=Int64())
A, B, C = (mark(head(schema).type == letter) for letter in "ABC")

stream = schema.stream([("C", 1), ("B", 1), ("B", 1), ("B", 1), ("B", 1)])
for title, pattern in (("as published", next_as_published(C, B)), ("as repaired", skip_till_next(C, B))):
    print(
        f"{title}:",
        *(sorted(found) for found in sorted(semantics.stream_matches(pattern, stream), key=sorted)),
    )

# %% [markdown]
# **The repair.** Take each part at its *earliest completion*: skip, but only while nothing of what was skipped could have completed a
# match. For a single event that is the negated condition. The paper remarks that it can stand for `!` where `e2` is a single event;
# the matches differ, as was just seen, so it is another definition, and the right one.

# %%
draw(skip_till_next(C, B), schema=schema, title="next(C, B): skips what is no B")

# %% [markdown]
# For longer parts a monitor watches the skipped events: a ring buffer as above, made for strings that `e2` matches. Every step but
# the last is taken only where the monitor sees no completion. This one takes, after a `C`, the first `A` that is followed by a `B`
# at once; the register is the buffer:

# %%
draw(skip_till_next(C, A >> B), schema=schema, title="next(C, A · B)", longest=8)

# %% [markdown]
# The search that broke the definition is now about the repair: over generated sequences with negations, absences and such parts,
# does the automaton find what the definition of earliest completion says? And does each first event get one match at most?

# %%
weigh(
    evidence(definition_45, Search, "one match for each first event"),
    evidence(definition_45, Search, "monitors keep all matches"),
    evidence(definition_45, Bounded),
    evidence(definition_45, Induction),
)

# %% [markdown]
# ## 3. A strategy that selects what it should not
#
# **The claim.** For every complex event automaton there are automata that keep, among all complex events that end at a position, the
# greatest in some order: `NXT`, `LAST` and `MAX`. With `MAX` a complex event counts for nothing if another one contains it. While
# such an automaton reads, its states are sets: `R`, where runs of this output are, and `W`, where runs of a greater one are.
#
# **What goes wrong.** In this logic events are marked with *variables*. Two runs that mark the same events with other variables have the
# same complex event so far, but other outputs, so the second is in neither set of the first. If it then marks one event more, it
# wins, and the first one never hears of it. Transitions say `condition / variables` here, and positions count from 0.

# %%
cea, stream = search(evidence(theorem_7_2, Search, "MAX as published: keeps the greatest complex events"))

# %% [markdown]
# The complex event of one event is contained in the one of both, so that `MAX` should drop it. As published, it stays.
#
# **The repair.** One more set, `Q`: where runs are with the same *events* marked, whatever the variables. What wins over those wins
# over this run, too. The automaton has to tell more situations apart:

# %%
from mnemata.automata.cea.runs import valuations
from mnemata.automata.constructions.cea.selection import max_
from mnemata.automata.constructions.cea.selection_as_published import max_as_published
from mnemata.automata.drawing import draw_cea
from mnemata.proofs.generators import TICKS

for title, construction in (("as published", max_as_published), ("as repaired", max_)):
    print(f"{title}:", *map(str, valuations(construction(cea, TICKS), stream, 1)))
draw_cea(max_(cea, TICKS), title="MAX, repaired")

# %% [markdown]
# The search does not break this any more. Z3 shows what the sets mean by induction on the stream, for every automaton, and where the
# published construction is right: where all marks carry the same variables. And it goes through all automata of two states and two
# transitions, over all streams of up to two events.

# %%
weigh(
    evidence(theorem_7_2, Search, "MAX repaired"),
    evidence(theorem_7_2, Induction, "greater supports"),
    evidence(theorem_7_2, Induction, "the same labels"),
    evidence(theorem_7_2, Bounded),
)

# %% [markdown]
# ## Your turn
#
# Can you beat the adversary? This automaton knows a set of ids by heart: its state is the set of those that a `B` had. Add some more, or
# write another deterministic SRT over `type` and `id`, and run the cell again.

# %%
from mnemata.proofs.srt.attempts import of_few_ids

candidate = of_few_ids((1, 2, 3, 4))

stream = against_determinism(candidate)
print([event.values for event in stream])
print("accepted by the candidate: ", accepts(candidate, stream))
print("accepted by the expression:", semantics.accepts(ONE_MARK, stream))

# %% [markdown]
# Or look at another result. The table in [proofs/README.md](../proofs/README.md) has all of them with their names, such as
# `srt-theorem-27`, `rma-corollary-16` or `cel-theorem-6-2`; put one here. On a terminal, `mnemata prove NAME --report DIR` does the same
# with all of the evidence.

# %%
name = "srt-algorithm-8"

(result,) = chosen([name])
print(f"{result}\n{fill(result.statement, 110)}\n")
for one in result.evidence:
    if isinstance(one, Search) and one.breaks is not None:
        search(one)
