"""Z3 for conditions: satisfiable, entailed, equivalent, minterms; sound for the engine's values.

What Z3 refutes is impossible for the values that `mnemata.theory.conditions.values` computes with.
What it finds is decoded to an event and a valuation and checked against Def. 13 before it is
believed. What it cannot decide is said to be unknown. Z3 objects never leave these functions; every
call has its own Z3 context.
"""

from mnemata.theory.satisfiability.answers import Answer, Verdict, Witness
from mnemata.theory.satisfiability.decisions import entails, equivalent, implied, satisfiable
from mnemata.theory.satisfiability.minterms import Minterm, Minterms, Statistics, minterms

__all__ = [
    "Answer",
    "Minterm",
    "Minterms",
    "Statistics",
    "Verdict",
    "Witness",
    "entails",
    "equivalent",
    "implied",
    "minterms",
    "satisfiable",
]
