# %% [markdown]
# # The semantics, operator by operator
#
# A pattern is an expression, and an expression has a meaning before there is any automaton: a set of *matches* for each
# string of events. That meaning is written down in `mnemata.theory.sremo.semantics`, a page of obvious code that tries
# every way to split a string. Everything else here, automata, engine, Spark, is tested against it.
#
# This tour gives each operator of SREMO (symbolic regular expressions with memory and output) a tiny stream. Positions
# count from 1 in it, as in the paper; elsewhere rows count from 0.

# %%
import pandas as pd

from mnemata.theory.schema import Int64, Schema, String, Timestamp
from mnemata.theory.sremo import semantics
from mnemata.theory.syntax import parse, show

pd.set_option("display.max_colwidth", None)
schema = Schema.of(type=String(), id=Int64(), at=Timestamp("s"), event_type="type", time="at")


def stream(text):
    """``"A1 B2"``: an A with id 1 and, a second later, a B with id 2."""
    return schema.stream([(word[0], int(word[1:] or 0), at) for at, word in enumerate(text.split())])


def listed(found):
    sets = ("{" + ", ".join(map(str, marks)) + "}" if marks else "∅" for marks in sorted(map(sorted, found)))
    return "  ".join(sets) or "none"


def expression(text):
    return parse(text, schema=schema).expression


def over(*examples):
    """Each pattern over a whole string."""
    rows = [
        (pattern, show(parse(pattern, schema=schema), notation="paper"), string, listed(found))
        for pattern, string in examples
        for found in [semantics.matches(expression(pattern), stream(string))]
    ]
    return pd.DataFrame(rows, columns=["pattern", "as in the paper", "string", "matches"])


# %% [markdown]
# ## One event
#
# A terminal reads exactly one event. It has a condition, an output, and perhaps a register to write to. The output says
# whether the event is *marked*, `•`, or passed over, `⊗`. A match is the set of marked positions. So an expression can
# accept a string and mark nothing of it: then the match is the empty set, `∅`, which is not the same as no match.

# %%
over(("A", "A"), ("A", "B"), ("skip A", "A"), ("event", "B"), ("event where id > 5", "A7"), ("A", "A A"))

# %% [markdown]
# ## Sequence, union, iteration
#
# These are the regular operators. `;` lets nothing come in between.

# %%
over(
    ("A; B", "A B"),
    ("A; B", "A C B"),
    ("A; skip C; B", "A C B"),
    ("A | B", "B"),
    ("A*; B", "A A B"),
    ("A*; B", "B"),
    ("A+; B", "B"),
    ("A{2,3}", "A A A"),
    ("A; B?", "A"),
)

# %% [markdown]
# ## A set of matches
#
# An expression may match in several ways. What counts is the set: two ways that mark the same events are one match. Here each
# event may be marked or passed over, so three events have eight matches. In the second row both sides of the union say
# the same.

# %%
over(("(event | skip event)*", "A A A"), ("A; B | event; B", "A B"))

# %% [markdown]
# ## Registers
#
# `as r` writes the event to the register `r`, and later conditions compare with what is in it. In an iteration a register
# is written anew in each round, so only the latest content counts.

# %%
over(
    ("A as r; B where id = r.id", "A1 B1"),
    ("A as r; B where id = r.id", "A1 B2"),
    ("A as r; (event as r where id > r.id)+", "A1 B2 B5"),
    ("A as r; (event as r where id > r.id)+", "A1 B5 B2"),
    ("A as r; (event where id > r.id)+", "A1 B5 B2"),
)

# %% [markdown]
# What if the register is empty? An atom that reads an empty register is false, and so its negation is true. There are two
# truth values, no third one. The same holds for a missing attribute. `not id = r.id` and `id != r.id` therefore differ.

# %%
over(
    ("(A as r | B); event where id = r.id", "B1 C1"),
    ("(A as r | B); event where not id = r.id", "B1 C1"),
    ("(A as r | B); event where id != r.id", "B1 C2"),
)

# %% [markdown]
# ## Skip till any match
#
# `any(e1, e2)` is a sequence with anything in between, none of it marked. `any(e+)` has it between the rounds.

# %%
over(("any(A, B)", "A C B"), ("any(A, B)", "A B B"), ("any(A, any(B+))", "A B C B"))

# %% [markdown]
# It is shorthand. Written in the basic operators it has a loop that passes over events:

# %%
from mnemata.theory.sremo.rewriting import core

show(core(expression("any(A, B)")), notation="paper")

# %% [markdown]
# ## From strings to streams
#
# A stream does not end, so matches are reported as it goes. At its `k`-th event it reports the matches of the strings that
# end there, wherever they begin, if they mark the `k`-th event: so that no match is reported twice.


# %%
def along(pattern, text):
    """What a stream reports at each event."""
    events = stream(text)
    rows = [
        (k, word, listed(semantics.matches_at(expression(pattern), events, k)))
        for k, word in enumerate(text.split(), start=1)
    ]
    return pd.DataFrame(rows, columns=["k", "event", f"{pattern} reports"])


along("any(A, B)", "C A B A B")

# %% [markdown]
# **Where the paper leaves room.** Its definition asks for a match of the strings from *all* beginnings `m`, which `C A B`
# would fail for `A; B`, as the string from the first event does not match. What is meant is *some* `m` (erratum A10).

# %%
events = stream("C A B")
matching = [m + 1 for m in range(3) if semantics.accepts(expression("A; B"), events[m:])]
print("strings that end at 3 match from beginnings", matching)
print("reported at 3:", listed(semantics.matches_at(expression("A; B"), events, 3)))

# %% [markdown]
# ## Windows
#
# There are three kinds, and they bound different things:
#
# - `within 3 events`: the marked events lie among three consecutive ones;
# - `within 3 s`: less than three seconds lie between the first and the last marked event;
# - `length 3`: the whole string has at most three events, marked or not.
#
# In these streams one event comes each second.

# %%
over(
    ("any(A, B) within 3 events", "A C B"),
    ("any(A, B) within 3 events", "A C C B"),
    ("any(A, B) within 3 s", "A C C B"),
    ("any(A, B) within 4 s", "A C C B"),
    ("any(A, B) length 3", "A C C B"),
)

# %% [markdown]
# As long as the first and the last event are marked, `within` and `length` agree. They part where unmarked events come
# first or last. The window on marks lets any number of those by:

# %%
over(
    ("((skip event)*; A; B) within 2 events", "C C C A B"),
    ("((skip event)*; A; B) length 2", "C C C A B"),
)

# %% [markdown]
# That difference matters. A bound on the string makes an automaton finite in its memory; a bound on marks need not.
# [Determinization and its limits](determinization_and_its_limits.ipynb) tells what follows from it.

# %% [markdown]
# ## Negation and absence
#
# `not e` holds of a string that `e` does not match *as a whole*. `absent(e)` holds of a string in which `e` matches *nowhere*.
# Most people mean the second. The string `B B` is not a match of the single event `B`, so `not` lets it pass:

# %%
over(
    ("A; not (skip B); C", "A B C"),
    ("A; not (skip B); C", "A B B C"),
    ("A; absent(skip B); C", "A B B C"),
    ("A; absent(skip B); C", "A D D C"),
)

# %% [markdown]
# Both look at the registers as they are when they begin, so absence can be relative: no `B` *with the id of the A*.

# %%
over(
    ("A as r; absent(skip B where id = r.id); C", "A1 B2 C1"),
    ("A as r; absent(skip B where id = r.id); C", "A1 B1 C1"),
)

# %% [markdown]
# ## Skip till next match
#
# `next(e1, e2)` takes `e2` where it is first completed after `e1`. Over `A B B` there is one match where `any` has two.

# %%
pd.concat(
    [
        along("next(A, B)", "A C B B").set_index(["k", "event"]),
        along("any(A, B)", "A C B B").set_index(["k", "event"]),
    ],
    axis=1,
)

# %% [markdown]
# **Where the paper leaves room.** It defines `next(e1, e2)` as `e1 · (!e2)* · e2`: what is skipped are strings that are no match
# of `e2`. We saw that `B B` is such a string. So two `B` can be skipped together that could not be skipped one by one
# (erratum A11). The definition as published stands beside its repair:

# %%
from mnemata.proofs.srt.negating import next_as_published
from mnemata.theory.sremo.expressions import skip_till_next

A, B, C = (expression(letter) for letter in "ABC")
events = stream("A B B B")
print("as published:", listed(semantics.matches(next_as_published(A, B), events)))
print("as repaired: ", listed(semantics.matches(skip_till_next(A, B), events)))

# %% [markdown]
# For more than one event, the repair takes the part that is *completed* first: of two overlapping attempts at `B; C`, the
# one that succeeds.

# %%
along("next(A, (B; C))", "A B B C B C")

# %% [markdown]
# ## Empty parts
#
# **Where the paper leaves room.** In a concatenation, the marks of the first part come before those of the second:
# `max(M1) < min(M2)`. If a part marks nothing, there is no such maximum. Read as "does not hold", a loop of skipped events could
# never be followed by anything, and the paper's own examples would have no match. Here an empty part is fine (erratum A12).

# %%
over(("(skip event)*; A", "B B A"), ("A*; skip B", "B"), ("nothing; A", "A"))

# %% [markdown]
# ## Intersection
#
# `e1 & e2` has the matches that both have: the same events marked, not only the same string accepted.

# %%
over(("any(A, B) & (event; event)", "A B"), ("(A; skip B) & (skip A; B)", "A B"))

# %% [markdown]
# ## Complex event logic, beside it
#
# CEL describes complex events with *variables*: `x` stands for a set of events. Its `;` lets anything come in between, its `:`
# nothing. Where SREMO compares with registers, CEL filters at the end. Positions count from 0.

# %%
from mnemata.theory.cel import semantics as cel
from mnemata.theory.syntax import parse_cel


def formula(text):
    return parse_cel(text, schema=schema).formula


rows = [
    (
        sremo,
        text,
        string,
        listed(semantics.stream_matches(expression(sremo), stream(string))),
        listed(cel_found),
    )
    for sremo, text, string in (
        ("A", "A", "A B"),
        ("any(A, B)", "A; B", "A C B"),
        ("A; B", "A : B", "A C B A B"),
        ("any(A+)", "A+", "A C A"),
        ("A+", "A (+)", "A C A A"),
        ("A | B", "A OR B", "A B"),
        ("any(A as a, B where id = a.id)", "(A; B) FILTER A.id = B.id", "A1 A2 B2"),
        ("any(A, B) within 2 events", "(A; B) WITHIN 2 EVENTS", "A C B A B"),
    )
    for cel_found in [frozenset().union(*cel.complex_events_along(formula(text), stream(string)))]
]
pd.DataFrame(rows, columns=["SREMO", "CEL", "stream", "SREMO finds (from 1)", "CEL finds (from 0)"])

# %% [markdown]
# The same complex events, one lower each. Underneath, CEL knows more than positions: a *valuation* says which variable each event
# is bound to, and an event may have several.

# %%
for valuation in cel.valuations(formula("(A IN x; B IN y) IN z"), stream("A C B"), 0, 2):
    print(valuation)

# %% [markdown]
# Within limits one language can be translated to the other, which is checked against both semantics:

# %%
from mnemata.theory.syntax import show_cel
from mnemata.theory.translation import expression_of_formula, formula_of_expression

print(show_cel(formula_of_expression(expression("any(A, any(B+))"), schema)))
print(show(expression_of_formula(formula("(A; B) FILTER A.id = B.id"), schema), notation="paper"))

# %% [markdown]
# ## Your turn
#
# Put a pattern and a string. What does `not` of a sequence let pass? Does `any(any(A+), B)` find more than `any(A+, B)`?

# %%
over(("any(any(A+), B)", "A C A B"), ("any(A+, B)", "A C A B"), ("A; not (skip B; skip C); A", "A B A"))
