"""The papers' theorems, checked by machine: statements, constructions, evidence, verdicts."""
