"""A construction with one small mistake."""

from __future__ import annotations

from dataclasses import dataclass

from mnemata.theory.errors import PatternError


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A replacement of some text in a module.

    Parameters
    ----------
    name : str
        Short, in words joined by hyphens.
    breaks : str
        What is wrong with it, in words.
    module : str
        The module, without the name of the project: ``"automata.constructions.epsilon"``.
    original, replacement : str
        The text that occurs in it exactly once, and what takes its place.
    results : tuple of str
        Names of results, or beginnings of such names, whose evidence should notice; tried in this order.
    survives : str
        For a mutant that nothing can notice: why it is no mistake.
    """

    name: str
    breaks: str
    module: str
    original: str
    replacement: str
    results: tuple[str, ...]
    survives: str = ""

    @property
    def qualified(self) -> str:
        """The name by which the module is imported."""
        return f"mnemata.{self.module}"

    def applied(self, source: str) -> str:
        """`source` with the mistake in it; `PatternError` when the text does not occur exactly once."""
        times = source.count(self.original)
        if times != 1:
            raise PatternError(
                f"mutant '{self.name}': its text occurs {times} times in {self.module}, and must occur once; "
                "the module has changed, so choose the text anew"
            )
        return source.replace(self.original, self.replacement)
