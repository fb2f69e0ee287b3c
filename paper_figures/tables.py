"""Tables, in Markdown and in LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from pylatexenc.latexencode import (
    RULE_DICT,
    UnicodeToLatexConversionRule,
    UnicodeToLatexEncoder,
)

from mnemata.theory.schema import Event, Schema

_SYMBOLS: Final = {
    "⟦": r"\ensuremath{\llbracket}",
    "⟧": r"\ensuremath{\rrbracket}",
    "↻": r"\ensuremath{\circlearrowright}",
    "✓": r"\checkmark",
    "✗": r"\ensuremath{\times}",
    "⊨": r"\ensuremath{\models}",
    "φ": r"\ensuremath{\varphi}",
    "→": r"\ensuremath{\rightarrow}",
    "↑": r"\ensuremath{\uparrow}",
    "↓": r"\ensuremath{\downarrow}",
    "•": r"\ensuremath{\bullet}",
}
"""What LaTeX calls symbols that the encoder does not know, or calls by another name than the papers."""


class Table(NamedTuple):
    """A table.

    Parameters
    ----------
    title : str
        What it shows.
    columns : tuple of str
        The heads of its columns.
    rows : tuple of tuples of str
        Its cells, plain text: what is special in Markdown is for the caller to say.
    align : str
        For each column ``l`` or ``r``; by default the first is text and the others are numbers.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    align: str = ""

    @property
    def alignment(self) -> str:
        """For each column ``l`` or ``r``."""
        return self.align or "l" + "r" * (len(self.columns) - 1)

    def markdown(self) -> str:
        """The table in Markdown.

        >>> print(Table("Squares", ("number", "its square"), (("1", "1"), ("2", "4"))).markdown())
        **Squares**
        <BLANKLINE>
        | number | its square |
        |---|---:|
        | 1 | 1 |
        | 2 | 4 |
        """
        rule = f"|{'|'.join('---:' if side == 'r' else '---' for side in self.alignment)}|"
        lines = (f"| {' | '.join(_cell(cell) for cell in cells)} |" for cells in (self.columns, *self.rows))
        first, *others = lines
        return "\n".join((f"**{self.title}**", "", first, rule, *others))

    def latex(self) -> str:
        r"""The table in LaTeX, for the packages booktabs, amssymb and stmaryrd.

        >>> print(Table("Signs", ("sign", "share"), (("φ_1", "5 %"),)).latex())
        % Signs
        \begin{tabular}{lr}
        \toprule
        sign & share \\
        \midrule
        \ensuremath{\varphi}\_1 & 5 \% \\
        \bottomrule
        \end{tabular}
        """
        head, *body = (f"{' & '.join(map(latex_text, cells))} \\\\" for cells in (self.columns, *self.rows))
        begin = (f"% {self.title}", rf"\begin{{tabular}}{{{self.alignment}}}", r"\toprule", head, r"\midrule")
        return "\n".join((*begin, *body, r"\bottomrule", r"\end{tabular}"))


def latex_text(text: str) -> str:
    """Plain text as LaTeX writes it; a `ValueError` for a sign that has no name there."""
    written: str = _encoder().unicode_to_latex(text.replace("`", "").replace("\\|", "|"))
    return written


@cache
def _encoder() -> UnicodeToLatexEncoder:
    known = {ord(sign): name for sign, name in _SYMBOLS.items()}
    rules = [UnicodeToLatexConversionRule(RULE_DICT, known), "defaults"]
    return UnicodeToLatexEncoder(conversion_rules=rules, unknown_char_policy="fail")


def stream_table(stream: Sequence[Event], schema: Schema, *, first: int) -> Table:
    """A stream with one column for each event, as in the papers; its indices begin with `first`."""
    rows = [(name, *(str(event[name]) for event in stream)) for name in schema.names]
    indices = tuple(str(index) for index in range(first, first + len(stream)))
    return Table("The stream", ("index", *indices), tuple(rows))


def sets_of_positions(found: Iterable[frozenset[int]]) -> str:
    """Sets of positions in their order.

    >>> sets_of_positions({frozenset({4, 1}), frozenset({2})})
    '{1, 4} {2}'
    """
    shown = (f"{{{', '.join(map(str, positions))}}}" for positions in sorted(map(sorted, found)))
    return " ".join(shown) or "—"


def _cell(text: str) -> str:
    return text.replace("\n", " ")
