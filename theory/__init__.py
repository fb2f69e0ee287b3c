"""What a pattern means: schemas, conditions, expressions, and their denotational semantics.

Nothing in here knows about automata or engines; everything else in `mnemata` is checked against it.
"""
