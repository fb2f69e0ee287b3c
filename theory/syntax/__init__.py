"""Patterns as text: two notations, one tree (the grammars are described in NOTATION.md).

>>> from mnemata.theory.syntax import parse, show
>>> pattern = parse("(true ^ o v r1) . (true ^ x)* . (~.id = r1.id ^ o)")
>>> show(pattern, notation="paper")
'(⊤ ↑ • ↓ r1) · (⊤ ↑ ⊗)* · ((~.id = r1.id) ↑ •)'
>>> show(pattern)
'event as r1; (skip event)*; event where id = r1.id'
>>> parse(show(pattern)) == pattern
True

Formulas and queries of complex event logic have a grammar of their own:

>>> from mnemata.theory.syntax import parse_cel, show_cel
>>> query = parse_cel("SELECT MAX * FROM Stocks WHERE SELL; BUY+ WITHIN 100 EVENTS")
>>> show_cel(query, notation="paper")
'MAX(SELL; BUY+ WITHIN 100 EVENTS)'

So has core-CEPL:

>>> from mnemata.theory.syntax import parse_cepl, show_cepl
>>> show_cepl(parse_cepl("(T AS x); (H AS y) FILTER (x.id=y.id)"))
'T AS x; H AS y FILTER x.id = y.id'
"""

from mnemata.theory.syntax.cel_parsing import parse_cel
from mnemata.theory.syntax.cel_printer import show_cel
from mnemata.theory.syntax.cepl_parsing import parse_cepl
from mnemata.theory.syntax.cepl_printer import show_cepl
from mnemata.theory.syntax.languages import AnyPattern, is_query, named, parse_either
from mnemata.theory.syntax.located import Located, Place
from mnemata.theory.syntax.parsing import LONGEST_TEXT, parse, parse_located
from mnemata.theory.syntax.printing import show

__all__ = [
    "LONGEST_TEXT",
    "AnyPattern",
    "Located",
    "Place",
    "is_query",
    "named",
    "parse",
    "parse_cel",
    "parse_cepl",
    "parse_either",
    "parse_located",
    "show",
    "show_cel",
    "show_cepl",
]
