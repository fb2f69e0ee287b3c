"""Claims about monitors of patterns that overwrite what they read (ERRATA A11, `constructions.saving`)."""

from __future__ import annotations

from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.srt.runs import matches
from mnemata.proofs.claims import Claim
from mnemata.proofs.generators import TICKS, Stream, streams
from mnemata.proofs.srt.negating import overwriting
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Expression

Instance: TypeAlias = tuple[Stream, Expression]

OVERWRITTEN: Final[st.SearchStrategy[Instance]] = st.tuples(streams(TICKS, max_size=5), overwriting(1))


def overwritten_registers_are_kept() -> Claim[Instance]:
    """A part taken at its earliest completion may write again what its monitor still reads."""

    def holds(instance: Instance) -> bool:
        stream, expression = instance
        made = compile_pattern(expression, TICKS).srt
        prefixes = (stream[:k] for k in range(len(stream) + 1))
        return all(matches(made, s) == semantics.matches(expression, s) for s in prefixes)

    name = "monitors read registers as they were"
    return Claim(name, "ERRATA A11", OVERWRITTEN, holds)
