"""The check of the checkers: constructions broken on purpose, which the evidence for results must notice.

A mutant is a construction with one small mistake. Nothing on disk is touched: an import hook serves the
broken source to a process of its own (`hook`), which weighs the evidence of the results concerned (`trial`).
What survives is either no mistake at all, and then the mutant says why, or shows what the evidence does not
see.
"""
