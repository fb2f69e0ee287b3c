"""Constructions on automata, one module each; a wrong published one stands beside its repair."""
