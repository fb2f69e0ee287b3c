"""CEL Proposition 8.12: : is less than STRICT."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.bounding import BY_HAND, strict_iteration_is_inexpressible
from mnemata.proofs.cel.placing import own_events_are_enough
from mnemata.proofs.cel.rewriting import (
    binding_through_a_filter,
    binds_event_types_alone,
    bound_after_filtering,
    contiguous_after_a_filter,
    filtered_contiguously,
    fragment,
    keeps_complex_events,
    keeps_valuations,
    of_cel_star_and,
    over,
    proofs_of_law,
)
from mnemata.proofs.evidence import Adversary, Bounded, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.formulas import Contiguous, ContiguousIteration, Strict
from mnemata.theory.cel.rewriting import binding_at_leaves, contiguous_to_strict

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Proposition 8.12",
    title=": is less than STRICT",
    statement=(
        "Every formula of CEL* with : has an equivalent one of CEL* with STRICT, whatever the predicates, "
        "and STRICT(R+) has none with :. Repaired: filters inside read copies of the variables that are "
        "bound anew or joined with others, instead of the variables being renamed."
    ),
    latex=r"\mathrm{CEL}^* \cup \{:\}(\mathcal{P}) \subset "
    r"\mathrm{CEL}^* \cup \{\mathrm{STRICT}\}(\mathcal{P})",
    expected=Standing.REPAIRED,
    constructions=(binding_at_leaves, contiguous_to_strict),
    evidence=(
        Search(
            keeps_complex_events(
                contiguous_after_a_filter,
                over(filtered_contiguously(), max_size=3),
                "((f FILTER P) : g) FILTER Q as published",
                "App. B",
            ),
            breaks=(2, 2),
        ),
        Search(
            keeps_complex_events(
                binding_through_a_filter,
                over(bound_after_filtering(), max_size=2),
                "(f FILTER P(A)) IN A as published",
                "App. B",
            ),
            breaks=(1, 1),
        ),
        *(
            Search(
                keeps_complex_events(law, over(instances, max_size=3), f"{what} as repaired", "App. B"),
                reading=Reading.REPAIRED,
            )
            for law, instances, what in (
                (contiguous_to_strict, filtered_contiguously(), "((f FILTER P) : g) FILTER Q"),
                (binding_at_leaves, bound_after_filtering(), "(f FILTER P(A)) IN A"),
            )
        ),
        Search(
            keeps_valuations(
                binding_at_leaves,
                over(fragment(Contiguous, ContiguousIteration, Strict)),
                "IN moves to the event types",
                "App. B",
                form=binds_event_types_alone,
            ),
            reading=Reading.REPAIRED,
        ),
        Search(
            keeps_valuations(
                contiguous_to_strict,
                over(fragment(Contiguous)),
                "STRICT instead of :",
                "Prop. 8.12",
                form=of_cel_star_and(Strict),
            ),
            reading=Reading.REPAIRED,
        ),
        Bounded(
            "all formulas of few operators",
            proofs_of_law(contiguous_to_strict, Contiguous),
            reading=Reading.REPAIRED,
        ),
        Search(own_events_are_enough(), reading=Reading.REPAIRED),
        Adversary(strict_iteration_is_inexpressible(), by_hand=BY_HAND, reading=Reading.REPAIRED),
    ),
    errata=("B10",),
    remark=(
        "The adversary asks for complex events by looking among their own events, which the search before it "
        "checks against the semantics."
    ),
)
