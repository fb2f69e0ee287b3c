"""Formulas of one language as formulas of another: CEL and SREMO, core-CEPL and SREMO.

CEL counts positions from 0 and looks at the stream from its beginning to a position n; SREMO counts from 1,
and a stream reports at position k the matches of strings that end there, if they mark k. "Stream for stream"
means that the complex events of a formula at every n, those that contain n, are the matches reported at
n + 1, with all positions one greater. "String for string" means the same of
`mnemata.theory.sremo.semantics.matches` over the first n + 1 events, whether the last one is marked or not.
"""

from mnemata.theory.translation.cel_of_sremo import formula_of_expression
from mnemata.theory.translation.cepl_of_sremo import query_of
from mnemata.theory.translation.sremo_of_cel import expression_of_formula
from mnemata.theory.translation.sremo_of_cepl import sremo_of

__all__ = ["expression_of_formula", "formula_of_expression", "query_of", "sremo_of"]
