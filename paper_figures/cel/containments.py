"""Figure 6: how fragments of CEL with contiguous operators compare, and what is known of each comparison."""

from __future__ import annotations

from typing import Final

from mnemata.paper_figures.reproductions import Tables
from mnemata.paper_figures.tables import Table
from mnemata.proofs.registry import chosen

COMPARISONS: Final = (
    ("CEL* ∪ {:}", "⊊", "CEL* ∪ {STRICT}", "any predicates", "cel-proposition-8-12"),
    ("CEL* ∪ {STRICT}", "⊆", "CEL* ∪ {:, ⊕}", "any predicates", "cel-proposition-8-13"),
    ("CEL* ∪ {STRICT}", "⊊", "CEL* ∪ {:, ⊕}", "events can be compared", "cel-theorem-8-14"),
    ("CEL* ∪ {STRICT}", "≡", "CEL* ∪ {:, ⊕}", "unary predicates", "cel-proposition-8-15"),
    ("CEL* ∪ {STRICT}", "⊈", "CEL* ∪ {⊕}", "any predicates", "cel-section-8-2-figure-6"),
    ("CEL* ∪ {⊕}", "⊈", "CEL* ∪ {STRICT}", "events can be compared", "cel-section-8-2-figure-6"),
)
"""Two fragments, how they compare, for which predicates, and the result that says so."""


def figure_6() -> Tables:
    """The comparisons, with the results of `mnemata prove` that weigh them."""
    rows = [(*said, f"`{name}`", chosen([name])[0].expected.value) for *said, name in COMPARISONS]
    heads = ("fragment", "", "fragment", "for", "result", "verdict")
    text = "A verdict is what all evidence amounts to; `mnemata prove RESULT` gathers it anew."
    return Tables((Table("Fragments with contiguous operators", heads, tuple(rows), "lcllll"),), text)
