"""CEL Proposition 8.15: contiguity and STRICT, for unary formulas."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.contiguity import (
    FILTERED_TWICE,
    NAMED_LIKE_TYPES,
    contiguity_is_strict,
    filters_lowered_as_published,
    proofs_of_contiguity,
    without_contiguity,
)
from mnemata.proofs.cel.rewriting import (
    ALTERNATIVES,
    alternatives_as_published,
    contiguously_iterated,
    fragment,
    keeps_complex_events,
    keeps_valuations,
    over,
    proofs_of_steps,
    steps,
)
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.formulas import Contiguous, ContiguousIteration, Strict
from mnemata.theory.cel.rewriting import contiguous_alternatives, filters_at_event_types

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Proposition 8.15",
    title="contiguity is STRICT, for unary formulas",
    statement=(
        "For unary formulas CEL* with STRICT and CEL* with : and (+) say the same. Repaired: in the fifth "
        "part of (a OR b)(+) the rounds of b may be repeated; when filters move to event types, events keep "
        "their variables, and variables named like an event type may bind others too."
    ),
    latex=r"(\varphi_1 \lor \varphi_2)\oplus \equiv \dots \lor "
    r"\varphi_2\oplus : (\varphi_1\oplus : \varphi_2\oplus)\oplus",
    expected=Standing.REPAIRED,
    constructions=(without_contiguity, filters_at_event_types, contiguous_alternatives),
    evidence=(
        Search(
            keeps_complex_events(
                alternatives_as_published, ALTERNATIVES, "(a OR (b ; c))(+) as published", "App. E"
            ),
            breaks=(3, 7),
        ),
        *(
            Search(
                keeps_complex_events(
                    filters_lowered_as_published, instances, f"{what}, as published", "App. E"
                ),
                breaks=(1, 1),
            )
            for instances, what in (
                (FILTERED_TWICE, "two filters at event types"),
                (NAMED_LIKE_TYPES, "filters on variables named like event types"),
            )
        ),
        Search(
            keeps_complex_events(steps, ALTERNATIVES, "(a OR (b ; c))(+) as repaired", "App. E"),
            reading=Reading.REPAIRED,
        ),
        Search(
            keeps_valuations(steps, over(contiguously_iterated()), "each law for f (+)", "App. E"),
            reading=Reading.REPAIRED,
        ),
        Search(
            keeps_complex_events(
                filters_at_event_types,
                over(fragment(Contiguous, ContiguousIteration, Strict, unary=True)),
                "filters at event types",
                "App. E",
            ),
            reading=Reading.REPAIRED,
        ),
        Search(contiguity_is_strict(), reading=Reading.REPAIRED),
        Bounded("the laws for f (+)", proofs_of_steps, reading=Reading.REPAIRED),
        Bounded("all unary formulas of few operators", proofs_of_contiguity, reading=Reading.REPAIRED),
    ),
    errata=("B11",),
    remark=(
        "That filters at event types as published fail is not in the errata: of two filters on one variable "
        "the second finds no variable left, and of a variable named like an event type only events of that "
        "type are asked. The other inclusion is Prop. 8.13."
    ),
)
